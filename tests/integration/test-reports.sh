#!/bin/sh
# TAP, JUnit, JSON, annotations, the page of a failed test: each as its readers want it, whatever
# the system under test and the names of tests say.
. "$RTE_TOP/tests/support/test.sh"

# A system that says what could break each of them: markup, ends of blocks, directives, workflow
# commands, bytes that are no UTF-8, marks of direction, the controls of two sets.
cat >hostile.sh <<'END'
stty raw -echo
printf '\033]0;title <b>&"'"'"']]>\007\033[2J\033[H'
printf '<script>alert(1)</script> &amp; ]]> <!-- " '"'"' \\ # SKIP # TODO\r\n'
printf '...\r\n  ---\r\nok 99 - injected\r\n1..99\r\nBail out!\r\n'
printf '::error file=x,line=1::injected\r\n##[error]injected\r\n%%0A%%25\r\n'
printf '\357\277\276\357\277\277 \377\376\300\200 \342\200\256reversed\342\200\254 \302\233 \r\n'
printf '{any} {{number}} {U+0041}\r\n'
printf '\001\002\016x\017\177\033[31;1mred\033[m'
read -r x
END
cat >hostile.lua <<'END'
target "pty:sh hostile.sh"
local bad = "<i>&\"']]> # SKIP \\ ::error:: %0A \27[31m \255\254 \u{202e}x"
function login() expect "script" end
test("times out " .. bad, { tags = "a" }, function()
  log(bad .. "\n::error::from a log")
  transaction(bad, function()
    expect { "<i>&\"']]> # SKIP \\ ::error:: %0A", timeout = "100ms" }
  end)
end)
test("checks " .. bad, function()
  check.soft(false, bad .. "\n::error::soft")
  check(false, screen.text())
end)
test("golden " .. bad, function() golden("golden <&\"'") end)
test("skipped " .. bad, { skip = bad }, function() end)
test("skips " .. bad, function() skip(screen.text()) end)
test("expected " .. bad, { fails = bad }, function() error(bad) end)
test("passes " .. bad, function() log(screen.title()) end)
END
test_run 0 hostile.lua -g golden -u # it is written, and then it is another
sed -i 's/^|.*|$/||/' "hostile.golden/golden <&\"'.txt"

# ---- The list: no control character reaches the terminal ----
test_run 1 --still 300ms hostile.lua --artifacts kept --junit junit.xml
LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out && fail "a control character in the list"
LC_ALL=C grep -q "$(printf '\302[\200-\237]')" out && fail "a C1 control in the list"
says out "^3 failed, 2 skipped, 1 failed as expected, 1 passed"
# which ones: once more where they are looked for, behind all the screens
[ "$(tail -n 5 out | grep -c '^  FAIL  hostile.lua:[0-9]*  [tcg][a-z ]* <i>')" = 3 ] || fail "the names at the end"
test_run 0 hostile.lua --list
LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out && fail "a control character in --list"
counts 7 '^hostile.lua:[0-9]*  [^ ]* '
echo 'test("x", { nope = 1 }, function() end)' >bad.lua
test_run 2 bad.lua --list
says err "bad.lua:1: test: unknown field 'nope'"

# ---- JUnit against the schema ----
xmllint --noout --schema "$RTE_TOP/tests/support/junit.xsd" junit.xml 2>xml.err ||
	fail "JUnit: $(cat xml.err)"
