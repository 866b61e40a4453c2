#include "demo/order/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "demo/forms/store.h"
#include "base/banned.h"

enum statement {
	BEGIN,
	COMMIT,
	ROLLBACK,
	CUSTOMER,
	NEXT_NUMBER,
	ITEM,
	TAKE,
	NEW_ORDER,
	NEW_LINE,
	ORDER,
	LINES,
	N_STATEMENTS
};

static const char *const sql[N_STATEMENTS] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[ROLLBACK] = "ROLLBACK",
	[CUSTOMER] = "SELECT c.name, c.credit, c.discount, w.tax, d.tax FROM customer c"
		     " JOIN district d ON d.warehouse = c.warehouse AND d.district = c.district"
		     " JOIN warehouse w ON w.warehouse = c.warehouse"
		     " WHERE c.warehouse = ?1 AND c.district = ?2 AND c.customer = ?3",
	[NEXT_NUMBER] = "UPDATE district SET next_order = next_order + 1"
			" WHERE warehouse = ?1 AND district = ?2 RETURNING next_order - 1",
	[ITEM] = "SELECT name, price, original FROM item WHERE item = ?1",
	/* TPC-C 2.4.2.2: a stock that would fall under 10 is filled up by 91. */
	[TAKE] = "UPDATE stock SET taken = taken + ?3, orders = orders + 1, quantity ="
		 " CASE WHEN quantity - ?3 >= 10 THEN quantity - ?3 ELSE quantity - ?3 + 91 END"
		 " WHERE warehouse = ?1 AND item = ?2 RETURNING quantity",
	[NEW_ORDER] = "INSERT INTO orders VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	[NEW_LINE] = "INSERT INTO line VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	[ORDER] = "SELECT customer, time, lines, total FROM orders"
		  " WHERE warehouse = ?1 AND district = ?2 AND number = ?3",
	[LINES] = "SELECT l.supplier, l.item, l.quantity, l.amount, i.name, i.price, i.original"
		  " FROM line l JOIN item i ON i.item = l.item"
		  " WHERE l.warehouse = ?1 AND l.district = ?2 AND l.number = ?3 ORDER BY l.line",
};

struct or_db {
	struct df_store store;
	sqlite3_stmt *stmt[N_STATEMENTS];
	struct or_scale scale;
};

/* Binds numbers as ?1, ?2, ... and steps once; the statement stays open for its columns. */
static int step(struct or_db *db, enum statement n, const int64_t *values, int count)
{
	sqlite3_reset(db->stmt[n]);
	for (int i = 0; i < count; i++)
		sqlite3_bind_int64(db->stmt[n], i + 1, values[i]);
	return df_store_step(&db->store, db->stmt[n]);
}

#define STEP(db, n, ...)                              \
	step(db, n, (const int64_t[]){ __VA_ARGS__ }, \
		(int)(sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)))

static int plain(struct or_db *db, enum statement n)
{
	int rc = step(db, n, NULL, 0);

	sqlite3_reset(db->stmt[n]);
	return rc;
}

/* A read that is left open would hold back the checkpoint. */
static void reset_all(struct or_db *db)
{
	for (int i = 0; i < N_STATEMENTS; i++)
		sqlite3_reset(db->stmt[i]);
}

static void copy_text(char *out, size_t cap, sqlite3_stmt *s, int column)
{
	const char *text = (const char *)sqlite3_column_text(s, column);

	snprintf(out, cap, "%s", text ? text : "");
}

static int missing(struct or_db *db, int rc, const char *what, int64_t number, struct b_error *err)
{
	if (rc != SQLITE_DONE)
		return df_store_fail(&db->store, err);
	return b_error_set(err, B_ENOTFOUND, "%s %lld does not exist.", what, (long long)number);
}

static int find_customer(struct or_db *db, struct or_order *o, struct b_error *err)
{
	sqlite3_stmt *s = db->stmt[CUSTOMER];
	int rc;

	if (o->district < 1 || o->district > OR_DISTRICTS)
		return b_error_set(
			err, B_ENOTFOUND, "District %lld does not exist.", (long long)o->district);
	rc = STEP(db, CUSTOMER, o->warehouse, o->district, o->customer);
	if (rc != SQLITE_ROW)
		return missing(db, rc, "Customer", o->customer, err);
	copy_text(o->name, sizeof o->name, s, 0);
	copy_text(o->credit, sizeof o->credit, s, 1);
	o->discount_bp = sqlite3_column_int64(s, 2);
	o->warehouse_tax_bp = sqlite3_column_int64(s, 3);
	o->district_tax_bp = sqlite3_column_int64(s, 4);
	return B_OK;
}

