#!/bin/sh
# The display that rte run shows on a terminal: driven by keys at 80x24, made 200x60 while the run
# goes on, and what is steered with it stands in run.json and in the report.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/tmux.sh"
teller=$RTE_BUILD/demo/teller
"$teller" --create --branches 2 --accounts 500 bank.db >/dev/null || fail create

terminal 80 24
stty_before=$($tmux display-message -p '#{pane_tty}' | xargs -I{} stty -a -F {})
enter "$rte run '$RTE_TOP/scripts/caseA.lua' -u 20 --ramp 0s --measure 5m --rampdown 2s --think exp:1 \
--typing cps:8 --lateness 30s,60s --set branches=2 --set accounts=500 -o run --target 'pty:$teller bank.db'"
pane_has '^ measure .*% .*left'
pane_has '^ planned connect .*login .*typing .*waiting .*thinking .*done .*failed .*wanted'
pane_has ' 20$'
pane_has '^ query  *[0-9][0-9.]* .*ms.*ms'
pane_has '^ all  *[0-9]'
pane_has '^ 0 errors'
pane_has '^ driver .*late p99 .*CPU .*memory .*MiB'
pane_has 'u users .* p pause .* q leave'
[ "$(stat -c %a run/control.sock)" = 600 ] || fail "the socket has mode $(stat -c %a run/control.sock)"

# Over the shoulder of the third, then of the fourth; the colours of its screen are there.
keys u
pane_has 'users by number'
pane_has '1 of 20'
keys Down
keys Down
pane_has '3 of 20'
keys Enter
pane_has '^ user 3 .*80x24, rows 1 to 20'
pane_has 'caseA.lua:[0-9]'
pane_has 'Demo Bank  *Account'
pane_has 'Account number'
coloured() { $tmux capture-pane -p -e | grep 'Demo Bank' | grep -q "$(printf '\033')\["; }
until_true coloured
keys Down
keys Down
keys Down
keys Down
keys Down
keys Down
pane_has '^ user 3 .*80x24, rows 5 to 24'
pane_has 'Enter=Do .*F10=Exit'
keys Up
pane_has '^ user 3 .*80x24, rows 4 to 23'
keys n
pane_has '^ user 4 '
keys p
keys p
pane_has '^ user 2 '
type 17
keys Enter
pane_has '^ user 17 '

# Another size while it shows.
$tmux resize-window -x 200 -y 60
pane_has 'a number: that user  q back *$'
pane_has 'Enter=Do .*F10=Exit'
keys q
pane_has 'users by number'
keys o
pane_has 'slowest users first'
keys q
pane_has 'last minutes: rate'
pane_has 'schedules anew'
pane_has '^ query .*[▁▂▃▄▅▆▇█]'
$tmux resize-window -x 30 -y 8
pane_has 'measure'
# Small: what all transactions are at, users by state, and whole words.
$tmux resize-window -x 40 -y 12
pane_has '^ all  *[0-9][0-9.]* '
pane_has ' of 20$'
pane_has 'q leave  ? help'
pane_has '^ driver late p99 [^ ]*, max [^ ]*s *$'
$tmux resize-window -x 80 -y 24
pane_has '^ driver .*late'

# Steering.
keys +
pane_has ' 22$'
came() { [ "$("$rte" ctl run state | jq '.users | add - .planned')" = 22 ]; }
until_true came
keys w
pane_has 'users wanted:'
type 12
keys Enter
pane_has ' 12$'
pane_has '12 users wanted, were 22'
left() { "$rte" ctl run state | tr -d ' \n' | grep -q '"done":10'; }
until_true left
keys p
pane_has 'PAUSED'
thinking() { "$rte" ctl run state | tr -d ' \n' | grep -q '"typing":0,"waiting":0,"thinking":12,"done":10'; }
until_true thinking
keys p
pane_lacks 'PAUSED'
keys n
pane_has 'next phase now? y/n'
keys x
pane_lacks 'y/n'
keys n
pane_has 'next phase now? y/n'
keys y
pane_has '^ continue'
keys e
pane_has 'log out? y/n'
keys y
pane_has 'ready>$'
outcome_is run finished || outcome_is run stopped || fail "outcome: $(grep outcome run/run.json)"
[ "$stty_before" = "$($tmux display-message -p '#{pane_tty}' | xargs -I{} stty -a -F {})" ] ||
	fail "the terminal was left otherwise"
[ "$($tmux display-message -p '#{alternate_on}#{cursor_flag}#{keypad_cursor_flag}')" = 010 ] ||
	fail "the terminal was left in a mode"
[ ! -e run/control.sock ] || fail "the socket is left"
actions run >acts
printf '%s by display\n' 'users 22' 'users 12' pause resume next stop | diff - acts || fail "actions"
COLUMNS=250 "$rte" report run >out || fail report
says out '^STEERED$'
says out ' users 12 by display$'
says out '^warn  steered  *[0-9] times by a person: users 22 at .* changed the load within the interval; paused for'
grep -q '<b>users 12</b>' run/report.html || fail "the page does not tell of it"
