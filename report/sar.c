#include "report/sar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/rundir.h"
#include "report/format.h"
#include "report/html.h"
#include "report/json.h"
#include "report/run.h"
#include "base/banned.h"

#define MAX_SAMPLES  200000
#define CLOCKS_OFF_S 0.5 /* what ssh and a busy machine may account for */
#define MAX_POINTS   400

static const struct {
	const char *key, *name, *unit;
	int decimals;
} shown[RP_SAR_N] = {
	[RP_SAR_TIME] = { "at", "", "", 0 },
	[RP_SAR_BUSY] = { "cpu_busy", "CPU busy", "%", 1 },
	[RP_SAR_USER] = { "cpu_user", "CPU in programs", "%", 1 },
	[RP_SAR_SYSTEM] = { "cpu_system", "CPU in the kernel", "%", 1 },
	[RP_SAR_IOWAIT] = { "cpu_iowait", "CPU idle, a disk at work", "%", 1 },
	[RP_SAR_STEAL] = { "cpu_steal", "CPU taken by other guests", "%", 1 },
	[RP_SAR_QUEUE] = { "run_queue", "run queue", "tasks", 1 },
	[RP_SAR_BLOCKED] = { "blocked", "tasks waiting for a disk", "tasks", 1 },
	[RP_SAR_LOAD] = { "load_1m", "load average of a minute", "", 2 },
	[RP_SAR_MEMORY] = { "memory_used", "memory in use", "%", 1 },
	[RP_SAR_MAJOR] = { "major_faults", "major page faults", "/s", 1 },
	[RP_SAR_PAGE_IN] = { "page_in", "paged in", "KiB/s", 0 },
	[RP_SAR_PAGE_OUT] = { "page_out", "paged out", "KiB/s", 0 },
	[RP_SAR_SWAP] = { "swap", "swapped", "pages/s", 1 },
	[RP_SAR_TRANSFERS] = { "disk_transfers", "disk transfers", "/s", 1 },
	[RP_SAR_READ] = { "disk_read", "read from disks", "KiB/s", 0 },
	[RP_SAR_WRITE] = { "disk_write", "written to disks", "KiB/s", 0 },
	[RP_SAR_UTIL] = { "disk_util", "busiest disk in use", "%", 1 },
	[RP_SAR_AWAIT] = { "disk_await", "slowest disk, time of a transfer", "ms", 1 },
};

/* ---- Reading ----------------------------------------------------------------------------------- */

static double number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	double d = json_is_number(v) ? json_number_value(v) : (double)NAN;

	return d >= 0 && d < 1e15 ? d : (double)NAN;
}

/* Seconds since the epoch of "2026-11-30" and "14:38:57", UTC; NaN when they are no such thing. */
static double instant(const json_t *stamp)
{
	const char *date = json_string_value(json_object_get(stamp, "date"));
	const char *at = json_string_value(json_object_get(stamp, "time"));
	int y, mo, d, h, mi, s;
	int64_t days;

	if (!date || !at || sscanf(date, "%4d-%2d-%2d", &y, &mo, &d) != 3 ||
		sscanf(at, "%2d:%2d:%2d", &h, &mi, &s) != 3 || mo < 1 || mo > 12 || y < 1970)
		return NAN;
	/* Days from 1970 by the civil calendar, years that begin in March. */
	y -= mo <= 2;
	days = 365LL * y + y / 4 - y / 100 + y / 400 + (153 * (mo + (mo > 2 ? -3 : 9)) + 2) / 5 +
		d - 1 - 719468;
	return (double)(days * 86400 + h * 3600 + mi * 60 + s);
}

static void all_cpus(float *v, const json_t *list)
{
	const json_t *cpu;
	size_t i;

	json_array_foreach(list, i, cpu)
	{
		const char *name = json_string_value(json_object_get(cpu, "cpu"));
		double idle = number(cpu, "idle"), iowait = number(cpu, "iowait");
		double nice = number(cpu, "nice");

		if (name && strcmp(name, "all") != 0)
			continue;
		v[RP_SAR_BUSY] = (float)fmax(0, 100 - idle - (isnan(iowait) ? 0 : iowait));
		v[RP_SAR_USER] = (float)(number(cpu, "user") + (isnan(nice) ? 0 : nice));
		v[RP_SAR_SYSTEM] = (float)number(cpu, "system");
		v[RP_SAR_IOWAIT] = (float)iowait;
		v[RP_SAR_STEAL] = (float)number(cpu, "steal");
		return;
	}
}

static void disks(float *v, const json_t *list)
{
	const json_t *disk;
	size_t i;

	json_array_foreach(list, i, disk)
	{
		v[RP_SAR_UTIL] = fmaxf(v[RP_SAR_UTIL], (float)number(disk, "util-percent"));
		if (number(disk, "tps") > 0)
			v[RP_SAR_AWAIT] = fmaxf(v[RP_SAR_AWAIT], (float)number(disk, "await"));
	}
}

