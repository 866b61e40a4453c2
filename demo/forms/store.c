#include "demo/forms/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

/*
 * SQLite's own busy handler sleeps up to 100 ms a turn, so with 200 processes
 * the lock lies idle while they sleep. Ours looks again after 1 to 8 ms, spread
 * so that they do not march in step.
 */
static int wait_for_turn(void *user, int turns)
{
	struct df_store *s = user;
	int64_t step_us = 1000 * (turns < 7 ? turns + 1 : 8);
	struct timespec t = { 0 };

	if (b_clock_mono_ns() >= s->deadline_ns)
		return 0;
	s->jitter = s->jitter * 1664525u + 1013904223u;
	t.tv_nsec = (step_us / 2 + step_us * (s->jitter >> 16) / 65536) * B_NS_PER_US;
	nanosleep(&t, NULL);
	return 1;
}

int df_store_open(struct df_store *s, const char *where, const char *create, struct b_error *err)
{
	memset(s, 0, sizeof *s);
	s->jitter = (uint32_t)getpid() * 2654435761u;
	df_store_begin(s);
	if (sqlite3_open_v2(where, &s->db, SQLITE_OPEN_READWRITE, NULL))
		return b_error_set(err, B_EENV, "cannot open %s: %s; create it with %s %s", where,
			sqlite3_errmsg(s->db), create, where);
	sqlite3_busy_handler(s->db, wait_for_turn, s);
	/* With the write-ahead log, NORMAL is safe against a crash of the process and leaves the
	   flush to the checkpoint. */
	if (sqlite3_exec(s->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL))
		return b_error_set(err, B_EENV, "cannot use %s: %s; create one with %s FILE", where,
			sqlite3_errmsg(s->db), create);
	return B_OK;
}

void df_store_close(struct df_store *s)
{
	sqlite3_close(s->db);
	s->db = NULL;
}

void df_store_begin(struct df_store *s)
{
	s->deadline_ns = b_clock_mono_ns() + DF_STORE_PATIENCE_S * B_NS_PER_S;
}

/* A few busy states (recovery, a checkpoint that restarts the log) come back without the handler
   having been asked. */
int df_store_step(struct df_store *s, sqlite3_stmt *stmt)
{
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_BUSY) {
		sqlite3_reset(stmt);
		if (!wait_for_turn(s, 0))
			break;
	}
	return rc;
}

int df_store_fail(struct df_store *s, struct b_error *err)
{
	int code = sqlite3_errcode(s->db) & 0xff;

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return b_error_set(err, B_EAGAIN, "The database is busy; try again.");
	return b_error_set(err, B_EENV, "The database failed: %s", sqlite3_errmsg(s->db));
}

/* ---- A new file ----------------------------------------------------------------------- */

/* A log that a killed process left beside an old file must not be read into the new one. */
static void remove_companions(const char *where)
{
	static const char *const suffixes[] = { "-wal", "-shm", "-journal" };
	struct b_buf name = B_BUF_INIT;

	for (size_t i = 0; i < B_ARRAY_LEN(suffixes); i++) {
		b_buf_clear(&name);
		b_buf_printf(&name, "%s%s", where, suffixes[i]);
		unlink(b_buf_cstr(&name));
	}
	b_buf_release(&name);
}

int df_store_create(struct df_new_store *n, const char *where, bool replace, struct b_error *err)
{
	static const char fast[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
				   "PRAGMA locking_mode = EXCLUSIVE; BEGIN";
	const char *part;

	memset(n, 0, sizeof *n);
	if (!replace && !access(where, F_OK))
		return b_error_set(err, B_EUSAGE,
			"%s is there already; use it, remove it, or add --force", where);
	n->where = where;
	b_buf_printf(&n->part, "%s.part", where);
	part = b_buf_cstr(&n->part);
	unlink(part);
	if (sqlite3_open_v2(part, &n->db,
		    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) ||
		sqlite3_exec(n->db, fast, NULL, NULL, NULL))
		return df_store_created(n, SQLITE_CANTOPEN, err);
	return B_OK;
}

int df_store_created(struct df_new_store *n, int failed, struct b_error *err)
{
	/* The mode of the log is kept in the file. */
	static const char end[] = "COMMIT; PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL";
	const char *part = b_buf_cstr(&n->part);
	int rc = B_OK;

	if (failed || sqlite3_exec(n->db, end, NULL, NULL, NULL))
		rc = b_error_set(err, B_EENV, "cannot write %s: %s; is there room and permission?",
			part, sqlite3_errmsg(n->db));
	if (sqlite3_close(n->db) && !rc)
		rc = b_error_set(err, B_EENV, "cannot finish %s", part);
	if (!rc) {
		remove_companions(n->where);
		if (rename(part, n->where))
			rc = b_error_set(err, B_EENV, "cannot rename %s to %s: %s", part, n->where,
				strerror(errno));
	}
	if (rc)
		unlink(part);
	remove_companions(part);
	b_buf_release(&n->part);
	return rc;
}

int df_store_load(sqlite3 *db, const char *insert, int64_t count, int64_t first,
	void (*bind)(void *user, sqlite3_stmt *s, int64_t i), void *user)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, insert, -1, &s, NULL);

	for (int64_t i = 0; !rc && i < count; i++) {
		sqlite3_bind_int64(s, 1, first + i);
		bind(user, s, i);
		rc = sqlite3_step(s) == SQLITE_DONE ? sqlite3_reset(s) : SQLITE_ERROR;
	}
	sqlite3_finalize(s);
	return rc;
}