static int take_line(struct or_db *db, const struct or_order *o, struct or_line *l, int64_t number,
	struct b_error *err)
{
	int rc = STEP(db, ITEM, l->item);

	if (rc != SQLITE_ROW)
		return rc == SQLITE_DONE
			? b_error_set(err, B_ENOTFOUND, "Item number is not valid.")
			: df_store_fail(&db->store, err);
	copy_text(l->name, sizeof l->name, db->stmt[ITEM], 0);
	l->price_cents = sqlite3_column_int64(db->stmt[ITEM], 1);
	l->original = sqlite3_column_int(db->stmt[ITEM], 2);
	rc = STEP(db, TAKE, l->supplier, l->item, l->quantity);
	if (rc != SQLITE_ROW)
		return missing(db, rc, "Warehouse", l->supplier, err);
	l->stock = sqlite3_column_int64(db->stmt[TAKE], 0);
	l->amount_cents = l->price_cents * l->quantity;
	rc = STEP(db, NEW_LINE, o->warehouse, o->district, o->number, number, l->supplier, l->item,
		l->quantity, l->amount_cents);
	return rc == SQLITE_DONE ? B_OK : df_store_fail(&db->store, err);
}

/* Sum x (1 - discount) x (1 + taxes), rounded to the cent. Source: TPC-C 2.4.2.2. */
static int64_t total_of(const struct or_order *o)
{
	int64_t sum = 0;

	for (int i = 0; i < o->n_lines; i++)
		sum += o->line[i].amount_cents;
	sum = sum * (10000 - o->discount_bp) * (10000 + o->warehouse_tax_bp + o->district_tax_bp);
	return (sum + 50000000) / 100000000;
}

static int enter(struct or_db *db, struct or_order *o, struct b_error *err)
{
	int rc = find_customer(db, o, err);

	if (rc)
		return rc;
	rc = STEP(db, NEXT_NUMBER, o->warehouse, o->district);
	if (rc != SQLITE_ROW)
		return missing(db, rc, "District", o->district, err);
	o->number = sqlite3_column_int64(db->stmt[NEXT_NUMBER], 0);
	o->time_s = b_clock_wall_ns() / B_NS_PER_S;
	for (int i = 0; i < o->n_lines; i++) {
		rc = take_line(db, o, &o->line[i], i + 1, err);
		if (rc)
			return rc;
	}
	o->total_cents = total_of(o);
	rc = STEP(db, NEW_ORDER, o->warehouse, o->district, o->number, o->customer, o->time_s,
		o->n_lines, o->total_cents);
	return rc == SQLITE_DONE ? B_OK : df_store_fail(&db->store, err);
}

int or_db_enter(struct or_db *db, struct or_order *o, struct b_error *err)
{
	int rc;

	df_store_begin(&db->store);
	if (plain(db, BEGIN) != SQLITE_DONE)
		return df_store_fail(&db->store, err);
	rc = enter(db, o, err);
	reset_all(db);
	if (!rc && plain(db, COMMIT) != SQLITE_DONE)
		rc = df_store_fail(&db->store, err);
	if (rc)
		(void)plain(db, ROLLBACK);
	return rc;
}

