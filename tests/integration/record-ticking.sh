#!/bin/sh
# Programs that are never quiet: top.
. "$RTE_TOP/tests/support/replay.sh"
needs top

records top -m 1,1,6,80 -m 8,1,17,80 -- top -d 1 <<'EOF'
deadline 20s
wait PID
pause 2500ms
key h
wait Help for
pause 500ms
key q
wait PID
pause 1500ms
key f
wait Fields Management
pause 500ms
key Down
pause 300ms
key q
wait PID
pause 1500ms
key M
pause 1500ms
key q
exit 0
EOF
done_with
