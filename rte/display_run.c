/* The whole run at a glance. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "report/format.h"
#include "rte/display_priv.h"
#include "rte/stats.h"
#include "base/banned.h"

#define POINTS     60
#define HEAD_ROWS  4 /* title, progress, users twice */
#define FOOT_ROWS  2 /* messages, keys */
#define NO_NEWS_NS (3 * B_NS_PER_S)
#define WIDE_COLS  120
#define USERS_COLS 72 /* that their table takes */
#define KEYS_COLS  80 /* that all keys of the bottom line take */
#define FEW_ROWS   18

/* At the end of a row that may be too short: whole, or not at all. Returns the columns that it took. */
static int item(int row, int col, enum rte_look look, const char *fmt, ...) B_PRINTF(4, 5);

static int item(int row, int col, enum rte_look look, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (col + (int)strlen(text) > rte_term_cols())
		return 0;
	return rte_term_text(row, col, rte_term_cols() - col, look, text);
}

/* ---- Head ---------------------------------------------------------------------------------------- */

static void draw_title(const struct rte_display *d)
{
	char left[300], right[80], span[32];
	const char *mode = !d->opt->control ? "looking only" : "";

	if (json_is_true(json_object_get(d->state, "paused")))
		mode = "PAUSED";
	if (json_is_true(json_object_get(d->state, "stopping")))
		mode = "stopping";
	snprintf(left, sizeof left, "rte  %s", rte_display_text(d->state, "dir"));
	snprintf(right, sizeof right, "%s%s%s", mode, *mode ? "  " : "",
		rte_display_span(span, rte_display_number(d->state, "at")));
	rte_term_bar(0, left, right);
}

/* How much of the phase is over: by its time, else by the iterations; negative: nobody knows. */
static double progress(const struct rte_display *d)
{
	double at = rte_display_number(d->state, "at");
	double from = rte_display_number(d->state, "phase_from");
	double to = rte_display_number(d->state, "phase_to");
	double all = rte_display_number(d->state, "iterations_all");
	double part = -1;

	if (to > from)
		part = (at - from) / (to - from);
	else if (all > 0)
		part = rte_display_number(d->state, "iterations") / all;
	return part > 1 ? 1 : part >= 0 ? part : -1;
}

static void draw_progress(const struct rte_display *d)
{
	double part = progress(d), at = rte_display_number(d->state, "at");
	double to = rte_display_number(d->state, "phase_to");
	double load_to = rte_display_number(d->state, "load_to");
	int cols = rte_term_cols(), width = cols / 3, col;
	char a[32], b[32];

	col = rte_term_printf(1, 1, 12, RTE_LOOK_BOLD, "%s", rte_display_text(d->state, "phase"));
	col = col < 9 ? 11 : col + 2;
	if (part >= 0) {
		rte_term_gauge(1, col, width, part);
		col += width + 1;
		col += rte_term_printf(1, col, cols - col, RTE_LOOK_PLAIN, "%3.0f%%", part * 100);
	}
	if (to >= at)
		col += item(1, col, RTE_LOOK_PLAIN, "  %s left", rte_display_span(a, to - at));
	if (load_to > to && load_to >= at)
		item(1, col, RTE_LOOK_DIM, ", load ends in %s", rte_display_span(b, load_to - at));
	else if (!(to >= at))
		item(1, col, RTE_LOOK_PLAIN, "  %.0f iterations",
			rte_display_number(d->state, "iterations"));
}

