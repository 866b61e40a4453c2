#include "capture/generate.h"

#include <stdlib.h>

#include "base/mem.h"
#include "capture/emit.h"
#include "base/banned.h"

static bool has_anything(const struct cap_trace *t)
{
	for (size_t i = 0; i < t->n_events; i++)
		if ((t->events[i].code == 'o' || t->events[i].code == 'i') && t->events[i].len)
			return true;
	return false;
}

/* Text that holds a typed value will differ when the value does. */
static const char **typed_list(const struct cap_values *v)
{
	const char **list = b_calloc(v->n + 1, sizeof *list);

	for (size_t i = 0; i < v->n; i++)
		list[i] = v->value[i].text;
	return list;
}

static void script_make(struct cap_session *const *s, size_t n,
	const struct cap_generate_options *opt, struct b_buf *script, struct b_buf *data_csv)
{
	struct cap_values values;
	struct cap_merge merge;
	struct cap_plan plan;
	struct cap_wait *waits;
	const char **typed;
	struct cap_infer_options iopt = { 0 };
	struct cap_emit e = {
		.plan = &plan, .opt = opt, .n_traces = n, .out = script, .warnings = opt->warnings
	};

	cap_values_find(s[0], &values);
	cap_merge_new(s, n, &values, opt->warnings, &merge);
	typed = typed_list(&values);
	iopt.typed = typed;
	iopt.n_typed = values.n;
	iopt.words = &values.words;
	iopt.differing = (const unsigned char *const *)merge.differing;
	waits = cap_infer(s[0], &iopt);
	cap_plan_new(s[0], &values, waits, &plan);
	e.merge = &merge;
	cap_emit_script(&e);
	if (opt->data && data_csv)
		cap_emit_csv(&e, data_csv);
	cap_plan_release(&plan);
	cap_waits_free(waits, s[0]->n_items);
	cap_merge_release(&merge);
	cap_values_release(&values);
	free(typed);
}

int cap_generate(const struct cap_trace *const *traces, size_t n,
	const struct cap_generate_options *opt, struct b_buf *script, struct b_buf *data_csv,
	struct b_error *err)
{
	struct cap_session **s;
	int rc = 0;

	if (!n)
		return b_error_set(err, B_EUSAGE, "no trace was given; record one with rte record");
	s = b_calloc(n, sizeof *s);
	for (size_t i = 0; i < n && !rc; i++) {
		if (!has_anything(traces[i]))
			rc = b_error_set(err, B_EINPUT,
				"trace %zu holds neither output nor input; record it again", i + 1);
		else
			rc = cap_session_new(&s[i], traces[i], err);
		if (!rc)
			cap_session_classify(s[i]);
	}
	if (!rc)
		script_make(s, n, opt, script, data_csv);
	for (size_t i = 0; i < n; i++)
		cap_session_free(s[i]);
	free(s);
	return rc;
}
