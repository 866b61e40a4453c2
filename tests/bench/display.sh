#!/bin/bash
# What it costs a run to be looked at: lateness and CPU a keystroke, without and with a display on
# another terminal that shows the whole run, the list of users (which every worker then tells each
# second) and a user's screen in turn, while figures are fetched each second, too.
#
#   tests/bench/display.sh BUILD BENCH [USERS [ROUNDS]]
#
# BENCH as in bench_driver.sh. The two sides are run in turn, pair by pair; the display's own CPU
# is not the run's and stands apart. A measurement, not a test: quote it with the machine's load.
set -eu
build=${1:?usage: tests/bench/display.sh BUILD BENCH [USERS [ROUNDS]]}
bench=${2:?BENCH is the folder of sut_forms.c}
users=${3:-2000} rounds=${4:-3} iterations=2
case $build in /*) ;; *) build=$PWD/$build ;; esac
out=$build/bench-driver
mkdir -p "$out"
make -s -C "$bench" OUT="$out" "$out/sut_forms" >/dev/null
port=7$((RANDOM % 900 + 100)) metrics=6$((RANDOM % 900 + 100))
work=$(mktemp -d)
tmux="tmux -L rte-bench-$$ -f /dev/null"
sut=
cleanup() {
	[ -z "$sut" ] || kill "$sut" 2>/dev/null
	$tmux kill-server 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
ulimit -n "$(ulimit -Hn)"

sut_start() {
	"$out/sut_forms" -p "$port" -d 50 -l "$work/sut.log" -S "$work/sut.stat" &
	sut=$!
	until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.05; done
}

# Goes through the display's pages until the run is over; prints the display's CPU time.
look() {
	local ticks=0 seen=0 pid hz
	hz=$(getconf CLK_TCK)
	until [ -S "$work/run/control.sock" ]; do sleep 0.05; done
	$tmux new-session -d -x 200 -y 60 "TERM=tmux-256color exec '$build/rte' watch '$work/run'"
	pid=$($tmux display-message -p '#{pane_pid}')
	while [ -S "$work/run/control.sock" ] && [ -r "/proc/$pid/stat" ]; do
		for key in u Down Enter n n q o o q; do
			$tmux send-keys "$key" 2>/dev/null || break
			ticks=$(awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null || echo "$ticks")
			(exec 3<>"/dev/tcp/127.0.0.1/$metrics" && printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3 &&
				cat <&3 >/dev/null) 2>/dev/null || true
			sleep 1
			! $tmux capture-pane -p 2>/dev/null | grep -q '^ user [0-9].*80x24' || seen=$((seen + 1))
		done
	done
	awk -v t="$ticks" -v hz="$hz" -v seen="$seen" 'BEGIN { printf "%.2f, %d screens\n", t / hz, seen }'
}

# once SIDE: "us_per_key workers_us_per_key late_p50_ms late_p99_ms late_max_ms display_cpu_s"
once() {
	local shown=0 looker=
	rm -rf "$work/run"
	sut_start
	if [ "$1" = with ]; then
		look >"$work/shown" &
		looker=$!
	fi
	"$build/support/spent" "$build/rte" run "$bench/rte_bench.lua" --target "tcp://127.0.0.1:$port" -u "$users" \
		--iterations $iterations --typing cps:5 --think const:5 --ramp 15s --seed 1 --display none \
		--metrics "$metrics" -o "$work/run" >/dev/null 2>"$work/spent" || [ $? = 4 ] || cat "$work/spent" >&2
	if [ -n "$looker" ]; then
		wait "$looker"
		shown=$(cat "$work/shown")
		$tmux kill-server 2>/dev/null || true
	fi
	kill "$sut"
	wait "$sut" 2>/dev/null || true
	sut=
	field() { sed -n "s/.*\"$1\": \([0-9.e-]*\),*\$/\1/p" "$work/run/run.json" | head -n 1; }
	awk -v cpu="$(sed -n 's/.*cpu \([0-9.]*\) s, memory.*/\1/p' "$work/spent")" -v keys="$((users * iterations * 50))" \
		-v workers="$(sed -n '/"workers": \[/,$s/.*"cpu_s": \([0-9.e-]*\),*/\1/p' "$work/run/run.json" |
			awk '{ s += $1 } END { print s }')" \
		-v p50="$(field late_p50_s)" -v p99="$(field late_p99_s)" -v max="$(field late_max_s)" -v shown="$shown" 'BEGIN {
		printf "%.2f %.2f %.2f %.2f %.1f %s\n", cpu * 1e6 / keys, workers * 1e6 / keys, p50 * 1e3, p99 * 1e3,
			max * 1e3, shown
	}'
}

printf 'machine: %s cores, load %s; %s users\n' "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)" "$users"
printf '%5s %8s | %8s %12s | %8s %8s %8s | %s\n' round display 'us/key' 'workers only' 'late p50' 'p99' 'max ms' 'display CPU s'
for round in $(seq "$rounds"); do
	for side in without with; do
		read -r us workers p50 p99 max shown <<<"$(once $side)"
		printf '%5d %8s | %8s %12s | %8s %8s %8s | %s\n' "$round" "$side" "$us" "$workers" "$p50" "$p99" "$max" "$shown"
	done
done
