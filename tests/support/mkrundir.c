/*
 * mkrundir - makes a run directory as `rte run` would have left it, from a simulation of users
 * with known distributions. For the tests and benches of report/.
 *
 *   mkrundir [-u USERS] [-m MEASURE_S] [-n ROWS] [-s SEED] [-w NAME=VALUE]... DIR
 *
 * -n ends the run after so many rows, whatever the phases say. NAMEs of -w: slow (factor on
 * response times), drift (s added to them over the interval), fail (share), late (s, p99),
 * think (mean s), pacing (s), grow (s a user more), hostile (1: names and screens that bite),
 * killed (1: as after kill -9: no end in run.json, a last line cut off), start (epoch),
 * names (transactions besides the two).
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/hist.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/random.h"
#include "base/rundir.h"
#include "base/banned.h"

#define RAMP_S     5.0
#define WARMUP_S   5.0
#define CONTINUE_S 3.0
#define RAMPDOWN_S 2.0
#define TIMEOUT_S  5.0

static const char *const knob_names[] = { "slow", "drift", "fail", "late", "think", "pacing",
	"grow", "hostile", "killed", "start", "names" };
enum { SLOW, DRIFT, FAIL, LATE, THINK, PACING, GROW, HOSTILE, KILLED, START, NAMES, N_KNOBS };

struct user {
	double at_s, due_s; /* when the next iteration starts */
	long iteration;
	double account[11]; /* as the columns of sessions.csv from connect_s on */
};

struct second {
	struct b_hist *h;
	long ok, failed, keys, in, out;
};

struct sim {
	double knob[N_KNOBS];
	long users, rows, max_rows;
	double measure_s, end_s;
	const char *dir;
	struct b_random rnd;
	struct user *user;
	long *heap; /* user numbers, the earliest first */
	struct second *second;
	long n_seconds;
	FILE *transactions;
};

static double from_s(void)
{
	return RAMP_S + WARMUP_S;
}

static const char *phase_at(const struct sim *s, double t)
{
	if (t < RAMP_S)
		return "rampup";
	if (t < from_s())
		return "warmup";
	if (t < from_s() + s->measure_s)
		return "measure";
	return t < from_s() + s->measure_s + CONTINUE_S ? "continue" : "rampdown";
}

/* ---- The heap of users ---------------------------------------------------------------------- */

static int earlier(const struct sim *s, long a, long b)
{
	return s->user[s->heap[a]].at_s < s->user[s->heap[b]].at_s;
}

static void sink(struct sim *s, long i)
{
	for (;;) {
		long least = i, l = 2 * i + 1, keep;

		if (l < s->users && earlier(s, l, least))
			least = l;
		if (l + 1 < s->users && earlier(s, l + 1, least))
			least = l + 1;
		if (least == i)
			return;
		keep = s->heap[i];
		s->heap[i] = s->heap[least];
		s->heap[least] = keep;
		i = least;
	}
}

/* ---- One transaction ------------------------------------------------------------------------- */

static double lognormal(struct sim *s, double median, double sigma)
{
	return median * exp(b_random_normal(&s->rnd, 0, sigma));
}

static const char *const hostile_names[] = { "</script><script>window.pwned=1</script>",
	"\"quoted\", with commas", "<img src=x onerror=\"window.pwned=1\">",
	("\xE2\x80\xAE"
	 "esrever"),
	"=1+1", "caf\xC3\xA9 \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E" };

static void put_text(FILE *to, const char *text)
{
	struct b_buf b = B_BUF_INIT;

	b_escape_csv(&b, text, strlen(text));
	fputs(b_buf_cstr(&b), to);
	b_buf_release(&b);
}

static struct second *second_of(struct sim *s, double t)
{
	long i = (long)t;

	if (i >= s->n_seconds) {
		s->second = b_reallocarray(s->second, (size_t)i + 1, sizeof *s->second);
		memset(s->second + s->n_seconds, 0,
			(size_t)(i + 1 - s->n_seconds) * sizeof *s->second);
		s->n_seconds = i + 1;
	}
	if (!s->second[i].h)
		s->second[i].h = b_hist_new();
	return &s->second[i];
}

