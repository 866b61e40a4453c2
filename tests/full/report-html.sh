#!/bin/sh
# The HTML pages in a browser: no error on its console, every chart drawn, nothing that a SUT
# or a script wrote is taken for markup, and small however many transactions there were.
set -u
rte=$RTE_BUILD/rte mkrundir=$RTE_BUILD/support/mkrundir
browser=$(command -v chromium || command -v chromium-browser) || {
	echo "chromium is missing"
	exit 77
}
cd "$TMPDIR" || exit 1
failed=0
fail() {
	echo "FAIL: $*"
	failed=1
}
browse() {
	timeout 90 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$TMPDIR/profile" --enable-logging=stderr --virtual-time-budget=5000 "$@" \
		2>console
}
# look PAGE CANVASES: opens it with a line behind that tells what became of it
look() {
	cp "$1" page.html
	echo '<script>document.querySelectorAll("summary").forEach(function (s) { s.click(); });
		setTimeout(function () { document.title = "pwned:" + (typeof window.pwned) + " graphs:" +
		document.querySelectorAll(".plot canvas").length; }, 1000);</script>' >>page.html
	browse --dump-dom "file://$TMPDIR/page.html" >dom || fail "$1: the browser ended with $?"
	grep 'CONSOLE' console && fail "$1: the console is not quiet"
	grep -q 'data-ready="1"' dom || fail "$1: the script did not come to its end"
	title=$(sed -n 's|.*<title>\(pwned[^<]*\)</title>.*|\1|p' dom)
	case $title in
	pwned:undefined*) ;;
	*) fail "$1: $title" ;;
	esac
	canvases=$(echo "$title" | sed 's/.*graphs:\([0-9]*\).*/\1/')
	[ "${canvases:-0}" -ge "$2" ] || fail "$1: $canvases canvases, not $2"
	grep -q 'http-equiv\|src="http\|href="http' "$1" && fail "$1: something is fetched"
	[ "$(wc -c <"$1")" -lt 3145728 ] || fail "$1: $(wc -c <"$1") bytes"
}

$mkrundir -u 30 -m 60 -w fail=0.05 -w hostile=1 -w pacing=3 run
$rte report --html run.html run
# Four charts over time, the curve, eight transactions and all together, their think and keying times;
# two canvases each.
look run.html 64
grep -q 'Bank of Nowhere' dom || fail "the screen of a failure is not there"
grep -q 'background:#3b78ff' dom || fail "its colours are not there"
for chart in response rate percentiles lateness cpu; do
	grep -q "id=\"$chart\"" dom || fail "no chart '$chart'"
done

for users in 5 10 20 40; do
	$mkrundir -u $users -m 30 -w grow=0.001 "ladder/$users" 2>/dev/null ||
		{ mkdir -p ladder && $mkrundir -u $users -m 30 -w grow=0.001 "ladder/$users"; }
done
$rte report --html ladder.html ladder
look ladder.html 4
$rte compare --html runs.html run ladder/20 ladder/40
look runs.html 2
$rte compare --html ladders.html ladder ladder
look ladders.html 6

# Many names, long ones, and a run that measured nothing.
$mkrundir -u 50 -m 60 -w names=300 names
$rte report --html names.html names
look names.html 40
mkdir nothing
echo '{"outcome":"failed"}' >nothing/run.json
$rte report --html nothing.html nothing
look nothing.html 0

# On paper: light, and not cut off at the right.
browse --print-to-pdf=run.pdf --no-pdf-header-footer "file://$TMPDIR/run.html" >/dev/null ||
	fail "printing ended with $?"
[ -s run.pdf ] || fail "nothing was printed"
exit $failed
