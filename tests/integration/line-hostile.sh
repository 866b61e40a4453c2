#!/bin/sh
# Servers that no client should have to meet (tests/support/hostile): each session fails with a
# clear word of the right kind, within the time to connect; none takes processor or memory for
# itself, and users of a good SUT in the same run see nothing of it.
. "$RTE_TOP/tests/support/lines.sh"
needs jq
hostile=$RTE_BUILD/support/hostile
# What AddressSanitizer keeps of freed memory is no matter here.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=8"
export HOME="$TMPDIR" SSH_AUTH_SOCK='' RTE_SECRET_PASSWORD=letmein

started() { # PORT-FILE
	n=0
	until [ -s "$1" ]; do
		n=$((n + 1))
		[ $n -lt 1200 ] || { echo "no server: $1"; exit 1; }
		sleep 0.05
	done
	PORT=$(sed 's/port //' "$1")
}
cat >talk.lua <<'END'
local patience = user.id == 1 and "60s" or nil -- the others have --timeout
function login() expect { "> ", timeout = "60s" } end
function iteration()
  local line = "i" .. user.iteration
  transaction("talk", function() send(line) press "Enter" expect { ": " .. line, timeout = patience } end)
  think(0.2)
end
END

# Otherwise a run in which most fail, and the good one is slow to begin, would be given up.
after="--after seen"

