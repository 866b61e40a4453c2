/*
 * Any bytes as a run directory: it is refused, or every document can be written from it. Parts
 * stand behind each other, a NUL between: run.json, transactions.csv, sessions.csv, timeline.csv,
 * a screen, a threshold. The program reads files, so they go through a scratch folder.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rundir.h"
#include "report/report.h"
#include "report/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[64];

static const char *const parts[] = { RUNDIR_RUN_JSON, RUNDIR_TRANSACTIONS_CSV, RUNDIR_SESSIONS_CSV,
	RUNDIR_TIMELINE_CSV, RUNDIR_FAILURES_DIR "/x.ans" };

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static void clean(void)
{
	for (size_t i = 0; i < B_ARRAY_LEN(parts); i++)
		unlink(path_of(parts[i]));
	unlink(path_of("out.html"));
	rmdir(path_of(RUNDIR_FAILURES_DIR));
	rmdir(dir);
}

static void make_dir(void)
{
	snprintf(dir, sizeof dir, "/tmp/fuzz-report-XXXXXX");
	B_BUG_ON(!mkdtemp(dir));
	B_BUG_ON(mkdir(path_of(RUNDIR_FAILURES_DIR), 0777) != 0);
	atexit(clean);
}

static void write_all(const struct rp_run *r)
{
	struct b_error err = { 0 };
	FILE *to = fopen("/dev/null", "w");

	B_BUG_ON(rp_text_write(r, to) || rp_json_write(r, to) || rp_csv_write(r, to) ||
		rp_accounts_write(r, to));
	B_BUG_ON(rp_junit_write(r, "/dev/null", &err) != 0);
	B_BUG_ON(rp_html_write(r, path_of("out.html"), &err) != 0);
	if (r->groups)
		B_BUG_ON(rp_jtl_write(r, to, &err) != 0);
	if (r->rows.n && r->to_s - r->from_s < 1e6)
		B_BUG_ON(rp_hdr_write(r, to) != 0);
	(void)rp_run_exit(r);
	fclose(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rp_load_options opt = { .keep_rows = true };
	const uint8_t *end = data + size;
	struct b_error err = { 0 };
	const char *threshold;
	struct rp_run *r;
	char text[256];

	if (!*dir)
		make_dir();
	for (size_t i = 0; i < B_ARRAY_LEN(parts); i++) {
		const uint8_t *nul = data < end ? memchr(data, 0, (size_t)(end - data)) : NULL;
		size_t len = (size_t)((nul ? nul : end) - data);
		FILE *f;

		if (!len) {
			unlink(path_of(parts[i]));
		} else {
			f = fopen(path_of(parts[i]), "w");
			B_BUG_ON(!f || fwrite(data, 1, len, f) != len || fclose(f));
		}
		data = nul ? nul + 1 : end;
	}
	snprintf(text, sizeof text, "%.*s", (int)(end - data), (const char *)data);
	threshold = text;
	if (!rp_threshold_check(text, NULL)) {
		opt.thresholds = &threshold;
		opt.n_thresholds = 1;
	}
	if (rp_run_load(&r, dir, &opt, &err))
		return 0;
	write_all(r);
	rp_run_free(r);
	return 0;
}
