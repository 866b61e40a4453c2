/* What the display makes of colours, values and figures, without a terminal; the figures that it
   and the metrics show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/display_priv.h"
#include "rte/display_term.h"
#include "rte/figures.h"
#include "rte/metrics.h"
#include "rte/worker.h"

static void colours(void **state)
{
	static const struct {
		uint32_t colour;
		int n, want;
	} cases[] = {
		{ VS_COLOUR_DEFAULT, 8, -1 },
		{ VS_COLOUR_DEFAULT, 256, -1 },
		{ 3, 8, 3 },
		{ 11, 16, 11 },
		{ 11, 8, 3 }, /* bright yellow: yellow */
		{ 200, 256, 200 },
		{ 196, 8, 1 },
		{ VS_COLOUR_RGB | 0x000000, 256, 16 },
		{ VS_COLOUR_RGB | 0xffffff, 256, 231 },
		{ VS_COLOUR_RGB | 0xff0000, 256, 196 },
		{ VS_COLOUR_RGB | 0x808080, 256, 244 },
		{ VS_COLOUR_RGB | 0x0000e0, 8, 4 },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++)
		assert_int_equal(rte_term_colour(cases[i].colour, cases[i].n), cases[i].want);
}

static void sparks(void **state)
{
	(void)state;
	assert_int_equal(rte_term_spark_step(-1, 10), -1);
	assert_int_equal(rte_term_spark_step((double)NAN, 10), -1);
	assert_int_equal(rte_term_spark_step(0, 10), 0);
	assert_int_equal(rte_term_spark_step(0, 0), 0);
	assert_int_equal(rte_term_spark_step(10, 10), 7);
	assert_int_equal(rte_term_spark_step(5, 10), 3);
	assert_int_equal(rte_term_spark_step(11, 10), 7);
}

static void values(void **state)
{
	static const struct {
		double v;
		const char *time, *amount;
	} cases[] = {
		{ (double)NAN, "-", "-" },
		{ -1, "-", "-" },
		{ 0, "0.00ms", "0.00" },
		{ 0.000312, "0.31ms", "0.00" },
		{ 0.00996, "10.0ms", "0.01" },
		{ 0.0244, "24.4ms", "0.02" },
		{ 0.312, "312ms", "0.31" },
		{ 0.9996, "1.00s", "1.00" },
		{ 1.234, "1.23s", "1.23" },
		{ 12.34, "12.3s", "12.3" },
		{ 123.4, "123s", "123" },
		{ 99999, "99999s", "99999" },
		{ 1e6, "99999s", "1000k" },
		{ 1e9, "99999s", "1000M" },
	};
	char t[RTE_TIME_SIZE];

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		assert_string_equal(rte_display_time(t, cases[i].v), cases[i].time);
		assert_true(strlen(t) <= 6);
		assert_string_equal(rte_display_amount(t, cases[i].v), cases[i].amount);
		assert_true(strlen(t) <= 5);
	}
}

/* A worker as far as what it hands over goes. */
static void handed_over(struct rte_worker *w, size_t tx, int64_t ns, int ok, int failed)
{
	struct rte_tx_figures *f = rte_share_tx(&w->share, tx);

	f->ok += (uint64_t)ok;
	f->failed += (uint64_t)failed;
	for (int i = 0; i < ok; i++) {
		b_hist_add(f->recent, ns);
		b_hist_add(w->share.second.response, ns);
	}
}

static void spans(void **state)
{
	struct rte_worker *list[2];
	struct rte_timeline t = { .workers = list, .n_workers = 2 };
	struct rte_figures f;
	const struct rte_span *last;

	(void)state;
	for (int i = 0; i < 2; i++) {
		list[i] = b_calloc(1, sizeof **list);
		rte_share_init(&list[i]->share);
	}
	rte_second_init(&t.moment.second);
	rte_figures_init(&f, 0);
	for (int s = 1; s <= RTE_SPAN_S * (RTE_SPANS + 3); s++) {
		t.moment.at_ns = s * B_NS_PER_S + B_NS_PER_MS;
		rte_second_clear(&t.moment.second);
		handed_over(list[0], 0, 100 * B_NS_PER_MS, 2, 0);
		handed_over(list[1], 0, 300 * B_NS_PER_MS, 1, 1);
		for (int i = 0; i < 2; i++) {
			rte_second_merge(&t.moment.second, &list[i]->share.second);
			rte_second_clear(&list[i]->share.second);
		}
		rte_figures_collect(&f, &t);
		if (s < RTE_SPAN_S)
			assert_null(rte_figure_span(&f, &f.total, 0));
	}
	assert_int_equal(f.n_tx, 1);
	assert_int_equal(f.tx[0]->ok, 3 * RTE_SPAN_S * (RTE_SPANS + 3));
	assert_int_equal(f.tx[0]->failed, RTE_SPAN_S * (RTE_SPANS + 3));
	assert_int_equal(b_hist_count(f.tx[0]->all), f.tx[0]->ok);
	assert_int_equal(b_hist_count(f.total.all), f.tx[0]->ok);
	last = rte_figure_span(&f, f.tx[0], 0);
	assert_non_null(last);
	assert_int_equal(last->ok, 3 * RTE_SPAN_S);
	assert_int_equal(last->failed, RTE_SPAN_S);
	assert_true(fabs((double)last->rate - 3) < 0.01);
	assert_true(fabs((double)last->p50_s - 0.1) < 0.001);
	assert_true(fabs((double)last->p90_s - 0.3) < 0.003);
	assert_true(fabs((double)last->max_s - 0.3) < 0.003);
	assert_non_null(rte_figure_span(&f, &f.total, RTE_SPANS - 1));
	assert_null(rte_figure_span(&f, &f.total, RTE_SPANS));
	rte_figures_release(&f);
	rte_second_release(&t.moment.second);
	for (int i = 0; i < 2; i++) {
		rte_share_release(&list[i]->share);
		free(list[i]);
	}
}

static void places(void **state)
{
	static const struct {
		const char *where;
		int rc;
	} cases[] = {
		{ "9464", B_OK },
		{ ":9464", B_OK },
		{ "127.0.0.1:9464", B_OK },
		{ "localhost:9464", B_OK },
		{ "[::1]:9464", B_OK },
		{ "0.0.0.0:0", B_OK },
		{ "", B_EUSAGE },
		{ "nonsense", B_EUSAGE },
		{ "127.0.0.1", B_EUSAGE },
		{ "127.0.0.1:", B_EUSAGE },
		{ "127.0.0.1:99999", B_EUSAGE },
		{ "127.0.0.1:-1", B_EUSAGE },
		{ "sut.example:9464", B_EUSAGE },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_error err = { 0 };

		assert_int_equal(rte_metrics_check(cases[i].where, &err), cases[i].rc);
		assert_int_equal(err.code, cases[i].rc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours),
		cmocka_unit_test(sparks),
		cmocka_unit_test(values),
		cmocka_unit_test(spans),
		cmocka_unit_test(places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
