/* rte script: a script, and a data file, from one or more traces. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "capture/generate.h"
#include "rte/command.h"
#include "rte/recording.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte script TRACE.cast [TRACE2.cast ...] [-o NAME.lua] [--data]\n"
	"\n"
	"Writes a script from a trace: the keys that were typed, what to wait for after each,\n"
	"and what was typed as a table of named values. The same trace gives the same script.\n"
	"With two or more traces of the same session, what differs on their screens is never\n"
	"waited for and is masked in golden screens, and what differs in their input is marked.\n"
	"\n"
	"  -o, --output NAME.lua  write the script there instead of to standard output (also -)\n"
	"      --data             also write NAME.csv, a column for each value that was typed (with\n"
	"                         several traces: that differs) and a row for each trace, and a\n"
	"                         script that reads it; needs -o\n"
	"      --target TARGET    name this target in the script instead of the recorded one\n"
	"  -h, --help             this text\n"
	"\n"
	"TRACE.cast is an asciicast (v1, v2 or v3); - is standard input. A trace without input gives a\n"
	"script that only waits. What could not be made sure is a warning, on standard error and as\n"
	"a comment in the script.\n"
	"\n"
	"Exit status: 0 written; 2 wrong usage, or a trace that cannot be read; 3 the file cannot be\n"
	"written.\n";

static const struct option options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "data", no_argument, NULL, 'd' },
	{ "target", required_argument, NULL, 't' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct args {
	const char *output, *target;
	bool data, help;
	char **traces;
	size_t n_traces;
};

static int args_parse(int argc, char **argv, struct args *a)
{
	int c;

	memset(a, 0, sizeof *a);
	optind = 1;
	while ((c = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
		switch (c) {
		case 'o': a->output = optarg; break;
		case 'd': a->data = true; break;
		case 't': a->target = optarg; break;
		case 'h': a->help = true; return 0;
		default: b_error("see rte script --help"); return B_EUSAGE;
		}
	}
	a->traces = argv + optind;
	a->n_traces = (size_t)(argc - optind);
	if (!a->n_traces) {
		b_error("no trace was given; see rte script --help");
		return B_EUSAGE;
	}
	/* As TRACE.cast takes it. */
	if (a->output && !strcmp(a->output, "-"))
		a->output = NULL;
	if (a->data && !a->output) {
		b_error("--data writes a file beside the script: name the script with -o NAME.lua");
		return B_EUSAGE;
	}
	return 0;
}

/* The last part of a path, without `ending` when it has it. */
static char *name_of(const char *path, const char *ending)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = strlen(name), n = strlen(ending);

	if (len > n && !strcmp(name + len - n, ending))
		len -= n;
	return b_strndup(name, len);
}

/* NAME.lua to NAME.csv; the caller's. */
static char *data_path(const char *output)
{
	size_t len = strlen(output);
	struct b_buf path = B_BUF_INIT;

	if (len > 4 && !strcmp(output + len - 4, ".lua"))
		len -= 4;
	b_buf_add(&path, output, len);
	b_buf_adds(&path, ".csv");
	return b_buf_take(&path, NULL);
}

static int file_write(const char *path, const struct b_buf *b)
{
	struct b_error err = { 0 };

	if (!b_file_replace(path, b->data ? b->data : "", b->len, &err))
		return 0;
	b_error("%s; choose another name with -o", err.text);
	return B_EENV;
}

static int output_write(const struct args *a, const char *csv_path, const struct b_buf *script,
	const struct b_buf *csv)
{
	int rc;

	if (!a->output) {
		if (fwrite(script->data, 1, script->len, stdout) != script->len || fflush(stdout)) {
			b_error("cannot write the script to standard output: %s", strerror(errno));
			return B_EENV;
		}
		return 0;
	}
	rc = file_write(a->output, script);
	if (!rc && a->data)
		rc = file_write(csv_path, csv);
	return rc;
}

static void warnings_show(const struct b_buf *warnings)
{
	size_t n = 0, from = 0;

	for (size_t i = 0; i < warnings->len; i++) {
		if (warnings->data[i] != '\n')
			continue;
		b_warn("%.*s", (int)(i - from), warnings->data + from);
		from = i + 1;
		n++;
	}
	if (n)
		b_warn("%zu %s; look at them in the script", n,
			n == 1 ? "place was not sure" : "places were not sure");
}

static int script_make(const struct args *a, struct cap_trace **traces, struct b_error *err)
{
	struct b_buf script = B_BUF_INIT, csv = B_BUF_INIT, warnings = B_BUF_INIT;
	char *name = name_of(a->output ? a->output : a->traces[0], a->output ? ".lua" : ".cast");
	char *csv_path = a->data ? data_path(a->output) : NULL;
	char *csv_name = csv_path ? name_of(csv_path, "") : NULL;
	struct cap_generate_options opt = {
		.trace_path = a->traces[0],
		.script_name = name,
		.target = a->target,
		.data = a->data,
		.data_path = csv_name,
		.warnings = &warnings,
	};
	int rc = cap_generate(
		(const struct cap_trace *const *)traces, a->n_traces, &opt, &script, &csv, err);

	if (!rc)
		rc = output_write(a, csv_path, &script, &csv);
	if (!rc)
		warnings_show(&warnings);
	b_buf_release(&script);
	b_buf_release(&csv);
	b_buf_release(&warnings);
	free(name);
	free(csv_path);
	free(csv_name);
	return rc;
}

int cmd_script(int argc, char **argv)
{
	struct b_error err = { 0 };
	struct cap_trace **traces;
	struct args a;
	int rc = args_parse(argc, argv, &a);

	if (rc)
		return B_EXIT_USAGE;
	if (a.help) {
		fputs(help, stdout);
		return B_EXIT_OK;
	}
	for (size_t i = 0; i < a.n_traces && a.output; i++)
		if (rte_recording_itself(a.output, a.traces[i]))
			return B_EXIT_USAGE;
	traces = b_calloc(a.n_traces, sizeof *traces);
	for (size_t i = 0; i < a.n_traces && !rc; i++)
		rc = cap_trace_load(&traces[i], a.traces[i], &err);
	if (!rc)
		rc = script_make(&a, traces, &err);
	for (size_t i = 0; i < a.n_traces; i++)
		cap_trace_free(traces[i]);
	free(traces);
	if (rc && err.code)
		b_error("%s", err.text);
	return rc ? (int)b_status_exit(rc) : B_EXIT_OK;
}
