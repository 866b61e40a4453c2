/*
 * report/run.h - a run as it was read and judged (private to report/).
 *
 * Plain values, filled in this order by rp_run_load: run.json (load_json.c), the logs
 * (load_rows.c, load_logs.c), then what follows from them: figures.c, accounts.c,
 * thresholds.c, validity.c. After that nothing changes; the writers only read.
 *
 * Times are seconds as double, except in struct rp_rows, which holds a row of the log in 31
 * bytes so that five million fit into memory.
 */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "report/sar.h"
#include "report/stats.h"

/* ---- Words of the log ------------------------------------------------------------------- */

enum rp_status {
	RP_OK,
	RP_TIMEOUT,
	RP_CHECK,
	RP_DISCONNECT,
	RP_ERROR,
	RP_UNFINISHED,
	RP_ABORTED,
	RP_N_STATUS
};
extern const char *const rp_status_names[RP_N_STATUS];

enum rp_phase { RP_RAMPUP, RP_WARMUP, RP_MEASURE, RP_CONTINUE, RP_RAMPDOWN, RP_N_PHASE };
extern const char *const rp_phase_names[RP_N_PHASE];

enum rp_ended {
	RP_BY_TEXT,
	RP_BY_CURSOR,
	RP_BY_ATTR,
	RP_BY_GONE,
	RP_BY_QUIET,
	RP_BY_EOF,
	RP_BY_STREAM,
	RP_BY_STALE,
	RP_BY_UNSETTLED,
	RP_BY_NONE,
	RP_BY_TIMEOUT,
	RP_BY_OTHER,
	RP_N_ENDED
};
extern const char *const rp_ended_names[RP_N_ENDED];

/* ---- Rows of transactions.csv ------------------------------------------------------------ */

struct rp_rows {
	size_t n, cap;
	uint32_t *start_ms; /* of the last input, since the run's start */
	rp_time *response, *first, *keying, *think;
	rp_time *due_late, *echo; /* NULL when no row has any */
	uint16_t *group;
	uint16_t
		*stage; /* from 1: in which it lies wholly; 0: in none. NULL: there are no stages */
	uint8_t *bits;  /* status | phase << 3 | counted << 6 */
};

static inline enum rp_status rp_row_status(const struct rp_rows *w, size_t i)
{
	return (enum rp_status)(w->bits[i] & 7);
}

static inline bool rp_row_counted(const struct rp_rows *w, size_t i)
{
	return w->bits[i] >> 6 & 1;
}

/* ---- Figures of a transaction ------------------------------------------------------------ */

enum rp_measure { RP_RESPONSE, RP_FIRST, RP_KEYING, RP_THINK, RP_FROM_DUE, RP_N_MEASURE };
extern const char *const rp_measure_names[RP_N_MEASURE];

#define RP_N_BATCHES 20

struct rp_batch {
	uint64_t n;
	double mean_s, p90_s; /* of the response times that ended in it; NaN: none */
};

/* How many of its transactions had so many gaps between keys: index 0 is one key. */
#define RP_MAX_GAPS 256
struct rp_gaps {
	uint64_t *n; /* NULL: none counted */
	bool cut;    /* some had more */
};

struct rp_group {
	char *name;                       /* as logged; "*" for all together */
	size_t number;                    /* in the order of appearance */
	uint64_t n_status[RP_N_STATUS];   /* counted rows */
	uint64_t n_ok, n_failed;          /* n_failed: timeout, check, disconnect, error, aborted */
	uint64_t n_ended[RP_N_ENDED];     /* counted ok rows by what ended them */
	uint64_t n_no_output, n_no_input; /* counted ok rows without a response time, and why */
	uint64_t n_unfinished, n_aborted; /* began in the interval and never ended */
	uint64_t n_edge, n_edge_failed;   /* began in the interval, ended after it: not counted */
	uint64_t n_logged;                /* rows in all phases */
	struct rp_stat measure[RP_N_MEASURE];
	struct rp_histogram histogram[RP_N_MEASURE]; /* FIRST and FROM_DUE stay empty */
	struct rp_curve curve;                       /* percentiles of the response time */
	double think_ks, think_ks_p; /* distance of think times from what was asked; NaN */
	struct rp_gaps gaps;         /* of counted ok rows with a keying time */
	double keying_ks, keying_ks_p;
	bool keying_expected;        /* keying_bin: what the typing asked for would give */
	float keying_bin[RP_N_BINS]; /* as histogram[RP_KEYING].bin */
	double rate_per_s, share;
	double think_after_sum_s; /* what users thought behind it: in front of their next one */
	uint64_t n_think_after;
	double keys, keying_sum_s, n_gaps; /* rows with two keys or more: for the typing rate */
	struct rp_stat echo;               /* of each transaction's mean echo time */
	double echo_max_s;
	uint64_t bytes_in, bytes_out;
	struct rp_batch batch[RP_N_BATCHES];
};