static int read_order(struct or_db *db, struct or_order *o, struct b_error *err)
{
	sqlite3_stmt *s = db->stmt[ORDER], *l = db->stmt[LINES];
	int rc = STEP(db, ORDER, o->warehouse, o->district, o->number);

	if (rc != SQLITE_ROW)
		return missing(db, rc, "Order", o->number, err);
	o->customer = sqlite3_column_int64(s, 0);
	o->time_s = sqlite3_column_int64(s, 1);
	o->n_lines = 0;
	o->total_cents = sqlite3_column_int64(s, 3);
	rc = find_customer(db, o, err);
	if (rc)
		return rc;
	rc = STEP(db, LINES, o->warehouse, o->district, o->number);
	while (rc == SQLITE_ROW && o->n_lines < OR_LINES_MAX) {
		struct or_line *line = &o->line[o->n_lines++];

		line->supplier = sqlite3_column_int64(l, 0);
		line->item = sqlite3_column_int64(l, 1);
		line->quantity = sqlite3_column_int64(l, 2);
		line->amount_cents = sqlite3_column_int64(l, 3);
		copy_text(line->name, sizeof line->name, l, 4);
		line->price_cents = sqlite3_column_int64(l, 5);
		line->original = sqlite3_column_int(l, 6);
		rc = df_store_step(&db->store, l);
	}
	return rc == SQLITE_DONE || rc == SQLITE_ROW ? B_OK : df_store_fail(&db->store, err);
}

int or_db_status(struct or_db *db, struct or_order *o, struct b_error *err)
{
	int rc;

	df_store_begin(&db->store);
	rc = read_order(db, o, err);
	reset_all(db);
	return rc;
}

/* ---- Opening, checking ---------------------------------------------------------------- */

/* One number of a query, or -1. */
static int64_t number_of(struct or_db *db, const char *query)
{
	sqlite3_stmt *s = NULL;
	int64_t n = -1;

	if (!sqlite3_prepare_v2(db->store.db, query, -1, &s, NULL) &&
		df_store_step(&db->store, s) == SQLITE_ROW)
		n = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return n;
}

int or_db_verify(struct or_db *db, struct b_error *err)
{
	static const struct {
		const char *what, *query;
	} checks[] = {
		{ "districts whose next number does not follow from their orders",
			"SELECT count(*) FROM district d WHERE next_order - 3001 <>"
			" (SELECT count(*) FROM orders o WHERE o.warehouse = d.warehouse"
			" AND o.district = d.district)" },
		{ "orders that have not the lines they say",
			"SELECT count(*) FROM orders o WHERE lines <>"
			" (SELECT count(*) FROM line l WHERE l.warehouse = o.warehouse"
			" AND l.district = o.district AND l.number = o.number)" },
		{ "pieces between what lines took and what the stock gave",
			"SELECT abs((SELECT total(quantity) FROM line) -"
			" (SELECT total(taken) FROM stock))" },
	};

	df_store_begin(&db->store);
	for (size_t i = 0; i < B_ARRAY_LEN(checks); i++) {
		int64_t n = number_of(db, checks[i].query);

		if (n < 0)
			return df_store_fail(&db->store, err);
		if (n)
			return b_error_set(err, B_ECHECK, "the orders do not add up: %lld %s",
				(long long)n, checks[i].what);
	}
	return B_OK;
}

static int not_ours(struct or_db *db, const char *where, struct b_error *err)
{
	return b_error_set(err, B_EENV,
		"%s is no order database: %s; create one with order --create FILE", where,
		sqlite3_errmsg(db->store.db));
}

int or_db_open(struct or_db **out, const char *where, struct b_error *err)
{
	struct or_db *db = b_calloc(1, sizeof *db);
	int rc = df_store_open(&db->store, where, "order --create", err);

	if (rc)
		goto failed;
	for (int i = 0; i < N_STATEMENTS; i++) {
		if (sqlite3_prepare_v3(db->store.db, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
			    &db->stmt[i], NULL)) {
			rc = not_ours(db, where, err);
			goto failed;
		}
	}
	db->scale.warehouses = number_of(db, "SELECT warehouses FROM scale");
	db->scale.customers = number_of(db, "SELECT customers FROM scale");
	db->scale.items = number_of(db, "SELECT items FROM scale");
	if (db->scale.warehouses < 1) {
		rc = not_ours(db, where, err);
		goto failed;
	}
	*out = db;
	return B_OK;
failed:
	or_db_close(db);
	return rc;
}

void or_db_close(struct or_db *db)
{
	if (!db)
		return;
	for (int i = 0; i < N_STATEMENTS; i++)
		sqlite3_finalize(db->stmt[i]);
	df_store_close(&db->store);
	free(db);
}

const struct or_scale *or_db_scale(const struct or_db *db)
{
	return &db->scale;
}
