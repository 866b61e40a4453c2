/* run.json: what was asked for, where it ran, how it ended. Every field may be missing. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/rundir.h"
#include "report/json.h"
#include "report/run.h"
#include "base/banned.h"

#define MAX_EPOCH_S 9e9 /* the year 2255 */

/* A copy of a string, also of one with a NUL inside (cut there); NULL when there is none. */
static char *get_string(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? b_strdup(s) : NULL;
}

/* A number, or one in a string, or a duration in a string; NaN when there is none. */
static double get_number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	double number;
	int64_t ns;

	if (json_is_number(v))
		return json_number_value(v);
	if (json_is_string(v)) {
		if (!b_parse_double(json_string_value(v), &number))
			return number;
		if (!b_parse_duration(json_string_value(v), &ns))
			return (double)ns * 1e-9;
	}
	return NAN;
}

/* A count or an amount: what is no such thing is none. */
static double get_amount(const json_t *o, const char *key)
{
	double v = get_number(o, key);

	return v >= 0 && v <= 1e15 ? v : (double)NAN;
}

static double get_number_or(const json_t *o, const char *key, double otherwise)
{
	double v = get_number(o, key);

	return isnan(v) ? otherwise : v;
}

static void get_strings(const json_t *o, const char *key, char ***list, size_t *n)
{
	const json_t *a = json_object_get(o, key), *v;
	size_t i;

	json_array_foreach(a, i, v)
	{
		if (!json_is_string(v))
			continue;
		*list = b_reallocarray(*list, *n + 1, sizeof **list);
		(*list)[(*n)++] = b_strdup(json_string_value(v));
	}
}

/* With one script the mix says which share each of its functions should have. */
static void load_mix(struct rp_config *c, json_t *script)
{
	const char *name;
	json_t *weight;

	json_object_foreach(json_object_get(script, "mix"), name, weight)
	{
		if (!json_is_number(weight))
			continue;
		c->mix = b_reallocarray(c->mix, c->n_mix + 1, sizeof *c->mix);
		c->mix_weight = b_reallocarray(c->mix_weight, c->n_mix + 1, sizeof *c->mix_weight);
		c->mix_weight[c->n_mix] = json_number_value(weight);
		c->mix[c->n_mix++] = b_strdup(name);
	}
}

static double shares_sum(const json_t *shares)
{
	json_t *weight;
	const char *name;
	double sum = 0;

	json_object_foreach((json_t *)shares, name, weight) sum += json_number_value(weight);
	return sum;
}

/* Shares that changed while the run went on: what is to be expected of all that was counted. */
static void load_mixes(struct rp_config *c, const json_t *script)
{
	const json_t *mixes = json_object_get(script, "mixes"), *m;
	double *expected = b_calloc(c->n_mix + 1, sizeof *expected), all = 0;
	size_t i;

	json_array_foreach(mixes, i, m)
	{
		double counted = json_number_value(json_object_get(m, "counted"));
		const json_t *shares = json_object_get(m, "mix");
		double sum = shares_sum(shares);

		if (!(sum > 0))
			continue;
		all += counted;
		for (size_t k = 0; k < c->n_mix; k++)
			expected[k] += counted / sum *
				json_number_value(json_object_get(shares, c->mix[k]));
	}
	if (all > 0)
		memcpy(c->mix_weight, expected, c->n_mix * sizeof *expected);
	free(expected);
}

static void load_scripts(struct rp_config *c, const json_t *config)
{
	const json_t *a = json_object_get(config, "scripts"), *v;
	size_t i;

	json_array_foreach(a, i, v)
	{
		char *path =
			json_is_string(v) ? b_strdup(json_string_value(v)) : get_string(v, "path");

		if (!path)
			continue;
		c->scripts = b_reallocarray(c->scripts, c->n_scripts + 1, sizeof *c->scripts);
		c->scripts[c->n_scripts++] = path;
	}
	if (json_array_size(a) == 1)
		load_mix(c, json_array_get(a, 0));
	if (c->n_mix)
		load_mixes(c, json_array_get(a, 0));
}

