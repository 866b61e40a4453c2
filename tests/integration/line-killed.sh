#!/bin/sh
# A server that is killed in the middle of a run, over each kind of line: who was on it fails with a
# clear word, counted by its kind; the others go on to their end.
. "$RTE_TOP/tests/support/lines.sh"
needs socat openssl ss jq unshare ssh-keygen /usr/sbin/telnetd /usr/sbin/in.rlogind /usr/sbin/sshd
[ "$(id -u)" = 0 ] || { echo "the servers need root"; exit 77; }
unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
HOME=$TMPDIR SSH_AUTH_SOCK=''
export HOME SSH_AUTH_SOCK
cat >"$PROG" <<'END'
#!/bin/sh
stty -echo icrnl icanon
echo "ready"
while read -r line; do
	case $line in
	die) kill -KILL $PPID ;;
	bye) exit 0 ;;
	*)
		echo x >>STANDS
		echo "got $line"
		;;
	esac
done
END
sed -i "s|STANDS|$TMPDIR/stands|" "$PROG"
chmod +x "$PROG"
# Nobody's server dies before all stand; who lives works on after that.
cat >talk.lua <<'END'
function login() expect "ready" end
function iteration()
  rendezvous("all stand")
  transaction("before", function() send "one" press "Enter" expect "got one" end)
  if user.id == 2 then
    send "die" press "Enter"
    expect { "no such answer", timeout = "20s" }
  end
  think(0.5)
  transaction("after", function() send "two" press "Enter" expect "got two" end)
end
function logout() send "bye" press "Enter" end
END
survives() { # TARGET TEXT
	rm -rf run
	"$rte" run talk.lua --target "$1" -u 3 --iterations 1 --on-error stop --ramp 0s --typing cps:50 \
		--timeout 15s --lateness 1h,1h --display plain -o run >out 2>err
	rc=$?
	[ $rc = 0 ] || complain "$1: exit status $rc: $(cat err)"
	[ "$(jq -c '[.errors[] | [.kind, .count]]' run/run.json)" = '[["disconnect",1]]' ] &&
		jq -r '.errors[].message' run/run.json | grep -q "$2" ||
		complain "$1: $(jq -c .errors run/run.json)"
	[ "$(awk -F, '$6 == "after" && $9 == "ok"' run/transactions.csv | wc -l)" = 2 ] ||
		complain "$1: the others did not go on: $(cat run/transactions.csv)"
	[ "$(grep -c ',logout,' run/sessions.csv)" = 2 ] || complain "$1: $(cat run/sessions.csv)"
	echo "ok killed: $1: $(jq -r '.errors[].message' run/run.json)"
}

# The whole server goes, and nobody comes back: each failure is counted for what it was.
start_tcp "$PROG"
cat >all.lua <<'END'
function login() expect "ready" end
function iteration()
  transaction("before", function() send "one" press "Enter" expect "got one" end)
  think(0.5)
end
END
"$rte" run all.lua --target "tcp://127.0.0.1:$PORT" -u 3 --measure 3s --continue 0s --rampdown 0s --ramp 0s \
	--typing cps:50 --timeout 5s --connect-retries 0 --threshold '*:errors<10%' --lateness 1h,1h --display plain -o all >out 2>err &
run=$!
n=0
until [ "$(cat stands 2>/dev/null | wc -l)" -ge 6 ] || [ $n -ge 200 ]; do
	n=$((n + 1))
	sleep 0.05
done
sessions=$(pgrep -P "${SERVER_PIDS##* }")
stop_servers
kill -KILL $sessions
wait $run
rc=$?
[ $rc = 1 ] || complain "the whole server: exit status $rc: $(cat err)"
counted=$(jq -c '.errors | group_by(.kind) | map({ (.[0].kind): map(.count) | add }) | add' all/run.json)
echo "$counted" | jq -e '.disconnect == 3 and .connect >= 1 and (keys | length) == 2' >all.judged ||
	complain "the whole server: counted $counted"
jq -r '.errors[].message' all/run.json | grep -q 'Connection refused' || complain "the whole server: $(jq -c .errors all/run.json)"
echo "ok killed: the whole server: $counted"

start_tcp "$PROG"
survives "tcp://127.0.0.1:$PORT" "closed"
start_tls "$PROG"
survives "tcps://127.0.0.1:$PORT?verify=no" "closed"
start_telnetd "$PROG"
survives "telnet://127.0.0.1:$PORT" "closed"
start_telnets "$PROG"
survives "telnets://127.0.0.1:$PORT?verify=no" "closed"
start_rlogind "$PROG"
survives "rlogin://clerk@127.0.0.1:$PORT" "closed"
start_sshd "$PROG"
survives "ssh://clerk@127.0.0.1:$PORT?key=$KEY&known_hosts=$KNOWN" "ssh connection broke"
start_serial "$PROG" 3
survives "serial:$TMPDIR/tty{user}" "closed"
exit $failed
