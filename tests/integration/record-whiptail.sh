#!/bin/sh
# whiptail: lists with a hidden cursor, colours or reverse.
. "$RTE_TOP/tests/support/replay.sh"
needs whiptail

records menu -- whiptail --title Colours --menu 'Choose a colour' 15 50 5 \
	red 'The red one' green 'The green one' blue 'The blue one' <<'EOF'
wait Choose a colour
pause 300ms
key Down
pause 200ms
key Down
pause 200ms
key Up
pause 200ms
key Tab
pause 200ms
key Tab
pause 200ms
key Tab
pause 300ms
key Enter
exit
EOF

records checklist -- whiptail --title Toppings --checklist 'Pick some' 15 50 5 \
	apple 'An apple' on pear 'A pear' off plum 'A plum' off <<'EOF'
wait Pick some
pause 300ms
key Down
pause 200ms
key Space
pause 200ms
key Down
pause 200ms
key Space
pause 200ms
key Space
pause 200ms
key Tab
pause 200ms
key Enter
exit 0
EOF

records inputbox -- whiptail --title Name --inputbox 'What is your name?' 10 50 <<'EOF'
gap 40ms
wait What is your name
pause 300ms
type Ada
pause 200ms
key Tab
pause 200ms
key Enter
exit 0
EOF
done_with
