#!/bin/sh
# A monitor: a run again and again into one directory; a SUT that becomes slow, goes away and comes
# back is told by a change of verdict each time; the directory's own report shows it over time.
. "$RTE_TOP/tests/support/run.sh"
# as the files in this folder say: gone, silent, slow, or well
cat >service.sh <<END
#!/bin/sh
[ ! -e gone ] || exit 1
[ ! -e hold ] || { : >held; exec sleep 60; }
[ ! -e slow ] || exec "$sut" late 2500
exec "$sut" echo
END
cat >changed.sh <<'END'
#!/bin/sh
echo "$RTE_VERDICT_WAS>$RTE_VERDICT $RTE_REASON" >>changes
[ -s "$RTE_RUN_DIR/run.json" ] && echo "$RTE_MONITOR_DIR" "$RTE_FIGURES" >>figures
END
chmod +x service.sh changed.sh
MON_PID=
trap '[ -z "$MON_PID" ] || kill "$MON_PID" 2>/dev/null' EXIT
begin() {
	"$rte" run talk.lua --lateness 30s,60s --display none --every 300ms -u 1 --iterations 1 --typing cps:200 \
		--think none --ramp 0s --rampdown 300ms --connect-timeout 2s --connect-retries 0 --threshold 'talk:p90<2s' \
		--threshold '*:errors<1%' --on-change ./changed.sh -o mon --target pty:./service.sh >lines 2>err &
	MON_PID=$!
}
end() {
	kill -TERM "$MON_PID"
	wait "$MON_PID"
	MON_PID=
}
changes() { [ -e changes ] && [ "$(wc -l <changes)" -ge "$1" ]; }
lines() { [ "$(grep -c . lines)" -ge "$1" ]; }
begin
wait_for 60 lines 3 || fail "no three runs"
[ ! -e changes ] || fail "a change while all was well: $(cat changes)"
: >slow
wait_for 60 changes 1 || fail "nobody told that it is slow"
rm slow
wait_for 60 changes 2 || fail "nobody told that it is well again"
: >gone
wait_for 60 changes 3 || fail "nobody told that it is gone"
rm gone
wait_for 60 changes 4 || fail "nobody told that it is back"
# a run that is stopped is no verdict, neither now nor when the monitor is started again
: >hold
wait_for 60 test -e held || fail "no run that can be stopped"
end
rm hold
cut -d' ' -f1 changes >verdicts
printf '%s\n' 'ok>failed' 'failed>ok' 'ok>failed' 'failed>ok' | diff - verdicts || fail "verdicts: $(cat changes)"
sed -n 3p changes | grep -q 'talk:p90<2s (no sample)' || fail "no reason: $(sed -n 3p changes)"
sed -n 1p changes | grep -q 'missed talk:p90<2s (2\.[4-9].s)' || fail "no reason: $(sed -n 1p changes)"
grep -q '^mon 1 ok, 0 failed, .*p90' figures || fail "figures: $(cat figures)"
says lines '^[0-9-]*  ok       1 ok, 0 failed, .*/s, mean .*, p90 '
says lines '^[0-9-]*  failed   1 ok, .*; .*missed talk:p90<2s'
says err 'verdict failed, was ok'

# what it printed at its end, and prints of its directory at any time
says lines '^CHANGES OF VERDICT'
COLUMNS=200 "$rte" report mon >out
says out '^runs    mon, '
says out 'talk:p90<2s met in [0-9]* of [0-9]* runs, last missed in [0-9]'
says out '^[0-9-]*: failed, was ok: .*missed talk:p90<2s'
says out '^[0-9-]*: ok, was failed$'
[ "$("$rte" report --json mon | jq '.over_runs.verdict_changes')" -ge 4 ] || fail "changes in JSON"
[ "$(jq '.over_runs.thresholds[0].missed' mon/summary.json)" -ge 1 ] || fail "the directory's own summary"
grep -q 'id="threshold0"' mon/report.html || fail "no chart of a threshold"
grep -q '"limit":2' mon/report.html || fail "no limit in the chart"
times=$(sed -n 's/.* id="data">\(.*\)<\/script>$/\1/p' mon/report.html | jq '[.charts[] | select(.id == "response") | .rows[][0]] | unique | length')
[ "$times" -ge 5 ] || fail "the runs stand at $times times in the charts"

# started again it adds to what is there, and knows how it ended
n=$(ls -d mon/2* | wc -l)
rm changes
: >slow
begin
wait_for 60 changes 1 || fail "the second monitor tells nothing"
end
grep -q '^ok>failed' changes || fail "it does not know how the first ended: $(cat changes)"
[ "$(ls -d mon/2* | wc -l)" -gt "$n" ] || fail "nothing was added"
[ ! -e mon~ ] || fail "the first monitor's runs were moved away"

expect_status 2 "$rte" run talk.lua --every 1m --ladder 1,2 -o x -- "$sut" echo
says err 'leave out --ladder'
expect_status 2 "$rte" run talk.lua --on-change true -o x -- "$sut" echo
says err 'give --every'
