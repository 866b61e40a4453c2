#!/bin/sh
# A number that the SUT gave out and then asked for: the replay types the one that it gets.
. "$RTE_TOP/tests/support/replay.sh"
order=$RTE_BUILD/demo/order
rows() { # TEXT: the replayed session has shown it
	"$RTE_BUILD/support/castdump" o replayed.cast | grep -aq "$1"
}

# order: a new order, then its status.
"$order" --create --customers 50 --items 200 order.db >/dev/null || exit 1
cat >steps <<EOF
gap 20ms
term xterm-256color
deadline 60s
wait Main menu
pause 200ms
key F2
wait District
cursor 3 28
pause 200ms
type 3
cursor 3 29
key Tab
cursor 4 13
pause 100ms
type 42
cursor 4 15
key Tab
cursor 7 2
pause 100ms
key Tab
cursor 7 8
pause 100ms
type 17
cursor 7 10
key Tab
cursor 7 41
pause 100ms
type 5
cursor 7 42
key Enter
wait Order entered.
pause 300ms
key F3
wait Order status
cursor 3 28
pause 200ms
type 3
cursor 3 29
key Tab
cursor 5 13
pause 100ms
type 3001
cursor 5 17
key Enter
wait Order found.
pause 200ms
key F10
exit 0
EOF
"$ptydrive" -f steps -- "$rte" record --prefix none -o taken -- "$order" order.db ||
	complain "recording order"
grep -q 'data.order = screen.row(5):match' taken.lua || complain "the number is not read"
for n in 3002 3003; do
	"$rte" play --speed 4 taken.lua -- "$rte" record --prefix none --no-script -o replayed -- \
		"$order" order.db >out 2>&1 || { complain "replaying order"; cat out taken.lua; }
	"$RTE_BUILD/support/castdump" i replayed.cast | tr '\t\r' '..' | grep -q "3.$n." ||
		complain "$n was not typed"
done

# Line by line.
echo 48211 >next
cat >tickets <<'EOF'
n=$(cat next); echo $((n + 1)) >next
printf 'User name: '; read u
echo "Your ticket is $n, $u."; printf 'Ticket: '; read t
[ "$t" = "$n" ] && echo right || echo wrong
printf 'Bye? '; read x
EOF
printf 'gap 20ms\nwait name:\npause 100ms\ntype bob\nkey Enter\nwait Ticket:\npause 200ms\ntype 48211\nkey Enter\nwait right\npause 100ms\nkey Enter\nexit 0\n' >steps
"$ptydrive" -f steps -- "$rte" record --prefix none -o lines -- sh tickets || complain "recording tickets"
"$rte" play --speed 4 lines.lua -- "$rte" record --prefix none --no-script -o replayed -- sh tickets >out 2>&1 ||
	{ complain "replaying tickets"; cat out lines.lua; }
rows right || { complain "the ticket was wrong"; cat lines.lua; }
done_with
