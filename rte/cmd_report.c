/* rte report: reads run directories back; everything it knows stands in report/. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "report/report.h"
#include "rte/command.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte report [OPTION...] RUN_DIR...\n"
	"\n"
	"Prints what a run measured, from its directory alone. The run may still go on, or have\n"
	"been killed. A directory with a run a step (rte run --ladder, --repeat, --every) gives the\n"
	"table of its steps.\n"
	"\n"
	"  -t, --text              the summary for people (when nothing else is asked for)\n"
	"  -j, --json              all figures as JSON (the schema stands in rte-report(1))\n"
	"      --csv               a line of figures a transaction\n"
	"      --accounts          a line a user: where the time went\n"
	"      --jtl               every transaction of the interval, in JMeter's CSV form\n"
	"      --hdr               HdrHistogram log V1.3, a tag a transaction\n"
	"      --junit FILE        thresholds and validity as JUnit XML\n"
	"      --html FILE         the report with charts, one file that needs no network\n"
	"      --from T, --to T    another interval: seconds (or 90s, 5m) from the run's start,\n"
	"                          or seconds since the epoch\n"
	"      --threshold 'NAME:p90<2s'   judge this besides the run's own; may be repeated\n"
	"      --rules tpc-c|tpc-a judge by these rules\n"
	"      --strict            an INVALID run exits with 1\n"
	"      --help              this text\n"
	"\n"
	"Exit status: 0 all well; 1 a threshold was missed, a check failed or nothing was measured;\n"
	"2 wrong usage or no run directory; 3 a file cannot be read or written; 4 the run is not\n"
	"valid because the driver could not keep up.\n";

enum {
	OPT_CSV = 256,
	OPT_ACCOUNTS,
	OPT_JTL,
	OPT_HDR,
	OPT_JUNIT,
	OPT_HTML,
	OPT_FROM,
	OPT_TO,
	OPT_THRESHOLD,
	OPT_RULES,
	OPT_STRICT,
	OPT_HELP
};

static const struct option options[] = {
	{ "text", no_argument, NULL, 't' },
	{ "json", no_argument, NULL, 'j' },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "accounts", no_argument, NULL, OPT_ACCOUNTS },
	{ "jtl", no_argument, NULL, OPT_JTL },
	{ "hdr", no_argument, NULL, OPT_HDR },
	{ "junit", required_argument, NULL, OPT_JUNIT },
	{ "html", required_argument, NULL, OPT_HTML },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "to", required_argument, NULL, OPT_TO },
	{ "threshold", required_argument, NULL, OPT_THRESHOLD },
	{ "rules", required_argument, NULL, OPT_RULES },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

struct wanted {
	struct rp_load_options load;
	const char **thresholds;
	bool text, json, csv, accounts, jtl, hdr;
	const char *junit, *html;
	size_t n_dirs;
};

/* A duration from the start, or seconds since the epoch with a fraction. */
static bool parse_instant(const char *arg, double *s)
{
	int64_t ns;

	if (!b_parse_double(arg, s))
		return *s >= 0;
	if (b_parse_duration(arg, &ns))
		return false;
	*s = (double)ns * 1e-9;
	return true;
}

static int parse_option(struct wanted *w, int c, const char *arg)
{
	struct b_error err = { 0 };

	switch (c) {
	case 't': w->text = true; break;
	case 'j': w->json = true; break;
	case OPT_CSV: w->csv = true; break;
	case OPT_ACCOUNTS: w->accounts = true; break;
	case OPT_JTL: w->jtl = true; break;
	case OPT_HDR: w->hdr = w->load.keep_rows = true; break;
	case OPT_JUNIT: w->junit = arg; break;
	case OPT_HTML: w->html = arg; break;
	case OPT_FROM:
	case OPT_TO:
		if (!parse_instant(arg, c == OPT_FROM ? &w->load.from_s : &w->load.to_s)) {
			b_error("--%s %s is no time; give seconds or a duration such as 90s from the "
				"run's start",
				c == OPT_FROM ? "from" : "to", arg);
			return B_EXIT_USAGE;
		}
		*(c == OPT_FROM ? &w->load.from_set : &w->load.to_set) = true;
		break;
	case OPT_THRESHOLD:
		if (rp_threshold_check(arg, &err)) {
			b_error("%s", err.text);
			return B_EXIT_USAGE;
		}
		w->thresholds = b_reallocarray(
			w->thresholds, w->load.n_thresholds + 1, sizeof *w->thresholds);
		w->thresholds[w->load.n_thresholds++] = arg;
		w->load.thresholds = w->thresholds;
		break;
	case OPT_RULES: w->load.rules = arg; break;
	case OPT_STRICT: w->load.strict = true; break;
	default: b_error("see rte report --help"); return B_EXIT_USAGE;
	}
	return B_EXIT_OK;
}

