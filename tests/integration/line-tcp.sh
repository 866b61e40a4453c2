#!/bin/sh
# The recorded teller over raw TCP and over TLS; several targets and source addresses in turn.
. "$RTE_TOP/tests/support/lines.sh"
needs socat openssl ss jq
record_teller
start_tcp "$PROG"
first=$PORT
replays "tcp://127.0.0.1:$PORT"
ADDRESS=0.0.0.0 start_tls "$PROG"
replays "tcps://127.0.0.1:$PORT?ca=$TMPDIR/cert.pem"
users=2
replays "tcps://localhost:$PORT?verify=no"
cp cert.pem cert1
cp cert.pem cert2
replays "tcps://127.0.0.1:$PORT?ca=$TMPDIR/cert{user}"
refuses 3 "cannot read the authorities in $TMPDIR/none" "tcps://127.0.0.1:$PORT?ca=$TMPDIR/none{user}"
refuses 3 "certificate is not accepted: self-signed certificate; trust its authority" "tcps://127.0.0.1:$PORT"
refuses 3 "IP address mismatch; it is another host's" "tcps://127.1.0.1:$PORT?ca=$TMPDIR/cert.pem"
refuses 2 "nothing is called 'cert' here" "tcps://127.0.0.1:$PORT?cert=x"

# Targets in turn, and sources in turn: the SUT's side names the addresses that came.
free_port
serve socat "TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr" \
	"SYSTEM:echo \$SOCAT_PEERADDR >>$TMPDIR/peers; exec $PROG,pty,setsid,ctty,stderr,rawer"
users=6
replays "tcp://127.0.0.1:$PORT" --target "tcp://localhost:$first" \
	--bind 127.0.0.2 --bind 127.0.0.3 --bind 127.0.0.4
for t in "127.0.0.1:$PORT" "localhost:$first"; do
	n=$(grep -c ",tcp://$t," run/sessions.csv)
	[ "$n" = 3 ] || complain "$n sessions of 6 to $t, not 3"
done
# Users 1, 3, 5 come here, from the first, the third and the second address.
[ "$(sort peers | tr '\n' ' ')" = "127.0.0.2 127.0.0.3 127.0.0.4 " ] || complain "came from $(sort peers)"

# A source address is looked at before anybody starts.
refuses 2 "source address 'here' is no address" "tcp://127.0.0.1:$PORT" --bind here
kind=none
refuses_early() {
	rm -rf run
	"$rte" run teller.lua --target "tcp://127.0.0.1:$PORT" -u 1 --iterations 1 -o run "$@" >out 2>err
	[ $? = 3 ] && grep -q "must be this machine's" err && [ ! -e run ] || complain "$*: $(cat err)"
}
refuses_early --bind 192.0.2.7
refuses_early --bind 127.0.0.2 --bind 2001:db8::7
"$rte" run teller.lua --target "pty:$PROG" -u 1 --iterations 1 --think none --typing cps:50 --lateness 1h,1h \
	--bind 127.0.0.2 -o run >out 2>err || complain "--bind with pty: $(cat err)"
grep -q -- "--bind: no target has a source address" err || complain "--bind with pty says nothing"

kind=connect users=2
ADDRESS='[::1]'
start_tcp "$PROG"
replays "tcp://[::1]:$PORT"
start_tls "$PROG"
replays "tcps://[::1]:$PORT?ca=$TMPDIR/cert.pem" --bind ::1
ADDRESS=127.0.0.1
free_port
refuses 3 "Connection refused" "tcp://127.0.0.1:$PORT"
start_tcp "$PROG"
refuses 3 "is it a TLS port" "tcps://127.0.0.1:$PORT?verify=no"
exit $failed