# The lines of cases, "KIND VARIANT TEXT...": a run in which user 1 has a good SUT, and
# each other user one of these; TEXT is what its session ends with.
meets() { # OPTION...
	rm -f ./*.port seen
	"$RTE_BUILD/support/sut" --keys seen tcp echo >good.port &
	SERVER_PIDS="$SERVER_PIDS $!"
	while read -r kind variant text; do
		"$hostile" $after "$variant" >"$kind-$variant.port" &
		SERVER_PIDS="$SERVER_PIDS $!"
	done <cases
	started good.port
	good=tcp://127.0.0.1:$PORT
	set -- --target "$good" "$@"
	while read -r kind variant text; do
		started "$kind-$variant.port"
		case $kind in
		ssh) set -- "$@" --target "ssh://clerk@127.0.0.1:$PORT?verify=no" ;;
		rlogin) set -- "$@" --target "rlogin://clerk@127.0.0.1:$PORT" ;;
		*) set -- "$@" --target "$kind://127.0.0.1:$PORT?verify=no" ;;
		esac
	done <cases
	rm -rf run
	"$RTE_BUILD/support/spent" "$rte" run talk.lua "$@" -u $(($(wc -l <cases) + 1)) --iterations 12 \
		--connect-retries 0 --on-error stop --ramp 0s --think none --typing cps:50 \
		--lateness 1h,1h --display none -o run >out 2>err
	rc=$?
	[ $rc = 0 ] || complain "the run: exit status $rc: $(cat err)"
	[ "$(grep -c ',talk,.*,ok,' run/transactions.csv)" = 12 ] && grep -q "$good,logout," run/sessions.csv ||
		complain "the good SUT's user: $(grep "$good" run/sessions.csv)"
	while read -r kind variant text; do
		started "$kind-$variant.port"
		grep "127.0.0.1:$PORT" run/sessions.csv | grep -q "$text" ||
			complain "$kind $variant, wanted '$text': $(grep "127.0.0.1:$PORT" run/sessions.csv)"
	done <cases
	spent=$(tail -n 1 err)
	stop_servers
	echo "ok $(wc -l <cases) hostile servers: $spent"
}
figure() { echo "$spent" | tr -d . | sed "s/.*$1 0*\([0-9][0-9]*\).*/\1/"; } # ms, KiB

# Those that fall silent: the time to connect is kept, and nobody turns in circles.
{
	cat <<-END
		ssh mute does not answer in time
		ssh kex-mute does not answer in time
		ssh auth-mute does not answer in time
		ssh channel-mute does not answer in time
		ssh pty-mute does not answer in time
		ssh shell-mute does not answer in time
		tcps tls-slow it does not answer; is it a TLS port
		tcps tls-hello-mute it does not answer; is it a TLS port
	END
	[ "$(id -u)" != 0 ] || echo "rlogin rlogin-slow the rlogin server refused: xxx"
} >cases
after='' meets --connect-timeout 4s
[ "$(figure elapsed)" -lt 25000 ] || complain "the time to connect is not kept: $spent"
[ $(($(figure cpu) * 2)) -lt "$(figure elapsed)" ] || complain "waiting takes processor time: $spent"
[ "$(jq '[.errors[] | select(.kind != "connect")] | length' run/run.json)" = 0 ] || complain "$(jq -c .errors run/run.json)"

# Those that close, or talk nonsense, or talk for ever.
{
	cat <<-END
		ssh close no ssh with the SUT: Socket error
		ssh random no ssh with the SUT: .*; is it an ssh port
		ssh banner-close no ssh with the SUT: Socket error
		ssh banner-random no ssh with the SUT: .*; is it an ssh port
		ssh banner-lines it sends without end and never comes to the point
		ssh banner-long no ssh with the SUT: .*too large banner; is it an ssh port
		ssh kex-close no ssh with the SUT: Socket error
		ssh kex-random no ssh with the SUT: .*; is it an ssh port
		ssh kex-ignore it sends without end and never comes to the point
		ssh auth-close ssh authentication broke off: Socket error
		ssh auth-banners it sends without end and never comes to the point
		ssh channel-close the SUT opens no session: Socket error
		ssh channel-refuse the SUT opens no session
		ssh shell-refuse the SUT starts no shell
		ssh open-mute not there within 2s
		ssh open-close ssh connection broke: Socket error
		ssh open-random Packet len too high
		ssh open-ignore not there within 2s
		ssh open-debug not there within 2s
		tcps close no TLS with the SUT
		tcps random is it a TLS port
		tcps tls-records is it a TLS port
		tcps tls-alerts no TLS with the SUT: too many warn alerts
		tcps tls-hello-close no TLS with the SUT
		tcps tls-hello-requests it sends without end and never comes to the point
		tcps tls-certificate no TLS with the SUT: excessive message size
		tcps tls-chain no TLS with the SUT
		tcps tls-open-random the TLS connection broke
		tcps tls-open-tickets not there within 2s
		tcps tls-open-updates not there within 2s
	END
	[ "$(id -u)" != 0 ] || printf '%s\n' "rlogin close ,error," "rlogin rlogin-long the rlogin server refused: nnn" \
		"rlogin random the rlogin server refused" "rlogin rlogin-random not there within 2s"
} >cases
meets --connect-timeout 60s --timeout 2s
[ "$(figure memory)" -lt 200000 ] || complain "memory without bounds: $spent"

# One that asks for answers and takes none is cut off; until then they are kept.
echo "ssh open-deaf asks for answers faster than it takes them" >cases
meets --connect-timeout 60s --timeout 100s
[ "$(figure memory)" -lt 200000 ] || complain "memory without bounds: $spent"

# One that opens its window for so much and then no more: the rest waits for the time-out, and rte
# with it.
"$hostile" open-mute >shut.port &
SERVER_PIDS="$SERVER_PIDS $!"
started shut.port
echo 'function iteration() expect { "> ", timeout = "60s" } paste(string.rep("x", 3000000)) end' >paste.lua
rm -rf run
"$RTE_BUILD/support/spent" "$rte" run paste.lua --target "ssh://clerk@127.0.0.1:$PORT?verify=no" -u 1 --iterations 1 \
	--on-error stop --timeout 4s --lateness 1h,1h --display none -o run >out 2>err
spent=$(tail -n 1 err)
[ $(($(figure cpu) * 2)) -lt "$(figure elapsed)" ] || complain "a shut window takes processor time: $spent"
awk -F, 'NR == 2 && $NF > 3 { ok = 1 } END { exit !ok }' run/sessions.csv || complain "it was not blocked: $(cat run/sessions.csv)"
jq -r '.errors[] | .kind + " " + .message' run/run.json |
	grep -q '^timeout .*the SUT has taken nothing of what is typed for 4s' || complain "a shut window: $(jq -c .errors run/run.json)"
exit $failed
