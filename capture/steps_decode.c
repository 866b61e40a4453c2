/* The input of a trace as keys, in place between resizes and markers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/steps.h"
#include "base/banned.h"

struct list {
	struct cap_item *item;
	size_t n, cap;
};

static struct cap_item *list_add(
	struct list *l, enum cap_item_kind kind, size_t event, int64_t at_ns)
{
	struct cap_item *it;

	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 64;
		l->item = b_reallocarray(l->item, l->cap, sizeof *l->item);
	}
	it = &l->item[l->n++];
	memset(it, 0, sizeof *it);
	it->kind = kind;
	it->event = event;
	it->at_ns = at_ns;
	return it;
}

/* Where the bytes that the decoder has not yet given back came from. */
struct source {
	const struct cap_trace *trace;
	size_t event; /* whose byte `at` is the next one */
	size_t at;
};

/* Moves past len bytes of input; returns the event that holds the first of them. */
static size_t source_take(struct source *src, size_t len)
{
	const struct cap_trace *t = src->trace;
	size_t first;

	while (src->event < t->n_events &&
		(t->events[src->event].code != 'i' || src->at >= t->events[src->event].len)) {
		src->event++;
		src->at = 0;
	}
	first = src->event;
	while (len && src->event < t->n_events) {
		const struct cap_event *e = &t->events[src->event];
		size_t n = e->code == 'i' ? e->len - src->at : 0;

		if (n > len) {
			src->at += len;
			break;
		}
		len -= n;
		src->event++;
		src->at = 0;
	}
	return first < t->n_events ? first : t->n_events - 1;
}

static void key_fill(struct cap_item *it, const struct vs_key *k, unsigned modes)
{
	it->key_kind = k->kind;
	snprintf(it->name, sizeof it->name, "%s", k->name);
	it->bytes = b_strndup(k->bytes, k->len);
	it->len = k->len;
	if (k->kind == VS_KEY_PASTE) {
		it->text = b_strndup(k->text, k->text_len);
		it->text_len = k->text_len;
	}
	if (k->kind == VS_KEY_MOUSE) {
		struct b_buf again = B_BUF_INIT;

		it->mouse = k->mouse;
		it->mouse_exact = !vs_mouse_encode(&k->mouse, modes, &again) &&
			again.len == k->len && !memcmp(again.data, k->bytes, k->len);
		b_buf_release(&again);
	}
}

static void drain(
	struct vs_keydecoder *d, bool flush, struct source *src, unsigned modes, struct list *keys)
{
	struct vs_key k;

	while (vs_keydecoder_next(d, flush, &k) == 1) {
		size_t event = source_take(src, k.len);
		struct cap_item *it;

		if (k.kind == VS_KEY_FOCUS || k.kind == VS_KEY_ANSWER)
			continue;
		it = list_add(keys, CAP_KEY, event, src->trace->events[event].at_ns);
		it->burst = keys->n > 1 && keys->item[keys->n - 2].event == event;
		key_fill(it, &k, modes);
	}
}

static const struct {
	const char *word;
	enum cap_item_kind kind;
} markers[] = {
	{ "begin", CAP_BEGIN },
	{ "end", CAP_END },
	{ "golden", CAP_GOLDEN },
	{ "mask", CAP_MASK },
	{ "comment", CAP_COMMENT },
	{ "secret", CAP_SECRET },
	{ "pause", CAP_PAUSE },
	{ "resume", CAP_RESUME },
	{ "break", CAP_KEY },
};

static void marker_add(struct list *l, size_t event, const struct cap_event *e)
{
	for (size_t i = 0; i < B_ARRAY_LEN(markers); i++) {
		size_t n = strlen(markers[i].word);
		struct cap_item *it;
		const char *rest;
		int row, col, rows, cols;

		if (e->len < n || memcmp(e->data, markers[i].word, n) ||
			(e->len > n && e->data[n] != ' '))
			continue;
		rest = e->len > n ? e->data + n + 1 : "";
		if (markers[i].kind == CAP_MASK &&
			(sscanf(rest, "%d %d %d %d", &row, &col, &rows, &cols) != 4 || row < 1 ||
				col < 1 || rows < 1 || cols < 1 || row > VS_ROWS_MAX ||
				col > VS_COLS_MAX || rows > VS_ROWS_MAX || cols > VS_COLS_MAX))
			return;
		it = list_add(l, markers[i].kind, event, e->at_ns);
		if (it->kind == CAP_KEY) { /* one that has no bytes */
			it->key_kind = VS_KEY_NAMED;
			snprintf(it->name, sizeof it->name, "Break");
			it->bytes = b_strdup("");
			return;
		}
		it->label = b_strdup(rest);
		if (it->kind == CAP_MASK)
			it->rect = (struct vs_rect){ row - 1, col - 1, rows, cols };
		return;
	}
}

