#!/bin/sh
# A session whose output never ends, and of which nobody wants anything, beside 50 that work: on one
# worker they still get their answers, about as soon as without it.
. "$RTE_TOP/tests/support/run.sh"

cat >flood.lua <<END
target "pty:$sut flood"
function iteration() pause(0.25) end
END
cat >work.lua <<END
target "pty:$sut echo"
$(sed 's/  think()/  think "const:0.02"/' talk.lua)
END
cat >with.lua <<'END'
workload { scripts = { "work.lua", { "flood.lua", users = { 51 } } }, users = 51 }
END
# Users come together, so that many keys are due at a time.
for load in work.lua with.lua; do
	users=$([ $load = work.lua ] && echo "-u 50")
	expect_status 0 run $load $users --workers 1 --ramp 200ms --iterations 12 --typing cps:50 -o "${load%.lua}"
done
[ "$(column with/transactions.csv status | grep -cx ok)" = 600 ] || fail "not all got their work done"
[ "$(jq .totals.bytes_in with/run.json)" -gt $((100 * $(jq .totals.bytes_in work/run.json))) ] ||
	fail "no flood: $(jq .totals.bytes_in with/run.json) bytes"
at() { column "$1/transactions.csv" response_s | sort -g | sed -n "$2p"; }
for rank in 300 570; do
	without=$(at work $rank)
	beside=$(at with $rank)
	echo "response $rank of 600: $without s, beside a flood $beside s"
	awk -v a="$without" -v b="$beside" 'BEGIN { exit !(b < 20 * a + 0.2) }' || fail "the flood starves the others"
done
