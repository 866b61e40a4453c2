/* The top of a script: what it is, where it goes, what is typed and how fast. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/mem.h"
#include "capture/emit.h"
#include "base/banned.h"

#define COLUMNS     100
#define IN_PLACE    4 /* so many gaps stand in the call itself */
#define COMMAND_MAX 200

/* ---- Values and their rhythm in the text ------------------------------------------------- */

void cap_emit_value(const struct cap_emit *e, const struct cap_value *v, struct b_buf *out)
{
	(void)e;
	if (v->name)
		b_buf_printf(out, "data.%s", v->name);
	else
		cap_emit_string(out, v->text, v->len);
}

static int gap_ms(const struct cap_session *s, size_t item)
{
	int64_t ns = s->item[item].at_ns - s->item[item - 1].at_ns;

	return ns <= 0 ? 0 : (int)((ns + 500000) / 1000000);
}

static size_t gap_count(const struct cap_value *v)
{
	return v->last - v->first;
}

static const struct cap_act *act_of(const struct cap_emit *e, const struct cap_value *v)
{
	for (size_t a = 0; a < e->plan->n_acts; a++)
		if (e->plan->act[a].value == v)
			return &e->plan->act[a];
	return NULL;
}

static void gaps_add(const struct cap_emit *e, const struct cap_act *a, struct b_buf *out, bool wrap)
{
	const struct cap_value *v = a->value;
	size_t line = out->len;
	const char *sep = " ";

	b_buf_addc(out, '{');
	if (a->before_ns >= 0) {
		b_buf_printf(out, " before = %d", (int)((a->before_ns + 500000) / 1000000));
		sep = ", ";
	}
	for (size_t i = v->first + 1; i <= v->last; i++) {
		if (wrap && out->len - line > COLUMNS - 24) {
			b_buf_adds(out, *sep == ',' ? ",\n\t\t" : "\n\t\t");
			line = out->len;
			sep = "";
		}
		b_buf_printf(out, "%s%d", sep, gap_ms(e->plan->s, i));
		sep = ", ";
	}
	b_buf_adds(out, " }");
}

void cap_emit_rhythm(const struct cap_emit *e, const struct cap_act *a, struct b_buf *out)
{
	if (!a->value || (!gap_count(a->value) && a->before_ns < 0))
		return;
	b_buf_adds(out, ", ");
	if (!gap_count(a->value))
		b_buf_printf(out, "%d", (int)((a->before_ns + 500000) / 1000000));
	else if (gap_count(a->value) <= IN_PLACE)
		gaps_add(e, a, out, false);
	else
		b_buf_printf(out, "rhythm.%s", a->value->rhythm);
}

/* ---- Heading ------------------------------------------------------------------------------ */

static void date_add(struct b_buf *out, int64_t epoch_s)
{
	char iso[32];

	if (epoch_s <= 0 || epoch_s > INT64_MAX / B_NS_PER_S)
		return;
	b_clock_iso8601(epoch_s * B_NS_PER_S, iso);
	iso[10] = ' ';
	iso[16] = 0;
	b_buf_printf(out, " on %s UTC", iso);
}

static void heading_emit(struct cap_emit *e)
{
	const struct cap_trace *t = e->plan->s->trace;
	const char *name = e->opt->script_name ? e->opt->script_name : "session";
	struct b_buf line = B_BUF_INIT;

	b_buf_adds(&line, "-- ");
	cap_emit_comment_text(&line, name, strlen(name));
	b_buf_adds(&line, ": a session recorded");
	date_add(&line, t->timestamp_s);
	b_buf_printf(&line, ", %zu %s in %.1f s", e->plan->n_keys,
		e->plan->n_keys == 1 ? "key" : "keys", (double)e->plan->s->end_ns / 1e9);
	if (e->n_traces > 1)
		b_buf_printf(&line, ", and %zu more of the same", e->n_traces - 1);
	b_buf_adds(&line, ".\n-- Made by `rte script");
	if (e->opt->trace_path) {
		b_buf_addc(&line, ' ');
		cap_emit_comment_text(&line, e->opt->trace_path, strlen(e->opt->trace_path));
	}
	b_buf_adds(&line, "`; it replays as it stands:\n--\n--   rte play ");
	cap_emit_comment_text(&line, name, strlen(name));
	b_buf_adds(&line, ".lua                     one user, as recorded\n--   rte run ");
	cap_emit_comment_text(&line, name, strlen(name));
	b_buf_adds(&line, ".lua -u 50 --measure 5m   fifty users, and their response times\n");
	b_buf_add(e->out, line.data, line.len);
	b_buf_release(&line);
}

