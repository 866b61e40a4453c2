#include "rte/play_test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/parse.h"
#include "rte/test_around.h"
#include "rte/test_find.h"
#include "rte/test_plan.h"
#include "base/banned.h"

struct rte_play_test {
	struct rte_test_options opt;
	struct rte_test_plan plan;
	bool planned, before;
	char *dir;
};

bool rte_play_test_is(const char *arg)
{
	const char *colon = strrchr(arg, ':');
	char *file;
	int64_t line;
	struct stat st;
	bool is;

	if (!colon || !stat(arg, &st) || b_parse_int(colon + 1, 1, INT32_MAX, &line))
		return false;
	file = b_strndup(arg, (size_t)(colon - arg));
	is = !stat(file, &st);
	free(file);
	return is;
}

/* The plan reads the options of w; it owns nothing of them. */
static int make_plan(
	struct rte_play_test *t, const char *arg, const struct rte_workload *w, struct b_error *err)
{
	struct rte_finds finds;
	char *path = (char *)arg;
	int rc = rte_test_find(&finds, &path, 1, err);

	if (rc)
		return rc;
	t->opt.w = *w;
	t->opt.timeout_ns = RTE_TEST_UNSET;
	rc = rte_test_plan_make(&t->plan, &t->opt, &finds, err);
	rte_test_find_release(&finds);
	t->planned = !rc;
	if (!rc && t->plan.bad)
		rc = b_error_set(err, B_EINPUT, "%s", t->plan.scopes[t->plan.n_scopes - 1]->error);
	return rc;
}

static void script_set(
	const struct rte_play_test *t, const struct rte_test *test, struct rte_workload *w)
{
	struct rte_workload_script *s;

	w->scripts = b_calloc(1, sizeof *w->scripts);
	w->n_scripts = 1;
	s = &w->scripts[0];
	s->path = b_strdup(test->file);
	s->weight = 1;
	s->test = test->index;
	s->row = test->row;
	s->function = test->function ? b_strdup(test->function) : NULL;
	if (test->n_rows)
		w->users = (int64_t)test->n_rows;
	for (size_t i = 0; i < w->n_targets; i++) {
		char *text = rte_test_dir_text(w->targets[i], t->dir, test->scope->folder);

		free(w->targets[i]);
		w->targets[i] = text;
	}
}

static int begin(
	struct rte_play_test *t, const char *arg, struct rte_workload *w, struct b_error *err)
{
	struct rte_test *test;
	int rc = make_plan(t, arg, w, err);

	if (rc)
		return rc;
	test = &t->plan.tests[0];
	rc = rte_test_dir_make(test->name, &t->dir, err);
	if (rc)
		return rc;
	rte_test_scope_up(&t->plan, test->scope);
	if (test->scope->state == RTE_SCOPE_FAILED)
		return b_error_set(err, B_ECHECK, "%s", test->scope->error);
	t->before = true;
	rc = rte_test_before(test, t->dir, RTE_TEST_TIMEOUT_DEFAULT_NS, err);
	if (!rc)
		script_set(t, test, w);
	return rc;
}

int rte_play_test_begin(struct rte_play_test **out, const char *arg, struct rte_workload *w,
	const char **dir, int64_t *user, struct b_error *err)
{
	struct rte_play_test *t = b_calloc(1, sizeof *t);
	int rc = begin(t, arg, w, err);

	if (rc) {
		(void)!rte_play_test_end(t, NULL);
		return rc;
	}
	*out = t;
	*dir = t->dir;
	*user = (int64_t)t->plan.tests[0].row + 1;
	return B_OK;
}

int rte_play_test_end(struct rte_play_test *t, struct b_error *err)
{
	int rc = B_OK;

	if (!t)
		return rc;
	if (t->before)
		rc = rte_test_after(&t->plan.tests[0], t->dir, RTE_TEST_TIMEOUT_DEFAULT_NS, err);
	for (struct rte_test_scope *s = t->planned ? t->plan.tests[0].scope : NULL; s;
		s = s->parent)
		rte_test_scope_down(&t->plan, s);
	rte_test_dir_remove(t->dir);
	if (t->planned)
		rte_test_plan_release(&t->plan);
	free(t);
	return rc;
}
