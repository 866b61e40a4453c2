/* Whether so many lines fit this machine. Source: proc(5), getrlimit(2), cgroups(7), pts(4). */
#include "line/limits.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/parse.h"
#include "line/dial.h"
#include "line/line.h"
#include "base/banned.h"

/* Descriptors for logs, timers and the like, beside those of the lines. */
#define OWN_DESCRIPTORS 64

/* What a user costs at the least: screen, script and line; kernel memory of a pty; a process. */
#define USER_BYTES    (40 * 1024)
#define PTY_BYTES     (30 * 1024)
#define PROCESS_BYTES (200 * 1024)

/* ---- Reading --------------------------------------------------------------------------- */

/* The first line of a small file, without its end; false when there is none. */
static bool read_line(const char *root, const char *path, char *out, size_t size)
{
	struct b_buf name = B_BUF_INIT;
	bool ok;
	FILE *f;

	b_buf_printf(&name, "%s%s", root, path);
	f = fopen(b_buf_cstr(&name), "re");
	b_buf_release(&name);
	ok = f && fgets(out, (int)size, f);
	if (ok)
		out[strcspn(out, "\n")] = '\0';
	if (f)
		fclose(f);
	return ok;
}

static int64_t read_number(const char *root, const char *path, int64_t otherwise)
{
	char text[128];
	int64_t n;

	if (!read_line(root, path, text, sizeof text))
		return otherwise;
	text[strcspn(text, " \t")] = '\0'; /* the first of several */
	return b_parse_int(text, 0, INT64_MAX, &n) ? otherwise : n;
}

static void read_ptys(struct ln_limit *l, const char *root)
{
	char space[64];

	l->max = read_number(root, "/proc/sys/kernel/pty/max", LN_UNLIMITED);
	l->used = read_number(root, "/proc/sys/kernel/pty/nr", 0);
	/* The last ones are for the system's first mount namespace. Whether this is it cannot be
	   asked; in a container the process namespace is another too. */
	if (l->max != LN_UNLIMITED && !*root &&
		readlink("/proc/self/ns/pid", space, sizeof space) == 16 &&
		memcmp(space, "pid:[4026531836]", 16))
		l->max -= read_number(root, "/proc/sys/kernel/pty/reserve", 0);
}

