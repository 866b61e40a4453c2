/* Figures and time accounts as CSV: for spreadsheets, and for SQL. Units are in the names. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

static void number(struct b_buf *b, double v)
{
	if (isnan(v))
		b_buf_adds(b, ",");
	else
		b_buf_printf(b, ",%.9g", v);
}

static int flush(struct b_buf *b, FILE *to)
{
	bool bad = fwrite(b->data, 1, b->len, to) != b->len || fflush(to);

	b_buf_release(b);
	return bad ? B_ESYS : B_OK;
}

static void stat_header(struct b_buf *b, const char *name)
{
	b_buf_printf(b, ",%s_n,%s_min_s,%s_mean_s,%s_sd_s", name, name, name, name);
	for (int i = 0; i < RP_N_QUANTILE; i++)
		b_buf_printf(b, ",%s_%s_s", name, rp_quantile_names[i]);
	b_buf_printf(b, ",%s_max_s", name);
}

static void stat_row(struct b_buf *b, const struct rp_stat *s)
{
	b_buf_printf(b, ",%" PRIu64, s->n);
	number(b, s->min_s);
	number(b, s->mean_s);
	number(b, s->sd_s);
	for (int i = 0; i < RP_N_QUANTILE; i++)
		number(b, s->p[i].s);
	number(b, s->max_s);
}

static void group_row(struct b_buf *b, const struct rp_group *g)
{
	b_escape_csv(b, g->name, strlen(g->name));
	b_buf_printf(b, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, g->n_ok, g->n_failed, g->n_unfinished);
	for (int i = 0; i < RP_N_STATUS; i++)
		if (rp_status_failed((enum rp_status)i))
			b_buf_printf(b, ",%" PRIu64, g->n_status[i]);
	number(b, g->rate_per_s);
	number(b, g->share);
	for (int i = 0; i < RP_N_MEASURE; i++)
		stat_row(b, &g->measure[i]);
	stat_row(b, &g->echo);
	b_buf_addc(b, '\n');
}

int rp_csv_write(const struct rp_run *r, FILE *to)
{
	struct b_buf b = B_BUF_INIT;

	b_buf_adds(&b, "transaction,ok,failed,unfinished");
	for (int i = 0; i < RP_N_STATUS; i++)
		if (rp_status_failed((enum rp_status)i))
			b_buf_printf(&b, ",%s", rp_status_names[i]);
	b_buf_adds(&b, ",rate_per_s,share");
	for (int i = 0; i < RP_N_MEASURE; i++)
		stat_header(&b, rp_measure_names[i]);
	stat_header(&b, "echo");
	b_buf_addc(&b, '\n');
	for (size_t i = 0; i < r->n_groups; i++)
		group_row(&b, &r->groups[i]);
	group_row(&b, &r->all);
	return flush(&b, to);
}

int rp_accounts_write(const struct rp_run *r, FILE *to)
{
	struct b_buf b = B_BUF_INIT;

	b_buf_adds(&b, "user,sessions,iterations,duration_s");
	for (int i = 0; i < RP_AC_N; i++)
		b_buf_printf(&b, ",%s_s", rp_account_names[i]);
	b_buf_addc(&b, '\n');
	for (size_t i = 0; i < r->sessions.n_users; i++) {
		const struct rp_user_account *a = &r->sessions.users[i];

		b_buf_printf(&b, "%" PRId64 ",%" PRId64 ",%" PRId64, a->user, a->sessions,
			a->iterations);
		number(&b, a->duration_s);
		for (int k = 0; k < RP_AC_N; k++)
			number(&b, a->part_s[k]);
		b_buf_addc(&b, '\n');
	}
	return flush(&b, to);
}
