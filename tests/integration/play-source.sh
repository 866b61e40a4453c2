#!/bin/sh
# --step on a terminal with room beside or below the screen: the script stands there, its next line
# marked; what is in the script is text there, whatever it is.
. "$RTE_TOP/tests/support/run.sh"
drive=$RTE_BUILD/support/ptydrive
printf 'function login() expect "> " end\nfunction iteration()\n\tsend "one"\n  press "Enter"\n  expect ": one"\n  -- \033[2J \303\244 wide \344\270\255\346\226\207 \377\n  send "quit"\n  press "Enter"\nend\n' >step.lua

"$drive" -- "$rte" play --step step.lua -- "$sut" echo <<END || fail "the person beside"
size 130x26
term xterm-256color
wait Space: do it
wait >   1 function login() expect "> " end
snapshot first
type \x20
wait >   3   send "one"
wait     1 function login()
type \x20
wait >   4   press "Enter"
wait one
type \x20
wait >   5   expect ": one"
wait     6   -- \\e[2J ä wide 中文 \\xff
snapshot fifth
type c
exit 0
END
sed -n 1p first | grep -q '^ \{81\}>   1 function login' || fail "not beside the screen: $(cat first)"
sed -n 26p first | grep -q 'Space: do it' || fail "no status in the last row"

"$drive" -- "$rte" play --step step.lua -- "$sut" echo <<END || fail "the person below"
size 80x40
term xterm-256color
wait >   1 function login()
snapshot below
type c
exit 0
END
sed -n 25p below | grep -q '^>   1 function login' || fail "not below the screen: $(cat below)"

"$drive" -- "$rte" play --step step.lua -- "$sut" echo <<END || fail "the person with no room"
size 80x24
term xterm-256color
wait Space: do it
snapshot small
type c
exit 0
END
grep -q 'function login' small && fail "the script covers the screen: $(cat small)"
exit 0
