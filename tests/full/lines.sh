#!/bin/bash
# The recorded teller, unedited, over every kind of line: 200 users each, 8 over serial lines, 500
# over ssh. No failure, every session in order.
#   tests/full/lines.sh (USERS=200 SSH_USERS=500 LINES="tcp telnet ..." to try less)
lines=${LINES:-tcp tcps telnet telnets rlogin ssh serial ser2net ser2net-telnet}
users=${USERS:-200}
. "$RTE_TOP/tests/support/lines.sh"
needs socat openssl ss jq unshare ser2net /usr/sbin/telnetd /usr/sbin/in.rlogind /usr/sbin/sshd
[ "$(id -u)" = 0 ] || { echo "the servers need root"; exit 77; }
ulimit -n "$(ulimit -Hn)"
HOME=$TMPDIR SSH_AUTH_SOCK=''
export HOME SSH_AUTH_SOCK
ramp=10s
record_teller
for line in $lines; do
	case $line in
	tcp)
		start_tcp "$PROG"
		replays "tcp://127.0.0.1:$PORT"
		;;
	tcps)
		start_tls "$PROG"
		replays "tcps://localhost:$PORT?ca=$TMPDIR/cert.pem"
		;;
	telnet)
		start_telnetd "$PROG"
		replays "telnet://clerk{user}@127.0.0.1:$PORT"
		;;
	telnets)
		start_telnets "$PROG"
		replays "telnets://localhost:$PORT?ca=$TMPDIR/cert.pem"
		;;
	rlogin)
		start_rlogind "$PROG"
		replays "rlogin://clerk@127.0.0.1:$PORT"
		;;
	ssh)
		start_sshd "$PROG"
		ramp=60s users=${SSH_USERS:-500} replays "ssh://clerk@127.0.0.1:$PORT?key=$KEY&known_hosts=$KNOWN"
		;;
	serial)
		start_serial "$PROG" 8
		users=8 replays "serial:$TMPDIR/tty{user}?baud=19200&parity=even&bits=7&stop=2&flow=xonxoff"
		;;
	ser2net)
		start_ser2net "$PROG" 8 tcp
		users=8 replays "tcp://127.0.0.1:$PORTS{user}"
		;;
	ser2net-telnet)
		start_ser2net "$PROG" 8 telnet
		users=8 replays "telnet://127.0.0.1:$PORTS{user}"
		;;
	*) complain "no line '$line'" ;;
	esac
	stop_servers
done
exit $failed
