#!/bin/sh
# Our own applications, tested with their golden screens in the repository. Then each defect that the
# teller can have must be caught by these tests, and shown.
. "$RTE_TOP/tests/support/test.sh"
export CI=true
cd "$RTE_TOP" || exit 1
out=$TMPDIR/out err=$TMPDIR/err
teller=$RTE_BUILD/demo/teller

"$rte" test tests/golden --junit "$TMPDIR/junit.xml" >"$out" 2>"$err" || {
	cat "$out" "$err"
	exit 1
}
grep -q '^10 passed' "$out" && ! grep -q "no test asks" "$out" || { cat "$out"; exit 1; }
xmllint --noout --schema tests/support/junit.xsd "$TMPDIR/junit.xml" || exit 1

# defect WHAT TEXT...: these tests fail of it, and say so with these texts.
defect() {
	what=$1
	shift
	"$rte" test tests/golden/teller.lua --soft --still 500ms --wait 2s --target "pty:$teller --defect $what {dir}/bank.db" \
		>"$out" 2>"$err"
	[ $? = 1 ] || { cat "$out" "$err"; echo "FAIL: defect $what was not caught"; exit 1; }
	for text; do
		grep -q -e "$text" "$out" || { cat "$out"; echo "FAIL: defect $what: no '$text'"; exit 1; }
	done
}
defect label 'expected |  Balance . . . . .' 'actual   |  Ballance  . . . .' '^ *\^\^\^\^\^\^$'
defect number "golden screen 'account found': 1 line differs" 'row 12:' 'actual .* 8,039.02 '
defect attribute 'row 24, attributes:' 'actual   : bbbbbbbbbbbbbb'
defect order 'row 7:' 'expected |  Teller' 'actual   |  Branch' 'row 8:'
defect cursor 'cursor: expected row 6, column 22, actual row 6, column 29'
