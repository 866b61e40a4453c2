/* teller: a bank teller's terminal application, to be driven by rte. doc/teller.1 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "demo/teller/batch.h"
#include "demo/teller/db.h"
#include "demo/teller/teller.h"
#include "base/banned.h"

struct options {
	const char *file;
	bool create, force, verify;
	struct tl_scale scale;
	int64_t batch, updates, seed;
	struct tl_options teller;
};

static const char help[] =
	"usage: teller [OPTION...] FILE\n"
	"       teller --create [--branches N] [--accounts N] [--history N] [--force] FILE\n"
	"       teller --batch N [--updates PERCENT] [--seed N] FILE\n"
	"       teller --verify FILE\n"
	"A bank teller's full-screen application on the bank in FILE, an SQLite database.\n\n" DF_OPTIONS_HELP
	"  --login[=blank]      ask for user name and password first; the password shows\n"
	"                       as asterisks, or not at all. It is 'swordfish', or what\n"
	"                       TELLER_PASSWORD says\n"
	"  --defect WHAT        do one thing wrong, for tests of tests: label, number,\n"
	"                       attribute, order or cursor\n\n"
	"  --create             load a new bank and end\n"
	"  --branches N         its branches, 10 tellers each (default 1)\n"
	"  --accounts N         accounts of each branch (default 100000)\n"
	"  --history N          rows of history to begin with (default 0)\n"
	"  --force              replace FILE when it is there\n\n"
	"  --batch N            run N transactions back to back without a terminal\n"
	"  --updates PERCENT    how many of them are updates (default 100)\n"
	"  --seed N             which accounts (default 1)\n\n"
	"  --verify             check that the books balance\n"
	"  --help, --version\n\n"
	"Accounts are numbered from 1000001, tellers and branches from 1.\n";

enum {
	OPT_LOGIN = 256,
	OPT_DEFECT,
	OPT_CREATE,
	OPT_BRANCHES,
	OPT_ACCOUNTS,
	OPT_HISTORY,
	OPT_FORCE,
	OPT_BATCH,
	OPT_UPDATES,
	OPT_SEED,
	OPT_VERIFY,
	OPT_HELP,
	OPT_VERSION
};

static const struct option long_options[] = {
	DF_LONG_OPTIONS,
	{ "login", optional_argument, NULL, OPT_LOGIN },
	{ "defect", required_argument, NULL, OPT_DEFECT },
	{ "create", no_argument, NULL, OPT_CREATE },
	{ "branches", required_argument, NULL, OPT_BRANCHES },
	{ "accounts", required_argument, NULL, OPT_ACCOUNTS },
	{ "history", required_argument, NULL, OPT_HISTORY },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "batch", required_argument, NULL, OPT_BATCH },
	{ "updates", required_argument, NULL, OPT_UPDATES },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "verify", no_argument, NULL, OPT_VERIFY },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

static int login(struct tl_options *o, struct b_error *err)
{
	if (!optarg || !strcmp(optarg, "stars"))
		o->login = TL_LOGIN_STARS;
	else if (!strcmp(optarg, "blank"))
		o->login = TL_LOGIN_BLANK;
	else
		return b_error_set(err, B_EUSAGE, "--login takes stars or blank, not '%s'", optarg);
	return B_OK;
}

static int defect(struct tl_options *o, struct b_error *err)
{
	static const struct {
		const char *name;
		enum tl_defect defect;
	} names[] = {
		{ "label", TL_DEFECT_LABEL },
		{ "number", TL_DEFECT_NUMBER },
		{ "attribute", TL_DEFECT_ATTRIBUTE },
		{ "order", TL_DEFECT_ORDER },
		{ "cursor", TL_DEFECT_CURSOR },
	};

	for (size_t i = 0; i < B_ARRAY_LEN(names); i++) {
		if (!strcmp(optarg, names[i].name)) {
			o->defect = names[i].defect;
			return B_OK;
		}
	}
	return b_error_set(err, B_EUSAGE,
		"--defect takes label, number, attribute, order or cursor, not '%s'", optarg);
}

static int option(struct options *o, int opt, struct b_error *err)
{
	int rc;

	switch (opt) {
	case OPT_LOGIN: return login(&o->teller, err);
	case OPT_DEFECT: return defect(&o->teller, err);
	case OPT_CREATE: o->create = true; return B_OK;
	case OPT_BRANCHES:
		return df_option_number("branches", optarg, 1, 10000, &o->scale.branches, err);
	case OPT_ACCOUNTS:
		return df_option_number("accounts", optarg, 1, 10000000, &o->scale.accounts, err);
	case OPT_HISTORY:
		return df_option_number("history", optarg, 0, 1000000000, &o->scale.history, err);
	case OPT_FORCE: o->force = true; return B_OK;
	case OPT_BATCH: return df_option_number("batch", optarg, 1, INT64_MAX, &o->batch, err);
	case OPT_UPDATES: return df_option_number("updates", optarg, 0, 100, &o->updates, err);
	case OPT_SEED: return df_option_number("seed", optarg, 0, INT64_MAX, &o->seed, err);
	case OPT_VERIFY: o->verify = true; return B_OK;
	default: rc = df_option(&o->teller.common, opt, optarg, err);
	}
	return rc == B_ENOTFOUND ? b_error_set(err, B_EUSAGE, "see teller --help") : rc;
}

static int create(const struct options *o, struct b_error *err)
{
	int rc = tl_db_create(o->file, &o->scale, o->force, err);

	if (!rc)
		printf("%s: %" PRId64 " %s, %" PRId64 " tellers, %" PRId64 " accounts, %" PRId64
		       " rows of history\n",
			o->file, o->scale.branches, o->scale.branches == 1 ? "branch" : "branches",
			o->scale.branches * TL_TELLERS_PER_BRANCH,
			o->scale.branches * o->scale.accounts, o->scale.history);
	return rc;
}

static int run(struct options *o, struct b_error *err)
{
	const char *password = getenv("TELLER_PASSWORD");
	struct tl_db *db = NULL;
	int rc = tl_db_open(&db, o->file, err);

	if (rc)
		return rc;
	if (o->verify) {
		rc = tl_db_verify(db, err);
		if (!rc)
			puts("the books balance");
	} else if (o->batch) {
		rc = tl_batch_run(db, o->batch, o->updates, (uint64_t)o->seed, err);
	} else {
		o->teller.password = password && *password ? password : "swordfish";
		rc = tl_run(db, &o->teller, err);
	}
	tl_db_close(db);
	return rc;
}

int main(int argc, char **argv)
{
	struct options o = { .teller = { .common = DF_OPTIONS_INIT },
		.scale = { 1, 100000, 0 },
		.updates = 100,
		.seed = 1 };
	struct b_error err = { 0 };
	int opt, rc = B_OK;

	while (!rc && (opt = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (opt == OPT_HELP) {
			fputs(help, stdout);
			return B_EXIT_OK;
		}
		if (opt == OPT_VERSION) {
			printf("teller %s\n", RTE_VERSION);
			return B_EXIT_OK;
		}
		rc = option(&o, opt, &err);
	}
	if (!rc && argc - optind != 1)
		rc = b_error_set(&err, B_EUSAGE, "one FILE is wanted, the bank; see teller --help");
	if (!rc) {
		o.file = argv[optind];
		rc = o.create ? create(&o, &err) : run(&o, &err);
	}
	if (rc && err.code)
		fprintf(stderr, "teller: %s\n", err.text);
	return (int)b_status_exit(rc);
}
