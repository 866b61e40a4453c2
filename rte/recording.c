#include "rte/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "capture/generate.h"
#include "capture/trace.h"
#include "base/banned.h"

void rte_recording_name(struct b_buf *out, const char *name)
{
	size_t start = out->len, len;

	b_buf_adds(out, name);
	len = out->len - start;
	if (len > 5 && !strcmp(b_buf_cstr(out) + out->len - 5, ".cast"))
		b_buf_truncate(out, out->len - 5);
	else if (len > 4 && !strcmp(b_buf_cstr(out) + out->len - 4, ".lua"))
		b_buf_truncate(out, out->len - 4);
}

int rte_recording_no_folder(const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return B_OK;
	b_error("%s is a folder; choose another name with -o", path);
	return B_ESYS;
}

int rte_recording_itself(const char *path, const char *recording)
{
	struct stat a, b;

	if (stat(path, &a) || stat(recording, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return B_OK;
	b_error("%s would replace the recording that it is made of; give another name with -o",
		path);
	return B_EUSAGE;
}

int rte_recording_keep_old(const char *path)
{
	struct b_buf old = B_BUF_INIT;
	int rc = rte_recording_no_folder(path);

	if (rc)
		return rc;
	b_buf_printf(&old, "%s~", path);
	if (!rename(path, b_buf_cstr(&old))) {
		b_info("the old %s is kept as %s", path, b_buf_cstr(&old));
	} else if (errno != ENOENT) {
		b_error("cannot keep the old %s as %s: %s; choose another name with -o", path,
			b_buf_cstr(&old), strerror(errno));
		rc = B_ESYS;
	}
	b_buf_release(&old);
	return rc;
}

void rte_recording_restore_old(const char *path)
{
	struct b_buf old = B_BUF_INIT;

	b_buf_printf(&old, "%s~", path);
	if (access(path, F_OK))
		(void)!rename(b_buf_cstr(&old), path);
	b_buf_release(&old);
}

void rte_recording_warn(const struct b_buf *text)
{
	const char *p = text->data, *end = text->data + text->len;

	while (p && p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((nl ? nl : end) - p);

		if (n)
			b_warn("%.*s", (int)n, p);
		p += n + 1;
	}
}

static int write_file(const char *path, const struct b_buf *text)
{
	FILE *f = fopen(path, "we");
	bool ok = f && fwrite(text->data ? text->data : "", 1, text->len, f) == text->len;

	if (f && fclose(f))
		ok = false;
	if (!ok)
		b_error("cannot write the script %s: %s; the recording is whole, see rte script",
			path, strerror(errno));
	return ok ? B_OK : B_ESYS;
}

int rte_recording_write_script(const char *trace_path, const char *base, const char *script_path)
{
	struct b_buf script = B_BUF_INIT, warnings = B_BUF_INIT;
	const char *slash = strrchr(base, '/');
	const struct cap_generate_options opt = {
		.trace_path = trace_path,
		.script_name = slash ? slash + 1 : base,
		.warnings = &warnings,
	};
	struct cap_trace *trace = NULL;
	struct b_error err = { 0 };
	int rc = cap_trace_load(&trace, trace_path, &err);

	if (!rc) {
		const struct cap_trace *const traces[] = { trace };

		rc = cap_generate(traces, 1, &opt, &script, NULL, &err);
	}
	if (rc)
		b_error("no script: %s", err.text);
	else if (!(rc = rte_recording_keep_old(script_path)))
		rc = write_file(script_path, &script);
	rte_recording_warn(&warnings);
	cap_trace_free(trace);
	b_buf_release(&script);
	b_buf_release(&warnings);
	return rc;
}
