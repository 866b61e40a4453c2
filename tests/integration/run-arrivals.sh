#!/bin/sh
# Sessions that arrive at a rate: as many as were due, each with its iterations; who finds no user
# free is turned away and counted; users that come again go on with the rows that follow.
. "$RTE_TOP/tests/support/run.sh"

cat >load.lua <<'EOF'
workload {
  scripts = { "talk.lua" }, users = 40, arrivals = "20/s", iterations = 2, seed = 4,
  typing = "cps:100", think = "const:0.05",
  phases = { measure = "4s", continue = "500ms", rampdown = "1s" },
}
EOF
expect_status 0 run load.lua --workers 2 -o free -- "$sut" echo
jq -e '.arrivals | .all > 60 and .turned_away == 0 and .measured <= .all and .measured > 40' \
	free/run.json >/dev/null || fail "arrivals"
all=$(jq .arrivals.all free/run.json)
[ "$(rows free/sessions.csv)" = "$all" ] || fail "sessions are not arrivals"
[ "$(column free/sessions.csv end | sort -u)" = logout ] || fail "not all logged out"
[ "$(column free/sessions.csv iterations | sort -u)" = 2 ] || fail "iterations of a session"
[ "$(rows free/transactions.csv)" = $((all * 2)) ] || fail "two transactions a session"
column free/sessions.csv session | sort -n | tail -n 1 | awk '{ exit !($1 > 1) }' || fail "no user came again"
# lateness from due: of a session's first iteration alone
[ "$(column free/transactions.csv due_late_s | grep -c .)" = "$all" ] || fail "due_late_s"
says out "ok *arrivals .* asked 20.00/s; 0 (0.00%)"
column free/timeline.csv cpu_workers | grep -vqE '^[0-9.]+ [0-9.]+$' && fail "the CPU of each worker"
jq -e '.arrivals.turned_away == 0' free/summary.json >/dev/null || fail "summary.json"

# the schedule follows from the seed, not from the SUT or the workers
expect_status 0 run load.lua --workers 1 -u 3 -o few -- "$sut" late 300
[ "$(jq .arrivals.all few/run.json)" = "$all" ] || fail "a slow SUT changed the schedule"
away=$(jq .arrivals.turned_away few/run.json)
[ "$away" -gt 10 ] && [ "$(rows few/sessions.csv)" = $((all - away)) ] || fail "turned away: $away"
says out "warn *arrivals .* asked 20.00/s"

# equally far apart; the ramp's rate grows
expect_status 0 run load.lua --arrivals 10/s,const --iterations 1 -o even -- "$sut" echo
column even/sessions.csv start | sort -n | awk '
	NR > 1 && ($1 - last < 0.03 || $1 - last > 0.2) { odd++ } { last = $1 }
	END { exit !(NR >= 40 && NR <= 46 && odd < NR / 4) }' || fail "not 100 ms apart"
expect_status 0 run load.lua --arrivals 600/m,const --iterations 1 --ramp 4s --measure 1s -o ramp -- "$sut" echo
start=$(jq .started_s ramp/run.json)
column ramp/sessions.csv start | awk -v s="$start" '$1 < s + 2 { a++ } $1 >= s + 2 && $1 < s + 4 { b++ }
	END { exit !(a >= 3 && a <= 7 && b >= 12 && b <= 18) }' || fail "the ramp"

# each session gets rows of its own
seq 1000 1999 | sed '1i account' >accounts.csv
cat >rows.lua <<'EOF'
local accounts = data.csv("accounts.csv", { mode = "unique" })
function login() expect "> " end
function iteration()
  local line = accounts.account
  transaction("talk", function() send(line) press "Enter" expect(": " .. line) end)
end
EOF
sed 's/talk.lua/rows.lua/' load.lua >rows-load.lua
lines() { cat typed.* | tr '\r' '\n' | grep -x '1[0-9][0-9][0-9]'; }
expect_status 0 run rows-load.lua -o rows -- "$sut" --keys typed.{user} echo
[ "$(lines | wc -l)" -gt 40 ] && [ -z "$(lines | sort | uniq -d)" ] || fail "a row came twice"
# users of a stage that come again, too
rm typed.*
expect_status 0 run rows.lua --stages '4 1s, 1 1s, 4 1s' --ramp 100ms --typing cps:100 --think none \
	--pacing 200ms --continue 0s --rampdown 500ms -o stages -- "$sut" --keys typed.{user} echo
column stages/sessions.csv session | sort -n | tail -n 1 | awk '{ exit !($1 > 1) }' || fail "nobody came again"
[ -z "$(lines | sort | uniq -d)" ] || fail "a stage's user began anew with its rows"

# a session that dies is the user's end, and it is free again
expect_status 1 run load.lua --timeout 1s --on-error stop --measure 2s -o dies -- "$sut" die-write 1
column dies/sessions.csv session | sort -n | tail -n 1 | awk '{ exit !($1 > 1) }' || fail "users were lost"


# while it goes on they are on the plain display, in the state and the metrics; then in the timeline
"$rte" run load.lua -u 1 --arrivals 20/s,const --measure forever --lateness 30s,60s --display plain \
	--metrics 127.0.0.1:0 -o live -- "$sut" late 300 >out 2>err &
pid=$!
turned() { "$rte" ctl live state | jq -e '.arrivals | .per_s == 20 and .turned_away > 5 and
	.begun > 0 and .all == .begun + .turned_away'; }
wait_for 60 turned || fail "the state: $("$rte" ctl live state | jq .arrivals)"
wait_for 60 grep -q '; [0-9]* arrivals, [1-9][0-9]* turned away; ' err || fail "the plain display"
! grep -q ' done;' err || fail "users that are free again are not done"
port=$(sed -n 's|.*metrics at http://127.0.0.1:\([0-9]*\)/.*|\1|p' err)
bash -c 'exec 3<>/dev/tcp/127.0.0.1/$1 && printf "GET /metrics HTTP/1.0\r\n\r\n" >&3 && cat <&3' - "$port" >metrics
grep -q '^rte_arrivals_total [1-9]' metrics && grep -q '^rte_arrivals_turned_away_total [1-9]' metrics ||
	fail "the metrics: $(grep arrivals metrics)"
kill -INT $pid
wait $pid
sum() { column live/timeline.csv "$1" | awk '{ s += $1 } END { print s }'; }
[ "$(sum arrivals)" = "$(jq .arrivals.all live/run.json)" ] || fail "arrivals of the timeline"
[ "$(sum turned_away)" = "$(jq .arrivals.turned_away live/run.json)" ] || fail "turned away in the timeline"
