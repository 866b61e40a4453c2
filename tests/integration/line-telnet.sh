#!/bin/sh
# The recorded teller over telnet to a packaged telnetd, also inside TLS; what telnetd told the
# program; a telnetd that ends early.
. "$RTE_TOP/tests/support/lines.sh"
needs socat openssl ss jq /usr/sbin/telnetd
[ "$(id -u)" = 0 ] || { echo "telnetd needs root"; exit 77; }
record_teller
start_telnetd "$PROG"
replays "telnet://127.0.0.1:$PORT"
start_telnets "$PROG"
replays "telnets://clerk{user}@127.0.0.1:$PORT?ca=$TMPDIR/cert.pem"
refuses 3 "certificate is not accepted" "telnets://127.0.0.1:$PORT"
ADDRESS='[::1]' users=2
start_telnetd "$PROG"
replays "telnet://[::1]:$PORT"
start_telnets "$PROG"
replays "telnets://[::1]:$PORT?ca=$TMPDIR/cert.pem"
ADDRESS=127.0.0.1
free_port
refuses 3 "Connection refused" "telnet://127.0.0.1:$PORT"

# What telnetd told the program, and what it tells of a window that changes. A break
# becomes an interrupt.
cat >"$PROG" <<'END'
#!/bin/sh
trap 'echo "size $(stty size)"' WINCH
trap 'echo "interrupted"' INT QUIT
stty isig
n=0 # telnetd knows the window's size a little after it has started the program
while [ "$(stty size)" = "0 0" ] && [ $n -lt 1200 ]; do
	n=$((n + 1))
	sleep 0.05
done
echo "term $TERM size $(stty size)"
while :; do # a signal ends a read, too
	read -r line && echo "got $line" | od -An -tx1
	[ "$line" = bye ] && exit
done
END
cat >talk.lua <<'END'
terminal { term = "vt220", size = "132x43" }
function talk()
  expect "term vt220 size 43 132"
  resize(100, 30)
  expect "size 30 100"
  send "caf\u{e9} \u{ff}"
  press "Enter"
  expect "67 6f 74 20 63 61 66 c3 a9 20 c3 bf 0a"
  press "Break"
  expect "interrupted"
  send "bye"
  press "Enter"
  expect { eof = true }
end
function iteration() transaction("talk", talk) end
END
negotiates() { # COMMAND...
	if "$@" --timeout 60s >out 2>&1; then
		echo "ok type, size, resize, eight bits, break, end: $*"
	else
		complain "negotiation: $*"
		cat out
	fi
}
start_telnetd "$PROG"
negotiates "$rte" play talk.lua --user 7 --target "telnet://clerk{user}@127.0.0.1:$PORT"
negotiates "$rte" run talk.lua -u 2 --iterations 1 --ramp 0s --on-error stop --lateness 1h,1h --display none -o talked \
	--threshold '*:errors<1%' --target "telnet://clerk{user}@127.0.0.1:$PORT"
start_telnets "$PROG"
negotiates "$rte" play talk.lua --target "telnets://127.0.0.1:$PORT?ca=$TMPDIR/cert.pem"
exit $failed