static void load_config(struct rp_run *r, const json_t *config)
{
	struct rp_config *c = &r->config;

	c->users = get_amount(config, "users");
	c->typing = get_string(config, "typing");
	c->think = get_string(config, "think");
	c->pacing = get_string(config, "pacing");
	c->rules = get_string(config, "rules");
	c->timeout_s = get_number(config, "timeout_s");
	c->settle_s = get_number(config, "settle_s");
	c->iterations = get_amount(config, "iterations");
	c->strict = json_is_true(json_object_get(config, "strict"));
	c->late_warn_s = get_number_or(config, "lateness_warn_s", 0.010);
	c->late_bad_s = get_number_or(config, "lateness_bad_s", 0.050);
	load_scripts(c, config);
	get_strings(config, "targets", &c->targets, &c->n_targets);
	get_strings(config, "thresholds", &c->thresholds, &c->n_thresholds);
}

static void load_phases(struct rp_run *r)
{
	const json_t *a = json_object_get(r->json, "phases"), *v;
	size_t i;

	json_array_foreach(a, i, v)
	{
		const char *name = json_string_value(json_object_get(v, "name"));
		struct rp_phase_time *p;
		double start = get_number(v, "start_s");

		if (!name || isnan(start))
			continue;
		r->phases = b_reallocarray(r->phases, r->n_phases + 1, sizeof *r->phases);
		p = &r->phases[r->n_phases++];
		*p = (struct rp_phase_time){ RP_N_PHASE, b_strdup(name), start,
			get_number(v, "end_s") };
		for (int k = 0; k < RP_N_PHASE; k++)
			if (!strcmp(name, rp_phase_names[k]))
				p->phase = (enum rp_phase)k;
	}
}

static void load_driver(struct rp_run *r)
{
	const json_t *d = json_object_get(r->json, "driver"), *a, *v;
	struct rp_driver *to = &r->driver;
	size_t i;

	to->present = json_is_object(d);
	to->keys = get_amount(d, "keys");
	to->late_p50_s = get_number(d, "late_p50_s");
	to->late_p99_s = get_number(d, "late_p99_s");
	to->late_max_s = get_number(d, "late_max_s");
	to->late_out_of_range = get_amount(d, "late_out_of_range");
	to->wake_late_p50_s = get_amount(d, "wake_late_p50_s");
	to->wake_late_p99_s = get_amount(d, "wake_late_p99_s");
	to->wake_late_max_s = get_amount(d, "wake_late_max_s");
	to->log_queue_max_bytes = get_amount(d, "log_queue_max_bytes");
	to->reschedules = get_amount(d, "reschedules");
	to->blocked_s = get_amount(d, "blocked_s");
	a = json_object_get(d, "workers");
	json_array_foreach(a, i, v)
	{
		to->worker_cpu_s = b_reallocarray(
			to->worker_cpu_s, to->n_workers + 1, sizeof *to->worker_cpu_s);
		to->worker_cpu_s[to->n_workers++] = get_number(v, "cpu_s");
	}
}

static char *shape_of(const char *text)
{
	struct b_buf b = B_BUF_INIT;

	rp_failure_shape(&b, text ? text : "", text ? strlen(text) : 0);
	return b_buf_take(&b, NULL);
}

static void load_failures(struct rp_run *r)
{
	const json_t *a = json_object_get(r->json, "errors"), *v;
	size_t i;

	json_array_foreach(a, i, v)
	{
		const char *kind = json_string_value(json_object_get(v, "kind"));
		double count;
		struct rp_failure *f;

		if (!kind)
			continue;
		r->told = b_reallocarray(r->told, r->n_told + 1, sizeof *r->told);
		f = &r->told[r->n_told++];
		*f = (struct rp_failure){ .kind = b_strdup(kind) };
		f->transaction = get_string(v, "transaction");
		f->detail = get_string(v, "expected");
		f->message = get_string(v, "message");
		f->shape = shape_of(f->message ? f->message : f->detail);
		f->screen = get_string(v, "screen");
		count = get_amount(v, "count");
		f->n = isnan(count) ? 0 : (uint64_t)count;
		f->first_s = get_number(v, "first_s");
		f->last_s = NAN;
	}
}

