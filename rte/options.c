#include "rte/options.h"

#include <string.h>

#include "base/parse.h"
#include "line/line.h"
#include "base/banned.h"

int rte_option_number(const char *option, const char *arg, int64_t min, int64_t max, int64_t *n,
	struct b_error *err)
{
	if (b_parse_int(arg, min, max, n))
		return b_error_set(err, B_EUSAGE, "--%s '%s' is no number within %lld and %lld",
			option, arg, (long long)min, (long long)max);
	return B_OK;
}

int rte_option_duration(const char *option, const char *arg, int64_t *ns, struct b_error *err)
{
	if (b_parse_duration(arg, ns))
		return b_error_set(err, B_EUSAGE,
			"--%s '%s' is no duration; write it as in 250ms, 20s, 5m", option, arg);
	return B_OK;
}

int rte_option_span(const char *option, const char *arg, int64_t *ns, struct b_error *err)
{
	int64_t span = 0;
	int rc = rte_option_duration(option, arg, &span, err);

	if (!rc && !span)
		rc = b_error_set(err, B_EUSAGE, "--%s '%s': it must be more than 0", option, arg);
	if (!rc)
		*ns = span;
	return rc;
}

int rte_option_dist(const char *option, const char *arg, struct b_dist *d, struct b_error *err)
{
	int rc = b_dist_parse(d, arg, err);

	if (rc)
		b_error_prefix(err, "--%s", option);
	return rc;
}

int rte_option_set(struct rte_workload *w, const char *arg, struct b_error *err)
{
	if (!strchr(arg, '=') || *arg == '=')
		return b_error_set(err, B_EUSAGE, "--set '%s': write NAME=VALUE", arg);
	rte_workload_string_add(&w->sets, &w->n_sets, arg);
	return B_OK;
}

char **rte_options_command(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		argv[i] = NULL;
		*argc = i;
		return argv[i + 1] ? argv + i + 1 : NULL;
	}
	return NULL;
}

int rte_option_command(struct rte_workload *w, char **command, struct b_error *err)
{
	struct ln_target *t;
	int rc;

	if (w->n_targets)
		return b_error_set(
			err, B_EUSAGE, "--target and -- COMMAND both say where to go; leave one");
	rc = ln_target_command(&t, command, err);
	if (rc)
		return rc;
	rte_workload_string_add(&w->targets, &w->n_targets, ln_target_text(t));
	ln_target_free(t);
	return B_OK;
}
