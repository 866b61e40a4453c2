#include "rte/test_child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "rte/datafile.h"
#include "rte/test_around.h"
#include "rte/test_artifacts.h"
#include "rte/test_record.h"
#include "base/banned.h"

struct child {
	const struct rte_test_plan *plan;
	const struct rte_test *test;
	int number;
	char *dir;
	struct rte_workload w;
	struct rte_solo_options solo_opt;
	struct rte_observer observer;
	struct rte_solo solo;
	struct rte_record record;
	int64_t begin_ns;
	bool open; /* the solo is */
	bool ran;  /* the iteration was done */
};

/* ---- The session ------------------------------------------------------------------------------ */

static int64_t time_limit(const struct child *c)
{
	if (c->test->timeout_ns != RTE_TEST_UNSET)
		return c->test->timeout_ns;
	return c->plan->opt->timeout_ns != RTE_TEST_UNSET ? c->plan->opt->timeout_ns
							  : RTE_TEST_TIMEOUT_DEFAULT_NS;
}

/* The options' workload with this test as its only script. */
static int workload_make(struct child *c, struct b_error *err)
{
	const struct rte_workload *from = &c->plan->opt->w;
	struct rte_workload *w = &c->w;
	const struct rte_test *t = c->test;
	const struct rte_script_info *info = rte_script_info(t->scope->script);
	int rc;

	rte_workload_init(w);
	rc = rte_workload_script_add(w, t->file, err);
	if (rc)
		return rc;
	w->scripts[0].test = t->index;
	w->scripts[0].row = t->row;
	w->scripts[0].function = t->function ? b_strdup(t->function) : NULL;
	w->iterations = 1;
	w->users = t->n_rows ? (int64_t)t->n_rows : 1;
	w->on_error = RTE_ON_ERROR_STOP;
	w->connect_retries = from->connect_retries;
	w->connect_timeout_ns = from->connect_timeout_ns;
	w->allow_unsafe = from->allow_unsafe;
	w->seed = from->seed;
	w->seed_set = true;
	w->term = from->term ? b_strdup(from->term) : NULL;
	w->rows = from->rows;
	w->cols = from->cols;
	b_dist_copy(&w->typing, &from->typing);
	b_dist_copy(&w->think, &from->think);
	w->timeout_ns = from->timeout_ns;
	if (w->timeout_ns == RTE_UNSET && !info->timeout)
		w->timeout_ns = RTE_TEST_WAIT_DEFAULT_NS;
	w->settle_ns = from->settle_ns;
	for (size_t i = 0; i < from->n_sets; i++)
		rte_workload_string_add(&w->sets, &w->n_sets, from->sets[i]);
	for (size_t i = 0; i < from->n_targets; i++) {
		char *text = rte_test_dir_text(from->targets[i], c->dir, t->scope->folder);

		rte_workload_string_add(&w->targets, &w->n_targets, text);
		free(text);
	}
	return rte_workload_check(w, err);
}

static void out_of_time(struct rte_timer *t, int64_t now)
{
	struct rte_record *r =
		(struct rte_record *)((char *)t - offsetof(struct rte_record, limit));
	struct rte_user *u = rte_solo_user(r->solo);
	struct b_buf text = B_BUF_INIT;

	b_buf_adds(&text, "the test took longer than ");
	b_format_duration(&text, r->limit_ns);
	rte_record_fail(r, u, "time", b_buf_cstr(&text), u->ask.file, u->ask.line);
	b_buf_release(&text);
	rte_user_kill(u, "out of time", now);
}

