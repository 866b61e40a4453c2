/* Loads a bank. Every value follows from its number alone. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "demo/forms/store.h"
#include "demo/teller/db.h"
#include "base/banned.h"

/* 2026-01-01 00:00:00 UTC: the time of the first row of the history. */
#define FIRST_ENTRY_TIME 1767225600

static const char schema[] =
	"CREATE TABLE bank(version INTEGER, branches INTEGER, accounts INTEGER,"
	" opening INTEGER);"
	"CREATE TABLE branch(branch INTEGER PRIMARY KEY, balance INTEGER NOT NULL,"
	" name TEXT NOT NULL, address TEXT NOT NULL);"
	"CREATE TABLE teller(teller INTEGER PRIMARY KEY, branch INTEGER NOT NULL,"
	" balance INTEGER NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL);"
	"CREATE TABLE account(account INTEGER PRIMARY KEY, branch INTEGER NOT NULL,"
	" balance INTEGER NOT NULL, owner TEXT NOT NULL, address TEXT NOT NULL,"
	" opened TEXT NOT NULL);"
	"CREATE TABLE history(entry INTEGER PRIMARY KEY, account INTEGER NOT NULL,"
	" teller INTEGER NOT NULL, branch INTEGER NOT NULL, amount INTEGER NOT NULL,"
	" time INTEGER NOT NULL, note TEXT NOT NULL);";

static const char *const first_names[] = { "Anna", "Bela", "Carla", "David", "Elena", "Felix",
	"Greta", "Hugo", "Ida", "Jonas", "Klara", "Leo", "Maria", "Nils", "Olga", "Paul", "Rosa",
	"Simon", "Thea", "Viktor" };
static const char *const last_names[] = { "Abel", "Brandt", "Castro", "Dreyer", "Ekman", "Fischer",
	"Gruber", "Hansen", "Ivanov", "Jansen", "Keller", "Larsen", "Moreno", "Novak", "Olsen",
	"Petrov", "Quinn", "Rossi", "Schmidt", "Tanaka", "Urban", "Vogel", "Weber", "Ziegler" };
static const char *const streets[] = { "Mill Lane", "High Street", "Church Road", "Station Road",
	"Park Avenue", "Bridge Street", "Market Square", "Harbour Way", "Garden Row",
	"King Street" };
static const char *const towns[] = { "Ashford", "Brookfield", "Clayton", "Dunmore", "Eastwick",
	"Fairview", "Glenwood", "Hillcrest", "Ironbridge", "Kingsport" };

/* SplitMix64: one well mixed number from another. */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

#define PICK(list, h) ((list)[(h) % B_ARRAY_LEN(list)])

struct loader {
	const struct tl_scale *scale;
	int64_t *branch_cents, *teller_cents; /* what the history adds up to */
	int64_t opening_cents;
	struct b_buf text;
};

/* Binds a text made with printf; SQLite copies it. */
static void bind_text(struct loader *l, sqlite3_stmt *s, int i, const char *fmt, ...)
	B_PRINTF(4, 5);
static void bind_text(struct loader *l, sqlite3_stmt *s, int i, const char *fmt, ...)
{
	va_list ap;

	b_buf_clear(&l->text);
	va_start(ap, fmt);
	b_buf_vprintf(&l->text, fmt, ap);
	va_end(ap);
	sqlite3_bind_text(s, i, l->text.data, (int)l->text.len, SQLITE_TRANSIENT);
}

static void bind_history(void *user, sqlite3_stmt *s, int64_t i)
{
	struct loader *l = user;
	int64_t accounts = l->scale->branches * l->scale->accounts;
	uint64_t h = mix((uint64_t)i ^ 0x68697374u);
	int64_t branch = (int64_t)(h % (uint64_t)l->scale->branches);
	int64_t teller =
		branch * TL_TELLERS_PER_BRANCH + (int64_t)((h >> 20) % TL_TELLERS_PER_BRANCH);
	int64_t account = (int64_t)((h >> 24) % (uint64_t)accounts);
	int64_t cents = (int64_t)((h >> 40) % 200001) - 100000;

	l->branch_cents[branch] += cents;
	l->teller_cents[teller] += cents;
	sqlite3_bind_int64(s, 2, TL_FIRST_ACCOUNT + account);
	sqlite3_bind_int64(s, 3, teller + 1);
	sqlite3_bind_int64(s, 4, branch + 1);
	sqlite3_bind_int64(s, 5, cents);
	sqlite3_bind_int64(s, 6, FIRST_ENTRY_TIME + i * 10);
	sqlite3_bind_text(s, 7, "----------------------", -1, SQLITE_STATIC);
}

