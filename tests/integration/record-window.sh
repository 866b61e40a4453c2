#!/bin/sh
# Size and resizing; inside tmux; TERM.
. "${RTE_TOP:-.}/tests/support/record.sh"

cat >steps <<'E'
size 100x30
term vt220
wait size 100x30
resize 90x20
wait size 90x20
resize 132x43
wait size 132x43
key q
exit 0
E
drives steps "$rte" record -o resize -- "$sut" resize
is 'status' $? 0
is 'resize events' "$("$castdump" r resize.cast | tr '\n' ' ')" '90x20 132x43 '
check 'the first size in the header' grep -q '"width": 100, "height": 30' resize.cast
check 'TERM in the header' grep -q '"TERM": "vt220"' resize.cast
check 'a script with its size' grep -q '100x30' resize.lua

printf 'size 100x30\n' >steps
drives steps "$rte" record -o a --size 80x24 -- true >/dev/null
is 'another size than the terminal has' $? 2
check 'is explained' grep -q 'size 80x24 is not that of this terminal, 100x30' out.bin
check_not 'nothing is left of it' test -e a.cast
drives steps "$rte" record --no-script -o a --size 100x30 -- stty size >/dev/null
is 'its own size is fine' "$("$castdump" o a.cast | tr -d '\r')" '30 100'

printf 'env TERM=\n' >steps
drives steps sh -c "unset TERM; '$rte' record -o b -- true" >/dev/null
is 'no TERM' $? 3
check 'is explained' grep -q 'TERM is not set.*--term xterm-256color' out.bin
printf 'term no-such-terminal\n' >steps
drives steps "$rte" record -o b -- true >/dev/null
is 'unknown TERM' $? 3
check 'is named' grep -q 'no-such-terminal' out.bin
: >steps
drives steps "$rte" record --no-script --term vt100 -o b -- sh -c 'printf %s "$TERM"'
is '--term' "$("$castdump" o b.cast)" vt100

# Locale C changes nothing.
printf 'wait \303\251\nkey q\nexit\n' >steps
drives steps env LC_ALL=C "$rte" record --no-script -o c -- sh -c 'stty raw -echo; printf "\303\251"; head -c 1'
is 'locale C' "$("$castdump" o c.cast | head -c 2)" "$(printf '\303\251')"

if command -v tmux >/dev/null; then
	tmux -L rte-$$ -f /dev/null new-session -d -x 90 -y 25 \
		"$rte record -o $work/inner -- $sut resize; echo \$? >$work/status" 2>/dev/null
	i=0
	until tmux -L rte-$$ capture-pane -p 2>/dev/null | grep -q 'size 90x2[45]' || [ $i -ge 1200 ]; do
		i=$((i + 1))
		sleep 0.05
	done
	check 'inside tmux: it shows' [ $i -lt 1200 ]
	tmux -L rte-$$ send-keys q
	i=0
	until [ -s status ] || [ $i -ge 1200 ]; do
		i=$((i + 1))
		sleep 0.05
	done
	tmux -L rte-$$ kill-server 2>/dev/null
	is 'inside tmux: status' "$(cat status)" 0
	is 'inside tmux: keys' "$("$castdump" i inner.cast)" q
else
	echo '# no tmux'
fi

if command -v screen >/dev/null; then
	mkdir -m 700 sockets
	SCREENDIR=$work/sockets
	export SCREENDIR
	printf 'size 90x25\nwait size 90x2\nsend \\x1d\nwait b begin\nsend p\ngone b begin\nwait rte: paused\nsend \\x1dp\ngone rte: paused\nresize 100x30\nwait size 100x\nkey q\nexit 0\n' >steps
	drives steps screen -c /dev/null -m -U \
		sh -c "'$rte' record -o inner2 -- '$sut' resize; echo \$? >status2"
	is 'inside screen: the scripted person' $? 0
	is 'inside screen: status' "$(cat status2)" 0
	is 'inside screen: keys' "$("$castdump" i inner2.cast)" q
	check 'inside screen: the window' grep -q '"r", "100x' inner2.cast
	check 'inside screen: its TERM' grep -q '"TERM": "screen' inner2.cast
	"$rte" play inner2.lua >out 2>&1
	is 'inside screen: the script replays' $? 0
else
	echo '# no screen'
fi
finish
