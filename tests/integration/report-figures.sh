#!/bin/sh
# Every figure of summary.json against SQLite's, computed from transactions.csv.
set -eu
rte=$RTE_BUILD/rte mkrundir=$RTE_BUILD/support/mkrundir
command -v sqlite3 >/dev/null || { echo "sqlite3 is missing"; exit 77; }
dir=$TMPDIR/run

"$mkrundir" -u 40 -m 60 -s 11 -w fail=0.02 -w pacing=4 -w think=0.5 "$dir"
status=0
"$rte" report --json "$dir" >"$TMPDIR/summary.json" || status=$?
[ $status = 1 ] || { echo "exit status $status, not 1: checks failed in this run"; exit 1; }

cat >"$TMPDIR/check.sql" <<'SQL'
create table t(start real, user int, session int, iteration int, script, "transaction", phase, counted int,
  status, response_s real, first_response_s real, ready_s real, keying_s real, think_before_s real,
  due_late_s real, echo_mean_s real, echo_max_s real, keys int, bytes_in int, bytes_out int, ended_by, detail);
.mode csv
.import --skip 1 CSV t
.mode list
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

create table doc as select readfile('JSON') as j;
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

-- counts
select 'counts differ', g.name from (select '*' as name, json_extract(j, '$.all') as o from doc
    union all select json_extract(value, '$.transaction'), value from doc, json_each(j, '$.transactions')) g
  where json_extract(o, '$.ok') <> (select count(*) from t where counted and status = 'ok'
      and (g.name = '*' or g.name = "transaction"))
    or json_extract(o, '$.failed') <> (select count(*) from t where counted and status <> 'ok'
      and (g.name = '*' or g.name = "transaction"))
    or json_extract(o, '$.logged') <> (select count(*) from t where g.name = '*' or g.name = "transaction")
    or abs(json_extract(o, '$.rate_per_s') * 60 - json_extract(o, '$.ok')) > 1e-6;
SQL
sed -i "s|CSV t|$dir/transactions.csv t|; s|JSON|$TMPDIR/summary.json|" "$TMPDIR/check.sql"
sqlite3 -bail :memory: <"$TMPDIR/check.sql" >"$TMPDIR/result"
cat "$TMPDIR/result"
# Three names, five measures, eleven figures each.
grep -qx 'compared|165' "$TMPDIR/result"
[ "$(wc -l <"$TMPDIR/result")" = 1 ]
