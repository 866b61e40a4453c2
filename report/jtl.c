/*
 * The rows of the interval as JMeter writes its results, for the many programs that read those.
 * Read from the log row by row: the interval decides, nothing is kept.
 *
 * Source: JMeter's CSVSaveService, order and spelling of its header. Times are milliseconds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/rundir.h"
#include "report/csv_read.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

static const char header[] =
	"timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
	"failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Filename,Latency,Encoding,"
	"SampleCount,ErrorCount,Hostname,IdleTime,Connect\n";

struct jtl {
	const struct rp_run *r;
	struct rp_csv csv;
	int start, user, script, transaction, counted, status, response, first, ready, keying,
		think, in, out, detail;
	size_t second; /* where in the timeline the last row was */
	struct b_buf b;
	FILE *to;
};

static int64_t us_or(const struct jtl *j, int column, int64_t otherwise)
{
	int64_t us;

	return rp_field_us(rp_csv_field(&j->csv, column), &us) ? us : otherwise;
}

static void add(struct jtl *j, struct rp_field f)
{
	b_escape_csv(&j->b, f.s, f.len);
	b_buf_addc(&j->b, ',');
}

static int64_t ms(int64_t us)
{
	return us > 0 ? (us + 500) / 1000 : 0;
}

/* How many users were there: the timeline says, a second at a time. */
static long users_at(struct jtl *j, double t)
{
	const struct rp_timeline *l = &j->r->timeline;
	double users;

	if (!l->n)
		return j->r->config.users > 0 ? lround(j->r->config.users) : 1;
	while (j->second && (double)l->v[j->second][RP_TL_TIME] > t)
		j->second--;
	while (j->second + 1 < l->n && (double)l->v[j->second][RP_TL_TIME] < t)
		j->second++;
	users = rp_timeline_users(l, j->second);
	return isnan(users) ? 1 : lround(fmin(users, 1e9));
}

static bool in_interval(const struct jtl *j, int64_t start_us, int64_t end_us)
{
	const struct rp_run *r = j->r;
	int64_t base = llround(r->started_s * 1e6);
	int64_t begin = start_us - us_or(j, j->keying, 0);

	if (!r->interval_chosen)
		return rp_field_is(rp_csv_field(&j->csv, j->counted), "1");
	return begin - base >= llround(r->from_s * 1e6) && end_us - base <= llround(r->to_s * 1e6);
}

static void write_row(struct jtl *j)
{
	struct rp_field status = rp_csv_field(&j->csv, j->status);
	bool ok = rp_field_is(status, "ok");
	int64_t start = us_or(j, j->start, 0), response = us_or(j, j->response, -1);
	int64_t ready = us_or(j, j->ready, 0);
	int64_t elapsed = response >= 0 ? response : ready;
	struct rp_field in = rp_csv_field(&j->csv, j->in), out = rp_csv_field(&j->csv, j->out);
	struct rp_field none = { "", 0 }, zero = { "0", 1 };
	long users;

	if (rp_field_is(status, "unfinished") || rp_field_is(status, "aborted"))
		return;
	if (!in_interval(j, start, start + (response > ready ? response : ready)))
		return;
	b_buf_printf(&j->b, "%lld,%lld,", (long long)(start / 1000), (long long)ms(elapsed));
	add(j, rp_csv_field(&j->csv, j->transaction));
	add(j, status);
	add(j, ok ? status : rp_csv_field(&j->csv, j->detail));
	b_escape_csv(
		&j->b, rp_csv_field(&j->csv, j->script).s, rp_csv_field(&j->csv, j->script).len);
	b_buf_adds(&j->b, " 1-");
	add(j, rp_csv_field(&j->csv, j->user));
	b_buf_printf(&j->b, "text,%s,", ok ? "true" : "false");
	add(j, ok ? none : rp_csv_field(&j->csv, j->detail));
	add(j, in.len ? in : zero);
	add(j, out.len ? out : zero);
	users = users_at(j, (double)start * 1e-6 - j->r->started_s);
	b_buf_printf(&j->b, "%ld,%ld,,,%lld,UTF-8,1,%d,", users, users,
		(long long)ms(us_or(j, j->first, 0)), ok ? 0 : 1);
	b_escape_csv(&j->b, j->r->host ? j->r->host : "", j->r->host ? strlen(j->r->host) : 0);
	b_buf_printf(&j->b, ",%lld,0\n", (long long)ms(us_or(j, j->think, 0)));
}

static int flush(struct jtl *j)
{
	bool bad = j->b.len && fwrite(j->b.data, 1, j->b.len, j->to) != j->b.len;

	b_buf_clear(&j->b);
	return bad ? B_ESYS : B_OK;
}

static void find_columns(struct jtl *j)
{
	const struct rp_csv *c = &j->csv;

	j->start = rp_csv_column(c, "start");
	j->user = rp_csv_column(c, "user");
	j->script = rp_csv_column(c, "script");
	j->transaction = rp_csv_column(c, "transaction");
	j->counted = rp_csv_column(c, "counted");
	j->status = rp_csv_column(c, "status");
	j->response = rp_csv_column(c, "response_s");
	j->first = rp_csv_column(c, "first_response_s");
	j->ready = rp_csv_column(c, "ready_s");
	j->keying = rp_csv_column(c, "keying_s");
	j->think = rp_csv_column(c, "think_before_s");
	j->in = rp_csv_column(c, "bytes_in");
	j->out = rp_csv_column(c, "bytes_out");
	j->detail = rp_csv_column(c, "detail");
}

int rp_jtl_write(const struct rp_run *r, FILE *to, struct b_error *err)
{
	struct jtl j = { .r = r, .to = to };
	struct b_buf path = B_BUF_INIT;
	int rc;

	b_buf_printf(&path, "%s/%s", r->dir, RUNDIR_TRANSACTIONS_CSV);
	rc = rp_csv_open(&j.csv, b_buf_cstr(&path), err);
	b_buf_release(&path);
	if (rc)
		return rc;
	find_columns(&j);
	b_buf_adds(&j.b, header);
	while ((rc = rp_csv_next(&j.csv, err)) > 0) {
		write_row(&j);
		if (j.b.len > 65536 && flush(&j)) {
			rc = B_ESYS;
			break;
		}
	}
	if (!rc)
		rc = flush(&j);
	if (!rc && fflush(to))
		rc = B_ESYS;
	rp_csv_close(&j.csv);
	b_buf_release(&j.b);
	return rc;
}
