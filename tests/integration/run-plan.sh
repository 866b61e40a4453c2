#!/bin/sh
# A dry run says all that would happen, and starts nothing.
. "$RTE_TOP/tests/support/run.sh"

printf 'account\n1\n2\n3\n' >accounts.csv
cat >mixed.lua <<'EOF'
local accounts = data.csv("accounts.csv")
mix { query = 80, update = 20 }
function query() barrier "all here" barrier("pair", { users = 2 }) send(accounts.account) end
function update() end
EOF
cat >load.lua <<'EOF'
workload {
  scripts = { { "talk.lua", weight = 3, set = { branch = 1 } },
    { "mixed.lua", users = { 2, 3 }, mix = { query = 1, { from = "measure", update = 2, deck = true } } } },
  target = { "tcp://127.0.0.1:7", "tcp://127.0.0.1:9" }, bind = { "127.0.0.1", "127.0.0.2" }, users = 20,
  phases = { ramp = "5s", warmup = "1m", measure = "10m", continue = "20s", rampdown = "3s" },
  typing = "cps:5", think = "exp:10", pacing = "exp:20", timeout = "45s", on_error = "stop",
  thresholds = { talk = "p90<2s", ["*"] = "errors<1%" }, rules = "tpc-c",
  stop_when = { "errors>20%", "query:p90>10s for 1m" }, set = { city = "Oslo" },
  before = "touch started", after = "touch ended",
}
EOF
expect_status 0 run load.lua --dry-run -o r --seed 5
while read -r line; do
	says out "^ *$line$"
done <<'EOF'
20 users, 1 worker, seed 5, run directory r
ramp-up *5s
warm-up *1m
measure *10m
continue *20s
ramp-down *3s
talk.lua: 18 users, .*
set *branch=1
mixed.lua: 2 users, .*
users *2, 3
typing *cps:5
think *exp:10
timeout *45s a wait; settled after 100ms
mix *query 1 update 0
query 0 update 2, by deck from measure
barriers *all here
pair
targets *tcp://127.0.0.1:7
tcp://127.0.0.1:9
bind *127.0.0.1
pacing *exp:20
set *city=Oslo
data *./accounts.csv, 3 rows
thresholds *\*:errors<1%
talk:p90<2s
rules *tpc-c
stop when *errors>20%
query:p90>10s for 1m
on error *stop the user
before *touch started
after *touch ended
EOF
[ ! -e started ] && [ ! -e ended ] && [ ! -e r ] || fail "a dry run did something"

# what this machine refuses comes behind the plan
expect_status 3 run talk.lua --target tcp://no..host:7 -u 1 --dry-run
says out "talk.lua: 1 user, "
says out "on error *restart"
says err "no..host"
expect_status 3 prlimit --nofile=40:40 "$rte" run talk.lua -u 500 --dry-run -- true
says out "talk.lua: 500 users, "
says err 'RLIMIT_NOFILE'

# how users come, and how often
expect_status 0 run talk.lua --stages '10 1m, 50 5m' --dry-run -- true
says out "stage 1 *10 users for 1m"
says out "stage 2 *50 users for 5m"
says out "changes *each over 2.5s, at most half the stage"
expect_status 0 run talk.lua --ladder 5,10 --repeat 3 --iterations 4 --dry-run -- true
says out "ladder: 5, 10 users"
says out "repeated 3 times"
says out "measure *4 iterations a user"
expect_status 0 run talk.lua -u 30 --arrivals 90/m,const --measure forever --dry-run -- true
says out "30 users at most"
says out "arrivals *1.5/s, equally apart; 1 iteration a session"
says out "measure *until it is stopped"
expect_status 0 run talk.lua --every 5m --dry-run -- true
says out "again every 5m"
