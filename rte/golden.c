#include "rte/golden.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "rte/user.h"
#include "base/banned.h"

#define FILE_MAX  ((size_t)16 << 20)
#define HITS_MAX  64
#define N_NEAREST 4

struct golden {
	char *path;
	struct vs_snapshot *snapshot; /* NULL: there is no such file */
	bool told;                    /* that it is missing */
};

struct rte_goldens {
	pthread_mutex_t lock;
	char *folder;
	struct golden *list;
	size_t n;
};

struct rte_goldens *rte_goldens_new(const char *folder)
{
	struct rte_goldens *g = b_calloc(1, sizeof *g);

	pthread_mutex_init(&g->lock, NULL);
	g->folder = folder ? b_strdup(folder) : NULL;
	return g;
}

void rte_goldens_free(struct rte_goldens *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n; i++) {
		free(g->list[i].path);
		vs_snapshot_free(g->list[i].snapshot);
	}
	free(g->list);
	free(g->folder);
	pthread_mutex_destroy(&g->lock);
	free(g);
}

/* ---- Names ---------------------------------------------------------------------------------- */

void rte_golden_folder(const struct rte_goldens *g, const char *script, struct b_buf *out)
{
	size_t len = strlen(script);

	if (len > 4 && !strcmp(script + len - 4, ".lua"))
		len -= 4;
	if (g->folder) {
		b_buf_adds(out, g->folder);
		/* A folder of its own: what leads out of it is left out. */
		for (size_t i = 0; i < len;) {
			size_t part = strcspn(script + i, "/");

			if (i + part > len)
				part = len - i;
			if (part && strncmp(script + i, "..", part > 2 ? part : 2) &&
				strncmp(script + i, ".", part)) {
				if (out->len && out->data[out->len - 1] != '/')
					b_buf_addc(out, '/');
				b_buf_add(out, script + i, part);
			}
			i += part + 1;
		}
	} else {
		b_buf_add(out, script, len);
	}
	b_buf_adds(out, RTE_GOLDEN_SUFFIX);
}

static char *path_of(
	const struct rte_goldens *g, const struct rte_golden_screen *s, bool term, bool size)
{
	struct b_buf path = B_BUF_INIT;

	rte_golden_folder(g, s->script, &path);
	b_buf_printf(&path, "/%s", s->name);
	if (term) {
		b_buf_addc(&path, '.');
		for (const char *c = s->term; *c; c++)
			b_buf_addc(&path, *c == '/' ? '_' : *c);
	}
	if (size)
		b_buf_printf(&path, ".%dx%d", vs_screen_cols(s->screen), vs_screen_rows(s->screen));
	b_buf_adds(&path, ".txt");
	return b_buf_take(&path, NULL);
}

/* ---- Reading, each once ---------------------------------------------------------------------- */

/* The whole file; B_ENOTFOUND without a message when there is none. */
static int read_file(const char *path, struct b_buf *out, struct b_error *err)
{
	int rc;

	if (access(path, F_OK) && errno == ENOENT)
		return B_ENOTFOUND;
	rc = b_file_check_again(path, err);
	return rc ? rc : b_file_read(out, path, FILE_MAX, err);
}

static struct golden *known(struct rte_goldens *g, const char *path)
{
	for (size_t i = 0; i < g->n; i++)
		if (!strcmp(g->list[i].path, path))
			return &g->list[i];
	return NULL;
}

/* The golden screen at path, its snapshot NULL when there is none. Called with the lock held; the
   snapshot lives, unchanged, until forget. */
static int lookup(struct rte_goldens *g, const char *path, const struct vs_snapshot **out,
	struct b_error *err)
{
	struct golden *known_one = known(g, path);
	struct vs_snapshot *snapshot = NULL;
	struct b_buf text = B_BUF_INIT;
	int rc;

	if (known_one) {
		*out = known_one->snapshot;
		return B_OK;
	}
	rc = read_file(path, &text, err);
	if (!rc) {
		rc = vs_snapshot_parse(&snapshot, b_buf_cstr(&text), text.len, err);
		if (rc)
			b_error_prefix(err, "%s", path);
	}
	b_buf_release(&text);
	if (rc && rc != B_ENOTFOUND)
		return rc;
	g->list = b_reallocarray(g->list, g->n + 1, sizeof *g->list);
	g->list[g->n++] = (struct golden){ b_strdup(path), snapshot, false };
	*out = snapshot;
	return B_OK;
}

static void forget(struct rte_goldens *g, const char *path)
{
	struct golden *it = known(g, path);

	if (!it)
		return;
	free(it->path);
	vs_snapshot_free(it->snapshot);
	*it = g->list[--g->n];
}

