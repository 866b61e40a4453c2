#!/bin/sh
# Every figure of summary.json against SQLite's, computed from the logs: of the run's own interval,
# and of another one.
set -eu
rte=$RTE_BUILD/rte mkrundir=$RTE_BUILD/support/mkrundir
for tool in sqlite3 jq; do
	command -v $tool >/dev/null || { echo "$tool is missing"; exit 77; }
done
dir=$TMPDIR/run

"$mkrundir" -u 40 -m 60 -s 11 -w fail=0.02 -w pacing=4 -w think=0.5 "$dir"

cat >"$TMPDIR/check.sql" <<'SQL'
create table t(start real, user int, session int, iteration int, script, "transaction", phase, counted int,
  status, response_s real, first_response_s real, ready_s real, keying_s real, think_before_s real,
  due_late_s real, echo_mean_s real, echo_max_s real, keys int, bytes_in int, bytes_out int, ended_by, detail);
.mode csv
.import --skip 1 CSV t
create table u(start real, user int, session int, script, target, end, detail, iterations int, duration_s real,
  connect_s real, login_s real, keying_s real, response_s real, script_s real, think_s real, pacing_s real,
  barrier_s real, logout_s real, backoff_s real, other_s real, settling_s real, late_s real, blocked_s real);
.import --skip 1 SESSIONS u
.mode list
create table doc as select readfile('JSON') as j;
-- Another interval: what lies wholly in it, from the first input to the end, in microseconds.
update t set counted = begin >= 20e6 and finish <= 47.5e6 from
  (select rowid as r, us - round(ifnull(nullif(keying_s, ''), 0) * 1e6) as begin,
     us + round(max(ifnull(nullif(response_s, ''), 0), ifnull(nullif(ready_s, ''), 0)) * 1e6) as finish
   from (select rowid, round((start - STARTED) * 1e6) as us, keying_s, response_s, ready_s from t))
  where r = t.rowid and json_extract((select j from doc), '$.interval.chosen');
update t set counted = 0 where status in ('unfinished', 'aborted');
-- An empty field means that there is none.
update t set response_s = null where response_s = '';
update t set first_response_s = null where first_response_s = '';

-- all rows under their name and under '*', a measure a row
create table s as select * from (
  select n.name, m.* from
    (select "transaction" as name from t union select '*') n join
    (select "transaction", 'response' as measure, response_s as v from t where counted and status = 'ok'
     union all select "transaction", 'first_response', first_response_s from t where counted and status = 'ok'
     union all select "transaction", 'keying', keying_s from t where counted and status = 'ok'
     union all select "transaction", 'think', think_before_s from t where counted and status = 'ok'
     union all select "transaction", 'response_from_due', response_s + due_late_s from t
       where counted and status = 'ok') m
    on n.name = '*' or n.name = m."transaction") where v is not null;
create table r as select *, row_number() over (partition by name, measure order by v) as rank,
  count(*) over (partition by name, measure) as n from s;

-- nearest rank, in thousandths so that no fraction of a float decides
create table want as
  select name, measure, 'n' as figure, max(n) as v from r group by 1, 2
  union all select name, measure, 'min_s', min(v) from r group by 1, 2
  union all select name, measure, 'max_s', max(v) from r group by 1, 2
  union all select name, measure, 'mean_s', avg(v) from r group by 1, 2
  union all select r.name, r.measure, 'sd_s', sqrt(sum((v - a) * (v - a)) / (n - 1)) from r
    join (select name, measure, avg(v) as a from r group by 1, 2) m
      on m.name = r.name and m.measure = r.measure group by 1, 2
  union all select name, measure, p.figure, v from r,
    (select 'p50_s' as figure, 500 as q union select 'p75_s', 750 union select 'p90_s', 900
     union select 'p95_s', 950 union select 'p99_s', 990 union select 'p99_9_s', 999) p
    where rank = (n * q + 999) / 1000;
-- ranks that bound a percentile with 95 % confidence: n q -+ 1.96 sqrt(n q (1 - q))
create table bound as select r.name, r.measure, p.figure, p.way, v from r,
    (select 'p50_s' as figure, 0.5 as q, 'low' as way union select 'p90_s', 0.9, 'low'
     union select 'p50_s', 0.5, 'high' union select 'p90_s', 0.9, 'high') p
    where rank = case way when 'low' then floor(n * q - 1.959964 * sqrt(n * q * (1 - q)))
      else ceil(n * q + 1.959964 * sqrt(n * q * (1 - q))) + 1 end;

create table got as
  select g.name, m.key as measure, f.key as figure, f.value as v
  from (select '*' as name, json_extract(j, '$.all') as o from doc
        union all select json_extract(value, '$.transaction'), value
          from doc, json_each(j, '$.transactions')) g,
    json_each(g.o) m, json_each(case when m.type = 'object' then m.value else '{}' end) f
  where m.key in ('response', 'first_response', 'keying', 'think', 'response_from_due')
    and f.type in ('integer', 'real');

