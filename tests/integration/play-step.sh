#!/bin/sh
# --step in a terminal that the screen fills: the step stands over the last row, or over the first
# while the cursor is in the last.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/tmux.sh"

cat >last-row.sh <<'END'
printf '\033[24;1Hanswer? '
read -r answer
END
cat >step.lua <<'END'
function login() expect "answer? " end
function iteration()
  press "Enter"
  expect { eof = true }
end
END
row_has() { pane | sed -n "$1p" | grep -q -e "$2"; } # ROW PATTERN
terminal 80 24
enter "$rte play --step step.lua -- sh last-row.sh; echo \"status \$?.\""
pane_has '^answer?'
pane_has '^ Space: do it  c: go on  q: end | step.lua:1: expect "answer? "'
until_true row_has 1 'Space: do it'
keys Space
pane_has 'step.lua:3: press "Enter"'
keys c
pane_has 'status 0\.'

enter "clear; $rte play --step talk.lua -- $sut echo; echo \"status \$?.\""
pane_has '^>'
until_true row_has 24 'Space: do it'
keys q
pane_has 'status 1\.'

# a picture of 80 columns is not wrapped on 80
cat >wrong.lua <<'END'
function login() expect "answer? " end
function iteration() expect { "never", timeout = 0.2 } end
END
enter "clear; $rte play wrong.lua -- sh -c \"printf '\\\\033[10;80HZ'; sh last-row.sh\"; echo \"status \$?.\""
pane_has 'status 1\.'
pane | grep -q '^ \{79\}Z$' || fail "the row is not as it was: $(pane)"
pane | grep -q '^|' && fail "half a frame: $(pane)"

# on a terminal smaller than the screen: the part that fits, and what that is
$tmux resize-window -x 60 -y 20
cat >fill.sh <<'END'
n=0
while [ $n -lt 24 ]; do
	n=$((n + 1))
	printf '\033[%d;1H%02d%056dBEHIND' $n $n 0
done
printf '\033[1;1H'
read -r answer
END
cat >small.lua <<'END'
function login() expect "24000" end
function iteration() pause(0.1) end
END
enter "clear; $rte play --step small.lua -- sh fill.sh; echo \"status \$?.\""
pane_has '^ 60 x 19 of 80 x 24 | Space: do it'
until_true row_has 1 '^010*BE$'
until_true row_has 19 '^190*BE$'
keys c
pane_has 'status 0\.'
