#!/bin/sh
# A SUT whose host vanishes without a farewell: in a network namespace of its own, at the other
# end of a cable that is cut. Each kind of line notices within ?alive=, an idle user and one who
# has just typed.
. "$RTE_TOP/tests/support/lines.sh"
if [ -z "${LOST_INSIDE:-}" ]; then
	needs ip unshare socat ss jq openssl /usr/sbin/telnetd /usr/sbin/sshd
	[ "$(id -u)" = 0 ] || { echo "network namespaces need root"; exit 77; }
	LOST_INSIDE=1 exec unshare -n "$0"
fi
NET=sut$$
ip netns add $NET || exit 1
trap 'ip netns pids $NET | xargs -r kill; stop_servers; ip netns del $NET' EXIT
ip link set lo up
ip link add near type veth peer name far netns $NET
ip address add 192.0.2.1/24 dev near
ip link set near up
ip -n $NET address add 192.0.2.2/24 dev far
ip -n $NET link set far up
ip -n $NET link set lo up

cat >"$PROG" <<'END'
#!/bin/sh
stty -echo icrnl icanon
echo "ready"
while read -r line; do
	echo x >>STANDS
	echo "got $line"
done
END
sed -i "s|STANDS|$TMPDIR/stands|" "$PROG"
chmod +x "$PROG"
there() { ip netns exec $NET "$@"; }
make_clerk "$PROG"
mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f hostkey
ssh-keygen -q -t ed25519 -N '' -f key
printf 'HostKey %s/hostkey\nAuthorizedKeysFile %s/key.pub\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPidFile none\n' \
	"$TMPDIR" "$TMPDIR" >sshd_config
there socat TCP-LISTEN:7000,fork,reuseaddr "EXEC:$PROG,pty,setsid,ctty,stderr,rawer" 2>/dev/null &
SERVER_PIDS="$SERVER_PIDS $!"
there socat TCP-LISTEN:7001,fork,reuseaddr "EXEC:/usr/sbin/telnetd -h -E $PROG,nofork" 2>/dev/null &
SERVER_PIDS="$SERVER_PIDS $!"
there unshare -m sh -c 'mount --bind "$1/passwd" /etc/passwd && mount --bind "$1/shadow" /etc/shadow &&
	exec /usr/sbin/sshd -D -p 7002 -f "$1/sshd_config"' sh "$TMPDIR" 2>/dev/null &
SERVER_PIDS="$SERVER_PIDS $!"
n=0
until [ "$(there ss -Hltn | grep -c ':700[012] ')" -ge 3 ]; do
	n=$((n + 1))
	[ $n -lt 1200 ] || { echo "no servers: $(there ss -Hltn)"; exit 1; }
	sleep 0.05
done

# The users say when they are ready to lose their host.
cat >talk.lua <<'END'
function iteration()
  expect "ready"
  send "here" press "Enter"
  expect "got here"
  if user.id == 2 then think(2) send "hello" press "Enter" end
  expect { "nothing more", timeout = "40s" }
end
END
vanish() { # TARGET
	ip link set near up
	n=0
	until ip -o link show near | grep -q LOWER_UP; do
		n=$((n + 1))
		[ $n -lt 1200 ] || { complain "the cable is not up"; return; }
		sleep 0.05
	done
	rm -rf run stands
	"$rte" run talk.lua --target "$1" -u 2 --iterations 1 --on-error stop --ramp 0s --typing cps:50 \
		--connect-timeout 9s --lateness 1h,1h --display plain -o run >out 2>err &
	run=$!
	n=0
	until [ "$(cat stands 2>/dev/null | wc -l)" = 2 ]; do
		n=$((n + 1))
		[ $n -lt 1200 ] || { complain "$1: nobody stands: $(cat err out)"; kill $run; return; }
		sleep 0.05
	done
	ip link set near down
	wait $run
	rc=$?
	lost=$(jq '[.errors[] | select(.kind == "disconnect" and (.message | contains("host is gone"))) | .count] | add // 0' \
		run/run.json)
	[ "$lost" = 2 ] || complain "$1: exit status $rc, $lost of 2 noticed: $(jq -c '[.errors[]? | .message]' run/run.json)"
	[ "$(grep -c ',disconnect,' run/sessions.csv)" = 2 ] || complain "$1: $(cat run/sessions.csv)"
	echo "ok vanished: $1"
}
vanish "tcp://192.0.2.2:7000?alive=3s"
vanish "telnet://192.0.2.2:7001?alive=3s"
vanish "ssh://clerk@192.0.2.2:7002?alive=3s&key=$TMPDIR/key&verify=no"

# A network that is not there at all.
cat >teller.lua <<'END'
function iteration() expect "ready" end
END
refuses 3 "Network is unreachable; check the network" "tcp://192.0.2.2:7000" --on-error stop
"$rte" run teller.lua --target "tcp://192.0.2.2:7000?alive=0s" -u 1 -o run >out 2>err
[ $? = 2 ] && grep -q 'alive=0s is no time' err || complain "alive=0s: $(cat err)"
exit $failed
