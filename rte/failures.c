#include "rte/failures.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "base/banned.h"

#define GROUPS_MAX 1000

struct group {
	char *kind, *transaction, *expected, *message;
	char *screen; /* "failures/NAME.txt", or NULL */
	uint64_t count;
	int64_t first_ns, last_ns;
	int64_t user; /* of the last one */
};

struct rte_failures {
	pthread_mutex_t lock;
	char *dir;
	bool dir_made, dir_failed;
	struct group *groups;
	size_t n_groups;
	uint64_t total, ungrouped;
	uint64_t pictures[RTE_PICTURES_MAX];
	size_t n_pictures;
	struct rte_redactor environment;
};

struct rte_failures *rte_failures_new(const char *dir)
{
	struct rte_failures *f = b_calloc(1, sizeof *f);

	pthread_mutex_init(&f->lock, NULL);
	f->dir = dir ? b_strdup(dir) : NULL;
	rte_redactor_environment(&f->environment);
	return f;
}

void rte_failures_free(struct rte_failures *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_groups; i++) {
		free(f->groups[i].kind);
		free(f->groups[i].transaction);
		free(f->groups[i].expected);
		free(f->groups[i].message);
		free(f->groups[i].screen);
	}
	rte_redactor_release(&f->environment);
	free(f->groups);
	free(f->dir);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

const struct rte_redactor *rte_failures_environment(const struct rte_failures *f)
{
	return &f->environment;
}

static uint64_t hash(const char *s, size_t len)
{
	uint64_t h = 14695981039346656037u;

	while (len--)
		h = (h ^ (unsigned char)*s++) * 1099511628211u;
	return h;
}

static void save(const char *path, const struct b_buf *b)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	(void)!write(fd, b->data, b->len);
	close(fd);
}

static bool make_dir(struct rte_failures *f)
{
	struct b_buf path = B_BUF_INIT;

	if (f->dir_made || f->dir_failed || !f->dir)
		return f->dir_made;
	b_buf_printf(&path, "%s/" RUNDIR_FAILURES_DIR, f->dir);
	f->dir_made = !mkdir(b_buf_cstr(&path), 0755) || errno == EEXIST;
	f->dir_failed = !f->dir_made;
	if (f->dir_failed)
		b_warn("cannot create %s: %s; screens of failures are not kept", b_buf_cstr(&path),
			strerror(errno));
	b_buf_release(&path);
	return f->dir_made;
}

static void head(const struct rte_failure *e, struct b_buf *out)
{
	char when[32];

	b_clock_iso8601(e->at_ns, when);
	b_buf_printf(out, "# %s: user %lld, session %lld, iteration %lld, %s\n", e->kind,
		(long long)e->user, (long long)e->session, (long long)e->iteration, when);
	b_buf_adds(out, "# transaction: ");
	b_escape_text(out, e->transaction, strlen(e->transaction));
	b_buf_adds(out, "\n# ");
	b_escape_text(out, e->message, strlen(e->message));
	b_buf_adds(out, "\n# expected: ");
	b_escape_text(out, e->expected, strlen(e->expected));
	if (*e->unanswered) {
		b_buf_adds(out, "\n# unanswered query: ");
		b_escape_text(out, e->unanswered, strlen(e->unanswered));
	}
	b_buf_adds(out, "\n# last output: ");
	b_escape_text(out, e->output, e->output_len);
	b_buf_adds(out, "\n");
}

/* Keeps the picture unless it is known. Returns its path below the run directory, or NULL. */
static char *keep_picture(struct rte_failures *f, const struct rte_failure *e)
{
	struct b_buf shot = B_BUF_INIT, text = B_BUF_INIT, path = B_BUF_INIT;
	char name[64], *kept = NULL;
	bool known = false;
	uint64_t h;

	rte_redact_snapshot(e->redactor, e->screen, &shot);
	h = hash(shot.data, shot.len);
	snprintf(name, sizeof name, RUNDIR_FAILURES_DIR "/%016llx", (unsigned long long)h);
	for (size_t i = 0; i < f->n_pictures && !known; i++)
		known = f->pictures[i] == h;
	if (!known && f->n_pictures < RTE_PICTURES_MAX && make_dir(f)) {
		f->pictures[f->n_pictures++] = h;
		known = true;
		head(e, &text);
		b_buf_add(&text, shot.data, shot.len);
		b_buf_printf(&path, "%s/%s.txt", f->dir, name);
		save(b_buf_cstr(&path), &text);
		b_buf_clear(&text);
		b_buf_clear(&path);
		rte_redact_paint(e->redactor, e->screen, 0, 0, &text);
		b_buf_printf(&path, "%s/%s.ans", f->dir, name);
		save(b_buf_cstr(&path), &text);
	}
	if (known) {
		b_buf_clear(&path);
		b_buf_printf(&path, "%s.txt", name);
		kept = b_buf_take(&path, NULL);
	}
	b_buf_release(&shot);
	b_buf_release(&text);
	b_buf_release(&path);
	return kept;
}

