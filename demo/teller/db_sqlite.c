#include "demo/teller/db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
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
	sqlite3 *db;
	sqlite3_stmt *stmt[N_STATEMENTS];
	struct tl_scale scale;
	int64_t deadline_ns; /* of the call that runs */
	uint32_t jitter;
};

/*
 * SQLite's own busy handler sleeps up to 100 ms a turn, so with 200 tellers the lock lies idle
 * while they sleep. Ours looks again after 1 to 8 ms, spread so that tellers do not march in step.
 */
static int wait_for_turn(void *user, int turns)
{
	struct tl_db *db = user;
	int64_t step_us = 1000 * (turns < 7 ? turns + 1 : 8);
	struct timespec t = { 0 };

	if (b_clock_mono_ns() >= db->deadline_ns)
		return 0;
	db->jitter = db->jitter * 1664525u + 1013904223u;
	t.tv_nsec = (step_us / 2 + step_us * (db->jitter >> 16) / 65536) * B_NS_PER_US;
	nanosleep(&t, NULL);
	return 1;
}

static int fail(struct tl_db *db, struct b_error *err)
{
	int code = sqlite3_errcode(db->db) & 0xff;

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return b_error_set(err, B_EAGAIN, "The database is busy; try again.");
	return b_error_set(err, B_EENV, "The database failed: %s", sqlite3_errmsg(db->db));
}

/*
 * Steps a statement once. A few busy states (recovery, a checkpoint that restarts the log) come
 * back without the handler having been asked: those are tried again here.
 */
static int step_statement(struct tl_db *db, sqlite3_stmt *s)
{
	int rc;

	while ((rc = sqlite3_step(s)) == SQLITE_BUSY) {
		sqlite3_reset(s);
		if (!wait_for_turn(db, 0))
			break;
	}
	return rc;
}

static int step(struct tl_db *db, enum statement n)
{
	return step_statement(db, db->stmt[n]);
}

static void start(struct tl_db *db)
{
	db->deadline_ns = b_clock_mono_ns() + TL_DB_PATIENCE_S * B_NS_PER_S;
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

	start(db);
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
		rc = fail(db, err);
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
	return fail(db, err);
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
	return rc ? fail(db, err) : B_OK;
}

int tl_db_update(
	struct tl_db *db, const struct tl_posting *p, struct tl_posted *out, struct b_error *err)
{
	struct tl_posted posted = { 0 };
	int rc;

	start(db);
	if (plain(db, BEGIN))
		return fail(db, err);
	rc = post(db, p, &posted, err);
	if (!rc && plain(db, COMMIT))
		rc = fail(db, err);
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

	start(db);
	rc = sqlite3_prepare_v2(db->db, sums, -1, &s, NULL);
	if (!rc)
		rc = step_statement(db, s);
	if (rc != SQLITE_ROW) {
		rc = fail(db, err);
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
		sqlite3_errmsg(db->db));
}

static int read_scale(struct tl_db *db)
{
	sqlite3_stmt *s = NULL;
	int rc = B_EENV;

	if (!sqlite3_prepare_v2(db->db, "SELECT branches, accounts FROM bank WHERE version = 1", -1,
		    &s, NULL) &&
		step_statement(db, s) == SQLITE_ROW) {
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

	db->jitter = (uint32_t)getpid() * 2654435761u;
	start(db);
	if (sqlite3_open_v2(where, &db->db, SQLITE_OPEN_READWRITE, NULL)) {
		rc = b_error_set(err, B_EENV,
			"cannot open %s: %s; create it with teller --create %s", where,
			sqlite3_errmsg(db->db), where);
		goto failed;
	}
	sqlite3_busy_handler(db->db, wait_for_turn, db);
	/* With the write-ahead log, NORMAL is safe against a crash of the process and leaves the
	   flush to the checkpoint. */
	if (sqlite3_exec(db->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL) ||
		read_scale(db)) {
		rc = not_a_bank(db, where, err);
		goto failed;
	}
	for (int i = 0; i < N_STATEMENTS; i++) {
		if (sqlite3_prepare_v3(
			    db->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &db->stmt[i], NULL)) {
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
	sqlite3_close(db->db);
	free(db);
}

const struct tl_scale *tl_db_scale(const struct tl_db *db)
{
	return &db->scale;
}
