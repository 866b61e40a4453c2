#include "rte/roles.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "rte/script_test.h"
#include "rte/when.h"
#include "base/banned.h"

static int keymap_for(
	struct rte_roles *r, const char *term, const struct vs_keymap **out, struct b_error *err)
{
	struct vs_keymap *m;
	int rc;

	for (size_t i = 0; i < r->n_keymaps; i++) {
		if (!strcmp(vs_keymap_term(r->keymaps[i]), term)) {
			*out = r->keymaps[i];
			return B_OK;
		}
	}
	rc = vs_keymap_new(&m, term, err);
	if (rc)
		return rc;
	r->keymaps = b_reallocarray(r->keymaps, r->n_keymaps + 1, sizeof(struct vs_keymap *));
	r->keymaps[r->n_keymaps++] = m;
	*out = m;
	return B_OK;
}

/* The workload's word, else the script's, else nothing. */
static int dist_fill(struct b_dist *to, const struct b_dist *workload, const char *script,
	const char *path, const char *what, struct b_error *err)
{
	int rc;

	if (workload->kind != B_DIST_UNSET) {
		b_dist_copy(to, workload);
		return B_OK;
	}
	if (!script)
		return B_OK;
	rc = b_dist_parse(to, script, err);
	if (rc)
		b_error_prefix(err, "%s: defaults: %s", path, what);
	return rc;
}

static int time_fill(int64_t *to, int64_t workload, const char *script, int64_t otherwise,
	const char *path, const char *what, struct b_error *err)
{
	*to = workload != RTE_UNSET ? workload : otherwise;
	if (workload == RTE_UNSET && script && b_parse_duration(script, to))
		return b_error_set(err, B_EINPUT,
			"%s: defaults: %s '%s' is no duration; write it as in 20s", path, what,
			script);
	return B_OK;
}

static struct rte_role_mix *mix_add(struct rte_role *role, const struct rte_script_info *info)
{
	struct rte_role_mix *m;

	role->mixes = b_reallocarray(role->mixes, role->n_mixes + 1, sizeof *role->mixes);
	m = &role->mixes[role->n_mixes++];
	*m = (struct rte_role_mix){ .entries = b_calloc(info->n_mix, sizeof *m->entries) };
	memcpy(m->entries, info->mix, info->n_mix * sizeof *m->entries);
	return m;
}

/* What the workload says of the script's functions, by their names. */
static int shares_fill(struct rte_role_mix *m, const struct rte_script_info *info,
	const struct rte_workload_mix *said, const char *path, struct b_error *err)
{
	double sum = 0;

	for (size_t k = 0; k < info->n_mix; k++)
		m->entries[k].weight = 0;
	for (size_t i = 0; i < said->n; i++) {
		size_t k = 0;

		while (k < info->n_mix && strcmp(info->mix[k].name, said->names[i]))
			k++;
		if (k == info->n_mix)
			return b_error_set(err, B_EINPUT,
				"the workload's mix for %s names '%s', which is no function of the "
				"script's own mix",
				path, said->names[i]);
		m->entries[k].weight = said->weights[i];
		sum += said->weights[i];
	}
	if (!(sum > 0))
		return b_error_set(err, B_EINPUT,
			"the workload's mix for %s gives no function a share above 0", path);
	return B_OK;
}

static int mixes_fill(struct rte_role *role, const struct rte_script_info *info,
	const struct rte_workload_script *s, struct b_error *err)
{
	bool own = !s->n_mixes || s->mixes[0].from.kind != RTE_WHEN_START;
	struct rte_role_mix *m;
	int rc;

	if (!info->n_mix) {
		if (!s->n_mixes)
			return B_OK;
		return b_error_set(err, B_EINPUT,
			"the workload has a mix for %s, which has none: write mix { ... } in the script",
			s->path);
	}
	if (own) {
		m = mix_add(role, info);
		rte_mix_init(&m->mix, m->entries, info->n_mix, info->mix_deck);
	}
	for (size_t i = 0; i < s->n_mixes; i++) {
		m = mix_add(role, info);
		m->from = s->mixes[i].from;
		rc = shares_fill(m, info, &s->mixes[i], s->path, err);
		if (rc)
			return rc;
		rte_mix_init(&m->mix, m->entries, info->n_mix, s->mixes[i].deck);
	}
	return B_OK;
}

static void mixes_free(struct rte_role *role)
{
	for (size_t i = 0; i < role->n_mixes; i++) {
		rte_mix_release(&role->mixes[i].mix);
		free(role->mixes[i].entries);
	}
	free(role->mixes);
}

static int role_fill(
	struct rte_roles *r, size_t i, const struct rte_workload *w, struct b_error *err)
{
	const struct rte_script_info *info = rte_script_info(r->scripts[i]);
	struct rte_role *role = &r->list[i];
	size_t n_tests;
	int rc;

