#!/bin/sh
# Over the shoulder of whoever waits longest, and of one that failed: state, how long it waits and for
# what, the script's line, how long until it times out; the same as the screen shows it, in colour.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/tmux.sh"
esc=$(printf '\033')
cat >slow.sh <<'END'
#!/bin/sh
# Answers each line after 4 s, on a red ground.
stty -echo
e=$(printf '\033')
printf '> '
while read -r line; do
	sleep 4
	printf '%s[41;33mANSWER %s%s[0m\r\n> ' "$e" "$line" "$e"
done
END
chmod +x slow.sh
cat >slow.lua <<'END'
function login() expect "> " end
function iteration()
  if user.id == 3 then error("cannot go on") end
  transaction("ask", function()
    send "x"
    press "Enter"
    expect { "ANSWER x", timeout = 30 }
  end)
  think(1)
end
END
"$rte" run slow.lua -u 3 --ramp 0s --measure 5m --rampdown 1s --typing cps:50 --lateness 30s,60s --display none \
	-o run --target pty:./slow.sh >run.out 2>run.err &
RUN_PID=$!
until_true test -S run/control.sock
terminal 100 30
enter "$rte watch run"
pane_has '1 error\|[0-9]* errors, by kind'
keys s
pane_has 'slowest users first'
pane_has '[0-9.]*s+ .*ask '
pane_has '+ waits now'
keys Enter
pane_has '^ user [12]  slow .*80x24'
pane_has '^ waiting .*s for "ANSWER x"'
pane_has ' [0-9]*s left$'
pane_has '^ slow.lua:7  iteration  transaction ask  iteration [0-9]* '
pane_has '^> ANSWER x'
coloured() { $tmux capture-pane -p -e | grep 'ANSWER x' | grep "$esc\[" | grep -q '41'; }
until_true coloured
keys q
pane_has 'slowest users first'
keys q
pane_has '^ transaction '
keys f
pane_has 'users with most failures first'
# The one that failed stands first, under the cursor.
until_true sh -c "$tmux capture-pane -p | sed -n 3p | grep -q '^ *3 '"
keys Enter
pane_has '^ user 3 '
pane_has 'failures [1-9]'
kill -INT "$RUN_PID"
kill -INT "$RUN_PID"
wait "$RUN_PID"
RUN_PID=
