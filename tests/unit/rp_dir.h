/* Run directories for the tests of report/: made in TMPDIR, gone after. */
#ifndef TESTS_UNIT_RP_DIR_H
#define TESTS_UNIT_RP_DIR_H

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rundir.h"
#include "report/report.h"
#include "report/run.h"

struct rp_dir {
	char path[256];
};

static inline void rp_dir_make(struct rp_dir *d)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(d->path, sizeof d->path, "%s/rp-test-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(d->path))
		abort();
}

static inline int rp_dir_remove_one(
	const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void rp_dir_remove(struct rp_dir *d)
{
	nftw(d->path, rp_dir_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* For cmocka: each test has a directory of its own, a struct rp_dir * in *state. */
static inline int rp_dir_setup(void **state)
{
	struct rp_dir *d = b_malloc(sizeof *d);

	rp_dir_make(d);
	*state = d;
	return 0;
}

static inline int rp_dir_teardown(void **state)
{
	rp_dir_remove(*state);
	free(*state);
	return 0;
}

static inline void rp_dir_sub(const struct rp_dir *d, const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", d->path, name);
	if (mkdir(path, 0777))
		abort();
}

static inline FILE *rp_dir_open(const struct rp_dir *d, const char *name)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", d->path, name);
	f = fopen(path, "w");
	if (!f)
		abort();
	return f;
}

static inline void rp_dir_write(const struct rp_dir *d, const char *name, const char *text)
{
	FILE *f = rp_dir_open(d, name);

	fputs(text, f);
	fclose(f);
}

#define RP_EPOCH 1796000000.0

/* A finished run whose measurement interval is seconds 10 to 70; extra goes into "config". */
static inline void rp_dir_json(
	const struct rp_dir *d, const char *name, int users, const char *extra)
{
	FILE *f = rp_dir_open(d, name);

	fprintf(f,
		"{\"format\":1,\"outcome\":\"finished\",\"started_s\":%.1f,\"host\":{\"cores\":2},"
		"\"config\":{\"users\":%d%s},\"phases\":["
		"{\"name\":\"warmup\",\"start_s\":%.1f,\"end_s\":%.1f},"
		"{\"name\":\"measure\",\"start_s\":%.1f,\"end_s\":%.1f}],"
		"\"driver\":{\"late_p50_s\":0.0001,\"late_p99_s\":0.002,\"late_max_s\":0.003,"
		"\"wake_late_p50_s\":0.0004,\"wake_late_p99_s\":0.0011,\"wake_late_max_s\":0.0042,"
		"\"log_queue_max_bytes\":2048,\"workers\":[{\"cpu_s\":7},{\"cpu_s\":14}]}}\n",
		RP_EPOCH, users, extra, RP_EPOCH, RP_EPOCH + 10, RP_EPOCH + 10, RP_EPOCH + 70);
	fclose(f);
}

struct rp_row {
	double start_s; /* since the start of the run */
	const char *name, *phase, *status, *detail;
	int counted;
	double response_s, keying_s, think_s; /* below 0: an empty field */
};

static inline FILE *rp_dir_rows(const struct rp_dir *d, const char *name)
{
	FILE *f = rp_dir_open(d, name);

	fputs(RUNDIR_TRANSACTIONS_COLUMNS "\n", f);
	return f;
}

static inline void rp_dir_seconds(FILE *f, double v)
{
	if (v >= 0)
		fprintf(f, "%.6f", v);
	fputc(',', f);
}

static inline void rp_dir_row(FILE *f, const struct rp_row *w)
{
	static int iteration;

	fprintf(f, "%.6f,1,1,%d,s,%s,%s,%d,%s,", RP_EPOCH + w->start_s, ++iteration,
		w->name ? w->name : "query", w->phase ? w->phase : "measure", w->counted,
		w->status ? w->status : "ok");
	rp_dir_seconds(f, w->response_s);
	rp_dir_seconds(f, w->response_s >= 0 ? w->response_s / 2 : -1);
	rp_dir_seconds(f, w->response_s);
	rp_dir_seconds(f, w->keying_s);
	rp_dir_seconds(f, w->think_s);
	fprintf(f, ",,,5,100,5,text,%s\n", w->detail ? w->detail : "");
}

static inline struct rp_run *rp_dir_load(const struct rp_dir *d, const struct rp_load_options *opt)
{
	struct b_error err = { 0 };
	struct rp_run *r = NULL;

	if (rp_run_load(&r, d->path, opt, &err))
		fail_msg("%s", err.text);
	return r;
}

/* A line of the validity sheet. */
static inline const struct rp_check *rp_dir_check(const struct rp_run *r, const char *name)
{
	for (size_t i = 0; i < r->n_checks; i++)
		if (!strcmp(r->checks[i].name, name))
			return &r->checks[i];
	fail_msg("the sheet has no line '%s'", name);
	return NULL;
}

#endif
