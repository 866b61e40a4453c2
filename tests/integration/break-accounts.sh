#!/bin/sh
# No row is lost, and what was measured counts.
. "$RTE_TOP/tests/support/run.sh"

# The answer goes on after what was waited for. A byte each 20 ms falls together with the end of
# the 100 ms of settling, again and again: users stood still there, and the rows lay outside of
# the interval that the last iteration ends.
expect_status 0 run talk.lua -u 20 --ramp 200ms --iterations 2 --typing cps:50 --think none \
	-o dribble -- "$sut" dribble 20
[ "$(column dribble/transactions.csv counted | grep -cx 1)" = 40 ] || fail "dribble: not 40 counted"
column dribble/sessions.csv end | grep -qx aborted && fail "dribble: users stood still"
check_accounts dribble

# rows and times whose truth is known: 500 ms of silence between the echo and the answer
expect_status 0 run talk.lua -u 5 --iterations 2 --typing cps:50 --think none -o late -- "$sut" late 500
column late/transactions.csv response_s | awk '$1 < 0.5 { bad = 1 } END { exit bad || NR != 10 }' ||
	fail "late: a response before the answer"
check_accounts late
