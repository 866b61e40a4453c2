#!/bin/sh
# Ladders, repeats, stages, weights, barriers, hooks, thresholds, workload files.
. "$RTE_TOP/tests/support/run.sh"
quick="--typing cps:200 --think none --ramp 50ms"

# a run a step under one directory, the hooks around each
expect_status 0 run talk.lua --ladder 1,3 --repeat 2 --iterations 2 $quick \
	--before 'echo "before $RTE_RUN_DIR" >>hooks' --after 'test -s "$RTE_RUN_DIR/run.json" && echo after >>hooks' \
	-o ladder -- "$sut" echo
for d in 001-users-1 003-users-1 001-users-2 003-users-2; do
	[ -s "ladder/$d/summary.json" ] || fail "no ladder/$d"
done
[ "$(wc -l <hooks)" = 8 ] || fail "hooks: $(cat hooks)"
says hooks "before ladder/003-users-2"
[ "$(jq .config.users ladder/003-users-1/run.json)" = 3 ] || fail "users of a step"
[ "$(rows ladder/003-users-2/transactions.csv)" = 6 ] || fail "transactions of a step"
expect_status 3 run talk.lua --before 'exit 5' -o hook -- "$sut" echo
says err "ended with status 5"

# weights: users are divided; users named for a script
sed 's/"talk"/"other"/' talk.lua >other.lua
expect_status 0 run talk.lua=3 other.lua=1 -u 8 --iterations 1 $quick -o weights -- "$sut" echo
[ "$(column weights/transactions.csv transaction | grep -cx talk)" = 6 ] || fail "weights"
[ "$(column weights/sessions.csv script | grep -cx other)" = 2 ] || fail "script of a session"
! grep -q "no user plays" err || fail "each script has a user"
expect_status 0 run talk.lua=9 other.lua=1 -u 2 --iterations 1 $quick -o few -- "$sut" echo
says err "no user plays other.lua: 2 users are too few"

# a workload file; the command line overrides it
cat >load.lua <<'END'
workload {
  scripts = { { "talk.lua", weight = 1 }, { "other.lua", users = { 1 } } },
  users = 5, iterations = 9, typing = "cps:200", think = "none", seed = 5,
  thresholds = { talk = "p90<20s" },
}
END
expect_status 0 run load.lua --iterations 2 -o load -- "$sut" echo
[ "$(rows load/transactions.csv)" = 10 ] || fail "the workload's users, our iterations"
[ "$(jq .seed load/run.json)" = 5 ] || fail "the workload's seed"
column load/transactions.csv user >users
column load/transactions.csv transaction | paste -d' ' users - | grep -qx "1 other" || fail "user 1"
expect_status 1 run load.lua --iterations 1 --threshold 'talk:p90<1us' -o load -- "$sut" echo

# stages: users come and go
expect_status 0 run talk.lua --stages '2 1s, 5 1500ms, 1 1s' --ramp 100ms --typing cps:100 \
	--think const:0.1 --rampdown 500ms --continue 0s --display plain -o stages -- "$sut" echo
says err "measure, stage [23] of 3 ([0-9]s left): "
column stages/timeline.csv users_done >done
column stages/sessions.csv user | sort -u | wc -l | grep -qx 5 || fail "5 users in all"
awk 'END { exit !($1 >= 4) }' done || fail "users left with the last stage"
says out "^2: 5 users "
"$rte" report --json --from 1 --to 2.5 stages >part.json 2>err
jq -e --slurpfile part part.json '.stages | length == 3 and
	map([.users, .from_s, .to_s]) == [[2, 0, 1], [5, 1, 2.5], [1, 2.5, 3.5]] and
	.[1].ok == $part[0].all.ok and .[1].response.p90_s == $part[0].all.response.p90_s and
	.[1].ok > 5' stages/summary.json >/dev/null || fail "figures of the stages"
grep -q '<th class="name">3: 1 user</th>' stages/report.html || fail "stages of the page"
grep -q '"actions":\[{"at":1,"text":"stage 2"},{"at":2.5,"text":"stage 3"}\]' stages/report.html || fail "marks in the charts"

# a barrier of all releases all; users of two workers
cat >barrier.lua <<'END'
function login() expect "> " end
function iteration()
  barrier("go")
  transaction("go", function() send "x" press "Enter" expect ": x" end)
end
END
expect_status 0 run barrier.lua -u 6 --workers 2 --ramp 1s --iterations 2 --typing none -o barrier -- "$sut" echo
column barrier/transactions.csv iteration >it
column barrier/transactions.csv start | paste -d' ' it - | awk '
	$1 == 1 { if (!lo || $2 < lo) lo = $2; if ($2 > hi) hi = $2; n++ }
	END { exit !(n == 6 && hi - lo < 0.4) }' || fail "the barrier did not hold"
column barrier/sessions.csv barrier_s | awk '$1 > 0.3 { n++ } END { exit !n }' || fail "nobody waited"

# pacing: iterations start by the user's own schedule: the fourth 1.5 s behind the first, which may be
# late itself
expect_status 0 run talk.lua -u 2 --iterations 4 --typing cps:200 --think none --pacing 500ms \
	-o pace -- "$sut" echo
column pace/transactions.csv user >u
column pace/transactions.csv start | paste -d' ' u - | awk '
	!first[$1] { first[$1] = $2 } { last[$1] = $2; n[$1]++ }
	END { for (u in n) if (n[u] != 4 || last[u] - first[u] < 0.9) bad = 1; exit bad }' || fail "pacing"
[ "$(column pace/transactions.csv due_late_s | grep -cE '^[0-9.]+$')" = 8 ] || fail "due_late_s"
[ -z "$(column pace/transactions.csv due_late_s | grep -v '^0\.')" ] || fail "due_late_s"
