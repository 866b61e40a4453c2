#include "rte/metrics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "rte/arrivals.h"
#include "rte/run_priv.h"
#include "base/banned.h"

#define CLIENTS_MAX 16
#define TIMEOUT_S   10

struct rte_metrics {
	struct rte_run *run;
	struct MHD_Daemon *daemon;
};

/* ---- Where ---------------------------------------------------------------------------------------- */

struct place {
	struct sockaddr_storage address;
	socklen_t len;
};

static int unreadable(const char *where, struct b_error *err)
{
	return b_error_set(err, B_EUSAGE,
		"--metrics '%s' is no address; write PORT, ADDR:PORT or [ADDR]:PORT, as in "
		"127.0.0.1:9464",
		where);
}

static int place_of(const char *where, struct place *p, struct b_error *err)
{
	const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where;
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found;
	char *host = b_strndup(where, colon ? (size_t)(colon - where) : 0), *name = host;
	size_t len = strlen(host);
	int64_t n;
	int rc;

	hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
	if (len > 1 && host[0] == '[' && host[len - 1] == ']') {
		host[len - 1] = 0;
		name = host + 1;
	}
	if (!*name || !strcmp(name, "localhost"))
		rc = b_parse_int(port, 0, 65535, &n)
			? EAI_NONAME
			: getaddrinfo("127.0.0.1", port, &hints, &found);
	else
		rc = b_parse_int(port, 0, 65535, &n) ? EAI_NONAME
						     : getaddrinfo(name, port, &hints, &found);
	free(host);
	if (rc)
		return unreadable(where, err);
	memcpy(&p->address, found->ai_addr, found->ai_addrlen);
	p->len = found->ai_addrlen;
	freeaddrinfo(found);
	return B_OK;
}

int rte_metrics_check(const char *where, struct b_error *err)
{
	struct place p;

	return place_of(where, &p, err);
}

/* ---- The text -------------------------------------------------------------------------------------- */

/* A label's value: foreign names, first made plain, then quoted. */
static void label(struct b_buf *out, const char *s)
{
	struct b_buf plain = B_BUF_INIT;

	b_escape_text(&plain, s, strlen(s));
	for (size_t i = 0; i < plain.len; i++) {
		if (plain.data[i] == '"' || plain.data[i] == '\\')
			b_buf_addc(out, '\\');
		b_buf_addc(out, plain.data[i]);
	}
	b_buf_release(&plain);
}

static void family(
	struct b_buf *out, const char *name, const char *type, const char *unit, const char *help)
{
	b_buf_printf(out, "# TYPE %s %s\n", name, type);
	if (*unit)
		b_buf_printf(out, "# UNIT %s %s\n", name, unit);
	b_buf_printf(out, "# HELP %s %s\n", name, help);
}

struct steps {
	const double *le;
	size_t n;
	uint64_t *in; /* of each step alone */
};

static void step_add(void *user, int64_t from_ns, int64_t to_ns, uint64_t count)
{
	struct steps *s = user;
	double middle = ((double)from_ns + (double)to_ns) / 2e9;
	size_t i = 0;

	while (i < s->n && middle > s->le[i])
		i++;
	s->in[i] += count;
}

/* labels: `name="value"` or "". */
static void histogram(struct b_buf *out, const char *name, const char *labels,
	const struct b_hist *h, const double *le, size_t n)
{
	uint64_t in[32] = { 0 }, sum = 0;
	struct steps s = { le, n, in };
	const char *comma = *labels ? "," : "", *open = *labels ? "{" : "",
		   *close = *labels ? "}" : "";

	B_BUG_ON(n >= B_ARRAY_LEN(in));
	b_hist_each(h, step_add, &s);
	for (size_t i = 0; i < n; i++) {
		sum += in[i];
		/* Whole numbers have a point, too: one value, one label. */
		b_buf_printf(out, "%s_bucket{%s%sle=\"%g%s\"} %llu\n", name, labels, comma, le[i],
			le[i] < floor(le[i]) || le[i] > floor(le[i]) ? "" : ".0",
			(unsigned long long)sum);
	}
	b_buf_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, labels, comma,
		(unsigned long long)b_hist_count(h));
	b_buf_printf(out, "%s_count%s%s%s %llu\n", name, open, labels, close,
		(unsigned long long)b_hist_count(h));
	b_buf_printf(out, "%s_sum%s%s%s %.9g\n", name, open, labels, close,
		b_hist_mean(h) * (double)b_hist_count(h) / 1e9);
}

