#!/bin/sh
# A run that is killed can be reported on, and lost a second at most; one that is stopped ends
# in good order.
. "$RTE_TOP/tests/support/run.sh"

begin() {
	"$rte" run --lateness 30s,60s talk.lua -u 10 --ramp 500ms --measure 60s --typing cps:50 --think const:0.05 \
		--rampdown 500ms -o "$1" -- "$sut" echo >"$1.out" 2>"$1.err" &
	pid=$!
	wait_for 60 sh -c "[ \$(wc -l <$1/transactions.csv) -gt 100 ]" || fail "nothing was logged"
}

# kill -9: the row that ended a second before is there
begin k
killed=$(date +%s.%N)
kill -9 "$pid"
wait "$pid" 2>/dev/null
[ -s k/run.json ] || fail "no run.json"
jq -e '.outcome == "running"' k/run.json >/dev/null || fail "outcome"
column k/transactions.csv start | tail -n 1 | awk -v k="$killed" '{ exit !(k - $1 < 1.5) }' ||
	fail "more than a second is missing"
"$rte" report k >out 2>err
[ $? -le 1 ] || fail "report of a killed run"
says out "talk "
says out "^users *10; [1-9][0-9]* iterations in the interval"

# Ctrl-C once: users finish and log out
begin s
kill -INT "$pid"
wait "$pid"
[ $? = 0 ] || fail "exit status after one SIGINT"
[ "$(column s/sessions.csv end | sort -u)" = logout ] || fail "not all logged out"
jq -e '.outcome == "stopped"' s/run.json >/dev/null || fail "outcome of a stopped run"
column s/transactions.csv status | grep -vqx ok && fail "not all are ok"
says s.err "once more"

# twice: at once, and what was cut off says so
begin t
kill -INT "$pid"
kill -INT "$pid"
sleep 0.05
kill -INT "$pid" 2>/dev/null
wait "$pid"
[ "$(rows t/sessions.csv)" = 10 ] || fail "sessions after two signals"
column t/sessions.csv end | grep -qx -e aborted -e logout || fail "ends after two signals"
says t.out "talk "

# the directory of a run that goes on is not taken from it; one that is taken all the same ends it
begin u
expect_status 2 "$rte" run talk.lua --display none -o u -- "$sut" echo
says err "a run is writing u now"
mv u u.moved
mkdir u
wait "$pid"
[ $? = 3 ] || fail "exit status without a directory"
says u.err "u/transactions.csv was moved or removed while the run wrote it"
[ -z "$(ls u)" ] || fail "it wrote into the directory of another: $(ls u)"
"$rte" report u.moved >out 2>err
says out "talk "
begin v
cp v/transactions.csv other && mv other v/transactions.csv
wait "$pid"
[ $? = 3 ] || fail "exit status with another file in the place of a log"
says v.err "v/transactions.csv was replaced"
