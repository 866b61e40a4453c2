#!/bin/sh
# A secret is in nothing that is kept or shown: the SUT echoes it in clear, wrapped, in its title
# and in pieces; the script quotes it, logs it, and names things by it.
. "$RTE_TOP/tests/support/test.sh"
. "$RTE_TOP/tests/support/tmux.sh"
secret='sw0rd,"f%sh'
export RTE_SECRET_PASSWORD="$secret"
# Quotes are doubled in CSV and escaped in JSON, XML and HTML; the rest stays as it is.
leaks() { grep -rlaE -e 'sw0rd,|f%sh|sw0r?d?\\"' "$@"; }
clean() { if leaks "$@"; then fail "a secret was kept or shown"; fi; }

cat >sut.sh <<'SUT'
#!/bin/sh
stty raw -echo
printf 'Password: '
p=
while c=$(dd bs=1 count=1 2>/dev/null; printf .) && [ "${c%.}" != "$(printf '\r')" ]; do p=$p${c%.}; done
printf '\033]0;%s\a\r\nhello %s, so half: %.4s\r\n' "$p" "$p" "$p"
printf '\033[5;76H%s\033[1m%s\033[m\033[8;1Hready' "$p" "$p"
exec cat >/dev/null
SUT
chmod +x sut.sh
cat >leak.lua <<'LUA'
target "pty:./sut.sh"
local word = os.getenv "RTE_SECRET_PASSWORD"
function setup() log("setup", word) end
function login()
  log("the word is", word)
  expect "Password: "
  secret "password"
  press "Enter"
  expect "ready"
end
function iteration()
  transaction("tx " .. word, function()
    press "Enter"
    check.soft(false, "soft " .. word)
    expect { "never " .. word, timeout = "200ms" }
  end)
end
function logout() error("no " .. word) end
LUA

cat >tests.lua <<'LUA'
target "pty:./sut.sh"
defaults { typing = "none" }
local word = os.getenv "RTE_SECRET_PASSWORD"
test("typed openly", function()
  expect "Password: "
  send(word)
  press "Enter"
  expect "ready"
  golden "shown"
  error("no " .. word)
end)
test("expected", function() skip("for " .. word) end)
test("in a pattern", function()
  expect "Password: "
  secret "password"
  expect { match = "never " .. word:gsub("%p", "%%%0"), timeout = "200ms" }
end)
LUA

# a run: the whole directory, and what it prints
"$rte" run leak.lua -u 2 --iterations 2 --typing none --think none --on-error continue \
	--display plain -o ran >out 2>err && fail "the run went well"
says ran/transactions.csv "not there within 200ms"
says ran/transactions.csv "tx \*\*\*"
says ran/sessions.csv "no \*\*\*"
ls ran/failures/*.ans >/dev/null || fail "no picture in colour"
"$rte" report ran --html report.html --junit report.xml >report.out
"$rte" report ran --json >report.json
clean ran out err report.html report.xml report.out report.json

# played, with the word given by the script rather than the environment
sed -e 's/os.getenv "RTE_SECRET_PASSWORD"/"sw0rd,\\"f%sh"/' -e 's/secret "password"/secret("password", word)/' \
	-e '/the word is/d' -e '/^function setup/d' leak.lua >given.lua
(unset RTE_SECRET_PASSWORD && "$rte" play given.lua --typing none >out 2>err) && fail "the play went well"
says err "never \*\*\*"
clean out err

# tests: what is printed in each form, and the artifacts
test_run 1 tests.lua -u
ls tests.golden >ls.out || fail "no golden screen"
for form in --tap --json; do
	test_run 1 tests.lua $form --junit leak.xml --artifacts "art$form"
	clean out err leak.xml "art$form"
done
[ "$(find art--tap -name trace.html | wc -l)" = 2 ] || fail "no trace.html"
[ "$(find art--tap -name trace.cast | wc -l)" = 2 ] || fail "no trace.cast"
clean tests.golden

# watched: the screen that a worker hands over, and a play's own
sed 's/timeout = "200ms"/timeout = "60s"/' leak.lua >wait.lua
"$rte" run wait.lua -u 1 --iterations 1 --typing none --think none -o seen >out 2>err &
run=$!
wait_for 60 test -S seen/control.sock
terminal 100 40
enter "$rte watch seen --user 1"
pane_has 'hello \*\*\*'
pane_has 'never \*\*\*'
pane >pane
keys q
kill -INT $run
kill -INT $run
wait $run
enter "clear; $rte play --watch --typing none wait.lua"
pane_has 'hello \*\*\*'
pane >>pane
keys q
clean pane seen out err
