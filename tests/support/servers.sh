# Real servers on loopback for the tests of lines; sourced. Each start_NAME PROGRAM sets PORT
# (and what its comment says) and ends with the test. PROGRAM is one word: a script that runs
# the SUT.
ADDRESS=127.0.0.1 # or [::1], where the next servers listen
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
		if [ $n -gt 1200 ] || ! kill -0 "$1" 2>/dev/null; then
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

listen_as() { # socat's word for it, by the address
	case $1$ADDRESS in
	TCP\[*) echo "TCP6-LISTEN:$PORT" ;;
	OPENSSL\[*) echo "OPENSSL-LISTEN:$PORT,pf=ip6" ;;
	*) echo "$1-LISTEN:$PORT" ;;
	esac
}

start_telnetd() {
	free_port
	serve socat "$(listen_as TCP),bind=$ADDRESS,fork,reuseaddr" "EXEC:/usr/sbin/telnetd -h -E $1,nofork"
}

# Raw bytes over TCP to a program on a pty.
start_tcp() {
	free_port
	serve socat "$(listen_as TCP),bind=$ADDRESS,fork,reuseaddr" "EXEC:$1,pty,setsid,ctty,stderr,rawer"
}

# A certificate for localhost: $TMPDIR/cert.pem, also its own authority.
make_cert() {
	[ -e "$TMPDIR/server.pem" ] && return
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
		-addext 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1' \
		-keyout "$TMPDIR/key.pem" -out "$TMPDIR/cert.pem" 2>/dev/null
	cat "$TMPDIR/key.pem" "$TMPDIR/cert.pem" >"$TMPDIR/server.pem"
}

start_tls() {
	make_cert
	free_port
	serve socat "$(listen_as OPENSSL),bind=$ADDRESS,fork,reuseaddr,verify=0,cert=$TMPDIR/server.pem" \
		"EXEC:$1,pty,setsid,ctty,stderr,rawer"
}

# telnet inside TLS: a second server unwraps it.
start_telnets() {
	start_telnetd "$1"
	inner=$PORT
	make_cert
	free_port
	serve socat "$(listen_as OPENSSL),bind=$ADDRESS,fork,reuseaddr,verify=0,cert=$TMPDIR/server.pem" \
		"TCP:$ADDRESS:$inner"
}

# A user clerk for servers that look users up: from here on serve_users runs them in a mount
# namespace of their own where clerk exists, with uid 0, the program as shell, and $PASSWORD.
make_clerk() {
	PASSWORD=letmein
	CLERK=$TMPDIR/clerk
	mkdir -p "$CLERK"
	chmod 755 "$TMPDIR" "$CLERK"
	cat >"$CLERK/shell" <<-END
		#!/bin/sh
		[ "\${1:-}" = -c ] && exec /bin/sh -c "\$2"
		exec $1
	END
	chmod +x "$CLERK/shell"
	hash=$(openssl passwd -6 "$PASSWORD")
	{ cat /etc/passwd; echo "clerk:x:0:0:clerk:$CLERK:$CLERK/shell"; } >"$TMPDIR/passwd"
	{ cat /etc/shadow; echo "clerk:$hash:19000::::::"; } >"$TMPDIR/shadow"
	chmod 600 "$TMPDIR/shadow"
}

serve_users() {
	serve unshare -m sh -c 'mount --bind "$1/passwd" /etc/passwd &&
		mount --bind "$1/shadow" /etc/shadow && shift && exec "$@"' sh "$TMPDIR" "$@"
}

# rlogind: clerk is trusted from this host. Needs root.
start_rlogind() {
	make_clerk "$1"
	for host in 127.0.0.1 localhost ::1; do
		echo "$host $(id -un)"
	done >"$CLERK/.rhosts"
	chmod 600 "$CLERK/.rhosts"
	free_port
	serve_users socat "$(listen_as TCP),bind=$ADDRESS,fork,reuseaddr" EXEC:/usr/sbin/in.rlogind,nofork
}

# sshd: KEY is a key that clerk accepts, beside $PASSWORD; KNOWN its known_hosts. Settings after
# the program are added to its configuration, where otherwise many may begin at once.
start_sshd() {
	make_clerk "$1"
	shift
	free_port
	mkdir -p /run/sshd
	KEY=$TMPDIR/client KNOWN=$TMPDIR/known_hosts
	[ -e "$KEY" ] || {
		ssh-keygen -q -t ed25519 -N '' -f "$TMPDIR/hostkey"
		ssh-keygen -q -t ed25519 -N '' -f "$KEY"
	}
	cp "$KEY.pub" "$TMPDIR/authorized"
	chmod 600 "$TMPDIR/authorized"
	{
		printf '%s\n' "${@:-MaxStartups 2000}"
		cat <<-END
			Port $PORT
			ListenAddress 127.0.0.1
			ListenAddress ::1
			HostKey $TMPDIR/hostkey
			AuthorizedKeysFile $TMPDIR/authorized
			StrictModes no
			UsePAM no
			PasswordAuthentication yes
			PermitRootLogin yes
			PidFile none
			PrintMotd no
			PrintLastLog no
		END
	} >"$TMPDIR/sshd_config"
	serve_users /usr/sbin/sshd -D -e -f "$TMPDIR/sshd_config"
	for host in "[127.0.0.1]:$PORT" "[::1]:$PORT"; do
		echo "$host $(cut -d' ' -f1,2 "$TMPDIR/hostkey.pub")"
	done >"$KNOWN"
}

# Serial lines: $TMPDIR/tty1 to ttyN, each with a program of its own at the other end.
start_serial() { # PROGRAM N
	u=1
	while [ $u -le "$2" ]; do
		socat "PTY,link=$TMPDIR/tty$u,raw,echo=0" "EXEC:$1,pty,setsid,ctty,rawer" 2>"$TMPDIR/socat$u.log" &
		SERVER_PIDS="$SERVER_PIDS $!"
		u=$((u + 1))
	done
	u=1
	while [ $u -le "$2" ]; do
		n=0
		until [ -e "$TMPDIR/tty$u" ]; do
			n=$((n + 1))
			[ $n -lt 1200 ] || { echo "socat made no tty$u"; exit 1; }
			sleep 0.05
		done
		u=$((u + 1))
	done
}

# ser2net in front of N serial lines with the program: ports PORT1 to PORTN, {user} behind $PORTS;
# KIND is tcp or telnet.
start_ser2net() { # PROGRAM N KIND
	start_serial "$1" "$2"
	free_port
	PORTS=$((PORT / 10)) # a decade of ports
	while ss -Hltn "sport >= :${PORTS}1 and sport <= :${PORTS}9" | grep -q .; do
		PORTS=$((PORTS + 1))
	done
	accept=tcp
	[ "$3" = tcp ] || accept="telnet,tcp"
	u=1
	while [ $u -le "$2" ]; do
		cat <<-END
			connection: &line$u
			  accepter: $accept,127.0.0.1,$PORTS$u
			  connector: serialdev,$TMPDIR/tty$u,9600n81,local
			  options:
			    kickolduser: false
		END
		u=$((u + 1))
	done >"$TMPDIR/ser2net.yaml"
	PORT=${PORTS}$2
	serve /usr/sbin/ser2net -d -u -c "$TMPDIR/ser2net.yaml"
}
