/* rte import: recordings of other tools as traces. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/parse.h"
#include "capture/import.h"
#include "capture/trace.h"
#include "rte/command.h"
#include "rte/recording.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte import [OPTION...] FILE\n\n"
	"Turns a recording of another tool into a trace, NAME.cast:\n"
	"  asciicast v1, v2, v3     asciinema and others\n"
	"  script(1)                its log; --timing FILE is the timing file, classic or advanced\n"
	"  ttyrec\n"
	"  autoexpect               as far as its send and expect lines tell; a script, NAME.lua,\n"
	"                           is made of it too\n"
	"What the file is shows from its contents. rte script NAME.cast makes a script of a trace.\n"
	"Files of that name that are there already are kept as NAME.cast~ and NAME.lua~.\n\n"
	"  -o, --output NAME        name of the trace (default: FILE's own, in this folder)\n"
	"      --timing FILE        timing file of script(1)\n"
	"      --size COLSxROWS     window size, where the recording does not have it\n"
	"      --term TERM          terminal type, where the recording does not have it\n"
	"  -h, --help               print this\n\n"
	"Exit status: 0 all well; 2 wrong usage or no such recording; 3 the trace cannot be written.\n";

struct options {
	const char *output;
	struct cap_import_options import;
};

static int parse(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "timing", required_argument, NULL, 't' },
		{ "size", required_argument, NULL, 's' },
		{ "term", required_argument, NULL, 'T' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "o:h", longs, NULL)) != -1) {
		switch (c) {
		case 'o': o->output = optarg; break;
		case 't': o->import.timing_path = optarg; break;
		case 's':
			if (b_parse_size(optarg, &o->import.cols, &o->import.rows)) {
				b_error("--size '%s' is no size; write COLSxROWS, as in 80x24",
					optarg);
				return B_EXIT_USAGE;
			}
			break;
		case 'T': o->import.term = optarg; break;
		case 'h': fputs(help, stdout); return -1;
		default: b_error("see rte import --help"); return B_EXIT_USAGE;
		}
	}
	if (optind + 1 != argc) {
		b_error("import takes one FILE; see rte import --help");
		return B_EXIT_USAGE;
	}
	o->import.path = argv[optind];
	return B_EXIT_OK;
}

/* The file's name without folder and last ending. */
static void own_name(const char *path, struct b_buf *out)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	if (!strcmp(path, "-") || !*name)
		b_buf_adds(out, "import");
	else
		b_buf_add(out, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static int write_all(const struct options *o, const struct cap_import_result *r, const char *base)
{
	struct b_buf trace_path = B_BUF_INIT, script_path = B_BUF_INIT;
	struct b_error err = { 0 };
	int status = B_EXIT_OK;

	b_buf_printf(&trace_path, "%s.cast", base);
	b_buf_printf(&script_path, "%s.lua", base);
	if (rte_recording_itself(b_buf_cstr(&trace_path), o->import.path)) {
		status = B_EXIT_USAGE;
	} else if (rte_recording_keep_old(b_buf_cstr(&trace_path))) {
		status = B_EXIT_ENV;
	} else if (cap_trace_save(r->trace, b_buf_cstr(&trace_path), &err)) {
		b_error("%s", err.text);
		rte_recording_restore_old(b_buf_cstr(&trace_path));
		status = B_EXIT_ENV;
	} else {
		b_info("%zu events as %s", r->trace->n_events, b_buf_cstr(&trace_path));
	}
	if (status == B_EXIT_OK && !cap_import_has_input(r->trace))
		b_warn("nothing that was typed is in it: a script of it only waits");
	if (status == B_EXIT_OK && r->format == CAP_IMPORT_AUTOEXPECT) {
		int rc = rte_recording_write_script(
			b_buf_cstr(&trace_path), base, b_buf_cstr(&script_path));

		if (rc)
			status = (int)b_status_exit(rc);
		else
			b_info("script %s", b_buf_cstr(&script_path));
	}
	b_buf_release(&trace_path);
	b_buf_release(&script_path);
	return status;
}

int cmd_import(int argc, char **argv)
{
	struct options o = { 0 };
	struct cap_import_result result;
	struct b_buf base = B_BUF_INIT;
	struct b_error err = { 0 };
	int rc = parse(argc, argv, &o);

	if (rc)
		return rc < 0 ? B_EXIT_OK : rc;
	rc = cap_import(&result, &o.import, &err);
	if (rc) {
		b_error("%s", err.text);
		return (int)b_status_exit(rc);
	}
	if (o.output && *o.output)
		rte_recording_name(&base, o.output);
	else
		own_name(o.import.path, &base);
	rte_recording_warn(&result.notes);
	rc = write_all(&o, &result, b_buf_cstr(&base));
	cap_trace_free(result.trace);
	b_buf_release(&result.notes);
	b_buf_release(&base);
	return rc;
}
