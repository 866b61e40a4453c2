#!/bin/sh
# How tests are run: a fresh session and a folder each, what is set up around them, rows of a data
# file, retries, time-outs, processes that die, interrupts.
. "$RTE_TOP/tests/support/test.sh"

# ---- Setup and teardown of folders, scripts, tests; {dir} is a test's own ----
mkdir -p suite/inner
cat >suite/suite.lua <<'END'
test { tags = "outer", before = "echo outer before >>order", after = "echo outer after >>order",
  setup = "echo outer setup >>order", teardown = "echo outer teardown >>order" }
END
cat >suite/inner/one.lua <<'END'
target "pty:sh {dir}/form.sh"
test { tags = "inner", before = "cp form.sh {dir}; echo {dir} >>dirs; echo inner before >>order",
  after = "ls {dir}/form.sh && echo inner after >>order",
  setup = "cp form.sh {folder}/copy.sh; echo inner setup >>order",
  teardown = "rm {folder}/copy.sh; echo inner teardown >>order" }
function login() expect "Ready" end
test("a", { before = "echo own before >>order", after = "echo own after >>order" }, function()
  check(test.dir():find("rte-test", 1, true), "no folder of its own: " .. test.dir())
  check(os.getenv "RTE_TEST_DIR" == test.dir(), "the variable is another")
end)
test("b", function() end)
function logout() press "q" end
END
test_run 0 suite --jobs 1 -g '@outer.*@inner'
counts 2 '^  ok'
diff - order <<'END' || fail "another order"
outer setup
inner setup
outer before
inner before
own before
own after
inner after
outer after
outer before
inner before
inner after
outer after
inner teardown
outer teardown
END
[ "$(sort -u dirs | wc -l)" = 2 ] || fail "two tests shared a folder"
[ ! -e suite/inner/copy.sh ] || fail "the teardown did not run in its folder"
for d in $(cat dirs); do [ ! -e "$d" ] || fail "$d was left behind"; done
rm order dirs
test_run 0 suite/inner/one.lua:8 # a suite above counts for a single test, too
grep -q 'outer setup' order || fail "no setup for a single test"

cat >broken.lua <<'END'
target "pty:sh form.sh"
test { setup = "echo cannot; exit 3", teardown = "touch torn" }
test("a", function() error "never" end)
test("b", function() error "never" end)
END
test_run 1 broken.lua
says out "broken.lua: setup: the command ended with status 3: cannot"
never_says out never
[ -e torn ] || fail "what a setup left was not torn down"
cat >before.lua <<'END'
target "pty:sh form.sh"
function iteration() end
test("a", { before = "false", after = "touch after-a" }, function() error "never" end)
test("b", { after = "echo no >&2; exit 1" }, function() expect "Ready" end)
test("c", { before = "sleep 60", timeout = "500ms" }, function() end)
test("d", { before = "sleep 60 & true" }, function() expect "Ready" end)
END
test_run 1 before.lua
says out "before: the command ended with status 1"
[ -e after-a ] || fail "after did not run after a failed before"
says out "after: the command ended with status 1: no"
says out "before: the command took longer than 500ms"
says out "ok .*before.lua:6"

# ---- One test a row of a data file ----
cat >people.csv <<'END'
name,row
Ann,1
"Bob, the second",2
Ann,3
END
cat >rows.lua <<'END'
target "pty:sh form.sh {user}"
local people = data.csv "people.csv"
function login() expect "Ready" end
test("hello {name}", { rows = "people.csv" }, function(row)
  check(row.row == tostring(user.id) and people.name == row.name, row.name)
  check(screen.text():find("Balance  " .. row.row, 1, true), "another user's screen")
  check(row.row ~= "2", "not for Bob")
end)
function logout() press "q" end
END
test_run 1 rows.lua
says out "ok .*  hello Ann  "
says out "FAIL .*  hello Bob, the second  "
says out "ok .*  hello Ann \[row 3\]"
says out "^1 failed, 2 passed"
test_run 0 rows.lua -g 'Ann'
counts 2 '^  ok'
cat >whole.lua <<'END'
target "pty:sh form.sh"
test { rows = "people.csv", tags = "rows" }
local people = data.csv("people.csv", { mode = "unique" })
function iteration() expect "Ready" check(people.row == tostring(user.id), people.row) end
END
test_run 0 whole.lua
counts 3 '^  ok'

