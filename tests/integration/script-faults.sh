#!/bin/sh
# Scripts that loop, recurse, eat memory, raise, or are met by a screen that nobody expected: the
# user who runs them fails, is counted by kind, goes on, and the others never notice.
set -eu
cd "$TMPDIR"
rte=$RTE_BUILD/rte
cat >sut.sh <<'EOF'
#!/bin/sh
stty raw -echo
printf 'READY'
exec cat
EOF
chmod +x sut.sh

# fault NAME KIND TEXT CODE TIMES: user 2 runs CODE in each of 3 iterations, users 1 and 3 work on.
fault() {
	name=$1 kind=$2 text=$3
	cat >"$name.lua" <<EOF
target "pty:./sut.sh"
function login() expect "READY" end
function iteration()
  if user.id == 2 then
    $4
  else
    transaction("work", function()
      send(("<%d>"):format(user.iteration))
      expect(("<%d>"):format(user.iteration))
    end)
  end
end
EOF
	"$rte" run "$name.lua" -u 3 --iterations 3 --ramp 0s --think none --typing cps:100 --on-error continue \
		-o "$name.run" >"$name.out" 2>&1 || true
	done_work=$(awk -F, '$6 == "work" && $9 == "ok"' "$name.run/transactions.csv" | wc -l)
	[ "$done_work" = 6 ] || {
		echo "$name: the others did $done_work transactions, not 6"
		cat "$name.out"
		exit 1
	}
	# The table of failures breaks its lines.
	sed -n '/^FAILURES/,/^$/p' "$name.out" | tr -s ' \n' '  ' >"$name.failures"
	grep -q "$5 [0-9.]*s $kind .*$text" "$name.failures" || {
		echo "$name: no $5 failures of kind $kind with '$text'"
		cat "$name.failures"
		exit 1
	}
}

fault loop error 'loop.lua:5: the script ran too many instructions' 'while true do end' 3
fault swallow error 'too many instructions' 'while true do pcall(function() while true do end end) end' 3
fault close error 'too many instructions' \
	'local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end' 3
fault memory error 'too much memory' "local s = 'x' while true do s = s .. s end" 3
fault recurse error 'recurse.lua:5: ' 'local function f() return 1 + f() end f()' '[23]' # or a stack overflow
fault pattern error 'pattern too complex' "return (('a'):rep(9000)):find('(.-)(.-)(.-)b')" 3
fault raise error 'raise.lua:5: no' "error 'no'" 3
fault check check 'check.lua:5: wrong' "check(false, 'wrong')" 3
fault timeout timeout 'timeout.lua:5: ' "expect { 'never', timeout = 0.1 }" 3
fault typo error "did you mean 'expect'?" "exepct 'x'" 3

# A program that ends, and leaves a child that keeps the terminal open: the user sees the end, with
# all that was said, long before its time-out.
cat >left.sh <<'EOF'
#!/bin/sh
trap '' HUP
sleep 60 &
echo $! >>left.pids
printf 'bye, '
sleep 0.3
echo 'last words'
exit 3
EOF
chmod +x left.sh
cat >left.lua <<'EOF'
target "pty:./left.sh"
function login() expect "bye, last words" end
function iteration() expect { "never", timeout = 60 } end
EOF
cat >left-eof.lua <<'EOF'
target "pty:./left.sh"
function iteration()
  transaction("end", function() expect { eof = true, timeout = 60 } end)
end
EOF
timeout 40 "$rte" run left.lua -u 2 --iterations 1 --on-error stop -o left.run >left.out 2>&1 &&
	exit 1
[ "$(grep -c 'a child of it keeps the terminal open, while waiting for.*; its process ended with status 3' \
	left.run/sessions.csv)" = 2 ] || {
	echo "left: the end of the program is not in sessions.csv"
	cat left.run/sessions.csv left.out
	exit 1
}
timeout 40 "$rte" run left-eof.lua -u 1 --iterations 1 -o left-eof.run >left.out 2>&1 ||
	{ echo "left: expect { eof = true }"; cat left.out; exit 1; }
kill $(cat left.pids)

