#!/bin/sh
# The recorded teller over serial lines; socat's pty pairs stand for the cables.
. "$RTE_TOP/tests/support/lines.sh"
needs socat
record_teller
users=8
u=1
while [ $u -le $users ]; do
	socat "PTY,link=$TMPDIR/tty$u,raw,echo=0" "EXEC:$PROG,pty,setsid,ctty,rawer" 2>"socat$u.log" &
	SERVER_PIDS="$SERVER_PIDS $!"
	u=$((u + 1))
done
u=1
while [ $u -le $users ]; do
	n=0
	until [ -e "tty$u" ]; do
		n=$((n + 1))
		[ $n -lt 100 ] || { echo "socat made no tty$u"; exit 1; }
		sleep 0.05
	done
	u=$((u + 1))
done
replays "serial:$TMPDIR/tty{user}?baud=19200&parity=even&bits=7&stop=2&flow=xonxoff"
refuses 3 "cannot open" "serial:$TMPDIR/none?baud=9600"
refuses 2 "baud is one of the usual speeds" "serial:/dev/ttyS0?baud=9601"
refuses 2 "parity=mark is not known" "serial:/dev/ttyS0?parity=mark"
exit $failed
