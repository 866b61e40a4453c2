#!/bin/sh
# `make demo`, without a terminal and with a person at one.
set -u
cd "$RTE_TOP" || exit 1
fail() {
	echo "FAIL: $*"
	exit 1
}
# complete OUT LOG: all that the demo promises is there.
complete() {
	grep -q 'got the same [1-9][0-9]* bytes of keys' "$2" || fail "the replay: $(cat "$2")"
	grep -q 'the books balance' "$2" || fail "the books: $(cat "$2")"
	for f in session.cast session.lua run/run.json run/transactions.csv run/summary.json; do
		[ -s "$1/$f" ] || fail "no $f"
	done
	bad=$(awk -F, 'NR > 1 && $8 == 1 && $9 != "ok"' "$1/run/transactions.csv")
	[ -z "$bad" ] || fail "failed transactions: $bad"
	[ "$(awk -F, 'NR > 1 && $8 == 1' "$1/run/transactions.csv" | wc -l)" -gt 20 ] ||
		fail "hardly a transaction was counted"
}
before=$(find . -path ./.git -prune -o -newer "$TMPDIR" -type f -print | grep -v "^\./build" | sort)
OUT=$TMPDIR/plain USERS=50 demo/demo.sh "$RTE_BUILD" >"$TMPDIR/log" 2>&1 ||
	fail "exit $?: $(tail -n 40 "$TMPDIR/log")"
complete "$TMPDIR/plain" "$TMPDIR/log"
after=$(find . -path ./.git -prune -o -newer "$TMPDIR" -type f -print | grep -v "^\./build" | sort)
[ "$before" = "$after" ] || fail "files outside: $after"

OUT=$TMPDIR/typed RECORD=1 demo/demo.sh "$RTE_BUILD" >"$TMPDIR/log" 2>&1 </dev/null
[ $? = 2 ] || fail "RECORD=1 without a terminal: exit $?"
OUT=$TMPDIR/typed RECORD=1 USERS=20 "$RTE_BUILD/support/ptydrive" -o "$TMPDIR/log" -- \
	demo/demo.sh "$RTE_BUILD" <<'END' || fail "with a person: exit $?"
size 80x24
deadline 30s
gap 50ms
wait Enter starts
key Enter
wait Main menu
key F2
wait Account query
type 1000005
key Enter
wait Account found.
key F1
wait Main menu
key F10
deadline 150s
wait the same
eof
exit 0
END
complete "$TMPDIR/typed" "$TMPDIR/log"
