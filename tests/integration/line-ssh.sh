#!/bin/sh
# The recorded teller over ssh to OpenSSH's sshd.
. "$RTE_TOP/tests/support/lines.sh"
needs /usr/sbin/sshd ssh-keygen ss
[ "$(id -u)" = 0 ] || { echo "sshd needs root"; exit 77; }
record_teller
start_sshd "$PROG"
at=root@127.0.0.1:$PORT
replays "ssh://$at?key=$KEY&known_hosts=$KNOWN"
replays "ssh://$at?key=$KEY&verify=no" --workers 2
refuses 3 "host key is not known" "ssh://$at?key=$KEY&known_hosts=/dev/null"
sed 's/\(AAAAC3NzaC1lZDI1NTE5AAAAI\)..../\1AAAA/' "$KNOWN" >wrong
refuses 3 "not the one that is known" "ssh://$at?key=$KEY&known_hosts=$TMPDIR/wrong"
ssh-keygen -q -t ed25519 -N '' -f stranger
HOME=$TMPDIR SSH_AUTH_SOCK='' RTE_SECRET_PASSWORD=wrong
export HOME SSH_AUTH_SOCK RTE_SECRET_PASSWORD
refuses 3 "password are not accepted" "ssh://$at?key=$TMPDIR/stranger&known_hosts=$KNOWN"
unset RTE_SECRET_PASSWORD
refuses 3 "no key is accepted" "ssh://$at?key=$TMPDIR/stranger&known_hosts=$KNOWN"
free_port
serve socat "TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr" EXEC:'sleep 30'
refuses 3 "does not answer in time" "ssh://root@127.0.0.1:$PORT?key=$KEY&verify=no"
exit $failed