/* ---- Other parts -------------------------------------------------------------------------- */

struct rp_phase_time {
	enum rp_phase phase;
	char *name;
	double start_s, end_s; /* since the run's start; end NaN while open */
};

/* What stands in run.json under "config"; unset: NULL, NaN or 0. */
struct rp_config {
	double users, timeout_s, settle_s, iterations;
	char *typing, *think, *pacing, *rules;
	bool strict;
	double late_warn_s, late_bad_s;
	char **scripts, **targets, **thresholds;
	size_t n_scripts, n_targets, n_thresholds;
	char **mix;         /* functions of the only script, when it has a mix */
	double *mix_weight; /* when the mix changed: of what was counted, as is to be expected */
	size_t n_mix;
};

/* Columns of timeline.csv, a value a second; NaN where a field was empty. */
enum rp_tl {
	RP_TL_TIME,
	RP_TL_PLANNED,
	RP_TL_CONNECTING,
	RP_TL_LOGIN,
	RP_TL_TYPING,
	RP_TL_WAITING,
	RP_TL_THINKING,
	RP_TL_DONE,
	RP_TL_FAILED,
	RP_TL_TRANSACTIONS,
	RP_TL_FAILURES,
	RP_TL_P50,
	RP_TL_P90,
	RP_TL_P99,
	RP_TL_MAX,
	RP_TL_KEYS,
	RP_TL_IN,
	RP_TL_OUT,
	RP_TL_LATE_P50,
	RP_TL_LATE_P99,
	RP_TL_LATE_MAX,
	RP_TL_CPU,
	RP_TL_RSS,
	RP_TL_N
};

struct rp_timeline {
	size_t n, cap;
	float (*v)[RP_TL_N]; /* RP_TL_TIME since the run's start */
	uint8_t *phase;
};

/* Users with a session, or between two, at the end of row i: all that are neither planned nor done.
   NaN: the log does not say. */
double rp_timeline_users(const struct rp_timeline *t, size_t i);

/* Parts of a session's time, in the order of sessions.csv. */
enum rp_account {
	RP_AC_CONNECT,
	RP_AC_LOGIN,
	RP_AC_KEYING,
	RP_AC_RESPONSE,
	RP_AC_SCRIPT,
	RP_AC_THINK,
	RP_AC_PACING,
	RP_AC_BARRIER,
	RP_AC_LOGOUT,
	RP_AC_BACKOFF,
	RP_AC_OTHER,
	RP_AC_N_PARTS,
	RP_AC_SETTLING = RP_AC_N_PARTS,
	RP_AC_LATE,
	RP_AC_BLOCKED,
	RP_AC_N
};
extern const char *const rp_account_names[RP_AC_N];

struct rp_user_account {
	int64_t user, sessions, iterations;
	double duration_s, part_s[RP_AC_N];
};

struct rp_count {
	char *name;
	uint64_t n;
};

struct rp_sessions {
	bool present;
	uint64_t n, iterations;
	struct rp_count *ends; /* by how they ended */
	size_t n_ends;
	struct rp_stat connect, login;
	double duration_s, part_s[RP_AC_N];
	struct rp_user_account *users; /* by number */
	size_t n_users;
	double unexplained_s; /* what the parts leave of the durations, absolute, summed */
};

/* Failures grouped by what happened: kind, where, and what was expected. Text is never NULL in
   the merged list; status is of use to load_rows.c alone. */
