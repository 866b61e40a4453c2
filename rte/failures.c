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
#include "vscreen/cond.h"
#include "vscreen/snapshot.h"
#include "base/banned.h"

#define GROUPS_MAX  1000
#define SECRETS_MAX 1000
#define HITS_MAX    64 /* places of secrets on one screen */
#define OUTPUT_MAX  200

struct group {
	char *kind, *transaction, *expected, *message;
	char *screen; /* "failures/NAME.txt", or NULL */
	uint64_t count;
	int64_t first_ns, last_ns;
	int64_t user; /* of the last one */
};

struct secret {
	char *text;
	size_t len;
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
	struct secret *secrets;
	size_t n_secrets;
};

struct rte_failures *rte_failures_new(const char *dir)
{
	struct rte_failures *f = b_calloc(1, sizeof *f);

	pthread_mutex_init(&f->lock, NULL);
	f->dir = dir ? b_strdup(dir) : NULL;
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
	for (size_t i = 0; i < f->n_secrets; i++) {
		memset(f->secrets[i].text, 0, f->secrets[i].len);
		free(f->secrets[i].text);
	}
	free(f->secrets);
	free(f->groups);
	free(f->dir);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

void rte_failures_secret(struct rte_failures *f, const char *text, size_t len)
{
	bool known = !len;

	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < f->n_secrets && !known; i++)
		known = f->secrets[i].len == len && !memcmp(f->secrets[i].text, text, len);
	if (!known && f->n_secrets < SECRETS_MAX) {
		f->secrets = b_reallocarray(f->secrets, f->n_secrets + 1, sizeof *f->secrets);
		f->secrets[f->n_secrets++] = (struct secret){ b_strndup(text, len), len };
	}
	pthread_mutex_unlock(&f->lock);
}

static size_t find_in_row(const struct vs_screen *s, int row, const char *text, size_t len,
	struct vs_rect *out, size_t n, size_t cap)
{
	struct vs_rect in = { row, 0, 1, vs_screen_cols(s) };
	int r, c, cols;

	while (n < cap && vs_find_text(s, text, len, &in, &r, &c, &cols)) {
		out[n++] = (struct vs_rect){ r, c, 1, cols };
		in.col = c + cols;
		in.cols = vs_screen_cols(s) - in.col;
	}
	return n;
}

/* How much of a secret's beginning stands in front of the cursor: its echo is not complete. */
static bool find_begun(const struct vs_screen *s, const struct secret *secret, struct vs_rect *out)
{
	int row, col, r, c, cols;

	vs_screen_cursor(s, &row, &col);
	for (size_t len = secret->len; len-- > 1;) {
		struct vs_rect in = { row, 0, 1, col };

		while (in.cols > 0 && vs_find_text(s, secret->text, len, &in, &r, &c, &cols)) {
			if (c + cols == col) {
				*out = (struct vs_rect){ r, c, 1, cols };
				return true;
			}
			in.col = c + 1;
			in.cols = col - in.col;
		}
	}
	return false;
}

/* Rectangles that cover each secret shown on s. begun: those that are being typed, too. */
static size_t find_secrets(const struct rte_failures *f, const struct vs_screen *s, bool begun,
	struct vs_rect *out, size_t cap)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_secrets; i++) {
		for (int row = 0; row < vs_screen_rows(s); row++)
			n = find_in_row(s, row, f->secrets[i].text, f->secrets[i].len, out, n, cap);
		if (begun && n < cap && find_begun(s, &f->secrets[i], &out[n]))
			n++;
	}
	return n;
}

size_t rte_failures_secrets_on(struct rte_failures *f, const struct vs_screen *s, bool begun,
	struct vs_rect *out, size_t cap)
{
	size_t n;

	pthread_mutex_lock(&f->lock);
	n = find_secrets(f, s, begun, out, cap);
	pthread_mutex_unlock(&f->lock);
	return n;
}

/* Where the next printable byte stands, from i on; len: none. */
static size_t next_printable(const char *s, size_t len, size_t i)
{
	while (i < len && ((unsigned char)s[i] < 0x20 || s[i] == 0x7F)) {
		if (s[i++] != '\x1b' || i == len)
			continue;
		if (s[i++] != '[')
			continue;
		while (i < len && (unsigned char)s[i] >= 0x20 && (unsigned char)s[i] < 0x40)
			i++;
		i += i < len;
	}
	return i;
}

static bool matches(const struct secret *secret, const char *s, const size_t *at, size_t len)
{
	size_t k = 0;

	while (k < len && s[at[k]] == secret->text[k])
		k++;
	return k == len;
}

