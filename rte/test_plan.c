#include "rte/test_plan.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/random.h"
#include "rte/datafile.h"
#include "rte/roles.h"
#include "rte/setup.h"
#include "base/banned.h"

struct planner {
	struct rte_test_plan *plan;
	regex_t grep, grep_invert;
	bool has_grep, has_invert;
};

const char *rte_test_text(const json_t *o, const char *name)
{
	const char *text = json_string_value(json_object_get(o, name));

	return text ? text : "";
}

json_t *rte_test_escaped(const char *s, size_t len)
{
	struct b_buf b = B_BUF_INIT;
	json_t *v;

	b_escape_text(&b, s, len);
	v = json_string(b_buf_cstr(&b));
	b_buf_release(&b);
	return v;
}

/* ---- Scopes -------------------------------------------------------------------------------- */

static struct rte_test_scope *scope_known(const struct rte_test_plan *p, const char *path)
{
	for (size_t i = 0; i < p->n_scopes; i++)
		if (!strcmp(p->scopes[i]->path, path))
			return p->scopes[i];
	return NULL;
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return b_strdup(".");
	return b_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static struct rte_test_scope *scope_new(struct rte_test_plan *p, const char *path)
{
	struct rte_test_scope *s = b_calloc(1, sizeof *s);

	s->path = b_strdup(path);
	s->folder = folder_of(path);
	p->scopes = b_reallocarray(p->scopes, p->n_scopes + 1, sizeof *p->scopes);
	p->scopes[p->n_scopes++] = s;
	return s;
}

/* The suites of a folder and of those above it, up to root or, for a path from here, to here. */
static struct rte_test_scope *suites_of(
	struct rte_test_plan *p, const char *folder, const char *root)
{
	struct rte_test_scope *above = NULL, *s;
	struct b_buf path = B_BUF_INIT;
	bool top = !strcmp(folder, ".") || !strcmp(folder, "/") ||
		(*folder == '/' && !strcmp(folder, root));
	const char *slash = strrchr(folder, '/');
	struct b_error err = { 0 };
	char *up;