	role->path = w->scripts[i].path;
	role->name = info->name;
	role->term = w->term ? w->term : info->term;
	role->rows = w->rows ? w->rows : info->rows;
	role->cols = w->cols ? w->cols : info->cols;
	role->test = w->scripts[i].test;
	role->row = w->scripts[i].row;
	role->function = w->scripts[i].function;
	rte_script_tests(r->scripts[i], &n_tests);
	if (!info->has_iteration && !info->n_mix && !role->test)
		return b_error_set(err, B_EINPUT,
			"%s has neither function iteration nor a mix; write `function iteration() ... end`%s",
			role->path,
			n_tests ? "; its tests run with rte test, or one with rte play FILE:LINE"
				: "");
	rc = keymap_for(r, role->term, &role->keymap, err);
	if (rc)
		b_error_prefix(err, "%s", role->path);
	if (!rc)
		rc = rte_script_keys_check(r->scripts[i], role->keymap, err);
	if (!rc && !w->n_targets) {
		if (!info->target)
			return b_error_set(err, B_EUSAGE,
				"%s names no target; give --target, or -- COMMAND", role->path);
		rc = ln_target_parse(&r->own[i], info->target, err);
		if (rc)
			b_error_prefix(err, "%s", role->path);
		role->target = r->own[i];
	}
	if (!rc)
		rc = dist_fill(&role->typing, &w->typing, info->typing, role->path, "typing", err);
	if (!rc)
		rc = dist_fill(&role->think, &w->think, info->think, role->path, "think", err);
	if (!rc)
		rc = time_fill(&role->timeout_ns, w->timeout_ns, info->timeout,
			RTE_TIMEOUT_DEFAULT_NS, role->path, "timeout", err);
	if (!rc && !role->timeout_ns)
		rc = b_error_set(err, B_EINPUT,
			"%s: its timeout is 0, and no screen is there at once", role->path);
	if (!rc)
		rc = time_fill(&role->settle.settle_ns, w->settle_ns, info->settle,
			RTE_SETTLE_DEFAULT_NS, role->path, "settle", err);
	role->settle.max_ns = w->settle_max_ns > role->settle.settle_ns ? w->settle_max_ns
									: role->settle.settle_ns;
	if (!rc && !role->test && !role->function)
		rc = mixes_fill(role, info, &w->scripts[i], err);
	return rc;
}

int rte_roles_load(
	struct rte_roles *r, const struct rte_workload *w, struct rte_lua *l, struct b_error *err)
{
	int rc = B_OK;

	*r = (struct rte_roles){ .n = w->n_scripts, .n_targets = w->n_targets };
	r->scripts = b_calloc(r->n, sizeof(struct rte_script *));
	r->list = b_calloc(r->n, sizeof *r->list);
	r->own = b_calloc(r->n, sizeof(struct ln_target *));
	r->targets = b_calloc(r->n_targets, sizeof(struct ln_target *));
	for (size_t i = 0; i < r->n_targets && !rc; i++)
		rc = ln_target_parse(&r->targets[i], w->targets[i], err);
	for (size_t i = 0; i < w->n_binds && !rc; i++) {
		rc = ln_bind_check(w->binds[i], err);
		if (rc)
			b_error_prefix(err, "--bind");
	}
	for (size_t i = 0; i < r->n && !rc; i++) {
		r->list[i].sets = (const char *const *)w->scripts[i].sets;
		r->list[i].n_sets = w->scripts[i].n_sets;
		rc = rte_script_load_set(l, w->scripts[i].path, r->list[i].sets, r->list[i].n_sets,
			NULL, &r->scripts[i], err);
		if (!rc)
			rc = role_fill(r, i, w, err);
	}
	if (rc)
		rte_roles_release(r);
	return rc;
}

void rte_roles_release(struct rte_roles *r)
{
	for (size_t i = 0; i < r->n; i++) {
		ln_target_free(r->own[i]);
		b_dist_release(&r->list[i].typing);
		b_dist_release(&r->list[i].think);
		mixes_free(&r->list[i]);
	}
	for (size_t i = 0; i < r->n_targets; i++)
		ln_target_free(r->targets[i]);
	for (size_t i = 0; i < r->n_keymaps; i++)
		vs_keymap_free(r->keymaps[i]);
	free(r->scripts);
	free(r->list);
	free(r->own);
	free(r->targets);
	free(r->keymaps);
	*r = (struct rte_roles){ 0 };
}

const struct ln_target **rte_roles_targets(const struct rte_roles *r, size_t *n)
{
	const struct ln_target **all =
		b_calloc(r->n_targets + r->n, sizeof(const struct ln_target *));

	*n = 0;
	for (size_t i = 0; i < r->n_targets; i++)
		all[(*n)++] = r->targets[i];
	for (size_t i = 0; i < r->n; i++)
		if (r->own[i])
			all[(*n)++] = r->own[i];
	return all;
}
