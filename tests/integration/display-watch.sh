#!/bin/sh
# 500 users, looked at from another terminal: read-only unless control is asked for; rte ctl; a
# watcher that hangs costs nothing; what comes to none says so.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/tmux.sh"
ulimit -n 4096 2>/dev/null
"$rte" run talk.lua -u 500 --ramp 4s --measure 5m --rampdown 2s --think const:3 --typing cps:5 --workers 2 \
	--lateness 30s,60s --display plain -o run --target "pty:$sut echo" >run.out 2>run.err &
RUN_PID=$!
until_true test -S run/control.sock
terminal 80 24
enter "$rte watch run; echo \"status \$?.\""
pane_has 'looking only'
pane_has ' 500$'
pane_has '^ talk '
keys +
pane_has 'looking only; rte watch --control steers'
keys p
keys e
keys u
pane_has '1 of 500'
keys End
pane_has '500 of 500'
pane_has '^ *500  ' # its row has come, too
keys Enter
pane_has '^ user 500 '
pane_has ': u500i'
# Ctrl-C here is for who looks, not for the run.
keys C-c
pane_has 'status 0\.'
[ -z "$(actions run)" ] || fail "somebody who only looked did: $(actions run)"

# The first list that is told holds the users: an empty one would say that there are none.
(echo 'list number 0 3'; sleep 3) | timeout 10 socat -t 0 - UNIX-CONNECT:run/control.sock | head -n 1 >told
grep -q '"of":500' told || { cat told; fail "the first list"; }

# No job control: a shell that has it would take the terminal from one that is stopped.
enter "set +m; clear; $rte watch run --user 7 --control"
pane_has '^ user 7 '
pane_has 'talk.lua:'
keys z
pane_has '^> u7i\|^: u7i'
pane_lacks '^ user 7 '
keys q
pane_has '^ talk '
keys +
pane_has ' 550$'
expect_status 0 "$rte" ctl run users 500
says out '500 users wanted, were 550'
pane_has ' 500$'

# One that is stopped does not hold up the others, nor the run.
watcher=$(here | awk '$3 == "watch" && $0 ~ /--user 7 --control$/ { print $1 }')
kill -STOP $watcher
rows() { wc -l <run/timeline.csv; }
n=$(rows)
later() { [ "$(rows)" -gt $((n + 3)) ]; }
until_true later
expect_status 0 "$rte" ctl run state
says out '"phase": "measure"'
says out '"out_of_range": 0'
kill -CONT $watcher
pane_has '^ talk '

# Nonsense, floods and crowds at the socket.
socket() { socat -t 1 - "UNIX-CONNECT:run/control.sock"; }
sockets() { ls -l "/proc/$RUN_PID/fd" | grep -c socket: ; }
before=$(sockets)
printf 'user x\nuser 99999999\nlist up 1 2\nlist number\ncontrol nobody\nstop now\n\n\001\377\n' | socket >told
[ "$(grep -c '"ok":false' told)" = 8 ] || { cat told; fail "nonsense was not refused line by line"; }
head -c 100000 /dev/zero | socket >/dev/null 2>&1
yes state | head -n 2000 | timeout 20 socat -u - "UNIX-CONNECT:run/control.sock" 2>/dev/null
crowd=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36; do
	(echo "user $i"; echo watch; sleep 3) | timeout 10 socat -t 0 - "UNIX-CONNECT:run/control.sock" >/dev/null 2>&1 &
	crowd="$crowd $!"
done
wait $crowd
as_before() { [ "$(sockets)" = "$before" ]; }
until_true as_before
expect_status 0 "$rte" ctl run state
says out '"phase": "measure"'
pane_has '^ talk '

expect_status 1 "$rte" ctl run resume
says err 'not paused'
expect_status 1 "$rte" ctl run users 900000
says err 'a number from 0 to'
expect_status 2 "$rte" ctl run users many
expect_status 2 "$rte" ctl run dance
expect_status 2 "$rte" ctl run
expect_status 2 "$rte" watch
expect_status 3 "$rte" watch run
says err 'needs a terminal .*rte ctl RUN_DIR state'
expect_status 3 "$rte" ctl . pause
says err 'no run is going on'
expect_status 3 "$rte" ctl nowhere pause
expect_status 0 "$rte" ctl run pause
pane_has PAUSED
expect_status 0 "$rte" ctl run resume
expect_status 0 "$rte" ctl run stop now
says out stopped
pane_has 'the run has ended; rte report run'
wait $RUN_PID
status=$?
RUN_PID=
[ $status = 0 ] || [ $status = 1 ] || fail "the run's status: $status"
actions run >acts
printf '%s\n' 'users 550 by watch' 'users 500 by ctl' 'pause by ctl' 'resume by ctl' 'stop now by ctl' |
	diff - acts || fail actions
"$rte" report run >out || fail report
expect_status 3 "$rte" ctl run pause
says err 'no run is going on in run; rte report run'
