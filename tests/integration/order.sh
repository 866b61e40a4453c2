#!/bin/sh
# Order entry: screens, refusals, and sums that hold when several enter orders at once.
set -u
order=$RTE_BUILD/demo/order
drive=$RTE_BUILD/support/ptydrive
cd "$TMPDIR" || exit 1
fail() {
	echo "FAIL: $*"
	exit 1
}
row() {
	sed -n "$2s/ *\$//p" "$1" | grep -qxF -- "$3" || {
		cat "$1"
		fail "$1: row $2 is not '$3'"
	}
}
"$order" --create --customers 50 --items 200 one.db || fail create
"$order" --create --customers 50 --items 200 two.db || fail create
cmp one.db two.db || fail "two databases of one scale differ"
"$order" --verify one.db || fail "a new one does not add up"
for wrong in '--warehouse x one.db' '--warehouse 2 one.db' '--create one.db' '--nonsense' ''; do
	eval "$order $wrong" >/dev/null 2>err
	[ $? = 2 ] && [ -s err ] || fail "'$wrong' gave no usage error"
done
"$order" nothing.db 2>err && fail "opened nothing"
grep -q 'order --create' err || fail "no way out was named"

for term in xterm vt100 vt220 linux; do
	"$drive" -- "$order" --log log one.db <<-END || fail "the person at $term"
		term $term
		wait Main menu
		key F2
		wait New order
		cursor 3 28
		type 3
		key Enter
		wait Customer is missing.
		type 42
		key Tab Tab
		type 17
		key Tab
		type 5
		key Tab
		type 1
		key Tab
		type 199
		key Tab Enter
		wait Quantity is missing.
		type 12
		key Enter
		wait Order entered.
		cursor 3 28
		snapshot $term.new
		key F3
		wait Order status
		type 3
		key Tab
		type 3001
		key Enter
		wait Order found.
		snapshot $term.status
		type 4
		key Enter
		wait Order 3001 does not exist.
		key F2
		wait New order
		type 3
		key Tab
		type 42
		key Tab Tab
		type 999
		key Tab
		type 1
		key Enter
		wait Item number is not valid.
		snapshot $term.invalid
		key C-u
		type 11
		key Enter
		wait District 11 does not exist.
		key F10
		exit 0
	END
	# Date, and what other orders change, aside.
	sed 's/20..-..-.. ..:..:../DATE/' "$term.status" >"$term.dated"
	cmp xterm.dated "$term.dated" || fail "an order looks otherwise on $term"
done
row xterm.new 5 " Order          3001 Lines  2   Taxes 19.70  8.62           Total     1,347.25"
row xterm.invalid 5 " Order          3002 Lines      Taxes                       Total"
for s in new status; do
	grep -q '^ Customer     42 ' xterm.$s || fail "no customer in $s"
	[ "$(sed -n 5p xterm.$s)" = "$(sed -n 5p xterm.new)" ] || fail "$s has another total"
done
[ "$(sed -n 5p vt100.new | cut -c14-20)" = "   3002" ] || fail "the second order has no number of its own"
[ "$(grep -c 'new-order 42 ok' log)" = 4 ] || fail "the log: $(cat log)"
"$order" --verify one.db || fail "the sums"

# Twelve at once, ten orders each, from the same stock.
{
	echo 'deadline 60s
wait Main menu
key F2
wait New order'
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "type $i
key Tab
type 1
key Tab Tab
type 7
key Tab
type 3
key Enter
wait Order entered.
key C-u
gone Order entered."
	done
	echo 'key F10
exit 0'
} >steps
pids=
for u in 1 2 3 4 5 6 7 8 9 10 11 12; do
	"$drive" -f steps -- "$order" two.db >"out.$u" 2>&1 &
	pids="$pids $!"
done
for p in $pids; do
	wait "$p" || fail "one of twelve: $(cat out.*)"
done
"$order" --verify two.db || fail "the sums after twelve at once"
