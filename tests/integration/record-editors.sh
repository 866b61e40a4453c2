#!/bin/sh
# nano and vim: text typed, moved about in, searched and saved.
. "$RTE_TOP/tests/support/replay.sh"
needs nano vim
prepare() {
	printf 'first line\nsecond line with a word\nthird line\n' >note.txt
}

records nano -- nano -I note.txt <<'EOF'
gap 30ms
wait second line
pause 300ms
key Down
pause 200ms
key Right Right
pause 200ms
type more and 
pause 200ms
key Up
key Enter
pause 200ms
type a new line
pause 200ms
key C-w
wait Search
type third
pause 200ms
key Enter
pause 300ms
key C-o
wait File Name to Write
pause 200ms
key Enter
wait Wrote
pause 300ms
key C-x
exit 0
EOF

records vim -- vim -u NONE -N note.txt <<'EOF'
gap 30ms
wait second line
pause 300ms
key j
pause 200ms
key w
pause 200ms
type dw
pause 300ms
key i
wait INSERT
type some new text 
pause 200ms
key Esc
pause 1200ms
type dd
pause 300ms
key p
pause 300ms
type /third
key Enter
pause 300ms
type :wq
pause 200ms
key Enter
exit 0
EOF
done_with
