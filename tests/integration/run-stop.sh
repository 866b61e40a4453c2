#!/bin/sh
# Stop conditions: the run ends gently, and says why in its message, run.json and report; what
# cannot be read is refused.
. "$RTE_TOP/tests/support/run.sh"
fast="--typing cps:200 --think const:0.05 --ramp 200ms --continue 0s --rampdown 500ms"

# response times: mode late answers after 300 ms
start=$(date +%s)
expect_status 1 run talk.lua -u 3 $fast --measure 5m --stop-when 'talk:p90>100ms for 2s' \
	--stop-when 'errors>50%' -o slow -- "$sut" late 300
[ $(($(date +%s) - start)) -lt 200 ] || fail "it went on"
says err "stopping: talk:p90>100ms for 2s: [3-9][0-9]*ms"
says err "stopped early: talk:p90>100ms for 2s: [3-9][0-9]*ms"
says out "warn *outcome *stopped early: talk:p90>100ms for 2s"
says out "^STEERED$"
! grep -q "by a person" out || fail "a condition is no person"
jq -e '.outcome == "stopped" and (.outcome_detail | test("^stopped early: talk:p90>100ms for 2s: [3-9][0-9]+ms"))
	and .config.stop_when == ["talk:p90>100ms for 2s", "errors>50%"]
	and (.actions[-1] | .action == "stop" and .by == "condition")' slow/run.json >/dev/null || fail "run.json"
[ "$(column slow/sessions.csv end | sort -u)" = logout ] || fail "not ended gently"
[ "$(rows slow/sessions.csv)" = 3 ] || fail "sessions"

# failures, in a workload file; the steps of a ladder that come after it are left out
cat >load.lua <<'EOF'
workload {
  scripts = { "talk.lua" }, ladder = "2,4", timeout = "200ms", typing = "cps:200", think = "none",
  phases = { ramp = 0, measure = "60s", continue = 0, rampdown = "500ms" }, on_error = "continue",
  stop_when = { "talk:rate<0.001", "errors > 20% for 2s" },
}
EOF
expect_status 1 run load.lua -o errors -- "$sut" late 600
says err "stopped early: errors > 20% for 2s: 100.0%"
[ -d errors/002-users ] && [ ! -e errors/004-users ] || fail "the ladder went on"

# a condition that does not hold stops nothing
expect_status 0 run talk.lua -u 2 $fast --measure 3s --stop-when 'errors>1% for 1s' \
	--stop-when '*:p50>5s for 1s' --stop-when 'rate<0.1 for 1s' --stop-when 'talk:max>60s' \
	--stop-when 'tlak:errors>1%' -o well -- "$sut" echo
says out "ok *outcome *finished"
says err "stop condition 'tlak:errors>1%' counted nothing: no transaction 'tlak'"
[ "$(grep -c 'counted nothing' err)" = 1 ] || fail "a condition that counted is told"

# nothing moves any more: no transaction ends, the rate falls
cat >stuck.lua <<'EOF'
function login() expect "> " end
function iteration()
  transaction("talk", function() send "x" press "Enter" expect(user.iteration .. ": x") end)
  think()
  if user.iteration == 3 then pause "50s" end
end
EOF
expect_status 1 run stuck.lua -u 2 $fast --measure 5m --stop-when 'rate<0.1 for 3s' -o stuck -- "$sut" echo
says err "stopped early: rate<0.1 for 3s: 0.00/s"

for bad in 'errors' 'p90>fast' 'talk:errors>20% for ever' 'speed>3' 'p100>1s' 'errors>20% for 2h'; do
	expect_status 2 run talk.lua --stop-when "$bad" -o bad -- "$sut" echo
	says err "stop condition '$bad' cannot be read"
done
sed 's/errors > 20% for 2s/nonsense/' load.lua >bad.lua
expect_status 2 run bad.lua -o bad -- "$sut" echo
says err "bad.lua:1: .*stop condition 'nonsense'"
