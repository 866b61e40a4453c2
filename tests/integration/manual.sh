#!/bin/sh
# Each verb's manual page and its --help name the same options.
set -u
cd "$RTE_TOP" || exit 1
bad=0
for verb in $("$RTE_BUILD/rte" --help | awk '/Verbs:/ { on = 1; next } on && /^  [a-z]/ { print $1 }'); do
	"$RTE_BUILD/rte" help "$verb" </dev/null | grep -q "^Usage: rte $verb" || { echo "no rte help $verb"; bad=1; }
	[ "$verb" = version ] && continue
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
exit $bad
