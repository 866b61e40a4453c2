#!/bin/sh
# No room for the logs: a clear message, the right exit status, and what was measured up to then.
. "$RTE_TOP/tests/support/run.sh"

check_full() {
	says err "cannot write $1/transactions.csv"
	says err "make room"
	says out "RESPONSE TIME"
	expect_status "${2:-0}" "$rte" report --text "$1"
	says out "talk"
}
fill() {
	"$rte" run --lateness 30s,60s --display none talk.lua -u 20 --ramp 0 --measure 20s \
		--typing cps:200 --think none -o "$1" -- "$sut" echo >out 2>err
}

(ulimit -f 40 && fill limit)
[ $? = 3 ] || fail "limit: not exit status 3"
check_full limit

# a recording that cannot be written leaves the one before, however often it is tried
{
	echo '{"version": 2, "width": 80, "height": 24, "env": {"TERM": "xterm"}}'
	for i in 1 2 3 4 5 6 7 8 9; do printf '[0.%d, "o", "%0500d"]\n' $i 7; done
} >new.cast
sed s/7/8/ new.cast >kept
cp kept old.cast
for blocks in 0 1 0; do
	# A pipe takes what is said: no file can.
	for verb in 'import new.cast -o old' 'record --term xterm -o old -- cat new.cast'; do
		case $verb:$blocks in record*:1) continue ;; esac # it goes on without a trace
		# shellcheck disable=SC2086
		{
			(ulimit -f $blocks && exec "$rte" $verb 2>&1 >/dev/null </dev/null)
			echo "status $?"
		} | cat >err
		says err 'status 3'
		says err 'cannot write old.cast'
		cmp old.cast kept || fail "the recording before was lost: rte $verb, $blocks blocks"
	done
done

# a disk that is full, where a mount namespace may be had
mkdir disk
if unshare -m mount -t tmpfs -o size=64k none disk 2>/dev/null; then
	unshare -m sh -c '
		mount -t tmpfs -o size=64k none disk
		"$0" run --lateness 30s,60s --display none talk.lua -u 20 --ramp 0 --measure 20s \
			--typing cps:200 --think none -o disk/r -- "$1" echo >out 2>err
		[ $? = 3 ]' "$rte" "$sut" || fail "disk: not exit status 3"
	says err "No space left"
	says out "RESPONSE TIME"
fi
exit 0
