#!/bin/sh
# Standard descriptors that are closed or full: no message in the data, and a status that says so.
. "$RTE_TOP/tests/support/run.sh"
go() { run talk.lua -u 1 --iterations 1 --ramp 0 --typing none --think none "$@" -- "$sut" echo; }

# what is said and read goes nowhere, not into the files of the run
looks='ls -l /proc/$PPID/fd >fds'
go --before "$looks" -o in <&- >out 2>err || fail "standard input closed: $?"
go --before "$looks" -o all <&- >&- 2>&-
[ $? = 3 ] || fail "all closed: not exit status 3"
for fd in 0 1 2; do
	grep -q " $fd -> /dev/null$" fds || fail "descriptor $fd is a file of the run: $(cat fds)"
done
for f in sessions transactions; do
	[ "$(rows all/$f.csv)" = 1 ] || fail "all closed: $f.csv has not one row"
	column "all/$f.csv" start >/dev/null
done
expect_status 0 "$rte" report all

# full: whatever was to be read is not there
if [ -w /dev/full ]; then
	full() {
		"$rte" "$@" >/dev/full 2>err
		[ $? = 3 ] || fail "no room for standard output: not exit status 3: rte $*"
		says err 'cannot write'
	}
	full --help
	full run --help
	full version
	full report all
	full compare all in
	full run talk.lua --dry-run -- "$sut" echo
fi
true