static void target_emit(struct cap_emit *e)
{
	const struct cap_trace *t = e->plan->s->trace;
	struct b_buf target = B_BUF_INIT;

	if (e->opt->target)
		b_buf_adds(&target, e->opt->target);
	else if (t->target)
		b_buf_adds(&target, t->target);
	else if (t->command)
		b_buf_printf(&target, "pty:%s", t->command);
	b_buf_addc(e->out, '\n');
	if (target.len) {
		b_buf_adds(e->out, "target ");
		cap_emit_string(e->out, target.data, target.len);
		b_buf_addc(e->out, '\n');
	} else {
		b_buf_adds(e->out, "-- The trace does not say what was recorded: give --target, or "
				   "name it here:\n-- target \"pty:COMMAND\"\n");
	}
	b_buf_adds(e->out, "terminal { term = ");
	cap_emit_string(e->out, t->term, strlen(t->term));
	b_buf_printf(e->out, ", size = \"%dx%d\" }\n", t->cols, t->rows);
	b_buf_release(&target);
}

/* ---- Tables ------------------------------------------------------------------------------ */

static void label_comment(struct cap_emit *e, const struct cap_value *v)
{
	if (v->label) {
		b_buf_adds(e->out, " -- beside \"");
		cap_emit_comment_text(e->out, v->label, strlen(v->label));
		b_buf_addc(e->out, '"');
	}
	if (v->silent)
		b_buf_adds(e->out, v->label ? "; nothing of it was shown" : " -- nothing of it was shown");
}

static void data_emit(struct cap_emit *e)
{
	const struct cap_values *v = e->plan->values;
	bool any = false;

	for (size_t i = 0; i < v->n; i++) {
		const struct cap_value *val = &v->value[i];

		if (!val->name || val->same)
			continue;
		if (!any)
			b_buf_adds(e->out, "\n-- What was typed. Edit it here, or let each user take rows "
					   "of a file: `rte script --data`.\nlocal data = {\n");
		any = true;
		b_buf_printf(e->out, "\t%s = ", val->name);
		cap_emit_string(e->out, val->text, val->len);
		b_buf_addc(e->out, ',');
		label_comment(e, val);
		b_buf_addc(e->out, '\n');
	}
	if (any)
		b_buf_adds(e->out, "}\n");
}

static void rhythm_emit(struct cap_emit *e)
{
	const struct cap_values *v = e->plan->values;
	bool any = false;

	for (size_t i = 0; i < v->n; i++) {
		const struct cap_act *a = act_of(e, &v->value[i]);
		struct b_buf gaps = B_BUF_INIT;

		if (!a || a->kind != CAP_ACT_SEND || gap_count(&v->value[i]) <= IN_PLACE)
			continue;
		if (!any)
			b_buf_adds(e->out,
				"\n-- Milliseconds between its keys, as recorded; they count where the "
				"typing is \"recorded\".\nlocal rhythm = {\n");
		any = true;
		gaps_add(e, a, &gaps, true);
		b_buf_printf(e->out, "\t%s = %s,\n", v->value[i].rhythm, b_buf_cstr(&gaps));
		b_buf_release(&gaps);
	}
	if (any)
		b_buf_adds(e->out, "}\n");
}

void cap_emit_head(struct cap_emit *e)
{
	const struct cap_plan *p = e->plan;

	heading_emit(e);
	for (size_t a = 0; a < p->n_acts; a++)
		if (p->act[a].kind == CAP_ACT_SECRET) {
			b_buf_adds(e->out, "-- Secrets are in no file: give RTE_SECRET_PASSWORD and the "
					   "like in the environment.\n");
			break;
		}
	if (!p->n_acts)
		b_buf_adds(e->out, "-- The trace holds no input: this script only waits.\n");
	target_emit(e);
	data_emit(e);
	rhythm_emit(e);
}

void cap_emit_csv(const struct cap_emit *e, struct b_buf *out)
{
	(void)e;
	(void)out;
}
