#!/bin/sh
# A real Prometheus scrapes a run, and its tool finds nothing wrong with the text.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/servers.sh"
for p in prometheus promtool curl; do
	command -v $p >/dev/null || { echo "$p is missing"; exit 77; }
done
free_port
port=$PORT
free_port
[ "$PORT" != "$port" ] || PORT=$((PORT + 1))
prom=$PORT
"$rte" run talk.lua -u 10 --ramp 0s --measure 5m --rampdown 1s --think const:0.3 --display none --lateness 30s,60s \
	--metrics "$port" -o run --target "pty:$sut echo" >run.out 2>run.err &
run_pid=$!
SERVER_PIDS="$SERVER_PIDS $run_pid"
PORT=$port
listening $run_pid
ss -Hltn "sport = :$port" | grep -q "127.0.0.1:$port" || fail "a port alone is not on loopback"
curl -sf "http://127.0.0.1:$port/metrics" >text || fail "no metrics"
tail -n 1 text | grep -qx '# EOF' || fail "the text has no end"
curl -s -o /dev/null -w '%{http_code} %{content_type}\n' "http://127.0.0.1:$port/metrics" |
	grep -q '^200 application/openmetrics-text; version=1.0.0' || fail "not OpenMetrics by its type"
[ "$(curl -s -o /dev/null -w '%{http_code}' -X DELETE "http://127.0.0.1:$port/metrics")" = 405 ] || fail "DELETE"
[ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/else")" = 404 ] || fail "another path"

cat >prometheus.yml <<EOF
global: { scrape_interval: 1s, scrape_timeout: 1s }
scrape_configs:
  - job_name: rte
    static_configs: [ { targets: [ "127.0.0.1:$port" ] } ]
EOF
prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address="127.0.0.1:$prom" >prom.log 2>&1 &
SERVER_PIDS="$SERVER_PIDS $!"

# ask QUERY: its value, or nothing.
ask() {
	curl -sG "http://127.0.0.1:$prom/api/v1/query" --data-urlencode "query=$1" |
		sed -n 's/.*"value":\[[^,]*,"\([^"]*\)"\].*/\1/p'
}
# holds QUERY: a comparison that is true within 40 s.
holds() {
	n=0
	until [ -n "$(ask "$1")" ]; do
		n=$((n + 1))
		[ $n -lt 200 ] || { tail prom.log; curl -s "http://127.0.0.1:$prom/api/v1/targets"; fail "never: $1"; }
		sleep 0.2
	done
}
holds 'up{job="rte"} == 1'
holds 'rte_transactions_total{transaction="talk",status="ok"} > 5'
holds 'rate(rte_keys_total[10s]) > 0'
holds 'histogram_quantile(0.9, rate(rte_response_seconds_bucket{transaction="talk"}[10s])) > 0'
holds 'rte_response_seconds_count{transaction="talk"} == on(instance) rte_response_seconds_bucket{transaction="talk",le="+Inf"}'
holds 'sum(rte_users) == 10'
holds 'rte_phase{rte_phase="measure"} == 1'
holds 'rte_resident_memory_bytes > 1e6'
"$rte" ctl run users 4 >/dev/null || fail "users 4"
holds 'rte_users_wanted == 4'
"$rte" ctl run pause >/dev/null || fail pause
holds 'rte_paused == 1'
kill -INT $run_pid
wait $run_pid
true
