#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "demo/forms/store.h"
#include "demo/teller/db.h"
#include "base/banned.h"

enum statement {
	BEGIN,
	COMMIT,
	ROLLBACK,
	QUERY,
	TELLER_BRANCH,
	ACCOUNT,
	TELLER,
	BRANCH,
	HISTORY,
	N_STATEMENTS
};

/* BEGIN IMMEDIATE takes the write lock at once: a transaction that reads first and writes later
   could not wait for its turn, SQLite would have to refuse it. */
static const char *const sql[N_STATEMENTS] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[ROLLBACK] = "ROLLBACK",
	[QUERY] = "SELECT a.branch, a.balance, a.owner, a.address, a.opened, b.name"
		  " FROM account a JOIN branch b ON b.branch = a.branch WHERE a.account = ?1",
	[TELLER_BRANCH] = "SELECT branch FROM teller WHERE teller = ?1",
	[ACCOUNT] = "UPDATE account SET balance = balance + ?2 WHERE account = ?1"
		    " RETURNING balance",
	[TELLER] = "UPDATE teller SET balance = balance + ?2 WHERE teller = ?1 RETURNING balance",
	[BRANCH] = "UPDATE branch SET balance = balance + ?2 WHERE branch = ?1 RETURNING balance",
	[HISTORY] = "INSERT INTO history(account, teller, branch, amount, time, note)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, '----------------------') RETURNING entry",
};

struct tl_db {
	struct df_store store;
	sqlite3_stmt *stmt[N_STATEMENTS];
	struct tl_scale scale;
};

static int step(struct tl_db *db, enum statement n)
{
	return df_store_step(&db->store, db->stmt[n]);
}

static int plain(struct tl_db *db, enum statement n)
{
	int rc = step(db, n);

	sqlite3_reset(db->stmt[n]);
	return rc == SQLITE_DONE ? B_OK : B_EENV;
}

static void copy_text(char *out, size_t cap, sqlite3_stmt *s, int column)
{
	const char *text = (const char *)sqlite3_column_text(s, column);

	snprintf(out, cap, "%s", text ? text : "");
}

int tl_db_query(struct tl_db *db, int64_t account, struct tl_account *out, struct b_error *err)
{
	sqlite3_stmt *s = db->stmt[QUERY];
	int rc;

	df_store_begin(&db->store);
	sqlite3_bind_int64(s, 1, account);
	rc = step(db, QUERY);
	if (rc == SQLITE_ROW) {
		out->account = account;
		out->branch = sqlite3_column_int64(s, 0);
		out->balance_cents = sqlite3_column_int64(s, 1);
		copy_text(out->owner, sizeof out->owner, s, 2);
		copy_text(out->address, sizeof out->address, s, 3);
		copy_text(out->opened, sizeof out->opened, s, 4);
		copy_text(out->branch_name, sizeof out->branch_name, s, 5);
		rc = B_OK;
	} else if (rc == SQLITE_DONE) {
		rc = b_error_set(
			err, B_ENOTFOUND, "Account %lld does not exist.", (long long)account);
	} else {
		rc = df_store_fail(&db->store, err);
	}
	sqlite3_reset(s);
	return rc;
}

/* Runs an UPDATE or INSERT of one row that returns one number. B_ENOTFOUND: no row. */
static int change(struct tl_db *db, enum statement n, int64_t *out)
{
	int rc = step(db, n);

	if (rc == SQLITE_ROW)
		*out = sqlite3_column_int64(db->stmt[n], 0);
	sqlite3_reset(db->stmt[n]);
	return rc == SQLITE_ROW ? B_OK : rc == SQLITE_DONE ? B_ENOTFOUND : B_EENV;
}

static int add(struct tl_db *db, enum statement n, int64_t key, int64_t cents, int64_t *balance)
{
	sqlite3_bind_int64(db->stmt[n], 1, key);
	sqlite3_bind_int64(db->stmt[n], 2, cents);
	return change(db, n, balance);
}

static int missing(int rc, const char *what, int64_t number, struct tl_db *db, struct b_error *err)
{
	if (rc == B_ENOTFOUND)
		return b_error_set(err, rc, "%s %lld does not exist.", what, (long long)number);
	return df_store_fail(&db->store, err);
}

static int post(
	struct tl_db *db, const struct tl_posting *p, struct tl_posted *out, struct b_error *err)
{
	sqlite3_stmt *h = db->stmt[HISTORY];
	int64_t branch;
	int rc;

