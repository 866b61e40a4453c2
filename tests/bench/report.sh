#!/bin/sh
# What reporting on a large run costs: five million transactions in under 10 s and 200 MiB.
#   tests/bench/report.sh BUILD [ROWS]
# Each kind of output, elapsed time, CPU and largest memory. Run it on a quiet machine.
set -eu
build=${1:?usage: tests/bench/report.sh BUILD [ROWS]} rows=${2:-5000000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$build/support/mkrundir" -u 2000 -m 36000 -n "$rows" -w pacing=1 "$dir/run"
printf '%s rows, %s MiB of log\n' "$rows" $(($(wc -c <"$dir/run/transactions.csv") / 1048576))
for what in --text --json --csv --jtl --hdr "--html $dir/page.html"; do
	printf '%-8s' "${what%% *}"
	"$build/support/spent" "$build/rte" report $what "$dir/run" 2>&1 >/dev/null | tail -n 1
done
echo "page: $(($(wc -c <"$dir/page.html") / 1024)) KiB"
printf '%-8s' compare
"$build/support/spent" "$build/rte" compare "$dir/run" "$dir/run" 2>&1 >/dev/null | tail -n 1
