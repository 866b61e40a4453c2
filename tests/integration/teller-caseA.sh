#!/bin/sh
# Case study A in small: every transaction succeeds, the application saw what the log says, and
# the same seed types the same keys, whatever the number of workers.
set -u
teller=$RTE_BUILD/demo/teller
rte=$RTE_BUILD/rte
cd "$TMPDIR" || exit 1
fail() {
	echo "FAIL: $*"
	exit 1
}
"$teller" --create --branches 2 --accounts 500 bank.db || fail create

# run NAME SEED WORKERS
run() {
	mkdir "$1.keys"
	"$rte" run "$RTE_TOP/scripts/caseA.lua" -u 6 --iterations 12 --seed "$2" --workers "$3" \
		--set branches=2 --set accounts=500 --typing cps:200 --think none --pacing none \
		--timeout 30s --lateness 30s,60s --display none -o "$1" \
		--target "pty:$teller --keys $1.keys/{user} --log $1.log --tag {user} bank.db" \
		>"$1.out" 2>&1 || fail "run $1: exit $?: $(cat "$1.out")"
}
run one 7 1
run two 7 2
run other 8 2

for r in one two other; do
	bad=$(awk -F, 'NR > 1 && $9 != "ok"' "$r/transactions.csv")
	[ -z "$bad" ] || fail "rows of $r that are not ok: $bad"
	n=$(awk 'NR > 1' "$r/transactions.csv" | wc -l)
	[ "$n" = 72 ] || fail "$r has $n transactions, not 6 x 12"
	n=$(grep -c -e ' query [0-9]* ok' -e ' update [0-9]* ok' "$r.log")
	[ "$n" = 72 ] || fail "the teller of $r saw $n transactions"
done
awk -F, 'NR > 1 { n[$6]++ } END { exit !(n["query"] > n["update"] && n["update"] > 0) }' \
	one/transactions.csv || fail "the mix is no mix"
for u in 1 2 3 4 5 6; do
	cmp "one.keys/$u" "two.keys/$u" || fail "user $u typed other keys with two workers"
	cmp -s "one.keys/$u" "other.keys/$u" && fail "user $u typed the same with another seed"
done
"$teller" --verify bank.db || fail "the books"

# Each row finds its partner in the application's log: the times are of the same things.
awk -v log_file=one.log -f "$RTE_TOP/tests/bench/truth.awk" one/transactions.csv >pairs 2>count ||
	fail "truth: $(cat count)"
[ "$(wc -l <pairs)" = 72 ] || fail "only some of 72 rows found their partner: $(cat count)"

# The workload: six steps, the paper's 27 minutes each, scaled.
"$rte" run "$RTE_TOP/scripts/caseA-workload.lua" --dry-run >plan 2>&1 || fail "plan: $(cat plan)"
grep -q '5, 10, 15, 20, 25, 32 users' plan && grep -q 'measure *10m' plan ||
	fail "not the paper's plan: $(cat plan)"
"$rte" run "$RTE_TOP/scripts/caseA-workload.lua" --set scale=0.04 --dry-run >plan 2>&1 &&
	grep -q 'measure *24s' plan || fail "not a minute's plan: $(cat plan)"
