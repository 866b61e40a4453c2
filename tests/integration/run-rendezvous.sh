#!/bin/sh
# Users meet: so many, or a part of all; who waits longest lets those who are there go on.
. "$RTE_TOP/tests/support/run.sh"

script() { # NAME OPTIONS: meets once; the line typed says whether all came
	cat >"$1.lua" <<EOF
function login() expect "> " end
function iteration()
  local all = $2
  local line = "u" .. user.id .. (all and "all" or "late")
  transaction(all and "all" or "late", function() send(line) press "Enter" expect(": " .. line) end)
end
EOF
}
# releases DIR: how many transactions began together (within 0.4 s), one line a group.
releases() {
	column "$1/transactions.csv" transaction >name
	column "$1/transactions.csv" start | paste -d' ' - name | sort -n | awk '
		NR > 1 && $1 - last > 0.4 { print n, name; n = 0 } { last = $1; name = $2; n++ } END { print n, name }'
}

# five users, one a second: two meet, two meet, the fifth goes alone once its time is up
script pairs 'rendezvous("pair", { users = 2, timeout = "2500ms" })'
expect_status 0 run pairs.lua -u 5 --workers 2 --ramp 5s --iterations 1 --typing none -o pairs -- "$sut" echo
releases pairs >groups
[ "$(cat groups)" = "2 all
2 all
1 late" ] || fail "pairs: $(cat groups)"

# three of five are never so many as four: released together, by the one who has waited longest
script four 'user.id > 3 or rendezvous("four", { users = 4, timeout = "2s" })'
expect_status 0 run four.lua -u 5 --workers 2 --ramp 1s --iterations 1 --typing none -o four -- "$sut" echo
[ "$(releases four | grep late)" = "3 late" ] || fail "four: $(releases four)"

# a part of all, and all; who is done is no longer waited for
script half 'rendezvous("half", { users = "50%", timeout = "30s" })'
expect_status 0 run half.lua -u 6 --workers 2 --ramp 3s --iterations 1 --typing none -o half -- "$sut" echo
releases half | head -n 1 | grep -qx "3 all" || fail "half: $(releases half)"
script whole 'rendezvous "whole"'
expect_status 0 run whole.lua -u 6 --workers 2 --ramp 1s --iterations 2 --typing none -o whole -- "$sut" echo
[ "$(column whole/transactions.csv transaction | sort -u)" = all ] || fail "whole"

# a barrier's time is an error, as before
script strict 'barrier("strict", { users = 4, timeout = "500ms" })'
expect_status 1 run strict.lua -u 2 --ramp 0s --iterations 1 --on-error stop -o strict -- "$sut" echo
says out "the others did not come to the"
script bad 'rendezvous("bad", { users = "half" })'
expect_status 1 run bad.lua --iterations 1 --on-error stop -o bad -- "$sut" echo
grep -q 'users is a number, or a part of all as "50%"' bad/failures/*.txt || fail "half"
