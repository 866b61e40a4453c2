#!/bin/sh
# The recorded teller over rlogin to a packaged rlogind.
. "$RTE_TOP/tests/support/lines.sh"
needs socat ss unshare /usr/sbin/in.rlogind
unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "rlogin needs a reserved port"; exit 77; }
record_teller
start_rlogind "$PROG"
replays "rlogin://clerk@127.0.0.1:$PORT"
free_port
refuses 3 "Connection refused" "rlogin://clerk@127.0.0.1:$PORT"
serve socat "TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr" EXEC:'echo go away'
refuses 3 "refused: go away" "rlogin://clerk@127.0.0.1:$PORT"
exit $failed
