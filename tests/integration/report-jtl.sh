#!/bin/sh
# The JMeter form, read by SQLite as JMeter's report generator reads it (CsvSampleReader and Sample):
# its header names, a full row each, whole numbers where it wants them, true and false; and the same
# transactions as in the log, also when their names are hostile.
set -eu
rte=$RTE_BUILD/rte mkrundir=$RTE_BUILD/support/mkrundir
command -v sqlite3 >/dev/null || { echo "sqlite3 is missing"; exit 77; }
cd "$TMPDIR"
"$mkrundir" -u 30 -m 40 -s 5 -w fail=0.05 -w hostile=1 -w think=0.5 run
"$rte" report --jtl run >run.jtl || [ $? = 1 ]

# Names and order of JMeter's CSVSaveService; a program of another order would still find them.
head -n 1 run.jtl | tr -d '\r' >header
printf '%s\n' timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,\
failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Filename,Latency,Encoding,SampleCount,\
ErrorCount,Hostname,IdleTime,Connect | tr -d ' ' | diff - header

cat >check.sql <<'SQL'
create table t(start real, user int, session int, iteration int, script, "transaction", phase, counted int,
  status, response_s, first_response_s, ready_s, keying_s, think_before_s, due_late_s, echo_mean_s, echo_max_s,
  keys int, bytes_in int, bytes_out int, ended_by, detail);
.mode csv
.import --skip 1 run/transactions.csv t
.import run.jtl j
.mode list
create view want as select *, cast(round(start * 1e6) as integer) / 1000 as ms from t
  where counted and status not in ('unfinished', 'aborted');
select 'rows ' || (select count(*) from j) || ' want ' || (select count(*) from want);
-- whole numbers, none below 0
select 'number ' || rowid from j where timeStamp glob '*[^0-9]*' or timeStamp = '' or elapsed glob '*[^0-9]*'
  or elapsed = '' or bytes glob '*[^0-9]*' or bytes = '' or sentBytes glob '*[^0-9]*' or sentBytes = ''
  or grpThreads glob '*[^0-9]*' or grpThreads = '' or allThreads glob '*[^0-9]*' or allThreads = ''
  or Latency glob '*[^0-9]*' or Latency = '' or IdleTime glob '*[^0-9]*' or IdleTime = ''
  or Connect glob '*[^0-9]*' or Connect = '' or SampleCount <> '1' or ErrorCount not in ('0', '1');
select 'success ' || rowid from j where success not in ('true', 'false')
  or (success = 'true') <> (responseCode = 'ok') or (success = 'true') <> (ErrorCount = '0');
-- milliseconds since the epoch, in the run; nobody waits for a first byte longer than for all
select 'time ' || rowid from j where cast(timeStamp as integer) not between
  (select min(ms) from want) and (select max(ms) from want);
select 'latency ' || rowid from j where success = 'true' and cast(Latency as integer) > cast(elapsed as integer);
select 'threads ' || rowid from j where cast(allThreads as integer) not between 1 and 30
  or threadName not glob '* 1-[0-9]*';
-- JMeter takes a message that begins so for a controller's
select 'controller ' || rowid from j where responseMessage like 'Number of samples in transaction%';
select 'message ' || rowid from j where (failureMessage <> '') <> (success = 'false' and
  (select count(*) from want w where w.detail = failureMessage) > 0);
-- each transaction as the log has it
select 'differs ' || w.ms || ' ' || w."transaction" from want w where not exists (select 1 from j
  where cast(j.timeStamp as integer) = w.ms and j.label = w."transaction" and j.responseCode = w.status
  and j.threadName = w.script || ' 1-' || w.user and cast(j.bytes as integer) = w.bytes_in
  and cast(j.elapsed as integer) = cast(round(1000 * case when w.response_s <> '' then w.response_s else w.ready_s end)
    as integer));
SQL
sqlite3 -bail :memory: <check.sql >result
cat result
n=$(($(wc -l <result)))
[ "$n" = 1 ] || { echo "$((n - 1)) differences"; exit 1; }
read -r _ rows _ want <result
[ "$rows" = "$want" ] && [ "$rows" -gt 100 ] || { echo "$rows rows, not $want"; exit 1; }

# Another interval is another set of rows.
"$rte" report --jtl --from 20 --to 30 run >part.jtl || [ $? = 1 ]
[ "$(wc -l <part.jtl)" -lt "$(wc -l <run.jtl)" ] && [ "$(wc -l <part.jtl)" -gt 10 ] || { echo "an interval"; exit 1; }
