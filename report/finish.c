/* What `rte run` does with a run directory, or one of several runs, when it has ended. */
#include "base/buf.h"
#include "base/rundir.h"
#include "report/file.h"
#include "report/format.h"
#include "report/ladder.h"
#include "report/report.h"
#include "base/banned.h"

static const char *path_in(struct b_buf *b, const char *dir, const char *name)
{
	b_buf_clear(b);
	b_buf_printf(b, "%s/%s", dir, name);
	return b_buf_cstr(b);
}

static void brief_make(struct rp_brief *to, struct rp_run *r)
{
	const struct rp_stat *m = &r->all.measure[RP_RESPONSE];
	struct rp_step s = { .run = r };
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE];

	b_buf_printf(&to->figures, "%s ok, %s failed, %s/s", rp_format_count(a, r->all.n_ok),
		rp_format_count(b, r->all.n_failed), rp_format_number(c, r->all.rate_per_s));
	if (r->all.n_ok)
		b_buf_printf(&to->figures, ", mean %s, p90 %s, max %s", rp_format_s(a, m->mean_s),
			rp_format_s(b, m->p[RP_P90].s), rp_format_s(c, m->max_s));
	rp_step_note(&to->why, &s);
}

int rp_run_finish(
	const char *dir, FILE *to, enum b_exit *status, struct rp_brief *brief, struct b_error *err)
{
	struct b_buf path = B_BUF_INIT;
	struct rp_run *r;
	int rc = rp_run_load(&r, dir, NULL, err);

	if (rc)
		return rc;
	rc = rp_summary_json_write(r, path_in(&path, dir, RUNDIR_SUMMARY_JSON), err);
	if (!rc)
		rc = rp_html_write(r, path_in(&path, dir, RUNDIR_REPORT_HTML), err);
	/* Also where those have no room: what was measured is shown. */
	if (to && rp_text_write(r, to) && !rc)
		rc = b_error_set(err, B_ESYS, "cannot write the summary");
	if (!rc)
		*status = rp_run_exit(r);
	if (!rc && brief)
		brief_make(brief, r);
	rp_run_free(r);
	b_buf_release(&path);
	return rc;
}

int rp_ladder_finish(
	const char *dir, size_t newest, FILE *to, enum b_exit *status, struct b_error *err)
{
	struct rp_load_options opt = { .newest = newest };
	struct b_buf path = B_BUF_INIT;
	struct rp_ladder *l;
	struct rp_file f;
	int rc = rp_ladder_load(&l, dir, &opt, err);

	if (rc)
		return rc;
	rc = rp_file_open(&f, path_in(&path, dir, RUNDIR_SUMMARY_JSON), err);
	if (!rc)
		rc = rp_file_close(&f, rp_ladder_json_write(l, f.to), err);
	if (!rc)
		rc = rp_ladder_html_write(l, path_in(&path, dir, RUNDIR_REPORT_HTML), err);
	if (!rc && to && rp_ladder_text_write(l, to))
		rc = b_error_set(err, B_ESYS, "cannot write the summary");
	if (!rc)
		*status = rp_ladder_exit(l);
	rp_ladder_free(l);
	b_buf_release(&path);
	return rc;
}
