#!/bin/sh
# System activity beside the run: recorded here and over ssh, put on the run's axis, in the report;
# nothing of it is left running, however the run ends.
. "$RTE_TOP/tests/support/run.sh"
command -v sar >/dev/null && command -v sadf >/dev/null || { echo "sysstat is missing"; exit 77; }
mkdir tmp bin
short="-u 2 --ramp 0s --measure 4s --continue 0s --rampdown 1s --think const:0.2"
recordings() { ps -eo args= | grep "^[^ ]*sar -o $TMPDIR/tmp/" | grep -c .; }
nothing_left() {
	n=0
	until [ "$(recordings)" = 0 ] && [ -z "$(ls tmp)" ]; do
		n=$((n + 1))
		[ $n -lt 600 ] || fail "$1: left $(recordings) recordings, files $(ls tmp)"
		sleep 0.1
	done
}
check() {
	"$rte" report "$1" >out || fail "report of $1"
	says out '^SYSTEM .* samples of the interval'
	says out '^CPU busy .*%'
	says out '^run queue '
	says out '^paged out '
	"$rte" report --json "$1" | tr -d ' \n' | grep -q '"system":{"host":"[^"]*","samples":[3456],.*"cpu_busy":{"mean":[0-9]' ||
		fail "$1: no figures of the system in the summary"
	grep -q 'id="sar-cpu"' "$1/report.html" || fail "$1: no charts"
	grep -q '"sar":{"at":\[' "$1/report.html" || fail "$1: nothing to draw"
	nothing_left "$1"
}
TMPDIR=$TMPDIR/tmp run talk.lua $short --sar -o here --target "pty:$sut echo" >out 2>err || fail "a run with --sar"
check here

# Over ssh: what ssh is given runs in a shell whose clock is 100 s ahead.
cat >bin/ssh <<'EOF'
#!/bin/sh
echo "$*" | head -n 1 >>"$TEST_DIR/ssh.args"
for command; do :; done
cd / && PATH=$TEST_DIR/ahead:$PATH exec sh -c "$command"
EOF
mkdir ahead
cat >ahead/date <<'EOF'
#!/bin/sh
[ "$1" = +%s.%N ] && exec awk -v now="$(/bin/date +%s.%N)" 'BEGIN { printf "%.3f\n", now + 100 }'
exec /bin/date "$@"
EOF
cat >ahead/sadf <<EOF
#!/bin/sh
$(command -v sadf) "\$@" | perl -MPOSIX -MTime::Local -pe '
	s/(\d+)-(\d+)-(\d+)(", "time": ")(\d+):(\d+):(\d+)/
		my @t = gmtime(timegm(\$7, \$6, \$5, \$3, \$2 - 1, \$1) + 100);
		strftime("%Y-%m-%d", @t) . \$4 . strftime("%H:%M:%S", @t)/eg'
EOF
chmod +x bin/ssh ahead/date ahead/sadf
TEST_DIR=$TMPDIR TMPDIR=$TMPDIR/tmp PATH=$PWD/bin:$PATH run talk.lua $short --sar clerk@sut.example -o there \
	--target "pty:$sut echo" >out 2>err || fail "a run with --sar over ssh"
says ssh.args 'BatchMode=yes.* -- clerk@sut.example '
check there
grep -q 'its clock was 100\.[0-9]s ahead' there/report.html || fail "the clocks were not put together"

# A run that is killed leaves a recording that can be read, and no process.
TMPDIR=$TMPDIR/tmp "$rte" run talk.lua $short --measure 5m --display none --sar -o killed \
	--target "pty:$sut echo" >out 2>err &
pid=$!
n=0
until [ "$(wc -l 2>/dev/null <killed/timeline.csv)" -gt 3 ] 2>/dev/null; do
	n=$((n + 1))
	[ $n -lt 600 ] || fail "no run to kill"
	sleep 0.1
done
kill -9 $pid
nothing_left killed
grep -q '"cpu-load"' killed/sar.json || fail "nothing was kept of the run that was killed"

# What cannot be recorded is said before anybody logs in.
cat >bin/ssh <<'EOF'
#!/bin/sh
echo "ssh: Could not resolve hostname sut.example" >&2
exit 255
EOF
PATH=$PWD/bin:$PATH expect_status 3 "$rte" run talk.lua $short --display none --sar=sut.example -o refused \
	--target "pty:$sut echo"
says err 'cannot record the system activity of sut.example: ssh: Could not resolve'
