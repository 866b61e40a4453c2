/*
 * line/limits.h - inside of line/: this machine's limits as numbers, and what n lines need.
 *
 * Apart from ln_limits_check so that the judgement can be tested with any machine's facts.
 */
#ifndef LINE_LIMITS_H
#define LINE_LIMITS_H

#include <stdint.h>

#include "base/error.h"

#define LN_UNLIMITED INT64_MAX

/* A limit and how much of it is in use. An unknown limit is LN_UNLIMITED. */
struct ln_limit {
	int64_t max, used;
};

struct ln_facts {
	struct ln_limit ptys;        /* kernel.pty.max */
	struct ln_limit descriptors; /* RLIMIT_NOFILE, the hard one */
	struct ln_limit files;       /* fs.file-max */
	struct ln_limit processes;   /* RLIMIT_NPROC; unlimited for root */
	struct ln_limit tasks;       /* the lesser of kernel.pid_max and kernel.threads-max */
	struct ln_limit group_tasks; /* the tightest pids.max of the control groups */
	int64_t memory_bytes;        /* available, swap and control groups counted */
};

/* Reads the facts below root ("" for this machine; a test's folder). Never fails: what cannot
   be read is unlimited. */
void ln_facts_read(struct ln_facts *f, const char *root);

/* Whether n_ptys lines with a process and n_others without fit. B_EENV: the message names the
   limit, its value, what is needed, and how to raise it. */
int ln_facts_judge(
	const struct ln_facts *f, int64_t n_ptys, int64_t n_others, struct b_error *err) B_CHECK;

/* Descriptors that so many lines need, our own included. */
int64_t ln_facts_descriptors(const struct ln_facts *f, int64_t n_ptys, int64_t n_others);

#endif
