#include "rte/test_artifacts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "capture/trace.h"
#include "base/banned.h"

#define PART_MAX  80  /* of a name */
#define TRIES_MAX 101 /* as many as --retries allows, and the first */

/* ---- Names --------------------------------------------------------------------------------- */

/* A name of a test as one of a file. What had to be changed has a number behind it, so that no
   two names meet. */
static void add_name(struct b_buf *out, const char *name)
{
	unsigned hash = 2166136261u;
	bool changed = false;
	size_t n = 0;

	for (const char *c = name; *c; c++) {
		bool plain = isalnum((unsigned char)*c) || strchr("._-", *c);

		hash = (hash ^ (unsigned char)*c) * 16777619u;
		changed = changed || !plain || (c == name && *c == '.') || n >= PART_MAX;
		if (n >= PART_MAX || (c == name && *c == '.'))
			continue;
		if (plain || (n && out->data[out->len - 1] != '-')) {
			b_buf_addc(out, plain ? *c : '-');
			n++;
		}
	}
	if (changed || !n)
		b_buf_printf(out, "%s%04x", n && out->data[out->len - 1] == '-' ? "" : "-",
			hash & 0xFFFFu);
}

static void add_folder(
	const struct rte_test_options *opt, const struct rte_test *t, int number, struct b_buf *out)
{
	size_t len = strlen(t->file);
	char *script =
		b_strndup(t->file, len > 4 && !strcmp(t->file + len - 4, ".lua") ? len - 4 : len);

	b_buf_printf(out, "%s/", opt->artifacts);
	for (char *part = script; *part;) {
		size_t n = strcspn(part, "/");
		char after = part[n];

		part[n] = '\0';
		if (*part && strcmp(part, ".") != 0 && strcmp(part, "..") != 0) {
			add_name(out, part);
			b_buf_addc(out, '/');
		}
		part += n + (after != '\0');
	}
	free(script);
	add_name(out, t->name);
	if (number > 1)
		b_buf_printf(out, "-try%d", number);
}

int rte_test_folders_make(const char *path, struct b_error *err)
{
	char *copy = b_strdup(path);
	int rc = B_OK;
	bool ok = true;

	for (char *slash = strchr(copy + (*copy == '/'), '/'); ok; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		ok = !mkdir(copy, 0777) || errno == EEXIST;
		if (!slash)
			break;
		*slash = '/';
	}
	if (!ok)
		rc = b_error_set(err, B_ESYS, "cannot create %s: %s", path, strerror(errno));
	free(copy);
	return rc;
}

void rte_test_artifacts_remove(const struct rte_test_options *opt, const struct rte_test *t)
{
	for (int number = 1; number <= TRIES_MAX; number++) {
		struct b_buf path = B_BUF_INIT;
		struct dirent *d;
		DIR *dir;

		add_folder(opt, t, number, &path);
		dir = opendir(b_buf_cstr(&path));
		while (dir && (d = readdir(dir)))
			unlinkat(dirfd(dir), d->d_name, 0);
		if (dir)
			closedir(dir);
		rmdir(b_buf_cstr(&path));
		b_buf_release(&path);
		if (!dir)
			break;
	}
}

/* ---- Files --------------------------------------------------------------------------------- */

