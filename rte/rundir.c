#define _GNU_SOURCE /* FTW_PHYS */
#include "rte/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "report/report.h"
#include "rte/control.h"
#include "base/banned.h"

char *rte_rundir_file(const char *dir, const char *name)
{
	struct b_buf b = B_BUF_INIT;

	b_buf_printf(&b, "%s/%s", dir, name);
	return b_buf_take(&b, NULL);
}

static bool holds(const char *dir, const char *name)
{
	char *path = rte_rundir_file(dir, name);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

/* Ours to move aside: a run, or a directory of runs. */
static bool is_run(const char *dir)
{
	return holds(dir, RUNDIR_RUN_JSON) || holds(dir, RUNDIR_TRANSACTIONS_CSV) ||
		rp_is_ladder(dir);
}

static bool is_empty(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	bool empty = true;

	if (!d)
		return false;
	while (empty && (e = readdir(d)))
		empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
	closedir(d);
	return empty;
}

static bool answers(const char *dir)
{
	struct b_error ignored = { 0 };
	int fd;

	if (!holds(dir, RUNDIR_CONTROL_SOCKET) || rte_control_connect(dir, &fd, &ignored))
		return false;
	close(fd);
	return true;
}

/* Whether a run, or a step of a ladder, is writing there now. */
static bool goes_on(const char *dir)
{
	bool live = answers(dir);
	struct dirent *e;
	DIR *d = opendir(dir);

	while (d && !live && (e = readdir(d))) {
		char *step = rte_rundir_file(dir, e->d_name);

		live = e->d_name[0] != '.' && answers(step);
		free(step);
	}
	if (d)
		closedir(d);
	return live;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int move_aside(const char *path, struct b_error *err)
{
	struct b_buf aside = B_BUF_INIT;
	int rc = B_OK;

	b_buf_printf(&aside, "%s~", path);
	if (!access(b_buf_cstr(&aside), F_OK)) {
		if (!is_run(b_buf_cstr(&aside)) && !is_empty(b_buf_cstr(&aside)))
			rc = b_error_set(err, B_EUSAGE,
				"%s holds a run, and %s is in the way of moving it aside; "
				"remove one of them, or give another -o",
				path, b_buf_cstr(&aside));
		else if (nftw(b_buf_cstr(&aside), remove_one, 16, FTW_DEPTH | FTW_PHYS))
			rc = b_error_set(err, B_EENV, "cannot remove %s: %s", b_buf_cstr(&aside),
				strerror(errno));
	}
	if (!rc && rename(path, b_buf_cstr(&aside)))
		rc = b_error_set(err, B_EENV, "cannot move %s aside: %s; give another -o", path,
			strerror(errno));
	b_buf_release(&aside);
	return rc;
}

static int make_path(const char *path)
{
	char *part = b_strdup(path);
	int rc = 0;

	for (char *s = part + 1; *s && !rc; s++) {
		if (*s != '/')
			continue;
		*s = 0;
		rc = mkdir(part, 0755) && errno != EEXIST ? -1 : 0;
		*s = '/';
	}
	if (!rc)
		rc = mkdir(part, 0755) && errno != EEXIST ? -1 : 0;
	free(part);
	return rc;
}

int rte_rundir_make(char **out, const char *path, bool *moved, struct b_error *err)
{
	char *dir, name[64];
	time_t now = time(NULL);
	struct stat st;
	struct tm tm;
	size_t len;
	int rc;

	*moved = false;
	if (!path) {
		if (!localtime_r(&now, &tm) ||
			!strftime(name, sizeof name, "rte-run-%Y%m%d-%H%M%S", &tm))
			return b_error_set(err, B_EENV, "no name for the run directory; give -o");
		path = name;
	}
	if (!*path)
		return b_error_set(err, B_EUSAGE, "the run directory has an empty name");
	dir = b_strdup(path);
	for (len = strlen(dir); len > 1 && dir[len - 1] == '/'; len--)
		dir[len - 1] = 0;
	if (!stat(dir, &st)) {
		if (!S_ISDIR(st.st_mode)) {
			rc = b_error_set(err, B_EUSAGE, "%s is no directory; give another -o", dir);
			goto fail;
		}
		if (is_run(dir)) {
			rc = goes_on(dir) ? b_error_set(err, B_EUSAGE,
						    "a run is writing %s now; give another -o, or "
						    "end it: rte ctl %s stop",
						    dir, dir)
					  : move_aside(dir, err);
			if (rc)
				goto fail;
			*moved = true;
		} else if (!is_empty(dir)) {
			if (access(dir, R_OK | X_OK))
				rc = b_error_set(err, B_EENV, "cannot look into %s: %s", dir,
					strerror(errno));
			else
				rc = b_error_set(err, B_EUSAGE,
					"%s holds other files than a run's; give another -o", dir);
			goto fail;
		}
	}
	if (make_path(dir) || access(dir, W_OK | X_OK)) {
		rc = b_error_set(err, B_EENV,
			"cannot write the run directory %s: %s; give another -o", dir,
			strerror(errno));
		goto fail;
	}
	*out = dir;
	return B_OK;
fail:
	free(dir);
	return rc;
}

/* ---- run.json ------------------------------------------------------------------------------ */

static int add(const char *bytes, size_t len, void *to)
{
	b_buf_add(to, bytes, len);
	return 0;
}

int rte_rundir_json_write(const char *dir, const json_t *root, struct b_error *err)
{
	char *path = rte_rundir_file(dir, RUNDIR_RUN_JSON);
	struct b_buf text = B_BUF_INIT;
	int rc;

	json_dump_callback(root, add, &text, JSON_INDENT(2) | JSON_REAL_PRECISION(16));
	b_buf_addc(&text, '\n');
	rc = b_file_replace(path, text.data, text.len, err);
	b_buf_release(&text);
	free(path);
	return rc;
}

json_t *rte_json_instant(int64_t wall_ns)
{
	return json_real((double)(wall_ns / 1000) / 1e6);
}

json_t *rte_json_seconds(int64_t ns)
{
	return ns < 0 || ns == INT64_MAX ? json_null() : json_real((double)ns / 1e9);
}

json_t *rte_json_text(const char *s)
{
	struct b_buf b = B_BUF_INIT;
	json_t *v;

	if (!s)
		return json_null();
	b_escape_text(&b, s, strlen(s));
	v = json_string(b_buf_cstr(&b));
	b_buf_release(&b);
	return v ? v : json_string("");
}

/* The value of the first line of a file in /proc that begins with key. */
static void proc_value(const char *path, const char *key, char *out, size_t cap)
{
	FILE *f = fopen(path, "re");
	char line[512];

	*out = 0;
	while (f && fgets(line, sizeof line, f)) {
		char *colon = strchr(line, ':');

		if (strncmp(line, key, strlen(key)) || !colon)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(out, cap, "%.*s", (int)strcspn(colon, "\n"), colon);
		break;
	}
	if (f)
		fclose(f);
}

json_t *rte_host_json(void)
{
	json_t *host = json_object();
	struct utsname un;
	char text[256];

	if (!uname(&un)) {
		json_object_set_new(host, "name", rte_json_text(un.nodename));
		snprintf(text, sizeof text, "%s %s %s", un.sysname, un.release, un.machine);
		json_object_set_new(host, "kernel", rte_json_text(text));
	}
	proc_value("/proc/cpuinfo", "model name", text, sizeof text);
	json_object_set_new(host, "cpu", rte_json_text(text));
	json_object_set_new(host, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(host, "memory_kib",
		json_integer(sysconf(_SC_PHYS_PAGES) * (sysconf(_SC_PAGESIZE) / 1024)));
	return host;
}
