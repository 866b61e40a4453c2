#!/bin/sh
# `make demo`, without a terminal and with a person at one.
set -u
# In an empty folder: what is left in it was left outside of the demo's own.
mkdir "$TMPDIR/here" && cd "$TMPDIR/here" || exit 1
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
OUT=$TMPDIR/plain USERS=50 "$RTE_TOP/demo/demo.sh" "$RTE_BUILD" >"$TMPDIR/log" 2>&1 ||
	fail "exit $?: $(tail -n 40 "$TMPDIR/log")"
complete "$TMPDIR/plain" "$TMPDIR/log"

OUT=$TMPDIR/typed RECORD=1 "$RTE_TOP/demo/demo.sh" "$RTE_BUILD" >"$TMPDIR/log" 2>&1 </dev/null
[ $? = 2 ] || fail "RECORD=1 without a terminal: exit $?"
OUT=$TMPDIR/typed RECORD=1 USERS=20 "$RTE_BUILD/support/ptydrive" -o "$TMPDIR/log" -- \
	"$RTE_TOP/demo/demo.sh" "$RTE_BUILD" <<'END' || fail "with a person: exit $?"
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
[ -z "$(ls -A)" ] || fail "left outside: $(ls -A)"
