# Joins a run's transactions.csv with the log of the application (teller --log, doc/teller.1).
#   awk -v log_file=TELLER_LOG -f truth.awk transactions.csv
# Prints a line for each transaction that has a partner: the error of rte's response time in
# milliseconds, rte's own figure, the application's, user, transaction. Rows without a partner go
# to standard error as a count: they make the comparison worthless when there are many.
#
# A row's partner is the transaction of the same user (the log's tag) whose last input byte came
# first at or after the row's start. The clocks are one: `start` and the log's third field are
# both the monotonic clock seen as seconds since the epoch.

# Splits a CSV line into f[1..n]; quotes may hold commas and doubled quotes.
function csv(line, f,    n, i, c, quoted) {
	n = 1
	f[1] = ""
	quoted = 0
	if (line !~ /"/)
		return split(line, f, ",")
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\"") {
			if (quoted && substr(line, i + 1, 1) == "\"") {
				f[n] = f[n] c
				i++
			} else {
				quoted = !quoted
			}
		} else if (c == "," && !quoted) {
			f[++n] = ""
		} else {
			f[n] = f[n] c
		}
	}
	return n
}

BEGIN {
	slack = 0.0005   # the two pairs of clocks were read at other moments
	reach = 0.25     # a last input that arrives later than this is another one
	while ((getline line < log_file) > 0) {
		split(line, w, " ")
		n = ++count[w[5]]
		at[w[5], n] = w[3]
		took[w[5], n] = (w[2] - w[1]) / 1e9
		what[w[5], n] = w[6]
	}
	if (!n) {
		print "truth: nothing in " log_file > "/dev/stderr"
		exit 2
	}
}

NR == 1 {
	n = csv($0, head)
	for (i = 1; i <= n; i++)
		column[head[i]] = i
	next
}

{
	csv($0, f)
	if (f[column["status"]] != "ok" || f[column["counted"]] != 1 || f[column["response_s"]] == "")
		next
	user = f[column["user"]]
	start = f[column["start"]] + 0
	# Rows of a user come in order, so the search goes on where it stopped.
	i = next_at[user] + 0
	if (i < 1)
		i = 1
	while (i <= count[user] && at[user, i] + 0 < start - slack)
		i++
	if (i > count[user] || at[user, i] + 0 > start + reach) {
		lonely++
		next
	}
	next_at[user] = i + 1
	response = f[column["response_s"]] + 0
	printf "%.3f %.3f %.3f %s %s\n", (response - took[user, i]) * 1000, response * 1000,
		took[user, i] * 1000, user, f[column["transaction"]]
	paired++
}

END {
	printf "%d paired, %d without a partner\n", paired, lonely > "/dev/stderr"
}
