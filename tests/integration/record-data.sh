#!/bin/sh
# Two recordings of one session: what differs becomes a data file, and each iteration takes a row.
. "$RTE_TOP/tests/support/replay.sh"
teller=$RTE_BUILD/demo/teller
"$teller" --create --branches 1 --accounts 1000 bank.db || exit 1

record() { # NAME ACCOUNT AMOUNT
	cat >steps <<EOF
gap 20ms
deadline 60s
term xterm-256color
wait Main menu
pause 100ms
key F3
wait Account number
cursor 6 22
pause 100ms
type $2
cursor 6 $((22 + ${#2}))
key Tab
cursor 7 22
pause 100ms
type 3
cursor 7 23
key Tab
cursor 8 22
pause 100ms
type 1
cursor 8 23
key Tab
cursor 9 22
pause 100ms
type $3
cursor 9 $((22 + ${#3}))
key Enter
wait Update done
pause 100ms
key F1
wait Main menu
pause 100ms
key F10
exit 0
EOF
	"$ptydrive" -f steps -- "$rte" record --prefix none --no-script -o "$1" -- "$teller" bank.db ||
		complain "recording $1"
}
record one 1000042 17.50
record two 1000077 3.25

"$rte" script one.cast two.cast --data -o both.lua 2>warnings || complain "rte script"
[ -s warnings ] && { complain "warnings"; cat warnings; }
printf 'account_number,amount\n1000042,17.50\n1000077,3.25\n' >want
cmp want both.csv || { complain "the data file"; cat both.csv; }
"$rte" script one.cast two.cast --data -o again.lua && sed 's/again/both/' again.lua | cmp - both.lua ||
	complain "another script the second time"

# Two iterations are two rows; a third begins anew.
"$rte" play --speed 8 --iterations 3 both.lua -- "$rte" record --prefix none --no-script -o replayed -- \
	"$teller" bank.db >play.out 2>&1 || { complain "rte play"; cat play.out both.lua; }
"$RTE_BUILD/support/castdump" i replayed.cast | tr '\t\r' '  ' >keys
for row in '1000042 3 1 17.50 ' '1000077 3 1 3.25 '; do
	grep -q "$row" keys || { complain "row $row was not typed"; cat keys; }
done

# Without --data it is one script of the first, which names the other's values.
"$rte" script one.cast two.cast >first.lua 2>/dev/null
grep -q 'other traces: 1000077' first.lua || complain "the other's values are not named"
grep -q 'Paul Castro\|Bridge Street' first.lua && complain "a value of one trace is waited for"

# - is standard output, and no file of that name.
"$rte" script one.cast two.cast -o - 2>/dev/null | cmp - first.lua || complain "-o - is another script"
[ -e ./- ] && complain "a file named -"
"$rte" script one.cast --data -o - >/dev/null 2>&1
[ $? = 2 ] || complain "--data -o - has no name for the data file"

# A recording is not written over by its own script, under whatever name.
ln one.cast same.lua
cp one.cast kept.cast
for to in one.cast ./one.cast same.lua; do
	"$rte" script two.cast one.cast -o "$to" 2>messages
	[ $? = 2 ] || complain "a script in the place of its trace: status"
	grep -q 'would replace the recording' messages || complain "a script in the place of its trace, unsaid"
	cmp -s one.cast kept.cast || complain "the trace is lost"
done

# Wrong usage and traces that are none.
"$rte" script 2>/dev/null
[ $? = 2 ] || complain "no trace: status"
"$rte" script one.cast --data 2>/dev/null
[ $? = 2 ] || complain "--data without -o: status"
echo nonsense >bad.cast
"$rte" script bad.cast >/dev/null 2>message
[ $? = 2 ] && grep -q bad.cast message || complain "a bad trace: status and message"
"$rte" script one.cast -o no/such/folder.lua 2>message
[ $? = 3 ] && grep -q no/such message || complain "a file that cannot be written"
done_with
