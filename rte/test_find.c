#include "rte/test_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/parse.h"
#include "rte/golden.h"
#include "rte/test.h"
#include "base/banned.h"

#define DEPTH_MAX 32

static bool ends(const char *s, const char *with)
{
	size_t len = strlen(s), n = strlen(with);

	return len >= n && !strcmp(s + len - n, with);
}

static void add(struct rte_finds *f, const char *path, int line, const char *root, bool named)
{
	while (path[0] == '.' && path[1] == '/' && path[2])
		path += 2 + strspn(path + 2, "/");
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->list[i].path, path) && (!f->list[i].line || f->list[i].line == line))
			return;
	f->list = b_reallocarray(f->list, f->n + 1, sizeof *f->list);
	f->list[f->n++] = (struct rte_found){ b_strdup(path), line, b_strdup(root), named };
}

static int is_script(const char *path, bool *is, struct b_error *err)
{
	bool workload = false;
	int rc = rte_script_is_workload(path, &workload, err);

	*is = false;
	if (!rc && !workload)
		rc = rte_script_is_test(path, is, err);
	return rc;
}

static int hidden(const struct dirent *d)
{
	return *d->d_name != '.';
}

/* By bytes, so that the order is the same on every machine. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void look_for_script(struct rte_finds *f, const char *goldens)
{
	size_t len = strlen(goldens) - strlen(RTE_GOLDEN_SUFFIX);
	struct b_buf script = B_BUF_INIT;
	struct stat st;

	b_buf_add(&script, goldens, len);
	if (stat(b_buf_cstr(&script), &st) || !S_ISREG(st.st_mode)) {
		b_buf_adds(&script, ".lua");
		if (stat(b_buf_cstr(&script), &st)) {
			f->orphans = b_reallocarray(f->orphans, f->n_orphans + 1, sizeof(char *));
			f->orphans[f->n_orphans++] = b_strdup(goldens);
		}
	}
	b_buf_release(&script);
}

static int find_below(
	struct rte_finds *f, const char *folder, const char *root, int depth, struct b_error *err)
{
	struct dirent **names;
	int n = scandir(folder, &names, hidden, by_name), rc = B_OK;

	if (n < 0)
		return b_error_set(
			err, B_EUSAGE, "cannot read the folder %s: %s", folder, strerror(errno));
	for (int i = 0; i < n; i++) {
		struct b_buf path = B_BUF_INIT;
		const char *name = names[i]->d_name;
		struct stat st;
		bool is = false;

		b_buf_printf(&path, "%s%s%s", folder, ends(folder, "/") ? "" : "/", name);
		if (rc || stat(b_buf_cstr(&path), &st)) {
			/* gone, or after an error */
		} else if (S_ISDIR(st.st_mode)) {
			if (ends(name, RTE_GOLDEN_SUFFIX))
				look_for_script(f, b_buf_cstr(&path));
			else if (depth < DEPTH_MAX)
				rc = find_below(f, b_buf_cstr(&path), root, depth + 1, err);
		} else if (S_ISREG(st.st_mode) && ends(name, ".lua") &&
			strcmp(name, RTE_SUITE_FILE)) {
			rc = is_script(b_buf_cstr(&path), &is, err);
			if (!rc && is)
				add(f, b_buf_cstr(&path), 0, root, false);
		}
		b_buf_release(&path);
		free(names[i]);
	}
	free(names);
	return rc;
}

static int find_file(struct rte_finds *f, const char *path, int line, struct b_error *err)
{
	const char *slash = strrchr(path, '/');
	char *root =
		slash ? b_strndup(path, (size_t)(slash - path) + (slash == path)) : b_strdup(".");
	bool workload = false;
	int rc = rte_script_is_workload(path, &workload, err);

	if (!rc && workload)
		rc = b_error_set(err, B_EUSAGE,
			"%s is a workload; test one of its scripts, or rte run it", path);
	if (!rc)
		add(f, path, line, root, true);
	free(root);
	return rc;
}

/* FILE:LINE, unless there is a file of that name. */
static int find_line(struct rte_finds *f, const char *path, struct b_error *err)
{
	const char *colon = strrchr(path, ':');
	char *file = colon ? b_strndup(path, (size_t)(colon - path)) : NULL;
	struct stat st;
	int64_t line;
	int rc;

	if (!colon || b_parse_int(colon + 1, 1, 10000000, &line) || stat(file, &st) ||
		!S_ISREG(st.st_mode))
		rc = b_error_set(err, B_EUSAGE, "there is no script or folder %s", path);
	else
		rc = find_file(f, file, (int)line, err);
	free(file);
	return rc;
}

int rte_test_find(struct rte_finds *out, char *const *paths, size_t n, struct b_error *err)
{
	struct rte_finds f = { 0 };
	int rc = B_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		struct stat st;

		if (stat(paths[i], &st))
			rc = find_line(&f, paths[i], err);
		else if (S_ISDIR(st.st_mode))
			rc = find_below(&f, paths[i], paths[i], 0, err);
		else
			rc = find_file(&f, paths[i], 0, err);
	}
	if (rc)
		rte_test_find_release(&f);
	else
		*out = f;
	return rc;
}

void rte_test_find_release(struct rte_finds *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->list[i].path);
		free(f->list[i].root);
	}
	for (size_t i = 0; i < f->n_orphans; i++)
		free(f->orphans[i]);
	free(f->orphans);
	free(f->list);
	*f = (struct rte_finds){ 0 };
}
