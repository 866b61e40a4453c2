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