static int64_t count_entries(const char *path)
{
	DIR *dir = opendir(path);
	int64_t n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static int64_t from_rlimit(rlim_t v)
{
	return v == RLIM_INFINITY || v > (rlim_t)LN_UNLIMITED ? LN_UNLIMITED : (int64_t)v;
}

/* Threads of this user's processes: what RLIMIT_NPROC counts. */
static int64_t count_own_tasks(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	int64_t sum = 0;

	while (dir && (e = readdir(dir))) {
		char path[300], line[128];
		unsigned long uid = 0, threads = 0;
		FILE *f;

		if (e->d_name[0] < '0' || e->d_name[0] > '9')
			continue;
		snprintf(path, sizeof path, "/proc/%s/status", e->d_name);
		f = fopen(path, "re");
		while (f && fgets(line, sizeof line, f)) {
			sscanf(line, "Uid: %lu", &uid);
			if (sscanf(line, "Threads: %lu", &threads) == 1)
				break;
		}
		if (f)
			fclose(f);
		if (uid == getuid())
			sum += (int64_t)threads;
	}
	if (dir)
		closedir(dir);
	return sum;
}

static void read_rlimits(struct ln_facts *f)
{
	struct rlimit r;

	if (!getrlimit(RLIMIT_NOFILE, &r))
		f->descriptors = (struct ln_limit){ .max = from_rlimit(r.rlim_max),
			.used = count_entries("/proc/self/fd") };
	/* Root, by its capabilities, is not held to it. */
	if (geteuid() && !getrlimit(RLIMIT_NPROC, &r) && r.rlim_cur != RLIM_INFINITY)
		f->processes = (struct ln_limit){ .max = from_rlimit(r.rlim_cur),
			.used = count_own_tasks() };
}

static void read_tasks(struct ln_limit *l, const char *root)
{
	int64_t pids = read_number(root, "/proc/sys/kernel/pid_max", LN_UNLIMITED);
	int64_t threads = read_number(root, "/proc/sys/kernel/threads-max", LN_UNLIMITED);
	char load[128];
	const char *slash;

	l->max = pids < threads ? pids : threads;
	/* "0.00 0.01 0.05 1/123 4567": runnable / all. */
	if (read_line(root, "/proc/loadavg", load, sizeof load) && (slash = strchr(load, '/')))
		l->used = strtoll(slash + 1, NULL, 10);
}

/* The tightest limit from a control group up to the hierarchy's root. */
static void tighten(struct ln_limit *l, const char *root, const char *mount, const char *group,
	const char *max_name, const char *used_name)
{
	struct b_buf path = B_BUF_INIT;
	char *at = b_strdup(group);

	for (;;) {
		struct ln_limit here = { LN_UNLIMITED, 0 };
		char *slash;

		b_buf_clear(&path);
		b_buf_printf(&path, "%s%s/%s", mount, at, max_name);
		here.max = read_number(root, b_buf_cstr(&path), LN_UNLIMITED);
		if (used_name) {
			b_buf_clear(&path);
			b_buf_printf(&path, "%s%s/%s", mount, at, used_name);
			here.used = read_number(root, b_buf_cstr(&path), 0);
		}
		if (here.max != LN_UNLIMITED && here.max - here.used < l->max - l->used)
			*l = here;
		slash = strrchr(at, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	free(at);
	b_buf_release(&path);
}

static void read_groups(struct ln_facts *f, struct ln_limit *memory, const char *root)
{
	struct b_buf name = B_BUF_INIT;
	char line[4096];
	FILE *in;

	b_buf_printf(&name, "%s/proc/self/cgroup", root);
	in = fopen(b_buf_cstr(&name), "re");
	while (in && fgets(line, sizeof line, in)) {
		/* "4:memory:/path", "0::/path" (version 2) */
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		controllers++;
		path[strcspn(path, "\n")] = '\0';
		if (!*controllers) {
			static const char *const mounts[] = { "/sys/fs/cgroup",
				"/sys/fs/cgroup/unified" };

			for (size_t i = 0; i < B_ARRAY_LEN(mounts); i++) {
				tighten(&f->group_tasks, root, mounts[i], path, "pids.max",
					"pids.current");
				tighten(memory, root, mounts[i], path, "memory.max", NULL);
			}
		} else if (strstr(controllers, "pids")) {
			tighten(&f->group_tasks, root, "/sys/fs/cgroup/pids", path, "pids.max",
				"pids.current");
		} else if (strstr(controllers, "memory")) {
			tighten(memory, root, "/sys/fs/cgroup/memory", path,
				"memory.limit_in_bytes", NULL);
		}
	}
	if (in)
		fclose(in);
	b_buf_release(&name);
}

static void read_memory(struct ln_limit *memory, const char *root)
{
	struct b_buf name = B_BUF_INIT;
	int64_t available = -1, swap = 0;
	char line[128];
	FILE *in;

	b_buf_printf(&name, "%s/proc/meminfo", root);
	in = fopen(b_buf_cstr(&name), "re");
	while (in && fgets(line, sizeof line, in)) {
		if (!strncmp(line, "MemAvailable:", 13))
			available = strtoll(line + 13, NULL, 10);
		else if (!strncmp(line, "SwapFree:", 9))
			swap = strtoll(line + 9, NULL, 10);
	}
	if (in)
		fclose(in);
	b_buf_release(&name);
	if (available >= 0 && (available + swap) < memory->max / 1024)
		memory->max = (available + swap) * 1024;
}

void ln_facts_read(struct ln_facts *f, const char *root)
{
	const struct ln_limit none = { LN_UNLIMITED, 0 };
	struct ln_limit memory = none;
	char files[128];

	*f = (struct ln_facts){ .ptys = none,
		.descriptors = none,
		.files = none,
		.processes = none,
		.tasks = none,
		.group_tasks = none };
	read_ptys(&f->ptys, root);
	read_rlimits(f);
	f->files.max = read_number(root, "/proc/sys/fs/file-max", LN_UNLIMITED);
	if (read_line(root, "/proc/sys/fs/file-nr", files, sizeof files))
		f->files.used = strtoll(files, NULL, 10);
	read_tasks(&f->tasks, root);
	read_groups(f, &memory, root);
	read_memory(&memory, root);
	f->memory_bytes = memory.max;
}

/* ---- Judging --------------------------------------------------------------------------- */

/* how: the command that raises it, to which the value is added. */
static int short_of(const struct ln_limit *l, int64_t need, const char *name, const char *how,
	struct b_error *err)
{
	if (l->max == LN_UNLIMITED || need <= l->max - l->used)
		return B_OK;
	return b_error_set(err, B_EENV,
		"%s: the limit is %lld, %lld are in use, %lld more are needed; raise it with %s%lld",
		name, (long long)l->max, (long long)l->used, (long long)need, how,
		(long long)(l->used + need));
}

int64_t ln_facts_descriptors(const struct ln_facts *f, int64_t n_ptys, int64_t n_others)
{
	/* A pty has its master and a descriptor for its process. */
	return f->descriptors.used + 2 * n_ptys + n_others + OWN_DESCRIPTORS;
}

int ln_facts_judge(const struct ln_facts *f, int64_t n_ptys, int64_t n_others, struct b_error *err)
{
	int64_t files = 2 * n_ptys + n_others + OWN_DESCRIPTORS;
	int64_t bytes = n_ptys * (USER_BYTES + PTY_BYTES + PROCESS_BYTES) + n_others * USER_BYTES;
	int rc = B_OK;

	if (n_ptys)
		rc = short_of(&f->ptys, n_ptys, "not enough ptys (kernel.pty.max)",
			"sysctl -w kernel.pty.max=", err);
	if (!rc)
		rc = short_of(&f->descriptors, files,
			"not enough descriptors in a process (RLIMIT_NOFILE)", "ulimit -n ", err);
	if (!rc)
		rc = short_of(&f->files, files,
			"not enough descriptors on the machine (fs.file-max)",
			"sysctl -w fs.file-max=", err);
	if (!rc && n_ptys)
		rc = short_of(&f->processes, n_ptys, "not enough processes (RLIMIT_NPROC)",
			"ulimit -u ", err);
	if (!rc && n_ptys)
		rc = short_of(&f->tasks, n_ptys,
			"not enough processes on the machine (kernel.pid_max, kernel.threads-max)",
			"sysctl -w kernel.pid_max=", err);
	if (!rc && n_ptys)
		rc = short_of(&f->group_tasks, n_ptys, "not enough processes (pids.max)",
			"the control group's pids.max, e.g. systemd's TasksMax=", err);
	if (!rc && bytes > f->memory_bytes)
		rc = b_error_set(err, B_EENV,
			"not enough memory: %lld MiB are available, at the least %lld MiB are needed "
			"for %lld users; use fewer, or a larger machine",
			(long long)(f->memory_bytes >> 20), (long long)(bytes >> 20),
			(long long)(n_ptys + n_others));
	return rc;
}

static void raise_descriptors(int64_t need)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur == RLIM_INFINITY ||
		r.rlim_cur >= (rlim_t)need)
		return;
	r.rlim_cur = r.rlim_max == RLIM_INFINITY || r.rlim_max > (rlim_t)need ? (rlim_t)need
									      : r.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &r);
}

int ln_limits_check(
	const struct ln_target *const *targets, size_t n_targets, int64_t n, struct b_error *err)
{
	int64_t n_ptys = 0;
	struct ln_facts facts;
	int rc = B_OK;

	for (size_t i = 0; i < n_targets && !rc; i++) {
		/* Lines take the targets in turn. */
		if (targets[i]->kind->has_process)
			n_ptys += n / (int64_t)n_targets + ((int64_t)i < n % (int64_t)n_targets);
		rc = ln_dial_lookup(targets[i], err);
	}
	if (rc)
		return rc;
	ln_facts_read(&facts, "");
	rc = ln_facts_judge(&facts, n_ptys, n - n_ptys, err);
	if (!rc)
		raise_descriptors(ln_facts_descriptors(&facts, n_ptys, n - n_ptys));
	return rc;
}