static void transactions(struct rte_run *r, struct b_buf *out)
{
	static const double le[] = { 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
		2.5, 5, 10, 30, 60 };
	struct rte_figures *f = &r->figures;
	struct b_buf labels = B_BUF_INIT;

	family(out, "rte_transactions", "counter", "", "Transactions that have ended, by status.");
	for (size_t i = 0; i < f->n_tx; i++) {
		b_buf_clear(&labels);
		label(&labels, rte_names_text(r->shared.names, i));
		b_buf_printf(out, "rte_transactions_total{transaction=\"%s\",status=\"ok\"} %llu\n",
			b_buf_cstr(&labels), (unsigned long long)f->tx[i]->ok);
		b_buf_printf(out,
			"rte_transactions_total{transaction=\"%s\",status=\"failed\"} %llu\n",
			b_buf_cstr(&labels), (unsigned long long)f->tx[i]->failed);
	}
	family(out, "rte_response_seconds", "histogram", "seconds",
		"Response time, last input to last change of the screen, of transactions that ended ok.");
	for (size_t i = 0; i < f->n_tx; i++) {
		b_buf_clear(&labels);
		b_buf_adds(&labels, "transaction=\"");
		label(&labels, rte_names_text(r->shared.names, i));
		b_buf_addc(&labels, '"');
		histogram(out, "rte_response_seconds", b_buf_cstr(&labels), f->tx[i]->all, le,
			B_ARRAY_LEN(le));
	}
	b_buf_release(&labels);
}

static int64_t sum_of(const struct rte_run *r, size_t at)
{
	int64_t sum = 0;

	for (size_t i = 0; i < r->n_workers; i++)
		sum += rte_stat_get((
			const _Atomic int64_t *)(const void *)((const char *)&r->workers[i]->stats +
			at));
	return sum;
}

static void counters(struct rte_run *r, struct b_buf *out)
{
	static const struct {
		const char *name, *help;
		size_t at;
	} all[] = {
		{ "rte_iterations", "Iterations done.", offsetof(struct rte_stats, iterations) },
		{ "rte_sessions", "Sessions that have ended.",
			offsetof(struct rte_stats, sessions) },
		{ "rte_logins", "Logins done.", offsetof(struct rte_stats, logins) },
		{ "rte_failures", "Transactions and sessions that failed.",
			offsetof(struct rte_stats, failures) },
		{ "rte_keys", "Keystrokes sent.", offsetof(struct rte_stats, keys) },
		{ "rte_received_bytes", "Bytes that the SUT sent.",
			offsetof(struct rte_stats, bytes_in) },
		{ "rte_sent_bytes", "Bytes sent to the SUT.",
			offsetof(struct rte_stats, bytes_out) },
		{ "rte_stale", "Transactions that ended on what the screen showed already.",
			offsetof(struct rte_stats, stale) },
		{ "rte_unsettled", "Responses whose screen never came to rest.",
			offsetof(struct rte_stats, unsettled) },
		{ "rte_reschedules", "Keystroke schedules that started anew: the driver was late.",
			offsetof(struct rte_stats, reschedules) },
	};

	for (size_t i = 0; i < B_ARRAY_LEN(all); i++) {
		family(out, all[i].name, "counter", strstr(all[i].name, "_bytes") ? "bytes" : "",
			all[i].help);
		b_buf_printf(out, "%s_total %lld\n", all[i].name, (long long)sum_of(r, all[i].at));
	}
	family(out, "rte_blocked_seconds", "counter", "seconds",
		"Time in which lines took no bytes, of all users together.");
	b_buf_printf(out, "rte_blocked_seconds_total %.9g\n",
		(double)sum_of(r, offsetof(struct rte_stats, blocked_ns)) / 1e9);
}

