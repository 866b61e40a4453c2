#!/bin/sh
# Line-mode programs: sqlite3 and a shell. The prompt tells that an answer is complete.
. "$RTE_TOP/tests/support/replay.sh"
needs sqlite3 bash
prepare() {
	printf 'one\ntwo\n' >apple.txt
	printf 'three\n' >apricot.txt
}

# The third statement is an echo, a second or two of silence, and then the answer.
records sqlite3 -- sqlite3 -interactive :memory: <<'EOF'
gap 20ms
deadline 30s
wait sqlite> 
pause 300ms
type create table t(a integer, b text);
key Enter
pause 300ms
type insert into t values (1,'eins'),(2,'zwei');
key Enter
pause 300ms
type with recursive c(x) as (select 1 union all select x+1 from c where x<2000000) select count(*) from c;
key Enter
wait 2000000
pause 300ms
key Up
pause 200ms
key Up
pause 200ms
key C-a
type -- 
key Enter
pause 300ms
type select * from t;
key Backspace
pause 200ms
type ;
key Enter
pause 300ms
key C-d
exit 0
EOF

records bash -- bash --norc --noprofile -i <<'EOF'
gap 20ms
wait bash-
pause 300ms
type PS1='[\\W]\\$ '
key Enter
pause 300ms
type echo one two
key Left Left Left
type X
key Enter
pause 300ms
type cat ap
key Tab
pause 200ms
key Tab
pause 300ms
type r
key Tab
pause 200ms
key Enter
pause 300ms
type sleep 1; echo do"n"e
key Enter
wait done
pause 400ms
type less apple.txt
key Enter
wait apple.txt
pause 300ms
key q
pause 300ms
type cat
key Enter
pause 300ms
type to the terminal
key Enter
pause 200ms
key C-d
pause 300ms
type sleep 1; echo slept
key Enter
pause 200ms
type echo typed ahead
key Enter
wait typed ahead
pause 1500ms
paste echo pasted
pause 200ms
key Enter
pause 300ms
key C-r
pause 200ms
type one
pause 200ms
key C-e
key Enter
pause 300ms
type exit
key Enter
exit 0
EOF
done_with