struct rp_failure {
	enum rp_status status;
	char *kind; /* a status of the log, or "connect" */
	char *transaction, *detail, *message;
	char *shape;  /* detail without its numbers: what is alike */
	char *screen; /* file under the run directory, or NULL */
	uint64_t n, n_counted;
	double first_s, last_s; /* since the run's start */
};

struct rp_driver {
	bool present; /* in run.json */
	double keys, late_p50_s, late_p99_s, late_max_s, reschedules, blocked_s;
	double late_out_of_range;                                 /* keys; NaN: none, or not told */
	double wake_late_p50_s, wake_late_p99_s, wake_late_max_s; /* of timers */
	double log_queue_max_bytes;
	double *worker_cpu_s;
	size_t n_workers;
	double cpu_mean, cpu_max; /* cores in use over the interval, from timeline.csv */
	double rss_max_kib;
	bool late_from_timeline; /* late_p99_s is the worst second's: the run left no better */
};

enum rp_level { RP_FINE, RP_NOTE, RP_WARNING, RP_BAD };
extern const char *const rp_level_names[4];

struct rp_check {
	enum rp_level level;
	char *name, *text;
	bool late; /* the driver could not keep up: exit status 4 */
};

struct rp_threshold {
	char *text, *name, *figure; /* figure: "p90", "errors", ... */
	const char *op;             /* < <= > >= */
	double limit, value;        /* value NaN: nothing measured */
	enum rp_unit { RP_UNIT_S, RP_UNIT_SHARE, RP_UNIT_RATE, RP_UNIT_COUNT } unit;
	bool passed;
};

/* A stage of --stages, cut to the interval. */
struct rp_stage {
	double users, users_mean; /* asked for; with a session, as the timeline says, or NaN */
	double from_s, to_s;      /* since the run's start; empty: not in the interval */
	uint64_t n_ok, n_failed;  /* counted rows that lie wholly in it */
	double rate_per_s;
	struct rp_stat response;
};

/* A point of the curves over the whole run. */
struct rp_point {
	uint64_t ok, failed;
	float p50_s, p90_s, p99_s, max_s; /* NaN: no sample */
};

struct rp_series {
	double step_s;
	size_t n_points, n_groups; /* group 0 is all together */
	size_t *group;             /* index into groups of each but the first */
	struct rp_point *points;   /* n_groups x n_points */
};

struct rp_action {
	double at_s;
	char *text, *by; /* by: display, watch, ctl or signal; NULL: not told */
};

struct rp_run {
	char *dir;
	json_t *json; /* run.json, or NULL */
	char *version, *outcome, *host, *kernel, *command;
	double cores, memory_kib;
	char *seed, *outcome_detail;
	double started_s; /* epoch; of second 0 of all times here */
	double end_s;     /* of the last thing logged */
	struct rp_config config;
	struct rp_phase_time *phases;
	size_t n_phases;
	double from_s, to_s;                 /* the interval */
	bool interval_chosen;                /* with --from/--to */
	bool interval_open;                  /* it had not ended when the log did */
	double counted_from_s, counted_to_s; /* reach of the counted rows */

	struct rp_rows rows;          /* empty after loading unless kept */
	struct rp_group all, *groups; /* groups by name */
	size_t n_groups;
	size_t truncated_rows, bad_rows;
	uint64_t
		iterations; /* in the interval, as run.json says; else with a counted transaction */
	uint64_t ended[RP_N_BATCHES]; /* ok transactions that ended in each part of the interval */
	uint64_t n_users_seen;
	struct rp_series series;
	struct rp_stage *stages;
	size_t n_stages;
	struct rp_timeline timeline;
	struct rp_sessions sessions;
	struct rp_failure *failures; /* from the rows, most first; screens from run.json */
	size_t n_failures;
	struct rp_failure
		*told; /* as run.json groups them: with screens, and failures of sessions */
	size_t n_told;
	uint64_t failures_dropped; /* kinds beyond what is kept */
	struct rp_driver driver;
	struct rp_action *actions;
	size_t n_actions, n_inside; /* n_inside: changed the load within the interval */
	double paused_s;            /* of the interval */
	struct rp_sar sar;

