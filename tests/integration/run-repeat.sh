#!/bin/sh
# The same seed: the same keys with the same gaps, whatever the number of workers; and one user of
# a run alone, with rte play --user N --seed N.
. "$RTE_TOP/tests/support/run.sh"
teller=$RTE_BUILD/support/teller_sut

seq 1 200 | sed '1i number' >numbers.csv
cat >who.lua <<'EOF'
terminal { term = "xterm", size = "80x24" }
local numbers = data.csv("numbers.csv", { mode = "unique" })
function login() expect { "Account number", already = true } end
mix { account = 3, memo = 1 }
local function enter(first)
  local text = string.format("%05d%05d", random.int(0, 99999), numbers.number)
  transaction("enter", function()
    if first then send(text) end
    press "Tab"
    send(text:reverse())
    press "Enter"
    expect(string.format("OK %06d", user.iteration))
  end)
  think()
end
function account() enter(true) end
function memo() enter(false) end
EOF
how="--seed 9 --typing uniform:.01,.2 --think uniform:.1,.4 --iterations 2"
# All at once: each waits more than it works.
pids=
for workers in 1 2; do
	run who.lua -u 20 --workers $workers --ramp 500ms $how -o "w$workers" -- \
		"$teller" --totals totals --keys "keys.$workers.{user}" >/dev/null &
	pids="$pids $!"
done
"$rte" play who.lua --user 17 --users 20 $how -- "$teller" --totals totals --keys keys.play >/dev/null &
pids="$pids $!"
"$rte" play who.lua --user 17 --users 20 $how --seed 10 -- \
	"$teller" --totals totals --keys keys.other >/dev/null &
for pid in $pids $!; do
	wait "$pid" || fail "a run failed"
done

# Each line of --keys: session, microseconds, byte.
for u in $(seq 1 20); do
	cut -d' ' -f3 "keys.1.$u" >one
	cut -d' ' -f3 "keys.2.$u" | cmp -s one - || fail "user $u types something else with two workers"
done
[ "$(wc -l <keys.1.17)" -ge 24 ] || fail "user 17 typed next to nothing"
cut -d' ' -f3 keys.1.17 >one
cut -d' ' -f3 keys.play | cmp -s one - || fail "user 17 alone types something else"
cut -d' ' -f3 keys.other | cmp -s one - && fail "another seed, the same keys"
cut -d' ' -f3 keys.1.16 | cmp -s one - && fail "user 16 types what user 17 does"

# Gaps: how far apart those of two recordings are, key by key. Two users differ by 60 ms a
# key; the same user by what the machine delays.
apart() {
	paste -d' ' "$1" "$2" | awk 'NF == 6 {
		if (NR > 1) { d = ($2 - a) - ($5 - b); sum += d < 0 ? -d : d; n++ }
		a = $2; b = $5
	} END { print sum / n }'
}
strangers=$(apart keys.1.17 keys.1.16)
for same in keys.2.17 keys.play; do
	apart keys.1.17 $same | awk -v s="$strangers" '{ exit !($1 < s / 2) }' ||
		fail "gaps of keys.1.17 and $same: $(apart keys.1.17 $same) us apart, strangers $strangers"
done
