/* A row has as many fields as the header names, whatever is in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "base/rundir.h"
#include "rte/meter.h"
#include "rte/rows.h"
#include "base/banned.h"

static size_t fields(const char *line)
{
	bool quoted = false;
	size_t n = 1;

	for (; *line; line++) {
		if (*line == '"')
			quoted = !quoted;
		n += *line == ',' && !quoted;
	}
	assert_false(quoted);
	return n;
}

static void test_transaction(void **state)
{
	struct rte_tx_row r = {
		.start_ns = 1500,
		.user = 17,
		.session = 1,
		.iteration = 3,
		.script = "teller",
		.transaction = "query, \"balance\"",
		.phase = RTE_MEASURE,
		.counted = true,
		.status = RTE_TX_OK,
		.response_ns = 52300499,
		.first_response_ns = 1000,
		.ready_ns = 52300500,
		.keying_ns = 0,
		.think_before_ns = RTE_NEVER,
		.due_late_ns = RTE_NEVER,
		.echo_mean_ns = RTE_NEVER,
		.echo_max_ns = RTE_NEVER,
		.keys = 50,
		.bytes_in = 1000,
		.bytes_out = 50,
		.ended_by = "text",
	};
	struct b_buf out = B_BUF_INIT;

	(void)state;
	rte_tx_row_write(&out, &r, 1764506665000000000);
	assert_string_equal(b_buf_cstr(&out),
		"1764506665.000002,17,1,3,teller,\"query, \"\"balance\"\"\",measure,1,ok,0.052300,"
		"0.000001,0.052301,0.000000,,,,,50,1000,50,text,\n");
	assert_int_equal(fields(b_buf_cstr(&out)), fields(RUNDIR_TRANSACTIONS_COLUMNS));
	b_buf_clear(&out);
	r.detail = "a\nb\033[31m,\xff";
	rte_tx_row_write(&out, &r, 0);
	assert_int_equal(fields(b_buf_cstr(&out)), fields(RUNDIR_TRANSACTIONS_COLUMNS));
	assert_ptr_equal(strchr(b_buf_cstr(&out), '\n'), out.data + out.len - 1);
	assert_null(strchr(b_buf_cstr(&out), '\033'));
	b_buf_release(&out);
}

static void test_session(void **state)
{
	struct rte_session_row r = {
		.user = 1,
		.session = 2,
		.script = "teller",
		.target = "pty:build/demo/teller 'a b'",
		.end = "logout",
		.iterations = 5,
		.duration_ns = 3600123456789,
		.settling_ns = 1,
	};
	struct b_buf out = B_BUF_INIT;

	(void)state;
	rte_session_row_write(&out, &r, 0);
	assert_int_equal(fields(b_buf_cstr(&out)), fields(RUNDIR_SESSIONS_COLUMNS));
	assert_non_null(strstr(b_buf_cstr(&out), ",logout,,5,3600.123457,0.000000,"));
	b_buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_transaction),
		cmocka_unit_test(test_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
