#!/bin/sh
# The recorded teller over raw TCP and over TLS.
. "$RTE_TOP/tests/support/lines.sh"
needs socat openssl ss
record_teller
start_tcp "$PROG"
replays "tcp://127.0.0.1:$PORT"
start_tls "$PROG"
replays "tcps://127.0.0.1:$PORT?ca=$TMPDIR/cert.pem"
replays "tcps://localhost:$PORT?verify=no"
refuses 3 "certificate is not accepted" "tcps://127.0.0.1:$PORT"
refuses 2 "nothing is called 'cert' here" "tcps://127.0.0.1:$PORT?cert=x"
free_port
refuses 3 "Connection refused" "tcp://127.0.0.1:$PORT"
start_tcp "$PROG"
refuses 3 "is it a TLS port" "tcps://127.0.0.1:$PORT?verify=no"
exit $failed
