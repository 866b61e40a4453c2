/* Golden screens after all tests: those that no test asked for, those that were written twice. */
#define _DEFAULT_SOURCE /* alphasort */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "rte/golden.h"
#include "rte/test_run.h"
#include "base/banned.h"

/* Of the last attempt at a test: what it says of golden screens. */
static const json_t *list_of(const struct rte_test *t, const char *name)
{
	size_t n = json_array_size(t->attempts);

	return n ? json_object_get(json_array_get(t->attempts, n - 1), name) : NULL;
}

static void add(char ***list, size_t *n, const char *text)
{
	*list = b_reallocarray(*list, *n + 1, sizeof **list);
	(*list)[(*n)++] = b_strdup(text);
}

/* ---- Written ---------------------------------------------------------------------------------- */

static void count_written(const struct rte_test_plan *p, struct rte_test_summary *s)
{
	json_t *sums = json_object();

	for (size_t i = 0; i < p->n_tests; i++) {
		const json_t *g;
		size_t k;

		json_array_foreach(list_of(&p->tests[i], "goldens"), k, g)
		{
			const char *is = rte_test_text(g, "is"), *path = rte_test_text(g, "path");
			json_t *sum = json_object_get(g, "sum"), *other;

			s->written += !strcmp(is, "written");
			s->updated += !strcmp(is, "updated");
			if (!sum)
				continue;
			other = json_object_get(sums, path);
			if (other && !json_equal(sum, other))
				add(&s->conflicts, &s->n_conflicts, path);
			json_object_set(sums, path, sum);
		}
	}
	json_decref(sums);
}

/* ---- Unused ----------------------------------------------------------------------------------- */

/* NAME.txt, or NAME.TERM.COLSxROWS.txt and the like. */
static bool belongs(const char *file, const char *name)
{
	size_t len = strlen(name), n = strlen(file);

	return n >= len + 4 && !strncmp(file, name, len) && file[len] == '.' &&
		!strcmp(file + n - 4, ".txt");
}

static bool asked_for(
	const struct rte_test_plan *p, const struct rte_test_scope *scope, const char *file)
{
	for (size_t i = 0; i < p->n_tests; i++) {
		const json_t *name;
		size_t k;

		if (p->tests[i].scope != scope)
			continue;
		json_array_foreach(list_of(&p->tests[i], "asked"), k, name)
		{
			if (belongs(file, json_string_value(name)))
				return true;
		}
	}
	return false;
}

/* Only a script whose tests all went to their end has asked for all that it asks for. */
static bool complete(const struct rte_test_plan *p, const struct rte_test_scope *scope)
{
	if (!scope->script || !scope->n_tests || scope->n_chosen != scope->n_tests)
		return false;
	for (size_t i = 0; i < p->n_tests; i++) {
		const struct rte_test *t = &p->tests[i];

		if (t->scope == scope && t->outcome != RTE_TEST_PASSED &&
			t->outcome != RTE_TEST_FLAKY)
			return false;
	}
	return true;
}

static void look_for_unused(const struct rte_test_plan *p, const struct rte_goldens *g,
	const struct rte_test_scope *scope, struct rte_test_summary *s)
{
	struct b_buf folder = B_BUF_INIT, path = B_BUF_INIT;
	struct dirent **names;
	int n;

	rte_golden_folder(g, scope->path, &folder);
	n = scandir(b_buf_cstr(&folder), &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *file = names[i]->d_name;
		size_t len = strlen(file);

		if (*file != '.' && len > 4 && !strcmp(file + len - 4, ".txt") &&
			!asked_for(p, scope, file)) {
			b_buf_clear(&path);
			b_buf_printf(&path, "%s/%s", b_buf_cstr(&folder), file);
			add(&s->unused, &s->n_unused, b_buf_cstr(&path));
			if (p->opt->update)
				unlink(b_buf_cstr(&path));
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	if (n >= 0 && p->opt->update)
		rmdir(b_buf_cstr(&folder)); /* when it is empty */
	b_buf_release(&folder);
	b_buf_release(&path);
}

void rte_test_goldens_sum_up(const struct rte_test_plan *p, struct rte_test_summary *s)
{
	struct rte_goldens *g = rte_goldens_new(p->opt->goldens);

	count_written(p, s);
	/* On another terminal than the scripts' own, other golden screens may count. */
	for (size_t i = 0; i < p->n_scopes && !p->opt->w.term && !p->opt->w.rows; i++)
		if (complete(p, p->scopes[i]))
			look_for_unused(p, g, p->scopes[i], s);
	rte_goldens_free(g);
}
