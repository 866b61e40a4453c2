#!/bin/sh
# How true are rte's response times? Compares a run with the application's own log.
#   tests/bench/truth.sh RUN_DIR TELLER_LOG      compare what is there
#   tests/bench/truth.sh [USERS [MEASURE]]       run the teller first (default 200 users, 30s)
# The log must carry the user's number as tag: --target 'pty:teller --log LOG --tag {user} BANK'.
# Prints the error's quantiles in milliseconds. A measurement, not a test: quote it with the load
# of the machine.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

quantiles() {
	sort -g | awk '
		function q(p,    i) { i = int(p * NR + 0.999999); return v[i < 1 ? 1 : i] }
		{ v[NR] = $1; sum += $1 }
		END {
			if (!NR) exit 1
			printf "%s n %d min %.3f mean %.3f p50 %.3f p90 %.3f p99 %.3f max %.3f ms\n", name, NR,
				v[1], sum / NR, q(.5), q(.9), q(.99), v[NR]
		}' name="$1"
}

compare() {
	pairs=$(mktemp)
	awk -v log_file="$2" -f "$here/truth.awk" "$1/transactions.csv" >"$pairs"
	cut -d' ' -f1 "$pairs" | quantiles error
	cut -d' ' -f2 "$pairs" | quantiles rte
	cut -d' ' -f3 "$pairs" | quantiles teller
	rm -f "$pairs"
}

if [ $# = 2 ] && [ -d "$1" ]; then
	compare "$1" "$2"
	exit
fi
users=${1:-200} measure=${2:-30s}
build=${RTE_BUILD:-$top/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
"$build/demo/teller" --create "$work/bank.db"
cut -d' ' -f1-3 /proc/loadavg | sed 's/^/load before: /'
"$build/rte" run "$top/scripts/caseA.lua" -u "$users" --ramp 10s --warmup 5s --measure "$measure" \
	--think exp:3 --typing cps:8 --pacing none --display none -o "$work/run" \
	--target "pty:$build/demo/teller --log $work/log --tag {user} $work/bank.db" >"$work/report"
compare "$work/run" "$work/log"
