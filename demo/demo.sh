#!/bin/sh
# The main job, done once on a real application: demo/demo.sh BUILD  (make demo)
#   RECORD=1   you are the person who is recorded
#   USERS=200  how many users replay the session
#   OUT=DIR    where all that it makes goes (BUILD/demo-run)
# It ends by itself.
set -eu
build=${1:-build}
users=${USERS:-200}
out=${OUT:-$build/demo-run}
teller=$build/demo/teller
rte=$build/rte
top=$(cd "$(dirname "$0")/.." && pwd)

say() {
	printf '\n==== %s\n\n' "$*"
}
# Shows a command as a person would type it, and runs it.
run() {
	printf '$'
	for word; do
		case $word in
		*[!a-zA-Z0-9_./:=%+-]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	echo
	"$@"
}

rm -rf "$out"
mkdir -p "$out"
TMPDIR=$out
export TMPDIR

say "1. A bank: one branch, 10 tellers, 100,000 accounts"
run "$teller" --create "$out/bank.db"

say "2. A person's session, recorded"
set -- "$rte" record -o "$out/session" -- "$teller" --keys "$out/keys.recorded" "$out/bank.db"
if [ -n "${RECORD:-}" ]; then
	if ! [ -t 0 ] || ! [ -t 1 ]; then
		echo "RECORD=1 wants a terminal to type at; leave it out and a script types" >&2
		exit 2
	fi
	echo "Query an account (1000001 to 1100000) and leave the teller with F10."
	printf 'Enter starts: '
	read -r _
	run "$@"
else
	echo "(The person is demo/person.steps, who types at a terminal of their own.)"
	run "$build/support/ptydrive" -f "$top/demo/person.steps" -- "$@"
fi
ls -l "$out/session.cast" "$out/session.lua"

say "3. The script that rte made of it"
cat "$out/session.lua"

say "4. Replayed once, as it is"
run "$rte" play "$out/session.lua" \
	--target "pty:$teller --keys $out/keys.replayed $out/bank.db"
if cmp "$out/keys.recorded" "$out/keys.replayed"; then
	echo "The teller got the same $(wc -c <"$out/keys.recorded") bytes of keys as from the person."
else
	echo "demo: the replay typed other keys than the person" >&2
	exit 1
fi

say "5. Replayed by $users users, about a minute"
status=0
run "$rte" run "$out/session.lua" -u "$users" --ramp 10s --warmup 10s --measure 30s --continue 5s \
	--rampdown 5s --think exp:3 --typing cps:8 --seed 1 -o "$out/run" \
	--target "pty:$teller --log $out/teller.log --tag {user} $out/bank.db" || status=$?
case $status in
0) ;;
4) echo "(Status 4: this machine was too busy to trust the figures. The demonstration goes on.)" ;;
*) exit $status ;;
esac

say "6. What the bank says"
run "$teller" --verify "$out/bank.db"
awk '{ n[$6 " " $8]++ } END { for (k in n) print "  " k ": " n[k] }' "$out/teller.log" | sort

say "Results"
echo "  $out/session.cast   the recording, plays in asciinema"
echo "  $out/session.lua    the script, to be edited"
echo "  $out/run            the run: rte report $out/run [--html FILE]"
