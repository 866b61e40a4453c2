#!/bin/sh
# The teller's bank: the same each time it is made, and in balance whatever many tellers do.
set -u
teller=$RTE_BUILD/demo/teller
cd "$TMPDIR" || exit 1
fail() {
	echo "FAIL: $*"
	exit 1
}

small="--create --branches 2 --accounts 300 --history 50"
$teller $small one.db || fail "create"
$teller $small two.db || fail "create again"
cmp one.db two.db || fail "two banks of one scale differ"
$teller --verify one.db || fail "a new bank is not in balance"

$teller $small one.db 2>err && fail "an existing bank was replaced unasked"
grep -q 'there already' err || fail "no word on the existing file: $(cat err)"
$teller $small --force one.db || fail "--force"
$teller --create no/such/folder.db 2>err && fail "a bank in no folder"
[ -e one.db.part ] && fail "a part was left behind"

$teller nothing.db 2>err </dev/null
[ $? = 3 ] && grep -q 'teller --create' err || fail "no way out was named: $(cat err)"
[ -e nothing.db ] && fail "opening made a file"
echo "no bank at all" >text.db
$teller --verify text.db 2>err
[ $? = 3 ] || fail "a text was taken for a bank"
for wrong in '--delay x' '--delay 9,3' '--login=loud' '--branches 0' '--nonsense' '--tag a\ b' ''; do
	eval "$teller $wrong" >out 2>err
	[ $? = 2 ] && [ -s err ] && [ ! -s out ] || fail "'$wrong' gave no usage error"
done

# Sixty tellers at once, half of them killed on the way: nobody fails, nothing is lost.
pids= killed=
for i in $(seq 60); do
	if [ $((i % 2)) = 0 ]; then
		$teller --batch 1000000 --seed "$i" two.db >/dev/null 2>&1 &
		killed="$killed $!"
	else
		$teller --batch 20 --seed "$i" two.db >"out.$i" 2>&1 &
		pids="$pids $!"
	fi
done
for p in $pids; do
	wait "$p" || fail "a teller failed: $(cat out.*)"
done
kill -9 $killed
wait
$teller --verify two.db || fail "the books do not balance after many tellers"
grep -l ' 0 failed' out.* | wc -l | grep -q '^30$' || fail "not all 30 reported: $(cat out.*)"