/* A name of an output file for run i of several: FILE-2.html. */
static char *numbered(const char *path, size_t i, size_t n)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	struct b_buf b = B_BUF_INIT;

	if (n == 1 || !i) {
		b_buf_adds(&b, path);
	} else if (dot && (!slash || dot > slash + 1)) {
		b_buf_add(&b, path, (size_t)(dot - path));
		b_buf_printf(&b, "-%zu%s", i + 1, dot);
	} else {
		b_buf_printf(&b, "%s-%zu", path, i + 1);
	}
	return b_buf_take(&b, NULL);
}

static int write_files(
	const struct wanted *w, const struct rp_run *r, size_t i, struct b_error *err)
{
	char *path;
	int rc = B_OK;

	if (w->junit) {
		path = numbered(w->junit, i, w->n_dirs);
		rc = rp_junit_write(r, path, err);
		free(path);
	}
	if (w->html && !rc) {
		path = numbered(w->html, i, w->n_dirs);
		rc = rp_html_write(r, path, err);
		free(path);
	}
	return rc;
}

static int write_run(const struct wanted *w, const struct rp_run *r, size_t i, struct b_error *err)
{
	int rc = B_OK;

	if (w->text && i)
		putchar('\n');
	if (w->text)
		rc = rp_text_write(r, stdout);
	if (w->json && !rc)
		rc = rp_json_write(r, stdout);
	if (w->csv && !rc)
		rc = rp_csv_write(r, stdout);
	if (w->accounts && !rc)
		rc = rp_accounts_write(r, stdout);
	if (w->jtl && !rc)
		rc = rp_jtl_write(r, stdout, err);
	if (w->hdr && !rc)
		rc = rp_hdr_write(r, stdout);
	return rc ? rc : write_files(w, r, i, err);
}

static int write_ladder(
	const struct wanted *w, const struct rp_ladder *l, size_t i, struct b_error *err)
{
	int rc = B_OK;
	char *path;

	if (w->accounts || w->jtl || w->hdr || w->junit)
		return b_error_set(err, B_EUSAGE,
			"--accounts, --jtl, --hdr and --junit take a single run: give the directory of a step");
	if (w->text && i)
		putchar('\n');
	if (w->text)
		rc = rp_ladder_text_write(l, stdout);
	if (w->json && !rc)
		rc = rp_ladder_json_write(l, stdout);
	if (w->csv && !rc)
		rc = rp_ladder_csv_write(l, stdout);
	if (w->html && !rc) {
		path = numbered(w->html, i, w->n_dirs);
		rc = rp_ladder_html_write(l, path, err);
		free(path);
	}
	return rc;
}

/* The exit status of one directory; the message is out by then. */
static int report(const struct wanted *w, const char *dir, size_t i)
{
	struct b_error err = { 0 };
	struct rp_ladder *l = NULL;
	struct rp_run *r = NULL;
	int rc, why, status = B_EXIT_OK;

	errno = 0;
	if (rp_is_ladder(dir)) {
		rc = rp_ladder_load(&l, dir, &w->load, &err);
		if (!rc)
			rc = write_ladder(w, l, i, &err);
		why = errno;
		if (!rc)
			status = (int)rp_ladder_exit(l);
		rp_ladder_free(l);
	} else {
		rc = rp_run_load(&r, dir, &w->load, &err);
		if (!rc)
			rc = write_run(w, r, i, &err);
		why = errno;
		if (!rc)
			status = (int)rp_run_exit(r);
		rp_run_free(r);
	}
	if (!rc)
		return status;
	if (!err.code)
		b_error_set(
			&err, rc, "cannot write the report to standard output: %s", strerror(why));
	if (why != EPIPE) /* a reader that has seen enough, such as head(1), knows */
		b_error("%s", err.text);
	return rc == B_ENOTFOUND ? B_EXIT_USAGE : (int)b_status_exit(rc);
}

int cmd_report(int argc, char **argv)
{
	struct wanted w = { 0 };
	int c, status = B_EXIT_OK;

	while ((c = getopt_long(argc, argv, "tj", options, NULL)) != -1) {
		if (c == OPT_HELP) {
			fputs(help, stdout);
			free(w.thresholds);
			return B_EXIT_OK;
		}
		status = parse_option(&w, c, optarg);
		if (status)
			goto out;
	}
	if (optind == argc) {
		b_error("no run directory; give the one that rte run -o made");
		status = B_EXIT_USAGE;
		goto out;
	}
	if (!w.json && !w.csv && !w.accounts && !w.jtl && !w.hdr && !w.junit && !w.html)
		w.text = true;
	w.n_dirs = (size_t)(argc - optind);
	for (int i = optind; i < argc; i++) {
		int one = report(&w, argv[i], (size_t)(i - optind));

		status = one > status ? one : status;
	}
out:
	free(w.thresholds);
	return status;
}
