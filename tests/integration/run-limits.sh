#!/bin/sh
# Limits of this machine, looked at before the first user starts: the message names the limit, its
# value, what is needed, and the command that raises it. (What is judged of memory and of control
# groups: tests/unit/test_ln_limits.c.)
. "$RTE_TOP/tests/support/run.sh"
case $(id -u) in
0) plain="env HOME=/nonexistent setpriv --reuid=65534 --regid=65534 --clear-groups" ;;
*) plain= ;;
esac
chmod 777 .

# refused NEXT_WORDS COMMAND...: 3, nothing was begun
refused() {
	says=$1
	shift
	expect_status 3 "$@"
	says err "$says"
	[ ! -e r ] && [ ! -e started ] || fail "something was begun"
}
rm -f started
start="touch started; exec $sut echo"

refused "not enough descriptors .*the limit is 40, .* more are needed; raise it with ulimit -n [0-9]*" \
	prlimit --nofile=40:40 "$rte" run talk.lua -u 500 --display none -o r -- sh -c "$start"
raise=$(sed -n 's/.*raise it with ulimit -n \([0-9]*\)$/\1/p' err)
refused "not enough descriptors .*raise it with ulimit -n" \
	prlimit --nofile=40:40 "$rte" run talk.lua -u 500 --target tcp://127.0.0.1:9 --display none -o r
# the most users of a ladder count, and those of all stages
refused "not enough descriptors" \
	prlimit --nofile=40:40 "$rte" run talk.lua --ladder 1,500 --display none -o r -- sh -c "$start"
refused "not enough descriptors" \
	prlimit --nofile=40:40 "$rte" run talk.lua --stages '1 1s, 500 1s' --display none -o r -- sh -c "$start"
refused "not enough descriptors" prlimit --nofile=40:40 "$rte" run talk.lua -u 500 --arrivals 1/s \
	--measure 1s --display none -o r -- sh -c "$start"

refused "not enough processes .*the limit is 60, .* more are needed; raise it with ulimit -u [0-9]*" \
	$plain prlimit --nproc=60:60 "$rte" run talk.lua -u 500 --display none -o r -- sh -c "$start"
max=$(cat /proc/sys/kernel/pty/max)
if [ "$max" -lt 100000 ]; then
	refused "not enough ptys (kernel.pty.max): the limit is $max, .*raise it with sysctl -w kernel.pty.max=[0-9]*" \
		"$rte" run talk.lua -u 100000 --display none -o r -- sh -c "$start"
fi

# what the message says is enough: a soft limit below it is raised to the hard one by itself
expect_status 0 prlimit --nofile=64:1024 "$rte" run talk.lua -u 40 --iterations 1 --typing cps:200 --ramp 500ms \
	--lateness 30s,60s --display none -o few -- "$sut" echo
[ "$(rows few/transactions.csv)" = 40 ] || fail "not all users"
[ "$raise" -gt 500 ] && [ "$raise" -lt 5000 ] || fail "ulimit -n $raise for 500 users"
