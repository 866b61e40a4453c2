#!/bin/sh
# Every way out: the application's status is passed on, the terminal is as it was, the trace is
# whole.
. "${RTE_TOP:-.}/tests/support/record.sh"
: >none

# around COMMAND...: between two looks at the terminal's modes, on a terminal with odd ones.
around() {
	drives none sh -c '
		stty -ixon intr ^X -echoctl
		stty -g >modes.before
		"$@"
		status=$?
		stty -g >modes.after
		exit $status' sh "$@"
}
restored() {
	check "$1: the modes are restored bit for bit" cmp modes.before modes.after
}

around "$rte" record -o a -- sh -c 'printf "last words"; exit 7'
is 'exit 7' $? 7
restored 'exit'
is 'exit status in the trace' "$("$castdump" x a.cast)" 7
is 'its output' "$("$castdump" o a.cast)" 'last words'
check 'and a script' test -s a.lua
is 'only its owner reads the trace' "$(stat -c %a a.cast)" 600
is 'the trace plays as asciicast v2' "$(head -c 13 a.cast)" '{"version": 2'

around "$rte" record --no-script -o b -- sh -c 'kill -TERM $$'
is 'killed by TERM' $? 143
restored 'application killed'
check_not '--no-script' test -e b.lua

around "$rte" record --no-script -o c -- "$sut" leave-modes 9
is 'killed with every mode on' $? 137
restored 'modes left on'
for left in 1049 2004 1004 1002 1006 1; do
	check "mode $left is off again" grep -q "?${left}l" out.bin
done
check 'the cursor shows again' grep -q '?25h' out.bin
check 'insertion is off again' grep -q '\[4l' out.bin

# Asked to end, and crashed: the application does it to its parent, the recorder.
for sig in TERM:15 HUP:1 INT:2 QUIT:3; do
	number=${sig#*:} sig=${sig%:*}
	around "$rte" record --no-script -o "$sig" -- sh -c "
		trap 'echo hung up; exit' HUP
		printf '\033[?1049h\033[?25lhere'; kill -$sig \$PPID; while :; do sleep 0.05; done"
	is "recorder got $sig" $? $((128 + number))
	restored "$sig"
	check "$sig: the alternate screen is left" grep -q '?1049l' out.bin
	is "$sig: last words" "$("$castdump" o "$sig.cast" | tail -c 9 | head -c 7)" 'hung up'
done
for sig in SEGV:11 ABRT:6 BUS:7 FPE:8 ILL:4; do
	number=${sig#*:} sig=${sig%:*}
	around "$rte" record --no-script -o "$sig" -- sh -c "
		printf '\033[?1049h\033[?25lhere'; sleep 0.2; kill -$sig \$PPID; sleep 5"
	is "recorder crashed by $sig" $? $((128 + number))
	restored "$sig"
	check "$sig: the alternate screen is left" grep -q '?1049l' out.bin
	check "$sig: the trace is whole up to there" grep -q here "$sig.cast"
done
around "$rte" record --no-script -o k -- sh -c 'echo one; sleep 0.1; kill -KILL $PPID; sleep 5'
is 'recorder killed outright' $? 137
is 'all but the last event is there' "$("$castdump" o k.cast | tr -d '\r')" one

# The terminal goes away: the application is hung up and its last words are kept.
printf 'wait here\nhangup\nfile done\n' >steps
"$drive" -f steps -- sh -c "trap : HUP; '$rte' record -o gone -- sh -c 'trap \"echo bye >&2; exit 5\" HUP; echo here;
	while :; do sleep 0.05; done'; : >done" >drive.log 2>&1
is 'terminal gone: last words' "$("$castdump" o gone.cast | tr -d '\r' | tail -n 1)" bye
is 'terminal gone: status in the trace' "$("$castdump" x gone.cast)" 5
check 'terminal gone: a script all the same' test -s gone.lua

# Stopped and continued by a shell's job control: the terminal is the shell's in between.
if command -v bash >/dev/null; then
	cat >steps <<E
env PS1=prompt:
wait prompt:
type stty -g >modes.before; '$rte' record --no-script -o job -- sh app
key Enter
wait on the screen
type t
wait Stopped
type stty -g >modes.after; echo in \$((1 + 1)) between
key Enter
wait in 2 between
quiet 50ms
type fg
key Enter
wait on the screen
gone in 2 between
cursor 5 7
type q
wait as job.cast
quiet 50ms
type exit 0
key Enter
exit 0
E
	cat >app <<'E'
stty raw -echo
printf '\033[?1049h\033[2J\033[3;3Hon the screen\033[5;7H'
while key=$(head -c 1); [ "$key" != q ]; do
	[ "$key" = t ] && kill -TSTP $PPID
done
printf '\033[?1049l'
E
	check 'stopped and continued' drives steps bash --norc --noprofile -i
	restored 'stopped'
fi

# A disk that is full: the person goes on working, and is told at the end.
printf 'wait 1999\nkey Enter\nexit 3\n' >steps
drives steps sh -c "ulimit -f 8; exec '$rte' record --no-script -o full -- sh -c 'seq 1000 1999; read x'"
is 'disk full: status' $? 3
check 'disk full: it is said' grep -q 'the trace ends early: cannot write full.cast: File too large' out.bin
check 'disk full: what is there can be read' "$castdump" o full.cast

# Last words, again and again.
i=0 lost=0
while [ $i -lt 20 ]; do
	drives none "$rte" record --no-script -o w -- printf last-words
	[ "$("$castdump" o w.cast)" = last-words ] || lost=$((lost + 1))
	grep -q last-words out.bin || lost=$((lost + 1))
	i=$((i + 1))
done
is 'last words lost' $lost 0
# A child that stays behind does not keep the recorder.
drives none "$rte" record --no-script -o nohup -- sh -c 'trap "" HUP; sleep 30 & echo started; exit 3'
is 'with a child left behind' $? 3
finish
