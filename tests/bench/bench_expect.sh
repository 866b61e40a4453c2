#!/bin/bash
# rte beside Expect on the work of bench_driver.sh: CPU a keystroke and memory a user.
#
#   tests/bench/bench_expect.sh BUILD BENCH [USERS]      (200 users)
#
# One Expect process a user, twice: lean types with `send -s` and does not look at the echo, reads
# reads it as it comes, as rte and the bare client do. CPU is user + system of all processes;
# Expect's start is in its figure, and also given without (a run of no iterations taken off), and
# rte's start is in its own. Memory is what is private to each process.
set -eu
build=${1:?usage: tests/bench/bench_expect.sh BUILD BENCH [USERS]}
bench=${2:?BENCH is the folder of sut_forms.c}
users=${3:-200} iterations=2 port=7$((RANDOM % 900 + 100))
here=$(cd "$(dirname "$0")" && pwd)
out=$build/bench-driver
command -v expect >/dev/null || { echo 'Expect is missing; install the package expect' >&2; exit 3; }
make -s -C "$bench" OUT="$(mkdir -p "$out" && cd "$out" && pwd)" >/dev/null
work=$(mktemp -d)
sut=
trap '[ -z "$sut" ] || kill "$sut"; wait; rm -rf "$work"' EXIT
"$out/sut_forms" -p "$port" -d 50 -l "$work/sut.log" -S "$work/sut.stat" &
sut=$!
for _ in $(seq 100); do
	(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
	sleep 0.05
done

cat >"$work/crowd.sh" <<'END'
#!/bin/bash
# PEER PORT USERS ITERATIONS PRIVATE HOW: starts one each 50 ms; the memory of each when all are there
for ((u = 0; u < $3; u++)); do
	expect "$1" "$2" "$u" "$4" "$6" &
	sleep 0.05
done
for pid in $(jobs -p); do
	awk '/^Private/ { s += $2 } END { print s }' "/proc/$pid/smaps_rollup" 2>/dev/null
done >"$5"
wait
END
chmod +x "$work/crowd.sh"
cpu() { sed -n 's/.*cpu \([0-9.]*\) s.*/\1/p' "$work/spent"; }
crowd() { # ITERATIONS PRIVATE HOW: CPU seconds
	"$build/support/spent" "$work/crowd.sh" "$here/peer.exp" "$port" "$users" "$@" 2>"$work/spent"
	cpu
}
start=$(crowd 0 /dev/null lean)
lean=$(crowd $iterations "$work/private" lean)
reads=$(crowd $iterations "$work/private" reads)
one_and_all() {
	"$build/support/spent" "$build/rte" run "$bench/rte_bench.lua" --target "tcp://127.0.0.1:$port" -u "$1" \
		--iterations $iterations --typing cps:5 --think const:5 --ramp $((users * 50))ms --seed 1 --display none \
		-o "$work/run" >/dev/null 2>"$work/spent"
	sed -n 's/.*cpu \([0-9.]*\) s, memory \([0-9]*\) KiB.*/\1 \2/p' "$work/spent"
}
read -r _ rss1 <<<"$(one_and_all 1)"
read -r ours rss <<<"$(one_and_all "$users")"
awk -v n="$users" -v it=$iterations -v start="$start" -v lean="$lean" -v reads="$reads" -v ours="$ours" \
	-v r1="$rss1" -v r="$rss" '
	function row(name, cpu, kib, bare) { printf "%-14s %9.1f   %10.1f   %9.1f\n", name, cpu, kib, bare }
	{ sum += $1 }
	END {
		us = 1e6 / (n * it * 50)
		mem = (r - r1) / (n - 1)
		printf "%d users\n%-14s %9s   %10s   %s\n", n, "", "us a key", "KiB a user", "us without start"
		row("Expect, lean", lean * us, sum / NR, (lean - start) * us)
		row("Expect, reads", reads * us, sum / NR, (reads - start) * us)
		row("rte", ours * us, mem, ours * us)
		row("times, lean", lean / ours, sum / NR / mem, (lean - start) / ours)
		row("times, reads", reads / ours, sum / NR / mem, (reads - start) / ours)
	}' "$work/private"
