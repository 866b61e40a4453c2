#!/bin/sh
# The virtual screen against a real xterm, over random streams.
command -v xterm >/dev/null && command -v xvfb-run >/dev/null && command -v python3 >/dev/null || {
	echo 'xterm, xvfb-run or python3 is missing'
	exit 77
}
exec xvfb-run -a -s '-screen 0 1000x800x8' "${RTE_TOP:-.}/tests/diff/xterm.py" "${RTE_BUILD:-build}/rte" 1 "${1:-600}"
