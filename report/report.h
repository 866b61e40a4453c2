/*
 * report/report.h - what is read back from run directories: figures, verdicts, documents.
 *
 * Needs nothing but the files that a run left (base/rundir.h, doc/rte-rundir.5) and may be used
 * while the run still goes on, or after it was killed: what is missing in run.json is taken from
 * the logs, a last line that was cut off is left out.
 *
 * Order of calls: rp_run_load reads all, computes all and judges all; the writers only print
 * what was found; rp_run_exit says with which status the program ends; rp_run_free. A directory
 * with one run a step (`rte run --ladder`, `--repeat`, `--every`) is read with rp_ladder_load
 * instead; rp_is_ladder tells them apart. rp_compare_load takes either kind, any number of them.
 *
 * Figures are exact: computed from every row of transactions.csv, in microseconds, never from
 * averages of averages. Only rows that are counted and ok enter the response times; failures
 * are counted apart.
 *
 * Threads: each object belongs to one thread at a time; no global state. Nothing here writes to
 * standard output or standard error by itself.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"

/* ---- One run ----------------------------------------------------------------------------- */

struct rp_run;

struct rp_load_options {
	/* Another measurement interval (--from, --to): seconds from the start of the run, or since
	   the epoch when above 1e8. Rows wholly inside count, whatever their `counted` says. */
	bool from_set, to_set;
	double from_s, to_s;
	/* Thresholds judged besides those in run.json: "NAME:p90<2s". Copied. */
	const char *const *thresholds;
	size_t n_thresholds;
	const char *rules; /* "tpc-c", "tpc-a"; NULL: what run.json says */
	bool strict;       /* an INVALID run gives exit status 1; or-ed with run.json's */
	/* Of a directory of runs, only so many that are newest by name; 0: all. */
	size_t newest;
	/* Keep the rows in memory after the figures are made: rp_hdr_write needs them. */
	bool keep_rows;
};

/*
 * Reads the run in dir. opt may be NULL: all as the run itself says.
 * B_ENOTFOUND: dir is no run directory (neither run.json nor transactions.csv); B_EINPUT: a file
 * is damaged in more than its last line, or a threshold or the rules make no sense; B_ESYS.
 * The run is the caller's, to be given back with rp_run_free.
 */
int rp_run_load(struct rp_run **out, const char *dir, const struct rp_load_options *opt,
	struct b_error *err) B_CHECK;
void rp_run_free(struct rp_run *r); /* NULL accepted */

/*
 * The exit status that the run deserves: 4 when the driver could not keep up (lateness p99 over
 * lateness_bad_s), else 1 when nothing was measured, a threshold was missed or a check failed,
 * or when the run is INVALID and strict; else 0.
 */
enum b_exit rp_run_exit(const struct rp_run *r);

/* "ok", "failed" (1), "invalid" (4) or "error" (3, 2): what a monitor tells of a run. */
const char *rp_verdict_word(enum b_exit status);

/* The summary for people, as wide as the terminal, else COLUMNS or 80 columns; colours only when
   `to` is a terminal and NO_COLOR is not set. B_ESYS when writing fails. */
int rp_text_write(const struct rp_run *r, FILE *to) B_CHECK;

/* summary.json: schema in rte-report(1), "format" is its version. */
int rp_json_write(const struct rp_run *r, FILE *to) B_CHECK;

/* As rp_json_write, into a file that appears whole or not at all. */
int rp_summary_json_write(const struct rp_run *r, const char *path, struct b_error *err) B_CHECK;

/* The self-contained HTML report, into a file that appears whole or not at all. */
int rp_html_write(const struct rp_run *r, const char *path, struct b_error *err) B_CHECK;

/* A line of figures a transaction, header first; column names carry their units. */
int rp_csv_write(const struct rp_run *r, FILE *to) B_CHECK;

/* A line a user: sessions, iterations, and where the time went, as the columns of sessions.csv. */
int rp_accounts_write(const struct rp_run *r, FILE *to) B_CHECK;

/* Every row of the interval in JMeter's CSV form. Reads transactions.csv again. */
int rp_jtl_write(const struct rp_run *r, FILE *to, struct b_error *err) B_CHECK;

/* HdrHistogram log V1.3, a tag a transaction, values in nanoseconds. Needs keep_rows. */
int rp_hdr_write(const struct rp_run *r, FILE *to) B_CHECK;

/* JUnit XML: a test case a threshold and a line of the validity sheet. */
int rp_junit_write(const struct rp_run *r, const char *path, struct b_error *err) B_CHECK;

/*
 * What `rte run` does when a run has ended: loads dir, writes summary.json and report.html into
 * it, prints the text summary to `to` (NULL: none), and sets *status to rp_run_exit. brief (NULL: not
 * asked for): the run in two clauses, each the caller's to release.
 */
struct rp_brief {
	struct b_buf figures; /* "69 ok, 0 failed, 3.83/s, mean 7.09ms, p90 15.3ms, max 39.4ms" */
	struct b_buf why;     /* what is wrong with it; empty when all is well */
};
int rp_run_finish(const char *dir, FILE *to, enum b_exit *status, struct rp_brief *brief,
	struct b_error *err) B_CHECK;

/* Whether text is a threshold, "NAME:FIGURE OP VALUE[,FIGURE OP VALUE...]", so that a run can
   refuse a bad one before it starts. B_EUSAGE with a message that shows the form. */
int rp_threshold_check(const char *text, struct b_error *err) B_CHECK;

/* ---- A directory of runs: ladder, repeats, sessions of a monitor ---------------------------- */

struct rp_ladder;

/* Whether dir has no run of its own, but folders in it have. */
bool rp_is_ladder(const char *dir);

/* Reads every run under dir; steps in the order of users, then of start. A step that cannot be
   read is kept as failed, with its message. Errors and ownership as rp_run_load. */
int rp_ladder_load(struct rp_ladder **out, const char *dir, const struct rp_load_options *opt,
	struct b_error *err) B_CHECK;
void rp_ladder_free(struct rp_ladder *l);
enum b_exit rp_ladder_exit(const struct rp_ladder *l); /* the worst of the steps: 4, 1, 0 */
/* That of the last step which nobody stopped; 0 when there is none. */
enum b_exit rp_ladder_last_exit(const struct rp_ladder *l);
int rp_ladder_text_write(const struct rp_ladder *l, FILE *to) B_CHECK;
int rp_ladder_json_write(const struct rp_ladder *l, FILE *to) B_CHECK;
int rp_ladder_csv_write(const struct rp_ladder *l, FILE *to) B_CHECK;
int rp_ladder_html_write(const struct rp_ladder *l, const char *path, struct b_error *err) B_CHECK;
/* As rp_run_finish, for the directory above the steps; newest as in rp_load_options. */
int rp_ladder_finish(
	const char *dir, size_t newest, FILE *to, enum b_exit *status, struct b_error *err) B_CHECK;

/* ---- Runs or ladders side by side --------------------------------------------------------- */

struct rp_compare;

/* The first directory is what the others are compared with. n >= 2. B_EUSAGE when runs and
   ladders are mixed; else as rp_run_load. */
int rp_compare_load(struct rp_compare **out, const char *const *dirs, size_t n,
	const struct rp_load_options *opt, struct b_error *err) B_CHECK;
void rp_compare_free(struct rp_compare *c);
int rp_compare_text_write(const struct rp_compare *c, FILE *to) B_CHECK;
int rp_compare_json_write(const struct rp_compare *c, FILE *to) B_CHECK;
int rp_compare_html_write(
	const struct rp_compare *c, const char *path, struct b_error *err) B_CHECK;

#endif
