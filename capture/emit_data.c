/* The top of a script: what it is, where it goes, what is typed and how fast. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/mem.h"
#include "capture/emit.h"
#include "line/words.h"
#include "base/banned.h"

#define COLUMNS     100
#define IN_PLACE    4 /* so many gaps stand in the call itself */
#define COMMAND_MAX 200

/* ---- Values and their rhythm in the text ------------------------------------------------- */

/* A file of lines cannot hold control characters for each reader's taste: such stay here. */
static bool is_plain(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			return false;
	return true;
}

/* Whether the value is a column of the data file. */
static bool is_column(const struct cap_emit *e, size_t k)
{
	const struct cap_value *v = &e->plan->values->value[k];

	if (!e->opt->data || !v->name || v->secret || v->shown_label ||
		(e->n_traces > 1 && !v->differs))
		return false;
	for (size_t t = 0; t < e->merge->n_traces; t++)
		if (e->merge->column[t][k] && !is_plain(e->merge->column[t][k]))
			return false;
	return true;
}

static bool has_columns(const struct cap_emit *e)
{
	for (size_t k = 0; k < e->plan->values->n; k++)
		if (is_column(e, k))
			return true;
	return false;
}

void cap_emit_value(const struct cap_emit *e, const struct cap_value *v, struct b_buf *out)
{
	if (v->name && is_column(e, (size_t)(v - e->plan->values->value)))
		b_buf_printf(out, "row.%s", v->name);
	else if (v->name)
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

static void gaps_add(
	const struct cap_emit *e, const struct cap_act *a, struct b_buf *out, bool wrap)
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
			b_buf_adds(out, *sep == ',' ? ",\n    " : "\n    ");
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

/* A file's name as it is typed to a shell, within a comment. */
static void file_add(struct b_buf *out, const char *name, const char *ending)
{
	struct b_buf file = B_BUF_INIT, quoted = B_BUF_INIT;
	char *words[] = { NULL, NULL };

	b_buf_printf(&file, "%s%s", name, ending);
	words[0] = b_buf_take(&file, NULL);
	ln_words_quote(&quoted, words);
	cap_emit_comment_text(out, quoted.data, quoted.len);
	free(words[0]);
	b_buf_release(&quoted);
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
		file_add(&line, e->opt->trace_path, "");
	}
	b_buf_adds(&line, "`; it replays as it stands:\n--\n--   rte play ");
	file_add(&line, name, ".lua");
	b_buf_adds(&line, "                     one user, as recorded\n--   rte run ");
	file_add(&line, name, ".lua");
	b_buf_adds(&line, " -u 50 --measure 5m   fifty users, and their response times\n");
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
		b_buf_adds(e->out,
			"-- The trace does not say what was recorded: give --target, or "
			"name it here:\n-- target \"pty:COMMAND\"\n");
	}
	b_buf_adds(e->out, "terminal { term = ");
	cap_emit_string(e->out, t->term, strlen(t->term));
	b_buf_printf(e->out, ", size = \"%dx%d\" }\n", t->cols, t->rows);
	b_buf_release(&target);
}

/* ---- Tables ------------------------------------------------------------------------------ */

static void note_add(struct b_buf *out, const char *text)
{
	b_buf_adds(out, out->len ? "; " : " -- ");
	b_buf_adds(out, text);
}

/* What is to be known of a value: its label, what the other traces have. */
static void value_note(struct cap_emit *e, size_t k)
{
	const struct cap_value *v = &e->plan->values->value[k];
	struct b_buf note = B_BUF_INIT;

	if (v->label) {
		note_add(&note, "by \"");
		cap_emit_comment_text(&note, v->label, strlen(v->label));
		b_buf_addc(&note, '"');
	}
	if (v->silent)
		note_add(&note, "nothing of it was shown");
	if (v->shown_label) {
		note_add(&note, "read from the screen, by \"");
		cap_emit_comment_text(&note, v->shown_label, strlen(v->shown_label));
		b_buf_addc(&note, '"');
	} else if (v->differs) {
		note_add(&note, "other traces:");
		for (size_t t = 1; t < e->merge->n_traces && t < 4; t++) {
			const char *other = e->merge->column[t][k];

			b_buf_addc(&note, ' ');
			if (other)
				cap_emit_comment_text(&note, other, strlen(other));
		}
	}
	b_buf_adds(e->out, b_buf_cstr(&note));
	b_buf_addc(e->out, '\n');
	b_buf_release(&note);
}