struct outcome {
	const char *name, *status, *ended, *detail;
	double think, keying, first, response, ready, late;
	int keys;
};

static void draw(struct sim *s, struct outcome *o, double t, long iteration)
{
	double pick = b_random_unit(&s->rnd), progress = (t - from_s()) / s->measure_s;
	int update = iteration % 5 == 4;
	static char extra[32];

	*o = (struct outcome){ update ? "update" : "query", "ok", update ? "text" : "cursor", "",
		.keys = update ? 30 : 8 };
	if (s->knob[NAMES] > 0 && iteration % 3 == 0) {
		snprintf(extra, sizeof extra, "t%03ld", iteration / 3 % (long)s->knob[NAMES]);
		o->name = extra;
	}
	if (s->knob[HOSTILE] > 0 && iteration % 3 == 0)
		o->name = hostile_names[(size_t)(iteration / 3) % B_ARRAY_LEN(hostile_names)];
	o->think = b_random_exp(&s->rnd, s->knob[THINK]);
	o->keying = (double)(o->keys - 1) * 0.125 + 0.001 * b_random_unit(&s->rnd);
	o->response = lognormal(s, update ? 0.060 : 0.020, 0.4) * s->knob[SLOW];
	o->response += s->knob[GROW] * (double)s->users;
	if (progress > 0)
		o->response += s->knob[DRIFT] * progress;
	o->first = o->response * 0.4;
	o->ready = o->response + 0.0005;
	if (pick >= s->knob[FAIL])
		return;
	o->ended = "";
	pick /= s->knob[FAIL];
	if (pick < 0.5) {
		o->status = "timeout";
		o->ended = "timeout";
		o->ready = TIMEOUT_S;
		o->detail = "text \"Balance\" at row 12";
	} else if (pick < 0.8) {
		o->status = "check";
		o->detail = "balance is -3, expected more";
	} else {
		o->status = "disconnect";
		o->ready = o->response;
		o->detail = "the line was closed, expected cursor at 6,22";
	}
	if (s->knob[HOSTILE] > 0)
		o->detail = "text \"</script><b onmouseover=window.pwned=1>\" \xFF\x1B[2J";
}

static void write_row(
	struct sim *s, long user, const struct user *u, const struct outcome *o, double start)
{
	double end = start + fmax(o->response, o->ready), begin = start - o->keying;
	int counted = begin >= from_s() && end <= from_s() + s->measure_s;
	int ok = !strcmp(o->status, "ok");
	FILE *to = s->transactions;

	fprintf(to, "%.6f,%ld,1,%ld,teller,", s->knob[START] + start, user + 1, u->iteration + 1);
	put_text(to, o->name);
	fprintf(to, ",%s,%d,%s,", phase_at(s, begin), counted, o->status);
	if (ok)
		fprintf(to, "%.6f,%.6f,%.6f", o->response, o->first, o->ready);
	else
		fprintf(to, ",,%.6f", o->ready);
	fprintf(to, ",%.6f,%.6f,", o->keying, o->think);
	if (s->knob[PACING] > 0)
		fprintf(to, "%.6f", o->late);
	fprintf(to, ",%.6f,%.6f,%d,480,%d,%s,", 0.0004, 0.0021, o->keys, o->keys, o->ended);
	put_text(to, o->detail);
	fputc('\n', to);
}