static void users(struct rte_run *r, struct b_buf *out)
{
	family(out, "rte_users", "gauge", "", "Emulated users by what they are at.");
	for (int k = 0; k < RTE_N_SHOWN; k++)
		b_buf_printf(out, "rte_users{state=\"%s\"} %lld\n", rte_shown_names[k],
			(long long)sum_of(r,
				offsetof(struct rte_stats, users) +
					(size_t)k * sizeof(_Atomic int64_t)));
	family(out, "rte_users_wanted", "gauge", "", "Users that are wanted.");
	b_buf_printf(
		out, "rte_users_wanted %lld\n", (long long)atomic_load(&r->shared.users_wanted));
	family(out, "rte_paused", "gauge", "", "1 while the run is paused.");
	b_buf_printf(out, "rte_paused %d\n", atomic_load(&r->shared.paused_ns) != 0);
}

static void arrivals(struct rte_run *r, struct b_buf *out)
{
	struct rte_arrival_counts c;

	if (!r->shared.arrivals)
		return;
	c = rte_arrivals_counts(r->shared.arrivals);
	family(out, "rte_arrivals", "counter", "", "Sessions that were due to begin.");
	b_buf_printf(out, "rte_arrivals_total %lld\n", (long long)c.all);
	family(out, "rte_arrivals_turned_away", "counter", "", "Of these, found no user free.");
	b_buf_printf(out, "rte_arrivals_turned_away_total %lld\n", (long long)c.turned_away);
}

static void phase(struct rte_run *r, struct b_buf *out)
{
	int64_t now = b_clock_mono_ns();
	enum rte_phase at = rte_phases_at(&r->shared.phases, now);

	family(out, "rte_phase", "stateset", "", "The phase of the run.");
	for (int p = 0; p < RTE_N_PHASES; p++)
		b_buf_printf(out, "rte_phase{rte_phase=\"%s\"} %d\n",
			rte_phase_name((enum rte_phase)p), p == (int)at);
	family(out, "rte_run", "info", "", "What runs.");
	b_buf_adds(out, "rte_run_info{version=\"" RTE_VERSION "\",run_dir=\"");
	label(out, r->opt->dir);
	b_buf_adds(out, "\"} 1\n");
	family(out, "rte_run_time_seconds", "gauge", "seconds", "Time since the start of the run.");
	b_buf_printf(out, "rte_run_time_seconds %.3f\n", (double)(now - r->start_ns) / 1e9);
}

static void driver(struct rte_run *r, struct b_buf *out)
{
	static const double le[] = { 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1 };

	family(out, "rte_lateness_seconds", "histogram", "seconds",
		"How late keystrokes were written: the driver's own delay.");
	histogram(out, "rte_lateness_seconds", "", r->figures.late, le, B_ARRAY_LEN(le));
	family(out, "rte_worker_cpu_seconds", "counter", "seconds", "CPU time of each worker.");
	for (size_t i = 0; i < r->n_workers; i++)
		b_buf_printf(out, "rte_worker_cpu_seconds_total{worker=\"%zu\"} %.6f\n", i + 1,
			(double)rte_stat_get(&r->workers[i]->stats.cpu_ns) / 1e9);
	family(out, "rte_cpu_seconds", "counter", "seconds", "CPU time of the driver.");
	b_buf_printf(out, "rte_cpu_seconds_total %.6f\n", (double)rte_driver_cpu_ns() / 1e9);
	family(out, "rte_resident_memory_bytes", "gauge", "bytes",
		"Resident memory of the driver.");
	b_buf_printf(
		out, "rte_resident_memory_bytes %lld\n", (long long)rte_driver_rss_kib() * 1024);
}

