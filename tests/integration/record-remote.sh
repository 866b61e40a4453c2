#!/bin/sh
# Recording over connections: telnet and ssh to real servers; lines that break or never come.
: "${TMPDIR:=/tmp}"
. "${RTE_TOP:-.}/tests/support/servers.sh"
. "${RTE_TOP:-.}/tests/support/record.sh"
trap 'stop_servers; rm -rf "$work"' EXIT

cat >app <<'E'
#!/bin/sh
stty -echo
n=0 # telnetd knows the window's size a little after it has started the program
while [ "$(stty size)" = "0 0" ] && [ $n -lt 1200 ]; do
	n=$((n + 1))
	sleep 0.05
done
printf 'size %s, %s\r\nPassword: ' "$(stty size)" "$TERM"
read -r password
stty echo
printf '\r\nwelcome\r\n'
trap 'printf "size %s\r\n" "$(stty size)"' WINCH
trap 'printf "interrupted\r\n"' INT QUIT
tries=0
while [ $tries -lt 9 ]; do
	# A signal interrupts the read.
	read -r line || { tries=$((tries + 1)) && continue; }
	[ "$line" = bye ] && exit 0
	printf 'you said %s\r\n' "$line"
done
E
chmod +x app
if [ -x /usr/sbin/telnetd ] && command -v socat >/dev/null && [ "$(id -u)" = 0 ]; then
	start_telnetd "$work/app"
	cat >steps <<'E'
size 100x30
term vt220
wait size 30 100, vt220
wait Password:
gap 20ms
type Kw9zTq4x
key Enter
wait welcome
type one
key Enter
wait you said one
resize 90x20
wait size 20 90
type two
key Enter
wait you said two
send \x1d
wait # break
send #
wait interrupted
type bye
key Enter
exit 0
E
	drives steps "$rte" record -o session --target "telnet://127.0.0.1:$PORT"
	is 'telnet: status' $? 0
	is 'telnet: keys' "$("$castdump" i session.cast | tr '\r' .)" .one.two.bye.
	check_not 'telnet: the secret is nowhere' grep -q Kw9 session.cast session.lua
	check 'telnet: its name is there' grep -q '"m", "secret password"' session.cast
	check 'telnet: a break in the trace' grep -q '"m", "break"' session.cast
	check 'telnet: a break in the script' grep -q 'press "Break"' session.lua
	check 'telnet: the break is played' env RTE_SECRET_PASSWORD=Kw9zTq4x "$rte" play --timeout 9s session.lua
	is 'telnet: resize' "$("$castdump" r session.cast)" 90x20
	check 'telnet: the script reaches it' grep -q "target \"telnet://127.0.0.1:$PORT\"" session.lua
else
	echo '# no telnetd, or not root'
fi

# A terminal that takes nothing for a while: what the line holds by then waits, and so does rte.
cat >full <<'E'
#!/bin/sh
head -c 600000 /dev/zero | tr '\0' x
E
chmod +x full
mkfifo screen keys
exec 9<>keys
spent_little() {
	cpu=$(sed -n 's/.* cpu \([0-9]*\)\.\([0-9]*\) s.*/\1\2/p' spent) # ms
	wall=$(sed -n 's/.*elapsed \([0-9]*\)\.\([0-9]*\) s.*/\1\2/p' spent)
	check "$1: $cpu ms of $wall are spent" [ "${cpu#0}" -lt $((${wall#0} / 10)) ]
}
stalls() { # NAME TARGET
	sh -c 'exec 3<screen; sleep 3; wc -c <&3 >counted' &
	"$RTE_BUILD/support/spent" "$rte" record --no-script -o full --target "$2" <&9 >screen 2>spent
	is "$1: status" $? 0
	wait $!
	is "$1: all is shown" $(($(cat counted))) 600000
	spent_little "$1: while nothing is taken"
}

# ssh: while an answer is waited for, nothing is done.
if [ -x /usr/sbin/sshd ] && [ "$(id -u)" = 0 ]; then
	TMPDIR=$work
	printf '#!/bin/sh\nstty -echo; printf "name? "; read -r name; sleep 2; echo "hello $name"\n' >slow
	chmod 755 "$work" slow
	start_sshd "$work/slow"
	printf 'wait name?\ntype bob\nkey Enter\nwait hello bob\nexit 0\n' >steps
	drives steps sh -c '"$@" 2>spent' sh "$RTE_BUILD/support/spent" "$rte" record --no-script -o slow \
		--target "ssh://clerk@127.0.0.1:$PORT?key=$KEY&known_hosts=$KNOWN"
	is 'ssh: status' $? 0
	is 'ssh: keys' "$("$castdump" i slow.cast | tr '\r' .)" bob.
	spent_little 'ssh: while it waits'
	stop_servers
	start_sshd "$work/full"
	stalls ssh "ssh://clerk@127.0.0.1:$PORT?key=$KEY&known_hosts=$KNOWN"
else
	echo '# no sshd, or not root'
fi

# TLS: more output than one look takes, the rest in the middle of a record.
if command -v socat >/dev/null && command -v openssl >/dev/null; then
	TMPDIR=$work
	cat >flood <<'E'
#!/bin/sh
cd "${0%/*}" || exit 1
kill -STOP "$(cat pid)"
{ head -c 69000 /dev/zero | tr '\0' . && printf '%996s' READY; } | dd bs=10000 iflag=fullblock 2>/dev/null
n=0
until [ "$(ss -Htn "dport = :$SOCAT_SOCKPORT" | awk '{ print $2 }')" -ge 69996 ] || [ $n -ge 100 ]; do
	n=$((n + 1))
	sleep 0.05
done
kill -CONT "$(cat pid)"
read -r line
E
	chmod +x flood
	make_cert
	free_port
	serve socat -b 10000 "OPENSSL-LISTEN:$PORT,bind=127.0.0.1,reuseaddr,verify=0,cert=$work/server.pem" "EXEC:$work/flood"
	printf 'wait READY\ngap 20ms\ntype x\nkey C-j\nexit 0\n' >steps
	drives steps sh -c 'echo $$ >pid; exec "$@"' sh "$rte" record --no-script -o flood \
		--target "tcps://127.0.0.1:$PORT?ca=$work/cert.pem"
	is 'TLS: the end of a flood is seen' $? 0
	free_port
	serve socat -b 10000 "OPENSSL-LISTEN:$PORT,bind=127.0.0.1,reuseaddr,verify=0,cert=$work/server.pem" "EXEC:$work/full"
	stalls TLS "tcps://127.0.0.1:$PORT?ca=$work/cert.pem"
else
	echo '# no socat, or no openssl'
fi

# A server that says nothing of its own, is cut off in the middle, or never answers.
"$sut" tcp reset-middle >port 2>/dev/null &
server=$!
i=0
until [ -s port ] || [ $i -ge 100 ]; do
	i=$((i + 1))
	sleep 0.05
done
printf 'hello\r' | "$rte" record --no-script -o reset --target "tcp://127.0.0.1:$(sed -n 's/^port //p' port)" >shown 2>messages
is 'reset in the middle' $? 3
check 'is said' grep -q 'Connection reset' messages
check 'what came before is there' sh -c '"$1" i reset.cast | grep -q hello' sh "$castdump"
kill $server 2>/dev/null
"$rte" record --no-script -o none --target tcp://127.0.0.1:1 </dev/null >/dev/null 2>messages
is 'refused' $? 3
check_not 'no trace of it' test -e none.cast
finish
