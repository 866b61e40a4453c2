#!/bin/sh
# The recorded teller over ssh to OpenSSH's sshd: key, agent, password, shell, command, window,
# break; who is not let in; a server that takes few at a time.
. "$RTE_TOP/tests/support/lines.sh"
needs /usr/sbin/sshd ssh-keygen ssh-agent ss jq openssl unshare
[ "$(id -u)" = 0 ] || { echo "sshd needs root"; exit 77; }
HOME=$TMPDIR SSH_AUTH_SOCK=''
export HOME SSH_AUTH_SOCK
record_teller
start_sshd "$PROG"
at=clerk@127.0.0.1:$PORT
replays "ssh://$at?key=$KEY&known_hosts=$KNOWN"
users=4
replays "ssh://$at?key=$KEY&verify=no" --workers 2
users=2
replays "ssh://clerk@[::1]:$PORT?key=$KEY&known_hosts=$KNOWN"
cp "$KEY" key1
cp "$KEY" key2
cp "$KNOWN" known1
cp "$KNOWN" known2
replays "ssh://$at?key=$TMPDIR/key{user}&known_hosts=$TMPDIR/known{user}&command=$PROG%20%23{user}"
RTE_SECRET_PASSWORD=letmein replays "ssh://$at?known_hosts=$KNOWN"
grep -q letmein run/run.json err && complain "the password stands in the log"
eval "$(ssh-agent -s)" >/dev/null
SERVER_PIDS="$SERVER_PIDS $SSH_AGENT_PID"
ssh-add -q "$KEY" 2>/dev/null
replays "ssh://$at?known_hosts=$KNOWN"
SSH_AUTH_SOCK=''

refuses 3 "host key is not known" "ssh://$at?key=$KEY&known_hosts=/dev/null"
sed 's/\(AAAAC3NzaC1lZDI1NTE5AAAAI\)..../\1AAAA/' "$KNOWN" >wrong
refuses 3 "not the one that is known" "ssh://$at?key=$KEY&known_hosts=$TMPDIR/wrong"
ssh-keygen -q -t ed25519 -N '' -f stranger
RTE_SECRET_PASSWORD=wrong
export RTE_SECRET_PASSWORD
refuses 3 "password are not accepted" "ssh://$at?key=$TMPDIR/stranger&known_hosts=$KNOWN"
unset RTE_SECRET_PASSWORD
refuses 3 "no key is accepted" "ssh://$at?key=$TMPDIR/stranger&known_hosts=$KNOWN"

# A command in place of the shell; what it says at once is not lost; its window.
cat >talk.lua <<'END'
terminal { term = "vt220", size = "100x30" }
function iteration()
  expect "vt220 30 100"
  resize(90, 20)
  expect "size 20 90"
end
END
cat >command <<'END'
trap 'echo "size $(stty size)"' WINCH
echo "$TERM $(stty size)"
while :; do sleep 0.1; done
END
"$rte" play talk.lua --timeout 15s --target "ssh://$at?key=$KEY&known_hosts=$KNOWN&command=sh%20$TMPDIR/command" >out 2>&1 ||
	complain "command, window: $(cat out)"
echo 'function iteration() expect "first words" end' >first.lua
n=0
while [ $n -lt 5 ]; do
	n=$((n + 1))
	"$rte" play first.lua --timeout 5s --target "ssh://$at?key=$KEY&known_hosts=$KNOWN&command=echo%20first%20words;sleep%209" \
		>out 2>&1 || complain "first words: $(cat out)"
done

# A break reaches sshd; a pty has no line on which that could pass it on.
echo 'function iteration() expect "here" press "Break" expect { quiet = 200 } end' >break.lua
start_sshd "$PROG" "LogLevel DEBUG1"
"$rte" play break.lua --timeout 15s --target "ssh://clerk@127.0.0.1:$PORT?key=$KEY&known_hosts=$KNOWN&command=echo%20here;sleep%209" \
	>out 2>&1 || complain "break: $(cat out)"
grep -q 'session 0 req break' server.log || complain "sshd saw no break"

# More users at once than the server lets begin: each is refused, tries again, and gets in.
start_sshd "$PROG" "MaxStartups 2"
rm -rf run
"$rte" run teller.lua --target "ssh://clerk@127.0.0.1:$PORT?key=$KEY&known_hosts=$KNOWN" -u 12 --iterations 1 \
	--ramp 0s --connect-retries 20 --think none --typing cps:50 --timeout 60s --lateness 1h,1h -o run >out 2>err ||
	complain "more than MaxStartups: $(cat err)"
refused=$(jq '[.errors[] | select(.kind == "connect") | .count] | add // 0' run/run.json)
[ "$refused" -gt 0 ] || complain "MaxStartups refused nobody"
jq -r '.errors[].message' run/run.json | grep -q 'MaxStartups' || complain "MaxStartups is not told: $(jq .errors run/run.json)"
[ "$(grep -c ',logout,' run/sessions.csv)" = 12 ] || {
	complain "not everybody got in"
	cat run/sessions.csv
}

free_port
refuses 3 "Connection refused" "ssh://root@127.0.0.1:$PORT?key=$KEY&verify=no"
serve socat "TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr" EXEC:'sleep 30'
refuses 3 "does not answer in time" "ssh://root@127.0.0.1:$PORT?key=$KEY&verify=no"
exit $failed