/* Where there is no room for a table: the states in which users are, in two rows. */
static void draw_users_narrow(const struct rte_display *d)
{
	const json_t *users = json_object_get(d->state, "users");
	int row = 2, col = 1;

	for (int k = 0; k < RTE_N_SHOWN; k++) {
		double n = rte_display_number(users, rte_shown_names[k]);
		enum rte_look look = k == RTE_SHOW_FAILED ? RTE_LOOK_BAD : RTE_LOOK_BOLD;
		int width;

		if (!(n > 0))
			continue;
		width = item(row, col, look, "%.0f %s  ", n, rte_shown_names[k]);
		if (!width && row == 2) {
			row = 3;
			col = 1;
			width = item(row, col, look, "%.0f %s  ", n, rte_shown_names[k]);
		}
		col += width;
	}
	item(row, col, RTE_LOOK_DIM, "of %.0f", rte_display_number(d->state, "wanted"));
}

static void draw_users(const struct rte_display *d)
{
	const json_t *users = json_object_get(d->state, "users");
	bool wide = rte_term_cols() >= WIDE_COLS;
	int col = 0;

	if (rte_term_cols() < USERS_COLS) {
		draw_users_narrow(d);
		return;
	}
	for (int k = 0; k <= RTE_N_SHOWN; k++) {
		const char *name = k < RTE_N_SHOWN ? rte_shown_names[k] : "wanted";
		double n = k < RTE_N_SHOWN ? rte_display_number(users, name)
					   : rte_display_number(d->state, "wanted");
		enum rte_look look = n > 0 ? RTE_LOOK_BOLD : RTE_LOOK_DIM;

		int width;

		if (k == RTE_SHOW_CONNECTING && !wide)
			name = "connect";
		if (k == RTE_SHOW_FAILED && n > 0)
			look = RTE_LOOK_BAD;
		width = wide ? 12 : (int)strlen(name) + (strlen(name) < 6 ? 3 : 1);
		rte_term_printf(2, col, width, RTE_LOOK_DIM, "%*s", width, name);
		rte_term_printf(3, col, width, look, "%*.0f", width, n);
		col += width;
	}
}

/* ---- Transactions ---------------------------------------------------------------------------------- */

#define NARROW_COLS 80
#define NAME_COLS   (NARROW_COLS - 58) /* the figures take the rest */

struct columns {
	int name, last, all, sparks, spark;
	bool wide, totals; /* totals: the figures in all, beside the last interval's */
};

/* On a narrow terminal long names are worth more than bars. */
static struct columns columns_of(int cols, const json_t *list)
{
	struct columns c = { .name = cols >= WIDE_COLS ? 30 : 12, .wide = cols >= WIDE_COLS };
	const json_t *o;
	size_t i;

	json_array_foreach(list, i, o)
	{
		int len = (int)strnlen(rte_display_text(o, "name"), NAME_COLS);

		if (!c.wide && len >= c.name && cols >= NARROW_COLS)
			c.name = len + 1;
	}
	c.totals = cols >= c.name + 56;
	if (!c.totals && c.name < cols - 29)
		c.name = cols - 29;
	c.last = c.name + 1;
	c.all = c.last + 27 + (c.wide ? 9 : 0);
	c.sparks = c.all + 28 + (c.wide ? 17 : 1);
	c.spark = (cols - c.sparks - 2) / 2;
	if (c.spark > POINTS)
		c.spark = POINTS;
	return c;
}

static void draw_head(const struct rte_display *d, int row, const struct columns *c)
{
	rte_term_printf(row, c->last, 40, RTE_LOOK_DIM, "%6s", "last");
	rte_term_printf(row, c->last + 7, 40, RTE_LOOK_DIM, "%.0fs",
		rte_display_number(d->state, "span_s"));
	if (c->totals)
		rte_term_printf(row, c->all + 3, 40, RTE_LOOK_DIM, "in all");
	if (c->spark >= 4) {
		rte_term_text(row, c->sparks, c->spark, RTE_LOOK_DIM,
			c->wide ? "last minutes: rate" : "rate");
		rte_term_text(row, c->sparks + c->spark + 1, c->spark, RTE_LOOK_DIM, "p90");
	}
	row++;
	rte_term_text(row, 1, c->name, RTE_LOOK_DIM, "transaction");
	rte_term_printf(row, c->last, 40, RTE_LOOK_DIM, "%6s%7s%7s%7s%s", "rate/s", "p50", "p90",
		"max", c->wide ? "   failed" : "");
	if (c->totals)
		rte_term_printf(row, c->all, 60, RTE_LOOK_DIM, "%7s%7s%7s%7s%s", "n", "p50", "p90",
			"max", c->wide ? "  failed  rate/s" : "");
}