static void sample(struct rp_run *r, const json_t *o)
{
	struct rp_sar *s = &r->sar;
	const json_t *queue = json_object_get(o, "queue"), *io = json_object_get(o, "io");
	const json_t *paging = json_object_get(o, "paging"),
		     *swap = json_object_get(o, "swap-pages");
	double at = instant(json_object_get(o, "timestamp")) - r->started_s - s->shift_s;
	float *v;

	if (!(at > -1e6 && at < 1e9) || s->n >= MAX_SAMPLES)
		return;
	v = s->v[s->n++];
	for (int k = 0; k < RP_SAR_N; k++)
		v[k] = NAN;
	v[RP_SAR_TIME] = (float)at;
	all_cpus(v, json_object_get(o, "cpu-load"));
	v[RP_SAR_QUEUE] = (float)number(queue, "runq-sz");
	v[RP_SAR_BLOCKED] = (float)number(queue, "blocked");
	v[RP_SAR_LOAD] = (float)number(queue, "ldavg-1");
	v[RP_SAR_MEMORY] = (float)number(json_object_get(o, "memory"), "memused-percent");
	v[RP_SAR_MAJOR] = (float)number(paging, "majflt");
	v[RP_SAR_PAGE_IN] = (float)number(paging, "pgpgin");
	v[RP_SAR_PAGE_OUT] = (float)number(paging, "pgpgout");
	v[RP_SAR_SWAP] = (float)(number(swap, "pswpin") + number(swap, "pswpout"));
	v[RP_SAR_TRANSFERS] = (float)number(io, "tps");
	/* Blocks of 512 bytes. */
	v[RP_SAR_READ] = (float)(number(json_object_get(io, "io-reads"), "bread") / 2);
	v[RP_SAR_WRITE] = (float)(number(json_object_get(io, "io-writes"), "bwrtn") / 2);
	disks(v, json_object_get(o, "disk"));
}

static void average(struct rp_run *r)
{
	struct rp_sar *s = &r->sar;

	for (int k = 1; k < RP_SAR_N; k++) {
		double sum = 0, max = NAN;
		size_t n = 0;

		for (size_t i = 0; i < s->n; i++) {
			double at = (double)s->v[i][RP_SAR_TIME], v = (double)s->v[i][k];

			if (isnan(v) || !(at > r->from_s && at <= r->to_s + 0.5))
				continue;
			sum += v;
			max = fmax(max, v);
			n++;
		}
		s->over[k].n = n;
		s->over[k].mean = n ? sum / (double)n : (double)NAN;
		s->over[k].max = max;
	}
}

void rp_sar_load(struct rp_run *r)
{
	const json_t *told = json_object_get(r->json, "sar"), *host, *list, *v;
	const char *text = json_string_value(json_object_get(told, "host"));
	double asked = number(told, "clock_asked_s"), clock;
	struct b_buf path = B_BUF_INIT;
	json_error_t why;
	json_t *o;
	size_t i;

	if (!told)
		return;
	r->sar.host = b_strdup(text ? text : "?");
	b_buf_printf(&path, "%s/%s", r->dir, RUNDIR_SAR_JSON);
	o = rp_json_read(b_buf_cstr(&path), &why);
	b_buf_release(&path);
	clock = number(o, "clock_s");
	if (fabs(clock - asked) >= CLOCKS_OFF_S)
		r->sar.shift_s = clock - asked;
	host = json_array_get(
		json_object_get(json_object_get(json_object_get(o, "sar"), "sysstat"), "hosts"), 0);
	text = json_string_value(json_object_get(host, "nodename"));
	r->sar.node = text ? b_strdup(text) : NULL;
	r->sar.cpus = number(host, "number-of-cpus");
	list = json_object_get(host, "statistics");
	if (json_array_size(list))
		r->sar.v = b_calloc(json_array_size(list), sizeof *r->sar.v);
	json_array_foreach(list, i, v) sample(r, v);
	json_decref(o);
	average(r);
}

