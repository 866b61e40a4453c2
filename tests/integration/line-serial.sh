#!/bin/sh
# The recorded teller over serial lines, socat's pty pairs for cables, and over ser2net in front of
# such; settings, exclusive use, hang-up, and the device as it was before, however the run ends.
. "$RTE_TOP/tests/support/lines.sh"
needs socat ss jq stty ser2net
record_teller
users=8
start_serial "$PROG" 8
replays "serial:$TMPDIR/tty{user}?baud=19200&parity=even&bits=7&stop=2&flow=xonxoff"
users=2
start_ser2net "$PROG" 2 tcp
replays "tcp://127.0.0.1:$PORTS{user}"
start_ser2net "$PROG" 2 telnet
replays "telnet://127.0.0.1:$PORTS{user}"

# A program that stays; what the device is set to while it runs, and after.
cat >"$PROG" <<'END'
#!/bin/sh
stty -echo icrnl icanon
while read -r line; do
	[ "$line" = bye ] && exit
	echo "got $line"
done
END
start_serial "$PROG" 2
tty=$TMPDIR/tty1
stty -F "$tty" 1200 cs8 -parenb crtscts icanon -ixon
before=$(stty -g -F "$tty")
as_before() { [ "$(stty -g -F "$tty")" = "$before" ] || complain "$1: the device is not as it was"; }
cat >talk.lua <<'END'
function iteration()
  press "Enter" -- ends what somebody before left unfinished
  send "one" press "Enter"
  expect "got one"
  press "Break"
  send "two" press "Enter" -- held back until the break is over
  expect "got two"
  send "three" press "Enter"
  expect { "nothing of the kind", timeout = "20s" }
end
END
in_use() {
	"$rte" play talk.lua --timeout 20s --target "serial:$tty?baud=38400&parity=mark&flow=rtscts" >out 2>&1 &
	play=$!
	n=0
	until [ "$(stty -F "$tty" speed 2>/dev/null)" = 38400 ]; do
		n=$((n + 1))
		[ $n -lt 1200 ] || { complain "the device was never set: $(cat out)"; return; }
		sleep 0.05
	done
}
for sig in INT TERM HUP; do
	in_use
	stty -a -F "$tty" >set
	for word in 'speed 38400 baud' ' parodd ' ' cmspar ' ' crtscts' ' -icanon '; do
		grep -q -e "$word" set || complain "no '$word' in $(cat set)"
	done
	kill -$sig $play
	wait $play
	as_before "SIG$sig"
done
# At its own end, a failed one, and a second user is kept out meanwhile.
in_use
kind=connect
refuses 3 "is in use" "serial:$tty?baud=9600"
kill $play
wait $play
as_before "a second user"
# The break had its time: both lines of text came, in order.
sed 's/"20s"/"1s"/' talk.lua >short.lua
"$rte" play short.lua --timeout 9s --target "serial:$tty?baud=110" >out 2>&1
grep -q "nothing of the kind" out || complain "a break: $(cat out)"
as_before "a failed script"
# The other side hangs up.
echo 'function iteration() send "bye" press "Enter" expect { eof = true, timeout = "9s" } end' >eof.lua
"$rte" play eof.lua --target "serial:$TMPDIR/tty2" >out 2>&1 || complain "hang-up: $(cat out)"

refuses 3 "cannot open" "serial:$TMPDIR/none?baud=9600"
refuses 3 "is no serial line" "serial:/dev/null"
refuses 2 "baud=fast is no speed" "serial:/dev/ttyS0?baud=fast"
refuses 2 "parity=any is not known; known are none, even, odd, mark, space" "serial:/dev/ttyS0?parity=any"
refuses 2 "a device is wanted" "serial:ttyS0"
exit $failed
