#!/bin/sh
# Recorded sessions of real programs, and the screens at their checkpoints: sessions/NAME.cast and
# NAME.golden, which independent emulators agree on. A checkpoint is a line `at SECONDS`, then the
# rows, the cursor, and the attributes of the rows that have any.
#   sessions.sh [update]    update writes the golden files anew; look at the diff
set -eu
here=${RTE_TOP:-.}/tests/screens/sessions
rte=${RTE_BUILD:-build}/rte
work=$(mktemp -d "${TMPDIR:-/tmp}/sessions.XXXXXX")
trap 'rm -rf "$work"' EXIT

show() { # CAST SECONDS
	echo "at $2"
	"$rte" screen --cursor --at "$2" "$1"
	"$rte" screen --json --at "$2" "$1" | sed -n '/"attrs"/,/^ "cursor"/{
		/^  "/!d
		s/^  "\(.*\)".*/\1/
		p
	}' | sed -n '/[^.]/{
		=
		p
	}' | sed 'N; s/\n/ /; s/^/attrs /; s/\.*$//'
}

bad=0 n=0
for golden in "$here"/*.golden; do
	cast=${golden%.golden}.cast
	for at in $(sed -n 's/^at //p' "$golden"); do
		show "$cast" "$at"
		n=$((n + 1))
	done >"$work/got"
	if [ "${1:-}" = update ]; then
		cp "$work/got" "$golden"
	elif ! diff -u "$golden" "$work/got" >"$work/diff"; then
		sed 's/\x1b/\\e/g; 40q' "$work/diff"
		bad=1
	fi
done
echo "$n checkpoints"
exit $bad
