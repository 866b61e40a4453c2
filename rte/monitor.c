#include "rte/monitor.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "base/log.h"
#include "report/report.h"
#include "rte/hook.h"
#include "rte/rundir.h"
#include "base/banned.h"

#define SHOWN       500 /* runs in the directory's own report: the newest */
#define STOPPED_MAX 20  /* runs that were stopped one after the other, and tell nothing */

struct monitor {
	struct rte_workload *w;
	const struct rte_series_options *opt;
	const char *dir;
	enum b_exit
		verdict; /* of the last run that nobody stopped; a monitor begins as if all were well */
	enum b_exit status; /* of the last run */
};

static void signals_of(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

/* Whether a signal came while waiting, or since the last run: the monitor is ended by it. */
static bool wait_until(int64_t at)
{
	bool signalled;
	sigset_t set;
	int64_t left;

	signals_of(&set);
	do {
		struct timespec ts;

		left = at - b_clock_mono_ns();
		left = left > 0 ? left : 0;
		ts = (struct timespec){ (time_t)(left / B_NS_PER_S), (long)(left % B_NS_PER_S) };
		signalled = sigtimedwait(&set, NULL, &ts) > 0;
	} while (!signalled && left > 0);
	return signalled;
}

/* A folder for the run that begins now, by the time; NULL: there is no time. */
static char *next_path(const char *dir, char name[64])
{
	time_t now = time(NULL);
	char *path = NULL, stamp[32];
	struct tm tm;

	if (!localtime_r(&now, &tm) || !strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm))
		return NULL;
	for (int n = 1; n < 1000; n++) {
		snprintf(name, 64, n > 1 ? "%s-%d" : "%s", stamp, n);
		free(path);
		path = rte_rundir_file(dir, name);
		if (access(path, F_OK))
			break;
	}
	return path;
}

static char *variable(const char *name, const char *value)
{
	struct b_buf b = B_BUF_INIT;

	b_buf_printf(&b, "%s=", name);
	b_escape_text(&b, value, strlen(value));
	return b_buf_take(&b, NULL);
}

static void tell_change(
	struct monitor *m, const char *path, enum b_exit status, struct rp_brief *brief)
{
	char *more[] = { variable("RTE_VERDICT", rp_verdict_word(status)),
		variable("RTE_VERDICT_WAS", rp_verdict_word(m->verdict)),
		variable("RTE_REASON", b_buf_cstr(&brief->why)),
		variable("RTE_FIGURES", b_buf_cstr(&brief->figures)),
		variable("RTE_MONITOR_DIR", m->dir), NULL };
	struct b_error err = { 0 };

	b_warn("%s: verdict %s, was %s", path, rp_verdict_word(status),
		rp_verdict_word(m->verdict));
	if (m->opt->on_change &&
		rte_hook_run(
			"--on-change", m->opt->on_change, path, (const char *const *)more, &err))
		b_warn("%s", err.text);
	for (size_t i = 0; more[i]; i++)
		free(more[i]);
}

static void print_line(const char *name, enum b_exit status, struct rp_brief *brief)
{
	struct b_buf b = B_BUF_INIT;

	b_escape_text(&b, b_buf_cstr(&brief->why), brief->why.len);
	printf("%s  %-7s  %s%s%s\n", name, rp_verdict_word(status), b_buf_cstr(&brief->figures),
		b.len ? "; " : "", b_buf_cstr(&b));
	fflush(stdout);
	b_buf_release(&b);
}

/* The directory's own report; what is wrong with it must not end the monitor. */
static void finish(const struct monitor *m, FILE *to)
{
	enum b_exit ignored = B_EXIT_OK;
	struct b_error err = { 0 };

	if (rp_is_ladder(m->dir) && rp_ladder_finish(m->dir, SHOWN, to, &ignored, &err))
		b_warn("%s", err.text);
}

static enum rte_series_end one(struct monitor *m, bool first)
{
	struct rp_brief brief = { B_BUF_INIT, B_BUF_INIT };
	enum rte_series_end end;
	char name[64], *path = next_path(m->dir, name);
	enum b_exit status;

	if (!path)
		return RTE_SERIES_REFUSED;
	status = rte_series_step(m->w, m->opt, path, &brief, &end);
	print_line(name, status, &brief);
	/* A run that somebody cut short says nothing about the service. */
	if (end != RTE_SERIES_STOPPED && !(first && end == RTE_SERIES_REFUSED)) {
		if (status != m->verdict)
			tell_change(m, path, status, &brief);
		m->verdict = status;
	}
	m->status = status;
	b_buf_release(&brief.figures);
	b_buf_release(&brief.why);
	free(path);
	return end;
}

/* How the last run of a monitor ended that is started again; it may have been stopped in some. */
static enum b_exit verdict_before(const char *dir)
{
	struct rp_load_options newest = { .newest = STOPPED_MAX };
	enum b_exit status = B_EXIT_OK;
	struct rp_ladder *l;
	struct b_error ignored = { 0 };

	if (!rp_is_ladder(dir) || rp_ladder_load(&l, dir, &newest, &ignored))
		return status;
	status = rp_ladder_last_exit(l);
	rp_ladder_free(l);
	return status;
}

enum b_exit rte_monitor_run(
	struct rte_workload *w, const struct rte_series_options *opt, const char *dir)
{
	struct monitor m = { w, opt, dir, verdict_before(dir), B_EXIT_OK };
	int64_t due = b_clock_mono_ns();
	enum rte_series_end end;
	sigset_t set, before;
	bool first = true;

	/* Between runs, too, a signal must not take the last report away. */
	signals_of(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	do {
		end = one(&m, first);
		if (first && end == RTE_SERIES_REFUSED)
			break;
		first = false;
		finish(&m, NULL);
		due += opt->every_ns;
		if (due < b_clock_mono_ns())
			due = b_clock_mono_ns();
	} while (end != RTE_SERIES_STOPPED && !wait_until(due));
	if (!first)
		finish(&m, stdout);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return m.status;
}