# Scripts that never type and never wait: an error, soon, and a log that does not grow without
# bound, whatever the script or the workload makes of errors.
idle() {
	printf 'target "pty:./sut.sh"\n%s\n' "$2" >"$1.lua"
	for on_error in continue restart; do
		rc=0
		timeout 50 "$rte" run "$1.lua" -u 2 --measure 30s --continue 0 --rampdown 1s --on-error $on_error -o "$1.run" \
			>"$1.out" 2>&1 || rc=$?
		[ $rc = 1 ] && grep -q "$3" "$1.run/run.json" || {
			echo "$1, $on_error: exit status $rc"
			cat "$1.out"
			exit 1
		}
		lines=$(wc -l <"$1.run/transactions.csv")
		[ "$lines" -le 4001 ] || { echo "$1: $lines lines"; exit 1; }
	done
}
idle iterations 'function iteration() end' 'did nothing: no key, no wait'
idle transactions 'function iteration() transaction("x", function() end) end' 'did nothing: no key, no wait'
idle inside 'function iteration() while true do transaction("x", function() end) end end' 'did nothing: no key, no wait'
idle caught 'function iteration() while true do pcall(transaction, "x", function() end) end end' 'caught.lua:2: the script'

# Iterations without a transaction, and transactions that type nothing, are counted as what they are.
printf 'target "pty:./sut.sh"\nfunction iteration() think "const:0.01" end\n' >quiet.lua
timeout 50 "$rte" run quiet.lua -u 2 --iterations 5 -o quiet.run >quiet.out 2>&1 || true
"$rte" report quiet.run >quiet.out 2>&1 || true
grep -q '; 10 iterations in the interval' quiet.out || { cat quiet.out; exit 1; }
printf 'target "pty:./sut.sh"\nfunction iteration()\n  think "const:0.01"\n  transaction("x", function() end)\nend\n' >empty.lua
timeout 50 "$rte" run empty.lua -u 2 --iterations 5 -o empty.run >empty.out 2>&1 || true
grep -q 'note *no input *10 (100%)' empty.out && ! grep -q 'BAD *no output' empty.out || { cat empty.out; exit 1; }

# A rule answers the screen that was not expected, and the wait goes on.
cat >rule.lua <<'EOF'
target "pty:./sut.sh"
unexpected("Session expired", function() send " again:done" end)
function login() expect "READY" end
function iteration()
  transaction("ruled", function()
    send "Session expired"
    expect { "again:done", timeout = 5 }
  end)
end
EOF
"$rte" run rule.lua -u 2 --iterations 1 --think none --typing cps:100 -o rule.run >rule.out 2>&1 || {
	cat rule.out
	exit 1
}
[ "$(awk -F, '$6 == "ruled" && $9 == "ok"' rule.run/transactions.csv | wc -l)" = 2 ]

# What is wrong before the first user starts: exit status 2, one message, no run.
refused() {
	rc=0
	"$rte" run "$1" -u 3 -o refused.run >refused.out 2>&1 || rc=$?
	[ $rc = 2 ] && grep -q "$2" refused.out || {
		echo "$1: exit status $rc, and not 2 with '$2'"
		cat refused.out
		exit 1
	}
}
printf 'function iteration( end\n' >syntax.lua
refused syntax.lua "syntax.lua:1: .* expected near 'end'"
printf 'target "pty:./sut.sh"\nfunction iteration() press "Entr" end\n' >key.lua
refused key.lua "key.lua:2: unknown key 'Entr'; did you mean 'Enter'?"
printf 'a\n1\n2\n' >rows.csv
printf 'target "pty:./sut.sh"\nlocal d = data.csv("rows.csv", { mode = "unique" })\nfunction iteration() send(d.a) end\n' >unique.lua
refused unique.lua 'rows.csv: 2 rows are too few for 3 users'
printf 'workload { scripts = { "loop.lua" }, user = 3 }\n' >load.lua
refused load.lua "load.lua:1: workload: unknown field 'user'; did you mean 'users'?"
printf '\033LuaT' >bytecode.lua
refused bytecode.lua 'bytecode.lua is compiled Lua'
