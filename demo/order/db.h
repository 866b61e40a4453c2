/*
 * demo/order/db.h - the wholesaler: what order entry asks of a database.
 *
 * The shape is TPC-C's, in small: warehouses of 10 districts, customers of each district, items,
 * a stock of each item in each warehouse, orders with their lines. Money is in cents, rates in
 * hundredths of a per cent. Used by one thread; each call is one short transaction that waits
 * for its turn (demo/forms/store.h).
 *
 * What always holds: a district's next order number is OR_FIRST_ORDER and the count of its
 * orders; an order has as many lines as it says; what the lines took is what the stock gave.
 */
#ifndef DEMO_ORDER_DB_H
#define DEMO_ORDER_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define OR_DISTRICTS   10
#define OR_LINES_MAX   15
#define OR_FIRST_ORDER 3001

struct or_scale {
	int64_t warehouses; /* from 1 */
	int64_t customers;  /* of each district, from 1 */
	int64_t items;      /* from 1 */
};

struct or_line {
	int64_t supplier, item, quantity; /* as ordered; supplier is a warehouse */
	/* found: */
	char name[32];
	int64_t stock; /* what is left */
	bool original; /* B: brand, else G: generic */
	int64_t price_cents, amount_cents;
};

struct or_order {
	int64_t warehouse, district, customer; /* as ordered */
	int n_lines;
	struct or_line line[OR_LINES_MAX];
	/* found: */
	int64_t number;
	int64_t time_s; /* since the epoch */
	char name[32], credit[4];
	int64_t discount_bp, warehouse_tax_bp, district_tax_bp;
	int64_t total_cents;
};

struct or_db;

/* Opens an existing one. B_EENV: it is none, or cannot be opened; err says what to do. */
int or_db_open(struct or_db **out, const char *where, struct b_error *err) B_CHECK;
void or_db_close(struct or_db *db); /* NULL accepted */
const struct or_scale *or_db_scale(const struct or_db *db);

/*
 * Enters an order: takes its number, takes the items from the stock, all or nothing. Fills what
 * is found. B_ENOTFOUND: no such district, customer, supplier or item; for an item everything
 * above the lines is filled (TPC-C 2.4.3.4), the number is not used up. B_EAGAIN: too busy;
 * B_EENV: the database failed. err words each for the person at the terminal.
 */
int or_db_enter(struct or_db *db, struct or_order *o, struct b_error *err) B_CHECK;

/* An order by warehouse, district and number; errors as above. */
int or_db_status(struct or_db *db, struct or_order *o, struct b_error *err) B_CHECK;

/* Whether what always holds does; B_ECHECK: err says what does not. */
int or_db_verify(struct or_db *db, struct b_error *err) B_CHECK;

/* Loads a new one; its content depends on the scale alone. Errors as df_store_create. */
int or_db_create(
	const char *where, const struct or_scale *scale, bool replace, struct b_error *err) B_CHECK;

#endif
