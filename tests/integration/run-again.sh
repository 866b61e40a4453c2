#!/bin/sh
# Sessions that end before their time: one that expires is given up by the script's rule and begun anew,
# those that die come back after a growing back-off, not all at once; a SUT that is now and then
# not there is found again; and a run that measures for ever ends when it is told to.
. "$RTE_TOP/tests/support/run.sh"

# every third line is answered by "Session expired", and the session ends with Enter
cat >expires.sh <<'EOF'
#!/bin/sh
stty -echo
n=0
printf '> '
while read -r line; do
	[ "$line" != quit ] || exit 0
	n=$((n + 1))
	if [ $n = 3 ]; then
		printf '\r\n\033[7mSession expired\033[0m press Enter'
		read -r line
		exit 0
	fi
	printf '\r\n%s: %s\r\n> ' $n "$line"
done
EOF
chmod +x expires.sh
cat >expires.lua <<'EOF'
unexpected("Session expired", function() error "the session expired" end)
function login() expect "> " end
function iteration()
  local line = "i" .. user.iteration
  transaction("talk", function() send(line) press "Enter" expect(": " .. line) end)
end
function logout() send "quit" press "Enter" end
EOF
run expires.lua -u 2 --iterations 7 --ramp 100ms --typing cps:100 --think none -o expires -- ./expires.sh >out 2>err ||
	fail "exit status $?"
# iterations 3 and 6 fail at once, not by their time-out, and are counted by kind
column expires/transactions.csv detail | grep -c "the session expired" | grep -qx 4 || fail "not four sessions expired"
[ "$(column expires/transactions.csv status | grep -cx ok)" = 10 ] || fail "the others are not ok"
[ "$(column expires/sessions.csv session | sort -n | tail -n 1)" = 3 ] || fail "nobody logged in again"
jq -e '[.errors[] | select(.kind == "error" and (.message | contains("the session expired"))).count] | add == 4' \
	expires/run.json >/dev/null || fail "errors by kind"
grep -q "Session expired" expires/failures/*.txt || fail "the screen was not kept"

# sessions that die at once: back-off doubles, and differs from user to user
cat >dies.lua <<'EOF'
function login() expect "never" end
function iteration() end
EOF
expect_status 1 run dies.lua -u 8 --ramp 0s --measure 9s --continue 0s --rampdown 100ms -o dies -- "$sut" exit 1
says err "no user got anywhere"
cat >dies.lua <<'EOF'
function login() expect "> " end
function iteration()
  transaction("talk", function() send "x" press "Enter" expect "never" end)
end
EOF
expect_status 1 run dies.lua -u 8 --ramp 0s --measure 6s --continue 0s --rampdown 100ms --typing cps:100 \
	-o dies -- "$sut" die-write 1
column dies/sessions.csv session >session
column dies/sessions.csv backoff_s >backoff
# the end of the run cuts a wait off
column dies/sessions.csv end | paste -d' ' session backoff - | grep -v ' aborted$' >waits
# the wait in front of session k is 2^(k-2) s, times 0.5 to 1.5
awk '$1 == 1 && $2 > 0.01 { exit 1 }
	$1 > 1 && $1 < 5 { most = 2 ^ ($1 - 2) * 1.5; all++; if ($2 < most / 3 - 0.01) bad = 1; if ($2 > most + 0.5) late++ }
	$1 == 2 { if (!n++ || $2 < lo) lo = $2; if ($2 > hi) hi = $2 }
	END { exit bad || late > all / 2 || n != 8 || hi - lo < 0.1 }' waits || fail "back-off: $(cat waits)"
jq -e '.errors[] | select(.kind == "disconnect") | .count >= 16' dies/run.json >/dev/null || fail "errors by kind"

# a server that is there and not there in turn: refusals are counted, the work gets done
"$sut" tcp refuse 0 300 >server &
pid=$!
wait_for 60 grep -q port server || fail "no server"
port=$(sed -n 's/^port //p' server)
expect_status 0 run talk.lua -u 12 --ramp 1s --iterations 2 --typing cps:200 --think none \
	--connect-retries 20 --target "tcp://127.0.0.1:$port" -o refuses
kill $pid
[ "$(column refuses/transactions.csv status | grep -cx ok)" = 24 ] || fail "refuses: not all got their work done"
jq -e '[.errors[] | select(.kind == "connect").count] | add > 0' refuses/run.json >/dev/null || fail "no refusal was counted"

# for ever, until it is told to end: what was measured counts, and all is well
run talk.lua -u 3 --ramp 100ms --measure forever --typing cps:100 --think const:0.05 --rampdown 200ms \
	-o ever -- "$sut" echo >out 2>err &
pid=$!
wait_for 60 sh -c '[ "$(wc -l <ever/transactions.csv)" -gt 20 ]' || fail "nothing is measured"
jq -e '.outcome == "running" and .config.measure_s == "forever"' ever/run.json >/dev/null || fail "run.json while it runs"
"$rte" ctl ever stop >/dev/null || fail "ctl stop"
wait $pid || fail "a run for ever ended with $?"
jq -e '.outcome == "stopped" and .totals.failures == 0' ever/run.json >/dev/null || fail "outcome of a run for ever"
[ "$(column ever/transactions.csv counted | grep -cx 1)" -gt 10 ] || fail "nothing counts"
[ "$(column ever/sessions.csv end | sort -u)" = logout ] || fail "not ended gently"
