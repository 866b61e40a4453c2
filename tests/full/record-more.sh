#!/bin/sh
# Programs beyond those that the recorder was made with: each kind of screen, at four terminal types.
# shellcheck disable=SC2034
RUNS=${RUNS:-2}
. "$RTE_TOP/tests/support/replay.sh"
PATH=$PATH:/usr/sbin:/sbin
needs emacs htop tig mutt ncdu joe links calcurse sc python3 gdb cfdisk tmux screen nnn ed git tty-clock cmatrix

letter() { # NAME SUBJECT HOUR
	printf 'From %s@example.org Thu Jan  1 00:00:00 2026\nFrom: %s <%s@example.org>\n' "$1" "$1" "$1"
	printf 'To: you@example.org\nSubject: %s letter\nDate: Thu, 1 Jan 2026 0%s:00:00 +0000\n' "$2" "$3"
	printf 'Message-ID: <%s@example.org>\n\nHello from %s.\n\n' "$3" "$1"
}
commit() { # NUMBER, at a time of its own
	echo "$1" >"f$1" && git add "f$1"
	GIT_AUTHOR_DATE="2026-01-0$1 00:00:00" GIT_COMMITTER_DATE="2026-01-0$1 00:00:00" \
		git -c user.name=Ada -c user.email=ada@example.org commit -q -m "commit number $1"
}
printf '#include <stdio.h>\nint main(void)\n{\n\tint n = 41;\n\tn++;\n\tprintf("n is %%d\\n", n);\n\treturn 0;\n}\n' >n.c
cc -g -o n n.c || exit 1
mkdir -m 700 sockets
prepare() {
	printf 'first line\nsecond line with a word\nthird line\n' >note.txt
	i=0
	while [ $i -lt 60 ]; do
		i=$((i + 1))
		echo "line $i of the long file"
	done >long.txt
	mkdir -p dir/sub
	echo hello >dir/alpha.txt
	echo world >dir/beta.txt
	echo deep >dir/sub/deep.txt
	cp "$RTE_TOP/tests/integration/record/form.html" .
	{ letter Ada First 0; letter Bob Second 1; } >mbox
	git init -q repo && (cd repo && commit 1 && commit 2 && commit 3)
	truncate -s 64M disk.img
	cp "$TMPDIR/n" "$TMPDIR/n.c" .
}

records emacs -- emacs -nw -Q note.txt <<'EOF'
gap 40ms
deadline 30s
wait second line
pause 600ms
key C-n
pause 200ms
key C-e
pause 200ms
type  and more
pause 300ms
key C-s
pause 300ms
type third
pause 500ms
key Enter
pause 300ms
key M-x
wait M-x
pause 300ms
type upcase-word
pause 200ms
key Enter
pause 400ms
key C-x C-s
pause 600ms
key C-x C-c
exit
EOF

records htop -m 1,1,24,80 -- htop -d 10 <<'EOF'
deadline 30s
wait PID
pause 1500ms
key F1
wait htop
pause 600ms
key q
wait PID
pause 700ms
key F6
wait Sort by
pause 600ms
key Down
pause 300ms
key Enter
pause 700ms
key F10
exit
EOF

records tig -- sh -c 'cd repo && exec tig' <<'EOF'
deadline 30s
wait commit number 3
pause 500ms
key Down
pause 300ms
key Enter
wait commit number 2
pause 500ms
key q
pause 400ms
key Q
exit
EOF

records mutt -- mutt -n -F /dev/null -e 'set folder=.; set editor=true; set record=' -f mbox <<'EOF'
deadline 30s
wait First letter
pause 500ms
key Down
pause 300ms
key Enter
wait Hello from Bob
pause 400ms
key i
wait First letter
pause 400ms
type /
wait Search for
pause 200ms
type First
key Enter
pause 400ms
key x
exit
EOF

records ncdu -- ncdu dir <<'EOF'
wait alpha.txt
pause 400ms
key Down
pause 300ms
key Up
pause 300ms
key Enter
pause 400ms
key Left
pause 400ms
key i
pause 400ms
key q
pause 400ms
key q
exit
EOF

records joe -- joe note.txt <<'EOF'
gap 40ms
wait second line
pause 500ms
key Down
pause 200ms
type hello joe
pause 300ms
key C-k
pause 200ms
key f
wait Find
pause 300ms
type third
key Enter
pause 400ms
key Enter
pause 400ms
key C-k
pause 200ms
key x
exit
EOF

