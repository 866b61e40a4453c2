#!/bin/bash
# What a keystroke and its echo cost over each kind of line, beside raw TCP: ratios in one run.
#   tests/bench/bench_lines.sh BUILD [USERS [KEYS]]
# CPU is user + system of rte, less a run in which the same users connect and leave without
# typing. Servers are those of the tests, on the loopback; needs root. LINES_="tcp ssh": fewer.
set -u
RTE_BUILD=${1:?usage: tests/bench/bench_lines.sh BUILD [USERS [KEYS]]}
users=${2:-20} keys=${3:-400}
case $RTE_BUILD in /*) ;; *) RTE_BUILD=$PWD/$RTE_BUILD ;; esac
RTE_TOP=$(cd "$(dirname "$0")/../.." && pwd)
TMPDIR=$(mktemp -d)
export RTE_BUILD RTE_TOP TMPDIR HOME="$TMPDIR" SSH_AUTH_SOCK=''
. "$RTE_TOP/tests/support/servers.sh"
trap 'stop_servers; rm -rf "$TMPDIR"' EXIT
cd "$TMPDIR" || exit 1
printf '#!/bin/sh\nstty raw -echo\necho ready\nexec cat\n' >prog
chmod +x prog
PROG=$TMPDIR/prog
cat >typing.lua <<END
function login() expect "ready" end
function iteration() send(("abcdefgh"):rep($keys // 8)) expect "gh" end
END
sed '/iteration/s/.*/function iteration() end/' typing.lua >idle.lua

cpu() { # SCRIPT TARGET
	"$RTE_BUILD/support/spent" "$RTE_BUILD/rte" run "$1" --target "$2" -u "$users" --iterations 1 --ramp 2s \
		--typing cps:40 --think none --timeout 60s --lateness 1h,1h --display none -o run >out 2>spent ||
		{ [ $? -le 1 ] || cat spent >&2; }
	[ "$(grep -c ',logout,' run/sessions.csv)" = "$users" ] || echo "$2, $1: not all came to their end" >&2
	sed -n 's/.*cpu \([0-9.]*\) s.*/\1/p' spent
}
base=
one() { # NAME TARGET
	idle=$(cpu idle.lua "$2")
	[ "$1" != serial ] || { stop_servers; rm -f tty*; start_serial "$PROG" "$users"; } # one session each
	busy=$(cpu typing.lua "$2")
	each=$(awk -v a="$busy" -v b="$idle" -v n="$users" -v k="$keys" 'BEGIN { printf "%.2f", (a - b) * 1e6 / n / k }')
	base=${base:-$each}
	awk -v n="$1" -v e="$each" -v b="$base" -v i="$idle" -v u="$users" \
		'BEGIN { printf "%-8s %10.2f %7.2f %14.2f\n", n, e, e / b, i * 1e3 / u }'
	stop_servers
}
printf '%-8s %10s %7s %14s\n' line 'us a key' ratio 'ms a session'
for line in ${LINES_:-tcp pty tcps telnet telnets rlogin ssh serial}; do
	case $line in
	tcp) start_tcp "$PROG" && one tcp "tcp://127.0.0.1:$PORT" ;;
	pty) one pty "pty:$PROG" ;;
	tcps) start_tls "$PROG" && one tcps "tcps://127.0.0.1:$PORT?verify=no" ;;
	telnet) start_telnetd "$PROG" && one telnet "telnet://127.0.0.1:$PORT" ;;
	telnets) start_telnets "$PROG" && one telnets "telnets://127.0.0.1:$PORT?verify=no" ;;
	rlogin) start_rlogind "$PROG" && one rlogin "rlogin://clerk@127.0.0.1:$PORT" ;;
	ssh) start_sshd "$PROG" && one ssh "ssh://clerk@127.0.0.1:$PORT?key=$KEY&verify=no" ;;
	serial) start_serial "$PROG" "$users" && one serial "serial:$TMPDIR/tty{user}" ;;
	esac
done
