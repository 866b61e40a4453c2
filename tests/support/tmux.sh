# Sourced behind tests/support/run.sh by display-*.sh: a terminal with a person at it, by tmux.
command -v tmux >/dev/null || { echo "tmux is missing"; exit 77; }
tmux="tmux -L rte-test-$$ -f /dev/null"
RUN_PID=
leave_terminal() {
	$tmux kill-server 2>/dev/null
	[ -z "$RUN_PID" ] || kill "$RUN_PID" 2>/dev/null
}
trap leave_terminal EXIT
trap 'exit 1' INT TERM

# terminal COLS ROWS: a shell in the test's folder.
terminal() {
	$tmux new-session -d -x "$1" -y "$2" "cd '$TMPDIR' && PS1='ready> ' TERM=${3:-tmux-256color} exec sh" ||
		fail "no terminal"
	pane_has '^ready>'
}
pane() { $tmux capture-pane -p; }
keys() { $tmux send-keys "$@"; }
type() { $tmux send-keys -l "$1"; }
# What stood there before "clear" is gone at once: it is no answer to what is entered.
enter() {
	case $1 in clear*) keys -R ;; esac
	type "$1" && keys Enter
}

# pane_has PATTERN, pane_lacks PATTERN: within 60 s.
pane_has() {
	n=0
	until pane | grep -q -e "$1"; do
		n=$((n + 1))
		[ $n -lt 600 ] || { pane; fail "the terminal does not show '$1'"; }
		sleep 0.1
	done
}
pane_lacks() {
	n=0
	while pane | grep -q -e "$1"; do
		n=$((n + 1))
		[ $n -lt 600 ] || { pane; fail "the terminal still shows '$1'"; }
		sleep 0.1
	done
}

# until_true COMMAND...: within 60 s.
until_true() {
	n=0
	until "$@"; do
		n=$((n + 1))
		[ $n -lt 600 ] || fail "not within 60 s: $*"
		sleep 0.1
	done
}
outcome_is() { grep -q "\"outcome\": \"$2\"" "$1/run.json" 2>/dev/null; }

# What runs on this terminal, and of that the process that shows the run DIR there.
here() { ps -o pid=,args= -t "$($tmux display-message -p '#{pane_tty}')"; }
display_of() { here | awk -v dir="$1" '$3 == "watch" && $4 == "--attached" && $NF == dir { print $1 }'; }

# actions DIR: "ACTION by BY", a line each, as run.json has them.
actions() {
	tr -d '\n' <"$1/run.json" | sed 's/.*"actions": \[//; s/\].*//' | grep -o '"action": "[^"]*", *"by": "[^"]*"' |
		sed 's/"action": "\([^"]*\)", *"by": "\([^"]*\)"/\1 by \2/'
}
