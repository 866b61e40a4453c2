/* order: a wholesaler's order entry, to be driven by rte. doc/order.1 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "demo/order/db.h"
#include "demo/order/order.h"
#include "base/banned.h"

struct options {
	const char *file;
	bool create, force, verify;
	struct or_scale scale;
	int64_t warehouse;
	struct df_options common;
};

static const char help[] =
	"usage: order [OPTION...] FILE\n"
	"       order --create [--warehouses N] [--customers N] [--items N] [--force] FILE\n"
	"       order --verify FILE\n"
	"A wholesaler's order entry, a full-screen application on FILE, an SQLite database.\n\n"
	"  --warehouse N        the warehouse that sells (default 1)\n" DF_OPTIONS_HELP "\n"
	"  --create             load a new database and end\n"
	"  --warehouses N       its warehouses, 10 districts each (default 1)\n"
	"  --customers N        customers of each district (default 3000)\n"
	"  --items N            items (default 100000)\n"
	"  --force              replace FILE when it is there\n\n"
	"  --verify             check that orders, lines and stock add up\n"
	"  --help, --version\n\n"
	"All is numbered from 1, the orders of each district from 3001.\n";

enum {
	OPT_WAREHOUSE = 256,
	OPT_CREATE,
	OPT_WAREHOUSES,
	OPT_CUSTOMERS,
	OPT_ITEMS,
	OPT_FORCE,
	OPT_VERIFY,
	OPT_HELP,
	OPT_VERSION
};

static const struct option long_options[] = {
	DF_LONG_OPTIONS,
	{ "warehouse", required_argument, NULL, OPT_WAREHOUSE },
	{ "create", no_argument, NULL, OPT_CREATE },
	{ "warehouses", required_argument, NULL, OPT_WAREHOUSES },
	{ "customers", required_argument, NULL, OPT_CUSTOMERS },
	{ "items", required_argument, NULL, OPT_ITEMS },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "verify", no_argument, NULL, OPT_VERIFY },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

static int option(struct options *o, int opt, struct b_error *err)
{
	struct or_scale *s = &o->scale;
	int rc;

	switch (opt) {
	case OPT_WAREHOUSE:
		return df_option_number("warehouse", optarg, 1, 9999, &o->warehouse, err);
	case OPT_CREATE: o->create = true; return B_OK;
	case OPT_WAREHOUSES:
		return df_option_number("warehouses", optarg, 1, 9999, &s->warehouses, err);
	case OPT_CUSTOMERS:
		return df_option_number("customers", optarg, 1, 9999, &s->customers, err);
	case OPT_ITEMS: return df_option_number("items", optarg, 1, 999999, &s->items, err);
	case OPT_FORCE: o->force = true; return B_OK;
	case OPT_VERIFY: o->verify = true; return B_OK;
	default: rc = df_option(&o->common, opt, optarg, err);
	}
	return rc == B_ENOTFOUND ? b_error_set(err, B_EUSAGE, "see order --help") : rc;
}

static int create(const struct options *o, struct b_error *err)
{
	const struct or_scale *s = &o->scale;
	int rc = or_db_create(o->file, s, o->force, err);

	if (!rc)
		printf("%s: %" PRId64 " %s, %" PRId64 " customers, %" PRId64 " items\n", o->file,
			s->warehouses, s->warehouses == 1 ? "warehouse" : "warehouses",
			s->warehouses * OR_DISTRICTS * s->customers, s->items);
	return rc;
}

static int run(const struct options *o, struct b_error *err)
{
	struct or_db *db = NULL;
	int rc = or_db_open(&db, o->file, err);

	if (rc)
		return rc;
	if (o->verify) {
		rc = or_db_verify(db, err);
		if (!rc)
			puts("the orders add up");
	} else if (o->warehouse > or_db_scale(db)->warehouses) {
		rc = b_error_set(err, B_EUSAGE, "%s has %" PRId64 " warehouses, no number %" PRId64,
			o->file, or_db_scale(db)->warehouses, o->warehouse);
	} else {
		rc = or_run(db, o->warehouse, &o->common, err);
	}
	or_db_close(db);
	return rc;
}

int main(int argc, char **argv)
{
	struct options o = {
		.scale = { 1, 3000, 100000 }, .warehouse = 1, .common = DF_OPTIONS_INIT
	};
	struct b_error err = { 0 };
	int opt, rc = B_OK;

	while (!rc && (opt = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (opt == OPT_HELP) {
			fputs(help, stdout);
			return B_EXIT_OK;
		}
		if (opt == OPT_VERSION) {
			printf("order %s\n", RTE_VERSION);
			return B_EXIT_OK;
		}
		rc = option(&o, opt, &err);
	}
	if (!rc && argc - optind != 1)
		rc = b_error_set(
			&err, B_EUSAGE, "one FILE is wanted, the database; see order --help");
	if (!rc) {
		o.file = argv[optind];
		rc = o.create ? create(&o, &err) : run(&o, &err);
	}
	if (rc && err.code)
		fprintf(stderr, "order: %s\n", err.text);
	return (int)b_status_exit(rc);
}