/* The file that counts for s: *term and *size say which. *out NULL: there is none. */
static int nearest(struct rte_goldens *g, const struct rte_golden_screen *s, char **path,
	const struct vs_snapshot **out, bool *term, bool *size, struct b_error *err)
{
	int rc = B_OK;

	*out = NULL;
	*path = NULL;
	pthread_mutex_lock(&g->lock);
	for (int i = N_NEAREST - 1; i >= 0 && !*out && !rc; i--) {
		*term = i & 2;
		*size = i & 1;
		free(*path);
		*path = path_of(g, s, *term, *size);
		rc = lookup(g, *path, out, err);
	}
	pthread_mutex_unlock(&g->lock);
	if (rc) {
		free(*path);
		*path = NULL;
	}
	return rc;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

int rte_golden_compare(struct rte_goldens *g, const struct rte_golden_screen *s,
	struct rte_golden_result *out, struct b_error *err)
{
	const struct vs_snapshot *snapshot;
	bool term, size;
	char *path;
	int rc = nearest(g, s, &path, &snapshot, &term, &size, err);

	if (rc)
		return rc;
	*out = (struct rte_golden_result){ .is = RTE_GOLDEN_MISSING, .path = path };
	if (!snapshot)
		return B_OK;
	out->n_rows = vs_snapshot_compare(snapshot, s->screen, &s->opt, &out->diff);
	if (s->opt.attrs && !vs_snapshot_has_attrs(snapshot)) {
		b_buf_adds(&out->diff,
			"attributes are to be compared, and the golden screen has none\n");
		out->n_rows++;
	}
	out->is = out->n_rows ? RTE_GOLDEN_DIFFERS : RTE_GOLDEN_EQUAL;
	return B_OK;
}

void rte_golden_result_release(struct rte_golden_result *r)
{
	free(r->path);
	b_buf_release(&r->diff);
	*r = (struct rte_golden_result){ 0 };
}

/* ---- Writing --------------------------------------------------------------------------------- */

static int make_folders(const char *path, struct b_error *err)
{
	char *copy = b_strdup(path);
	int rc = B_OK;

	for (char *slash = strchr(copy + 1, '/'); slash && !rc; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			rc = b_error_set(
				err, B_ESYS, "cannot create %s: %s", copy, strerror(errno));
		*slash = '/';
	}
	free(copy);
	return rc;
}

/* By way of a new file: whoever reads sees the old one or the new. */
static int save(const char *path, const struct b_buf *text, struct b_error *err)
{
	int rc = make_folders(path, err);

	return rc ? rc : b_file_replace(path, text->data, text->len, err);
}

int rte_golden_write(struct rte_goldens *g, const struct rte_golden_screen *s, bool other_term,
	bool other_size, char **path, struct b_error *err)
{
	const struct vs_snapshot *old;
	struct b_buf text = B_BUF_INIT;
	bool term, size;
	int rows, cols;
	char *at;
	int rc = nearest(g, s, &at, &old, &term, &size, err);

	if (rc)
		return rc;
	if (old) {
		vs_snapshot_size(old, &rows, &cols);
		other_size = rows != vs_screen_rows(s->screen) || cols != vs_screen_cols(s->screen);
	} else {
		term = size = false;
	}
	free(at);
	at = path_of(g, s, term || other_term, size || other_size);
	pthread_mutex_lock(&g->lock);
	vs_snapshot_update(old, s->screen, &s->opt, &text);
	rc = save(at, &text, err);
	if (!rc)
		forget(g, at);
	pthread_mutex_unlock(&g->lock);
	b_buf_release(&text);
	if (rc)
		free(at);
	else
		*path = at;
	return rc;
}

/* ---- In a run -------------------------------------------------------------------------------- */

struct vs_rect *rte_golden_masks(const struct rte_user *u, const struct rte_ask *ask, size_t *n)
{
	struct vs_rect *all = b_calloc(u->n_masks + ask->n_masks + HITS_MAX, sizeof *all);

	if (u->n_masks)
		memcpy(all, u->masks, u->n_masks * sizeof *all);
	if (ask->n_masks)
		memcpy(all + u->n_masks, ask->masks, ask->n_masks * sizeof *all);
	*n = u->n_masks + ask->n_masks;
	*n += rte_redact_screen(&u->secrets, u->screen, false, all + *n, HITS_MAX);
	return all;
}

static bool tell_once(struct rte_goldens *g, const char *path)
{
	struct golden *it;
	bool first;

	pthread_mutex_lock(&g->lock);
	it = known(g, path);
	first = it && !it->told;
	if (it)
		it->told = true;
	pthread_mutex_unlock(&g->lock);
	return first;
}

/* The first lines of a diff, on one line. */
static void summary(const struct b_buf *diff, char *out, size_t cap)
{
	size_t n = 0;

	for (size_t i = 0, lines = 0; i < diff->len && n + 1 < cap && lines < 3; i++) {
		lines += diff->data[i] == '\n';
		if (diff->data[i] != ' ' || !n || out[n - 1] != ' ')
			out[n++] = diff->data[i] == '\n' ? ' ' : diff->data[i];
	}
	out[n] = '\0';
}

int rte_golden_check(struct rte_goldens *g, const struct rte_user *u, const struct rte_ask *ask,
	bool final, struct b_error *err)
{
	struct rte_golden_screen s = {
		.script = u->role->path,
		.name = ask->bytes,
		.term = u->role->term,
		.screen = u->screen,
		.opt = { .attrs = ask->attrs, .cursor = ask->cursor },
	};
	struct rte_golden_result r = { 0 };
	struct vs_rect *masks;
	char first[400];
	int rc;

	s.opt.masks = masks = rte_golden_masks(u, ask, &s.opt.n_masks);
	rc = rte_golden_compare(g, &s, &r, err);
	if (!rc && r.is == RTE_GOLDEN_MISSING && tell_once(g, r.path))
		b_warn("%s is missing, so '%s' is compared with nothing; rte test writes it",
			r.path, s.name);
	if (!rc && r.is == RTE_GOLDEN_DIFFERS) {
		rc = B_EAGAIN;
		summary(&r.diff, first, sizeof first);
		if (final)
			rc = b_error_set(
				err, B_ECHECK, "the screen is not as in %s: %s", r.path, first);
	}
	rte_golden_result_release(&r);
	free(masks);
	return rc;
}
