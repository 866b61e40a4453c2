# Sourced by the recorder's tests: programs, a scratch folder, checks that count.
# shellcheck shell=sh disable=SC2034
set -u
unset TERM COLUMNS LINES
: "${RTE_BUILD:?set it to the build folder}"
rte=$RTE_BUILD/rte
drive=$RTE_BUILD/support/ptydrive
sut=$RTE_BUILD/support/sut
castdump=$RTE_BUILD/support/castdump
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 failed=0

# check WHAT COMMAND...: an ok line when COMMAND succeeds.
check() {
	what=$1
	shift
	checks=$((checks + 1))
	if "$@" >check.log 2>&1; then
		echo "ok $checks - $what"
	else
		echo "not ok $checks - $what"
		sed 's/^/# /' check.log
		failed=1
	fi
}

# check_not WHAT COMMAND...: an ok line when COMMAND fails.
check_not() {
	what=$1
	shift
	check "$what" sh -c '! "$@" >/dev/null 2>&1' sh "$@"
}

is() { # WHAT GOT WANTED
	check "$1" sh -c '[ "$1" = "$2" ] || { printf "got:    %s\nwanted: %s\n" "$1" "$2"; false; }' \
		sh "$2" "$3"
}

# drives STEPS-FILE COMMAND...: the scripted person; the status is the command's.
drives() {
	steps=$1
	shift
	"$drive" -f "$steps" -o out.bin -- "$@"
}

needs() { # PROGRAM...
	for p in "$@"; do
		command -v "$p" >/dev/null || {
			echo "skipped: no $p"
			exit 77
		}
	done
}

finish() {
	echo "1..$checks"
	exit $failed
}
