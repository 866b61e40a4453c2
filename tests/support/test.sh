# Sourced by tests/integration/test-*.sh: rte test on small applications of its own.
. "$RTE_TOP/tests/support/run.sh"
unset CI GITHUB_ACTIONS RTE_SECRET_PASSWORD
export NO_COLOR=1

# A form of three rows, drawn by a shell: FORM [TEXT]. Enter draws it anew, q ends it.
cat >form.sh <<'END'
stty raw -echo
draw() { printf '\033[2J\033[HThe form\r\n\r\nBalance  %s\r\n\r\nReady \033[3;10H' "$1"; }
n=0
draw "${1:-100}"
while c=$(dd bs=1 count=1 2>/dev/null; printf .); do
	case ${c%.} in
	q) exit 0 ;;
	"") exit 1 ;;
	*) n=$((n + 1)); draw "${1:-100} after $n" ;;
	esac
done
END

# test_run WANT ARGUMENT...: rte test, its exit status; what it prints in out and err.
test_run() {
	want=$1
	shift
	expect_status "$want" "$rte" test "$@"
}
never_says() {
	! grep -q -e "$2" "$1" || fail "$1 says '$2'"
}
# counts WANT TEXT: so many lines of out match.
counts() {
	[ "$(grep -c -e "$2" out)" = "$1" ] || fail "not $1 lines of out match '$2'"
}