static size_t values(const json_t *list, double *v)
{
	size_t n = json_array_size(list), i;

	if (n > POINTS)
		n = POINTS;
	for (i = 0; i < n; i++) {
		const json_t *x = json_array_get(list, i);

		v[i] = json_is_number(x) ? json_number_value(x) : -1;
	}
	return n;
}

static void draw_figure(const json_t *o, int row, const struct columns *c, enum rte_look look)
{
	const json_t *last = json_object_get(o, "last");
	char t[4][RTE_TIME_SIZE];
	double v[POINTS];
	double failed = rte_display_number(o, "failed");
	double none = rte_display_number(last, "ok") > 0 ? 0 : (double)NAN;
	struct b_buf name = B_BUF_INIT;

	/* Not by colour alone. */
	if (failed > 0)
		rte_term_text(row, 0, 1, RTE_LOOK_WARN, "!");
	rp_format_name(&name, rte_display_text(o, "name"), (size_t)c->name - 1);
	rte_term_text(row, 1, c->name - 1, failed > 0 ? RTE_LOOK_WARN : look, b_buf_cstr(&name));
	b_buf_release(&name);
	rte_term_printf(row, c->last, 40, look, "%6s%7s%7s%7s",
		rte_display_amount(t[0], rte_display_number(last, "rate")),
		rte_display_time(t[1], none + rte_display_number(last, "p50")),
		rte_display_time(t[2], none + rte_display_number(last, "p90")),
		rte_display_time(t[3], none + rte_display_number(last, "max")));
	if (c->totals)
		rte_term_printf(row, c->all, 40, look, "%7.0f%7s%7s%7s",
			rte_display_number(o, "ok"),
			rte_display_time(t[1], rte_display_number(o, "p50")),
			rte_display_time(t[2], rte_display_number(o, "p90")),
			rte_display_time(t[3], rte_display_number(o, "max")));
	if (c->wide) {
		double now = rte_display_number(last, "failed");

		rte_term_printf(row, c->last + 27, 9, now > 0 ? RTE_LOOK_BAD : look, "%9.0f",
			now >= 0 ? now : 0);
		rte_term_printf(row, c->all + 28, 16, failed > 0 ? RTE_LOOK_WARN : look, "%8.0f%8s",
			failed, rte_display_amount(t[0], rte_display_number(o, "rate")));
	}
	if (c->spark < 4)
		return;
	rte_term_spark(
		row, c->sparks, c->spark, RTE_LOOK_GOOD, v, values(json_object_get(o, "rates"), v));
	rte_term_spark(row, c->sparks + c->spark + 1, c->spark, RTE_LOOK_WARN, v,
		values(json_object_get(o, "p90s"), v));
}

/* The table within [row, until); returns the row behind it. */
static int draw_transactions(const struct rte_display *d, int row, int until)
{
	const json_t *list = json_object_get(d->state, "transactions");
	struct columns c = columns_of(rte_term_cols(), list);
	size_t n = json_array_size(list), shown;

	if (until - row < 3)
		return row;
	draw_head(d, row, &c);
	row += 2;
	shown = (size_t)(until - row - 1);
	if (n > shown && shown)
		shown--;
	for (size_t i = 0; i < n && i < shown; i++)
		draw_figure(json_array_get(list, i), row++, &c, RTE_LOOK_PLAIN);
	if (n > shown && until - row > 1)
		rte_term_printf(row++, 1, 60, RTE_LOOK_DIM, "... and %zu more", n - shown);
	draw_figure(json_object_get(d->state, "all"), row++, &c, RTE_LOOK_BOLD);
	return row;
}

