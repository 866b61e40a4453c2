#!/bin/sh
# Nothing that a SUT or a script says reaches the person's terminal as it came: not from the screen
# that is looked at, nor by titles, names or messages.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/tmux.sh"
esc=$(printf '\033')
cat >sut.sh <<'EOF'
#!/bin/sh
stty raw -echo
e=$(printf '\033')
while :; do
	printf '%s]0;TITLE%s]52;c;UFdORUQ=\007' "$e" "$e"
	printf '%s]2;OTHER\007%sPq#0~~PWNDCS%s\\' "$e" "$e" "$e"
	printf '%s[5iPRINTED%s[4i%s_APC%s\\%s^PM%s\\\005\016\017' "$e" "$e" "$e" "$e" "$e" "$e"
	printf '\302\233[31mC1\302\220DCS\302\234 \302\2352;C1TITLE\302\234'
	printf '%s[?1049h%s[?1003h%s[?2004h%s[8;5;5t%s[c%s[6n%s[21t' "$e" "$e" "$e" "$e" "$e" "$e" "$e"
	printf '%s[H%s[44;1mBLUE%s[0m \342\200\256rtl\342\200\254 ok' "$e" "$e" "$e"
	read -r line || exit
done
EOF
chmod +x sut.sh
cat >bad.lua <<'EOF'
target "pty:./sut.sh"
function login() expect { "ok", already = true } end
function iteration()
  transaction("t\27]52;c;TUFMSUNF\7x\27[2J", function()
    press "Enter"
    if user.id == 2 then error("\27]0;EVIL\7\27[31mraised\155m") end
    expect { "BLUE", already = true }
  end)
  think()
end
EOF
"$rte" run bad.lua -u 3 --ramp 0s --measure 5m --rampdown 1s --think const:0.5 --lateness 30s,60s \
	--display none -o run >run.out 2>run.err &
RUN_PID=$!
until_true test -S run/control.sock
terminal 120 40
$tmux pipe-pane -O "cat >'$TMPDIR/raw'"
enter "$rte watch run"
pane_has 'errors, by kind'
pane_has 'raised'
type 1
keys Enter
pane_has 'BLUE .*rtl.* ok'
blue() { $tmux capture-pane -p -e | grep BLUE | grep -q "$esc\[[0-9;]*44"; }
until_true blue
pane_has 'title: '
keys n
pane_has '^ user 2 '
keys q
pane_has 'errors, by kind'
keys u
pane_has 'of 3$'
keys q
pane_has 'errors, by kind'
keys q
pane_has 'ready>$'
kill "$RUN_PID"
wait "$RUN_PID"
RUN_PID=
grep -a -q BLUE raw || fail "nothing was recorded"
bad() { LC_ALL=C grep -a -c -e "$1" raw >/dev/null && fail "the terminal was sent $2"; }
bad "$esc\]" "an operating system command"
bad "$esc\[P^_X]" "a control string"
bad "${esc}P" "a device control string"
bad "${esc}_" "an application command"
bad "$esc\[5i" "printer control"
bad "$esc\[?1003h" "mouse tracking"
bad "$esc\[8;[0-9]*;[0-9]*t" "a window size"
bad "$esc\[c" "a query"
bad "$esc\[6n" "a query"
bad "$(printf '\302[\200-\237]')" "C1 controls"
bad "$(printf '\342\200\256')" "a change of the writing direction"
bad "$(printf '\005')" "ENQ"
bad PWNDCS "the inside of a control string"
bad PRINTED "what was for the printer"
"$rte" report run >out 2>&1
LC_ALL=C grep -a -q -e "$esc" out && fail "the report holds escape sequences"
true
