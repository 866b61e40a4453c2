#!/bin/sh
# The recorder is transparent byte for byte, both ways; the trace has the same bytes.
. "${RTE_TOP:-.}/tests/support/record.sh"

# Every byte that can be typed reaches the application, also the prefix key's when there is none.
i=0 all=
while [ $i -lt 256 ]; do
	all="$all\\x$(printf %02x $i)"
	i=$((i + 1))
done
printf 'wait ready\nsend %s\nexit 0\n' "$all" >steps
drives steps "$rte" record -o typed --prefix none -- \
	sh -c 'stty raw -echo; echo ready; head -c 256 >got'
is 'the recorder ends with the application' $? 0
i=0
while [ $i -lt 256 ]; do
	# shellcheck disable=SC2059
	printf "\\$(printf %03o $i)"
	i=$((i + 1))
done >sent
check 'all 256 bytes arrive' cmp got sent
"$castdump" i typed.cast >traced
check 'and stand in the trace' cmp traced sent

# And all that the application writes, whatever it is.
{
	cat sent
	head -c 300000 /dev/urandom
	printf '\033c\033[Hlast words'
} >noise
: >steps
drives steps "$rte" record --no-script -o shown -- sh -c 'stty raw -echo; cat noise'
is 'status' $? 0
"$castdump" o shown.cast >traced
check 'output in the trace' cmp traced noise
# In front of it the terminal was cleared, behind it the leftovers are undone.
printf '\033[24;1H' >before
i=0
while [ $i -lt 24 ]; do
	echo >>before
	i=$((i + 1))
done
printf '\033[H\033[2J' >>before
check 'the terminal is cleared first' cmp -n "$(wc -c <before)" out.bin before
tail -c "+$(($(wc -c <before) + 1))" out.bin | head -c "$(wc -c <noise)" >shown.bin
check 'output on the terminal' cmp shown.bin noise

# Flow control, job control and the like are the application's.
cat >steps <<'E'
wait ready
send \x13\x11\x1a\x03\x1c\x0f\x16\x04
exit 0
E
drives steps "$rte" record --no-script -o keys -- sh -c 'stty raw -echo; echo ready; head -c 8 | od -An -tx1 >keys'
is 'C-s C-q C-z C-c C-\ C-o C-v C-d' "$(cat keys)" ' 13 11 1a 03 1c 0f 16 04'
# The prefix key twice sends it once.
printf 'wait ready\nsend a\\x1d\\x1db\nexit 0\n' >steps
drives steps "$rte" record --no-script -o prefix -- sh -c 'stty raw -echo; echo ready; head -c 3 | od -An -tx1 >keys'
is 'the prefix key, twice' "$(cat keys)" ' 61 1d 62'

# Large input while the application writes and does not read: nothing blocks, nothing is lost.
long=$(head -c 20000 /dev/zero | tr '\0' y)
printf 'wait xxxx\nsend %s\nsend %s\nsend %s\nexit 0\n' "$long" "$long" "$long" >steps
drives steps "$rte" record --no-script -o large -- sh -c \
	'stty raw -echo; echo ready; head -c 1000000 /dev/zero | tr "\0" x; head -c 60000 | wc -c >count'
is 'large input' "$(cat count)" 60000
"$castdump" i large.cast >traced
is 'large input in the trace' "$(wc -c <traced)" 60000
finish
