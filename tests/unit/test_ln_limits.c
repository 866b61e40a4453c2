/* line: whether so many users fit the machine, and what the message says if not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "line/limits.h"
#include "line/line.h"

static struct ln_facts roomy(void)
{
	return (struct ln_facts){
		.ptys = { 4096, 10 },
		.descriptors = { 1048576, 20 },
		.files = { LN_UNLIMITED, 1000 },
		.processes = { LN_UNLIMITED, 0 },
		.tasks = { 32768, 200 },
		.group_tasks = { LN_UNLIMITED, 0 },
		.memory_bytes = 8LL << 30,
	};
}

static void judgements(void **state)
{
	static const struct {
		size_t field; /* the limit that is changed */
		struct ln_limit limit;
		int64_t ptys, others;
		const char *message; /* NULL: it fits */
	} cases[] = {
		{ offsetof(struct ln_facts, ptys), { 4096, 96 }, 4000, 0, NULL },
		{ offsetof(struct ln_facts, ptys), { 4096, 96 }, 4001, 0,
			"not enough ptys (kernel.pty.max): the limit is 4096, 96 are in use, 4001 more "
			"are needed; raise it with sysctl -w kernel.pty.max=4097" },
		{ offsetof(struct ln_facts, ptys), { 10, 10 }, 0, 5000, NULL },
		{ offsetof(struct ln_facts, descriptors), { 1024, 20 }, 600, 0,
			"raise it with ulimit -n 1284" },
		{ offsetof(struct ln_facts, descriptors), { 1024, 20 }, 0, 600, NULL },
		{ offsetof(struct ln_facts, files), { 1000, 900 }, 0, 600,
			"sysctl -w fs.file-max=" },
		{ offsetof(struct ln_facts, processes), { 500, 100 }, 401, 0,
			"(RLIMIT_NPROC): the limit is 500" },
		{ offsetof(struct ln_facts, processes), { 500, 100 }, 0, 4000, NULL },
		{ offsetof(struct ln_facts, tasks), { 500, 100 }, 401, 0,
			"sysctl -w kernel.pid_max=501" },
		{ offsetof(struct ln_facts, group_tasks), { 500, 100 }, 401, 0, "pids.max" },
		{ offsetof(struct ln_facts, memory_bytes), { 1 << 20, 0 }, 1, 10, NULL },
		{ offsetof(struct ln_facts, memory_bytes), { 1 << 20, 0 }, 0, 1000,
			"not enough memory: 1 MiB are available, at the least 39 MiB are needed for "
			"1000 users" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct ln_facts f = roomy();
		struct b_error err = { 0 };
		int rc;

		if (cases[i].field == offsetof(struct ln_facts, memory_bytes))
			f.memory_bytes = cases[i].limit.max;
		else
			memcpy((char *)&f + cases[i].field, &cases[i].limit, sizeof cases[i].limit);
		rc = ln_facts_judge(&f, cases[i].ptys, cases[i].others, &err);
		assert_int_equal(rc, cases[i].message ? B_EENV : 0);
		if (rc && !strstr(err.text, cases[i].message))
			fail_msg("'%s' has no '%s'", err.text, cases[i].message);
	}
}

static void put(const char *root, const char *path, const char *text)
{
	struct b_buf name = B_BUF_INIT;
	FILE *f;

	b_buf_printf(&name, "%s%s", root, path);
	for (char *p = name.data + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(name.data, 0700);
		*p = '/';
	}
	f = fopen(name.data, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	b_buf_release(&name);
}

static void facts_of_a_machine(void **state)
{
	char root[] = "/tmp/rte-limits-XXXXXX", command[64];
	struct ln_facts f;

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "/proc/sys/kernel/pty/max", "4096\n");
	put(root, "/proc/sys/kernel/pty/nr", "17\n");
	put(root, "/proc/sys/fs/file-max", "9223372036854775807\n");
	put(root, "/proc/sys/fs/file-nr", "1216\t0\t9223372036854775807\n");
	put(root, "/proc/sys/kernel/pid_max", "32768\n");
	put(root, "/proc/sys/kernel/threads-max", "9000\n");
	put(root, "/proc/loadavg", "0.15 0.03 0.01 1/123 4567\n");
	put(root, "/proc/meminfo",
		"MemTotal: 99 kB\nMemAvailable:    2048 kB\nSwapFree: 1024 kB\n");
	put(root, "/proc/self/cgroup", "8:pids:/a/b\n4:memory:/a\n0::/u/v\n");
	put(root, "/sys/fs/cgroup/pids/a/b/pids.max", "max\n");
	put(root, "/sys/fs/cgroup/pids/a/pids.max", "300\n");
	put(root, "/sys/fs/cgroup/pids/a/pids.current", "40\n");
	put(root, "/sys/fs/cgroup/u/pids.max", "200\n");
	put(root, "/sys/fs/cgroup/u/pids.current", "50\n");
	put(root, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
	put(root, "/sys/fs/cgroup/u/v/memory.max", "1000000\n");
	ln_facts_read(&f, root);
	assert_int_equal(f.ptys.max, 4096);
	assert_int_equal(f.ptys.used, 17);
	assert_int_equal(f.files.used, 1216);
	assert_int_equal(f.tasks.max, 9000);
	assert_int_equal(f.tasks.used, 123);
	assert_int_equal(f.group_tasks.max, 200);
	assert_int_equal(f.group_tasks.used, 50);
	assert_int_equal(f.memory_bytes, 1000000);
	snprintf(command, sizeof command, "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

static void facts_of_nothing(void **state)
{
	struct b_error err = { 0 };
	struct ln_facts f;

	(void)state;
	ln_facts_read(&f, "/nonexistent");
	assert_int_equal(f.ptys.max, LN_UNLIMITED);
	assert_int_equal(f.memory_bytes, LN_UNLIMITED);
	assert_int_equal(ln_facts_judge(&f, 10, 10, &err), 0);
}

static void this_machine(void **state)
{
	const struct ln_target *targets[2];
	struct ln_target *pty, *tcp;
	struct b_error err = { 0 };
	struct rlimit r, old;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	r = old;
	r.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &r), 0);
	assert_int_equal(ln_target_parse(&pty, "pty:true", &err), 0);
	assert_int_equal(ln_target_parse(&tcp, "tcp://127.0.0.1:1", &err), 0);
	targets[0] = pty;
	targets[1] = tcp;
	if (ln_limits_check(targets, 2, 21, &err))
		fail_msg("%s", err.text);
	/* 11 ptys of two descriptors each, 10 connections. */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &r), 0);
	assert_true(r.rlim_cur >= 64 + 32);
	/* Nobody has so many ptys; of connections the same number may do. */
	assert_int_equal(ln_limits_check(targets, 1, 1LL << 40, &err), B_EENV);
	assert_non_null(strstr(err.text, "raise it with"));
	setrlimit(RLIMIT_NOFILE, &old);
	ln_target_free(pty);
	ln_target_free(tcp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judgements),
		cmocka_unit_test(facts_of_a_machine),
		cmocka_unit_test(facts_of_nothing),
		cmocka_unit_test(this_machine),
	};

	return cmocka_run_group_tests_name("ln_limits", tests, NULL, NULL);
}
