# Sourced by tests/integration/run-*.sh and play-*.sh: scripts for the plain conversation of
# tests/support/sut, and checks of a run directory.
set -u
rte=$RTE_BUILD/rte
sut=$RTE_BUILD/support/sut
cd "$TMPDIR" || exit 1
export TMPDIR

# The machine that runs the tests may be busy: lateness is no matter of these tests.
run() { "$rte" run --lateness 30s,60s --display none "$@"; }

fail() {
	echo "FAIL: $*"
	[ -f out ] && sed 's/^/out: /' out
	[ -f err ] && sed 's/^/err: /' err
	exit 1
}

# talk.lua: one transaction an iteration with `sut echo`; the line typed is user and iteration.
cat >talk.lua <<'END'
function login() expect "> " end
function iteration()
  local line = "u" .. user.id .. "i" .. user.iteration
  transaction("talk", function()
    send(line)
    press "Enter"
    expect(": " .. line)
  end)
  think()
end
function logout()
  send "quit"
  press "Enter"
end
END

# expect_status WANT COMMAND...: runs it, keeps out and err.
expect_status() {
	want=$1
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" = "$want" ] || fail "exit status $got, not $want: $*"
}

# says FILE TEXT: a message that a person gets.
says() {
	grep -q -e "$2" "$1" || fail "$1 does not say '$2'"
}

# column FILE NAME: the values of a column, found by its name; fields without line breaks.
column() {
	awk -v want="$2" '
		function split_csv(line,    n, i, c, q, f) {
			delete field
			n = 1; q = 0; f = ""
			for (i = 1; i <= length(line); i++) {
				c = substr(line, i, 1)
				if (c == "\"") q = !q
				else if (c == "," && !q) { field[n++] = f; f = "" }
				else f = f c
			}
			field[n] = f
			return n
		}
		{
			n = split_csv($0)
			if (NR == 1) { for (i = 1; i <= n; i++) if (field[i] == want) at = i; width = n; next }
			if (n != width) { print "torn line " NR > "/dev/stderr"; exit 1 }
			print field[at]
		}' "$1" || fail "$1 has a torn line"
}

rows() { awk 'END { print NR - 1 }' "$1"; }

# The accounts of every session add up to its length.
check_accounts() {
	paste -d' ' $(for c in duration_s connect_s login_s keying_s response_s script_s think_s \
		pacing_s barrier_s logout_s backoff_s other_s; do
		column "$1/sessions.csv" "$c" >"acct.$c"
		echo "acct.$c"
	done) | awk '{
		sum = 0
		for (i = 2; i <= NF; i++) sum += $i
		if (sum - $1 > 0.0001 || $1 - sum > 0.0001) { print "session " NR ": " $1 " is not " sum; bad = 1 }
	} END { exit bad }' || fail "accounts of $1 do not add up"
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
	left=$(($1 * 20))
	shift
	until "$@" >/dev/null 2>&1; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || return 1
		sleep 0.05
	done
}
