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
terminal 80 24
enter "$rte play --step step.lua -- sh last-row.sh; echo \"status \$?.\""
pane_has '^answer?'
pane_has '^ Space: do it  c: go on  q: end | step.lua:1: expect "answer? "'
pane | sed -n 1p | grep -q 'Space: do it' || fail "the step is not in the first row"
keys Space
pane_has 'step.lua:3: press "Enter"'
keys c
pane_has 'status 0\.'

enter "clear; $rte play --step talk.lua -- $sut echo; echo \"status \$?.\""
pane_has '^>'
pane | tail -n 1 | grep -q 'Space: do it' || fail "the step is not in the last row"
keys q
pane_has 'status 1\.'
