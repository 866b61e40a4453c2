#!/bin/sh
# dialog's widgets: recorded once, replayed as they stand.
. "$RTE_TOP/tests/support/replay.sh"
needs dialog

records form -- dialog --stdout --backtitle Orders --title Customer --form 'Fill in the fields' \
	16 60 6 Name: 1 2 '' 1 14 30 40 City: 2 2 'Zurich' 2 14 20 30 Note: 3 2 '' 3 14 30 60 <<'EOF'
gap 40ms
wait Fill in the fields
pause 300ms
type Ada Lovelace
pause 200ms
key Down
pause 200ms
type New  
key Backspace
pause 200ms
key Down
type a note
pause 200ms
key Tab
pause 200ms
key Enter
exit 0
EOF

records checklist -- dialog --stdout --title Toppings --checklist 'Pick some' 14 44 5 \
	a Apple on b Banana off c Cherry off d Date on e Elder off <<'EOF'
wait Pick some
pause 300ms
key Down
pause 200ms
key Space
pause 200ms
key Down
pause 200ms
key Down
pause 200ms
key Space
pause 300ms
key Enter
exit 0
EOF

records inputbox -- dialog --stdout --inputbox 'Enter your name:' 9 50 <<'EOF'
gap 30ms
wait Enter your name
pause 200ms
type Grace Hopper
pause 200ms
key Tab
pause 200ms
key Tab
pause 200ms
key Tab
pause 200ms
key Enter
exit 0
EOF

export RTE_SECRET_PASSWORD=geheim
# What --stdout prints at the end is not what was shown while it was typed.
for kind in '' --insecure; do
	# shellcheck disable=SC2086
	records passwordbox$kind -- dialog --stdout $kind --passwordbox 'Enter the password' 8 40 <<'EOF'
gap 40ms
wait the password
pause 300ms
type geheim
pause 1s
key Enter
exit 0
EOF
	for t in $terms; do
		! grep -q geheim "$TMPDIR/passwordbox$kind.$t/recorded.lua" || complain "the secret is in the script"
	done
done

# Three dialogs one after the other, and one of them left with Esc.
records sequence -- sh -c 'dialog --msgbox "Welcome to the shop" 7 40
dialog --stdout --menu "What to do" 12 40 4 1 Query 2 Update 3 Leave >choice
dialog --yesno "Really leave?" 7 40; true' <<'EOF'
wait Welcome
pause 300ms
key Enter
wait What to do
pause 300ms
key Down
pause 200ms
key Down
pause 200ms
key Enter
wait Really leave
pause 300ms
key Esc
exit 0
EOF
done_with
