/* Loads an order database. Every value follows from its number alone. */
#include <stdio.h>

#include "base/mem.h"
#include "demo/forms/store.h"
#include "demo/order/db.h"
#include "base/banned.h"

static const char schema[] =
	"CREATE TABLE scale(warehouses INTEGER, customers INTEGER, items INTEGER);"
	"CREATE TABLE warehouse(warehouse INTEGER PRIMARY KEY, name TEXT, tax INTEGER);"
	"CREATE TABLE district(warehouse INTEGER, district INTEGER, tax INTEGER,"
	" next_order INTEGER, PRIMARY KEY(warehouse, district)) WITHOUT ROWID;"
	"CREATE TABLE customer(warehouse INTEGER, district INTEGER, customer INTEGER, name TEXT,"
	" credit TEXT, discount INTEGER, PRIMARY KEY(warehouse, district, customer)) WITHOUT ROWID;"
	"CREATE TABLE item(item INTEGER PRIMARY KEY, name TEXT, price INTEGER, original INTEGER);"
	"CREATE TABLE stock(warehouse INTEGER, item INTEGER, quantity INTEGER, taken INTEGER,"
	" orders INTEGER, PRIMARY KEY(warehouse, item)) WITHOUT ROWID;"
	"CREATE TABLE orders(warehouse INTEGER, district INTEGER, number INTEGER, customer INTEGER,"
	" time INTEGER, lines INTEGER, total INTEGER, PRIMARY KEY(warehouse, district, number))"
	" WITHOUT ROWID;"
	"CREATE TABLE line(warehouse INTEGER, district INTEGER, number INTEGER, line INTEGER,"
	" supplier INTEGER, item INTEGER, quantity INTEGER, amount INTEGER,"
	" PRIMARY KEY(warehouse, district, number, line)) WITHOUT ROWID;";

static const char *const kinds[] = { "Bolt", "Hinge", "Lamp", "Valve", "Motor", "Filter", "Gasket",
	"Bearing", "Switch", "Cable", "Pump", "Relay", "Bracket", "Spring", "Clamp", "Sensor" };
static const char *const makes[] = { "small", "large", "steel", "brass", "heavy", "light", "round",
	"flat", "long", "short", "quiet", "fast" };
/* TPC-C 4.3.2.3: last names of three syllables. */
static const char *const syllables[] = { "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI",
	"CALLY", "ATION", "EING" };

/* SplitMix64: one well mixed number from another. */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* A value in [min, max] that follows from what and i. */
static int64_t value(uint64_t what, int64_t i, int64_t min, int64_t max)
{
	return min + (int64_t)(mix(mix(what) ^ (uint64_t)i) % (uint64_t)(max - min + 1));
}

enum { TAX = 1, CREDIT, DISCOUNT, NAME, PRICE, ORIGINAL, QUANTITY };

static void bind_warehouse(void *user, sqlite3_stmt *s, int64_t i)
{
	char name[32];

	(void)user;
	snprintf(name, sizeof name, "Warehouse %lld", (long long)i + 1);
	sqlite3_bind_text(s, 2, name, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int64(s, 3, value(TAX, i, 0, 2000));
}

static void bind_district(void *user, sqlite3_stmt *s, int64_t i)
{
	(void)user;
	sqlite3_bind_int64(s, 1, i / OR_DISTRICTS + 1);
	sqlite3_bind_int64(s, 2, i % OR_DISTRICTS + 1);
	sqlite3_bind_int64(s, 3, value(TAX, i + 1000000, 0, 2000));
	sqlite3_bind_int64(s, 4, OR_FIRST_ORDER);
}

static void bind_customer(void *user, sqlite3_stmt *s, int64_t i)
{
	const struct or_scale *scale = user;
	int64_t customer = i % scale->customers, district = i / scale->customers;
	int64_t n = customer < 1000 ? customer : value(NAME, i, 0, 999);
	char name[32];

	snprintf(name, sizeof name, "%s%s%s", syllables[n / 100], syllables[n / 10 % 10],
		syllables[n % 10]);
	sqlite3_bind_int64(s, 1, district / OR_DISTRICTS + 1);
	sqlite3_bind_int64(s, 2, district % OR_DISTRICTS + 1);
	sqlite3_bind_int64(s, 3, customer + 1);
	sqlite3_bind_text(s, 4, name, -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(s, 5, value(CREDIT, i, 1, 10) == 1 ? "BC" : "GC", -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 6, value(DISCOUNT, i, 0, 5000));
}

static void bind_item(void *user, sqlite3_stmt *s, int64_t i)
{
	char name[32];

	(void)user;
	snprintf(name, sizeof name, "%s, %s %d", kinds[(uint64_t)i % B_ARRAY_LEN(kinds)],
		makes[(uint64_t)value(NAME, i, 0, B_ARRAY_LEN(makes) - 1)],
		(int)value(NAME, i + 1, 10, 99));
	sqlite3_bind_text(s, 2, name, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int64(s, 3, value(PRICE, i, 100, 10000));
	sqlite3_bind_int64(s, 4, value(ORIGINAL, i, 1, 10) == 1);
}

static void bind_stock(void *user, sqlite3_stmt *s, int64_t i)
{
	const struct or_scale *scale = user;

	sqlite3_bind_int64(s, 1, i / scale->items + 1);
	sqlite3_bind_int64(s, 2, i % scale->items + 1);
	sqlite3_bind_int64(s, 3, value(QUANTITY, i, 10, 100));
}

static int load_all(sqlite3 *db, struct or_scale *scale)
{
	const struct {
		const char *insert;
		int64_t count;
		void (*bind)(void *user, sqlite3_stmt *s, int64_t i);
	} tables[] = {
		{ "INSERT INTO warehouse VALUES (?1, ?2, ?3)", scale->warehouses, bind_warehouse },
		{ "INSERT INTO district VALUES (?1, ?2, ?3, ?4)", scale->warehouses * OR_DISTRICTS,
			bind_district },
		{ "INSERT INTO customer VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			scale->warehouses * OR_DISTRICTS * scale->customers, bind_customer },
		{ "INSERT INTO item VALUES (?1, ?2, ?3, ?4)", scale->items, bind_item },
		{ "INSERT INTO stock VALUES (?1, ?2, ?3, 0, 0)", scale->warehouses * scale->items,
			bind_stock },
	};
	char text[128];
	int rc = sqlite3_exec(db, schema, NULL, NULL, NULL);

	for (size_t i = 0; !rc && i < B_ARRAY_LEN(tables); i++)
		rc = df_store_load(db, tables[i].insert, tables[i].count, 1, tables[i].bind, scale);
	snprintf(text, sizeof text, "INSERT INTO scale VALUES (%lld, %lld, %lld)",
		(long long)scale->warehouses, (long long)scale->customers, (long long)scale->items);
	return rc ? rc : sqlite3_exec(db, text, NULL, NULL, NULL);
}

int or_db_create(const char *where, const struct or_scale *scale, bool replace, struct b_error *err)
{
	struct or_scale copy = *scale;
	struct df_new_store new;
	int rc = df_store_create(&new, where, replace, err);

	return rc ? rc : df_store_created(&new, load_all(new.db, &copy), err);
}