static void step(struct sim *s)
{
	long number = s->heap[0];
	struct user *u = &s->user[number];
	struct outcome o;
	struct second *sec;
	double start, end;

	draw(s, &o, u->at_s, u->iteration);
	if (s->knob[PACING] > 0) {
		o.late = fmax(0, u->at_s - u->due_s);
		u->due_s += s->knob[PACING];
	}
	start = u->at_s + o.think + o.keying;
	end = start + fmax(o.response, o.ready);
	write_row(s, number, u, &o, start);
	u->account[2] += o.keying;
	u->account[3] += end - start;
	u->account[4] += 0.0002;
	u->account[5] += o.think;
	u->at_s = end + 0.0002;
	if (s->knob[PACING] > 0 && u->at_s < u->due_s) {
		u->account[6] += u->due_s - u->at_s;
		u->at_s = u->due_s;
	}
	u->iteration++;
	sec = second_of(s, end);
	if (!strcmp(o.status, "ok")) {
		b_hist_add(sec->h, (int64_t)(o.response * 1e9));
		sec->ok++;
	} else {
		sec->failed++;
	}
	sec->keys += o.keys;
	sec->in += 480;
	sec->out += o.keys;
	s->rows++;
	sink(s, 0);
}

static void simulate(struct sim *s)
{
	double stop = from_s() + s->measure_s + CONTINUE_S;

	s->user = b_calloc((size_t)s->users, sizeof *s->user);
	s->heap = b_calloc((size_t)s->users, sizeof *s->heap);
	for (long i = 0; i < s->users; i++) {
		double ramp = RAMP_S * (double)i / (double)s->users;

		s->heap[i] = i;
		s->user[i].account[0] = 0.003;
		s->user[i].account[1] = 0.2;
		s->user[i].at_s = s->user[i].due_s = ramp + 0.203;
	}
	while (s->user[s->heap[0]].at_s < stop && s->rows < s->max_rows)
		step(s);
	s->end_s = s->user[s->heap[0]].at_s;
	if (s->end_s > stop)
		s->end_s = stop + RAMPDOWN_S;
}

/* ---- The other files ---------------------------------------------------------------------- */

static FILE *create(const struct sim *s, const char *name)
{
	struct b_buf path = B_BUF_INIT;
	FILE *f;

	b_buf_printf(&path, "%s/%s", s->dir, name);
	f = fopen(b_buf_cstr(&path), "w");
	if (!f) {
		fprintf(stderr, "mkrundir: cannot write %s: %s\n", b_buf_cstr(&path),
			strerror(errno));
		exit(3);
	}
	b_buf_release(&path);
	return f;
}

static void write_sessions(const struct sim *s)
{
	FILE *to = create(s, RUNDIR_SESSIONS_CSV);

	fputs(RUNDIR_SESSIONS_COLUMNS "\n", to);
	for (long i = 0; i < s->users && !(s->knob[KILLED] > 0); i++) {
		const struct user *u = &s->user[i];
		double sum = 0;

		for (int k = 0; k < 11; k++)
			sum += u->account[k];
		fprintf(to, "%.6f,%ld,1,teller,tcp://sut.example:23,logout,,%ld,%.6f",
			s->knob[START] + RAMP_S * (double)i / (double)s->users, i + 1, u->iteration,
			sum);
		for (int k = 0; k < 11; k++)
			fprintf(to, ",%.6f", u->account[k]);
		fprintf(to, ",%.6f,%.6f,%.6f\n", 0.1 * (double)u->iteration, 0.001, 0.0);
	}
	fclose(to);
}

static void write_timeline(const struct sim *s)
{
	FILE *to = create(s, RUNDIR_TIMELINE_CSV);

	fputs(RUNDIR_TIMELINE_COLUMNS "\n", to);
	for (long i = 0; i < s->n_seconds; i++) {
		const struct second *x = &s->second[i];
		long up = (long)fmin((double)s->users, (double)s->users * (double)(i + 1) / RAMP_S);

		fprintf(to, "%.6f,%s,%ld,0,0,%ld,%ld,%ld,0,0,%ld,%ld,",
			s->knob[START] + (double)i + 1, phase_at(s, (double)i), s->users - up,
			up / 4, up / 10, up - up / 4 - up / 10, x->ok, x->failed);
		if (x->ok)
			fprintf(to, "%.6f,%.6f,%.6f,%.6f",
				(double)b_hist_quantile(x->h, 0.5) * 1e-9,
				(double)b_hist_quantile(x->h, 0.9) * 1e-9,
				(double)b_hist_quantile(x->h, 0.99) * 1e-9,
				(double)b_hist_max(x->h) * 1e-9);
		else
			fputs(",,,", to);
		fprintf(to, ",%ld,%ld,%ld,%.6f,%.6f,%.6f,%.3f,%ld,,,,,\n", x->keys, x->in, x->out,
			0.0003, s->knob[LATE], s->knob[LATE] * 2, 0.05 + 0.0004 * (double)up,
			20000 + 50 * s->users);
	}
	fclose(to);
}

