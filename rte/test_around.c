#define _XOPEN_SOURCE 700 /* nftw */
#include "rte/test_around.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "rte/setup.h"
#include "rte/test_command.h"
#include "base/banned.h"

#define SETUP_MAX_NS (600 * B_NS_PER_S) /* of a setup or teardown command */

/* ---- A test's own folder ------------------------------------------------------------------- */

/* A path with blanks would not survive a target's words. */
static bool is_plain(const char *path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "/._+,=@%-";

	return *path == '/' && strspn(path, plain) == strlen(path);
}

int rte_test_dir_make(const char *name, char **dir, struct b_error *err)
{
	const char *top = getenv("TMPDIR");
	struct b_buf path = B_BUF_INIT;
	char *made;

	b_buf_printf(&path, "%s/rte-test-XXXXXX", top && is_plain(top) ? top : "/tmp");
	made = b_buf_take(&path, NULL);
	if (!mkdtemp(made)) {
		b_error_set(err, B_EENV, "cannot create %s: %s", made, strerror(errno));
		free(made);
		return B_EENV;
	}
	setenv("RTE_TEST_DIR", made, 1);
	setenv("RTE_TEST_NAME", name, 1);
	*dir = made;
	return B_OK;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	remove(path);
	return 0;
}

void rte_test_dir_remove(char *dir)
{
	if (dir)
		nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(dir);
}

char *rte_test_dir_text(const char *text, const char *dir, const char *folder)
{
	struct b_buf out = B_BUF_INIT;

	while (*text) {
		if (!strncmp(text, "{dir}", 5)) {
			b_buf_adds(&out, dir);
			text += 5;
		} else if (!strncmp(text, "{folder}", 8)) {
			b_buf_adds(&out, folder);
			text += 8;
		} else {
			b_buf_addc(&out, *text++);
		}
	}
	return b_buf_take(&out, NULL);
}

/* ---- Commands around it ---------------------------------------------------------------------- */

static const struct rte_test_marks *own_marks(const struct rte_test *t)
{
	size_t n;
	const struct rte_test_case *cases = rte_script_tests(t->scope->script, &n);

	return t->index && t->index <= n ? &cases[t->index - 1].marks : NULL;
}

static int run_one(const char *what, const char *command, const struct rte_test_scope *s,
	const char *dir, int64_t timeout_ns, struct b_error *err)
{
	char *text;
	int rc;

	if (!command)
		return B_OK;
	text = rte_test_dir_text(command, dir, s->folder);
	rc = rte_test_command(what, text, timeout_ns, err);
	free(text);
	return rc;
}

static int scope_before(
	const struct rte_test_scope *s, const char *dir, int64_t timeout_ns, struct b_error *err)
{
	int rc = s->parent ? scope_before(s->parent, dir, timeout_ns, err) : B_OK;

	if (!rc && s->script)
		rc = run_one(
			"before", rte_script_marks(s->script)->before, s, dir, timeout_ns, err);
	return rc;
}

int rte_test_before(
	const struct rte_test *t, const char *dir, int64_t timeout_ns, struct b_error *err)
{
	const struct rte_test_marks *own = own_marks(t);
	int rc = scope_before(t->scope, dir, timeout_ns, err);

	if (!rc && own)
		rc = run_one("before", own->before, t->scope, dir, timeout_ns, err);
	return rc;
}

/* All of them, whatever the first says. */
int rte_test_after(
	const struct rte_test *t, const char *dir, int64_t timeout_ns, struct b_error *err)
{
	const struct rte_test_marks *own = own_marks(t);
	int rc = B_OK, one;

	if (own)
		rc = run_one("after", own->after, t->scope, dir, timeout_ns, err);
	for (const struct rte_test_scope *s = t->scope; s; s = s->parent) {
		if (!s->script)
			continue;
		one = run_one("after", rte_script_marks(s->script)->after, s, dir, timeout_ns,
			rc ? NULL : err);
		rc = rc ? rc : one;
	}
	return rc;
}

/* ---- Scopes --------------------------------------------------------------------------------- */

static const struct rte_test_marks *marks_of(const struct rte_test_scope *s)
{
	return rte_script_marks(s->script);
}

/* Sets up the scopes of a test from the outermost in. */
void rte_test_scope_up(const struct rte_test_plan *p, struct rte_test_scope *s)
{
	struct b_error err = { 0 };
	int rc;

	if (s->parent)
		rte_test_scope_up(p, s->parent);
	if (s->state != RTE_SCOPE_DOWN)
		return;
	if (s->parent && s->parent->state == RTE_SCOPE_FAILED) {
		s->state = RTE_SCOPE_FAILED;
		s->error = b_strdup(s->parent->error);
		return;
	}
	rc = run_one("setup", marks_of(s)->setup, s, ".", SETUP_MAX_NS, &err);
	if (!rc && rte_script_info(s->script)->has_setup)
		rc = rte_setup_run(p->lua, s->script, RTE_PART_SETUP, p->opt->w.seed, &err);
	s->state = rc ? RTE_SCOPE_FAILED : RTE_SCOPE_UP;
	if (rc) {
		b_error_prefix(&err, "%s", s->path);
		s->error = b_strdup(err.text);
	}
}

void rte_test_scope_down(const struct rte_test_plan *p, struct rte_test_scope *s)
{
	struct b_error err = { 0 };

	if (s->script && (s->state == RTE_SCOPE_UP || s->state == RTE_SCOPE_FAILED)) {
		if (s->state == RTE_SCOPE_UP && rte_script_info(s->script)->has_teardown &&
			rte_setup_run(p->lua, s->script, RTE_PART_TEARDOWN, p->opt->w.seed, &err))
			b_warn("%s: %s", s->path, err.text);
		err.code = 0;
		if (run_one("teardown", marks_of(s)->teardown, s, ".", SETUP_MAX_NS, &err))
			b_warn("%s: %s", s->path, err.text);
	}
	s->state = RTE_SCOPE_OVER;
}