records links -- links form.html <<'EOF'
gap 50ms
wait Order form
pause 500ms
key Down
pause 300ms
key Enter
pause 300ms
type Ada
pause 300ms
key Down
pause 300ms
type Koblenz
pause 300ms
key Down
pause 200ms
key Down
pause 300ms
type q
wait Do you really
pause 400ms
key Enter
exit
EOF

records calcurse -m 1,1,24,80 -- calcurse <<'EOF'
gap 50ms
deadline 30s
wait Calendar
pause 1500ms
key Enter
pause 500ms
key Tab
pause 700ms
key Tab
pause 700ms
key a
wait Enter
pause 400ms
type buy milk
pause 300ms
key Enter
pause 700ms
type 3
pause 800ms
key q
wait really want
pause 300ms
key y
exit
EOF

records sc -- sc <<'EOF'
gap 40ms
wait A
pause 600ms
type =12
pause 200ms
key Enter
pause 400ms
key j
pause 300ms
type =30
key Enter
pause 400ms
key j
pause 300ms
type =A0+A1
key Enter
pause 500ms
key q
pause 400ms
key n
exit
EOF

records python3 -- python3 -q <<'EOF'
gap 20ms
deadline 30s
wait >>>
pause 300ms
type x = 41
key Enter
pause 300ms
type for i in range(3):
key Enter
pause 300ms
type     print(i, x)
key Enter
pause 200ms
key Enter
pause 400ms
type import time; time.sleep(1); x + 1
key Enter
wait 42
pause 300ms
type input("Name? ")
key Enter
wait Name?
pause 300ms
type bob
key Enter
pause 300ms
key C-d
exit
EOF

records gdb -m 18,1,1,80 -- gdb -q -nx ./n <<'EOF'
gap 20ms
deadline 30s
wait (gdb)
pause 400ms
type break main
key Enter
wait Breakpoint
pause 300ms
type run
key Enter
wait int n
pause 500ms
type next
key Enter
wait n++
pause 300ms
type print n
key Enter
wait = 41
pause 300ms
type quit
key Enter
wait Quit anyway
pause 300ms
type y
key Enter
exit
EOF

records cfdisk -m 3,1,1,80 -- cfdisk -z disk.img <<'EOF'
deadline 30s
wait Select label type
pause 500ms
key Down
pause 300ms
key Enter
wait Free space
pause 500ms
key Enter
wait Partition size
pause 400ms
key Enter
pause 500ms
key Enter
pause 600ms
key Right
pause 300ms
key q
exit
EOF

records tmux -m 24,1,1,80 -- tmux -L "rte-$$" -f /dev/null new-session 'PS1="ok> " exec sh' <<'EOF'
gap 40ms
deadline 30s
wait ok>
pause 500ms
type echo one
key Enter
pause 400ms
key C-b
pause 100ms
type "
pause 800ms
type exit
key Enter
pause 600ms
type exit
key Enter
exit
EOF

records screen -- env SCREENDIR="$TMPDIR/sockets" screen -c /dev/null -m sh -c 'PS1="ok> " exec sh' <<'EOF'
gap 40ms
deadline 30s
wait ok>
pause 500ms
type echo one
key Enter
pause 400ms
type cat long.txt
key Enter
wait line 60
pause 400ms
type exit
key Enter
exit
EOF


records ed -- ed -p '*' note.txt <<'EOF'
gap 30ms
wait *
pause 300ms
type 2p
key Enter
wait second
pause 300ms
type 2s/word/thing/
key Enter
pause 300ms
type ,n
key Enter
wait thing
pause 300ms
type wq
key Enter
exit 0
EOF

records nnn -m 1,1,24,80 -- nnn dir <<'EOF'
wait alpha.txt
pause 500ms
key Down
pause 300ms
key Down
pause 300ms
key Up
pause 400ms
key q
exit
EOF

# Never at rest: digits drawn as coloured blanks, and a screen full of characters.
records ttyclock -m 1,1,24,80 -- tty-clock -s <<'EOF'
pause 2500ms
type c
pause 2500ms
type q
exit
EOF

records cmatrix -m 1,1,24,80 -- cmatrix <<'EOF'
pause 1500ms
type b
pause 1500ms
type q
exit
EOF
done_with
