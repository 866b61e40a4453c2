#!/bin/sh
# rte compare and the ladder against figures that SQLite and awk compute from the logs: seven runs of
# 22 queries with their totals, five sessions of a ladder, Welch's test by an integral of Student's
# density, Little's law from the time accounts, the knee.
set -eu
rte=$RTE_BUILD/rte mkrundir=$RTE_BUILD/support/mkrundir
for p in sqlite3 jq; do
	command -v $p >/dev/null || { echo "$p is missing"; exit 77; }
done
cd "$TMPDIR"
fail() {
	echo "FAIL: $*"
	exit 1
}

# ---- seven runs of 22 queries ----
for i in 1 2 3 4 5 6 7; do
	"$mkrundir" -u 12 -m 120 -s "$i" -w names=20 -w slow="1.0$i" -w think=0.3 -w fail=0.01 "r$i"
	cat <<SQL
create table t$i(start real, user int, session int, iteration int, script, "transaction", phase, counted int,
  status, response_s, first_response_s, ready_s, keying_s, think_before_s, due_late_s, echo_mean_s, echo_max_s,
  keys int, bytes_in int, bytes_out int, ended_by, detail);
.mode csv
.import --skip 1 r$i/transactions.csv t$i
.mode list
SQL
done >load.sql
"$rte" compare --json r1 r2 r3 r4 r5 r6 r7 >c.json
[ "$(jq '.lines | length' c.json)" = 22 ] || fail "$(jq '.lines | length' c.json) transactions, not 22"
{
	cat load.sql
	echo "create table ok(run int, name, v real, t_end real); create table bad(run int, name);"
	for i in 1 2 3 4 5 6 7; do
		echo "insert into ok select $i, \"transaction\", response_s, start + response_s from t$i where counted and status = 'ok' and response_s <> '';"
		echo "insert into bad select $i, \"transaction\" from t$i where counted and status not in ('ok', 'unfinished');"
	done
	cat <<'SQL'
create table doc as select readfile('c.json') as j;
create table got as select json_extract(l.value, '$.transaction') as name, c.key + 1 as run, c.value as o
  from doc, json_each(j, '$.lines') l, json_each(l.value, '$.columns') c
  union all select '*', c.key + 1, c.value from doc, json_each(j, '$.all.columns') c;
create table r as select name, run, v, row_number() over (partition by name, run order by v) as rank,
  count(*) over (partition by name, run) as n from (select name, run, v from ok union all select '*', run, v from ok);
create table want as select name, run, avg(v) as mean, max(v) as max,
  max(case when rank = (n * 900 + 999) / 1000 then v end) as p90,
  max(case when rank = (n * 990 + 999) / 1000 then v end) as p99, max(n) / 120.0 as rate from r group by 1, 2;
select 'compared ' || count(*) from want;
select 'differs ' || w.name || ' run ' || w.run from want w join got g on g.name = w.name and g.run = w.run
  where abs(json_extract(o, '$.mean_s') - mean) > 1e-9 or abs(json_extract(o, '$.max_s') - max) > 1e-9
    or abs(json_extract(o, '$.p90_s') - p90) > 1e-9 or abs(json_extract(o, '$.p99_s') - p99) > 1e-9
    or abs(json_extract(o, '$.rate_per_s') - rate) > 1e-9;
select 'missing ' || name from want w where not exists (select 1 from got g where g.name = w.name and g.run = w.run);
select 'failed differ ' || g.name || ' run ' || g.run from got g where json_extract(o, '$.failed') <>
  (select count(*) from bad b where b.run = g.run and (g.name = '*' or b.name = g.name));
select 'change differs ' || g.name || ' run ' || g.run from got g join want w using (name, run)
  join want a on a.name = g.name and a.run = 1
  where g.run > 1 and abs(json_extract(o, '$.against_first.mean_s.change') - (w.mean / a.mean - 1)) > 1e-9;
select 'total differs ' || c.key from doc, json_each(j, '$.columns') c where
  abs(json_extract(c.value, '$.total_response_s') - (select sum(v) from ok where run = c.key + 1)) > 1e-6;
SQL
} >check.sql
sqlite3 -bail :memory: <check.sql >result
cat result
[ "$(cat result)" = "compared 161" ] || fail "figures"