static void data_emit(struct cap_emit *e)
{
	const struct cap_values *v = e->plan->values;
	bool any = false;

	if (has_columns(e)) {
		b_buf_adds(e->out,
			"\n-- Each iteration takes the next row of this file; users share "
			"its rows out.\nlocal row = data.csv(");
		cap_emit_string(e->out, e->opt->data_path, strlen(e->opt->data_path));
		b_buf_adds(e->out, ")\n");
	}
	for (size_t i = 0; i < v->n; i++) {
		const struct cap_value *val = &v->value[i];

		if (!val->name || val->same || is_column(e, i))
			continue;
		if (!any && has_columns(e))
			b_buf_adds(e->out, "\n-- What else was typed.\nlocal data = {\n");
		else if (!any)
			b_buf_adds(e->out,
				"\n-- What was typed. Edit it here, or let users take rows of "
				"a file: `rte script --data`.\nlocal data = {\n");
		any = true;
		b_buf_printf(e->out, "  %s = ", val->name);
		cap_emit_string(e->out, val->text, val->len);
		b_buf_addc(e->out, ',');
		value_note(e, i);
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
		b_buf_printf(e->out, "  %s = %s,\n", v->value[i].rhythm, b_buf_cstr(&gaps));
		b_buf_release(&gaps);
	}
	if (any)
		b_buf_adds(e->out, "}\n");
}

/* Which variables the secrets are taken from, each once. */
static void secrets_emit(struct cap_emit *e)
{
	const struct cap_plan *p = e->plan;
	struct b_buf list = B_BUF_INIT, name = B_BUF_INIT;

	for (size_t a = 0; a < p->n_acts; a++) {
		if (p->act[a].kind != CAP_ACT_SECRET)
			continue;
		b_buf_clear(&name);
		b_buf_adds(&name, " RTE_SECRET_");
		for (const char *c = cap_act_secret(p, &p->act[a]); *c; c++)
			b_buf_addc(&name,
				(char)(*c >= 'a' && *c <= 'z' ? *c - 32
						: (*c >= 'A' && *c <= 'Z') ||
							(*c >= '0' && *c <= '9')
						? *c
						: '_'));
		b_buf_addc(&name, ',');
		if (!list.data || !strstr(b_buf_cstr(&list), b_buf_cstr(&name)))
			b_buf_add(&list, name.data, name.len);
	}
	if (list.len)
		b_buf_printf(e->out, "-- Secrets are in no file. Set in the environment:%.*s.\n",
			(int)list.len - 1, b_buf_cstr(&list));
	b_buf_release(&list);
	b_buf_release(&name);
}

void cap_emit_head(struct cap_emit *e)
{
	const struct cap_plan *p = e->plan;

	heading_emit(e);
	secrets_emit(e);
	if (!p->n_keys)
		b_buf_adds(e->out, "-- The trace holds no input: this script only waits.\n");
	target_emit(e);
	data_emit(e);
	rhythm_emit(e);
}

/* RFC 4180, the bytes as they are: a script sends what stands here. */
static void field_add(struct b_buf *out, const char *s)
{
	bool quote = !*s || strpbrk(s, ",\"") || s[0] == ' ' || s[strlen(s) - 1] == ' ';

	if (quote)
		b_buf_addc(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			b_buf_addc(out, '"');
		b_buf_addc(out, *s);
	}
	if (quote)
		b_buf_addc(out, '"');
}

void cap_emit_csv(const struct cap_emit *e, struct b_buf *out)
{
	const struct cap_values *v = e->plan->values;

	for (size_t line = 0; line <= e->merge->n_traces; line++) {
		const char *sep = "";

		for (size_t k = 0; k < v->n; k++) {
			const char *field;

			if (v->value[k].same || !is_column(e, k))
				continue;
			b_buf_adds(out, sep);
			sep = ",";
			if (!line) {
				b_buf_adds(out, v->value[k].name);
				continue;
			}
			/* Where a trace went another way it typed nothing here. */
			field = e->merge->column[line - 1][k];
			field_add(out, field ? field : v->value[k].text);
		}
		if (*sep)
			b_buf_adds(out, "\n");
	}
}
