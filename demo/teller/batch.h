/*
 * demo/teller/batch.h - transactions back to back, without a terminal (--batch).
 */
#ifndef DEMO_TELLER_BATCH_H
#define DEMO_TELLER_BATCH_H

#include <stdint.h>

#include "base/error.h"
#include "demo/teller/db.h"

/*
 * Runs n transactions, of each hundred `updates` updates and the rest queries, on accounts that
 * follow from seed, and prints one line: count, failures, seconds, rate. B_ECHECK: some failed.
 */
int tl_batch_run(
	struct tl_db *db, int64_t n, int64_t updates, uint64_t seed, struct b_error *err) B_CHECK;

#endif
