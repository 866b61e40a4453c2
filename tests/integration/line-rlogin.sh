#!/bin/sh
# The recorded teller over rlogin to a packaged rlogind; its window sizes.
. "$RTE_TOP/tests/support/lines.sh"
needs socat ss jq unshare openssl /usr/sbin/in.rlogind
unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "rlogin needs a reserved port"; exit 77; }
record_teller
start_rlogind "$PROG"
replays "rlogin://clerk@127.0.0.1:$PORT"
ADDRESS='[::1]' users=2
start_rlogind "$PROG"
replays "rlogin://clerk@[::1]:$PORT"
ADDRESS=127.0.0.1

cat >"$PROG" <<'END'
#!/bin/sh
trap 'echo "size $(stty size)"' WINCH
echo "term $TERM size $(stty size)"
while :; do sleep 0.1; done
END
cat >talk.lua <<'END'
terminal { term = "vt220", size = "100x30" }
function iteration()
  expect "term vt220"
  expect "size 30 100"
  resize(90, 20)
  expect "size 20 90"
end
END
start_rlogind "$PROG"
"$rte" play talk.lua --timeout 10s --target "rlogin://clerk@127.0.0.1:$PORT" >out 2>&1 ||
	complain "window sizes: $(cat out)"
echo 'function iteration() expect "term" press "Break" end' >break.lua
"$rte" play break.lua --timeout 9s --target "rlogin://clerk@127.0.0.1:$PORT" >out 2>&1
[ $? = 1 ] && grep -q 'carries no break; telnet, ssh and serial lines do' out || complain "a break over rlogin: $(cat out)"
free_port
refuses 3 "Connection refused" "rlogin://clerk@127.0.0.1:$PORT"
serve socat "TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr" SYSTEM:'dd bs=999 count=1 >no 2>&1; echo go away'
refuses 3 "refused: go away" "rlogin://clerk@127.0.0.1:$PORT"
free_port
serve socat "TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr" EXEC:'sleep 30'
refuses 3 "does not answer" "rlogin://clerk@127.0.0.1:$PORT"
exit $failed
