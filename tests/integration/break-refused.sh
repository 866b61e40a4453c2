#!/bin/sh
# Values that nobody means are refused, or do no harm.
. "$RTE_TOP/tests/support/run.sh"

# two answers to one question
expect_status 2 run talk.lua --target tcp://127.0.0.1:1 -o r -- "$sut" echo
says err "both say where to go"

# files without end
echo 'local d = data.csv("/dev/zero") function iteration() end' >zero.lua
expect_status 2 timeout 60 "$rte" run zero.lua --iterations 1 -o r -- "$sut" echo
says err "/dev/zero: it is a pipe or a device"
expect_status 2 timeout 60 "$rte" run talk.lua --think table:/dev/zero -o r -- "$sut" echo
says err "/dev/zero: it is a pipe or a device"

# times without end are refused; with long ones the run ends when its phases say so
expect_status 2 run talk.lua --think lognormal:1e300,1e300 -o think -- "$sut" echo
says err "more than 28 years"
expect_status 1 run talk.lua -u 2 --measure 500ms --continue 0 --rampdown 500ms \
	--typing cps:100 --think lognormal:1e8,1e8 -o think -- "$sut" echo

# what is refused leaves the run alone that is there
expect_status 0 run talk.lua --iterations 1 --typing cps:100 --think none --seed 77 -o good -- "$sut" echo
echo 'function iteration(' >syntax.lua
for i in 1 2; do
	expect_status 2 run syntax.lua --iterations 1 -o good -- "$sut" echo
	expect_status 2 run talk.lua --set send=1 -o good -- "$sut" echo
	(ulimit -n 40 && run talk.lua --ladder 1,500 --iterations 1 -o good -- "$sut" echo >out 2>err)
	[ $? = 3 ] || fail "500 users within 40 descriptors"
done
[ ! -e good~ ] && [ "$(jq .seed good/run.json)" = 77 ] || fail "the good run is gone"

# a setup that waits can be interrupted
cat >setup.lua <<'LUA'
function setup() log "setting up" pause(3600) end
function iteration() end
LUA
for signal in INT TERM HUP; do
	rm -f err # the one before has said it already
	"$rte" run --display none setup.lua --iterations 1 -o "setup-$signal" -- "$sut" echo \
		>out 2>err &
	wait_for 60 grep -q "setting up" err || fail "setup did not begin"
	kill -$signal $!
	wait $!
	[ $? = 1 ] || fail "setup: no exit status 1 after $signal"
	says err "interrupted"
done