	rc = add(db, ACCOUNT, p->account, p->amount_cents, &out->account_cents);
	if (rc)
		return missing(rc, "Account", p->account, db, err);
	sqlite3_bind_int64(db->stmt[TELLER_BRANCH], 1, p->teller);
	rc = change(db, TELLER_BRANCH, &branch);
	if (!rc)
		rc = add(db, TELLER, p->teller, p->amount_cents, &out->teller_cents);
	if (rc)
		return missing(rc, "Teller", p->teller, db, err);
	rc = add(db, BRANCH, p->branch, p->amount_cents, &out->branch_cents);
	if (rc)
		return missing(rc, "Branch", p->branch, db, err);
	if (branch != p->branch)
		return b_error_set(err, B_ENOTFOUND, "Teller %lld works at branch %lld, not %lld.",
			(long long)p->teller, (long long)branch, (long long)p->branch);
	sqlite3_bind_int64(h, 1, p->account);
	sqlite3_bind_int64(h, 2, p->teller);
	sqlite3_bind_int64(h, 3, p->branch);
	sqlite3_bind_int64(h, 4, p->amount_cents);
	sqlite3_bind_int64(h, 5, b_clock_wall_ns() / B_NS_PER_S);
	rc = change(db, HISTORY, &out->entry);
	return rc ? df_store_fail(&db->store, err) : B_OK;
}

int tl_db_update(
	struct tl_db *db, const struct tl_posting *p, struct tl_posted *out, struct b_error *err)
{
	struct tl_posted posted = { 0 };
	int rc;

	df_store_begin(&db->store);
	if (plain(db, BEGIN))
		return df_store_fail(&db->store, err);
	rc = post(db, p, &posted, err);
	if (!rc && plain(db, COMMIT))
		rc = df_store_fail(&db->store, err);
	if (rc) {
		/* Nothing is left to roll back when the failure has done it already. */
		(void)plain(db, ROLLBACK);
		return rc;
	}
	*out = posted;
	return B_OK;
}

int tl_db_verify(struct tl_db *db, struct b_error *err)
{
	static const char sums[] =
		"SELECT (SELECT total(balance) FROM branch), (SELECT total(balance) FROM teller),"
		" (SELECT total(amount) FROM history),"
		" (SELECT total(balance) FROM account) - (SELECT opening FROM bank)";
	sqlite3_stmt *s = NULL;
	double sum[4];
	int rc;

	df_store_begin(&db->store);
	rc = sqlite3_prepare_v2(db->store.db, sums, -1, &s, NULL);
	if (!rc)
		rc = df_store_step(&db->store, s);
	if (rc != SQLITE_ROW) {
		rc = df_store_fail(&db->store, err);
		sqlite3_finalize(s);
		return rc;
	}
	for (int i = 0; i < 4; i++)
		sum[i] = sqlite3_column_double(s, i);
	sqlite3_finalize(s);
	if (sum[0] == sum[1] && sum[1] == sum[2] && sum[2] == sum[3])
		return B_OK;
	return b_error_set(err, B_ECHECK,
		"the books do not balance: in cents branches have %.0f, tellers %.0f, the history"
		" %.0f, accounts %.0f above their opening balances",
		sum[0], sum[1], sum[2], sum[3]);
}

/* ---- Opening -------------------------------------------------------------------------- */

static int not_a_bank(struct tl_db *db, const char *where, struct b_error *err)
{
	return b_error_set(err, B_EENV,
		"%s is not a bank: %s; create one with teller --create FILE", where,
		sqlite3_errmsg(db->store.db));
}

static int read_scale(struct tl_db *db)
{
	sqlite3_stmt *s = NULL;
	int rc = B_EENV;

	if (!sqlite3_prepare_v2(db->store.db,
		    "SELECT branches, accounts FROM bank WHERE version = 1", -1, &s, NULL) &&
		df_store_step(&db->store, s) == SQLITE_ROW) {
		db->scale.branches = sqlite3_column_int64(s, 0);
		db->scale.accounts = sqlite3_column_int64(s, 1);
		rc = B_OK;
	}
	sqlite3_finalize(s);
	return rc;
}

int tl_db_open(struct tl_db **out, const char *where, struct b_error *err)
{
	struct tl_db *db = b_calloc(1, sizeof *db);
	int rc;

	rc = df_store_open(&db->store, where, "teller --create", err);
	if (!rc && read_scale(db))
		rc = not_a_bank(db, where, err);
	if (rc)
		goto failed;
	for (int i = 0; i < N_STATEMENTS; i++) {
		if (sqlite3_prepare_v3(db->store.db, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
			    &db->stmt[i], NULL)) {
			rc = not_a_bank(db, where, err);
			goto failed;
		}
	}
	*out = db;
	return B_OK;
failed:
	tl_db_close(db);
	return rc;
}

void tl_db_close(struct tl_db *db)
{
	if (!db)
		return;
	for (int i = 0; i < N_STATEMENTS; i++)
		sqlite3_finalize(db->stmt[i]);
	df_store_close(&db->store);
	free(db);
}

const struct tl_scale *tl_db_scale(const struct tl_db *db)
{
	return &db->scale;
}
