#!/bin/sh
# Scripts that hold on to their worker: their own session ends, and a user beside them on the
# same worker goes on.
. "$RTE_TOP/tests/support/run.sh"

# beside NAME BODY LENGTH: user 1 does BODY for ever or until it fails, user 2 talks
beside() {
	cat >"$1.lua" <<LUA
unexpected { "TROUBLE", function() end }
function login() expect "> " end
function iteration()
  if user.id == 1 then $2 end
  transaction("talk", function() send "a" press "Enter" expect ": a" end)
  pause(0.05)
end
LUA
	run "$1.lua" -u 2 --workers 1 --ramp 0 $3 --timeout 60s \
		--typing none --think none --on-error stop -o "$1" -- "$sut" echo >out 2>err
	[ "$(awk -F, '$2 == 2 && $6 == "talk" && $9 == "ok"' "$1/transactions.csv" | wc -l)" -ge 3 ] ||
		fail "$1: user 2 stands still"
}
beside refused 'while true do pcall(press, "Nokey") end' '--measure 5s --continue 0 --rampdown 1s'
beside upper 'local s = ("a"):rep(2^22) while true do s:upper() end' '--iterations 5'
says upper/run.json "held up its worker"

# the run is ended at once, while all users of a worker hold it: each has its row
cat >held.lua <<'LUA'
function login() expect "> " end
function iteration()
  local s = ("a"):rep(2^20)
  while true do s:upper() end
end
LUA
"$rte" run --lateness 30s,60s --display none held.lua -u 6 --workers 1 --ramp 0 --measure 5m -o held -- \
	"$sut" echo >out 2>err &
pid=$!
interrupted() { [ "$(rows held/sessions.csv 2>/dev/null || echo 0)" -ge 1 ]; }
wait_for 60 interrupted || fail "held: nobody was interrupted within 60 s"
kill -INT $pid
wait_for 60 grep -q 'once more' err || fail "held: the first Ctrl-C is not seen"
kill -INT $pid
wait $pid
[ $? = 1 ] || fail "held: not exit status 1"
grep 'did not come back' err && fail "held: a worker is lost"
[ "$(column held/sessions.csv user | sort -u | wc -l)" = 6 ] || fail "held: sessions are lost"

# a rule that holds and does nothing: one turn, and the wait still ends in time
beside rule 'send "TROUBLE" press "Enter" expect { "never", timeout = 0.5 }' '--iterations 5'
says rule/run.json "not there within 500ms"

# what waits in vain makes no key late that comes after it
cat >patient.lua <<'LUA'
function login() expect "> " end
function iteration()
  send "a"
  pcall(expect, { "never", timeout = 5 })
  transaction("talk", function() send "b" press "Enter" expect ": ab" end)
end
LUA
expect_status 0 run patient.lua --iterations 1 --typing cps:20 -o patient -- "$sut" echo
column patient/sessions.csv late_s | awk '{ exit !($1 < 4) }' || fail "keys late for a wait"

# relogin() where there is no iteration to end, also by a rule: the run ends all the same
cat >again.lua <<'LUA'
unexpected("> ", function() relogin() end)
function login() pcall(expect, { "never", timeout = 0.2 }) expect "> " relogin() end
function iteration()
  transaction("talk", function() send "a" press "Enter" expect "1: a" end)
end
function logout() relogin() send "quit" press "Enter" end
LUA
expect_status 0 timeout 30 "$rte" run again.lua --lateness 30s,60s --display none -u 2 --iterations 3 --ramp 0 --typing none \
	--think none -o again -- "$sut" echo
[ "$(rows again/sessions.csv)" = 6 ] || fail "again: $(rows again/sessions.csv) sessions, not 3 of each user"
[ "$(rows again/transactions.csv)" = 6 ] || fail "again: not 6 transactions"