static void load_actions(struct rp_run *r)
{
	const json_t *a = json_object_get(r->json, "actions"), *v;
	size_t i;

	json_array_foreach(a, i, v)
	{
		static const char *const words[] = { "text", "action", "what", "command" };
		static const char *const times[] = { "at_s", "time_s", "time", "start_s" };
		char *text = NULL;
		double at = NAN;

		for (size_t k = 0; k < B_ARRAY_LEN(words) && !text; k++)
			text = get_string(v, words[k]);
		for (size_t k = 0; k < B_ARRAY_LEN(times) && isnan(at); k++)
			at = get_number(v, times[k]);
		if (!text || isnan(at)) {
			free(text);
			continue;
		}
		r->actions = b_reallocarray(r->actions, r->n_actions + 1, sizeof *r->actions);
		r->actions[r->n_actions++] = (struct rp_action){ at, text, get_string(v, "by") };
	}
}

#define UNSAFE " \t'\"*?$&|;<>()\\"

/* The command as it was typed, words with blanks in quotes; the first is the program and verb. */
static char *command_text(const json_t *a)
{
	struct b_buf b = B_BUF_INIT;
	const json_t *v;
	size_t i;

	json_array_foreach(a, i, v)
	{
		const char *s = json_string_value(v);

		if (!s)
			continue;
		if (b.len)
			b_buf_addc(&b, ' ');
		if (i && (!*s || s[strcspn(s, UNSAFE)]))
			b_buf_printf(&b, "'%s'", s);
		else
			b_buf_adds(&b, s);
	}
	if (!b.len) {
		b_buf_release(&b);
		return NULL;
	}
	return b_buf_take(&b, NULL);
}

/* A seed has 64 bits: too many for a double. */
static char *seed_text(const json_t *v)
{
	char text[32];

	if (json_is_string(v))
		return b_strdup(json_string_value(v));
	if (!json_is_integer(v))
		return NULL;
	snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
	return b_strdup(text);
}

json_t *rp_json_read(const char *path, json_error_t *why)
{
	/* A pipe by this name would let us wait for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	json_t *o;

	if (fd < 0) {
		*why = (json_error_t){ .line = 0 };
		snprintf(why->text, sizeof why->text, "%s", strerror(errno));
		return NULL;
	}
	o = json_loadfd(fd, JSON_ALLOW_NUL, why);
	close(fd);
	return o;
}

void rp_load_json(struct rp_run *r)
{
	struct b_buf path = B_BUF_INIT;
	json_error_t why;
	const json_t *host;

	b_buf_printf(&path, "%s/%s", r->dir, RUNDIR_RUN_JSON);
	r->json = rp_json_read(b_buf_cstr(&path), &why);
	if (r->json && !json_is_object(r->json)) {
		json_decref(r->json);
		r->json = NULL;
		b_error_set(&r->json_problem, B_EINPUT, "%s is no JSON object", b_buf_cstr(&path));
	} else if (!r->json) {
		b_error_set(&r->json_problem, B_EINPUT, "%s cannot be read: line %d: %s",
			b_buf_cstr(&path), why.line, why.text);
	}
	b_buf_release(&path);

	/* json_object_get of NULL is NULL: all below copes with a file that is not there. */
	r->version = get_string(r->json, "rte_version");
	r->outcome = get_string(r->json, "outcome");
	r->started_s = get_number(r->json, "started_s");
	if (!(r->started_s > 0 && r->started_s < MAX_EPOCH_S))
		r->started_s = NAN;
	r->seed = seed_text(json_object_get(r->json, "seed"));
	r->outcome_detail = get_string(r->json, "outcome_detail");
	host = json_object_get(r->json, "host");
	r->host = get_string(host, "name");
	r->kernel = get_string(host, "kernel");
	r->cores = get_amount(host, "cores");
	r->memory_kib = get_amount(host, "memory_kib");
	r->command = command_text(json_object_get(r->json, "command"));
	load_config(r, json_object_get(r->json, "config"));
	load_phases(r);
	load_driver(r);
	load_failures(r);
	load_actions(r);
	rp_stages_load(r);
}
