# Sourced by tests/integration/line-*.sh: one recorded session of the teller, replayed unedited
# over a line of another kind, by 10 users, or as many as $users says (tests/full/lines.sh).
#   . "$RTE_TOP/tests/support/lines.sh"; record_teller; start_telnetd "$PROG"
#   replays "telnet://127.0.0.1:$PORT"
set -u
. "$RTE_TOP/tests/support/servers.sh"
rte=$RTE_BUILD/rte
cd "$TMPDIR" || exit 1
users=${users:-10}
PROG=$TMPDIR/prog
failed=0

needs() {
	for p in "$@"; do
		command -v "$p" >/dev/null || [ -x "$p" ] || {
			echo "$p is not installed"
			exit 77
		}
	done
}

complain() {
	echo "FAILED $*"
	failed=1
}

# PROG runs the teller; teller.lua is its recorded session.
record_teller() {
	"$RTE_BUILD/demo/teller" --create --accounts 1000 bank.db >/dev/null || exit 1
	cat >"$PROG" <<-END
		#!/bin/sh
		TERM=\${TERM:-xterm} exec $RTE_BUILD/demo/teller $TMPDIR/bank.db
	END
	chmod +x "$PROG"
	[ ! -e teller.lua ] || return
	"$RTE_BUILD/support/ptydrive" -- "$rte" record --prefix none -o teller -- "$PROG" <<-END || exit 1
		size 80x24
		term xterm
		gap 20ms
		wait Main menu
		key F2
		wait Account query
		type 1000042
		key Enter
		wait Account found.
		key F1
		wait Main menu
		key F10
		exit 0
	END
}

# replays TARGET [OPTION...]: no failure, as many transactions as there are users.
replays() {
	target=$1
	shift
	rm -rf run
	if ! "$rte" run teller.lua --target "$target" -u "$users" --iterations 1 --ramp "${ramp:-0.5s}" \
		--think const:0.1 --typing cps:20 --timeout 30s --lateness 1h,1h --seed 1 -o run "$@" >out 2>err; then
		complain "$target: no exit status 0"
		cat out err
		return
	fi
	awk -F, -v users="$users" 'NR > 1 { n[$6]++; if ($9 != "ok") bad++ }
		END { for (t in n) if (n[t] != users) bad++
		exit !(length(n) > 0 && !bad) }' run/transactions.csv || {
		complain "$target: not every user did every transaction"
		cat out err
		return
	}
	# Each had one session, which took its time to connect and ended in order.
	awk -F, -v users="$users" 'NR > 1 { n++; if ($6 != "logout" || $10 <= 0 || $19 > 0) bad++ }
		END { exit !(n == users && !bad) }' run/sessions.csv || {
		complain "$target: a session failed, or has no connect time"
		cat run/sessions.csv err
		return
	}
	echo "ok $target, $users users"
}

# refuses STATUS TEXT TARGET [OPTION...]: the run ends with that status and says so.
refuses() {
	status=$1 text=$2 target=$3
	shift 3
	rm -rf run
	kind=${kind:-connect}
	"$rte" run teller.lua --target "$target" -u 2 --iterations 1 --connect-retries 0 --on-error stop --ramp 0s \
		--connect-timeout "${answers:-2s}" --think none --typing cps:20 --timeout 3s -o run "$@" >out 2>err
	rc=$?
	if [ $rc != "$status" ] || ! grep -q -- "$text" err; then
		complain "$target: exit status $rc, wanted $status and '$text'"
		cat out err
		return
	fi
	# And it was counted, by its kind: what could not begin at all has no log.
	if [ "$status" = 3 ] && [ "$(jq --arg kind "$kind" --arg text "$text" '[.errors[] |
		select(.kind == $kind and (.message | contains($text))) | .count] | add // 0' run/run.json)" -lt 2 ]; then
		complain "$target: not counted: $text"
		jq .errors run/run.json
		return
	fi
	echo "ok refused: $text"
}
