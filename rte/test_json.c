/* All of it as one JSON object, which rte-test(1) describes. */
#include <stdlib.h>
#include <string.h>

#include "rte/test_report.h"
#include "base/banned.h"

static json_t *text_json(const char *s)
{
	return rte_test_escaped(s, strlen(s));
}

static json_t *list_json(char *const *list, size_t n)
{
	json_t *v = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(v, text_json(list[i]));
	return v;
}

static json_t *test_json(const struct rte_test *t)
{
	json_t *o = json_object(), *tags = json_array();

	for (size_t i = 0; i < t->n_tags; i++)
		json_array_append_new(tags, text_json(t->tags[i]));
	json_object_set_new(o, "file", text_json(t->file));
	json_object_set_new(o, "line", json_integer(t->line));
	json_object_set_new(o, "name", text_json(t->name));
	json_object_set_new(o, "tags", tags);
	json_object_set_new(o, "outcome", json_string(rte_test_outcome_name(t->outcome)));
	json_object_set_new(o, "seconds", json_real(rte_test_seconds(t)));
	json_object_set(o, "attempts", t->attempts);
	return o;
}

static json_t *summary_json(const struct rte_test_plan *p, const struct rte_test_summary *s)
{
	json_t *o = json_object();

	json_object_set_new(o, "tests", json_integer((json_int_t)p->n_tests));
	for (int i = 0; i <= RTE_TEST_BAD; i++)
		json_object_set_new(o, rte_test_outcome_name((enum rte_test_outcome)i),
			json_integer((json_int_t)s->n[i]));
	json_object_set_new(o, "seconds", json_real(s->seconds));
	json_object_set_new(o, "interrupted", json_boolean(s->interrupted));
	return o;
}

void rte_test_json(FILE *to, const struct rte_test_plan *p, const struct rte_test_summary *s)
{
	json_t *o = json_object(), *tests = json_array(), *goldens = json_object();
	char *text;

	for (size_t i = 0; i < p->n_tests; i++)
		json_array_append_new(tests, test_json(&p->tests[i]));
	json_object_set_new(goldens, "written", json_integer((json_int_t)s->written));
	json_object_set_new(goldens, "updated", json_integer((json_int_t)s->updated));
	json_object_set_new(goldens, "unused", list_json(s->unused, s->n_unused));
	json_object_set_new(goldens, "conflicts", list_json(s->conflicts, s->n_conflicts));
	json_object_set_new(o, "version", json_string(RTE_VERSION));
	json_object_set_new(o, "summary", summary_json(p, s));
	json_object_set_new(o, "goldens", goldens);
	json_object_set_new(o, "tests", tests);
	text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	fprintf(to, "%s\n", text ? text : "{}");
	free(text);
	json_decref(o);
}
