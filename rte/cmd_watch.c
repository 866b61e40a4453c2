#include <getopt.h>
#include <stdio.h>

#include "base/log.h"
#include "base/parse.h"
#include "rte/command.h"
#include "rte/display.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte watch [OPTION...] RUN_DIR\n"
	"\n"
	"Shows a run that goes on, on this terminal: phase, users, response times, errors, and any\n"
	"user's screen live. Looks only, unless told otherwise; leaving it never touches the run.\n"
	"\n"
	"      --user N   look over this user's shoulder\n"
	"      --control  keys that steer the run work: users, pause, next phase, end\n"
	"      --help     this text\n"
	"\n"
	"The keys stand in the last line; ? explains them.\n"
	"\n"
	"Exit status: 0 the person left or the run ended; 2 wrong usage; 3 no run goes on there, or\n"
	"the terminal will not do.\n";

int cmd_watch(int argc, char **argv)
{
	enum { OPT_USER = 256, OPT_CONTROL, OPT_ATTACHED };
	static const struct option options[] = { { "user", required_argument, NULL, OPT_USER },
		{ "control", no_argument, NULL, OPT_CONTROL },
		{ "attached", no_argument, NULL, OPT_ATTACHED }, /* by rte run, on its terminal */
		{ "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
	struct rte_display_options d = { 0 };
	struct b_error err = { 0 };
	bool ended = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (opt) {
		case OPT_USER:
			if (!b_parse_int(optarg, 1, INT64_MAX, &d.user))
				break;
			b_error("--user '%s' is no number of a user", optarg);
			return B_EXIT_USAGE;
		case OPT_CONTROL: d.control = true; break;
		case OPT_ATTACHED: d.attached = d.control = true; break;
		case 'h': fputs(help, stdout); return B_EXIT_OK;
		default: b_error("see rte watch --help"); return B_EXIT_USAGE;
		}
	}
	if (argc - optind != 1) {
		b_error("one run directory is needed; see rte watch --help");
		return B_EXIT_USAGE;
	}
	d.dir = argv[optind];
	if (rte_display_run(&d, &ended, &err)) {
		b_error("%s", err.text);
		return (int)b_status_exit(err.code);
	}
	if (ended && !d.attached)
		b_info("the run has ended; rte report %s shows it", d.dir);
	return B_EXIT_OK;
}