static int session(struct child *c, struct b_error *err)
{
	int rc = workload_make(c, err);

	c->observer = rte_record_observer(&c->record);
	c->solo_opt = (struct rte_solo_options){
		.w = &c->w,
		.observer = &c->observer,
		.user = c->test->n_rows ? (int64_t)c->test->row + 1 : 1,
		.dir = c->dir,
		.goldens = c->plan->opt->goldens,
		.still_ns = c->plan->opt->still_ns,
		.screens = c->plan->opt->screens,
	};

	if (!rc) {
		c->open = true;
		rc = rte_solo_open(&c->solo, &c->solo_opt, err);
	}
	if (!rc)
		rc = rte_solo_begin(&c->solo, err);
	if (rc)
		return rc;
	c->record.limit_ns = time_limit(c);
	c->record.limit = (struct rte_timer)RTE_TIMER_INIT(out_of_time);
	if (c->record.limit_ns < INT64_MAX - c->begin_ns)
		rte_loop_timer_set(
			c->solo.worker->loop, &c->record.limit, c->begin_ns + c->record.limit_ns);
	rte_solo_run(&c->solo);
	rte_loop_timer_clear(c->solo.worker->loop, &c->record.limit);
	c->ran = rte_stat_get(&c->solo.worker->stats.iterations) > 0;
	if (c->solo.interrupted)
		rte_record_fail(&c->record, NULL, "interrupted", "it was interrupted", NULL, 0);
	rte_solo_end(&c->solo);
	return B_OK;
}

/* ---- The attempt ------------------------------------------------------------------------------- */

static void run(struct child *c)
{
	struct rte_record *r = &c->record;
	struct b_error err = { 0 };
	int64_t limit = time_limit(c);
	int rc = rte_test_dir_make(c->test->name, &c->dir, &err);

	if (rc) {
		rte_record_fail(r, NULL, "error", err.text, NULL, 0);
		return;
	}
	if (rte_test_before(c->test, c->dir, limit, &err)) {
		rte_record_fail(r, NULL, "before", err.text, c->test->file, c->test->line);
	} else {
		rc = session(c, &err);
		if (rc)
			rte_record_fail(
				r, NULL, rc == B_EENV ? "connect" : "error", err.text, NULL, 0);
		else if (!c->ran && !r->skipped && !json_array_size(r->failures))
			rte_record_fail(r, NULL, "error", "the test did not come to its end",
				c->test->file, c->test->line);
	}
	err.code = 0;
	if (rte_test_after(c->test, c->dir, limit, &err))
		rte_record_fail(r, NULL, "after", err.text, c->test->file, c->test->line);
}

static json_t *attempt_json(struct child *c)
{
	struct rte_record *r = &c->record;
	json_t *o = json_object();
	bool is_failed = json_array_size(r->failures) > 0;

	json_object_set_new(o, "status",
		json_string(is_failed        ? "failed"
				: r->skipped ? "skipped"
					     : "passed"));
	json_object_set_new(
		o, "seconds", json_real((double)(b_clock_mono_ns() - c->begin_ns) / 1e9));
	if (r->skipped)
		json_object_set_new(o, "reason", rte_test_escaped(r->skipped, strlen(r->skipped)));
	json_object_set(o, "failures", r->failures);
	json_object_set(o, "goldens", r->goldens);
	json_object_set(o, "asked", r->asked);
	json_object_set(o, "transactions", r->transactions);
	json_object_set(o, "log", r->log);
	return o;
}

/* What the engine says of itself belongs to the test that it says it in. */
static void take_log(enum b_log_level level, const char *line, void *user)
{
	struct rte_record *r = user;

	(void)level;
	json_array_append_new(r->log, rte_test_escaped(line, strlen(line)));
}

static void write_all(int fd, const char *s)
{
	size_t len = strlen(s);

	while (len) {
		ssize_t n = write(fd, s, len);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			s += n;
			len -= (size_t)n;
		}
	}
}

void rte_test_child(const struct rte_test_plan *p, const struct rte_test *t, int number, int fd)
{
	struct child c = { .plan = p, .test = t, .number = number, .begin_ns = b_clock_mono_ns() };
	json_t *attempt;
	char *text;

	rte_record_init(&c.record, t, p->opt, &c.solo);
	b_log_sink_set(take_log, &c.record);
	run(&c);
	attempt = attempt_json(&c);
	if (json_array_size(c.record.failures) && p->opt->artifacts && !t->fails && c.open)
		rte_test_artifacts_write(&c.record, attempt, number);
	text = json_dumps(attempt, JSON_COMPACT);
	write_all(fd, text ? text : "");
	free(text);
	json_decref(attempt);
	b_log_sink_set(NULL, NULL);
	if (c.open)
		rte_solo_close(&c.solo);
	rte_workload_release(&c.w);
	rte_record_release(&c.record);
	rte_test_dir_remove(c.dir);
}
