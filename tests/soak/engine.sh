#!/bin/sh
# The engine for half an hour with 2,000 users: memory, descriptors and lateness stay flat, and
# what rte logged is what the SUT counted. tests/soak/engine.sh BUILD; by hand (make soak).
#   SOAK_SECONDS=1800   how long the users iterate
#   SOAK_USERS=2000
# Each user does SOAK_SECONDS / 15 iterations, one every 15 seconds: 22 keys at 5 a second, a
# think time, and the rest is pacing. Flat: the mean of the last third of the samples is at most
# so many times the first third's, once all users are there; the slope is told beside it.
set -u
build=${1:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
cd "$(dirname "$0")/../.." || exit 1
seconds=${SOAK_SECONDS:-1800} users=${SOAK_USERS:-2000} pace=15
iterations=$((seconds / pace))
[ $iterations -ge 6 ] || { echo "SOAK_SECONDS: at least $((pace * 6))"; exit 2; }
work=$(mktemp -d "${TMPDIR:-/tmp}/rte-soak.XXXXXX")
sut= driver=
stop() {
	[ -z "$driver" ] || kill "$driver" 2>/dev/null
	[ -z "$sut" ] || kill "$sut" 2>/dev/null
}
trap stop EXIT
trap 'exit 1' INT TERM
ulimit -n "$(ulimit -H -n)"

"$build/support/teller_sut" --port 0 --totals "$work/totals" >"$work/sut" &
sut=$!
until grep -q port "$work/sut"; do
	kill -0 $sut || exit 1
	sleep 0.1
done
port=$(sed -n 's/^port //p' "$work/sut")

"$build/rte" run tests/soak/engine/session.lua --target "tcp://127.0.0.1:$port" -u "$users" \
	--iterations $iterations --typing uniform:.1,.3 --think exp:2 --pacing $pace --ramp ${pace}s \
	--seed 1 --display none -o "$work/run" >"$work/report" 2>"$work/err" &
driver=$!

# Descriptors are not in the run directory: those and memory are sampled while the users iterate.
every=$((seconds / 200 + 1))
started=$(date +%s)
until [ $(($(date +%s) - started)) -ge "$seconds" ]; do
	sleep $every
	kill -0 $driver 2>/dev/null || break
	now=$(($(date +%s) - started))
	# The ramp is over, and every user has iterated once.
	[ $now -ge $((pace * 2)) ] || continue
	set -- "/proc/$driver/fd"/*
	awk -v t=$now -v fds=$# '/^VmRSS/ { print t, $2, fds }' "/proc/$driver/status"
done >"$work/samples"
wait $driver
status=$?
driver=
kill $sut
wait $sut
sut=

bad=0
complain() {
	echo "BAD  $*"
	bad=1
}
# flat FILE NAME UNIT MOST FLOOR: lines "time value"; up to FLOOR it is flat anyway.
flat() {
	awk -v name="$2" -v unit="$3" -v most="$4" -v floor="$5" '
		{ t[NR] = $1; v[NR] = $2; st += $1; sv += $2 }
		END {
			third = int(NR / 3)
			if (third < 1) { print "BAD  " name ": only " NR " samples"; exit 1 }
			for (i = 1; i <= NR; i++) {
				num += (t[i] - st / NR) * (v[i] - sv / NR)
				den += (t[i] - st / NR) ^ 2
				if (i <= third) early += v[i] / third
				if (i > NR - third) late += v[i] / third
			}
			slope = den ? num / den * 3600 : 0
			ratio = early > 0 ? late / early : late > 0 ? 99 : 1
			ok = ratio <= most || late <= floor
			printf "%-4s %s: first third %.4g, last third %.4g %s: %.3f times, at most %s; slope %.4g %s an hour\n",
				ok ? "ok" : "BAD", name, early, late, unit, ratio, most, slope, unit
			exit !ok
		}' "$1" || bad=1
}
total() { sed -n "s/.*\b$1=\([0-9]*\).*/\1/p" "$work/totals"; }
same() { # WHAT A B
	if [ "$2" = "$3" ]; then echo "ok   $1: $2"; else complain "$1: $2 and $3"; fi
}

# A machine that others use makes keys late (4); whether that grows is judged below.
case $status in 0 | 4) ;; *)
	cat "$work/err"
	complain "exit status $status"
	;;
esac
awk '{ print $1, $2 }' "$work/samples" >"$work/memory"
awk '{ print $1, $3 }' "$work/samples" >"$work/descriptors"
# A second's p99, by its median in each tenth of a third: one busy second of the machine is no slope.
awk -F, -v from=$((pace * 2)) '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	NR == 2 { start = $at["time"] }
	$at["late_p99_s"] != "" && $at["users_thinking"] + $at["users_typing"] + $at["users_waiting"] > 0 &&
		$at["users_done"] == 0 && $at["time"] - start >= from {
		print $at["time"] - start, $at["late_p99_s"] * 1000 }' "$work/run/timeline.csv" |
	sort -n | awk '
		{ t[++n] = $1; v[n] = $2 }
		function median(from, to,    i, k, x, w) {
			for (i = from; i <= to; i++) {
				w = v[i]
				for (k = i - 1; k >= from && v[k] > w; k--) v[k + 1] = v[k]
				v[k + 1] = w
			}
			return v[int((from + to) / 2)]
		}
		END {
			parts = n < 30 ? n : 30
			for (p = 0; p < parts; p++) {
				a = int(p * n / parts) + 1
				b = int((p + 1) * n / parts)
				mid = t[int((a + b) / 2)]
				print mid, median(a, b)
			}
		}' >"$work/lateness"
flat "$work/memory" memory KiB 1.05 0
flat "$work/descriptors" descriptors each 1.001 0
flat "$work/lateness" "lateness p99" ms 1.5 2

awk -F, 'NR > 1 && $6 == "send" && $9 == "ok"' "$work/run/transactions.csv" >"$work/ok"
rows=$(($(wc -l <"$work/run/transactions.csv") - 1))
same "users x iterations, transactions logged" $((users * iterations)) $rows
same "transactions logged, of them ok" $rows "$(wc -l <"$work/ok" | tr -d ' ')"
same "transactions logged, transactions that the SUT counted" $rows "$(total transactions)"
same "iterations in run.json" $((users * iterations)) "$(jq .totals.iterations "$work/run/run.json")"
same "keys written, keys that the SUT read" "$(jq .totals.keys "$work/run/run.json")" "$(total keys)"
same "each user has all its iterations" "$users x $iterations" \
	"$(cut -d, -f2 "$work/ok" | sort | uniq -c | awk -v n=$iterations '$1 == n { k++ } END { print k + 0 " x " n }')"
same "sessions: users, SUT" "$users" "$(total sessions)"
same "lost, doubled or early keys" 0 "$(($(total bad) + $(total early)))"
jq -r '.driver | "lateness p50 \(.late_p50_s * 1e3) ms, p99 \(.late_p99_s * 1e3) ms, max \(.late_max_s * 1e3) ms; CPU \(.cpu_s) s; memory \(.max_rss_kib) KiB"' "$work/run/run.json"
echo "$users users, $iterations iterations each, $seconds s: exit status $status, $([ $bad = 0 ] && echo flat and whole || echo "see $work")"
[ $bad = 0 ] || exit 1
rm -rf "$work"
