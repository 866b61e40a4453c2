#!/bin/sh
# The shares of a script's functions change while the run goes on, by phase, stage or time; the
# report expects what was asked for.
. "$RTE_TOP/tests/support/run.sh"

cat >mixed.lua <<'EOF'
mix { query = 80, update = 20 }
function login() expect "> " end
local function talk(name)
  local line = name .. user.iteration
  transaction(name, function() send(line) press "Enter" expect(": " .. line) end)
end
function query() talk "query" end
function update() talk "update" end
EOF
cat >load.lua <<'EOF'
workload {
  scripts = { { "mixed.lua", mix = { query = 1, { from = "measure", update = 1, deck = true },
                                     { from = "4s", query = 3, update = 1 } } } },
  users = 10, typing = "cps:200", think = "none", pacing = "50ms", seed = 1,
  phases = { ramp = "500ms", warmup = "1s", measure = "5s", continue = 0, rampdown = "500ms" },
}
EOF
expect_status 0 run load.lua --dry-run -- "$sut" echo
says out "mix *query 1 update 0$"
says out "query 0 update 1, by deck from measure"
says out "query 3 update 1 from 4s"
expect_status 0 run load.lua -o r -- "$sut" echo
column r/transactions.csv phase >phase
column r/transactions.csv start >start
column r/transactions.csv transaction | paste -d' ' phase start - >tx
# queries alone in warm-up; then updates alone, but for what a user was at as the interval began
awk '$1 == "warmup" { n[$3]++ } END { exit !(n["query"] > 20 && !n["update"]) }' tx || fail "warm-up"
measure=$(jq '.phases[] | select(.name == "measure") | .start_s' r/run.json)
awk -v m="$measure" '$2 > m + 0.3 && $2 < m + 2 { n[$3]++ }
	END { exit !(n["update"] > 20 && !n["query"]) }' tx || fail "the interval begins"
# three of four from then on
awk -v m="$measure" '$2 > m + 3 { n[$3]++ }
	END { exit !(n["query"] > n["update"] * 2 && n["query"] < n["update"] * 4.5) }' tx || fail "from 4s on"
# the sheet: not the first shares, but what follows from all of them
says out "ok *mix "
jq -e '.config.scripts[0].mixes | map(.from) == [null, "measure", "4s"] and
	(map(.counted) | .[1] > 20 and .[2] > 20)' r/run.json >/dev/null || fail "run.json"
awk '$1 == "measure"' tx | wc -l >counted
jq '[.config.scripts[0].mixes[].counted] | add' r/run.json | paste -d' ' counted - |
	awk '{ exit !($2 <= $1 && $2 >= $1 - 20) }' || fail "what was counted: $(cat counted)"
jq '.config.scripts[0].mixes[2].mix = { query: 1, update: 99 }' r/run.json >changed && mv changed r/run.json
"$rte" report r >out 2>err
says out "warn *mix "

# stages; and what cannot be
sed 's/"measure"/"stage 2"/; s/{ from = "4s".*/} } },/; s/users = 10,/stages = "5 1s, 5 2s",/; s/measure = "5s", //' \
	load.lua >stages.lua
expect_status 0 run stages.lua -o s -- "$sut" echo
column s/transactions.csv transaction | head -n 5 | sort -u | grep -qx query || fail "the first stage"
column s/transactions.csv transaction | tail -n 5 | sort -u | grep -qx update || fail "the second stage"
while IFS='|' read -r message mix; do
	sed "s/mix = {.*/mix = { $mix } } },/; /from = \"4s\"/d" load.lua >bad.lua
	expect_status 2 run bad.lua -o bad -- "$sut" echo
	says err "$message"
done <<'EOF'
no function of the script's own mix|remove = 1
from.*no time in a run|{ from = "lunch", query = 1 }
the stages are 0|{ from = "stage 3", query = 1 }
a change needs its time|{ query = 1 }
a share above 0|query = 0
from stands in a table of its own|from = "measure", query = 1
number of cards|deck = true, query = 0.5
EOF