/* ---- Errors, driver, messages ---------------------------------------------------------------------- */

static void draw_error(const struct rte_display *d, const json_t *o, int row)
{
	int cols = rte_term_cols(), col = 1;
	double ago = rte_display_number(d->state, "at") - rte_display_number(o, "last");
	char span[32];

	col += rte_term_printf(
		row, col, 8, RTE_LOOK_BAD, "%5.0fx ", rte_display_number(o, "count"));
	col += rte_term_printf(row, col, 11, RTE_LOOK_PLAIN, "%-10s ", rte_display_text(o, "kind"));
	col += rte_term_printf(
		row, col, 9, RTE_LOOK_DIM, "%5s ago", rte_display_span(span, ago > 0 ? ago : 0));
	col += 1 +
		rte_term_printf(
			row, col + 1, 12, RTE_LOOK_DIM, "user %.0f", rte_display_number(o, "user"));
	col += 1;
	if (*rte_display_text(o, "transaction"))
		col += rte_term_printf(
			row, col, 24, RTE_LOOK_BOLD, "%.22s: ", rte_display_text(o, "transaction"));
	rte_term_text(row, col, cols - col, RTE_LOOK_PLAIN, rte_display_text(o, "text"));
}

static void draw_errors(const struct rte_display *d, int row, int until)
{
	const json_t *list = json_object_get(d->state, "errors");
	const json_t *arrivals = json_object_get(d->state, "arrivals");
	double n = rte_display_number(d->state, "failures");
	double away = rte_display_number(arrivals, "turned_away");
	int col = 1;

	if (row >= until)
		return;
	col += rte_term_printf(row, col, 70, n > 0 ? RTE_LOOK_BAD : RTE_LOOK_DIM, "%.0f error%s%s",
		n, n > 0.5 && n < 1.5 ? "" : "s",
		json_array_size(list) ? ", by kind, newest first" : "");
	if (json_is_object(arrivals))
		rte_term_printf(row, col, rte_term_cols() - col,
			away > 0 ? RTE_LOOK_WARN : RTE_LOOK_DIM,
			"   %.0f arrivals, %.0f turned away", rte_display_number(arrivals, "all"),
			away);
	row++;
	for (size_t i = 0; i < json_array_size(list) && row < until; i++)
		draw_error(d, json_array_get(list, i), row++);
}

static void draw_driver(const struct rte_display *d, int row)
{
	const json_t *o = json_object_get(d->state, "driver");
	double p99 = rte_display_number(o, "late_p99"), cpu = rte_display_number(o, "cpu");
	double cores = rte_display_number(o, "cores");
	enum rte_look late = RTE_LOOK_GOOD;
	char a[RTE_TIME_SIZE], b[RTE_TIME_SIZE];
	int col = 1;

	if (p99 > rte_display_number(o, "late_warn"))
		late = RTE_LOOK_WARN;
	if (p99 > rte_display_number(o, "late_bad"))
		late = RTE_LOOK_BAD;
	col += rte_term_text(row, col, 40, RTE_LOOK_DIM, "driver ");
	col += rte_term_printf(row, col, 40, late, "late p99 %s, max %s", rte_display_time(a, p99),
		rte_display_time(b, rte_display_number(o, "late_max")));
	if (rte_display_number(o, "out_of_range") > 0)
		col += item(row, col, RTE_LOOK_BAD, "  %.0f out of range",
			rte_display_number(o, "out_of_range"));
	col += item(row, col, cpu > 0.8 * cores ? RTE_LOOK_BAD : RTE_LOOK_PLAIN,
		"  CPU %.2f of %.0f", cpu >= 0 ? cpu : 0, cores);
	col += item(row, col, RTE_LOOK_PLAIN, "  memory %s MiB",
		rte_display_amount(a, rte_display_number(o, "rss_kib") / 1024));
	col += item(row, col, RTE_LOOK_PLAIN, "  keys %s/s",
		rte_display_amount(a, rte_display_number(o, "keys")));
	col += item(row, col, RTE_LOOK_PLAIN, "  in %s KiB/s, out %s KiB/s",
		rte_display_amount(a, rte_display_number(o, "bytes_in") / 1024),
		rte_display_amount(b, rte_display_number(o, "bytes_out") / 1024));
	col += item(row, col, RTE_LOOK_PLAIN, "  %.0f schedules anew",
		rte_display_number(o, "reschedules"));
	item(row, col, RTE_LOOK_PLAIN, "  late p99 in all %s",
		rte_display_time(a, rte_display_number(o, "all_late_p99")));
}

