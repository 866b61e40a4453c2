#!/bin/sh
# Each verb's manual page and its --help name the same options; a wrong one is told, with where to
# look. What make installs is where it should be, also in folders with blanks, and goes again.
set -u
cd "$RTE_TOP" || exit 1
bad=0
for verb in $("$RTE_BUILD/rte" --help | awk '/Verbs:/ { on = 1; next } on && /^  [a-z]/ { print $1 }'); do
	"$RTE_BUILD/rte" help "$verb" </dev/null | grep -q "^Usage: rte $verb" || { echo "no rte help $verb"; bad=1; }
	[ "$verb" = version ] && continue
	said=$("$RTE_BUILD/rte" "$verb" --no-such-option 2>&1 </dev/null)
	[ $? = 2 ] || { echo "rte $verb --no-such-option: not exit status 2"; bad=1; }
	echo "$said" | grep -q -e "--no-such-option" && echo "$said" | grep -q "see rte $verb --help" ||
		{ echo "rte $verb --no-such-option says: $said"; bad=1; }
	page=doc/rte-$verb.1
	if [ ! -e "$page" ]; then
		echo "no $page"
		bad=1
		continue
	fi
	help=$("$RTE_BUILD/rte" "$verb" --help </dev/null) || bad=1
	for o in $(echo "$help" | grep -o -e '--[a-z][a-z-]*' | sort -u); do
		[ "$o" = --help ] || grep -q -e "[ -]-${o#--}\\b" "$page" || { echo "$page lacks $o of the help"; bad=1; }
	done
	for o in $(grep -o -e 'Fl -[a-z][a-z-]*' "$page" | sed 's/Fl -//' | sort -u); do
		echo "$help" | grep -q -e "--$o\\b" || { echo "rte $verb --help lacks --$o of its page"; bad=1; }
	done
done
"$RTE_BUILD/rte" ctl run users 2>&1 | grep -q "users wants a number, as in rte ctl run users 50" ||
	{ echo "rte ctl users does not ask for a number"; bad=1; }

to="$TMPDIR/a place" prefix="/opt/the prefix"
# What is installed is what was built, and nothing is built here.
installs() {
	env -u MAKEFLAGS make -s -o all "$1" BUILD="$RTE_BUILD" DESTDIR="$to" PREFIX="$prefix" >"$TMPDIR/log" 2>&1 ||
		{ cat "$TMPDIR/log"; bad=1; }
}
installs install
for f in bin/rte share/man/man1/rte.1 share/man/man5/rte-rundir.5 share/man/man7/rte-script.7 share/rte/scripts/caseA.lua; do
	[ -f "$to$prefix/$f" ] || { echo "make install left no $f"; bad=1; }
done
[ "$("$to$prefix/bin/rte" version)" = "$("$RTE_BUILD/rte" version)" ] || bad=1
touch "$to$prefix/share/man/man1/other.1"
installs uninstall
left=$(find "$to" -type f)
[ "$left" = "$to$prefix/share/man/man1/other.1" ] || { echo "make uninstall left: $left"; bad=1; }
exit $bad
