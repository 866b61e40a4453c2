#!/bin/sh
# Golden screens: written, compared, updated, missing, unused, masked; on other terminals; in runs.
. "$RTE_TOP/tests/support/test.sh"

cat >form.lua <<'END'
target "pty:sh form.sh"
function login() expect "Ready" end
test("first", function()
  golden "first screen"
end)
test("second", function()
  press "x"
  expect "after 1"
  golden("second", { attrs = true })
end)
function logout() press "q" end
END

# ---- Missing: written with a notice, but not where CI is set, and never silently ----
CI=true test_run 1 form.lua
says out "golden screen 'first screen' is missing: there is no form.golden/first screen.txt"
[ ! -e form.golden ] || fail "written although CI is set"
CI=false test_run 0 form.lua
says out "written golden screen form.golden/first screen.txt"
says out "golden screens: 2 written, 0 updated"
head -n 1 "form.golden/first screen.txt" | grep -qx 'rte-golden 1 80x24' || fail "its head"
head -n 1 form.golden/second.txt | grep -qx 'rte-golden 1 80x24 attributes' || fail "attributes"
grep -q '^cursor 3 10$' form.golden/second.txt || fail "its cursor"
CI=true test_run 0 form.lua
never_says out written
never_says out "golden screens"

# ---- Changed: shown, never accepted without --update ----
cp -r form.golden before
test_run 1 --still 500ms --wait 3s form.lua -- sh form.sh 200
says out "the screen is not as in golden screen 'first screen': 1 line differs"
says out "   row 3:"
says out "     expected |Balance  100 "
says out "     actual   |Balance  200 "
says out "^ *^$"
diff -r before form.golden || fail "a changed screen was accepted"
test_run 0 form.lua --update -- sh form.sh 200
says out "updated golden screen form.golden/second.txt"
says out "golden screens: 0 written, 2 updated"
test_run 0 form.lua -- sh form.sh 200
test_run 0 form.lua -u -- sh form.sh 200
never_says out updated
rm -r form.golden
mv before form.golden

# ---- Slow is not different: it is compared until it is equal ----
cat >slow.sh <<'END'
stty raw -echo
printf '\033[2J\033[HThe form\r\n\r\nBalance  \r\n\r\nReady '
sleep 0.5
printf '\033[3;10H1'
sleep 0.5
printf '00'
printf '\033[3;10H'
dd bs=1 count=1 >/dev/null 2>&1
END
test_run 0 form.lua:3 -- sh slow.sh

# ---- Placeholders stay, and what is edited by hand counts ----
sed -i 's/^|Balance  100 /|Balance  {number} /' "form.golden/first screen.txt"
test_run 0 form.lua:3 -- sh form.sh 4711
test_run 1 --still 500ms --wait 3s form.lua:3 -- sh form.sh none
test_run 0 form.lua:3 -u -- sh form.sh 4711
grep -q '{number}' "form.golden/first screen.txt" || fail "the placeholder is gone"
echo "no golden screen" >form.golden/second.txt
test_run 1 --still 500ms --wait 3s form.lua:6
says out "form.golden/second.txt: .*no golden screen"
sed -i 's/ attributes//; /^:/d' before/x 2>/dev/null
rm form.golden/second.txt
test_run 0 form.lua

# Attributes that are to be compared and were not recorded are told.
sed -i 's/^\(rte-golden.*\) attributes/\1/; /^:/d' form.golden/second.txt
test_run 1 --still 500ms --wait 3s form.lua:6
says out "the golden screen has none"
test_run 0 form.lua:6 -u

# ---- Masks: of the script, of this one, and where the anchor is not there ----
cat >masked.lua <<'END'
target "pty:sh form.sh"
mask { row = 3, col = 10, cols = 3 }
function iteration()
  expect "Ready"
  golden("masked", { masks = { { row = 1 } } })
  check(golden("anchored", { when = "Ready" }), "it is not compared")
  check(not golden("other", { when = { "Not ready", row = 5 } }), "it is compared")
end
function logout() press "q" end
END
test_run 0 masked.lua
[ -e masked.golden/masked.txt ] && [ -e masked.golden/anchored.txt ] || fail "not written"
[ ! -e masked.golden/other.txt ] || fail "written without its anchor"
grep -q '^|Balance  ░░░' masked.golden/masked.txt || fail "the mask is not in it"
sed -n 2p masked.golden/masked.txt | grep -q '^|░*|$' || fail "nor the other"
test_run 0 masked.lua -- sh form.sh 123
says_not=$(grep -c 'was not compared' out)
[ "$says_not" = 0 ] || fail "what passes talks"

# ---- Unused ones are named, and removed by --update; not when some tests did not run ----
cp form.golden/second.txt form.golden/old.txt
cp form.golden/second.txt form.golden/second.132x40.txt
test_run 0 form.lua
says out "no test asks for the golden screen (--update removes it): form.golden/old.txt"
counts 1 "no test asks"
test_run 0 form.lua --grep first -u
[ -e form.golden/old.txt ] || fail "removed although tests were left out"
test_run 1 --still 500ms --wait 3s form.lua -u -- sh -c 'sleep 1'
[ -e form.golden/old.txt ] || fail "removed although tests failed"
test_run 0 form.lua -u
says out "removed, no test asks for it: form.golden/old.txt"
[ ! -e form.golden/old.txt ] || fail "not removed"
[ -e form.golden/second.132x40.txt ] || fail "one for another size was removed"
rm form.golden/second.132x40.txt

