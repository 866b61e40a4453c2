#!/bin/sh
# rte report and rte compare as a person uses them: what they print, and how they end.
set -u
rte=$RTE_BUILD/rte mkrundir=$RTE_BUILD/support/mkrundir
cd "$TMPDIR" || exit 1
failed=0
fail() {
	echo "FAIL: $*"
	failed=1
}
# ends STATUS ARG...: rte ends so; what it prints is in out and err
ends() {
	want=$1
	shift
	got=0
	"$rte" "$@" >out 2>err </dev/null || got=$?
	[ "$got" = "$want" ] || fail "rte $*: exit status $got, not $want: $(head -n 3 err)"
}
says() {
	grep -q -e "$1" out || fail "no '$1' in: $(head -n 20 out)"
}
warns() {
	grep -q -e "$1" err || fail "no '$1' on standard error: $(cat err)"
}

$mkrundir -u 30 -m 40 good || exit 1
$mkrundir -u 30 -m 40 -w late=0.08 late
$mkrundir -u 30 -m 40 -w killed=1 killed
$mkrundir -u 10 -m 30 -w fail=0.3 -w hostile=1 hostile
mkdir ladder empty
for users in 5 10 20; do
	$mkrundir -u $users -m 20 -s $users "ladder/$users-users"
done

# wrong usage
ends 2 report
warns 'run directory'
ends 2 report --nonsense good
ends 2 report nowhere
warns 'nowhere'
ends 2 report empty
warns 'transactions.csv'
ends 2 report --threshold 'query:p90' good
warns "NAME:p90<2s"
ends 2 report --rules tpc-x good
warns 'tpc-c'
ends 2 report --from 50 --to 20 good
ends 2 report --from soon good
ends 2 compare good
warns 'two or more'
ends 2 compare good ladder
ends 0 report --help
says 'Exit status'
ends 0 compare --help

# verdicts
ends 0 report good
says '^VALID$'
says 'RESPONSE TIME'
says 'query:p90<2s'
[ -s err ] && fail "a good report warns: $(cat err)"
ends 1 report --threshold 'query:p90<1us' good
says 'MISSED *query:p90<1us'
ends 1 report --threshold 'nobody:n>0' good
says 'no sample, no such transaction'
ends 4 report late
says '^INVALID:.*lateness'
ends 0 report killed
says 'killed, or still running'
ends 1 report --strict killed
ends 1 report hostile
grep -q "$(printf '\033')" out && fail "an escape sequence came through"
grep -q 'tpmC\|tpsA' out && fail "a word that nobody may print"

# as wide as the terminal, 80 columns where there is none; a mark of three bytes takes one
widest() { sed 's/\r$//; /^files/d; /^  *[a-z]*\/[a-z.]*$/d; s/\x1b\[[0-9;]*m//g' | awk '{ n = length($0); if (n > w) w = n } END { print w }'; }
ends 0 report good
[ "$(widest <out)" -le 80 ] || fail "$(widest <out) columns, not 80: $(awk 'length($0) > 80' out)"
for cols in 70 80 140; do
	script -qec "stty cols $cols; $rte report good" /dev/null </dev/null >out
	[ "$(widest <out)" -le $cols ] || fail "$(widest <out) columns on a terminal of $cols"
	n=$(grep -c '^transaction' out)
	if [ $cols = 140 ]; then
		[ "$n" = 2 ] || fail "$n tables on a terminal of 140, not 2"
	else
		[ "$n" -gt 2 ] || fail "$n tables on a terminal of $cols"
	fi
done

# another interval
ends 0 report --json --from 15s --to 25 good
says '"chosen": true'
says '"duration_s": 10.0'
ends 1 report --from 2000 good
says 'nothing was measured'

# formats
ends 0 report --json good
says '"format": 1'
ends 0 report --csv good
[ "$(wc -l <out)" = 4 ] || fail "CSV: $(wc -l <out) lines"
ends 0 report --accounts good
[ "$(wc -l <out)" = 31 ] || fail "accounts: $(wc -l <out) lines"
ends 0 report --jtl good
says '^timeStamp,elapsed,label'
ends 0 report --hdr good
says 'Tag=query,'
ends 1 report --junit j.xml --html h.html hostile
command -v xmllint >/dev/null || { echo "xmllint is missing"; exit 77; }
xmllint --noout --schema "$RTE_TOP/tests/support/junit.xsd" j.xml 2>err || fail "JUnit: $(cat err)"
[ -s out ] && fail "files alone were asked for"
grep -q '<failure ' j.xml || fail "no failure in JUnit"
grep -q '</html>' h.html || fail "no whole page"
ends 4 report --html many.html good late
[ -s many.html ] && [ -s many-2.html ] || fail "two runs, two pages: $(ls)"
ends 3 report --html /nonexistent/x.html good
warns '/nonexistent/x.html'
[ -w /dev/full ] && { "$rte" report good >/dev/full 2>err; [ $? = 3 ] || fail "a full disk"; warns 'No space left'; }
# a reader that went away needs no message
mkfifo pipe
: <pipe &
exec 4>pipe
wait $!
"$rte" report good >&4 2>err
[ $? = 3 ] || fail "nobody reads"
[ -s err ] && fail "a message for nobody: $(cat err)"
exec 4>&-

# ladder and comparison
ends 0 report ladder
says '^ *20 '
says "Little's law"
ends 0 report --csv ladder
[ "$(wc -l <out)" = 4 ] || fail "ladder CSV"
ends 0 report --json --html ladder.html ladder
says '"levels"'
ends 2 report --jtl ladder
ends 0 compare good late
says 'P90 OF THE RESPONSE TIME'
says '^all '
ends 0 compare --json good late
says '"against_first"'
ends 0 compare --html c.html ladder ladder
[ -s out ] && fail "a page alone was asked for"
grep -q '20 users' c.html || fail "no users in the comparison"

# a log in which a line was cut anywhere is still a run
size=$(wc -c <good/transactions.csv)
for cut in 10 300 $((size / 2)) $((size - 1)); do
	mkdir -p part
	cp good/run.json good/timeline.csv part/
	head -c "$cut" good/transactions.csv >part/transactions.csv
	"$rte" report part >out 2>err
	case $? in
	0 | 1) ;;
	*) fail "cut after $cut bytes: $(cat err)" ;;
	esac
done

# pipes in the place of files: said at once, not waited for
for file in transactions.csv sessions.csv timeline.csv run.json; do
	rm -rf pipe
	cp -r good pipe
	rm "pipe/$file"
	mkfifo "pipe/$file"
	timeout 20 "$rte" report pipe >out 2>err </dev/null
	[ $? != 124 ] || fail "rte report waits for a pipe: $file"
done
exit $failed
