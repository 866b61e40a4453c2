#!/bin/bash
# What rte run costs and how true it is, beside a bare epoll client that does the same work
# without screen and script (floor), against a SUT that keeps the true times (sut_forms).
#
#   tests/bench/bench_driver.sh BUILD BENCH [USERS [ROUNDS]]
#
# BENCH is the folder of the benchmark's sources (its Makefile takes OUT). USERS are one or more
# numbers with commas (1000,5000); each is run ROUNDS times, floor and rte in turn on the same
# machine, pair by pair. CPU is user + system of the program, less an idle run: for rte the same
# users connect, log in, think and log out without typing; the floor's figure leaves its setting
# up out by itself. `whole` is rte with everything, start, connects and report included.
#
# Users start 15.137 ms apart (of 1,000): spread over 15 s they would be 15 ms apart, and with a
# key each 200 ms all phases would be multiples of 5 ms. Sixteen keys would share each wake-up of
# the floor, which no real users do.
#
# A busy machine makes the floor look cheap (late wake-ups find more work): `waits` a key tells.
# Distrust pairs in which it differs, and those taken under load.
set -eu
build=${1:?usage: tests/bench/bench_driver.sh BUILD BENCH [USERS [ROUNDS]]}
bench=${2:?BENCH is the folder of sut_forms.c and floor.c}
users=${3:-1000,5000} rounds=${4:-3}
case $build in /*) ;; *) build=$PWD/$build ;; esac
out=$build/bench-driver
mkdir -p "$out"
make -s -C "$bench" OUT="$out" >/dev/null
iterations=2 spread=15137 port=7$((RANDOM % 900 + 100))
work=$(mktemp -d)
sut=
cleanup() {
	[ -z "$sut" ] || kill "$sut" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
ulimit -n "$(ulimit -Hn)"

sut_start() {
	rm -f "$work"/sut.*
	"$out/sut_forms" -p "$port" -d 50 -l "$work/sut.log" -S "$work/sut.stat" &
	sut=$!
	for _ in $(seq 100); do
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return
		sleep 0.05
	done
	echo "sut_forms does not listen on port $port" >&2
	exit 1
}
sut_stop() {
	kill "$sut"
	wait "$sut" 2>/dev/null || true
	sut=
}
value() { sed -n "s/.* $1=\([0-9.]*\).*/\1/p" "$2"; }

floor() { # USERS: "us_per_key waits_per_key late_p99_ms kib_per_user"
	sut_start
	"$out/floor" -n "$1" -x $iterations -r 5 -t 5000 -s $spread -l "$work/floor.log" "tcp:$port" >"$work/floor.out"
	sut_stop
	awk -v k="$(value keys "$work/floor.out")" -v u="$(value us_per_key "$work/floor.out")" \
		-v w="$(value waits "$work/floor.out")" -v l="$(value late_p99_us "$work/floor.out")" \
		'BEGIN { printf "%.2f %.2f %.2f\n", u, w / k, l / 1000 }'
}

cat >"$work/idle.lua" <<'END'
terminal { term = "xterm", size = "80x24" }
function login() expect { "Account number", already = true } end
function iteration() think() end
END

rte_once() { # SCRIPT USERS: cpu seconds, maximum resident KiB
	script=$1
	shift
	"$build/support/spent" "$build/rte" run "$script" --target "tcp://127.0.0.1:$port" -u "$1" \
		--iterations $iterations --typing cps:5 --think const:5 --ramp ${spread}ms --seed 1 --display none \
		-o "$work/run" >/dev/null 2>"$work/spent" || [ $? != 3 ] || cat "$work/spent" >&2
	sed -n 's/.*cpu \([0-9.]*\) s, memory \([0-9]*\) KiB.*/\1 \2/p' "$work/spent"
}

# The error of response times: ours less the SUT's own, joined by user and transaction.
errors() { # LOG_OF_PAIRS: lines "key ours_ms"
	awk 'NR == FNR { if ($1 == "T") truth[$2] = ($6 - $5) / 1e6; next }
		$1 in truth { printf "%.4f\n", $2 - truth[$1] }' "$work/sut.log" "$1" | sort -g | awk '
		function q(p,    i) { i = int(NR * p) + 1; return v[(i > NR) ? NR : i] }
		{ v[NR] = $1 }
		END { if (NR) printf "%.3f/%.3f ms (n %d)", q(.5), q(.99), NR; else printf "none" }'
}

printf 'machine: %s, load %s\n' "$(nproc) cores" "$(cut -d' ' -f1-3 /proc/loadavg)"
printf '%6s %5s | %9s %9s %6s %6s | %9s %9s %6s | %9s %s\n' users round 'floor us' 'rte us' ratio whole waits/key \
	'late p99' 'floor' KiB/user 'error p50/p99, floor, bad, early'
for n in ${users//,/ }; do
	ratios=
	for round in $(seq "$rounds"); do
		read -r floor_us waits floor_late <<<"$(floor "$n")"
		floor_error=$(awk '$1 == "R" { print $2, $3 / 1000 }' "$work/floor.log" >"$work/floor.pairs" &&
			errors "$work/floor.pairs")
		sut_start
		read -r _ rss1 <<<"$(rte_once "$bench/rte_bench.lua" 1)"
		read -r cpu1 _ <<<"$(rte_once "$work/idle.lua" "$n")"
		sut_stop
		sut_start
		read -r cpu rss <<<"$(rte_once "$bench/rte_bench.lua" "$n")"
		sut_stop
		# the account field holds user and sequence, from 0
		awk -F, 'NR > 1 && $9 == "ok" { printf "%06d%04d %.3f\n", $2 - 1, $4 - 1, $10 * 1000 }' \
			"$work/run/transactions.csv" >"$work/rte.pairs"
		error=$(errors "$work/rte.pairs")
		late=$(sed -n 's/.*"late_p99_s": \([0-9.]*\).*/\1/p' "$work/run/run.json")
		awk -v n="$n" -v round="$round" -v f="$floor_us" -v c="$cpu" -v c1="$cpu1" -v rss="$rss" -v rss1="$rss1" \
			-v it=$iterations -v w="$waits" -v l="$late" -v fl="$floor_late" -v e="$error" -v fe="$floor_error" \
			-v bad="$(value bad "$work/sut.stat")" -v early="$(value early "$work/sut.stat")" 'BEGIN {
			r = (c - c1) * 1e6 / (n * it * 50)
			printf "%6d %5d | %9.2f %9.2f %6.2f %6.2f | %9.2f %6.2f ms %6.2f | %9.1f %s, %s, %d, %d\n", n, round,
				f, r, r / f, c * 1e6 / (n * it * 50), w, l * 1000, fl, (rss - rss1) / (n - 1), e, fe, bad, early
		}' | tee -a "$work/table"
		rm -f "$work/floor.log"
	done
	awk -F'|' -v n="$n" '$1 + 0 == n { split($2, a, " "); s[++k] = a[3] }
		END { asort_(s, k); printf "%6d users: median ratio %.2f\n", n, s[int((k + 1) / 2)] }
		function asort_(v, k,   i, j, t) {
			for (i = 2; i <= k; i++) for (j = i; j > 1 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
		}' "$work/table"
done
