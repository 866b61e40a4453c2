/* What `rte run` does with a run directory, or one of several runs, when it has ended. */
#include "base/buf.h"
#include "base/rundir.h"
#include "report/file.h"
#include "report/report.h"
#include "base/banned.h"

static const char *path_in(struct b_buf *b, const char *dir, const char *name)
{
	b_buf_clear(b);
	b_buf_printf(b, "%s/%s", dir, name);
	return b_buf_cstr(b);
}

int rp_run_finish(const char *dir, FILE *to, enum b_exit *status, struct b_error *err)
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
	rp_run_free(r);
	b_buf_release(&path);
	return rc;
}

int rp_ladder_finish(const char *dir, FILE *to, enum b_exit *status, struct b_error *err)
{
	struct b_buf path = B_BUF_INIT;
	struct rp_ladder *l;
	struct rp_file f;
	int rc = rp_ladder_load(&l, dir, NULL, err);

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
