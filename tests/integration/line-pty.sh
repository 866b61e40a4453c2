#!/bin/sh
# Programs on ptys of their own: arguments, environment and working directory of each user, as
# rte-target(7) shows them.
. "$RTE_TOP/tests/support/lines.sh"
needs jq
cat >"$PROG" <<'END'
#!/bin/sh
echo "I am $1, branch ${BRANCH:-none}, in ${PWD##*/}, TERM $TERM, around ${TMUX:-nothing}"
read -r line
END
chmod +x "$PROG"
mkdir u1 u2 u3
export BRANCH=ours TMUX=outside
runs_as() { # TARGET EXPECTED, both with {user}
	cat >whoami.lua <<-END
		terminal { term = "vt220", size = "132x24" }
		function iteration()
		  transaction("seen", function()
		    press "Space"
		    expect(("$2"):gsub("{user}", user.id))
		  end)
		  press "Enter"
		end
	END
	rm -rf run
	"$rte" run whoami.lua --target "$1" -u 3 --iterations 1 --ramp 0s --think none --typing cps:50 \
		--timeout 9s --lateness 1h,1h -o run >out 2>err || complain "$1: $(cat err; jq -c .errors run/run.json)"
	[ "$(grep -c ',seen,.*,ok,' run/transactions.csv)" = 3 ] || complain "$1: $(cat run/transactions.csv)"
	echo "ok $1"
}
runs_as "pty:$PROG {user}" "I am {user}, branch ours, in ${TMPDIR##*/}, TERM vt220, around nothing"
runs_as "pty:env BRANCH=b{user} $PROG x{user}y" "I am x{user}y, branch b{user}, in ${TMPDIR##*/}, TERM vt220"
runs_as "pty:cd $TMPDIR/u{user} && exec $PROG {user}" "I am {user}, branch ours, in u{user}, TERM vt220"
# Each starts where rte does, not where its run directory is.
(cd u2 && "$rte" play ../whoami.lua --user 2 --target "pty:$PROG 2" --timeout 9s >../out 2>&1) || complain "in u2: $(cat out)"

cp whoami.lua teller.lua
refuses 3 "no/such" "pty:$TMPDIR/no/such"
exit $failed