static void bind_branch(void *user, sqlite3_stmt *s, int64_t i)
{
	struct loader *l = user;
	uint64_t h = mix((uint64_t)i ^ 0x6272616eu);

	sqlite3_bind_int64(s, 2, l->branch_cents[i]);
	bind_text(l, s, 3, "%s %s", PICK(towns, (uint64_t)i), PICK(streets, h >> 8));
	bind_text(l, s, 4, "%-68d", (int)(h % 200) + 1);
}

static void bind_teller(void *user, sqlite3_stmt *s, int64_t i)
{
	struct loader *l = user;
	uint64_t h = mix((uint64_t)i ^ 0x74656c6cu);

	sqlite3_bind_int64(s, 2, i / TL_TELLERS_PER_BRANCH + 1);
	sqlite3_bind_int64(s, 3, l->teller_cents[i]);
	bind_text(l, s, 4, "%s %s", PICK(first_names, h), PICK(last_names, h >> 8));
	bind_text(l, s, 5, "%-68d", (int)(h % 200) + 1);
}

/* About 100 bytes a row, as TPC-A's. */
static void bind_account(void *user, sqlite3_stmt *s, int64_t i)
{
	struct loader *l = user;
	uint64_t h = mix((uint64_t)i ^ 0x61636374u);
	int64_t cents = (int64_t)((h >> 32) % 1000000);

	l->opening_cents += cents;
	sqlite3_bind_int64(s, 2, i / l->scale->accounts + 1);
	sqlite3_bind_int64(s, 3, cents);
	bind_text(l, s, 4, "%s %s", PICK(first_names, h), PICK(last_names, h >> 8));
	bind_text(l, s, 5, "%d %s, %s%-20s", (int)((h >> 12) % 200) + 1, PICK(streets, h >> 16),
		PICK(towns, h >> 20), "");
	bind_text(l, s, 6, "%04d-%02d-%02d", 1980 + (int)((h >> 24) % 45),
		1 + (int)((h >> 28) % 12), 1 + (int)(h % 28));
}

static int load_all(struct loader *l, sqlite3 *db)
{
	int64_t branches = l->scale->branches, accounts = branches * l->scale->accounts;
	char bank[160];
	int rc;

	rc = sqlite3_exec(db, schema, NULL, NULL, NULL);
	/* The history first: it decides the balances of branches and tellers. */
	if (!rc)
		rc = df_store_load(db, "INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
			l->scale->history, 1, bind_history, l);
	if (!rc)
		rc = df_store_load(db, "INSERT INTO branch VALUES (?1, ?2, ?3, ?4)", branches, 1,
			bind_branch, l);
	if (!rc)
		rc = df_store_load(db, "INSERT INTO teller VALUES (?1, ?2, ?3, ?4, ?5)",
			branches * TL_TELLERS_PER_BRANCH, 1, bind_teller, l);
	if (!rc)
		rc = df_store_load(db, "INSERT INTO account VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			accounts, TL_FIRST_ACCOUNT, bind_account, l);
	if (!rc)
		rc = sqlite3_exec(db,
			"UPDATE account SET balance = balance + h.amount FROM"
			" (SELECT account AS a, sum(amount) AS amount FROM history GROUP BY account) AS h"
			" WHERE account.account = h.a",
			NULL, NULL, NULL);
	if (!rc) {
		snprintf(bank, sizeof bank, "INSERT INTO bank VALUES (1, %lld, %lld, %lld)",
			(long long)branches, (long long)l->scale->accounts,
			(long long)l->opening_cents);
		rc = sqlite3_exec(db, bank, NULL, NULL, NULL);
	}
	return rc;
}

int tl_db_create(const char *where, const struct tl_scale *scale, bool replace, struct b_error *err)
{
	struct loader l = { .scale = scale };
	struct df_new_store new;
	int rc = df_store_create(&new, where, replace, err);

	if (rc)
		return rc;
	l.branch_cents = b_calloc((size_t)scale->branches, sizeof *l.branch_cents);
	l.teller_cents =
		b_calloc((size_t)scale->branches * TL_TELLERS_PER_BRANCH, sizeof *l.teller_cents);
	rc = df_store_created(&new, load_all(&l, new.db), err);
	b_buf_release(&l.text);
	free(l.branch_cents);
	free(l.teller_cents);
	return rc;
}
