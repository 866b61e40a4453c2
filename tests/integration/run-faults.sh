#!/bin/sh
# When things go wrong for some, the others go on, and each kind is counted.
. "$RTE_TOP/tests/support/run.sh"

server() {
	rm -f port
	"$sut" tcp "$@" >port &
	server=$!
	wait_for 60 grep -q port port || fail "no server"
	port=$(awk '{ print $2; exit }' port)
}
stop_server() {
	kill "$server" 2>/dev/null
	wait "$server" 2>/dev/null
}
errors() { jq -r '.errors[].kind' "$1/run.json" | sort -u | tr '\n' ' '; }

# a SUT that resets half of the connections: all get their work done in the end
server reset-half
expect_status 0 run talk.lua -u 6 --iterations 2 --ramp 200ms --typing cps:100 --think none \
	--target "tcp://127.0.0.1:$port" -o half
stop_server
[ "$(column half/transactions.csv status | grep -c ok)" = 12 ] || fail "half: not 12 transactions"

# sessions that die in the middle of an answer: disconnect, and the user comes back
server close-middle
expect_status 1 run talk.lua -u 2 --measure 3s --typing cps:100 --think none \
	--target "tcp://127.0.0.1:$port" -o middle
stop_server
column middle/transactions.csv status | grep -qx disconnect || fail "middle: no disconnect"
[ "$(column middle/sessions.csv session | sort -n | tail -n 1)" -ge 2 ] || fail "nobody came back"
column middle/sessions.csv backoff_s | awk '$1 > 0.4 { n++ } END { exit !n }' || fail "no back-off"
check_accounts middle

# a SUT that stops answering: timeout, with the screen once per picture
expect_status 1 run talk.lua -u 3 --iterations 2 --typing cps:100 --think none --timeout 700ms \
	--on-error continue -o mute -- "$sut" late 60000
[ "$(column mute/transactions.csv status | sort -u)" = timeout ] || fail "mute: status"
[ "$(column mute/transactions.csv ended_by | sort -u)" = timeout ] || fail "mute: ended_by"
says mute/transactions.csv "not there within 700ms"
ls mute/failures/*.txt >/dev/null || fail "no screen was kept"
grep -q "^|> u" mute/failures/*.txt || fail "the screen is not the user's"
[ "$(ls mute/failures/*.txt | wc -l)" -le 6 ] || fail "a picture was kept twice"

# scripts that break a limit end their own session; talkers beside them go on
cat >bad.lua <<'END'
function login() expect "> " end
function iteration()
  local n = user.id % 4
  if n == 0 then while true do end
  elseif n == 1 then local function f() return f() + 1 end f()
  elseif n == 2 then local t = {} while true do t[#t + 1] = ("x"):rep(1e6) .. #t end
  else error("boom " .. user.id) end
end
END
expect_status 0 run talk.lua bad.lua -u 8 --ramp 200ms --iterations 3 --typing cps:100 \
	--think const:0.2 --on-error stop -o bad -- "$sut" echo
[ "$(column bad/transactions.csv status | grep -cx ok)" = 12 ] || fail "the talkers did not go on"
[ "$(column bad/sessions.csv end | grep -cx stop)" = 4 ] || fail "not 4 users were stopped"
[ "$(errors bad)" = "error " ] || fail "kinds of errors: $(errors bad)"

# a flood does not starve the others
cat >flood.lua <<'END'
function iteration() think(1) end
END
expect_status 0 run talk.lua -u 4 --iterations 5 --typing cps:50 --think none -o quiet -- "$sut" echo
(
	exec "$rte" run --display none flood.lua -u 2 --measure 30s -o flooded -- "$sut" flood
) >/dev/null 2>&1 &
flood=$!
expect_status 0 run talk.lua -u 4 --iterations 5 --typing cps:50 --think none -o beside -- "$sut" echo
kill -TERM "$flood"
kill -TERM "$flood"
wait "$flood"
printf 'function iteration() think(1) end\n' >flood.lua
cat >mixed.lua <<'END'
workload {
  scripts = { { "talk.lua", users = { 1, 2, 3 } }, { "flood.lua", users = { 4 } } },
  users = 4, workers = 1, iterations = 3, typing = "cps:50", timeout = "20s",
  target = "pty:SUT.sh {user}",
}
END
cat >SUT.sh <<END
#!/bin/sh
[ "\$1" = 4 ] && exec "$sut" flood
exec "$sut" echo
END
chmod +x SUT.sh
PATH=$PWD:$PATH expect_status 0 run mixed.lua -o mixed
[ "$(column mixed/transactions.csv status | grep -cx ok)" = 9 ] || fail "a flood starved the others"

# no room for the log: the run ends, says so, and what is there is whole lines
(
	ulimit -f 16
	trap '' XFSZ
	run talk.lua -u 10 --measure 60s --typing none --think none -o full -- "$sut" echo >out 2>err
)
[ $? = 3 ] || fail "a full disk"
says err "cannot write"
[ -z "$(tail -c 1 full/transactions.csv | tr -d '\n')" ] || fail "a torn last line"
column full/transactions.csv status >/dev/null
