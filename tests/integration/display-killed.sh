#!/bin/sh
# A display that is killed, hangs or loses its terminal leaves the run going and the terminal sane;
# Ctrl-C under it ends the run gently, twice at once.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/tmux.sh"
tty_state() { $tmux display-message -p '#{pane_tty}' | xargs -I{} stty -a -F {}; }
sane() {
	[ "$(tty_state)" = "$before" ] || fail "$1: the terminal was left otherwise"
	[ "$($tmux display-message -p '#{alternate_on}#{cursor_flag}#{keypad_cursor_flag}')" = 010 ] ||
		fail "$1: the terminal was left in a mode"
}
run_of() { here | awk -v o="-o $1 " '$3 == "run" && index($0, o) && $2 !~ /sh$/ { print $1; exit }'; }
# begin DIR MEASURE
begin() {
	enter "clear; $rte run talk.lua -u 3 --ramp 0s --measure $2 --continue 0s --rampdown 1s --think const:0.3 \
--typing cps:50 --lateness 30s,60s -o $1 --target 'pty:$sut echo'; echo \"status \$?.\""
	pane_has '^ measure .*left'
	pane_has '^ talk .*ms'
}
terminal 80 24
before=$(tty_state)

begin killed 8s
kill -9 "$(display_of killed)"
pane_has 'the display has ended, the run goes on'
pane_has 'users; .*tx/s'
sane killed
pane_has 'status 0\.'
outcome_is killed finished || fail "the run whose display was killed: $(grep outcome killed/run.json)"

begin left 5s
keys q
pane_has 'the display has ended, the run goes on'
pane_has 'status 0\.'
sane left

begin hung 5s
kill -STOP "$(display_of hung)"
until_true outcome_is hung finished
pane_has 'status 0\.'
sane hung

begin gentle 5m
keys C-c
pane_has 'status [01]\.'
sane gentle
outcome_is gentle stopped || fail "gentle: $(grep outcome gentle/run.json)"
actions gentle | grep -qx 'stop by signal' || fail "gentle: $(actions gentle)"
column gentle/sessions.csv end | grep -vqx logout && fail "gentle: someone did not log out"

begin twice 5m
keys C-c
keys C-c
pane_has 'status [01]\.'
sane twice
actions twice | tail -n 1 | grep -qx 'stop now by signal' || fail "twice: $(actions twice)"
"$rte" report twice >out || fail "no report of what was stopped"

# The run dies: its display goes, too, and puts the terminal back.
begin gone 5m
kill -9 "$(run_of gone)"
gone() { [ -z "$(display_of gone)" ]; }
until_true gone
# What the shell said in between stood on the screen that has gone.
enter 'clear; echo back'
pane_has '^back'
sane gone
"$rte" report gone >out || fail "no report of a run that was killed"

# The run is stopped from outside: the shell gets its terminal, and `fg` shows the display again.
begin stopped 5m
kill -STOP "$(run_of stopped)"
mode_is() { [ "$($tmux display-message -p '#{alternate_on}#{cursor_flag}')" = "$1" ]; }
until_true mode_is 01
enter 'clear; echo shell is back'
pane_has '^shell is back'
pane_lacks 'talk .*ms'
sane stopped
enter fg
pane_has '^ measure .*left'
pane_has '^ talk .*ms'
keys C-c
pane_has '^ready>'
sane stopped
outcome_is stopped stopped || fail "stopped: $(grep outcome stopped/run.json)"

# Keys that suspend or kill reach neither; in the background there is no display, and nothing stops.
begin keys 6s
keys C-z
keys 'C-\'
pane_has 'status 0\.'
outcome_is keys finished || fail "keys: $(grep outcome keys/run.json)"
enter "clear; $rte run talk.lua -u 2 --ramp 0s --measure 3s --continue 0s --rampdown 1s --lateness 30s,60s -o back \
--target 'pty:$sut echo' >/dev/null &"
until_true outcome_is back finished
enter "clear; $rte run talk.lua -u 2 --ramp 0s --measure 3s --continue 0s --rampdown 1s --lateness 30s,60s -o back2 \
--target 'pty:$sut echo' &"
until_true outcome_is back2 finished
enter clear

# A terminal of any size; a display that is stopped while it draws, without a shell that knows of it.
begin sizes 5m
shown=$(display_of sizes)
pane_tty=$($tmux display-message -p '#{pane_tty}')
wrote() { [ "$(awk '/^wchar/ { print $2 }' "/proc/$shown/io")" -gt "$had" ]; }
for size in '100 40000' '40000 100' '1 1' '2 300' '65535 65535' '24 80' '0 0' '1 65535' '24 80'; do
	had=$(awk '/^wchar/ { print $2 }' "/proc/$shown/io") || fail "the display is gone, before $size"
	# shellcheck disable=SC2086
	set -- $size
	stty -F "$pane_tty" rows "$1" cols "$2"
	until_true wrote
done
pane_has '^ talk .*ms'
cat >stops <<'END'
term xterm
deadline 60s
wait talk
END
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	printf 'resize 80x%d\nsignal 20\nsignal 18\nresize 90x%d\nsignal 20\nsignal 18\n' $((10 + i)) $((50 - i))
done >>stops
cat >>stops <<'END'
resize 80x24
wait talk
key 2 Enter
wait user 2
key q
wait talk
key q
exit 0
END
expect_status 0 "$RTE_BUILD/support/ptydrive" -f stops -- "$rte" watch sizes
keys C-c
pane_has 'status [01]\.'
sane sizes

# The terminal dies.
begin hup 8s
$tmux kill-server
until_true outcome_is hup finished
[ -s hup/report.html ] || until_true test -s hup/report.html
column hup/transactions.csv status | grep -q ok || fail "hup: no transaction"

# Where there is no terminal, tui says so and auto gives lines.
expect_status 3 "$rte" run talk.lua --display tui --iterations 1 -o no -- "$sut" echo
says err 'needs a terminal'
expect_status 0 "$rte" run talk.lua -u 2 --measure 7s --ramp 0s --continue 0s --rampdown 1s --think const:0.3 \
	--lateness 30s,60s -o lines --target "pty:$sut echo"
says err '^rte: .* measure (.* left): 2 of 2 users; [0-9.]* tx/s'
grep -q "$(printf '\033')" err && fail "the log holds escape sequences"
[ "$(wc -l <err)" -le 8 ] || fail "more than a line every few seconds"
true