xpath() { xmllint --xpath "$1" junit.xml; }
[ "$(xpath 'string(/testsuites/testsuite/@tests)')" = 7 ] || fail "not 7 tests in JUnit"
[ "$(xpath 'string(/testsuites/testsuite/@failures)')" = 3 ] || fail "not 3 failures in JUnit"
xpath 'string(//system-out)' | grep -q 'passes .*: title <b>' || fail "the log is not in it"
[ "$(xpath 'count(//skipped)')" = 3 ] || fail "not 3 skipped in JUnit"
[ "$(xpath 'count(//failure)')" = 3 ] || fail "not 3 failures"
[ "$(xpath 'count(//testcase[contains(@name, "\e[31m \xff\xfe \u{202E}x")])')" = 7 ] || fail "names in JUnit"
xpath 'string(//failure[1])' | grep -q '<script>alert(1)</script>' || fail "the screen is not in it"

# ---- TAP 14: as many points as planned, numbered, and nothing else that looks like one ----
test_run 1 --still 300ms hostile.lua --tap
head -n 2 out | tr '\n' ' ' | grep -qx 'TAP version 14 1..7 ' || fail "the head of TAP"
awk '
	NR <= 2 { next }
	yaml && /^  \.\.\.$/ { yaml = 0; next }
	yaml { if ($0 !~ /^  /) { print "in YAML: " $0; bad = 1 }; next }
	/^  ---$/ { yaml = 1; next }
	/^#/ { next }
	/^(not )?ok [0-9]+ - / {
		n++
		number = $1 == "not" ? $3 : $2
		if (number != n) { print "number: " $0; bad = 1 }
		line = $0
		gsub(/\\./, "", line)
		hashes = gsub(/#/, "", line)
		if (hashes > 1) { print "a second directive: " $0; bad = 1 }
		next
	}
	{ print "no TAP: " $0; bad = 1 }
	END { if (n != 7 || yaml) bad = 1; exit bad }' out || fail "TAP"
counts 3 '^not ok [0-9]* - hostile.lua: [^#]*\\#[^#]*$'
counts 1 '^not ok .* # TODO '
counts 2 '^ok .* # SKIP '
# YAML 1.2, 5.1: printable characters, which U+FFFE and U+FFFF are not.
LC_ALL=C grep -q "$(printf '\357\277[\276\277]')" out && fail "no character of YAML"
# The strings in YAML are JSON strings: SQLite can read each.
sed -n 's/^  *\(- \|[a-z]*: \)\(".*"\)$/\2/p' out >strings
[ "$(wc -l <strings)" -gt 30 ] || fail "no strings in YAML"
printf '[\n%s\n]\n' "$(paste -sd, strings)" >strings.json
[ "$(sqlite3 :memory: "SELECT json_valid(readfile('strings.json'))")" = 1 ] || fail "YAML strings"

# ---- JSON ----
test_run 1 --still 300ms hostile.lua --json
[ "$(sqlite3 :memory: "SELECT json_valid(readfile('out'))")" = 1 ] || fail "no JSON"
sql() { sqlite3 :memory: "SELECT $1 FROM json_each(readfile('out'), '\$.tests')"; }
[ "$(sql "group_concat(json_extract(value, '\$.outcome'), ',')")" = \
	"failed,failed,failed,skipped,skipped,failed as expected,passed" ] || fail "outcomes in JSON"
[ "$(sqlite3 :memory: "SELECT json_extract(readfile('out'), '\$.summary.failed')")" = 3 ] ||
	fail "the summary in JSON"

# ---- Annotations: one a failure, each on one line, at the script's line ----
GITHUB_ACTIONS=true test_run 1 --still 300ms hostile.lua --tap
[ "$(grep -c '^::error ' err)" = 3 ] || fail "not three annotations"
grep '^::' err | grep -v '^::error file=hostile.lua,line=[0-9]*,title=[^:,]*::' &&
	fail "an annotation that is none"
grep -q '^::error file=hostile.lua,line=7,' err || fail "not at the line of the failure"
test_run 1 --still 300ms hostile.lua --github
counts 3 '^::error file='
# Nothing in the list but ours begins like a command of theirs.
[ "$(grep -c '^ *::\|^ *##\[' out)" = 3 ] || fail "an injected annotation"

# ---- The page: well-formed enough to be read, nothing of theirs in it runs ----
n=0
for page in kept/hostile/*/trace.html; do
	n=$((n + 1))
	[ "$(grep -c '<script>' "$page")" = 1 ] || fail "$page: more scripts than ours"
	grep -q '<script>alert' "$page" && fail "$page: their script"
	xmllint --html --noout "$page" 2>html.err
	grep -v -e 'Tag \(header\|nav\|main\|figure\|figcaption\|footer\) invalid' html.err |
		grep -q 'error :' && fail "$page: $(cat html.err)"
	grep -q '&lt;script&gt;alert(1)' "$page" || fail "$page: the screen is not on it"
done
[ $n = 3 ] || fail "$n pages, not 3"
for cast in kept/hostile/*/trace.cast; do
	"$rte" screen --size 80x24 "$cast" >screen.out || fail "$cast cannot be read"
	grep -q 'alert(1)' screen.out || fail "$cast does not show the screen"
done

# ---- The page of all tests: failures first, each with a way to its page ----
page=kept/index.html
xmllint --html --noout $page 2>html.err
grep -v -e 'Tag \(header\|main\) invalid' html.err | grep -q 'error :' && fail "$page: $(cat html.err)"
grep -q '<title>Tests: 3 failed, 2 skipped, 1 failed as expected, 1 passed</title>' $page || fail "no summary in $page"
grep -qi '<script\|<i>' $page && fail "$page: their markup"
[ "$(grep -c '^<tr>' $page)" = 7 ] || fail "not 7 tests in $page"
[ "$(sed -n 's/^<tr><td class="badge">\(failed\)<.*/\1/p' $page | grep -c .)" = 3 ] || fail "not 3 failures in $page"
grep '^<tr>' $page | head -n 3 | grep -c '>failed<' | grep -qx 3 || fail "failures are not first in $page"
sed -n 's/.*<a href="\([^"]*\)">try 1<.*/\1/p' $page >links
[ "$(wc -l <links)" = 3 ] || fail "not 3 links in $page"
while read -r link; do
	[ -f "kept/$link" ] || fail "$page leads to nowhere: $link"
done <links

# ---- What is kept is for its owner alone ----
[ -z "$(find kept -type f -perm /077)" ] || fail "others may read $(find kept -type f -perm /077)"

# ---- A message as long as a screen: short in the list, in full below ----
cat >long.lua <<'END'
target "pty:sh hostile.sh"
test("long", function() expect "script" check(false, ("x"):rep(1000) .. "end") end)
END
test_run 1 long.lua
sed '/^1) /,$d' out | grep -q '^        long.lua:2: xxx*\.\.\.xx*end$' || fail "the list: $(sed '/^1) /,$d' out)"
sed '/^1) /,$d' out | awk 'length > 300 { exit 1 }' || fail "a long line in the list"
says out "long.lua:2: x\{1000\}end\$"

# ---- What cannot be written is told ----
: >file
test_run 3 hostile.lua -g passes --artifacts file/in
says err "cannot create file/in: Not a directory"
test_run 2 hostile.lua -g passes --artifacts ''
says err "artifacts: it needs the name of a folder"
test_run 3 hostile.lua -g passes --junit /nonexistent/x.xml
says err "cannot write /nonexistent/x.xml"
