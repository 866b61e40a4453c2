/* Two producers, one file, whole lines; and what a full disk leaves behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "rte/writer.h"
#include "base/banned.h"

#define LINES 20000

static char path[] = "/tmp/rte-writer-XXXXXX";

static void *produce(void *arg)
{
	struct rte_outbox *o = arg;

	for (int i = 0; i < LINES; i++) {
		b_buf_printf(rte_outbox_buf(o), "%p,%d\n", arg, i);
		if (i % 7 == 0)
			rte_outbox_flush(o);
	}
	return NULL;
}

static void test_all_lines_in_order(void **state)
{
	struct rte_writer *w;
	struct rte_outbox *o[2];
	pthread_t t[2];
	int next[2] = { 0 };
	char line[128];
	FILE *f;

	(void)state;
	assert_int_equal(rte_writer_new(&w, NULL), 0);
	assert_int_equal(rte_writer_file(w, path, "who,number", NULL), 0);
	for (int i = 0; i < 2; i++)
		o[i] = rte_outbox_new(w, 0);
	assert_int_equal(rte_writer_start(w, NULL), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&t[i], NULL, produce, o[i]), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(rte_writer_stop(w, NULL), 0);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof line, f));
	assert_string_equal(line, "who,number\n");
	while (fgets(line, sizeof line, f)) {
		void *who;
		int number;

		assert_int_equal(sscanf(line, "%p,%d", &who, &number), 2);
		assert_int_equal(number, next[who == o[1]]++);
	}
	assert_int_equal(next[0], LINES);
	assert_int_equal(next[1], LINES);
	fclose(f);
	rte_writer_free(w);
}

/* A file size limit stands for a full disk. */
static void test_no_room(void **state)
{
	struct rlimit was, limit;
	struct b_error err = { 0 };
	struct rte_writer *w;
	struct rte_outbox *o;
	char line[64];
	int n = -1;
	FILE *f;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	limit = was;
	limit.rlim_cur = 1000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(rte_writer_new(&w, NULL), 0);
	assert_int_equal(rte_writer_file(w, path, "header", NULL), 0);
	o = rte_outbox_new(w, 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 500; i++)
		b_buf_printf(rte_outbox_buf(o), "line %d\n", i);
	assert_int_equal(rte_writer_stop(w, &err), B_EENV);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_non_null(strstr(err.text, path));
	assert_true(rte_writer_failed(w, NULL));
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		assert_int_equal(line[strlen(line) - 1], '\n');
		n++;
	}
	assert_in_range(n, 90, 130);
	fclose(f);
	rte_writer_free(w);
}

static void test_refused(void **state)
{
	struct rte_writer *w;
	struct b_error err = { 0 };

	(void)state;
	assert_int_equal(rte_writer_new(&w, NULL), 0);
	assert_int_equal(rte_writer_file(w, "/nonexistent/x.csv", "h", &err), B_EENV);
	assert_non_null(strstr(err.text, "/nonexistent/x.csv"));
	rte_writer_free(w);
	rte_writer_free(NULL);
}

static int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 || close(fd);
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_lines_in_order),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
