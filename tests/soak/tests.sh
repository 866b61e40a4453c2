#!/bin/sh
# Many runs in a row of our own golden tests and of those of programs that are not ours, with the
# machine under load: no false failure. tests/soak/tests.sh BUILD; by hand (make soak).
#   RUNS=200   how many
#   LOAD=N     busy processes beside them (twice the processors)
set -u
build=${1:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
cd "$(dirname "$0")/../.." || exit 1
runs=${RUNS:-200}
load=${LOAD:-$(($(nproc) * 2))}
work=$(mktemp -d "${TMPDIR:-/tmp}/rte-soak.XXXXXX")
export RTE_BUILD="$build" NO_COLOR=1 CI=true
rte=$build/rte
burners=
stop() {
	[ -z "$burners" ] || kill $burners 2>/dev/null
	burners=
}
trap 'stop' EXIT
trap 'stop; exit 1' INT TERM

# The screens of other programs are as this machine has them: written while nothing disturbs.
"$rte" test tests/soak/programs -u --goldens "$work/goldens" >"$work/first" 2>&1 || {
	cat "$work/first"
	exit 1
}
i=0
while [ $i -lt "$load" ]; do
	# Half of them compute, half write and read.
	if [ $((i % 2)) = 0 ]; then
		(while :; do :; done) &
	else
		(while :; do head -c 20000000 /dev/zero >"$work/load$i"; wc -c <"$work/load$i"; done) >/dev/null &
	fi
	burners="$burners $!"
	i=$((i + 1))
done

bad=0 run=0
while [ $run -lt "$runs" ]; do
	run=$((run + 1))
	"$rte" test tests/golden --artifacts "$work/run$run" --shuffle $run >"$work/out" 2>&1 &&
		"$rte" test tests/soak/programs --goldens "$work/goldens" --wait 60s --shuffle $run \
			--artifacts "$work/run$run" >>"$work/out" 2>&1 || {
		bad=$((bad + 1))
		cp "$work/out" "$work/failed$run"
		echo "run $run failed: $work/failed$run, $work/run$run"
		grep -A 1 ' FAIL ' "$work/out"
	}
	[ $((run % 20)) != 0 ] || echo "$run runs, $bad failed; load $(cut -d' ' -f1 /proc/loadavg)"
done
stop
tests=$(grep -c '^  ok ' "$work/out")
echo "$runs runs of $tests tests with $load busy processes: $bad failed"
[ $bad = 0 ] || exit 1
rm -rf "$work"