static void group_touch(struct group *g, const struct rte_failure *e)
{
	g->count++;
	g->last_ns = e->at_ns;
	g->user = e->user;
}

static size_t digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* Alike but for numbers, other than the line of a script, which stands behind a colon: else a check
   that names an account would be a group for each. As the report sees it. */
static bool same_but_numbers(const char *a, const char *b)
{
	char before = 0;

	while (*a && *b) {
		size_t n = digits(a), m = digits(b);

		if (n && m) {
			if (before == ':' && (n != m || memcmp(a, b, n) != 0))
				return false;
			a += n;
			b += m;
			before = '0';
			continue;
		}
		if (*a != *b)
			return false;
		before = *a;
		a++;
		b++;
	}
	return *a == *b;
}

static struct group *find_group(struct rte_failures *f, const struct rte_failure *e, bool *is_new)
{
	struct group *g;

	*is_new = false;
	for (size_t i = 0; i < f->n_groups; i++) {
		g = &f->groups[i];
		if (!strcmp(g->kind, e->kind) && !strcmp(g->transaction, e->transaction) &&
			(!strcmp(g->expected, e->expected) ||
				same_but_numbers(g->message, e->message)))
			return g;
	}
	if (f->n_groups == GROUPS_MAX)
		return NULL;
	f->groups = b_reallocarray(f->groups, f->n_groups + 1, sizeof *f->groups);
	g = &f->groups[f->n_groups++];
	*g = (struct group){
		.kind = b_strdup(e->kind),
		.transaction = b_strdup(e->transaction),
		.expected = b_strdup(e->expected),
		.message = b_strdup(e->message),
		.first_ns = e->at_ns,
	};
	*is_new = true;
	return g;
}

bool rte_failures_note(struct rte_failures *f, const struct rte_failure *e)
{
	struct group *g;
	char *screen;
	bool is_new;

	pthread_mutex_lock(&f->lock);
	f->total++;
	g = find_group(f, e, &is_new);
	if (g)
		group_touch(g, e);
	else
		f->ungrouped++;
	if (e->screen && f->dir) {
		screen = keep_picture(f, e);
		if (g && !g->screen)
			g->screen = screen;
		else
			free(screen);
	}
	pthread_mutex_unlock(&f->lock);
	return is_new;
}

uint64_t rte_failures_count(struct rte_failures *f)
{
	uint64_t n;

	pthread_mutex_lock(&f->lock);
	n = f->total;
	pthread_mutex_unlock(&f->lock);
	return n;
}

void rte_failures_worst(struct rte_failures *f, char *out, size_t cap)
{
	const struct group *worst = NULL;

	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < f->n_groups; i++)
		if (!worst || f->groups[i].count > worst->count)
			worst = &f->groups[i];
	snprintf(out, cap, "%s", worst ? worst->message : "");
	pthread_mutex_unlock(&f->lock);
}

static int by_count(const void *a, const void *b)
{
	const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->first_ns > y->first_ns) - (x->first_ns < y->first_ns);
}

/* Foreign bytes as JSON text. */
static json_t *text_json(const char *s)
{
	struct b_buf b = B_BUF_INIT;
	json_t *v;

	b_escape_text(&b, s, strlen(s));
	v = json_string(b_buf_cstr(&b));
	b_buf_release(&b);
	return v;
}

json_t *rte_failures_json(struct rte_failures *f)
{
	json_t *list = json_array();
	struct group **order;

	pthread_mutex_lock(&f->lock);
	order = b_reallocarray(NULL, f->n_groups, sizeof(struct group *));
	for (size_t i = 0; i < f->n_groups; i++)
		order[i] = &f->groups[i];
	qsort(order, f->n_groups, sizeof(struct group *), by_count);
	for (size_t i = 0; i < f->n_groups; i++) {
		const struct group *g = order[i];
		json_t *o = json_object();

		json_object_set_new(o, "kind", json_string(g->kind));
		json_object_set_new(o, "transaction", text_json(g->transaction));
		json_object_set_new(o, "expected", text_json(g->expected));
		json_object_set_new(o, "message", text_json(g->message));
		json_object_set_new(o, "count", json_integer((json_int_t)g->count));
		json_object_set_new(o, "first_s", json_real((double)g->first_ns / 1e9));
		json_object_set_new(o, "last_s", json_real((double)g->last_ns / 1e9));
		json_object_set_new(o, "user", json_integer(g->user));
		if (g->screen)
			json_object_set_new(o, "screen", json_string(g->screen));
		json_array_append_new(list, o);
	}
	if (f->ungrouped)
		json_array_append_new(list,
			json_pack("{s:s,s:s,s:s,s:I}", "kind", "error", "expected", "", "message",
				"of too many kinds to tell apart", "count",
				(json_int_t)f->ungrouped));
	free(order);
	pthread_mutex_unlock(&f->lock);
	return list;
}
