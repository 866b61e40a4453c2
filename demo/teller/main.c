/* teller: a bank teller's terminal application, to be driven by rte. doc/teller.1 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "demo/teller/app.h"
#include "demo/teller/batch.h"
#include "demo/teller/db.h"
#include "demo/teller/log.h"
#include "base/banned.h"

struct options {
	const char *file, *log, *keys, *tag;
	bool create, force, verify;
	struct tl_scale scale;
	int64_t batch, updates, seed;
	struct tl_app_options app;
};

static const char help[] =
	"usage: teller [OPTION...] FILE\n"
	"       teller --create [--branches N] [--accounts N] [--history N] [--force] FILE\n"
	"       teller --batch N [--updates PERCENT] [--seed N] FILE\n"
	"       teller --verify FILE\n"
	"A bank teller's full-screen application on the bank in FILE, an SQLite database.\n\n"
	"  --log FILE           append a line a transaction with its true times\n"
	"  --tag TEXT           stands in those lines, to tell users apart (default -)\n"
	"  --keys FILE          append every input byte as it was read\n"
	"  --delay MS[,MS]      make each query and update take MS longer, or MS to MS\n"
	"  --working            say 'Working ...' before the database is asked\n"
	"  --clock              show the time of day in the title bar\n"
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
	OPT_LOG = 256,
	OPT_TAG,
	OPT_KEYS,
	OPT_DELAY,
	OPT_WORKING,
	OPT_CLOCK,
	OPT_LOGIN,
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
	{ "log", required_argument, NULL, OPT_LOG },
	{ "tag", required_argument, NULL, OPT_TAG },
	{ "keys", required_argument, NULL, OPT_KEYS },
	{ "delay", required_argument, NULL, OPT_DELAY },
	{ "working", no_argument, NULL, OPT_WORKING },
	{ "clock", no_argument, NULL, OPT_CLOCK },
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

static int number(const char *name, int64_t min, int64_t max, int64_t *out, struct b_error *err)
{
	if (!b_parse_int(optarg, min, max, out))
		return B_OK;
	return b_error_set(err, B_EUSAGE,
		"--%s takes a number from %" PRId64 " to %" PRId64 ", not '%s'", name, min, max,
		optarg);
}

static int delay(struct tl_app_options *app, struct b_error *err)
{
	char first[16];
	size_t len = strcspn(optarg, ",");
	const char *second = optarg[len] ? optarg + len + 1 : NULL;

	if (len < sizeof first) {
		memcpy(first, optarg, len);
		first[len] = 0;
		if (!b_parse_int(first, 0, 3600000, &app->delay_min_ms) &&
			!b_parse_int(second ? second : first, app->delay_min_ms, 3600000,
				&app->delay_max_ms))
			return B_OK;
	}
	return b_error_set(err, B_EUSAGE,
		"--delay takes milliseconds, as in 50, or from and to, as in 50,150, not '%s'",
		optarg);
}

static int login(struct tl_app_options *app, struct b_error *err)
{
	if (!optarg || !strcmp(optarg, "stars"))
		app->login = TL_LOGIN_STARS;
	else if (!strcmp(optarg, "blank"))
		app->login = TL_LOGIN_BLANK;
	else
		return b_error_set(err, B_EUSAGE, "--login takes stars or blank, not '%s'", optarg);
	return B_OK;
}

static int defect(struct tl_app_options *app, struct b_error *err)
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
			app->defect = names[i].defect;
			return B_OK;
		}
	}
	return b_error_set(err, B_EUSAGE,
		"--defect takes label, number, attribute, order or cursor, not '%s'", optarg);
}

/* A tag is one word of the log. */
static int tag(struct options *o, struct b_error *err)
{
	o->tag = optarg;
	if (!*optarg || strpbrk(optarg, " \t\r\n"))
		return b_error_set(err, B_EUSAGE, "--tag takes one word, not '%s'", optarg);
	return B_OK;
}

static int option(struct options *o, int opt, struct b_error *err)
{
	switch (opt) {
	case OPT_LOG: o->log = optarg; return B_OK;
	case OPT_TAG: return tag(o, err);
	case OPT_KEYS: o->keys = optarg; return B_OK;
	case OPT_DELAY: return delay(&o->app, err);
	case OPT_WORKING: o->app.working = true; return B_OK;
	case OPT_CLOCK: o->app.clock = true; return B_OK;
	case OPT_LOGIN: return login(&o->app, err);
	case OPT_DEFECT: return defect(&o->app, err);
	case OPT_CREATE: o->create = true; return B_OK;
	case OPT_BRANCHES: return number("branches", 1, 10000, &o->scale.branches, err);
	case OPT_ACCOUNTS: return number("accounts", 1, 10000000, &o->scale.accounts, err);
	case OPT_HISTORY: return number("history", 0, 1000000000, &o->scale.history, err);
	case OPT_FORCE: o->force = true; return B_OK;
	case OPT_BATCH: return number("batch", 1, INT64_MAX, &o->batch, err);
	case OPT_UPDATES: return number("updates", 0, 100, &o->updates, err);
	case OPT_SEED: return number("seed", 0, INT64_MAX, &o->seed, err);
	case OPT_VERIFY: o->verify = true; return B_OK;
	default: return b_error_set(err, B_EUSAGE, "see teller --help");
	}
}

static int create(const struct options *o, struct b_error *err)
{
	int rc = tl_db_create(o->file, &o->scale, o->force, err);

	if (!rc)
		printf("%s: %" PRId64 " branches, %" PRId64 " tellers, %" PRId64
		       " accounts, %" PRId64 " rows of history\n",
			o->file, o->scale.branches, o->scale.branches * TL_TELLERS_PER_BRANCH,
			o->scale.branches * o->scale.accounts, o->scale.history);
	return rc;
}

static int run(struct options *o, struct b_error *err)
{
	const char *password = getenv("TELLER_PASSWORD");
	int log_fd = -1, keys_fd = -1, rc;

	rc = tl_db_open(&o->app.db, o->file, err);
	if (!rc && o->verify) {
		rc = tl_db_verify(o->app.db, err);
		if (!rc)
			puts("the books balance");
		goto out;
	}
	if (!rc && o->batch) {
		rc = tl_batch_run(o->app.db, o->batch, o->updates, (uint64_t)o->seed, err);
		goto out;
	}
	if (!rc && o->log)
		rc = tl_log_file(o->log, &log_fd, err);
	if (!rc && o->keys)
		rc = tl_log_file(o->keys, &keys_fd, err);
	if (!rc) {
		tl_log_init(&o->app.log, log_fd, o->tag);
		o->app.keys_fd = keys_fd;
		o->app.password = password && *password ? password : "swordfish";
		rc = tl_app_run(&o->app, err);
	}
out:
	tl_db_close(o->app.db);
	if (log_fd >= 0)
		close(log_fd);
	if (keys_fd >= 0)
		close(keys_fd);
	return rc;
}

int main(int argc, char **argv)
{
	struct options o = { .tag = "-", .scale = { 1, 100000, 0 }, .updates = 100, .seed = 1 };
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