static void write_screen(const struct sim *s)
{
	struct b_buf path = B_BUF_INIT;
	FILE *to;

	b_buf_printf(&path, "%s/" RUNDIR_FAILURES_DIR, s->dir);
	mkdir(b_buf_cstr(&path), 0777);
	b_buf_release(&path);
	to = create(s, RUNDIR_FAILURES_DIR "/0001.ansi");
	fputs("\033[H\033[2J\033[1;1H\033[1;37;44m Bank of Nowhere            \033[0m"
	      "\033[3;5HAccount: \033[7m1000042 \033[0m"
	      "\033[5;5H\033[38;5;208mPlease wait...\033[0m \033[38;2;80;200;120mgreen\033[0m"
	      "\033[7;5H\033[4munderlined\033[0m \xE6\x97\xA5\xE6\x9C\xAC \xE2\x94\x8C\xE2\x94\x80\xE2\x94\x90",
		to);
	if (s->knob[HOSTILE] > 0)
		fputs("\033[9;1H</script><script>window.pwned=1</script><img src=x "
		      "onerror=window.pwned=1>\xFF\xFE",
			to);
	fputs("\033[24;1H\033[33mF1=Help  F10=Exit\033[0m\033[3;14H", to);
	fclose(to);
}

static void write_phases(FILE *to, const struct sim *s)
{
	static const char *const names[] = { "rampup", "warmup", "measure", "continue",
		"rampdown" };
	double at[6] = { 0, RAMP_S, from_s(), from_s() + s->measure_s,
		from_s() + s->measure_s + CONTINUE_S, s->end_s };

	for (int i = 0; i < 5; i++) {
		int last = at[i + 1] >= s->end_s;

		fprintf(to, "%s{\"name\":\"%s\",\"start_s\":%.6f,\"end_s\":", i ? "," : "",
			names[i], s->knob[START] + at[i]);
		if (last && s->knob[KILLED] > 0)
			fputs("null}", to);
		else
			fprintf(to, "%.6f}", s->knob[START] + fmin(at[i + 1], s->end_s));
		if (last)
			return;
	}
}

static void write_json(const struct sim *s)
{
	FILE *to = create(s, RUNDIR_RUN_JSON);
	int killed = s->knob[KILLED] > 0;

	fprintf(to,
		"{\"format\":1,\"rte_version\":\"0.1.0\",\"outcome\":\"%s\",\"started_s\":%.6f,",
		killed ? "running" : "finished", s->knob[START]);
	fprintf(to,
		"\"command\":[\"rte\",\"run\",\"teller.lua\",\"-u\",\"%ld\",\"-o\",\"a dir\"],"
		"\"seed\":42,",
		s->users);
	fputs("\"host\":{\"name\":\"driver1\",\"cores\":2,\"kernel\":\"Linux 6.1.0\","
	      "\"memory_kib\":8000000},",
		to);
	fprintf(to, "\"config\":{\"users\":%ld,\"typing\":\"cps:8\",\"think\":\"exp:%g\",",
		s->users, s->knob[THINK]);
	if (s->knob[PACING] > 0)
		fprintf(to, "\"pacing\":\"%gs\",", s->knob[PACING]);
	fprintf(to,
		"\"timeout_s\":%g,\"settle_s\":0.1,\"iterations\":null,"
		"\"scripts\":[{\"path\":\"teller.lua\",\"weight\":1}],"
		"\"targets\":[\"tcp://sut.example:23\"],\"thresholds\":[\"query:p90<2s\","
		"\"*:errors<1%%\"],\"rules\":null,\"strict\":false,\"lateness_warn_s\":0.01,"
		"\"lateness_bad_s\":0.05},\"phases\":[",
		TIMEOUT_S);
	write_phases(to, s);
	fputs("]", to);
	if (!killed) {
		fprintf(to,
			",\"driver\":{\"keys\":%ld,\"late_p50_s\":0.0003,\"late_p99_s\":%.6f,"
			"\"late_max_s\":%.6f,\"reschedules\":0,\"blocked_s\":0,\"workers\":"
			"[{\"cpu_s\":1.5},{\"cpu_s\":1.25}]}",
			s->rows * 12, s->knob[LATE], s->knob[LATE] * 2);
		if (s->knob[FAIL] > 0)
			fputs(",\"errors\":[{\"kind\":\"timeout\",\"expected\":\"text \\\"Balance\\\" "
			      "at row 12\",\"screen\":\"failures/0001.ansi\",\"count\":3,"
			      "\"first_s\":12.5}]",
				to);
	}
	fputs("}\n", to);
	fclose(to);
}

