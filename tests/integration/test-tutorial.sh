#!/bin/sh
# doc/tutorial-test.md as a new user would: its commands in order, from an empty folder, with a person
# at the terminal who does what it says.
. "$RTE_TOP/tests/support/test.sh"
PATH=$RTE_BUILD:$RTE_BUILD/support:$PATH

# The blocks of commands, one file each.
awk '/^```sh$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print >("block" n) }' \
	"$RTE_TOP/doc/tutorial-test.md"
cat >person <<'END'
term xterm-256color
wait Lunch
quiet 400ms
key Down
quiet 300ms
key C-]
type g
wait golden screen
type pasta
key Enter
quiet 300ms
key Enter
exit 0
END
sed -i "s|^rte record|ptydrive -f $TMPDIR/person -- rte record|" block1
n=0
for want in 0 0 0 1 0 0; do
	n=$((n + 1))
	[ -s "$TMPDIR/block$n" ] || fail "the tutorial has no block $n"
	sh -e "$TMPDIR/block$n" >"$TMPDIR/out" 2>"$TMPDIR/err"
	got=$?
	cp "$TMPDIR/out" "$TMPDIR/out$n"
	[ $got = $want ] || { cd "$TMPDIR"; fail "block $n: exit status $got, not $want"; }
	[ $n -gt 1 ] || cd lunch || exit 1
done
[ ! -e "$TMPDIR/block7" ] || fail "the tutorial has more blocks than this test runs"
cd "$TMPDIR" || exit 1
says out2 "written golden screen lunch.golden/pasta.txt"
never_says out3 written
says out4 'actual   |                   │ │             3  Fish '
says out5 updated
for line in 'press "Down"' 'expect { "Pasta", row = 11, cursor = { 15, 31 } }' 'golden "pasta"'; do
	grep -qF "$line" lunch/lunch.lua || fail "the script has no line '$line', as the tutorial says"
done
[ -s lunch/junit.xml ] || fail "no JUnit"
# Its Lua is Lua that loads.
awk '/^```lua$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print >("script" n ".lua") }' \
	"$RTE_TOP/doc/tutorial-test.md"
printf 'number,balance\n1,2\n' >accounts.csv
expect_status 0 "$rte" test --list script2.lua
says out "balance of 1 @query"
