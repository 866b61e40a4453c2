#!/bin/sh
# Rows of a data file over a whole run: who gets which, what happens at their end, and that unique
# rows that are too few for the most users there may be are refused before anything begins.
. "$RTE_TOP/tests/support/run.sh"
quick="--typing cps:300 --think none --ramp 100ms"

seq 101 106 | sed '1i number' >six.csv
script() { # NAME OPTIONS
	cat >"$1.lua" <<EOF
local rows = data.csv("six.csv", { $2 })
function login() expect "> " end
function iteration()
  local line = rows.number
  transaction("talk", function() send(line) press "Enter" expect(": " .. line) end)
end
EOF
}
# typed DIR: a line a user, the rows that it typed
typed() {
	rm -f keys.*
	run "$@" $quick -o "r" -- "$sut" --keys "keys.{user}" echo >out 2>err || fail "exit status $?"
	for u in 1 2 3; do
		[ ! -e keys.$u ] || echo "$u:" $(tr '\r' '\n' <keys.$u | grep -x '1[0-9][0-9]')
	done
}
is() { [ "$got" = "$1" ] || fail "rows: $got, not $1"; }

# user u of N takes rows u, u + N, ...; whatever the number of workers
script sequential 'mode = "sequential"'
got=$(typed sequential.lua -u 3 --workers 2 --iterations 2)
is "1: 101 104
2: 102 105
3: 103 106"
# at their end: again from the top, the last one, or the user stops
got=$(typed sequential.lua -u 2 --iterations 4)
is "1: 101 103 105 101
2: 102 104 106 102"
script last 'mode = "unique", at_end = "last"'
got=$(typed last.lua -u 3 --iterations 3)
is "1: 101 104 104
2: 102 105 105
3: 103 106 106"
script stop 'mode = "unique"'
got=$(typed stop.lua -u 3 --iterations 5)
is "1: 101 104
2: 102 105
3: 103 106"
[ "$(column r/sessions.csv end | sort -u)" = logout ] || fail "the end of the rows is no failure"
script session 'mode = "unique", per = "session"'
got=$(typed session.lua -u 2 --iterations 2)
is "1: 101 101
2: 102 102"
# at random: the same for the same seed
script random 'mode = "random"'
got=$(typed random.lua -u 2 --iterations 5 --seed 7)
[ "$got" = "$(typed random.lua -u 2 --workers 2 --iterations 5 --seed 7)" ] || fail "random rows, same seed"
[ "$got" != "$(typed random.lua -u 2 --iterations 5 --seed 8)" ] || fail "random rows, another seed"

# too few: of all ways to say how many users there may be
for users in "-u 7" "--ladder 2,7" "--stages 2_1s,7_1s" "-u 7 --arrivals 1/s --measure 1s"; do
	rm -rf r
	case $users in
	*_*) expect_status 2 run stop.lua --stages '2 1s, 7 1s' -o r -- "$sut" echo ;;
	*) expect_status 2 run stop.lua $users -o r -- "$sut" echo ;;
	esac
	says err "six.csv: 6 rows are too few for 7 users with mode = \"unique\"; add rows"
	[ ! -e r ] || fail "$users: something was begun"
done
expect_status 2 run stop.lua -u 7 --dry-run -- "$sut" echo
