#!/bin/sh
# 80 columns: names as the recorder makes them stand there in full, longer ones keep their end, and
# what has not happened lately has no times.
. "$RTE_TOP/tests/support/run.sh"
. "$RTE_TOP/tests/support/tmux.sh"
cat >names.lua <<'END'
local function talk(name)
  transaction(name, function() send "x" press "Enter" expect "> " end)
end
function login()
  expect "> "
  talk "sign-on"
end
function iteration()
  talk "account-query-enter"
  talk "account-query-F3"
  talk "customer-maintenance-address-enter"
  think(1)
end
END
terminal 80 24
enter "$rte run names.lua --measure 2m --rampdown 1s -o run --target 'pty:$sut echo'"
pane_has '^ account-query-enter  *[0-9]'
pane_has '^ account-query-F3  *[0-9]'
pane_has '^ customer[^ ]*\.\.\.[^ ]*enter  *[0-9]'
pane_has '^ sign-on  *0.00  *-  *-  *- *1 '
pane_has ' keys [0-9.]*/s$'
keys '?'
pane_has 'who waits longest for the SUT, then by last response$'
keys Space
keys E
pane_has 'y/n'
keys y
pane_has 'ready>$'
