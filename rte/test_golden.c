/*
 * Golden screens in tests: compared, or written. A screen that is to be written must have stood
 * still for longer than one that is compared, since nothing says whether it is complete.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "rte/golden.h"
#include "rte/test_record.h"
#include "base/banned.h"

#define WRITE_STILL_NS (500 * B_NS_PER_MS)

static void add(struct rte_record *r, const char *name, const char *path, const char *is,
	const struct rte_golden_screen *s)
{
	json_t *o = json_object();

	json_object_set_new(o, "name", rte_test_escaped(name, strlen(name)));
	json_object_set_new(o, "path", rte_test_escaped(path, strlen(path)));
	json_object_set_new(o, "is", json_string(is));
	/* What was written, so that two tests that write different screens are found out. */
	if (s) {
		struct b_buf b = B_BUF_INIT;
		uint64_t h = 14695981039346656037u;

		vs_snapshot_write(s->screen, &s->opt, &b);
		for (size_t i = 0; i < b.len; i++)
			h = (h ^ (unsigned char)b.data[i]) * 1099511628211u;
		json_object_set_new(o, "sum", json_integer((json_int_t)(h >> 1)));
		b_buf_release(&b);
	}
	json_array_append_new(r->goldens, o);
}

static bool still(const struct rte_user *u, bool final)
{
	int64_t since = u->change_ns > u->input_ns ? u->change_ns : u->input_ns;

	return final || b_clock_mono_ns() >= since + WRITE_STILL_NS;
}

static int write_it(struct rte_record *r, const struct rte_golden_screen *s, const char *is,
	struct b_error *err)
{
	const struct rte_script_info *info = rte_script_info(r->solo->roles.scripts[0]);
	bool other_term = strcmp(s->term, info->term) != 0;
	bool other_size =
		vs_screen_rows(s->screen) != info->rows || vs_screen_cols(s->screen) != info->cols;
	char *path = NULL;
	int rc = rte_golden_write(r->solo->shared.goldens, s, other_term, other_size, &path, err);

	if (rc)
		return rc;
	add(r, s->name, path, is, s);
	free(path);
	return B_OK;
}

/* The diff goes with the failure that comes of it, and into the artifacts. */
static int differs(struct rte_record *r, const struct rte_golden_screen *s,
	struct rte_golden_result *g, struct b_error *err)
{
	struct b_buf actual = B_BUF_INIT;
	struct rte_golden_record *it;

	add(r, s->name, g->path, "differs", NULL);
	b_error_set(err, B_ECHECK, "the screen is not as in golden screen '%s': %d line%s differ%s",
		s->name, g->n_rows, g->n_rows == 1 ? "" : "s", g->n_rows == 1 ? "s" : "");
	free(r->diff);
	r->diff = b_strdup(b_buf_cstr(&g->diff));
	vs_snapshot_write(s->screen, &s->opt, &actual);
	r->differing = b_reallocarray(r->differing, r->n_differing + 1, sizeof *r->differing);
	it = &r->differing[r->n_differing++];
	*it = (struct rte_golden_record){
		.name = b_strdup(s->name),
		.path = b_strdup(g->path),
		.actual = b_buf_take(&actual, NULL),
		.diff = b_strdup(r->diff),
	};
	return B_ECHECK;
}

static int missing(struct rte_record *r, const struct rte_golden_screen *s, const char *path,
	bool final, const struct rte_user *u, struct b_error *err)
{
	if (r->opt->ci && !r->opt->update) {
		add(r, s->name, path, "missing", NULL);
		return b_error_set(err, B_ECHECK,
			"golden screen '%s' is missing: there is no %s; write it with --update and "
			"commit it (a missing one is not written while CI is set)",
			s->name, path);
	}
	if (!still(u, final))
		return B_EAGAIN;
	return write_it(r, s, "written", err);
}

int rte_record_golden(void *record, struct rte_user *u, const struct rte_ask *ask, bool final,
	struct b_error *err)
{
	struct rte_record *r = record;
	struct rte_golden_screen s = {
		.script = r->test->file,
		.name = ask->bytes,
		.term = u->role->term,
		.screen = u->screen,
		.opt = { .attrs = ask->attrs, .cursor = ask->cursor },
	};
	struct rte_golden_result g = { 0 };
	struct vs_rect *masks = rte_golden_masks(u, ask, &s.opt.n_masks);
	int rc;

	s.opt.masks = masks;
	if (r->opt->soft)
		u->ask.soft = true;
	rc = rte_golden_compare(r->solo->shared.goldens, &s, &g, err);
	if (rc) {
		/* said already */
	} else if (g.is == RTE_GOLDEN_EQUAL) {
		add(r, s.name, g.path, "equal", NULL);
	} else if (g.is == RTE_GOLDEN_MISSING) {
		rc = missing(r, &s, g.path, final, u, err);
	} else if (r->opt->update) {
		rc = still(u, final) ? write_it(r, &s, "updated", err) : B_EAGAIN;
	} else {
		rc = final ? differs(r, &s, &g, err) : B_EAGAIN;
	}
	rte_golden_result_release(&g);
	free(masks);
	return rc;
}