void rte_metrics_text(struct rte_run *r, struct b_buf *out)
{
	phase(r, out);
	users(r, out);
	arrivals(r, out);
	counters(r, out);
	pthread_mutex_lock(&r->figures.lock);
	transactions(r, out);
	driver(r, out);
	pthread_mutex_unlock(&r->figures.lock);
	b_buf_adds(out, "# EOF\n");
}

/* ---- HTTP ------------------------------------------------------------------------------------------ */

static enum MHD_Result answer(
	struct MHD_Connection *c, unsigned status, const char *type, const char *text, size_t len)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		len, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result rc;

	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	rc = MHD_queue_response(c, status, response);
	MHD_destroy_response(response);
	return rc;
}

static enum MHD_Result plain(struct MHD_Connection *c, unsigned status, const char *text)
{
	return answer(c, status, "text/plain; charset=utf-8", text, strlen(text));
}

static enum MHD_Result serve(void *user, struct MHD_Connection *c, const char *url,
	const char *method, const char *version, const char *upload, size_t *upload_len,
	void **mine)
{
	struct rte_metrics *m = user;
	struct b_buf text = B_BUF_INIT;
	enum MHD_Result rc;

	(void)version;
	(void)upload;
	(void)mine;
	if (*upload_len) {
		*upload_len = 0;
		return MHD_YES;
	}
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return plain(c, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is served here\n");
	if (strcmp(url, "/metrics") != 0)
		return plain(c, MHD_HTTP_NOT_FOUND, "rte serves /metrics\n");
	rte_metrics_text(m->run, &text);
	rc = answer(c, MHD_HTTP_OK, "application/openmetrics-text; version=1.0.0; charset=utf-8",
		text.data, text.len);
	b_buf_release(&text);
	return rc;
}

/* Says where it is, which with port 0 nobody knows else. */
static void tell(const struct place *p, int fd)
{
	struct sockaddr_storage a;
	socklen_t len = sizeof a;
	char host[64], port[16];

	if (getsockname(fd, (struct sockaddr *)&a, &len) ||
		getnameinfo((struct sockaddr *)&a, len, host, sizeof host, port, sizeof port,
			NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	b_info("metrics at http://%s%s%s:%s/metrics", p->address.ss_family == AF_INET6 ? "[" : "",
		host, p->address.ss_family == AF_INET6 ? "]" : "", port);
}

static int listen_at(const struct place *p)
{
	int fd = socket(p->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
	    on = 1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(fd, (const struct sockaddr *)&p->address, p->len) || listen(fd, CLIENTS_MAX)) {
		int why = errno;

		close(fd);
		errno = why;
		return -1;
	}
	return fd;
}

int rte_metrics_new(
	struct rte_metrics **out, struct rte_run *r, const char *where, struct b_error *err)
{
	struct rte_metrics *m;
	struct place p;
	int fd, rc = place_of(where, &p, err);

	if (rc)
		return rc;
	fd = listen_at(&p);
	if (fd < 0)
		return b_error_set(err, B_EENV, "cannot serve metrics at %s: %s; give another port",
			where, strerror(errno));
	m = b_calloc(1, sizeof *m);
	m->run = r;
	m->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL,
		serve, m, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CLIENTS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_S,
		MHD_OPTION_END);
	if (!m->daemon) {
		close(fd);
		free(m);
		return b_error_set(err, B_EENV, "cannot start the thread that serves metrics");
	}
	tell(&p, fd);
	*out = m;
	return B_OK;
}

void rte_metrics_free(struct rte_metrics *m)
{
	if (!m)
		return;
	MHD_stop_daemon(m->daemon);
	free(m);
}
