/*
 * demo/teller/db.h - the bank: what the teller asks of a database.
 *
 * The shape is TPC-A's: for each branch 10 tellers and by default 100,000
 * accounts, and a history that grows by a row an update. Money is in cents. One
 * struct tl_db a process, used by one thread; each call is one short
 * transaction and waits for its turn when others hold the database, but not for
 * ever (then B_EAGAIN). db_sqlite.c implements it; another backend implements
 * the same calls.
 *
 * What always holds: the balances of the branches, of the tellers, and the
 * amounts in the history add up to the same sum, and the accounts to that sum
 * above their opening balances.
 */
#ifndef DEMO_TELLER_DB_H
#define DEMO_TELLER_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define TL_TELLERS_PER_BRANCH 10
#define TL_FIRST_ACCOUNT      1000001 /* accounts are numbered on from here, branch by branch */

struct tl_scale {
	int64_t branches; /* from 1 */
	int64_t accounts; /* of each branch */
	int64_t history;  /* rows in all */
};

struct tl_account {
	int64_t account, branch, balance_cents;
	char owner[32], address[48], opened[16], branch_name[32];
};

struct tl_posting {
	int64_t account, teller, branch, amount_cents;
};

struct tl_posted {
	int64_t account_cents, teller_cents, branch_cents; /* the new balances */
	int64_t entry;                                     /* number of the row of the history */
};

struct tl_db;

/* Opens an existing bank. B_EENV: it is none, or cannot be opened; err says what to do. */
int tl_db_open(struct tl_db **out, const char *where, struct b_error *err) B_CHECK;
void tl_db_close(struct tl_db *db); /* NULL accepted */

/* How large the bank is. */
const struct tl_scale *tl_db_scale(const struct tl_db *db);

/* The account joined with its branch. B_ENOTFOUND: no such account; B_EAGAIN: too busy;
   B_EENV: the database failed. err words each for the person at the terminal. */
int tl_db_query(
	struct tl_db *db, int64_t account, struct tl_account *out, struct b_error *err) B_CHECK;

/* Posts an amount to account, teller, branch and history in one transaction, or changes
   nothing. B_ENOTFOUND: one of the three does not exist, or the teller works at another
   branch; others as tl_db_query. */
int tl_db_update(struct tl_db *db, const struct tl_posting *p, struct tl_posted *out,
	struct b_error *err) B_CHECK;

/* Whether the books balance (see above). B_ECHECK: they do not, err says which sums differ. */
int tl_db_verify(struct tl_db *db, struct b_error *err) B_CHECK;

/*
 * Loads a new bank. Its content depends on the scale alone, so that two banks of one scale are
 * equal. The file appears whole or not at all; B_EUSAGE when it is there already and replace
 * is false; B_EENV when it cannot be written.
 */
int tl_db_create(
	const char *where, const struct tl_scale *scale, bool replace, struct b_error *err) B_CHECK;

#endif