int rte_test_file_write(const char *path, const char *text, size_t len, struct b_error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), rc = B_OK;
	ssize_t n = fd < 0 ? -1 : 0;

	while (n >= 0 && len) {
		n = write(fd, text, len);
		if (n < 0 && errno == EINTR)
			n = 0;
		text += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		rc = b_error_set(err, B_ESYS, "cannot write %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return rc;
}

static void save(const char *folder, const char *name, const char *text, size_t len)
{
	struct b_buf path = B_BUF_INIT;
	struct b_error err = { 0 };

	b_buf_printf(&path, "%s/%s", folder, name);
	if (rte_test_file_write(b_buf_cstr(&path), text, len, &err))
		b_warn("%s", err.text);
	b_buf_release(&path);
}

/* All output, or input, in one piece, so that a secret is found across reads and keys; then apart
   again. */
static void redact_events(struct rte_record *r, char code)
{
	struct b_buf all = B_BUF_INIT;
	size_t at = 0;

	for (size_t i = 0; i < r->n_events; i++)
		if (r->events[i].code == code)
			b_buf_add(&all, r->bytes.data + r->events[i].from, r->events[i].len);
	rte_redact_output(&rte_solo_user(r->solo)->secrets, all.data, all.len, false);
	for (size_t i = 0; i < r->n_events; i++) {
		if (r->events[i].code != code)
			continue;
		memcpy(r->bytes.data + r->events[i].from, all.data + at, r->events[i].len);
		at += r->events[i].len;
	}
	b_buf_release(&all);
}

static void save_trace(struct rte_record *r, const char *folder)
{
	const struct rte_role *role = &r->solo->shared.roles[0];
	struct cap_trace *t = cap_trace_new(role->rows, role->cols, role->term);
	struct b_buf path = B_BUF_INIT, label = B_BUF_INIT;
	struct b_error err = { 0 };
	size_t step = 0;

	t->timestamp_s = b_clock_wall_ns() / B_NS_PER_S;
	redact_events(r, 'o');
	redact_events(r, 'i');
	for (size_t i = 0; i <= r->n_events; i++) {
		const struct rte_event_record *e = i < r->n_events ? &r->events[i] : NULL;

		for (; step < r->n_steps && (!e || r->steps[step].at_ns <= e->at_ns); step++) {
			b_buf_clear(&label);
			b_buf_printf(&label, "comment line %d: %s", r->steps[step].line,
				r->steps[step].what);
			cap_trace_add(t, r->steps[step].at_ns, 'm', label.data, label.len);
		}
		if (e)
			cap_trace_add(t, e->at_ns, e->code, r->bytes.data + e->from, e->len);
	}
	b_buf_printf(&path, "%s/trace.cast", folder);
	if (cap_trace_save(t, b_buf_cstr(&path), &err))
		b_warn("%s", err.text);
	cap_trace_free(t);
	b_buf_release(&path);
	b_buf_release(&label);
}

static void copy_file(const char *from, const char *folder, const char *name)
{
	struct b_buf text = B_BUF_INIT;
	FILE *f = fopen(from, "re");
	size_t n = 1;

	if (!f)
		return;
	while (n) {
		b_buf_reserve(&text, 65536);
		n = fread(text.data + text.len, 1, 65536, f);
		text.len += n;
	}
	fclose(f);
	save(folder, name, b_buf_cstr(&text), text.len);
	b_buf_release(&text);
}

static void save_goldens(const struct rte_record *r, const char *folder)
{
	for (size_t i = 0; i < r->n_differing; i++) {
		const struct rte_golden_record *g = &r->differing[i];
		struct b_buf name = B_BUF_INIT;
		size_t len;

		add_name(&name, g->name);
		len = name.len;
		b_buf_adds(&name, ".expected.txt");
		copy_file(g->path, folder, b_buf_cstr(&name));
		b_buf_truncate(&name, len);
		b_buf_adds(&name, ".actual.txt");
		save(folder, b_buf_cstr(&name), g->actual, strlen(g->actual));
		b_buf_truncate(&name, len);
		b_buf_adds(&name, ".diff.txt");
		save(folder, b_buf_cstr(&name), g->diff, strlen(g->diff));
		b_buf_release(&name);
	}
}

static json_t *steps_json(const struct rte_record *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rte_step_record *s = &r->steps[i];
		json_t *o = json_object();

		json_object_set_new(o, "what", rte_test_escaped(s->what, strlen(s->what)));
		if (s->file)
			json_object_set_new(o, "file", rte_test_escaped(s->file, strlen(s->file)));
		json_object_set_new(o, "line", json_integer(s->line));
		json_object_set_new(o, "at_s", json_real((double)s->at_ns / 1e9));
		json_array_append_new(list, o);
	}
	return list;
}

static void save_result(const struct rte_record *r, const json_t *attempt, const char *folder)
{
	json_t *o = json_copy((json_t *)attempt);
	char *text;

	json_object_set_new(o, "test", rte_test_escaped(r->test->name, strlen(r->test->name)));
	json_object_set_new(o, "steps", steps_json(r));
	text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	if (text)
		save(folder, "result.json", text, strlen(text));
	free(text);
	json_decref(o);
}

void rte_test_artifacts_write(struct rte_record *r, json_t *attempt, int number)
{
	const char *screen = rte_test_text(json_array_get(r->failures, 0), "screen");
	struct b_buf folder = B_BUF_INIT, page = B_BUF_INIT;
	struct b_error err = { 0 };

	add_folder(r->opt, r->test, number, &folder);
	if (rte_test_folders_make(b_buf_cstr(&folder), &err)) {
		b_warn("%s; nothing is kept there", err.text);
		b_buf_release(&folder);
		return;
	}
	json_object_set_new(attempt, "artifacts", rte_test_escaped(folder.data, folder.len));
	save_trace(r, b_buf_cstr(&folder));
	save_goldens(r, b_buf_cstr(&folder));
	if (*screen)
		save(b_buf_cstr(&folder), "screen.txt", screen, strlen(screen));
	save_result(r, attempt, b_buf_cstr(&folder));
	rte_test_html(r, attempt, &page);
	save(b_buf_cstr(&folder), "trace.html", b_buf_cstr(&page), page.len);
	b_buf_release(&page);
	b_buf_release(&folder);
}