static void draw_log(const struct rte_display *d, int row, int rows)
{
	size_t n = d->n_log < (size_t)rows ? d->n_log : (size_t)rows;

	for (size_t i = 0; i < n; i++)
		rte_term_text(row + (int)i, 1, rte_term_cols() - 1, RTE_LOOK_WARN,
			d->log[(d->n_log - n + i) % RTE_LOG_SHOWN]);
}

/* Steering is shown to those who may. */
static void draw_keys(const struct rte_display *d)
{
	rte_term_bar(rte_term_rows() - 1,
		rte_term_cols() < KEYS_COLS ? "u s f users  q leave  ? help"
			: d->opt->control
			? "u users  s slow  f failed  +-w users  p pause  n next  eE end  q leave ? help"
			: "u users  s slowest  f failed   q leave   ? help",
		"");
}

void rte_display_run_draw(const struct rte_display *d)
{
	int rows = rte_term_rows(), foot = rows - FOOT_ROWS, logs, row;

	if (!d->state) {
		rte_term_text(
			0, 1, rte_term_cols(), RTE_LOOK_DIM, "waiting for the run to speak ...");
		return;
	}
	logs = rows >= 40 ? 6 : 1;
	draw_title(d);
	draw_progress(d);
	draw_users(d);
	draw_keys(d);
	foot -= logs - 1;
	draw_log(d, foot, logs);
	draw_driver(d, foot - 1);
	/* A line of all transactions is worth more than many of errors. */
	row = draw_transactions(d, HEAD_ROWS + (rows >= 40), foot - (rows < FEW_ROWS ? 3 : 4));
	draw_errors(d, row + (rows >= 40), foot - 1);
	if (b_clock_mono_ns() - d->state_ns > NO_NEWS_NS)
		rte_term_text(1, 1, rte_term_cols() - 1, RTE_LOOK_BAD,
			"no news from the run for more than 3s; it may be stopped or busy          ");
}

void rte_display_help_draw(const struct rte_display *d)
{
	static const char *const lines[] = {
		"u            all users by number",
		"s            the slowest: who waits longest for the SUT, then by last response",
		"f            those who failed most",
		"a number     look over that user's shoulder",
		"Enter        in a list: look at the user under the cursor",
		"n  p         there: the next, the previous user",
		"arrows       there: move a screen that does not fit",
		"z            there: the screen alone",
		"",
		"+  -         a tenth more, a tenth fewer users        w   so many users",
		"p            pause: users finish what they are at; again: resume",
		"n            the next phase begins now",
		"e            end: users finish and log out            E   end at once",
		"q            leave this display; the run goes on",
		"",
		"Times: from the last input to the last change of the screen. rate/s:",
		"transactions that ended ok; ! in front: some failed. last Ns: the last",
		"interval of so many seconds; its p90 and rate make the bars of the last",
		"minutes, where there is room.",
	};

	rte_term_bar(0, "rte: keys of this display", d->opt->control ? "" : "looking only");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		rte_term_text((int)i + 2, 2, rte_term_cols() - 2, RTE_LOOK_PLAIN, lines[i]);
	rte_term_bar(rte_term_rows() - 1, "any key goes back", "");
}