# Welch's test of runs 1 and 7 on the means of 20 equal parts of the interval.
parts() { # of run $1: the mean of what ended in each part
	from=$(jq '.phases[] | select(.name == "measure") | .start_s' "r$1/run.json")
	to=$(jq '.phases[] | select(.name == "measure") | .end_s' "r$1/run.json")
	{ cat load.sql; echo "select avg(response_s) from (select response_s,
		min(19, max(0, cast((start + response_s - $from) / ($to - $from) * 20 as integer))) as part from t$1
		where counted and status = 'ok' and response_s <> '') group by part;"; } | sqlite3 -bail :memory:
}
parts 1 >p1
parts 7 >p7
p=$(paste p1 p7 | awk '
	{ n++; a += $1; b += $2; x[n] = $1; y[n] = $2 }
	function density(t) { return exp(lg - (df + 1) / 2 * log(1 + t * t / df)) }
	function gammaln(z,   s, i, c) { # Stirling, after raising the argument
		for (s = 0; z < 20; z++) s -= log(z)
		return s + (z - 0.5) * log(z) - z + log(2 * 3.14159265358979) / 2 + 1 / (12 * z) - 1 / (360 * z * z * z)
	}
	END {
		a /= n; b /= n
		for (i = 1; i <= n; i++) { va += (x[i] - a) ^ 2; vb += (y[i] - b) ^ 2 }
		va /= (n - 1) * n; vb /= (n - 1) * n
		t = (b - a) / sqrt(va + vb); if (t < 0) t = -t
		df = (va + vb) ^ 2 / (va ^ 2 / (n - 1) + vb ^ 2 / (n - 1))
		lg = gammaln((df + 1) / 2) - gammaln(df / 2) - log(df * 3.14159265358979) / 2
		steps = 20000; h = t / steps; sum = density(0) + density(t)
		for (i = 1; i < steps; i++) sum += density(i * h) * (i % 2 ? 4 : 2)
		printf "%.9g\n", 1 - 2 * sum * h / 3
	}')
got=$(jq '.all.columns[6].against_first.mean_s.p' c.json)
awk -v p="$p" -v got="$got" 'BEGIN { d = p - got; if (d < 0) d = -d; exit !(d < 1e-5) }' || fail "Welch: p $got, not $p"
[ "$(jq '.all.columns[6].against_first.mean_s.from_repeats' c.json)" = false ] || fail "there are no repeats"
awk -v p="$p" 'BEGIN { exit !(p < 0.01) }' && want=true || want=false
[ "$(jq '.all.columns[6].against_first.mean_s.stands_out' c.json)" = $want ] || fail "stands out, p $p"
COLUMNS=80 "$rte" compare r1 r2 r3 r4 r5 r6 r7 >text
awk 'length($0) > 80 { exit 1 }' text || fail "lines of more than 80 columns"
[ "$(grep -c '^MEAN RESPONSE TIME' text)" -ge 2 ] || fail "seven runs in more than one table at 80 columns"
COLUMNS=140 "$rte" compare r1 r2 r3 r4 r5 r6 r7 >text
[ "$(grep -c '^MEAN RESPONSE TIME' text)" = 1 ] || fail "one table at 140 columns"
grep -q '^total, all waits ' text || fail "no totals"

# ---- five sessions ----
for s in 1 2 3 4 5; do
	mkdir "s$s"
	for u in 5 10 20; do
		"$mkrundir" -u "$u" -m 30 -s "$s$u" -w slow="$s" -w grow=0.02 -w think=1 "s$s/$u-users"
	done
done
"$rte" compare --json s1 s2 s3 s4 s5 >five.json
for s in 1 2 3 4 5; do
	for u in 5 10 20; do
		want=$(awk -F, '$8 == 1 && $9 == "ok" { n++; sum += $10 } END { printf "%.9f", sum / n }' "s$s/$u-users/transactions.csv")
		got=$(jq --argjson u "$u" --argjson s "$s" '.lines[] | select(.users == $u) | .columns[$s - 1].mean_s' five.json)
		awk -v a="$want" -v b="$got" 'BEGIN { d = a - b; exit !(d < 1e-8 && d > -1e-8) }' ||
			fail "session $s, $u users: mean $got, not $want"
	done
done

# Little's law: what ended a second, times the accounts' time of a transaction.
"$rte" report --json s3 >s3.json
for u in 5 10 20; do
	dir=s3/$u-users
	each=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ sum += $at["keying_s"] + $at["response_s"] + $at["script_s"] + $at["think_s"] + $at["pacing_s"] + $at["barrier_s"] }
		END { printf "%.9f", sum }' $dir/sessions.csv)
	want=$(awk -F, -v each="$each" -v start="$(jq .started_s $dir/run.json)" \
		-v from="$(jq '.phases[] | select(.name == "measure") | .start_s' $dir/run.json)" \
		-v to="$(jq '.phases[] | select(.name == "measure") | .end_s' $dir/run.json)" '
		NR > 1 { logged++; end = $1 + $10
			if ($9 == "ok" && end >= from && end < to) n++
			if ($8 == 1 && $9 != "ok" && $9 != "unfinished") n++ }
		END { printf "%.6f", n / (to - from) * each / logged }' $dir/transactions.csv)
	got=$(jq --argjson u "$u" '.levels[] | select(.users == $u) | .users_by_littles_law' s3.json)
	awk -v a="$want" -v b="$got" 'BEGIN { d = a / b - 1; exit !(d < 0.002 && d > -0.002) }' ||
		fail "Little's law, $u users: $got, not $want"
	# and it holds: the users that are there
	awk -v a="$got" -v u="$u" 'BEGIN { exit !(a > 0.8 * u && a < 1.2 * u) }' || fail "Little finds $got of $u users"
done

# The knee, from the ladder's own table.
mkdir knee
i=0
for u in 5 10 20 40; do
	i=$((i + 1))
	"$mkrundir" -u "$u" -m 30 -s "$i" -w pacing=0.5 -w slow=$((u > 10 ? u : 1)) "knee/$u-users"
done
"$rte" report --csv knee >knee.csv
want=$(awk -F, 'NR == 2 { u = $2; r = $3 } NR > 1 && $3 > most { most = $3 } END { printf "%.3f", u * most / r }' knee.csv)
got=$("$rte" report --json knee | jq '.knee_users')
awk -v a="$want" -v b="$got" 'BEGIN { d = a - b; exit !(b != "null" && d < 0.01 && d > -0.01) }' || fail "knee at $got, not $want"