/* A trace without input is cut where its output paused: there somebody may have looked. */
#define LOOK_NS  (500 * 1000000LL)
#define LOOK_MAX 100

static void looks_add(const struct cap_trace *t, struct list *l)
{
	struct list all = { NULL, 0, 0 };
	int64_t last_ns = -1;
	size_t n = 0, o = 0;

	for (size_t i = 0; i < t->n_events; i++) {
		for (; o < l->n && l->item[o].event == i; o++)
			*list_add(&all, l->item[o].kind, i, l->item[o].at_ns) = l->item[o];
		if (t->events[i].code != 'o')
			continue;
		if (last_ns >= 0 && t->events[i].at_ns - last_ns >= LOOK_NS && n++ < LOOK_MAX)
			list_add(&all, CAP_LOOK, i, t->events[i].at_ns);
		last_ns = t->events[i].at_ns;
	}
	free(l->item);
	*l = all;
}

/* Keys and the rest, in the order of their events; keys typed while paused are left out. */
static void merge(struct cap_session *s, struct list *keys, struct list *others)
{
	struct list all = { NULL, 0, 0 };
	bool paused = false;
	size_t k = 0, o = 0;

	list_add(&all, CAP_START, 0, 0);
	while (k < keys->n || o < others->n) {
		bool take_key = k < keys->n &&
			(o == others->n || keys->item[k].event < others->item[o].event);
		struct cap_item *from = take_key ? &keys->item[k++] : &others->item[o++];

		if (from->kind == CAP_PAUSE)
			paused = true;
		if (from->kind == CAP_RESUME)
			paused = false;
		if (paused && from->kind == CAP_KEY) {
			free(from->bytes);
			free(from->text);
			s->paused_keys++;
			continue;
		}
		*list_add(&all, from->kind, from->event, from->at_ns) = *from;
	}
	free(keys->item);
	free(others->item);
	s->item = all.item;
	s->n_items = all.n;
}

void cap_session_decode(struct cap_session *s)
{
	const struct cap_trace *t = s->trace;
	struct vs_screen *screen = cap_session_screen(s);
	struct source src = { .trace = t };
	struct list keys = { NULL, 0, 0 }, others = { NULL, 0, 0 };
	struct vs_keydecoder *d = NULL;
	int64_t pushed_ns = -1;

	B_BUG_ON(vs_keydecoder_new(&d, s->keymap) < 0);
	for (size_t i = 0; i < t->n_events; i++) {
		const struct cap_event *e = &t->events[i];
		int rows, cols;

		/* What may be the beginning of a longer key is one when nothing follows in time. */
		if (pushed_ns >= 0 && e->at_ns - pushed_ns >= VS_ESC_WAIT_NS) {
			drain(d, true, &src, vs_screen_modes(screen), &keys);
			pushed_ns = -1;
		}
		if (e->code == 'i' && e->len) {
			vs_keydecoder_push(d, e->data, e->len, e->at_ns, vs_screen_modes(screen));
			pushed_ns = e->at_ns;
			drain(d, false, &src, vs_screen_modes(screen), &keys);
		} else if (e->code == 'o') {
			vs_screen_feed(screen, e->data, e->len);
			vs_keydecoder_output(d, e->data, e->len, e->at_ns);
		} else if (e->code == 'r' && !cap_event_size(e, &rows, &cols)) {
			struct cap_item *it = list_add(&others, CAP_RESIZE, i, e->at_ns);

			it->rows = rows;
			it->cols = cols;
			if (vs_screen_resize(screen, rows, cols) < 0)
				others.n--;
		} else if (e->code == 'm') {
			marker_add(&others, i, e);
		}
	}
	vs_keydecoder_finish(d);
	drain(d, true, &src, vs_screen_modes(screen), &keys);
	vs_keydecoder_free(d);
	vs_screen_free(screen);
	if (!keys.n)
		looks_add(t, &others);
	merge(s, &keys, &others);
}