/* ---- Arguments ------------------------------------------------------------------------------ */

static int usage(void)
{
	fputs("usage: mkrundir [-u USERS] [-m MEASURE_S] [-n ROWS] [-s SEED] [-w NAME=VALUE]... DIR\n",
		stderr);
	return 2;
}

static int set_knob(struct sim *s, const char *arg)
{
	const char *eq = strchr(arg, '=');

	for (size_t i = 0; eq && i < N_KNOBS; i++)
		if (strlen(knob_names[i]) == (size_t)(eq - arg) &&
			!strncmp(knob_names[i], arg, (size_t)(eq - arg)))
			return b_parse_double(eq + 1, &s->knob[i]);
	return -1;
}

static void finish(struct sim *s)
{
	if (s->knob[KILLED] > 0)
		fprintf(s->transactions, "%.6f,1,1,9999,tel", s->knob[START] + s->end_s);
	fclose(s->transactions);
	write_sessions(s);
	write_timeline(s);
	write_json(s);
	if (s->knob[FAIL] > 0)
		write_screen(s);
	for (long i = 0; i < s->n_seconds; i++)
		b_hist_free(s->second[i].h);
	free(s->second);
	free(s->user);
	free(s->heap);
	b_random_release(&s->rnd);
}

int main(int argc, char **argv)
{
	struct sim s = { .users = 20, .measure_s = 30, .max_rows = INT64_MAX };
	int64_t users = 20, rows = INT64_MAX, seed = 1;
	int c, bad = 0;

	s.knob[SLOW] = 1;
	s.knob[THINK] = 1;
	s.knob[LATE] = 0.002;
	s.knob[START] = 1796000000;
	while ((c = getopt(argc, argv, "u:m:n:s:w:")) != -1) {
		switch (c) {
		case 'u': bad |= b_parse_int(optarg, 1, 100000, &users); break;
		case 'm': bad |= b_parse_double(optarg, &s.measure_s); break;
		case 'n': bad |= b_parse_int(optarg, 1, INT64_MAX, &rows); break;
		case 's': bad |= b_parse_int(optarg, 0, INT64_MAX, &seed); break;
		case 'w': bad |= set_knob(&s, optarg); break;
		default: bad = 1;
		}
	}
	if (bad || optind + 1 != argc)
		return usage();
	s.users = (long)users;
	s.max_rows = (long)rows;
	s.dir = argv[optind];
	b_random_init(&s.rnd, (uint64_t)seed, 1, B_STREAM_ENGINE);
	if (mkdir(s.dir, 0777) && errno != EEXIST) {
		fprintf(stderr, "mkrundir: cannot make %s: %s\n", s.dir, strerror(errno));
		return 3;
	}
	s.transactions = create(&s, RUNDIR_TRANSACTIONS_CSV);
	fputs(RUNDIR_TRANSACTIONS_COLUMNS "\n", s.transactions);
	simulate(&s);
	finish(&s);
	return 0;
}
