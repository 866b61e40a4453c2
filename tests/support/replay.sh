# Sourced by tests/integration/record-*.sh: a scripted person records an application through a
# real pty, and the script that comes of it replays three times in a row, unedited: exit status
# 0, the same keys typed, the same last screen. One TERM in `make check`, four in check-full.
#
#   needs dialog                            the test is skipped without it
#   prepare() { ...; }                      makes the files of one run, in its own folder
#   records NAME [-m MASK]... -- COMMAND [ARG...] <<EOF
#     steps of ptydrive
#   EOF
set -u
rte=$RTE_BUILD/rte
ptydrive=$RTE_BUILD/support/ptydrive
sessiondiff=$RTE_BUILD/support/sessiondiff
terms=${TERMS:-xterm-256color}
[ -z "${RTE_TEST_FULL:-}" ] || terms="xterm-256color vt100 vt220 linux"
runs=${RUNS:-3}
cd "$TMPDIR" || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
failed=0

needs() {
	for p in "$@"; do
		command -v "$p" >/dev/null || [ -x "$p" ] || {
			echo "$p is not installed"
			exit 77
		}
	done
}

prepare() { :; }

complain() {
	echo "FAILED $*"
	failed=$((failed + 1))
}

# Runs the rest in a new folder, the same for all, with the files of `prepare` and nobody's
# settings.
within() {
	rm -rf "$TMPDIR/work"
	mkdir -p "$TMPDIR/work" || exit 1
	(cd "$TMPDIR/work" && prepare && HOME=$PWD && export HOME && "$@")
}

records() {
	name=$1 masks=
	shift
	while [ "$1" != -- ]; do
		masks="$masks $1"
		shift
	done
	shift
	cat >"$name.steps"
	# FAST=20ms: a person who types ahead, or as soon as something shows.
	[ -z "${FAST:-}" ] || sed -i "s/^pause [0-9][0-9]*ms/pause $FAST/; s/^gap .*/gap 0ms/; \
		s/^\(key Esc\)$/\1\npause 1200ms/" "$name.steps"
	for term in $terms; do
		records_term "$@"
	done
}

records_term() {
	base=$TMPDIR/$name.$term
	{
		echo "size ${SIZE:-80x24}"
		echo "term $term"
		cat "$TMPDIR/$name.steps"
	} >"$base.steps"
	mkdir -p "$base"
	if ! within "$ptydrive" -f "$base.steps" -- \
		"$rte" record --prefix none -o "$base/recorded" -- "$@" 2>"$base.err"; then
		complain "$name at $term: the recording"
		tail -n 40 "$base.err"
		return
	fi
	run=1
	while [ $run -le "$runs" ]; do
		mkdir -p "$base.$run"
		# As recorded once, then faster: the waits must hold the keys back, not the pauses.
		speed=1
		[ $run = 1 ] || speed=${SPEED:-4}
		if ! within "$rte" play --speed $speed "$base/recorded.lua" -- \
			"$rte" record --prefix none --no-script -o "$base.$run/replayed" -- "$@" \
			>"$base.$run.out" 2>&1; then
			complain "$name at $term: replay $run"
			tail -n 60 "$base.$run.out"
			cat "$base/recorded.lua"
			return
		fi
		# shellcheck disable=SC2086
		if ! "$sessiondiff" $masks "$base/recorded.cast" "$base.$run/replayed.cast"; then
			complain "$name at $term: replay $run was another session"
			cat "$base/recorded.lua"
			return
		fi
		run=$((run + 1))
	done
	echo "ok $name at $term"
	[ -z "${KEEP:-}" ] || cp "$base/recorded.lua" "$KEEP/$name.$term.lua"
	[ -z "${KEEP:-}" ] || cp "$base/recorded.cast" "$KEEP/$name.$term.cast"
}

done_with() {
	exit $((failed > 0))
}
