#!/bin/sh
# The teller's screens, as a person sees them, on several terminals.
set -u
teller=$RTE_BUILD/demo/teller
drive=$RTE_BUILD/support/ptydrive
cd "$TMPDIR" || exit 1
fail() {
	echo "FAIL: $*"
	exit 1
}
# person TELLER_OPTIONS: plays the steps on standard input.
person() {
	"$drive" -- "$teller" "$@" bank.db || fail "the person: exit $? with teller $*"
}
# row FILE N TEXT: row N of a snapshot is TEXT, trailing blanks aside.
row() {
	sed -n "$2s/ *\$//p" "$1" | grep -qxF -- "$3" || {
		cat "$1"
		fail "$1: row $2 is not '$3'"
	}
}
line="────────────────────────────────────────────────────────────────────────────────"

for term in xterm xterm-256color vt100 vt220 linux screen-256color; do
	"$teller" --create --accounts 200 --force bank.db >/dev/null || fail create
	rm -f log
	person --log log --tag "$term" <<-END
		term $term
		wait Main menu
		cursor 16 42
		snapshot $term.menu
		key F2
		wait Account query
		cursor 6 22
		type 1000042
		key Enter
		wait Account found.
		cursor 6 22
		snapshot $term.query
		key F3
		wait Account update
		type 1000042
		key Tab
		type 3
		key Down
		type 9
		key Up Tab
		type 1
		key Tab
		type -12.34
		cursor 9 28
		snapshot $term.typed
		key Enter
		wait Update done.
		cursor 6 22
		snapshot $term.update
		key F10
		exit 0
	END
	[ "$(cut -d' ' -f5-8 log | tr '\n' ,)" = "$term menu 2 ok,$term query 1000042 ok,$term menu 3 ok,$term update 1000042 ok,$term quit - ok," ] ||
		fail "log of $term: $(cat log)"
	awk '$2 < $1 || $10 > $1 || $1 <= last { exit 1 } { last = $2 }' last=0 log ||
		fail "times of $term are out of order: $(cat log)"
	for s in menu query typed update; do
		cmp "xterm.$s" "$term.$s" || fail "$s looks otherwise on $term"
	done
done
row xterm.menu 1 " Demo Bank                         Main menu"
row xterm.menu 22 "$line"
row xterm.query 6 "  Account number  .  1000042"
row xterm.query 10 "  Branch  . . . . .  1 Ashford High Street"
row xterm.query 12 "  Balance . . . . .          8,039.01"
row xterm.typed 7 "  Teller  . . . . .           3"
row xterm.typed 8 "  Branch  . . . . .           1"
row xterm.typed 9 "  Amount  . . . . .  -12.34"
row xterm.update 9 "  Amount  . . . . .      -12.34"
row xterm.update 12 "  Account balance .          8,026.67"
row xterm.update 13 "  Teller balance  .            -12.34"
row xterm.update 14 "  Branch balance  .            -12.34"
row xterm.update 15 "  History entry . .                 1"
"$teller" --verify bank.db || fail "the books"

# Every refusal is a message, and the cursor stands where the mistake is.
person --keys keys <<'END'
wait Main menu
type 7
wait Choose 1, 2 or 0.
type 1
wait Account query
gone Choose
key Enter
wait Account number is missing.
type 12x
wait Only digits may stand here.
cursor 6 24
type 34567890
gone Only digits
type 1
wait Account number is full.
key C-u
type 99
key Enter
wait Account 99 does not exist.
key F9
wait This key does nothing here.
key Esc
wait Main menu
type 2
wait Account update
type 1000001
key Tab
type 11
key Tab
type 1
key Tab
type 1.234
key Tab
wait Amount must look like 120 or -120.50.
cursor 9 22
type 1000000
key S-Tab
wait Amount must not be beyond 999,999.99.
type 0
key Enter
wait Amount must not be zero.
type 5
key Enter
wait Teller 11 does not exist.
key Tab
type 1
key Tab
type 2
key Enter
wait Branch 2 does not exist.
key Tab Tab
key Delete Backspace
type 1
key Enter
wait Update done.
resize 60x20
wait Please make the window 80x24.
gone Account update
resize 100x30
wait Account update
cursor 6 22
snapshot larger
resize 80x24
wait Account update
type 100
key Home Right Delete Left
type 7
wait 710
cursor 6 23
snapshot edited
key F1
wait Main menu
type 0
exit 0
END
row larger 1 " Demo Bank                       Account update"
row larger 24 " Update done."
row edited 6 "  Account number  .  710"
printf '71\r12x345678901\025' | cmp -n 16 - keys || fail "the keys: $(od -c keys | head -4)"
"$teller" --verify bank.db || fail "the books"

# A password is on no screen and in no log.
rm -f log
person --login --log log --tag in <<'END'
wait Sign on
type joe
key Tab
type swordfish
wait *********
snapshot stars
key Enter
wait Main menu
snapshot in
key F10
exit 0
END
TELLER_PASSWORD=hunter2 person --login=blank --log log <<'END'
wait Sign on
type joe
key Tab
type hunter
cursor 12 22
pause 50ms
snapshot blank
key Enter
wait User name or password is wrong.
type joe
key Tab
type hunterx
key Backspace
type 2
key Enter
wait Main menu
key F10
exit 0
END
row stars 12 "  Password  . . . .  *********"
row blank 12 "  Password  . . . ."
grep -q ' joe' in || fail "the title does not say who has signed on"
grep -e swordfish -e hunter stars blank in log && fail "a password got out"
grep -c 'login - invalid' log | grep -qx 1 || fail "the refused sign-on is not in the log"

# Slow, with an echo first; and with the line cut in the middle of it.
person --working --delay 300,400 <<'END'
wait Main menu
key F2
wait Account query
type 1000001
key Enter
wait Working ...
wait Account found.
gone Working
key F10
exit 0
END
person --clock <<'END'
wait Main menu
key F2
wait Account query
hangup
exit 0
END
TERM=nonsense "$drive" -- "$teller" bank.db >/dev/null 2>err <<'END'
term vt100
wait Main menu
signal 15
exit 0
END
[ $? = 0 ] || fail "SIGTERM: $(cat err)"
"$teller" --verify bank.db || fail "the books"
