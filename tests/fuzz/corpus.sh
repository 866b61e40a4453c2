#!/bin/sh
# Replays the corpus of each fuzz target: what once was found stays mended.
set -eu
for replay in "$RTE_BUILD"/fuzz/replay_*; do
	[ -x "$replay" ] || continue
	name=${replay##*/replay_}
	printf '%s: ' "$name"
	"$replay" "$RTE_TOP/tests/fuzz/corpus/$name"
done
