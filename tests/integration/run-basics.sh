#!/bin/sh
# A run of iterations and a run by time: what is in the run directory, and that it adds up.
. "$RTE_TOP/tests/support/run.sh"

expect_status 0 run talk.lua -u 5 --iterations 4 --workers 2 --ramp 200ms --typing cps:100 \
	--think uniform:0.01,0.05 --seed 3 --set unused=1 -o r -- "$sut" --keys typed echo
for f in run.json transactions.csv sessions.csv timeline.csv summary.json report.html; do
	[ -s "r/$f" ] || fail "no $f"
done
[ "$(rows r/transactions.csv)" = 20 ] || fail "not 5 x 4 transactions"
[ "$(column r/transactions.csv status | sort -u)" = ok ] || fail "not all are ok"
[ "$(column r/transactions.csv counted | sort -u)" = 1 ] || fail "not all are counted"
[ "$(column r/transactions.csv phase | sort -u)" = measure ] || fail "not all in the interval"
[ "$(column r/transactions.csv ended_by | sort -u)" = text ] || fail "ended by something else"
[ "$(column r/transactions.csv keys | sort -u)" = 5 ] || fail "keys: u1i1 and Enter"
[ "$(rows r/sessions.csv)" = 5 ] || fail "not 5 sessions"
[ "$(column r/sessions.csv end | sort -u)" = logout ] || fail "not all logged out"
[ "$(column r/sessions.csv iterations | sort -u)" = 4 ] || fail "iterations of a session"
check_accounts r
# every keystroke arrived: 20 lines of 4 characters and Enter, 5 times quit and Enter
[ "$(wc -c <typed)" = $((20 * 5 + 5 * 5)) ] || fail "typed $(wc -c <typed) bytes"
jq -e '.format == 1 and .outcome == "finished" and .seed == 3 and .config.users == 5
	and .config.workers == 2 and .totals.transactions == 20 and .totals.failures == 0
	and (.phases | map(.name) | index("measure")) and .driver.keys > 0
	and .driver.late_p99_s >= 0 and (.driver.workers | length) == 2
	and .host.cores > 0 and (.command | index("talk.lua")) and .ended_s > .started_s' \
	r/run.json >/dev/null || fail "run.json"
says out "talk .* 20 "

# Logout waits for the last response to close; its first key is due after that, and not late.
expect_status 0 run talk.lua -u 3 --iterations 1 --typing cps:100 --think const:0.05 --settle 3s \
	--ramp 0s -o settle -- "$sut" echo
jq -e '.driver.late_max_s < 1.5' settle/run.json >/dev/null || fail "logout's first key is late"

# By time: what began before or ended after the interval is logged and not counted. The old
# directory is moved aside.
expect_status 0 run talk.lua -u 4 --ramp 500ms --warmup 500ms --measure 2s --continue 500ms \
	--rampdown 1s --typing cps:100 --think const:0.1 -o r -- "$sut" echo
[ -s r~/run.json ] || fail "the first run was not kept"
says err "is now in r~"
for p in rampup warmup measure continue; do
	column r/transactions.csv phase | grep -qx "$p" || fail "no transaction in $p"
done
paste -d' ' r.phase r.counted 2>/dev/null || {
	column r/transactions.csv phase >phase
	column r/transactions.csv counted >counted
	paste -d' ' phase counted
} | awk '$1 != "measure" && $2 == 1 { bad = 1 } $1 == "measure" && $2 == 1 { n++ } END { exit bad || n < 20 }' ||
	fail "what is counted"
[ "$(column r/sessions.csv end | sort -u)" = logout ] || fail "not all logged out"
check_accounts r
n=$(rows r/timeline.csv)
[ "$n" -ge 4 ] && [ "$n" -le 20 ] || fail "$n rows in timeline.csv"
jq -e '[.phases[].name] == ["rampup", "warmup", "measure", "continue", "rampdown"]' r/run.json \
	>/dev/null || fail "phases"
# the interval is as long as it was asked for, and transactions lie within it
jq -e '.phases[2] | (.end_s - .start_s) > 1.99 and (.end_s - .start_s) < 2.01' r/run.json \
	>/dev/null || fail "length of the interval"

# the driver tells of itself: each second, and in the report
[ "$(column r/timeline.csv wake_late_max_s | grep -cE '^[0-9]+\.[0-9]{6}$')" = "$n" ] || fail "wake_late_max_s"
[ "$(column r/timeline.csv cpu_workers | grep -cE '^[0-9.]+$')" = "$n" ] || fail "cpu_workers"
[ "$(column r/timeline.csv log_queue_bytes | grep -cE '^[0-9]+$')" = "$n" ] || fail "log_queue_bytes"
jq -e '.driver | .wake_late_p50_s > 0 and .wake_late_max_s >= .wake_late_p99_s and .log_queue_max_bytes >= 0
	and (.workers_cpu_s | length) == 1' r/summary.json >/dev/null || fail "the driver in summary.json"
says out "^timers seen late p50 "
says out "busiest of 1 worker "

# rte-rundir(5) names every column and every field
page=$RTE_TOP/doc/rte-rundir.5
for f in transactions sessions timeline; do
	for c in $(head -n 1 r/$f.csv | tr ',' ' '); do
		grep -q "\\b$c\\b" "$page" || fail "rte-rundir(5) lacks column $c of $f.csv"
	done
done
for k in $(jq -r '[paths | map(strings) | last | select(. != null)] | unique | .[]' r/run.json); do
	grep -q "\\b$k\\b" "$page" || fail "rte-rundir(5) lacks field $k of run.json"
done

# the last one to go has as much time to end as the others had
cat >leaves.lua <<'EOF'
function iteration() expect "Ready" end
EOF
expect_status 1 run leaves.lua -u 2 --iterations 1 -o leaves -- \
	sh -c 'trap "sleep 0.3; echo gone >>gone; exit" HUP; echo Ready; while :; do sleep 0.05; done'
[ "$(wc -l <gone)" = 2 ] || fail "who ends slowly was killed"

# plain progress by iterations: until the first one begins, then how many are done
cat >hangs.lua <<'EOF'
function login() if at == "login" then expect "never" end end
function iteration() if user.iteration == 2 then expect "never" end end
EOF
for at in login iteration; do
	"$rte" run hangs.lua --set at=$at -u 2 --ramp 0 --think none --iterations 3 --timeout 5m --display plain \
		-o hangs -- sh -c 'echo Ready; exec cat' >out 2>err &
	pid=$!
	text="rampup (until the first iteration): 2 of 2 users"
	[ $at = login ] || text="measure (2 of 6 iterations): 2 of 2 users"
	wait_for 90 grep -qF "$text" err || fail "progress does not say '$text': $(cat err)"
	kill -INT "$pid"
	kill -INT "$pid"
	sleep 0.05
	kill -INT "$pid" 2>/dev/null
	wait "$pid" || :
done

# on a terminal it is one line that is written over, however narrow that is
cat >steps <<'EOF'
size 66x10
deadline 90s
wait measure (2 of 6
pause 2500ms
snapshot shot
send \x03\x03
EOF
"$RTE_BUILD/support/ptydrive" -f steps -- "$rte" run hangs.lua --set at=iteration -u 2 --ramp 0 --think none \
	--iterations 3 --timeout 5m --display plain -o hangs -- sh -c 'echo Ready; exec cat' >out 2>err
[ $? != 120 ] || fail "the person at the terminal"
[ "$(grep -c measure shot)" = 1 ] || fail "lines of progress: $(cat shot)"
grep -q ' errors *$' shot || fail "the line has no end: $(cat shot)"