static void redact(const struct secret *secret, char *s, const size_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = n - i < secret->len ? n - i : secret->len;

		/* At the very end a beginning may stand alone: the rest of its echo is to come. */
		if ((len == secret->len || len > 1) && matches(secret, s, at + i, len))
			while (len-- > 0)
				s[at[i + len]] = '*';
	}
}

/* The same at the very beginning, where a secret's end may stand alone. */
static void redact_end(const struct secret *secret, char *s, const size_t *at, size_t n)
{
	for (size_t gone = 1; gone + 1 < secret->len; gone++) {
		struct secret end = { secret->text + gone, secret->len - gone };

		if (end.len > n || !matches(&end, s, at, end.len))
			continue;
		for (size_t i = 0; i < end.len; i++)
			s[at[i]] = '*';
		return;
	}
}

/* cut: the output began earlier than this. */
static void redact_all(const struct rte_failures *f, char *output, size_t len, bool cut)
{
	size_t *at, n = 0;

	if (!f->n_secrets)
		return;
	at = b_reallocarray(NULL, len, sizeof *at);
	for (size_t i = next_printable(output, len, 0); i < len;
		i = next_printable(output, len, i + 1))
		at[n++] = i;
	for (size_t i = 0; i < f->n_secrets; i++) {
		if (cut)
			redact_end(&f->secrets[i], output, at, n);
		redact(&f->secrets[i], output, at, n);
	}
	free(at);
}

void rte_failures_redact(struct rte_failures *f, char *output, size_t len)
{
	pthread_mutex_lock(&f->lock);
	redact_all(f, output, len, false);
	pthread_mutex_unlock(&f->lock);
}

static bool draw(struct rte_failures *f, const struct vs_screen *s, struct b_buf *out)
{
	struct vs_rect hits[HITS_MAX];
	size_t n = find_secrets(f, s, true, hits, HITS_MAX);
	struct vs_snapshot_options opt = {
		.attrs = true,
		.cursor = true,
		.masks = hits,
		.n_masks = n,
	};

	vs_snapshot_write(s, &opt, out);
	return n == 0;
}

void rte_failures_picture(struct rte_failures *f, const struct vs_screen *s, struct b_buf *out)
{
	pthread_mutex_lock(&f->lock);
	draw(f, s, out);
	pthread_mutex_unlock(&f->lock);
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

static void head(const struct rte_failures *f, const struct rte_failure *e, struct b_buf *out)
{
	size_t len = e->output_len < OUTPUT_MAX ? e->output_len : OUTPUT_MAX;
	char output[OUTPUT_MAX], when[32];

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
	if (len)
		memcpy(output, e->output + (e->output_len - len), len);
	redact_all(f, output, len, len == OUTPUT_MAX);
	b_escape_text(out, output, len);
	b_buf_adds(out, "\n");
}

/* Keeps the picture unless it is known. Returns its path below the run directory, or NULL. */
static char *keep_picture(struct rte_failures *f, const struct rte_failure *e)
{
	struct b_buf shot = B_BUF_INIT, text = B_BUF_INIT, path = B_BUF_INIT;
	char name[64], *kept = NULL;
	bool known = false, clean;
	uint64_t h;

	clean = draw(f, e->screen, &shot);
	h = hash(shot.data, shot.len);
	snprintf(name, sizeof name, RUNDIR_FAILURES_DIR "/%016llx", (unsigned long long)h);
	for (size_t i = 0; i < f->n_pictures && !known; i++)
		known = f->pictures[i] == h;
	if (!known && f->n_pictures < RTE_PICTURES_MAX && make_dir(f)) {
		f->pictures[f->n_pictures++] = h;
		known = true;
		head(f, e, &text);
		b_buf_add(&text, shot.data, shot.len);
		b_buf_printf(&path, "%s/%s.txt", f->dir, name);
		save(b_buf_cstr(&path), &text);
		/* In the coloured form a secret cannot be masked: then there is none. */
		if (clean) {
			b_buf_clear(&text);
			b_buf_clear(&path);
			vs_screen_repaint(e->screen, false, &text);
			b_buf_printf(&path, "%s/%s.ans", f->dir, name);
			save(b_buf_cstr(&path), &text);
		}
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

static struct group *find_group(struct rte_failures *f, const struct rte_failure *e, bool *is_new)
{
	struct group *g;

	*is_new = false;
	for (size_t i = 0; i < f->n_groups; i++) {
		g = &f->groups[i];
		if (!strcmp(g->kind, e->kind) && !strcmp(g->transaction, e->transaction) &&
			!strcmp(g->expected, e->expected))
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