	struct rp_threshold *thresholds;
	size_t n_thresholds;
	bool strict;
	char *rules;
	struct rp_check *checks;
	size_t n_checks;
	bool valid;
	struct b_error json_problem; /* run.json could not be read: said in the report */
};

/* ---- Steps of loading, each in its own file ------------------------------------------------ */

struct rp_load_options;

void rp_load_json(struct rp_run *r);
int rp_load_timeline(struct rp_run *r, struct b_error *err) B_CHECK;
int rp_load_sessions(struct rp_run *r, struct b_error *err) B_CHECK;
int rp_load_rows(struct rp_run *r, struct b_error *err) B_CHECK;
void rp_rows_release(struct rp_rows *w);
/* Fixes started_s, phases and the interval from whatever is known. */
int rp_interval_find(
	struct rp_run *r, const struct rp_load_options *opt, struct b_error *err) B_CHECK;
/* Appends text with each run of digits as #, but for those behind a colon (lines of a script). */
void rp_failure_shape(struct b_buf *out, const char *text, size_t len);
void rp_failures_merge(struct rp_run *r);
void rp_figures_make(struct rp_run *r, bool keep_rows);
void rp_series_make(struct rp_run *r);
/* stages.c: what run.json says; the stage (from 1; 0: none) in which a row lies wholly, us since the
   run's start; figures, while the rows are there; then which changes of the load lie within the
   interval that were asked for: each, and how many, appended as "stage 2 at 1m, another mix at 5m". */
void rp_stages_load(struct rp_run *r);
size_t rp_stages_find(const struct rp_run *r, int64_t begin_us, int64_t end_us);
void rp_stages_make(struct rp_run *r);
void rp_changes_each(
	const struct rp_run *r, void (*fn)(void *user, const char *what, double at_s), void *user);
size_t rp_changes_tell(const struct rp_run *r, struct b_buf *out);
/* keying.c: counting, and what follows once the samples are sorted and in their histogram. */
void rp_gaps_add(struct rp_gaps *g, double keys);
void rp_gaps_join(struct rp_gaps *to, const struct rp_gaps *from);
void rp_keying_make(struct rp_group *to, const struct rp_run *r, const rp_time *sorted, size_t n);
void rp_driver_make(struct rp_run *r);
int rp_thresholds_parse(
	struct rp_run *r, const struct rp_load_options *opt, struct b_error *err) B_CHECK;
void rp_thresholds_sample(struct rp_run *r, const struct rp_group *g, enum rp_measure m,
	const rp_time *sorted, size_t n);
void rp_thresholds_judge(struct rp_run *r);
size_t rp_thresholds_n_missed(const struct rp_run *r);
/* "missed query:p90<2s (2.31s), ..." */
void rp_thresholds_missed(struct b_buf *out, const struct rp_run *r);
/* What was measured, as people read it; "no sample". out: RP_FORMAT_SIZE. */
const char *rp_threshold_value(char *out, const struct rp_threshold *t);
void rp_validity_judge(struct rp_run *r);
/* B_EUSAGE for rules that we do not know. */
int rp_rules_choose(struct rp_run *r, const char *rules, struct b_error *err) B_CHECK;
void rp_rules_judge(struct rp_run *r); /* adds to the checks */

/* For validity.c and rules.c. */
void rp_check_add(struct rp_run *r, enum rp_level level, const char *name, const char *fmt, ...)
	B_PRINTF(4, 5);

/* A transaction by name, "*" for all; NULL: none so named. */
const struct rp_group *rp_group_find(const struct rp_run *r, const char *name);
double rp_interval_s(const struct rp_run *r);
/* Appends what else tells how the driver did: timers, the busiest worker, its log; nothing where the
   run left no such figures. */
void rp_driver_tell(const struct rp_run *r, struct b_buf *out);
/* When an action was, in seconds since the run's start. */
double rp_action_at(const struct rp_run *r, size_t i);
/* How much of the interval was steered; says so among the checks. */
void rp_steered_make(struct rp_run *r);
void rp_steered_judge(struct rp_run *r);
/* "failed" and the rest: which statuses are failures. */
bool rp_status_failed(enum rp_status s);

#endif