mkdir -p gone/moved.golden gone/kept.golden
cp form.lua gone/kept.lua
test_run 0 gone --list
says err "gone/moved.golden has no script beside it"
never_says err "kept.golden"

# ---- Two tests that write one file differently ----
cat >twice.lua <<'END'
target "pty:sh form.sh"
function login() expect "Ready" end
test("one", function() golden "same" end)
test("two", function() press "x" expect "after 1" golden "same" end)
END
test_run 1 --still 500ms --wait 3s twice.lua -u
says out "written twice, with different screens"

# ---- Size and TERM become part of the name where they matter ----
rm -rf twice.golden form.golden/*.vt220*
test_run 1 --still 500ms --wait 3s form.lua:6 --size 100x30
says out "size: expected 80x24, actual 100x30"
test_run 0 form.lua:6 --size 100x30 -u
[ -e form.golden/second.100x30.txt ] || fail "no file for the size"
test_run 0 form.lua:6 --size 100x30
test_run 0 form.lua:6
cat >term.lua <<'END'
target [[pty:sh -c 'printf "\033[H$TERM \033[5;1HReady"; read -r x']]
function iteration() expect "Ready" golden "shown" end
END
test_run 0 term.lua -u
test_run 1 --still 500ms --wait 3s term.lua --term vt220
test_run 0 term.lua --term vt220 -u
[ -e term.golden/shown.vt220.txt ] || fail "no file for the TERM"
test_run 0 term.lua --term vt220
test_run 0 term.lua
never_says out "no test asks"
test_run 2 term.lua --term no-such-term

# ---- Two versions of an application ----
test_run 0 form.lua -u --goldens v1 -- sh form.sh 100
[ -e "v1/form.golden/first screen.txt" ] || fail "not in the folder of --goldens"
sed 's/golden(.*/golden "second"\n  golden "third"/' form.lua >both.lua
test_run 0 both.lua -u --goldens v1 -- sh form.sh 100
test_run 1 --still 500ms --wait 3s both.lua --goldens v1 --soft --artifacts differences -- sh form.sh 200
says out "both.lua:4: the screen is not as"
says out "both.lua:9: the screen is not as in golden screen 'second'"
says out "both.lua:10: the screen is not as in golden screen 'third'"
ls differences/both/*/third.diff.txt >/dev/null || fail "no diff of the third"
test_run 0 both.lua --goldens v1 -- sh form.sh 100

cat >recorded.lua <<'END'
target "pty:sh form.sh"
local function step(name)
  return transaction(name, function() press "x" expect "after" return name, 17 end)
end
function login() expect "Ready" end
function iteration()
  local name, number = step "a/b"
  check(name == "a/b" and number == 17, "the results of the transaction")
  step "second"
end
function logout() press "q" end
END
test_run 0 recorded.lua -u --screens --goldens v1 -- sh form.sh 100
ls v1/recorded.golden | tr '\n' , | grep -qx '01 a_b.txt,02 second.txt,' || fail "other screens"
test_run 0 recorded.lua --screens --goldens v1 -- sh form.sh 100
test_run 1 recorded.lua --screens --goldens v1 --soft --still 500ms -- sh form.sh 200
says out "recorded.lua:3: the screen is not as in golden screen '01 a_b'"
says out "recorded.lua:3: the screen is not as in golden screen '02 second'"
test_run 0 recorded.lua --goldens v1 -- sh form.sh 200
sed 's/^function iteration()/test("one\/two", { rows = "rows.csv" }, function()/; /step "second"/,/^end/s/^end/end)/' \
	recorded.lua >tests.lua
printf 'a\n1\n2\n' >rows.csv
test_run 0 tests.lua -u --screens
ls tests.golden | tr '\n' , | grep -qx \
	'one_two row 1, 01 a_b.txt,one_two row 1, 02 second.txt,one_two row 2, 01 a_b.txt,one_two row 2, 02 second.txt,' ||
	fail "names of screens of tests: $(ls tests.golden)"

# ---- In a play and in a run a golden screen is a check ----
cat >load.lua <<'END'
target "pty:sh form.sh"
function iteration()
  expect "Ready"
  transaction("look", function() golden "load" end)
end
function logout() press "q" end
END
expect_status 0 "$rte" play load.lua
says err "load.golden/load.txt is missing"
[ ! -e load.golden ] || fail "rte play has written it"
test_run 0 load.lua
# in a transaction it fails once, not as a transaction over its budget too
test_run 1 --still 300ms --artifacts art load.lua -- sh form.sh 200
counts 2 "load.lua:4: .*screen 'load': 1 line differs" # in the list, and in full
[ "$(grep -c 'class="failure"' art/load/load/trace.html)" = 1 ] || fail "told more than once in trace.html"
expect_status 0 "$rte" play load.lua
never_says err missing
expect_status 1 "$rte" play load.lua -- sh form.sh 200
says err "load.lua:4: the screen is not as in load.golden/load.txt: row 3: expected |Balance 100 "
expect_status 0 run load.lua -u 2 --iterations 1 -o good
expect_status 1 run load.lua -u 2 --iterations 1 -o wrong --on-error stop -- sh form.sh 200
grep -q 'look,.*,check,' wrong/transactions.csv || fail "no transaction failed of it"

# ---- A pipe in the place of a golden screen is not waited for ----
rm load.golden/load.txt
mkfifo load.golden/load.txt
test_run 1 load.lua
says out "load.golden/load.txt: it is a pipe or a device"
expect_status 1 "$rte" play load.lua
says err "load.golden/load.txt: it is a pipe or a device"
