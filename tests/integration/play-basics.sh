#!/bin/sh
# One user: exit statuses, what a failure shows, user and seed of a run replayed alone.
. "$RTE_TOP/tests/support/run.sh"

expect_status 0 "$rte" play talk.lua -- "$sut" --keys typed echo
says out "^talk  *1 "
printf 'u1i1\rquit\r' | cmp - typed || fail "typed something else"

cat >wrong.lua <<'END'
target "pty:true"
function login() expect "> " end
function iteration()
  transaction("talk", function()
    send "hello"
    press "Enter"
    expect { "goodbye", timeout = 0.5 }
  end)
end
END
expect_status 1 "$rte" play wrong.lua -- "$sut" echo
says err "wrong.lua:7: not there within 500ms: \"goodbye\""
says err "transaction: talk"
says err "|1: hello "
says err "cursor "
expect_status 1 "$rte" play wrong.lua
says err "wrong.lua runs pty:true"
says err "the line was closed"
expect_status 1 "$rte" play talk.lua -- "$sut" die-write
expect_status 3 "$rte" play talk.lua --target tcp://127.0.0.1:1
expect_status 3 "$rte" play talk.lua -- /nonexistent/program
expect_status 1 "$rte" play talk.lua --timeout 300ms -- "$sut" silent
says err "no output has come at all"
expect_status 2 "$rte" play missing.lua -- "$sut" echo
expect_status 2 "$rte" play talk.lua --speed fast -- "$sut" echo
expect_status 2 "$rte" play talk.lua talk.lua -- "$sut" echo
expect_status 2 "$rte" play talk.lua "$sut"
says err "a command behind --, not '$sut'"
printf '{"version": 2, "width": 80, "height": 24}\n[0.1, "o", "x"]\n' >some.cast
for verb in play run test; do
	expect_status 2 "$rte" $verb some.cast -- "$sut" echo
	cat out >>err
	says err "rte script some.cast -o NAME.lua makes one of it"
done
expect_status 2 "$rte" play talk.lua --user 5 --users 3 -- "$sut" echo
says err "not one of --users 3"
expect_status 2 "$rte" play
expect_status 0 "$rte" play --help

# the figures stand below each other, however long a name is
cat >names.lua <<'END'
function login() expect "> " end
function iteration()
  for _, name in ipairs { "short", "größer und größer und größer", "a name that is longer than the others" } do
    transaction(name, function()
      send "x"
      press "Enter"
      expect ": x"
    end)
  end
end
END
expect_status 0 "$rte" play names.lua --typing none -- "$sut" echo
sed 's/ö/o/g; s/ß/s/g' out | awk '{ print index($0, " 1  mean ") }' >places
[ "$(sort -u places | wc -l)" = 1 ] && [ "$(wc -l <places)" = 3 ] || fail "the figures stand anywhere"

# user 3 of a run types the same alone
cat >random.lua <<'END'
function login() expect "> " end
function iteration()
  transaction("number", function()
    send(random.int(1, 1000000))
    press "Enter"
    expect "> "
  end)
end
END
cat >keys.sh <<END
#!/bin/sh
exec "$sut" --keys "\$1" echo
END
chmod +x keys.sh
expect_status 0 run random.lua -u 4 --iterations 3 --seed 11 --typing cps:100 -o r \
	--target "pty:$PWD/keys.sh run.{user}"
expect_status 0 "$rte" play random.lua --user 3 --users 4 --seed 11 --iterations 3 --typing cps:100 -- \
	"$PWD/keys.sh" alone
cmp run.3 alone || fail "user 3 typed something else alone"
cmp -s run.2 alone && fail "user 2 is user 3"

# recorded rhythm, and its speed
cat >rhythm.lua <<'END'
function login() expect "> " end
function iteration() think(1) send "x" press "Enter" expect ": x" end
END
expect_status 0 "$rte" play rhythm.lua -- "$sut" echo

# a program that somebody has stopped says nothing
printf '#!/bin/sh\nprintf "> "\nkill -STOP $$\n' >stops.sh
chmod +x stops.sh
cat >stops.lua <<'END'
function login() expect "> " end
function iteration() expect { "never", timeout = 1 } end
END
expect_status 1 "$rte" play stops.lua -- ./stops.sh
says err "not there within 1s: \"never\".*; its process is stopped"
expect_status 1 "$rte" play wrong.lua --target "pty:$sut echo"
grep -q "is stopped" err && fail "its process is not stopped"

# a line that is to be a person's, where nobody is
cat >interact.lua <<'END'
function login() expect "> " end
function iteration() interact() end
END
expect_status 1 "$rte" play interact.lua -- "$sut" echo
says err "interact.lua:2: interact: there is no person here; it works in rte play --watch"

# a secret is shown nowhere
cat >secret.lua <<'END'
function login() expect "> " end
function iteration()
  secret "password"
  press "Enter"
  expect { "welcome", timeout = 0.5 }
end
END
RTE_SECRET_PASSWORD=sw0rdfish unset RTE_SECRET_PASSWORD # a function before which it stood may have left it set
expect_status 1 "$rte" play secret.lua -- "$sut" echo
says err "set RTE_SECRET_PASSWORD in the environment"
grep -q sw0rdfish err out && fail "the secret is shown"
expect_status 1 "$rte" play secret.lua -- "$sut" echo
says err RTE_SECRET_
