/* Secrets: what was typed, in order, until it is known to be keys or a secret. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/secret_priv.h"
#include "base/banned.h"

void sec_run_free(struct sec_run *r)
{
	if (r->typed)
		explicit_bzero(r->typed, r->typed_cap * sizeof *r->typed);
	free(r->typed);
	free(r->base);
	b_buf_release(&r->name);
	free(r);
}

static void piece_wipe(struct sec_piece *p)
{
	explicit_bzero(p->bytes, p->len);
	free(p->bytes);
}

void sec_queue_release(struct cap_secret *s)
{
	for (size_t i = 0; i < s->n_queue; i++)
		piece_wipe(&s->queue[i]);
	free(s->queue);
	for (struct sec_run *r = s->head, *next; r; r = next) {
		next = r->next;
		sec_run_free(r);
	}
	for (size_t i = 0; i < s->n_known; i++) {
		s->known[i].hash = 0;
		free(s->known[i].name);
	}
	free(s->known);
}

/* ---- Out at the front ------------------------------------------------------------------ */

static void emit_batch(struct cap_secret *s, int64_t at_ns, struct b_buf *batch)
{
	if (batch->len)
		s->opt.emit(s->opt.user, at_ns, 'i', batch->data, batch->len);
	b_buf_clear(batch);
}

/* What was typed in the end, erasures done, as a number that tells one secret from another. */
static uint64_t typed_hash(const struct cap_secret *s, const struct sec_run *r)
{
	struct b_buf text = B_BUF_INIT;
	uint64_t hash = s->hash_key;

	for (size_t i = 0; i < s->n_queue; i++) {
		const struct sec_piece *p = &s->queue[i];

		if (p->run != r || *p->bytes == '\033')
			continue;
		if (*p->bytes == 0x15 || *p->bytes == 0x17) {
			b_buf_truncate(&text, 0);
		} else if (*p->bytes == 0x7f || *p->bytes == '\b') {
			while (text.len && ((unsigned char)text.data[text.len - 1] & 0xC0) == 0x80)
				b_buf_truncate(&text, text.len - 1);
			b_buf_truncate(&text, text.len ? text.len - 1 : 0);
		} else {
			b_buf_add(&text, p->bytes, p->len);
		}
	}
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
	if (text.data)
		explicit_bzero(text.data, text.cap);
	b_buf_release(&text);
	return hash;
}

static const struct sec_known *known_find(const struct cap_secret *s, const char *name)
{
	for (size_t i = 0; i < s->n_known; i++)
		if (!strcmp(s->known[i].name, name))
			return &s->known[i];
	return NULL;
}

/* "Enter it again:", or "Confirm password:" behind "New password:", asks for the last one once
   more. */
static bool is_repeat(const struct sec_known *last, struct sec_run *r, uint64_t hash)
{
	static const char *const words[] = { "again", "confirm", "repeat", "retype", "re_type",
		"reenter", "re_enter", "verify", "once_more", "nochmal", "wiederhol" };
	const char *name = b_buf_cstr(&r->name);
	size_t len = strlen(last->name), n = r->name.len;

	if (last->hash != hash)
		return false;
	if (r->labelled)
		return len > n && last->name[len - n - 1] == '_' &&
			!strcmp(last->name + len - n, name);
	for (size_t i = 0; i < B_ARRAY_LEN(words); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}

/* The same secret keeps its name, another one by that label is the second: "pin_2". */
static void make_unique(struct cap_secret *s, struct sec_run *r)
{
	uint64_t hash = typed_hash(s, r);
	size_t len = r->name.len;
	const struct sec_known *known = s->n_known ? &s->known[s->n_known - 1] : NULL;

	if (known && is_repeat(known, r, hash)) {
		b_buf_clear(&r->name);
		b_buf_adds(&r->name, known->name);
		return;
	}
	for (int i = 2; (known = known_find(s, b_buf_cstr(&r->name))) != NULL; i++) {
		if (known->hash == hash)
			return;
		b_buf_truncate(&r->name, len);
		b_buf_printf(&r->name, "_%d", i);
	}
	s->known = b_reallocarray(s->known, s->n_known + 1, sizeof *s->known);
	s->known[s->n_known++] =
		(struct sec_known){ .name = b_strdup(b_buf_cstr(&r->name)), .hash = hash };
}

static void announce(struct cap_secret *s, struct sec_run *r, int64_t at_ns)
{
	struct b_buf label = B_BUF_INIT;

	if (r->announced || r->verdict != SEC_SECRET)
		return;
	r->announced = true;
	make_unique(s, r);
	b_buf_printf(&label, "secret %s", b_buf_cstr(&r->name));
	s->opt.emit(s->opt.user, at_ns, 'm', label.data, label.len);
	b_buf_release(&label);
}

static void drop_runs(struct cap_secret *s)
{
	while (s->head && !s->head->pieces && s->head->verdict != SEC_UNKNOWN && !s->head->open) {
		struct sec_run *r = s->head;

		s->head = r->next;
		if (!s->head)
			s->tail = NULL;
		sec_run_free(r);
	}
}

/* Gives away what is decided; a read that is keys as a whole stays one event. */
void sec_queue_emit(struct cap_secret *s)
{
	struct b_buf batch = B_BUF_INIT;
	int64_t batch_ns = 0;
	unsigned batch_read = 0;
	size_t n = 0;

	for (; n < s->n_queue; n++) {
		struct sec_piece *p = &s->queue[n];
		enum sec_verdict v = p->run ? p->run->verdict : SEC_KEYS;

		if (v == SEC_UNKNOWN)
			break;
		if (v != SEC_KEYS || p->read != batch_read)
			emit_batch(s, batch_ns, &batch);
		if (v == SEC_KEYS) {
			b_buf_add(&batch, p->bytes, p->len);
			batch_ns = p->at_ns;
			batch_read = p->read;
		} else {
			announce(s, p->run, p->at_ns);
		}
		if (p->run)
			p->run->pieces--;
		piece_wipe(p);
	}
	emit_batch(s, batch_ns, &batch);
	if (batch.data)
		explicit_bzero(batch.data, batch.cap);
	b_buf_release(&batch);
	s->n_queue -= n;
	if (n && s->n_queue)
		memmove(s->queue, s->queue + n, s->n_queue * sizeof *s->queue);
	drop_runs(s);
}

void sec_queue_add(
	struct cap_secret *s, struct sec_run *r, int64_t at_ns, const char *bytes, size_t len)
{
	if (s->n_queue == s->queue_cap) {
		s->queue_cap = s->queue_cap ? 2 * s->queue_cap : 32;
		s->queue = b_reallocarray(s->queue, s->queue_cap, sizeof *s->queue);
	}
	s->queue[s->n_queue++] = (struct sec_piece){ .run = r,
		.at_ns = at_ns,
		.read = s->read,
		.bytes = b_strndup(bytes, len),
		.len = len };
	if (r) {
		r->pieces++;
		r->last_ns = at_ns;
	}
}
