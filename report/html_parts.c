/* The HTML report's failures with their screens, time accounts, driver and configuration. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rundir.h"
#include "report/format.h"
#include "report/html.h"
#include "report/json.h"
#include "report/screen.h"
#include "base/banned.h"

#define MAX_KINDS         100
#define MAX_SCREENS       24
#define MAX_FILE_BYTES    (256u << 10)
#define MAX_ALIKE         2
#define MAX_SCREENS_BYTES (800u << 10) /* of HTML, all together */

/* ---- Screens -------------------------------------------------------------------------------- */

/* A name in run.json may be anything: only files below the run directory are read. */
static bool is_below(const char *path)
{
	return *path && *path != '/' && !strstr(path, "..");
}

static bool read_file(struct b_buf *out, const char *dir, const char *name)
{
	struct b_buf path = B_BUF_INIT;
	ssize_t n = -1;
	int fd;

	b_buf_printf(&path, "%s/%s", dir, name);
	fd = open(b_buf_cstr(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	b_buf_release(&path);
	if (fd < 0)
		return false;
	b_buf_reserve(out, MAX_FILE_BYTES);
	do {
		n = read(fd, out->data + out->len, MAX_FILE_BYTES - out->len);
		if (n > 0)
			out->len += (size_t)n;
	} while ((n > 0 && out->len < MAX_FILE_BYTES) || (n < 0 && errno == EINTR));
	close(fd);
	return n >= 0 && out->len;
}

/* NAME.txt has the picture in colour beside it, as NAME.ans. */
static bool read_screen(struct b_buf *out, const struct rp_run *r, const char *name)
{
	struct b_buf colour = B_BUF_INIT;
	size_t len = strlen(name);
	bool found = false;

	if (!is_below(name))
		return false;
	if (len > 4 && !strcmp(name + len - 4, ".txt")) {
		b_buf_add(&colour, name, len - 4);
		b_buf_adds(&colour, ".ans");
		found = read_file(out, r->dir, b_buf_cstr(&colour));
		b_buf_release(&colour);
	}
	return found || read_file(out, r->dir, name);
}

struct gallery {
	struct b_buf *out;
	const struct rp_run *r;
	char *shown[MAX_SCREENS];        /* files, without what follows the last dot */
	const char *shapes[MAX_SCREENS]; /* of what they show; NULL: unknown */
	size_t n, bytes;
};

static bool was_shown(const struct gallery *g, const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t len = dot ? (size_t)(dot - name) : strlen(name);

	for (size_t i = 0; i < g->n; i++)
		if (strlen(g->shown[i]) == len && !memcmp(g->shown[i], name, len))
			return true;
	return false;
}

/* Many pictures of one failure say no more than a few. */
static bool is_enough(const struct gallery *g, const struct rp_failure *f)
{
	size_t alike = 0;

	for (size_t i = 0; f && i < g->n; i++)
		alike += g->shapes[i] && !strcmp(g->shapes[i], f->shape);
	return alike >= MAX_ALIKE;
}

/* f NULL: nothing is known about the screen but its file. */
static void show_screen(struct gallery *g, const char *name, const struct rp_failure *f)
{
	struct b_buf data = B_BUF_INIT, html = B_BUF_INIT;
	const char *dot = strrchr(name, '.');
	char a[RP_FORMAT_SIZE];

	if (g->n == MAX_SCREENS || is_enough(g, f) || was_shown(g, name) ||
		!read_screen(&data, g->r, name))
		goto out;
	rp_screen_html(&html, data.data, data.len);
	if (g->bytes + html.len > MAX_SCREENS_BYTES)
		goto out;
	g->bytes += html.len;
	g->shapes[g->n] = f ? f->shape : NULL;
	g->shown[g->n++] = b_strndup(name, dot ? (size_t)(dot - name) : strlen(name));
	b_buf_adds(g->out, "<figure class=\"screen\"><figcaption><b>");
	if (f) {
		rp_html_text(g->out, f->kind);
		b_buf_adds(g->out, "</b>");
		if (f->transaction && *f->transaction) {
			b_buf_adds(g->out, " in <bdi>");
			rp_html_text(g->out, f->transaction);
			b_buf_adds(g->out, "</bdi>");
		}
		b_buf_printf(g->out, ", n = %s: ", rp_format_count(a, f->n));
		rp_html_text(g->out, f->detail);
	} else {
		b_buf_adds(g->out, "screen</b> ");
	}
	b_buf_adds(g->out, " <small>");
	rp_html_text(g->out, name);
	b_buf_adds(g->out, "</small></figcaption><pre>");
	b_buf_add(g->out, html.data, html.len);
	b_buf_adds(g->out, "</pre></figure>\n");
out:
	b_buf_release(&data);
	b_buf_release(&html);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* A killed run left screens that no run.json speaks of. */
static void show_others(struct gallery *g)
{
	struct b_buf path = B_BUF_INIT;
	struct dirent **list = NULL;
	int n;

	b_buf_printf(&path, "%s/%s", g->r->dir, RUNDIR_FAILURES_DIR);
	n = scandir(b_buf_cstr(&path), &list, NULL, by_name);
	for (int i = 0; i < n; i++) {
		b_buf_clear(&path);
		b_buf_printf(&path, "%s/%s", RUNDIR_FAILURES_DIR, list[i]->d_name);
		if (list[i]->d_name[0] != '.')
			show_screen(g, b_buf_cstr(&path), NULL);
		free(list[i]);
	}
	free(list);
	b_buf_release(&path);
}

/* ---- Failures ------------------------------------------------------------------------------- */

static void failure_row(struct b_buf *out, const struct rp_failure *f)
{
	char a[RP_FORMAT_SIZE];

	b_buf_adds(out, "<tr><td class=\"name bad\">");
	rp_html_text(out, f->kind);
	b_buf_adds(out, "</td><th class=\"name\">");
	rp_html_text(out, f->transaction);
	b_buf_printf(out, "</th><td>%s</td>", rp_format_count(a, f->n_counted));
	b_buf_printf(out, "<td>%s</td>", rp_format_count(a, f->n));
	b_buf_printf(out, "<td>%s</td>", rp_format_span(a, f->first_s));
	b_buf_printf(out, "<td>%s</td><td class=\"text\">", rp_format_span(a, f->last_s));
	rp_html_text(out, f->detail);
	b_buf_adds(out, "</td></tr>\n");
}

void rp_html_failures(struct b_buf *out, const struct rp_run *r)
{
	struct gallery g = { .out = out, .r = r };

	b_buf_adds(out, "<section id=\"failures\"><h2>Failures</h2>\n");
	if (!r->n_failures) {
		b_buf_adds(out, "<p>None.</p></section>\n");
		return;
	}
	b_buf_adds(out,
		"<div class=\"scroll\"><table><tr><th class=\"name\">kind</th>"
		"<th class=\"name\">transaction</th><th>counted</th><th>in all</th><th>first at</th>"
		"<th>last at</th><th class=\"text\">what</th></tr>\n");
	for (size_t i = 0; i < r->n_failures && i < MAX_KINDS; i++)
		failure_row(out, &r->failures[i]);
	b_buf_adds(out, "</table></div>\n");
	if (r->n_failures > MAX_KINDS || r->failures_dropped)
		b_buf_printf(out, "<p class=\"dim\">and %zu more kinds</p>\n",
			r->n_failures > MAX_KINDS ? r->n_failures - MAX_KINDS : 0);
	b_buf_adds(out, "<div class=\"screens\">\n");
	for (size_t i = 0; i < r->n_told; i++)
		if (r->told[i].screen)
			show_screen(&g, r->told[i].screen, &r->told[i]);
	if (!g.n)
		show_others(&g);
	b_buf_adds(out, "</div></section>\n");
	for (size_t i = 0; i < g.n; i++)
		free(g.shown[i]);
}

/* ---- Time accounts --------------------------------------------------------------------------- */

static void bar(struct b_buf *out, const double *part, double duration)
{
	b_buf_adds(out, "<div class=\"bar\">");
	for (int i = 0; i < RP_AC_N_PARTS; i++) {
		char a[RP_FORMAT_SIZE];

		if (part[i] / duration < 0.0005)
			continue;
		b_buf_printf(out,
			"<span class=\"p%d\" style=\"flex-grow:%.4f\" title=\"%s %s\"></span>", i,
			part[i] / duration, rp_account_names[i],
			rp_format_share(a, part[i] / duration));
	}
	b_buf_adds(out, "</div>\n");
}

void rp_html_accounts(struct b_buf *out, const struct rp_run *r)
{
	const struct rp_sessions *s = &r->sessions;
	char a[RP_FORMAT_SIZE];

	if (!(s->duration_s > 0))
		return;
	b_buf_printf(out, "<h3>Where their time went</h3>\n<p class=\"dim\">%s sessions",
		rp_format_count(a, s->n));
	for (size_t i = 0; i < s->n_ends; i++) {
		b_buf_printf(out, ", %s ended by ", rp_format_count(a, s->ends[i].n));
		rp_html_text(out, s->ends[i].name);
	}
	b_buf_adds(out, "</p>\n");
	bar(out, s->part_s, s->duration_s);
	b_buf_adds(out, "<div class=\"scroll\"><table class=\"accounts\">\n");
	for (int i = 0; i < RP_AC_N; i++) {
		double part = s->part_s[i] + (i == RP_AC_OTHER ? s->unexplained_s : 0);

		b_buf_printf(out,
			"<tr><td class=\"name\"><i class=\"key p%d\"></i>%s%s</td><td>%s</td>",
			i < RP_AC_N_PARTS ? i : 99, i < RP_AC_N_PARTS ? "" : "within these: ",
			i == RP_AC_OTHER ? "unexplained" : rp_account_names[i],
			rp_format_share(a, part / s->duration_s));
		b_buf_printf(
			out, "<td>%s a session</td></tr>\n", rp_format_s(a, part / (double)s->n));
	}
	b_buf_adds(out, "</table></div>\n");
}

/* ---- Driver and configuration ------------------------------------------------------------------ */

static void pair(struct b_buf *out, const char *name, const char *value)
{
	b_buf_printf(out, "<tr><th class=\"name\">%s</th><td class=\"text\">", name);
	rp_html_text(out, value ? value : "-");
	b_buf_adds(out, "</td></tr>\n");
}

void rp_html_driver(struct b_buf *out, const struct rp_run *r)
{
	const struct rp_driver *d = &r->driver;
	struct b_buf text = B_BUF_INIT;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE];

	b_buf_adds(out, "<div class=\"scroll\"><table class=\"sheet\">\n");
	b_buf_printf(&text, "p50 %s, p99 %s, max %s%s", rp_format_s(a, d->late_p50_s),
		rp_format_s(b, d->late_p99_s), rp_format_s(c, d->late_max_s),
		d->late_from_timeline ? " (of the worst second)" : "");
	pair(out, "keystrokes late", b_buf_cstr(&text));
	if (!isnan(d->cpu_mean)) {
		b_buf_clear(&text);
		b_buf_printf(&text, "%s cores on average, %s at most",
			rp_format_number(a, d->cpu_mean), rp_format_number(b, d->cpu_max));
		if (r->cores > 0)
			b_buf_printf(&text, ", of %g", r->cores);
		pair(out, "CPU", b_buf_cstr(&text));
	}
	b_buf_clear(&text);
	rp_driver_tell(r, &text);
	if (text.len)
		pair(out, "its threads", b_buf_cstr(&text));
	if (d->keys >= 0)
		pair(out, "keys typed", rp_format_count(a, (uint64_t)d->keys));
	if (d->reschedules >= 0)
		pair(out, "schedule started anew", rp_format_count(a, (uint64_t)d->reschedules));
	if (d->late_out_of_range > 0)
		pair(out, "later than 2.5h", rp_format_count(a, (uint64_t)d->late_out_of_range));
	if (d->blocked_s >= 0)
		pair(out, "lines blocked", rp_format_s(a, d->blocked_s));
	if (!isnan(d->rss_max_kib)) {
		b_buf_clear(&text);
		b_buf_printf(&text, "%s MiB", rp_format_number(a, d->rss_max_kib / 1024));
		pair(out, "memory at most", b_buf_cstr(&text));
	}
	b_buf_adds(out, "</table></div>\n");
	b_buf_release(&text);
}

void rp_html_config(struct b_buf *out, const struct rp_run *r)
{
	char *text;
	const json_t *config = json_object_get(r->json, "config");

	b_buf_adds(out,
		"<section id=\"configuration\"><h2>Configuration</h2>\n<div class=\"scroll\">"
		"<table class=\"sheet\">\n");
	pair(out, "command", r->command);
	pair(out, "rte", r->version);
	pair(out, "host", r->host);
	pair(out, "kernel", r->kernel);
	pair(out, "seed", r->seed);
	b_buf_adds(out, "</table></div>\n");
	if (config) {
		text = json_dumps(config, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
		b_buf_adds(out, "<details><summary>All of it</summary><pre class=\"config\">");
		rp_html_text(out, text);
		b_buf_adds(out, "</pre></details>\n");
		free(text);
	}
	b_buf_adds(out, "</section>\n");
}
