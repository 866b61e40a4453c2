/*
 * demo/forms/store.h - an SQLite file that many processes work on at once.
 *
 * Write-ahead log, short transactions, and a wait for one's turn that is short
 * and spread: 200 processes that all want to write get there one after the
 * other. A call that cannot have its turn within DF_STORE_PATIENCE_S gives up
 * with B_EAGAIN. Used by one thread.
 */
#ifndef DEMO_FORMS_STORE_H
#define DEMO_FORMS_STORE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

#define DF_STORE_PATIENCE_S 60

struct df_store {
	sqlite3 *db;
	int64_t deadline_ns; /* of the call that runs */
	uint32_t jitter;
};

/* Opens an existing file. B_EENV: err says that `create` makes one. The store must not move. */
int df_store_open(
	struct df_store *s, const char *where, const char *create, struct b_error *err) B_CHECK;
void df_store_close(struct df_store *s); /* statements first; nothing when not open */

/* Begins a call: its patience counts from here. */
void df_store_begin(struct df_store *s);
/* sqlite3_step, tried again while others hold the database: SQLITE_ROW, SQLITE_DONE, or what went
   wrong. */
int df_store_step(struct df_store *s, sqlite3_stmt *stmt);
/* What went wrong, as a code and a message for the person at the terminal. */
int df_store_fail(struct df_store *s, struct b_error *err);

/*
 * A new file: load it between the two. It is written beside as WHERE.part,
 * without a journal, and appears whole or not at all. B_EUSAGE: it is there
 * already and replace is false.
 */
struct df_new_store {
	sqlite3 *db;
	const char *where;
	struct b_buf part;
};
int df_store_create(
	struct df_new_store *n, const char *where, bool replace, struct b_error *err) B_CHECK;
/* failed: what SQLite said of the load, or 0. In either case n is released. */
int df_store_created(struct df_new_store *n, int failed, struct b_error *err) B_CHECK;

/* Inserts `count` rows numbered on from first as ?1, their other columns bound by bind, which is
   told the row's place from 0. Returns an SQLite code. */
int df_store_load(sqlite3 *db, const char *insert, int64_t count, int64_t first,
	void (*bind)(void *user, sqlite3_stmt *s, int64_t i), void *user);

#endif
