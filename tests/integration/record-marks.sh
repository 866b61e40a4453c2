#!/bin/sh
# The recorder's own keys: what they draw goes away again, and each leaves its mark.
. "${RTE_TOP:-.}/tests/support/record.sh"

cat >app <<'E'
stty raw -echo
printf '\033]2;Balances\007\033[?1049h\033[2J\033[3;10H\033[1;44mBalance\033[m  100\033[5;10H\033[4munderlined\033[m \303\251\344\270\255\033[?1h\033[7;3H'
key=$(head -c 1)
while [ "$key" != q ]; do
	printf '\033[9;1H\033[Kgot %s\033[7;3H' "$key"
	# What comes while an overlay is up is shown later.
	[ "$key" = w ] && { until [ -e go ]; do sleep 0.02; done; printf '\033[11;1Hcame late\033[7;3H'; : >went; }
	key=$(head -c 1)
done
printf '\033[?1049l'
E
cat >steps <<'E'
size 80x20
wait underlined
cursor 7 3
snapshot before
send \x1d
wait b begin
wait recording
snapshot menu
send z
gone b begin
cursor 7 3
snapshot after-menu
send \x1d
wait b begin
send ?
wait golden screen: compare
key Esc
gone golden screen: compare
snapshot after-help
send \x1d
wait b begin
send b
wait transaction [t1]:
type querx\x7fy
wait transaction [t1]: query
key Enter
gone transaction [t1]
snapshot after-begin
type a
wait got a
send \x1d
wait in transaction query
send g
wait golden screen [screen1]:
key Enter
gone golden screen
send \x1d
wait b begin
send m
wait mask 7,3 1x1
key Up Up Right
wait mask 5,4 1x1
send \x20
wait Enter masks it
key Right Right Down
wait mask 5,4 3x2
key Enter
gone mask
send \x1d
wait b begin
send c
wait comment:
type caf\xc3\xa9 "quoted" \\e]]
key Enter
gone comment:
send \x1d
wait b begin
send e
gone b begin
send \x1d
wait recording
send e
wait No transaction has begun
key Space
gone No transaction
send \x1d
wait b begin
send c
wait comment:
type not this one
key Esc
gone comment:
send \x1d
wait b begin
send p
gone b begin
wait rte: paused
title rte: paused
cursor 7 3
type s
wait got s
send \x1d
wait recording, paused
send p
gone b begin
gone rte: paused
title Balances
type r
wait got r
send \x1d
wait b begin
send s
gone b begin
wait rte: secret
title rte: secret
type xyz
wait got z
send \x1d
wait typing is secret
send s
gone b begin
gone rte: secret
title Balances
type w
wait got w
send \x1d
wait b begin
send g
wait [screen2]
snapshot during
file started
E
# The last part of the play: output that comes while the overlay is up.
sed -i '$d' steps
cat >>steps <<'E'
type late
wait screen2]: late
key Enter
gone screen2
wait came late
snapshot late
type q
exit 0
E
(
	i=0
	until grep -q . during 2>/dev/null || [ $i -ge 400 ]; do
		i=$((i + 1))
		sleep 0.02
	done
	: >go
	until [ -e went ] || [ $i -ge 400 ]; do
		i=$((i + 1))
		sleep 0.02
	done
) &
drives steps "$rte" record -o m -- sh app
is 'status' $? 0
check 'the menu shows' grep -q 'b begin' menu
check 'the screen comes back behind the menu' cmp before after-menu
check 'and behind help' cmp before after-help
check 'and behind a name' cmp before after-begin
check_not 'output waits for the overlay to go' grep -q 'came late' during
check 'and is shown then' grep -q 'came late' late
"$castdump" m m.cast >marks
is 'marks' "$(tr '\n' '|' <marks)" 'begin query|golden screen1|mask 5 4 2 3|comment café "quoted" \e]]|end query|pause|resume|secret password|golden late|'
is 'keys of the session' "$("$castdump" i m.cast)" arwq
check_not 'keys of the pause are nowhere' grep -q '"i", "s"' m.cast
"$castdump" events m.cast >events
check 'a mark has the time of its screen' sh -c '
	mark=$(grep -n "golden late" events | cut -d: -f1) out=$(grep -n "came late" events | cut -d: -f1)
	[ "$mark" -lt "$out" ]'
check 'application cursor keys are on again' grep -q '\[?1h' out.bin
for word in query screen1 'caf' late; do
	check "the script has $word" grep -q "$word" m.lua
done

# Stop: the application is hung up, and it is no failure.
printf 'wait underlined\nsend \\x1dq\nexit 0\n' >steps
drives steps "$rte" record --no-script -o stop -- sh app
is 'stopped' $? 0
is 'hung up' "$("$castdump" x stop.cast)" 129
# Another prefix key, and none.
printf 'wait underlined\nsend \\x1d\nwait got \nkey F12\nwait b begin\nsend q\nexit 0\n' >steps
drives steps "$rte" record --no-script --prefix F12 -o other -- sh app
is 'another prefix key' $? 0
# In a paste it is no prefix key.
printf 'wait ready\nsend a\\e[200~b\\x1dc\\e[201~\nexit 0\n' >steps
drives steps "$rte" record --no-script -o paste -- sh -c 'stty raw -echo; printf "\033[?2004hready"; head -c 16 | od -An -c >keys'
check 'in a paste' grep -q '2   0   0   ~   b 035   c' keys
finish
