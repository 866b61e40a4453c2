#!/bin/bash
# rte beside Expect on the work of bench_driver.sh: CPU a keystroke and memory a user.
#
#   tests/bench/bench_expect.sh BUILD BENCH [USERS]      (200 users)
#
# One Expect process a user, which types with `send -s`. CPU is user + system of all processes;
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
# PEER PORT USERS ITERATIONS PRIVATE: starts one each 50 ms; the memory of each when all are there
for ((u = 0; u < $3; u++)); do
	expect "$1" "$2" "$u" "$4" &
	sleep 0.05
done
for pid in $(jobs -p); do
	awk '/^Private/ { s += $2 } END { print s }' "/proc/$pid/smaps_rollup" 2>/dev/null
done >"$5"
wait
END
chmod +x "$work/crowd.sh"
cpu() { sed -n 's/.*cpu \([0-9.]*\) s.*/\1/p' "$work/spent"; }
"$build/support/spent" "$work/crowd.sh" "$here/peer.exp" "$port" "$users" 0 /dev/null 2>"$work/spent"
start=$(cpu)
"$build/support/spent" "$work/crowd.sh" "$here/peer.exp" "$port" "$users" $iterations "$work/private" 2>"$work/spent"
theirs=$(cpu)
one_and_all() {
	"$build/support/spent" "$build/rte" run "$bench/rte_bench.lua" --target "tcp://127.0.0.1:$port" -u "$1" \
		--iterations $iterations --typing cps:5 --think const:5 --ramp $((users * 50))ms --seed 1 --display none \
		-o "$work/run" >/dev/null 2>"$work/spent"
	sed -n 's/.*cpu \([0-9.]*\) s, memory \([0-9]*\) KiB.*/\1 \2/p' "$work/spent"
}
read -r _ rss1 <<<"$(one_and_all 1)"
read -r ours rss <<<"$(one_and_all "$users")"
awk -v n="$users" -v it=$iterations -v start="$start" -v theirs="$theirs" -v ours="$ours" -v r1="$rss1" -v r="$rss" '
	{ sum += $1 }
	END {
		keys = n * it * 50
		mem = (r - r1) / (n - 1)
		printf "%d users       CPU us a key   KiB a user\n", n
		printf "Expect          %9.1f   %10.0f   without its start %.1f\n", theirs * 1e6 / keys, sum / NR, (theirs - start) * 1e6 / keys
		printf "rte             %9.1f   %10.1f\n", ours * 1e6 / keys, mem
		printf "times           %9.1f   %10.1f   %.1f\n", theirs / ours, sum / NR / mem, (theirs - start) / ours
	}' "$work/private"
