#!/bin/sh
# The main job, done once on a real application: demo/demo.sh BUILD  (make demo)
#   RECORD=1   you are the person who is recorded
#   USERS=200  how many users replay the session
# All that it makes stands in BUILD/demo-run; it ends by itself.
set -eu
build=${1:-build}
users=${USERS:-200}
out=$build/demo-run
teller=$build/demo/teller
rte=$build/rte
top=$(cd "$(dirname "$0")/.." && pwd)

say() {
	printf '\n==== %s\n\n' "$*"
}
show() {
	printf '$ %s\n' "$*"
}

rm -rf "$out"
mkdir -p "$out"
TMPDIR=$out
export TMPDIR

say "1. A bank: one branch, 10 tellers, 100,000 accounts"
show "$teller --create $out/bank.db"
"$teller" --create "$out/bank.db"

say "2. A person's session, recorded"
show "rte record -o $out/session -- teller bank.db"
set -- "$rte" record -o "$out/session" -- "$teller" --keys "$out/keys.recorded" "$out/bank.db"
if [ -n "${RECORD:-}" ]; then
	if ! [ -t 0 ] || ! [ -t 1 ]; then
		echo "RECORD=1 wants a terminal to type at; leave it out and a script types" >&2
		exit 2
	fi
	echo "Query an account (1000001 to 1100000) and leave the teller with F10."
	printf 'Enter starts: '
	read -r _
	"$@"
else
	echo "(the person: demo/person.steps, typing on a terminal of its own)"
	"$build/support/ptydrive" -f "$top/demo/person.steps" -- "$@"
fi
ls -l "$out/session.cast" "$out/session.lua"

say "3. The script that rte made of it"
cat "$out/session.lua"

say "4. Replayed once, as it is"
show "rte play $out/session.lua"
"$rte" play "$out/session.lua" \
	--target "pty:$teller --keys $out/keys.replayed $out/bank.db"
if cmp "$out/keys.recorded" "$out/keys.replayed"; then
	echo "The teller got the same $(wc -c <"$out/keys.recorded") bytes of keys as from the person."
else
	echo "demo: the replay typed other keys than the person" >&2
	exit 1
fi

say "5. Replayed by $users users, about a minute"
show "rte run $out/session.lua -u $users --ramp 10s --warmup 10s --measure 30s --think exp:3 --typing cps:8"
"$rte" run "$out/session.lua" -u "$users" --ramp 10s --warmup 10s --measure 30s --continue 5s \
	--rampdown 5s --think exp:3 --typing cps:8 --seed 1 -o "$out/run" \
	--target "pty:$teller --log $out/teller.log --tag {user} $out/bank.db"

say "6. What the bank says"
"$teller" --verify "$out/bank.db"
awk '{ n[$6 " " $8]++ } END { for (k in n) print "  " k ": " n[k] }' "$out/teller.log" | sort

say "Results"
echo "  $out/session.cast   the recording, plays in asciinema"
echo "  $out/session.lua    the script, to be edited"
echo "  $out/run            the run: rte report $out/run [--html FILE]"
