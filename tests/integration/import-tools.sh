#!/bin/sh
# Recordings of real tools become traces, and scripts where there is input.
. "${RTE_TOP:-.}/tests/support/record.sh"

cat >app <<'E'
printf 'name: '
read -r name
printf '\033[2J\033[Hhello %s\n' "$name"
E
printf 'wait name:\ntype bob\nkey Enter\nwait hello bob\nexit 0\n' >steps

if command -v script >/dev/null; then
	drives steps script -q --log-io io.log --log-timing io.tm -c 'sh app' >/dev/null
	"$rte" import io.log --timing io.tm -o advanced 2>messages
	is 'script, advanced timing' $? 0
	is 'its keys' "$("$castdump" i advanced.cast | tr '\r' .)" bob.
	check 'its output' sh -c '"$1" o advanced.cast | grep -q "hello bob"' sh "$castdump"
	check 'its command' grep -q '"command": "sh app"' advanced.cast
	check 'its TERM and size' grep -q '"width": 80, "height": 24.*"TERM": "xterm-256color"' advanced.cast
	drives steps script -q --log-in in.log --log-out out.log --log-timing two.tm -c 'sh app' >/dev/null
	"$rte" import out.log --timing two.tm -o two 2>messages
	is 'script, two logs: its keys' "$("$castdump" i two.cast | tr '\r' .)" bob.
	drives steps script -q --timing=classic.tm -c 'sh app' classic.log >/dev/null
	"$rte" import classic.log --timing classic.tm 2>messages
	is 'script, classic timing' $? 0
	check 'its output' sh -c '"$1" o classic.cast | grep -q "hello bob"' sh "$castdump"
	check 'it has no keys, which is said' grep -q 'nothing that was typed is in it' messages
	"$rte" import classic.log -o untimed 2>messages
	check 'script without timing' grep -q 'no timing file is given' messages
else
	echo '# no script'
fi
if command -v autoexpect >/dev/null; then
	drives steps autoexpect -quiet -f x.exp sh app >/dev/null
	"$rte" import x.exp 2>messages
	is 'autoexpect' $? 0
	is 'its keys' "$("$castdump" i x.cast | tr '\r' .)" bob.
	check 'its script' grep -q 'bob' x.lua
	check 'its command' grep -q 'target "pty:sh app"' x.lua
else
	echo '# no autoexpect'
fi

printf '{"version":3,"term":{"cols":90,"rows":20,"type":"vt100"}}\n[0.5,"o","a"]\n[0.5,"i","b"]\n[0,"x","0"]\n' >v3.cast
"$rte" import v3.cast -o v2 2>messages
is 'asciicast v3' "$("$castdump" events v2.cast | tr '\n' '|')" '0.500000 o a|1.000000 i b|1.000000 x 0|'
check 'as v2' grep -q '"version": 2, "width": 90, "height": 20' v2.cast
"$rte" import v3.cast 2>messages
is 'not in its own place' $? 2
check 'which is said' grep -q 'would replace the recording' messages
check 'it is still there' grep -q '"version":3' v3.cast
printf '\112\263\015\153\000\000\000\000\003\000\000\000abc' >t.ttyrec
"$rte" import t.ttyrec --size 100x30 2>messages
is 'ttyrec' "$("$castdump" o t.cast)" abc
check 'with the size given' grep -q '"width": 100, "height": 30' t.cast
printf 'hello' >text
"$rte" import text 2>messages
is 'no recording' $? 2
check 'which is said' grep -q 'text is no recording that is known' messages
"$rte" import 2>messages
is 'no file' $? 2
"$rte" import --help >help
is 'help' $? 0
finish
