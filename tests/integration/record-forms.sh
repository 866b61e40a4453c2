#!/bin/sh
# Forms applications: COBOL's SCREEN SECTION, which takes a second to post, our order entry and our teller.
. "$RTE_TOP/tests/support/replay.sh"
teller=$RTE_BUILD/demo/teller
needs cobc
cp "$RTE_TOP/tests/integration/record/order.cob" . && cobc -x -o order order.cob || exit 1

export RTE_SECRET_PASSWORD=geheim
records cobol -- "$TMPDIR/order" <<'EOF'
gap 40ms
wait ORDER ENTRY
pause 400ms
type Ada Lovelace
pause 200ms
key Tab
pause 200ms
type 12
pause 200ms
key Tab
pause 200ms
type 19.95
pause 200ms
key Tab
pause 200ms
type geheim
pause 300ms
key F2
wait Total computed
pause 300ms
key Enter
wait Posted order
pause 400ms
key F4
wait Cancelled
pause 300ms
key F3
exit 0
EOF
for t in $terms; do
	! grep -q geheim "$TMPDIR/cobol.$t/recorded.cast" "$TMPDIR/cobol.$t/recorded.lua" \
		"$TMPDIR/cobol.$t.1/replayed.cast" || complain "the secret is in a file"
done

order=$RTE_BUILD/demo/order
"$order" --create --customers 50 --items 200 "$TMPDIR/orders.db" || exit 1
prepare() { cp "$TMPDIR/orders.db" .; }
records order -- "$order" orders.db <<'EOF'
gap 40ms
wait Main menu
pause 400ms
key F2
wait District
pause 300ms
type 3
pause 100ms
key Tab
pause 100ms
type 42
pause 100ms
key Tab
pause 100ms
key Tab
pause 100ms
type 17
pause 100ms
key Tab
pause 100ms
type 5
pause 200ms
key Enter
wait Order entered.
pause 500ms
key F3
wait Order status
pause 300ms
type 3
pause 100ms
key Tab
pause 100ms
type 3001
pause 200ms
key Enter
wait Order found.
pause 500ms
key F10
exit 0
EOF

"$teller" --create --branches 1 --accounts 1000 "$TMPDIR/bank.db" || exit 1
prepare() { cp "$TMPDIR/bank.db" .; }
records teller -- "$teller" bank.db <<'EOF'
gap 40ms
wait Main menu
pause 400ms
key F2
wait Account number
pause 300ms
type 1000042
pause 200ms
key Enter
wait found
pause 500ms
key F1
wait Main menu
pause 300ms
key F3
wait Account number
pause 300ms
type 1000042
pause 200ms
key Tab
pause 200ms
type 3
pause 200ms
key Tab
pause 200ms
type 1
pause 200ms
key Tab
pause 200ms
type 17.50
pause 200ms
key Enter
wait Update done
pause 500ms
key F1
wait Main menu
pause 300ms
key F10
exit 0
EOF
done_with
