/*
 * Annotations that GitHub Actions shows beside the line of the script. Source: GitHub's
 * "Workflow commands": ::error file=F,line=N,title=T::MESSAGE; percent, CR and LF are escaped, in
 * a property colon and comma too.
 */
#include <string.h>

#include "base/escape.h"
#include "rte/test_report.h"
#include "base/banned.h"

static void escape(struct b_buf *out, const char *s, size_t len, bool property)
{
	for (size_t i = 0; i < len; i++) {
		bool special = s[i] == '%' || s[i] == '\r' || s[i] == '\n' ||
			(property && (s[i] == ':' || s[i] == ','));

		if (special)
			b_buf_printf(out, "%%%02X", (unsigned char)s[i]);
		else
			b_buf_addc(out, s[i]);
	}
}

static void property(struct b_buf *out, const char *s)
{
	struct b_buf plain = B_BUF_INIT;

	b_escape_text(&plain, s, strlen(s));
	escape(out, b_buf_cstr(&plain), plain.len, true);
	b_buf_release(&plain);
}

static void annotation(
	struct b_buf *out, const char *level, const struct rte_test *t, const json_t *attempt)
{
	const json_t *f = rte_test_failure(attempt);
	const char *file = rte_test_text(f, "file");
	struct b_buf text = B_BUF_INIT;

	b_buf_printf(out, "::%s file=", level);
	property(out, *file ? file : t->file);
	b_buf_printf(out, ",line=%lld,title=",
		*file ? (long long)json_integer_value(json_object_get(f, "line"))
		      : (long long)t->line);
	property(out, t->name);
	b_buf_adds(out, "::");
	rte_test_attempt_text(attempt, "", &text);
	escape(out, b_buf_cstr(&text), text.len, false);
	b_buf_addc(out, '\n');
	b_buf_release(&text);
}

void rte_test_github(FILE *to, const struct rte_test_plan *p, const struct rte_test_summary *s)
{
	struct b_buf b = B_BUF_INIT;

	for (size_t i = 0; i < p->n_tests; i++) {
		const struct rte_test *t = &p->tests[i];

		if (rte_test_is_failure(t))
			annotation(&b, "error", t, rte_test_last(t));
		else if (t->outcome == RTE_TEST_FLAKY)
			annotation(&b, "warning", t, json_array_get(t->attempts, 0));
	}
	for (size_t i = 0; i < s->n_unused && !p->opt->update; i++) {
		b_buf_adds(&b, "::notice file=");
		property(&b, s->unused[i]);
		b_buf_adds(&b, "::no test asks for this golden screen\n");
	}
	fwrite(b_buf_cstr(&b), 1, b.len, to);
	b_buf_release(&b);
}
