#!/bin/sh
# Keystrokes from a pipe, without any terminal; and recordings that cannot be made.
. "${RTE_TOP:-.}/tests/support/record.sh"

# Typed as the screen answers: an application that discards what came before its prompt gets all.
cat >app <<'E'
stty raw -echo
sleep 0.3
for n in 1 2 3; do
	stty -icanon min 0 time 0; while [ -n "$(head -c 1)" ]; do :; done; stty min 1
	printf '\r\nfield %s: ' $n
	word=
	while key=$(head -c 1); [ "$key" != "$(printf '\r')" ]; do
		word=$word$key
		printf %s "$key"
	done
	echo "$word" >>got
	sleep 0.2
done
E
printf 'one\rtwo\rthree\r' | "$rte" record -o pipe -- sh app >shown
is 'status' $? 0
is 'every field got its keys' "$(tr '\n' ' ' <got)" 'one two three '
is 'the trace has them' "$("$castdump" i pipe.cast | tr '\r' ' ')" 'one two three '
check 'output goes to standard output' grep -q 'field 3: three' shown
check 'nothing is drawn on a pipe' sh -c '! grep -q "\[H" shown'
check 'a script' test -s pipe.lua
check 'default size and TERM' grep -q '"width": 80, "height": 24.*"TERM": "xterm-256color"' pipe.cast
printf '' | "$rte" record --no-script --size 100x30 -o size -- stty size >shown
is '--size' "$(tr -d '\r' <shown)" '30 100'

# The recorder is the terminal then, and answers.
printf 'x' | "$rte" record --no-script -o ask -- sh -c 'stty raw -echo; printf "ab\033[6n"; head -c 6 | od -An -c' >shown
check 'queries are answered' grep -q '033   \[   1   ;   3   R' shown

# Keystrokes from a pipe, output to a terminal of another size, which answers queries to nobody.
printf 'size 90x20\nwait last\nexit 0\n' >steps
drives steps sh -c "stty -g >modes.before; printf x | '$rte' record --no-script --size 100x30 -o half -- \
	sh -c 'stty raw -echo; stty size; printf \"ab\\033[6n\"; head -c 7 | od -An -c'
	stty -g >modes.after; stty -icanon min 0 time 1; head -c 9 | od -An -c | sed s/^/shell-got/; echo last" >/dev/null
check 'output on a terminal: size' sh -c '"$1" o half.cast | grep -q "30 100"' sh "$castdump"
check 'one answer' sh -c '"$1" o half.cast | tr -d "\r\n" | grep -q "033   \[   2   ;   9   R   x"' sh "$castdump"
check 'the modes are restored' cmp modes.before modes.after
check_not 'and the other is not typed at the shell' grep -q shell-got out.bin

# The keystrokes end, the application does not.
printf 'abc' | "$rte" record --no-script -o idle -- cat >shown 2>messages
is 'hung up' $? 129
check 'and it is said' grep -q 'keystrokes ended before the application did' messages

# A line that is longer than the terminal takes, in line mode and not.
long() { head -c "$1" /dev/zero | tr '\0' x; }
# Nothing is shown before the keys, nor of them: the last key is sent long after it was read.
{ long 5000; echo; } | "$rte" record --no-script -o long -- sh -c 'stty -echo; head -n 1 | wc -c' >shown 2>messages
check 'a line of 5000: it is cut' grep -q 4096 shown
check 'and it is said' grep -q 'more than 4095 bytes were typed in one line' messages
{ long 4000; echo; long 4000; echo; } | "$rte" record --no-script -o long -- sh -c 'stty -echo; head -n 2 | wc -c' >shown 2>messages
check 'two lines of 4000 are whole' grep -q 8002 shown
check_not 'and nothing is said' grep -q 4095 messages
{ long 6000; } | "$rte" record --no-script -o long -- sh -c 'stty raw -echo; head -c 6000 | wc -c' >shown 2>messages
check 'not in line mode: all' grep -q 6000 shown
check_not 'nor is it said' grep -q 4095 messages

# What cannot be recorded is said at once.
"$rte" record -o bad -- no-such-command-here </dev/null 2>messages
is 'no such command' $? 3
check 'is named' grep -q 'cannot run no-such-command-here: No such file' messages
check_not 'and leaves no trace' test -e bad.cast
"$rte" record -o /no/such/folder/x -- true </dev/null 2>messages
is 'no such folder' $? 3
check 'is named' grep -q '/no/such/folder/x.cast' messages
"$rte" record --target nonsense </dev/null 2>messages
is 'no target' $? 2
"$rte" record --target tcp://127.0.0.1:1 -o bad </dev/null >/dev/null 2>messages
is 'connection refused' $? 3
check 'is said' grep -q 'Connection refused' messages
"$rte" record --prefix F99 -o bad -- true </dev/null 2>messages
is 'no such key' $? 2
"$rte" record --secret-label 'a[' -o bad -- true </dev/null 2>messages
is 'no such pattern' $? 2
"$rte" record --wrong </dev/null 2>messages
is 'unknown option' $? 2
"$rte" record --help >shown </dev/null
is 'help' $? 0
check 'help names each option' sh -c 'for o in output target term size prefix secret-label no-script; do
	grep -q -e "--$o" shown || exit 1; done'

# An old recording is kept.
printf '' | "$rte" record -o twice -- echo first >/dev/null 2>&1
printf '' | "$rte" record -o twice -- echo second >/dev/null 2>messages
check 'the new one' grep -q second twice.cast
check 'the old one' grep -q first twice.cast~
check 'the old script' test -s twice.lua~
check 'it is said' grep -q 'old twice.cast is kept as twice.cast~' messages
"$rte" record -o twice -- no-such-command-here </dev/null 2>/dev/null
check 'a recording that fails replaces nothing' grep -q second twice.cast

# A folder of that name is no old recording.
mkdir case.cast plan.lua
printf '' | "$rte" record -o case.cast -- touch ran >/dev/null 2>messages
is 'a folder NAME.cast' $? 3
check 'it is said' grep -q 'case.cast is a folder' messages
check 'it is still there' test -d case.cast
printf '' | "$rte" record -o plan -- touch ran >/dev/null 2>messages
is 'a folder NAME.lua' $? 3
check_not 'nothing was run' test -e ran
check_not 'nothing was recorded' test -e plan.cast

# Over a connection.
"$sut" tcp echo >port 2>/dev/null &
server=$!
i=0
until [ -s port ] || [ $i -ge 100 ]; do
	i=$((i + 1))
	sleep 0.05
done
port=$(sed -n 's/^port //p' port)
printf 'hello\rquit\r' | "$rte" record -o tcp --target "tcp://127.0.0.1:$port" >shown 2>messages
kill $server 2>/dev/null
check 'over TCP: output' grep -q hello shown
is 'over TCP: input' "$("$castdump" i tcp.cast | tr '\r' ' ')" 'hello quit '
check 'over TCP: the target' grep -q "\"rte_target\": \"tcp://127.0.0.1:$port\"" tcp.cast
finish
