#!/bin/sh
# less, lynx and mc: what is read and chosen, not typed.
. "$RTE_TOP/tests/support/replay.sh"
needs less lynx mc
prepare() {
	i=0
	while [ $i -lt 300 ]; do
		i=$((i + 1))
		echo "line $i of the long file"
	done >long.txt
	mkdir -p panel/sub
	echo hello >panel/alpha.txt
	echo world >panel/beta.txt
	cp "$RTE_TOP/tests/integration/record/form.html" . 
}

records less -- less long.txt <<'EOF'
wait line 1 of
pause 300ms
key Space
pause 300ms
key Down
pause 200ms
key Down
pause 200ms
key Up
pause 300ms
type /120
pause 200ms
key Enter
wait line 120
pause 300ms
key n
pause 300ms
key G
wait line 300
pause 300ms
key g
wait line 1 of
pause 300ms
key q
exit 0
EOF

records lynx -- lynx -nopause form.html <<'EOF'
gap 60ms
wait Order form
pause 400ms
type Ada
pause 200ms
key Down
pause 200ms
type Koblenz
pause 200ms
key Down
pause 200ms
key Enter
pause 300ms
key Down
pause 200ms
key Enter
pause 300ms
key Down
pause 200ms
key Enter
pause 300ms
key Down
pause 300ms
key q
wait sure
pause 300ms
key y
exit 0
EOF

records mc -m 1,1,24,80 -- mc --nosubshell --nomouse panel panel/sub <<'EOF'
wait alpha.txt
pause 500ms
key Down
pause 200ms
key Down
pause 300ms
key F3
wait Quit
pause 400ms
key F10
pause 400ms
key Tab
pause 300ms
key Tab
pause 300ms
key F9
pause 400ms
key Esc
pause 1200ms
key Esc
pause 1200ms
key F10
pause 400ms
key Enter
exit 0
EOF
done_with
