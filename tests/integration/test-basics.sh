#!/bin/sh
# rte test: what is a test, which are chosen, in which order, and how each way to end is told.
. "$RTE_TOP/tests/support/test.sh"

mkdir -p forms/deep forms/.hidden forms/module.golden
cat >forms/one.lua <<'END'
target "pty:sh form.sh"
test { tags = "forms" }
function login() expect "Ready" end
test("alpha", { tags = { "smoke", "fast" } }, function()
  check(screen.row(1) == "The form", "the title")
end)
test("beta", function()
  press "x"
  expect "after 1"
end)
test("gamma", { skip = "no printer here" }, function() error "never" end)
test("delta", function()
  if user.id == 1 then skip "not today" end
  error "never"
end)
test("epsilon", { fails = "bug 12" }, function() check(false, "as ever") end)
function logout() press "q" end
END
cat >forms/deep/whole.lua <<'END'
target "pty:sh form.sh"
function iteration() expect "Ready" end
END
cat >forms/deep/mixed.lua <<'END'
target "pty:sh form.sh"
mix { query = 80, update = 20 }
function query() expect "Ready" end
function update() expect "Balance" end
END
echo 'return { iteration = 1 }' >forms/module.lua
echo 'error "never run"' >forms/.hidden/x.lua
echo 'function iteration() end' >forms/module.golden/x.lua
echo 'workload { scripts = { "one.lua" } }' >forms/load.lua

# ---- What is found, in order, and how it ended ----
test_run 0 forms
says err "forms/deep/mixed.lua runs pty:sh form.sh"
sed -n 's/^  \(ok\|skip\|xfail\) *\([^ ]*\)  \([a-z]*\).*/\1 \2 \3/p' out >seen
diff - seen <<'END' || fail "other tests, or another order"
ok forms/deep/mixed.lua query
ok forms/deep/mixed.lua update
ok forms/deep/whole.lua whole
ok forms/one.lua:4 alpha
ok forms/one.lua:7 beta
skip forms/one.lua:11 gamma
skip forms/one.lua:12 delta
xfail forms/one.lua:16 epsilon
END
says out "no printer here"
says out "not today"
says out "2 skipped, 1 failed as expected, 5 passed"

# ---- Choosing ----
test_run 0 forms --grep '@smoke'
counts 1 '^  ok'
says out "alpha"
test_run 0 forms -g 'whole|mixed.*query'
counts 2 '^  ok'
test_run 0 forms --grep-invert '@forms'
counts 3 '^  ok'
test_run 1 forms --grep 'no such thing'
says err "no test was found"
test_run 2 forms --grep '('
says err "no regular expression"
for line in 7 8 10; do
	test_run 0 forms/one.lua:$line
	counts 1 '^  ok'
	says out "beta"
done
test_run 2 forms/one.lua:2
says err "one.lua has no test on line 2; the nearest is 'alpha', forms/one.lua:4"
test_run 2 forms/one.lua:99
says err "the nearest is 'epsilon', forms/one.lua:16"
# a mix is a test for each of its functions, another script one
test_run 0 forms/deep/mixed.lua:4
counts 1 '^  ok'
says out "  update "
test_run 2 forms/deep/mixed.lua:1
says err "the nearest is 'query', forms/deep/mixed.lua:3"
test_run 0 forms/deep/whole.lua:2
test_run 2 forms/deep/whole.lua:99
says err "the nearest is 'whole', forms/deep/whole.lua:1"
test_run 0 forms/one.lua:4 forms/one.lua:7 forms/one.lua:4
counts 2 '^  ok'
test_run 0 forms --list
[ "$(wc -l <out)" = 8 ] || fail "--list gives other than 8 lines"
says out "forms/one.lua:4  alpha @forms @smoke @fast"
mkdir empty
test_run 1 empty
test_run 2 forms/none.lua
test_run 2 forms/load.lua
says err "is a workload"
test_run 2
test_run 2 forms --no-such-option
test_run 2 forms --tap --json
test_run 0 --help
says out "Usage: rte test"

# ---- Order ----
test_run 0 forms --shuffle 7
says out "shuffled with seed 7"
sed -n 's/^  [a-zA-Z]* *\([^ ]*  [a-z]*\).*/\1/p' out >shuffled
test_run 0 forms --shuffle 7 --jobs 1
sed -n 's/^  [a-zA-Z]* *\([^ ]*  [a-z]*\).*/\1/p' out | cmp - shuffled || fail "another order"
cut -d' ' -f2- seen | sort >all
cut -d' ' -f1,3 shuffled | sort | cmp - all || fail "shuffled are other tests"
cut -d' ' -f1,3 shuffled | cmp -s - all && fail "it was not shuffled"

# ---- What fails ----
cat >bad.lua <<'END'
target "pty:sh form.sh"
function login() expect "Ready" end
test("waits", function()
  expect { "Never", timeout = "300ms" }
end)
test("checks", function()
  check.soft(1 == 2, "the first")
  check.soft(1 == 2, "the second")
  check(1 == 2, "the last")
end)
test("raises", function() local x = nil; return x.y end)
test("ends early", function()
  press "q"
  expect "more"
end)
test("passes by mistake", { fails = true }, function() end)
test("takes long", { timeout = "600ms" }, function()
  pause(60)
end)
test("budget", function()
  transaction("slow", { max = 0.000000001 }, function()
    press "x"
    expect "after 1"
  end)
end)
END
test_run 1 bad.lua
says out "bad.lua:4: not there within 300ms: \"Never\""
says out "|Balance  100 "
says out "cursor 3 10"
says out "last output: .*Ready"
says out "bad.lua:7: the first"
says out "bad.lua:8: the second"
says out "bad.lua:9: the last"
says out "bad.lua:11: attempt to index a nil value"
says out "the line was closed"
says out "it passed, although it is expected to fail"
says out "bad.lua:18: the test took longer than 600ms"
says out "bad.lua:21: transaction 'slow' took .* its budget is"
says out "^7 failed (" # and nothing else
test_run 1 bad.lua --fail-fast --jobs 1
says out "^1 failed, 6 not run"

# ---- Bad scripts and unreachable systems ----
mkdir broken
echo 'function iteration( end' >broken/a.lua
cp forms/deep/whole.lua broken/b.lua
test_run 2 broken
says out "BAD .*broken/a.lua"
says out "ok .*broken/b.lua"
test_run 3 forms/deep --target tcp://127.0.0.1:1
test_run 3 forms/deep -- /nonexistent/program
test_run 2 forms/deep --target nonsense
echo 'function iteration() expect "Ready" end' >nowhere.lua
test_run 2 nowhere.lua
says out "names no target"
test_run 0 nowhere.lua -- sh form.sh
test_run 0 nowhere.lua --target "pty:sh form.sh"
