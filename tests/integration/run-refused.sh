#!/bin/sh
# What cannot be run is refused with a clear message and the right exit status.
. "$RTE_TOP/tests/support/run.sh"

# the environment: 3
expect_status 3 run talk.lua -u 2 -o r -- /nonexistent/program
says err "cannot run /nonexistent/program"
expect_status 3 run talk.lua -u 2 --target tcp://127.0.0.1:1 -o r
says err "127.0.0.1"
if [ "$(id -u)" != 0 ]; then
	mkdir locked && chmod 555 locked
	expect_status 3 run talk.lua -o locked/r -- "$sut" echo
	says err "cannot write the run directory"
fi
expect_status 3 run talk.lua -o /proc/r -- "$sut" echo
says err "cannot write the run directory"
(ulimit -n 40 && run talk.lua -u 500 -o r -- "$sut" echo >out 2>err)
[ $? = 3 ] || fail "500 users within 40 descriptors"
says err "ulimit -n"

# nobody got anywhere: 1
expect_status 1 run talk.lua -u 3 --measure 1m -o r -- "$sut" exit 7
says err "no user got anywhere"
says err "the line was closed"
expect_status 1 run talk.lua -u 12 --ramp 100ms --measure 1m --timeout 500ms -o r -- "$sut" silent
says err "not there within 500ms"
expect_status 1 run talk.lua -u 3 --ramp 0 --measure 500ms --continue 0 --rampdown 0 --timeout 2s -o r -- \
	"$sut" silent
says err 'talk.lua:1: .*"> "'

# wrong usage and bad scripts: 2
touch file
mkdir other && touch other/file
echo 'function iteration(' >syntax.lua
echo 'function iteration() press "Entr" end' >key.lua
echo 'x = 1' >nothing.lua
echo 'nosuch()' >raises.lua
{ echo 'defaults { timeout = 0 }' && cat talk.lua; } >zero.lua
echo 'workload { scripts = "talk.lua", connect_timeout = 0 }' >zero-load.lua
mkfifo pipe
echo 'local d = data.csv "pipe" function iteration() send(d.a) end' >piped.lua
while read -r message command; do
	eval "expect_status 2 run $command"
	says err "$message"
done <<'END'
syntax.lua:2: syntax.lua -- cat
Enter key.lua -- cat
iteration nothing.lua -- cat
raises.lua:1: raises.lua -- cat
missing.lua missing.lua -- cat
target talk.lua
script -u 1
within talk.lua -u 0 -- cat
duration talk.lua --ramp soon -- cat
exp:MEAN talk.lua --think gauss:1 -- cat
28.years talk.lua --think exp:1e300 -- cat
a.million talk.lua --typing cps:1e12 -- cat
more.than.0 talk.lua --timeout 0 -- cat
timeout zero.lua -- cat
more.than.0 zero-load.lua -- cat
workload.*alone zero-load.lua talk.lua -- cat
workload.*alone zero-load.lua=2 -- cat
a.pipe piped.lua -- cat
a.pipe pipe -- cat
a.pipe talk.lua pipe=2 -- cat
a.pipe talk.lua --think table:pipe -- cat
restart talk.lua --on-error explode -- cat
NAME=VALUE talk.lua --set x -- cat
weight talk.lua=heavy -- cat
5,10,20 talk.lua --ladder 5,x -- cat
p90 talk.lua --threshold fast -- cat
directory talk.lua -o file -- cat
other.files talk.lua -o other -- cat
WARN,BAD talk.lua --lateness soon -- cat
address talk.lua --metrics nowhere -- cat
unrecognized talk.lua --no-such-option -- cat
how.many.users talk.lua -u 3 --ladder 5,10 -- cat
how.many.users talk.lua --users 3 --stages '5 1m' -- cat
how.many.users talk.lua --ladder 5,10 --stages '5 1m' -- cat
a.rate talk.lua --arrivals often --measure 1m -- cat
how.long talk.lua --arrivals 5/s -- cat
exclude talk.lua --arrivals 5/s --stages '5 1m' -- cat
target talk.lua --target nowhere://x
END
[ ! -e r/run.json ] || rm -r r
expect_status 0 "$rte" run --help
says out "Usage: rte run"

# a dry run starts nothing
expect_status 0 run talk.lua --ladder 3,7 --dry-run -o r -- touch started
says out "7 users"
[ ! -e started ] && [ ! -e r ] || fail "a dry run did something"