# ---- Tried again: flaky, never passed in silence ----
cat >flaky.lua <<'END'
target "pty:sh form.sh"
test("flaky", { before = "echo x >>tries" }, function()
  expect "Ready"
  check(#test.dir() > 0 and tonumber(set.want), "no number")
  expect { "after " .. 1, timeout = "100ms" }
end)
END
cat >sometimes.sh <<'END'
n=$(wc -l <tries)
[ "$n" -ge 3 ] && printf 'Ready after 1' || printf 'Ready'
read -r x
END
test_run 0 flaky.lua --retries 2 --set want=1 --junit flaky.xml --artifacts kept -- sh sometimes.sh
says out "FLAKY .*: passed at try 3"
says out "^1 flaky ("
says out "(flaky)"
counts 2 "try [12]:"
# A try that failed as the one before is not shown twice.
counts 1 "the screen as it was:"
says out "the same, on the same screen"
counts 2 "artifacts: kept/flaky"
grep -q '<flakyFailure' flaky.xml || fail "JUnit does not tell of it"
[ -e kept/flaky/flaky/trace.html ] && [ -e kept/flaky/flaky-try2/trace.html ] || fail "traces of the tries"
rm tries
test_run 1 flaky.lua --retries 1 --set want=1 -- sh sometimes.sh
rm -f tries
sed 's/before =/retries = 4, before =/' flaky.lua >more.lua
test_run 0 more.lua --set want=1 -- sh sometimes.sh

# ---- Repeated: each run is a test of its own, in rounds ----
cat >thrice.lua <<'END'
target "pty:sh form.sh"
test("one", { before = "echo x >>thrice" }, function() expect "Ready" end)
test("two", { tags = "t" }, function() expect "Ready" golden "form" end)
END
test_run 0 thrice.lua --repeat 3 --jobs 1 --junit thrice.xml
sed -n 's/^  ok  *[^ ]*  \(.*\)  (.*/\1/p' out | tr '\n' ',' |
	grep -qx 'one,two,one \[run 2\],two \[run 2\],one \[run 3\],two \[run 3\],' || fail "repeated: $(cat out)"
[ "$(grep -c x thrice)" = 3 ] || fail "not run three times"
says out "^golden screens: 1 written"
grep -q 'tests="6" failures="0"' thrice.xml || fail "JUnit of repeated tests"
test_run 0 thrice.lua --repeat 2 -g @t -u
counts 2 '^  ok'
test_run 2 thrice.lua --repeat 0

# ---- A test's process that dies is that test's failure alone ----
cat >dies.lua <<'END'
target "pty:sh form.sh"
test("killed", { before = "kill -9 $PPID" }, function() end)
test("loops", function() while true do end end)
test("eats", function() local t = {} while true do t[#t + 1] = ("x"):rep(100000) .. #t end end)
test("lives", function() expect "Ready" end)
END
test_run 1 dies.lua
says out "its process was killed by signal 9"
says out "dies.lua:3: the script ran too many instructions"
says out "too much memory"
says out "ok .*  lives"

# ---- A system under test that does not want to end does not hold the tests up ----
cat >stays.lua <<'END'
target "pty:sh -c 'trap \"\" HUP TERM; echo $$ >pid; echo Ready; while :; do sleep 1; done'"
function iteration() expect "Ready" end
END
test_run 0 stays.lua
kill -0 "$(cat pid)" 2>/dev/null && fail "it was left behind"

# ---- Interrupted: what is known is reported, nothing is left ----
cat >long.lua <<'END'
target "pty:sh form.sh"
test { teardown = "touch torn-down" }
test("short", function() expect "Ready" end)
test("long", { before = "echo $RTE_TEST_DIR >long-dir", after = "touch long-after" }, function()
  log "here"
  pause(600)
end)
test("never", function() end)
END
"$rte" test long.lua --jobs 1 --tap --junit long.xml >out 2>err &
pid=$!
wait_for 60 test -s long-dir || fail "the long test did not begin"
kill -INT $pid
wait $pid
[ $? = 1 ] || fail "exit status after an interrupt"
says out "^ok 1 - long.lua: short"
says out "^ok 2 - long.lua: long # SKIP not run"
says out "^ok 3 - long.lua: never # SKIP not run"
says out "^Bail out! interrupted"
[ -e torn-down ] && [ -e long-after ] || fail "what was set up was not torn down"
[ ! -e "$(cat long-dir)" ] || fail "its folder was left behind"
[ -s long.xml ] || fail "no JUnit after an interrupt"

# ---- Secrets are in nothing that is kept ----
cat >secret.lua <<'END'
target [[pty:sh -c 'stty raw -echo; printf "Password: "; n=0; held=; while c=$(dd bs=1 count=1 2>/dev/null); do
  n=$((n + 1)); case $c in q) exit;; x) printf "%sx" "$held";; *) [ $n -gt 7 ] && held=$held$c || printf "\033[1m%s" "$c";; esac; done']]
function iteration()
  expect "Password"
  secret "password"
  expect { cursor = { 1, 18 }, already = true } -- part of it is on the screen
  check.soft(screen.row(1):find(os.getenv "RTE_SECRET_PASSWORD", 1, true), "it was not typed")
  send "x"
  golden "shown"
  expect { "never", timeout = "200ms" }
end
END
export RTE_SECRET_PASSWORD=swordfish
test_run 1 secret.lua --artifacts kept-secret --junit secret.xml
says out "it was not typed"
if grep -rlE "swordf|: s(\\\\e\\[1m)?w" out err secret.xml kept-secret secret.golden; then fail "a secret was kept"; fi
test_run 1 secret.lua --json
never_says out swordfish

# ---- A test played with a person looking on: the same folder and commands, golden screens compared ----
rm -f order dirs
expect_status 0 "$rte" play suite/inner/one.lua:8
diff - order <<'END' || fail "rte play: another order"
outer setup
inner setup
outer before
inner before
own before
own after
inner after
outer after
inner teardown
outer teardown
END
[ ! -e "$(cat dirs)" ] || fail "rte play left a folder behind"
expect_status 0 "$rte" play rows.lua:4 # its first row
expect_status 1 "$rte" play rows.lua:6 --timeout 2s -- sh form.sh 3
says err "another user's screen"
expect_status 2 "$rte" play rows.lua:1
says err "no test on line 1"
expect_status 2 "$rte" play suite/inner/one.lua
says err "rte play FILE:LINE"
expect_status 1 "$rte" play before.lua:3
says err "before: the command ended with status 1"
