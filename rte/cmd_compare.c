/* rte compare: runs or ladders side by side; everything it knows stands in report/. */
#include <getopt.h>
#include <stdio.h>

#include "base/log.h"
#include "report/report.h"
#include "rte/command.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte compare [OPTION...] RUN_DIR RUN_DIR...\n"
	"\n"
	"Puts runs side by side: transactions down, runs across, each figure with its difference from\n"
	"the first run and whether it stands out of the noise. Directories of repeats of one run\n"
	"count as one column, and the repeats are what the noise is judged by. Ladders are compared\n"
	"by the number of users.\n"
	"\n"
	"  -j, --json        as JSON, on standard output\n"
	"      --html FILE   as a page with charts, one file that needs no network\n"
	"      --help        this text\n"
	"\n"
	"Exit status: 0 whatever the differences; 2 wrong usage or no run directory; 3 a file cannot\n"
	"be read or written.\n";

int cmd_compare(int argc, char **argv)
{
	enum { OPT_HTML = 256, OPT_HELP };
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "html", required_argument, NULL, OPT_HTML },
		{ "help", no_argument, NULL, OPT_HELP },
		{ NULL, 0, NULL, 0 },
	};
	struct b_error err = { 0 };
	struct rp_compare *cmp = NULL;
	const char *html = NULL;
	bool json = false;
	int c, rc;

	while ((c = getopt_long(argc, argv, "j", options, NULL)) != -1) {
		switch (c) {
		case 'j': json = true; break;
		case OPT_HTML: html = optarg; break;
		case OPT_HELP: fputs(help, stdout); return B_EXIT_OK;
		default: b_error("see rte compare --help"); return B_EXIT_USAGE;
		}
	}
	rc = rp_compare_load(
		&cmp, (const char *const *)argv + optind, (size_t)(argc - optind), NULL, &err);
	if (!rc && html)
		rc = rp_compare_html_write(cmp, html, &err);
	if (!rc && json)
		rc = rp_compare_json_write(cmp, stdout);
	else if (!rc && !html)
		rc = rp_compare_text_write(cmp, stdout);
	rp_compare_free(cmp);
	if (!rc)
		return B_EXIT_OK;
	if (!err.code)
		b_error_set(&err, rc, "cannot write the comparison to standard output");
	b_error("%s", err.text);
	return (int)b_status_exit(rc);
}
