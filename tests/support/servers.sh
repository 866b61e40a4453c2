# Real servers on loopback for the tests of lines; sourced. Each start_NAME PROGRAM sets PORT
# (and what its comment says) and ends with the test. PROGRAM is one word: a script that runs
# the SUT.
SERVER_PIDS=
stop_servers() {
	for pid in $SERVER_PIDS; do
		kill "$pid" 2>/dev/null
	done
	SERVER_PIDS=
}
trap stop_servers EXIT

# A port that nobody listens on, different for tests that run side by side.
free_port() {
	PORT=$((10000 + ($$ * 7 + ${PORT:-0}) % 20000)) # below the ports of clients
	while ss -Hltn "sport = :$PORT" | grep -q .; do
		PORT=$((PORT + 1))
	done
}

listening() {
	n=0
	until ss -Hltn "sport = :$PORT" | grep -q .; do
		n=$((n + 1))
		if [ $n -gt 200 ] || ! kill -0 "$1" 2>/dev/null; then
			echo "no server on port $PORT"
			cat "$TMPDIR/server.log" 2>/dev/null
			exit 1
		fi
		sleep 0.05
	done
}

serve() {
	"$@" >"$TMPDIR/server.log" 2>&1 </dev/null &
	SERVER_PIDS="$SERVER_PIDS $!"
	listening $!
}

start_telnetd() {
	free_port
	serve socat "TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr" "EXEC:/usr/sbin/telnetd -h -E $1,nofork"
}

# Raw bytes over TCP to a program on a pty.
start_tcp() {
	free_port
	serve socat "TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr" "EXEC:$1,pty,setsid,ctty,stderr,rawer"
}

# A certificate for localhost: $TMPDIR/cert.pem, also its own authority.
make_cert() {
	[ -e "$TMPDIR/server.pem" ] && return
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
		-addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' \
		-keyout "$TMPDIR/key.pem" -out "$TMPDIR/cert.pem" 2>/dev/null
	cat "$TMPDIR/key.pem" "$TMPDIR/cert.pem" >"$TMPDIR/server.pem"
}

start_tls() {
	make_cert
	free_port
	serve socat "OPENSSL-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr,verify=0,cert=$TMPDIR/server.pem" \
		"EXEC:$1,pty,setsid,ctty,stderr,rawer"
}

# telnet inside TLS: a second server unwraps it.
start_telnets() {
	start_telnetd "$1"
	inner=$PORT
	make_cert
	free_port
	serve socat "OPENSSL-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr,verify=0,cert=$TMPDIR/server.pem" \
		"TCP:127.0.0.1:$inner"
}

# rlogind in a mount namespace of its own, where user clerk exists, is trusted from this host,
# and has the program as shell. Needs root.
start_rlogind() {
	home=$TMPDIR/clerk
	mkdir -p "$home"
	echo "127.0.0.1 $(id -un)" >"$home/.rhosts"
	echo "localhost $(id -un)" >>"$home/.rhosts"
	chmod 755 "$TMPDIR" "$home"
	chmod 600 "$home/.rhosts"
	{ cat /etc/passwd; echo "clerk:x:0:0:clerk:$home:$1"; } >"$TMPDIR/passwd"
	{ cat /etc/shadow; echo 'clerk:*:19000::::::'; } >"$TMPDIR/shadow"
	free_port
	serve unshare -m sh -c 'mount --bind "$1/passwd" /etc/passwd &&
		mount --bind "$1/shadow" /etc/shadow &&
		exec socat "TCP-LISTEN:$2,bind=127.0.0.1,fork,reuseaddr" EXEC:/usr/sbin/in.rlogind,nofork' \
		sh "$TMPDIR" "$PORT"
}

# sshd: KEY is a client's key, KNOWN its known_hosts. Every login runs the program.
start_sshd() {
	free_port
	mkdir -p /run/sshd
	KEY=$TMPDIR/client KNOWN=$TMPDIR/known_hosts
	ssh-keygen -q -t ed25519 -N '' -f "$TMPDIR/hostkey"
	ssh-keygen -q -t ed25519 -N '' -f "$KEY"
	cp "$KEY.pub" "$TMPDIR/authorized"
	chmod 600 "$TMPDIR/authorized"
	cat >"$TMPDIR/sshd_config" <<-END
		Port $PORT
		ListenAddress 127.0.0.1
		HostKey $TMPDIR/hostkey
		AuthorizedKeysFile $TMPDIR/authorized
		StrictModes no
		UsePAM no
		PasswordAuthentication yes
		PermitRootLogin yes
		MaxStartups 2000
		MaxSessions 2000
		PidFile none
		ForceCommand $1
	END
	serve /usr/sbin/sshd -D -e -f "$TMPDIR/sshd_config"
	echo "[127.0.0.1]:$PORT $(cut -d' ' -f1,2 "$TMPDIR/hostkey.pub")" >"$KNOWN"
}
