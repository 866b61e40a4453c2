#!/bin/sh
# ncurses' own demonstrations: forms and menus.
. "$RTE_TOP/tests/support/replay.sh"
examples=/usr/libexec/ncurses-examples
needs $examples/demo_forms $examples/demo_menus

records forms -- $examples/demo_forms <<'EOF'
gap 40ms
wait NEXT_CHOICE
pause 300ms
key C-q
pause 300ms
type Lovelace
pause 200ms
key Enter
pause 200ms
type Ada
pause 200ms
key Enter
pause 200ms
type K
pause 200ms
key Enter
pause 200ms
type one two three four five six seven eight nine ten
pause 200ms
key Up
pause 300ms
key C-q
exit
EOF

records menus -- $examples/demo_menus <<'EOF'
wait Select
pause 300ms
key Down
pause 200ms
key Down
pause 200ms
key Right
pause 200ms
key Down
pause 200ms
key Down
pause 200ms
key Left
pause 300ms
key Esc
exit
EOF
done_with
