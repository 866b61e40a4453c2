#!/bin/sh
# A password is nowhere in what a recording leaves; commands that do not echo stay keys.
. "${RTE_TOP:-.}/tests/support/record.sh"

word=Kw9zTq4x # typed as the password everywhere
nowhere() {   # WHAT: in none of the files, whole or in part, however it is written
	check "$1: the secret is nowhere" sh -c '! grep -a -l -e "$1" -e "${1%????}" -e "${1#????}" ./*.cast ./*.lua ./*.cast~ 2>/dev/null' sh "$word"
	# Typed by and by it would stand there character by character.
	check "$1: nor key by key" sh -c '"$1" i "$2" | grep -a -c "[Kwq49zTx]" | grep -q "^0$"' sh "$castdump" session.cast
	check "$1: its name is there" grep -q '"m", "secret ' session.cast
	check "$1: and in the script" grep -q 'secret' session.lua
	rm -f session.*
}

for gap in 0 20ms; do
	for mode in password password-stars password-blank; do
		printf 'gap %s\nwait ser\ntype bob\nkey Enter\nwait Password\nquiet 50ms\ntype %s\nkey Enter\nwait welcome bob\nsnapshot last\nsend \\x04\nkey C-c\nexit\n' \
			$gap $word >steps
		drives steps "$rte" record -o session -- "$sut" $mode >/dev/null
		check "$mode, gap $gap: the application got it" grep -q "password of ${#word} bytes" last
		is "$mode, gap $gap: the name is no secret" "$("$castdump" i session.cast | head -c 4 | tr '\r' '.')" 'bob.'
		nowhere "$mode, gap $gap"
	done
	# Not even the first character, when the prompt comes before echo is off.
	printf 'gap %s\nwait Password:\ntype %s\nkey Enter\nwait done\nexit 0\n' $gap $word >steps
	drives steps "$rte" record -o session -- sh -c 'stty -echo; printf Password:; read p; stty echo; echo done' >/dev/null
	nowhere "read, gap $gap"
done

# By the person's own word.
printf 'wait code\nsend \\x1ds\ntype %s\nsend \\x1ds\nkey Enter\nwait got %s\nexit 0\n' "$word" "$word" >steps
drives steps "$rte" record --no-script -o session -- sh -c 'printf "code "; read c; clear; echo got $c' >/dev/null
check_not 'said to be secret: no key' sh -c '"$1" i session.cast | grep -q Kw' sh "$castdump"
check 'said to be secret: its name is the label' grep -q '"m", "secret code"' session.cast
# By a label that the person names.
printf 'wait Magic:\ntype %s\nkey Enter\nwait done\nexit 0\n' "$word" >steps
drives steps "$rte" record --no-script --secret-label 'magic' -o session -- sh -c 'stty raw -echo; printf Magic:; head -c 9 >/dev/null; stty sane; echo; echo done' >/dev/null
check_not 'a label: no key' sh -c '"$1" i session.cast | grep -q Kw' sh "$castdump"
check 'a label: its name' grep -q '"m", "secret magic"' session.cast
rm -f session.*

if command -v dialog >/dev/null; then
	for kind in '' --insecure; do
		printf 'wait assword\nquiet 100ms\ntype %s\nkey Enter\nexit 0\n' $word >steps
		drives steps "$rte" record -o session -- sh -c "dialog $kind --passwordbox 'Enter the password' 8 40 2>/dev/null" >/dev/null
		nowhere "dialog --passwordbox $kind"
	done
else
	echo '# no dialog'
fi
if command -v whiptail >/dev/null; then
	printf 'wait assword\nquiet 100ms\ntype %s\nkey Tab Enter\nexit 0\n' $word >steps
	drives steps "$rte" record -o session -- sh -c "whiptail --passwordbox 'Enter the password' 8 40 2>/dev/null" >/dev/null
	nowhere whiptail
fi
if command -v lynx >/dev/null; then
	cat >form.html <<'E'
<html><body><form action="x">User: <input name=u><br>Password: <input type=password name=p><br>
<input type=submit value=Go></form></body></html>
E
	printf 'term xterm\nwait Password\nquiet 100ms\ntype bob\nkey Down\nquiet 100ms\ntype %s\nkey Down\nquiet 100ms\nkey C-c\nexit\n' $word >steps
	drives steps "$rte" record -o session -- lynx form.html >/dev/null
	is 'lynx: the user is no secret' "$("$castdump" i session.cast | head -c 3)" bob
	nowhere lynx
fi

# Keys without echo that are commands.
if command -v vim >/dev/null; then
	printf 'password = 1\nline two\nline three\n' >file
	printf 'wait line three\nquiet 100ms\ntype dd\ngone password = 1\ntype yyp\ntype :q!\nkey Enter\nexit 0\n' >steps
	drives steps "$rte" record -o session -- vim -u NONE -N file >/dev/null
	check 'vim: all keys stay' sh -c '"$1" i session.cast | tr "\r" . | grep -q "ddyyp:q!\.$"' sh "$castdump"
	check_not 'vim: no secret' grep -q '"m", "secret' session.cast
fi
if command -v less >/dev/null; then
	seq 1 100 >file
	printf 'wait 23\nquiet 100ms\ntype G\nwait 100\ntype kq\nexit 0\n' >steps
	drives steps "$rte" record -o session -- less file >/dev/null
	is 'less: all keys stay' "$("$castdump" i session.cast)" Gkq
fi
# Line mode: what shows is no secret, behind whatever label.
printf 'wait Password hint:\ntype dog\nkey Enter\nwait done\nexit 0\n' >steps
drives steps "$rte" record --no-script -o session -- sh -c 'printf "Password hint: "; read h; echo done' >/dev/null
is 'what shows stays' "$("$castdump" i session.cast | tr '\r' .)" dog.

# A kill leaves nothing of a password that is being typed.
printf 'wait ser\ntype bob\nkey Enter\nquiet 50ms\ntype %s\nquiet 50ms\nsignal 9\nexit\n' $word >steps
drives steps "$rte" record --no-script -o session -- "$sut" password-blank >/dev/null
check_not 'killed while it is typed' grep -q Kw9 session.cast
finish