select 'compared', count(*) from want;
select 'differs', w.name, w.measure, w.figure, w.v, g.v from want w
  left join got g on g.name = w.name and g.measure = w.measure and g.figure = w.figure
  where g.v is null or abs(g.v - w.v) > 1e-9 + 1e-9 * abs(w.v);
select 'too many', g.name, g.measure, g.figure from got g
  left join want w on g.name = w.name and g.measure = w.measure and g.figure = w.figure where w.v is null;

select 'bounds', count(*) from bound;
select 'bound differs', b.name, b.measure, b.figure, b.way, b.v, g.v from bound b left join
  (select g.name, m.key as measure, substr(w.key, 14) as way, f.key as figure, f.value as v
   from (select '*' as name, json_extract(j, '$.all') as o from doc
         union all select json_extract(value, '$.transaction'), value from doc, json_each(j, '$.transactions')) g,
     json_each(g.o) m, json_each(case when m.type = 'object' then m.value else '{}' end) w,
     json_each(case when w.type = 'object' then w.value else '{}' end) f
   where w.key in ('confidence95_low', 'confidence95_high')) g using (name, measure, figure, way)
  where g.v is null or abs(g.v - b.v) > 1e-9;

-- counts
select 'counts differ', g.name from (select '*' as name, json_extract(j, '$.all') as o from doc
    union all select json_extract(value, '$.transaction'), value from doc, json_each(j, '$.transactions')) g
  where json_extract(o, '$.ok') <> (select count(*) from t where counted and status = 'ok'
      and (g.name = '*' or g.name = "transaction"))
    or json_extract(o, '$.failed') <> (select count(*) from t where counted and status <> 'ok'
      and (g.name = '*' or g.name = "transaction"))
    or json_extract(o, '$.logged') <> (select count(*) from t where g.name = '*' or g.name = "transaction")
    or abs(json_extract(o, '$.rate_per_s') * json_extract((select j from doc), '$.interval.duration_s')
      - json_extract(o, '$.ok')) > 1e-6
    or abs(json_extract(o, '$.errors') * (select count(*) from t where counted and (g.name = '*' or
      g.name = "transaction")) - json_extract(o, '$.failed')) > 1e-6;
select 'iterations differ', json_extract(j, '$.iterations'), n from doc,
  (select count(*) as n from (select distinct user, session, iteration from t where counted and iteration > 0))
  where json_extract(j, '$.interval.chosen') and json_extract(j, '$.iterations') <> n;

-- time accounts
select 'parts', count(*) from doc, json_each(j, '$.sessions.account');
select 'account differs', json_extract(j, '$.sessions.account') from doc, (select sum(duration_s) as all_s,
    sum(keying_s) as k, sum(response_s) as r, sum(think_s) as t, sum(pacing_s) as p, sum(connect_s + login_s +
    keying_s + response_s + script_s + think_s + pacing_s + barrier_s + logout_s + backoff_s) as parts from u)
  where abs(json_extract(j, '$.sessions.account.duration_s') - all_s) > 1e-6
    or abs(json_extract(j, '$.sessions.account.keying_s') - k) > 1e-6
    or abs(json_extract(j, '$.sessions.account.response_s') - r) > 1e-6
    or abs(json_extract(j, '$.sessions.account.think_s') - t) > 1e-6
    or abs(json_extract(j, '$.sessions.account.pacing_s') - p) > 1e-6
    or abs(json_extract(j, '$.sessions.account.unexplained_s') - (all_s - parts)) > 1e-6;
select 'user differs', a.value from doc, json_each(j, '$.sessions.users') a left join
    (select user, count(*) as n, sum(duration_s) as all_s from u group by 1) o
    on o.user = json_extract(a.value, '$.user')
  where o.n is null or o.n <> json_extract(a.value, '$.sessions')
    or abs(o.all_s - json_extract(a.value, '$.duration_s')) > 1e-6;
SQL
# check NAME OPTION...: the report with these options against SQLite
check() {
	name=$1
	shift
	status=0
	"$rte" report --json "$@" "$dir" >"$TMPDIR/summary.json" || status=$?
	[ $status = 1 ] || { echo "exit status $status, not 1: checks failed in this run"; exit 1; }
	sed "s|CSV t|$dir/transactions.csv t|; s|SESSIONS u|$dir/sessions.csv u|; s|JSON|$TMPDIR/summary.json|
		s|STARTED|$(jq .started_s "$dir/run.json")|" "$TMPDIR/check.sql" >"$TMPDIR/$name.sql"
	sqlite3 -bail :memory: <"$TMPDIR/$name.sql" >"$TMPDIR/result"
	sed "s|^|$name: |" "$TMPDIR/result"
	# Three names, five measures: eleven figures each, and two percentiles with a bound on either side.
	grep -qx 'compared|165' "$TMPDIR/result"
	grep -qx 'bounds|60' "$TMPDIR/result"
	grep -qx 'parts|16' "$TMPDIR/result"
	[ "$(wc -l <"$TMPDIR/result")" = 3 ]
}
check own
check other --from 20 --to 47.5s