	if (!top && strcmp(slash ? slash + 1 : folder, "..") != 0) {
		up = folder_of(folder);
		above = suites_of(p, up, root);
		free(up);
	}
	if (strcmp(folder, ".") != 0)
		b_buf_printf(&path, "%s/", folder);
	b_buf_adds(&path, RTE_SUITE_FILE);
	s = scope_known(p, b_buf_cstr(&path));
	if (!s && !access(b_buf_cstr(&path), F_OK)) {
		s = scope_new(p, b_buf_cstr(&path));
		s->parent = above;
		if (rte_suite_load(p->lua, s->path, &s->script, &err)) {
			s->error = b_strdup(err.text);
			s->state = RTE_SCOPE_FAILED;
			p->bad = true;
		}
	}
	b_buf_release(&path);
	return s ? s : above;
}

/* ---- Tests --------------------------------------------------------------------------------- */

static bool matches(const struct planner *pl, const struct rte_test *t)
{
	struct b_buf text = B_BUF_INIT;
	bool is;

	b_buf_printf(&text, "%s %s", t->file, t->name);
	for (size_t i = 0; i < t->n_tags; i++)
		b_buf_printf(&text, " @%s", t->tags[i]);
	is = (!pl->has_grep || !regexec(&pl->grep, b_buf_cstr(&text), 0, NULL, 0)) &&
		(!pl->has_invert || regexec(&pl->grep_invert, b_buf_cstr(&text), 0, NULL, 0) != 0);
	b_buf_release(&text);
	return is;
}

static void add_tags(struct rte_test *t, const struct rte_test_marks *m)
{
	t->tags = b_reallocarray(t->tags, t->n_tags + m->n_tags, sizeof(char *));
	for (size_t i = 0; i < m->n_tags; i++)
		t->tags[t->n_tags++] = m->tags[i];
}

/* What is said nearer to the test stands. */
static void add_marks(struct rte_test *t, const struct rte_test_marks *m)
{
	add_tags(t, m);
	if (m->skip)
		t->skip = m->skip;
	if (m->fails)
		t->fails = m->fails;
	if (m->timeout_ns != RTE_TEST_UNSET)
		t->timeout_ns = m->timeout_ns;
	if (m->retries != RTE_TEST_UNSET)
		t->retries = m->retries;
}

static void add_scope_marks(struct rte_test *t, const struct rte_test_scope *s)
{
	if (s->parent)
		add_scope_marks(t, s->parent);
	if (s->script)
		add_marks(t, rte_script_marks(s->script));
}

static void test_free(struct rte_test *t)
{
	free(t->name);
	free((void *)t->tags);
	json_decref(t->attempts);
}

/* Named twice, as FILE:LINE can be. */
static bool planned(const struct rte_test_plan *p, const struct rte_test *t)
{
	for (size_t i = 0; i < p->n_tests; i++) {
		const struct rte_test *it = &p->tests[i];

		if (it->scope == t->scope && it->index == t->index && it->row == t->row &&
			it->function == t->function)
			return true;
	}
	return false;
}

/* Whether another row of the same test has this name already. */
static bool name_taken(const struct rte_test_plan *p, const struct rte_test *t, const char *name)
{
	for (size_t i = p->n_tests; i-- > 0 && p->tests[i].scope == t->scope;)
		if (p->tests[i].index == t->index && !strcmp(p->tests[i].name, name))
			return true;
	return false;
}

/* Takes the test into the plan, or leaves it out. */
static void add_test(struct planner *pl, struct rte_test *t)
{
	struct rte_test_plan *p = pl->plan;

	t->scope->n_tests++;
	if (!matches(pl, t)) {
		test_free(t);
		return;
	}
	if (planned(p, t)) {
		t->scope->n_tests--;
		test_free(t);
		return;
	}
	t->attempts = json_array();
	t->scope->n_chosen++;
	for (struct rte_test_scope *s = t->scope; s; s = s->parent)
		s->n_left++;
	p->tests = b_reallocarray(p->tests, p->n_tests + 1, sizeof *p->tests);
	p->tests[p->n_tests++] = *t;
}

/* A name may come from a file of data, and goes to terminals, logs and build servers. */
static char *harmless(struct b_buf *name)
{
	struct b_buf text = B_BUF_INIT;

	b_escape_text(&text, b_buf_cstr(name), name->len);
	b_buf_release(name);
	return b_buf_take(&text, NULL);
}

/* One test, or one for each row. name is it without its row. */
static void add_rows(struct planner *pl, const struct rte_test *like, const char *name,
	const struct rte_test_marks *own, const struct rte_table *rows)
{
	size_t n = rows ? rte_table_rows(rows) : 1;

	for (size_t row = 0; row < n; row++) {
		struct b_buf full = B_BUF_INIT;
		struct rte_test t = *like;

		if (rows)
			rte_test_row_name(name, rows, row, &full);
		else
			b_buf_adds(&full, name);
		t.name = harmless(&full);
		if (rows && name_taken(pl->plan, like, t.name)) {
			b_buf_printf(&full, "%s [row %zu]", t.name, row + 1);
			free(t.name);
			t.name = b_buf_take(&full, NULL);
		}
		t.row = row;
		t.n_rows = rows ? n : 0;
		add_scope_marks(&t, t.scope);
		if (own)
			add_marks(&t, own);
		add_test(pl, &t);
	}
}

/* A line that was asked for, and the test that stands nearest to it. */
struct sought {
	int line; /* 0: all are meant */
	bool found;
	const char *nearest; /* NULL: none stands in this file */
	int nearest_line, away;
};

static bool is_sought(struct sought *s, const char *name, int first, int last)
{
	int away = s->line < first ? first - s->line : s->line > last ? s->line - last : 0;

	if (!s->line || (first && !away)) {
		s->found = true;
		return true;
	}
	if (first && (!s->nearest || away < s->away)) {
		s->nearest = name;
		s->nearest_line = first;
		s->away = away;
	}
	return false;
}

static int n_lines(const char *path)
{
	FILE *f = fopen(path, "re");
	int n = 1, c;

	while (f && (c = getc(f)) != EOF)
		n += c == '\n';
	if (f)
		fclose(f);
	return n;
}

/* The tests of a script: all, or those on the line that is sought. */
static void add_script(struct planner *pl, struct rte_test_scope *s, struct sought *sought)
{
	const struct rte_script_info *info = rte_script_info(s->script);
	const struct rte_test_marks *marks = rte_script_marks(s->script);
	struct rte_test like = {
		.scope = s,
		.file = s->path,
		.timeout_ns = RTE_TEST_UNSET,
		.retries = pl->plan->opt->retries,
	};
	const struct rte_test_case *cases;
	size_t n;

	cases = rte_script_tests(s->script, &n);
	for (size_t i = 0; i < n; i++) {
		if (!is_sought(sought, cases[i].name, cases[i].line, cases[i].last_line)) {
			s->n_tests++;
			continue;
		}
		like.index = i + 1;
		like.line = cases[i].line;
		like.last_line = cases[i].last_line;
		add_rows(pl, &like, cases[i].name, &cases[i].marks,
			cases[i].marks.rows ? cases[i].marks.rows : marks->rows);
	}
	like.line = 1;
	for (size_t i = 0; i < info->n_mix && !n; i++) {
		const struct rte_script_lines *at = &info->mix_lines[i];

		if (!is_sought(sought, info->mix[i].name, at->first, at->last)) {
			s->n_tests++;
			continue;
		}
		like.function = info->mix[i].name;
		add_rows(pl, &like, info->mix[i].name, NULL, marks->rows);
	}
	if (!n && !info->n_mix && is_sought(sought, info->name, 1, n_lines(s->path)))
		add_rows(pl, &like, info->name, NULL, marks->rows);
}

static int not_found(const char *path, const struct sought *s, struct b_error *err)
{
	if (!s->nearest)
		return b_error_set(err, B_EUSAGE, "%s has no test on line %d", path, s->line);
	return b_error_set(err, B_EUSAGE, "%s has no test on line %d; the nearest is '%s', %s:%d",
		path, s->line, s->nearest, path, s->nearest_line);
}

static void add_bad(struct planner *pl, struct rte_test_scope *s, const char *why)
{
	struct rte_test t = {
		.scope = s,
		.file = s->path,
		.name = b_strdup("(the script)"),
		.line = 1,
		.outcome = RTE_TEST_BAD,
	};

	s->error = b_strdup(why);
	s->state = RTE_SCOPE_FAILED;
	pl->plan->bad = true;
	add_test(pl, &t);
}

/* Whether its tests could run: target, TERM, keys, rates. */
static int check_role(struct rte_test_plan *p, const struct rte_test_scope *s, struct b_error *why)
{
	const struct rte_workload *from = &p->opt->w;
	struct rte_roles roles = { 0 };
	struct rte_workload w;
	size_t n;
	int rc;

	rte_workload_init(&w);
	rc = rte_workload_script_add(&w, s->path, why);
	for (size_t i = 0; i < from->n_targets; i++)
		rte_workload_string_add(&w.targets, &w.n_targets, from->targets[i]);
	for (size_t i = 0; i < from->n_sets && !rc; i++)
		rte_workload_string_add(&w.scripts[0].sets, &w.scripts[0].n_sets, from->sets[i]);
	w.term = from->term ? b_strdup(from->term) : NULL;
	rte_script_tests(s->script, &n);
	if (!rc) {
		w.scripts[0].test = n > 0;
		rc = rte_roles_load(&roles, &w, p->lua, why);
	}
	if (!rc)
		rte_roles_release(&roles);
	rte_workload_release(&w);
	return rc;
}

static int add_found(struct planner *pl, const struct rte_found *f, struct b_error *err)
{
	struct rte_test_plan *p = pl->plan;
	struct rte_test_scope *s = scope_known(p, f->path);
	struct b_error why = { 0 };
	const char **sets = (const char **)p->opt->w.sets;
	struct sought sought = { .line = f->line };
	int rc;

	if (!s) {
		s = scope_new(p, f->path);
		s->parent = suites_of(p, s->folder, f->root);
		rc = rte_script_load_set(
			p->lua, s->path, sets, p->opt->w.n_sets, NULL, &s->script, &why);
		if (!rc)
			rc = check_role(p, s, &why);
		if (rc)
			add_bad(pl, s, why.text);
	}
	if (s->error)
		return B_OK;
	add_script(pl, s, &sought);
	return sought.found ? B_OK : not_found(f->path, &sought, err);
}

/* ---- The whole ----------------------------------------------------------------------------- */

static int pattern(
	const char *text, const char *option, regex_t *re, bool *has, struct b_error *err)
{
	char why[200];
	int rc;

	if (!text)
		return B_OK;
	rc = regcomp(re, text, REG_EXTENDED | REG_NOSUB);
	if (rc) {
		regerror(rc, re, why, sizeof why);
		return b_error_set(
			err, B_EUSAGE, "--%s '%s' is no regular expression: %s", option, text, why);
	}
	*has = true;
	return B_OK;
}

/* All tests once more, and once more: each a test by itself, with its number behind its name. */
static void repeat(struct rte_test_plan *p)
{
	size_t once = p->n_tests;

	for (int64_t round = 2; round <= p->opt->repeat; round++) {
		p->tests = b_reallocarray(p->tests, p->n_tests + once, sizeof *p->tests);
		for (size_t i = 0; i < once; i++) {
			struct rte_test t = p->tests[i];
			struct b_buf name = B_BUF_INIT;

			if (t.outcome == RTE_TEST_BAD)
				continue;
			b_buf_printf(&name, "%s [run %lld]", t.name, (long long)round);
			t.name = b_buf_take(&name, NULL);
			t.tags = b_reallocarray(NULL, t.n_tags + 1, sizeof *t.tags);
			for (size_t k = 0; k < t.n_tags; k++)
				t.tags[k] = p->tests[i].tags[k];
			t.attempts = json_array();
			t.scope->n_tests++;
			t.scope->n_chosen++;
			for (struct rte_test_scope *s = t.scope; s; s = s->parent)
				s->n_left++;
			p->tests[p->n_tests++] = t;
		}
	}
}

static void shuffle(struct rte_test_plan *p)
{
	struct b_random r;

	b_random_init(&r, p->opt->shuffle_seed, 0, B_STREAM_MIX);
	for (size_t i = p->n_tests; i > 1; i--) {
		size_t j = (size_t)b_random_int(&r, 0, (int64_t)i - 1);
		struct rte_test t = p->tests[i - 1];

		p->tests[i - 1] = p->tests[j];
		p->tests[j] = t;
	}
	b_random_release(&r);
}

int rte_test_plan_make(struct rte_test_plan *p, struct rte_test_options *opt,
	const struct rte_finds *finds, struct b_error *err)
{
	struct rte_lua_options lua = {
		.host = &rte_setup_host,
		.allow_unsafe = opt->w.allow_unsafe,
		.n_users = 1,
		.dir = "{dir}", /* which is made for each test */
	};
	struct planner pl = { .plan = p };
	int rc;

	*p = (struct rte_test_plan){ .opt = opt, .data = rte_data_new() };
	lua.data = p->data;
	rc = pattern(opt->grep, "grep", &pl.grep, &pl.has_grep, err);
	if (!rc)
		rc = pattern(opt->grep_invert, "grep-invert", &pl.grep_invert, &pl.has_invert, err);
	if (!rc)
		rc = rte_lua_new(&p->lua, &lua, err);
	for (size_t i = 0; i < finds->n && !rc; i++)
		rc = add_found(&pl, &finds->list[i], err);
	if (pl.has_grep)
		regfree(&pl.grep);
	if (pl.has_invert)
		regfree(&pl.grep_invert);
	if (rc) {
		rte_test_plan_release(p);
		return rc;
	}
	repeat(p);
	if (opt->shuffle)
		shuffle(p);
	return B_OK;
}

void rte_test_plan_release(struct rte_test_plan *p)
{
	for (size_t i = 0; i < p->n_tests; i++)
		test_free(&p->tests[i]);
	free(p->tests);
	for (size_t i = 0; i < p->n_scopes; i++) {
		free(p->scopes[i]->path);
		free(p->scopes[i]->folder);
		free(p->scopes[i]->error);
		free(p->scopes[i]);
	}
	free(p->scopes);
	rte_lua_free(p->lua);
	rte_data_free(p->data);
	*p = (struct rte_test_plan){ 0 };
}
