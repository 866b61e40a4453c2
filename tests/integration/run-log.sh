#!/bin/sh
# What scripts log() stands in log.csv of a run: whose, where, a line a row; without secrets, and
# bounded.
. "$RTE_TOP/tests/support/run.sh"
fast="--typing cps:500 --think none --ramp 0 --rampdown 1s"

cat >said.lua <<'EOS'
function login() expect "> " log "logged in" end
function iteration()
  transaction("talk", function()
    send "hello"
    press "Enter"
    expect ": hello"
    log("one, two", user.id, "a\nb\27[31m")
  end)
  log("it is " .. os.getenv("RTE_SECRET_PASSWORD"))
  log(("\u{e9}"):rep(3000))
end
function logout() send "quit" press "Enter" end
EOS
RTE_SECRET_PASSWORD=swordfish expect_status 0 run said.lua -u 2 --iterations 2 $fast -o said -- "$sut" echo
[ "$(rows said/log.csv)" = 14 ] || fail "$(rows said/log.csv) lines"
[ "$(column said/log.csv text | grep -c '^logged in$')" = 2 ] || fail "login"
[ "$(column said/log.csv text | grep -cF 'one, two 1 a\nb\e[31m')" = 2 ] || fail "control characters"
paste -d, said/log.csv | grep -q '^[0-9.]*,2,1,2,said,talk,"one, two 2' || fail "whose, and where"
grep -rq swordfish said && fail "the secret"
[ "$(column said/log.csv text | grep -c '^it is \*')" = 4 ] || fail "no asterisks"
column said/log.csv text | awk 'length($0) > 1003 { exit 1 }' || fail "a long line"
column said/log.csv text | iconv -f UTF-8 -t UTF-8 >/dev/null || fail "half a character"

# a script that logs in a loop
cat >loop.lua <<'EOS'
function login() expect "> " end
function iteration() for i = 1, 30000 do log(i) end end
function logout() send "quit" press "Enter" end
EOS
expect_status 1 run loop.lua $fast -o loop -- "$sut" echo
[ "$(rows loop/log.csv)" = 10001 ] || fail "$(rows loop/log.csv) lines of a loop"
column loop/log.csv text | tail -n 1 | grep -q 'no more' || fail "not told"
exit 0
