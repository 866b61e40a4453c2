#!/bin/sh
# --sar USER@HOST over the real ssh to a real sshd on loopback: recorded, reported, nothing left
# there however the run ends; who is not let in is told before anybody logs in; a connection that
# breaks off costs the run nothing.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/servers.sh"
for p in /usr/sbin/sshd ssh ssh-keygen sar sadf ss jq openssl unshare; do
	command -v $p >/dev/null || { echo "$p is missing"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "sshd needs root"; exit 77; }
real=$(command -v ssh)
start_sshd /bin/sh
mkdir remote bin
# clerk's commands keep their files where we can look
cat >"$CLERK/shell" <<END
#!/bin/sh
TMPDIR=$TMPDIR/remote; export TMPDIR
[ "\${1:-}" = -c ] && exec /bin/sh -c "\$2"
exec /bin/sh
END
# What a person keeps in ~/.ssh/config.
cat >ssh_config <<END
Host sut.example
	HostName 127.0.0.1
	Port $PORT
	IdentityFile $KEY
	IdentitiesOnly yes
	UserKnownHostsFile $KNOWN
	LogLevel ERROR
END
printf '#!/bin/sh\nexec %s -F %s/ssh_config "$@"\n' "$real" "$TMPDIR" >bin/ssh
chmod +x bin/ssh
PATH=$PWD/bin:$PATH
short="-u 2 --ramp 0s --continue 0s --rampdown 1s --think const:0.2"
recordings() { ps -eo args= | grep -c "^[^ ]*sar -o $TMPDIR/remote/"; }
nothing_left() { [ "$(recordings)" = 0 ] && [ -z "$(ls remote)" ]; }

run talk.lua $short --measure 4s --sar clerk@sut.example -o there --target "pty:$sut echo" >out 2>err ||
	fail "a run with --sar over ssh"
[ "$(jq -r .sar.host there/run.json)" = clerk@sut.example ] || fail "run.json does not say where"
"$rte" report --json there >sum.json || fail "report"
jq -e '.system.samples >= 3 and .system.cpu_busy.mean >= 0 and .system.run_queue.max >= 0 and
	(.system.clock_off_s | fabs) < 0.5' sum.json >/dev/null || fail "figures: $(jq -c .system sum.json)"
[ "$(jq -r .system.host sum.json)" = "$(uname -n)" ] || fail "the name that it gives itself"
"$rte" report there >out
says out '^SYSTEM .* samples of the interval'
says out '^CPU busy .*%'
grep -q 'id="sar-cpu"' there/report.html || fail "no charts"
grep -q 'Recorded by sar at clerk@sut.example' there/report.html || fail "the page does not say where"
wait_for 60 nothing_left || fail "left: $(recordings) recordings, $(ls remote)"

# The driver is killed: the recording there ends by itself.
"$rte" run talk.lua $short --lateness 30s,60s --measure 5m --display none --sar=clerk@sut.example -o killed \
	--target "pty:$sut echo" >out 2>err &
pid=$!
SERVER_PIDS="$SERVER_PIDS $pid"
rows_there() { [ "$(wc -l <"$1/timeline.csv")" -gt 3 ]; }
wait_for 60 rows_there killed || fail "no run to kill"
[ "$(recordings)" = 1 ] || fail "$(recordings) recordings while the run goes on"
kill -9 $pid
wait_for 60 nothing_left || fail "left of the killed: $(recordings) recordings, $(ls remote)"

# The connection breaks off: said, and the run comes to its end.
run talk.lua $short --measure 6s --sar clerk@sut.example -o broken --target "pty:$sut echo" >out 2>err &
pid=$!
SERVER_PIDS="$SERVER_PIDS $pid"
wait_for 60 rows_there broken || fail "no run to cut off"
kill $(ps -eo pid=,args= | awk -v d="$TMPDIR" '$2 ~ /ssh$/ && $0 ~ d "/ssh_config" && /clerk@sut.example/ && !/awk/ { print $1 }')
wait $pid || fail "the run whose recording broke off: status $?"
says err 'the recording at clerk@sut.example .*not complete'
[ "$(jq -r .outcome broken/run.json)" = finished ] || fail "outcome of the broken: $(jq -r .outcome broken/run.json)"
"$rte" report broken >out || fail "no report of the broken"
wait_for 60 nothing_left || fail "left of the broken: $(recordings) recordings, $(ls remote)"

# Not let in, or not there: status 3 before anybody logs in.
ssh-keygen -q -t ed25519 -N '' -f stranger
sed -i "s|$KEY|$TMPDIR/stranger|" ssh_config
expect_status 3 run talk.lua $short --measure 2s --sar clerk@sut.example -o refused --target "pty:$sut echo"
says err 'cannot record the system activity of clerk@sut.example: .*Permission denied'
[ ! -s refused/sessions.csv ] || [ "$(rows refused/sessions.csv)" = 0 ] || fail "somebody logged in"
sed -i "s|$TMPDIR/stranger|$KEY|; s|$KNOWN|/dev/null|" ssh_config
expect_status 3 run talk.lua $short --measure 2s --sar clerk@sut.example -o refused --target "pty:$sut echo"
says err 'cannot record the system activity of clerk@sut.example: .*[Hh]ost key verification failed'