void rp_sar_release(struct rp_sar *s)
{
	free(s->host);
	free(s->node);
	free(s->v);
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static void figure(char out[RP_FORMAT_SIZE], int k, double v)
{
	snprintf(out, RP_FORMAT_SIZE, "%.*f", shown[k].decimals, v);
}

void rp_sar_text(const struct rp_run *r, FILE *to)
{
	const struct rp_sar *s = &r->sar;
	struct b_buf name = B_BUF_INIT;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	if (!s->host)
		return;
	rp_format_name(&name, s->node ? s->node : s->host, 40);
	if (!s->over[RP_SAR_BUSY].n) {
		fprintf(to, "SYSTEM %s: no sample lies in the measurement interval\n",
			b_buf_cstr(&name));
		b_buf_release(&name);
		return;
	}
	fprintf(to, "SYSTEM %s", b_buf_cstr(&name));
	if (s->cpus > 0)
		fprintf(to, ", %g CPUs", s->cpus);
	fprintf(to, ", %zu samples of the interval\n%-34s %10s %10s\n", s->over[RP_SAR_BUSY].n, "",
		"mean", "max");
	for (int k = 1; k < RP_SAR_N; k++) {
		if (!s->over[k].n)
			continue;
		figure(a, k, s->over[k].mean);
		figure(b, k, s->over[k].max);
		fprintf(to, "%-34s %10s %10s %s\n", shown[k].name, a, b, shown[k].unit);
	}
	b_buf_release(&name);
}

void rp_sar_html(struct b_buf *out, const struct rp_run *r)
{
	static const struct {
		const char *id, *title, *text;
	} charts[] = {
		{ "sar-cpu", "CPU", "per cent of all CPUs" },
		{ "sar-queue", "Run queue",
			"tasks that run or wait for a CPU; waiting for a disk" },
		{ "sar-paging", "Paging", "KiB a second, and major faults a second" },
		{ "sar-disk", "Disk", "transfers a second; busiest disk, per cent of the time" },
	};
	const struct rp_sar *s = &r->sar;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	if (!s->host)
		return;
	b_buf_adds(out, "<section id=\"system\"><h2>System ");
	rp_html_text(out, s->node ? s->node : s->host);
	b_buf_adds(out, "</h2>\n<p class=\"dim\">Recorded by sar at ");
	rp_html_text(out, s->host);
	if (s->cpus > 0)
		b_buf_printf(out, ", %g CPUs", s->cpus);
	b_buf_printf(out, "; %zu samples of the measurement interval in the table",
		s->over[RP_SAR_BUSY].n);
	if (s->shift_s > 0 || s->shift_s < 0)
		b_buf_printf(out, "; its clock was %.1fs %s, which is taken off here",
			fabs(s->shift_s), s->shift_s > 0 ? "ahead" : "behind");
	b_buf_adds(out,
		".</p>\n<div class=\"scroll\"><table><tr><th class=\"name\">over the interval</th>"
		"<th>mean</th><th>max</th><th class=\"name\"></th></tr>\n");
	for (int k = 1; k < RP_SAR_N; k++) {
		if (!s->over[k].n)
			continue;
		figure(a, k, s->over[k].mean);
		figure(b, k, s->over[k].max);
		b_buf_printf(out,
			"<tr><td class=\"name\">%s</td><td>%s</td><td>%s</td><td class=\"name\">%s</td></tr>\n",
			shown[k].name, a, b, shown[k].unit);
	}
	b_buf_adds(out, "</table></div>\n");
	for (size_t i = 0; i < B_ARRAY_LEN(charts); i++)
		b_buf_printf(out,
			"<figure class=\"chart\" id=\"%s\"><figcaption><b>%s</b> <span>%s</span>"
			"</figcaption></figure>\n",
			charts[i].id, charts[i].title, charts[i].text);
	b_buf_adds(out, "</section>\n");
}

static json_t *rounded(double v)
{
	return isnan(v) ? json_null() : json_real(round(v * 1000) / 1000);
}

json_t *rp_sar_json(const struct rp_run *r)
{
	const struct rp_sar *s = &r->sar;
	json_t *o;

	if (!s->host)
		return json_null();
	o = json_object();
	rp_put_text(o, "host", s->node ? s->node : s->host);
	rp_put(o, "samples", json_integer((json_int_t)s->over[RP_SAR_BUSY].n));
	rp_put(o, "clock_off_s", rounded(s->shift_s));
	for (int k = 1; k < RP_SAR_N; k++) {
		json_t *v = json_object();

		rp_put(v, "mean", rounded(s->over[k].mean));
		rp_put(v, "max", rounded(s->over[k].max));
		rp_put_text(v, "unit", shown[k].unit);
		rp_put(o, shown[k].key, v);
	}
	return o;
}

/* In steps, the largest value of each: peaks are what matters. */
json_t *rp_sar_series(const struct rp_run *r)
{
	const struct rp_sar *s = &r->sar;
	size_t step = s->n / MAX_POINTS + 1;
	json_t *o;

	if (!s->host || !s->n)
		return json_null();
	o = json_object();
	for (int k = 0; k < RP_SAR_N; k++) {
		json_t *a = json_array();

		for (size_t i = 0; i < s->n; i += step) {
			double most = NAN;

			for (size_t j = i; j < i + step && j < s->n; j++)
				most = fmax(most, (double)s->v[j][k]);
			B_BUG_ON(json_array_append_new(a, rounded(most)) != 0);
		}
		rp_put(o, shown[k].key, a);
	}
	return o;
}
