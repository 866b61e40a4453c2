#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/keyframe.h"
#include "vscreen/keymap.h"
#include "vscreen/keyquery.h"
#include "vscreen/keys.h"
#include "vscreen/keytermkey.h"
#include "vscreen/mouse.h"
#include "vscreen/screen.h"
#include "base/banned.h"

#define PASTE_BEGIN "\033[200~"
#define PASTE_END   "\033[201~"
#define BRACKET_LEN 6

/* No key is longer than this, Esc in front included; more need not be looked at. */
#define KEY_LOOK_BYTES (4 * VS_KEY_MAX)

/* What one push gave. */
struct segment {
	size_t len;
	int64_t at_ns;
	unsigned modes;
};

struct vs_keydecoder {
	const struct vs_keymap *map;
	struct vs_termkey *termkey;
	struct vs_queries queries;
	struct b_buf in;
	size_t at; /* bytes of in that were given out; they stand until the next call */
	struct segment *segments;
	size_t first, n, cap; /* segments that are not given out whole: [first, n) */
	size_t scanned;       /* of the paste or string at hand, how far no end was found */
	bool pasting;         /* the next piece goes on with a paste that was too long */
	bool finished;
};

int vs_keydecoder_new(struct vs_keydecoder **out, const struct vs_keymap *m)
{
	struct vs_keydecoder *d = b_calloc(1, sizeof(*d));

	d->map = m;
	d->termkey = vs_termkey_new(m);
	if (!d->termkey) {
		free(d);
		return B_EENV;
	}
	*out = d;
	return 0;
}

void vs_keydecoder_free(struct vs_keydecoder *d)
{
	if (!d)
		return;
	vs_termkey_free(d->termkey);
	b_buf_release(&d->in);
	free(d->segments);
	free(d);
}

void vs_keydecoder_output(struct vs_keydecoder *d, const char *bytes, size_t len, int64_t at_ns)
{
	vs_queries_output(&d->queries, bytes, len, at_ns);
}

/* Drops what was given out, when it is worth the move. */
static void compact(struct vs_keydecoder *d)
{
	if (d->at && d->at * 2 >= d->in.len) {
		b_buf_consume(&d->in, d->at);
		d->at = 0;
	}
	if (d->first && d->first * 2 >= d->n) {
		memmove(d->segments, d->segments + d->first,
			(d->n - d->first) * sizeof(*d->segments));
		d->n -= d->first;
		d->first = 0;
	}
}

void vs_keydecoder_push(
	struct vs_keydecoder *d, const char *bytes, size_t len, int64_t at_ns, unsigned modes)
{
	struct segment *last;

	if (!len)
		return;
	compact(d);
	last = d->n > d->first ? &d->segments[d->n - 1] : NULL;
	b_buf_add(&d->in, bytes, len);
	if (last && last->at_ns == at_ns && last->modes == modes) {
		last->len += len;
		return;
	}
	if (d->n == d->cap) {
		d->cap = d->cap ? d->cap * 2 : 16;
		d->segments = b_reallocarray(d->segments, d->cap, sizeof(*d->segments));
	}
	d->segments[d->n++] = (struct segment){ len, at_ns, modes };
}

void vs_keydecoder_finish(struct vs_keydecoder *d)
{
	d->finished = true;
}

/* Bytes from the front on that came with no pause as long as gap_ns in between, at least up to
   look. *paused: such a pause follows them. */
static size_t together(const struct vs_keydecoder *d, int64_t gap_ns, size_t look, bool *paused)
{
	size_t len = 0;

	*paused = false;
	for (size_t i = d->first; i < d->n && len < look; i++) {
		if (i > d->first && d->segments[i].at_ns - d->segments[i - 1].at_ns >= gap_ns) {
			*paused = true;
			break;
		}
		len += d->segments[i].len;
	}
	return len;
}

static const struct segment *front(const struct vs_keydecoder *d)
{
	return &d->segments[d->first];
}

/* Gives out the first len bytes. */
static int give(struct vs_keydecoder *d, enum vs_key_kind kind, size_t len, struct vs_key *out)
{
	memset(out, 0, sizeof(*out));
	out->kind = kind;
	out->bytes = d->in.data + d->at;
	out->len = len;
	out->at_ns = front(d)->at_ns;
	d->at += len;
	d->scanned = 0;
	while (len) {
		struct segment *s = &d->segments[d->first];
		size_t n = s->len < len ? s->len : len;

		s->len -= n;
		len -= n;
		if (!s->len)
			d->first++;
	}
	return 1;
}

/* ---- Pastes ---------------------------------------------------------------------------- */

static bool at_paste(const struct vs_keydecoder *d, const char *s, size_t len)
{
	return d->pasting || (len >= BRACKET_LEN && !memcmp(s, PASTE_BEGIN, BRACKET_LEN));
}

/* Where the end bracket begins, or len; goes on where the last search ended. */
static size_t find_end(struct vs_keydecoder *d, const char *s, size_t len)
{
	for (size_t i = d->scanned; i + BRACKET_LEN <= len; i++) {
		const char *esc = memchr(s + i, '\033', len - i);

		if (!esc)
			break;
		i = (size_t)(esc - s);
		if (len - i >= BRACKET_LEN && !memcmp(esc, PASTE_END, BRACKET_LEN))
			return i;
	}
	d->scanned = len >= BRACKET_LEN ? len - BRACKET_LEN + 1 : 0;
	return len;
}

static int give_paste(
	struct vs_keydecoder *d, size_t begin, size_t end, size_t len, struct vs_key *out)
{
	give(d, VS_KEY_PASTE, len, out);
	out->text = out->bytes + begin;
	out->text_len = end - begin;
	return 1;
}

static int next_paste(struct vs_keydecoder *d, struct vs_key *out)
{
	bool paused;
	size_t len = together(d, VS_STALL_NS, SIZE_MAX, &paused);
	const char *s = d->in.data + d->at;
	size_t begin = d->pasting ? 0 : BRACKET_LEN;
	size_t end = find_end(d, s, len);

	if (end < len) {
		d->pasting = false;
		return give_paste(d, begin, end, end + BRACKET_LEN, out);
	}
	if (paused || d->finished) {
		d->pasting = false;
		return give_paste(d, begin, len, len, out);
	}
	if (len < VS_PASTE_MAX_BYTES)
		return 0;
	/* Too long to keep: a piece of it, which cuts neither a character nor the end bracket. */
	len -= BRACKET_LEN - 1;
	len -= b_utf8_tail(s, len);
	d->pasting = true;
	return give_paste(d, begin, len, len, out);
}

/* ---- Names ------------------------------------------------------------------------------- */

/* Any control byte is some C- key's. */
static bool control_name(const char *s, size_t len, struct vs_keyname *out)
{
	if (len != 1 || ((unsigned char)s[0] >= 0x20 && s[0] != 0x7F))
		return false;
	out->k = VS_K_CHAR;
	out->mods = VS_MOD_C;
	out->ch = s[0] == 0x7F ? '?' : (uint32_t)s[0] + '@';
	if (out->ch >= 'A' && out->ch <= 'Z')
		out->ch += 'a' - 'A';
	return true;
}

/*
 * The key's name, provided that it sends just these bytes. The TERM's own keys come first,
 * with Meta too: Esc ^H is M-Backspace where ^H is Backspace.
 */
static bool name_of(
	struct vs_keydecoder *d, const char *s, size_t len, unsigned modes, struct vs_keyname *out)
{
	size_t meta = len > 1 && s[0] == '\033' ? 1 : 0;
	char bytes[VS_KEY_MAX];
	struct vs_keyname k;

	if (len > VS_KEY_MAX)
		return false;
	if (vs_keymap_lookup(d->map, s, len, modes, out))
		return true;
	for (int i = 0; i < 2; i++) {
		if (i == 0 && !vs_termkey_name(d->termkey, s, len, &k))
			continue;
		if (i == 1 && !control_name(s + meta, len - meta, &k))
			continue;
		if (i == 1 && meta)
			k.mods |= VS_MOD_M;
		if (vs_keymap_encode(d->map, &k, modes, bytes) == (int)len &&
			!memcmp(bytes, s, len)) {
			*out = k;
			return true;
		}
	}
	return false;
}

/* One printable character. */
static bool is_text(const char *s, size_t len)
{
	uint32_t cp;

	if (b_utf8_decode(s, len, &cp) != len || !b_utf8_valid(s, len))
		return false;
	return cp >= 0x20 && (cp < 0x7F || cp >= 0xA0);
}

static int give_key(struct vs_keydecoder *d, size_t len, struct vs_key *out)
{
	const char *s = d->in.data + d->at;
	unsigned modes = front(d)->modes;
	struct vs_keyname k;

	if (is_text(s, len)) {
		give(d, VS_KEY_TEXT, len, out);
		memcpy(out->name, out->bytes, len);
		return 1;
	}
	if (!name_of(d, s, len, modes, &k))
		return give(d, VS_KEY_RAW, len, out);
	give(d, VS_KEY_NAMED, len, out);
	vs_keyname_format(&k, out->name);
	return 1;
}

/* Esc and a key: M-key when that is one key of the TERM and came as one, else an Esc. */
static int give_meta(struct vs_keydecoder *d, size_t len, struct vs_key *out)
{
	const char *s = d->in.data + d->at;
	bool apart = front(d)->len == 1 && len > 1 && s[1] == '\033';
	struct vs_keyname k;

	if (apart || !name_of(d, s, len, front(d)->modes, &k))
		return give_key(d, 1, out);
	return give_key(d, len, out);
}

/* ---- Control sequences ------------------------------------------------------------------- */

static bool is_position(const struct vs_csi *c)
{
	return c->final == 'R' && !c->intermediate && c->n == 2 && c->params[0] > 0 &&
		c->params[1] > 0;
}

/*
 * What a terminal says of itself. Source: xterm ctlseqs (DA, DSR, DECRPM, XTWINOPS,
 * DECREPTPARM); keys have neither prefix nor these final characters.
 */
static bool is_answer(const struct vs_csi *c)
{
	if (c->prefix == '?' || c->prefix == '>' || c->prefix == '=')
		return true;
	if (c->prefix)
		return false;
	if (c->final == 'y')
		return c->intermediate == '$';
	return !c->intermediate && c->n >= 1 &&
		(c->final == 'n' || c->final == 't' || c->final == 'x');
}

static int give_mouse(struct vs_keydecoder *d, size_t len, struct vs_key *out)
{
	struct vs_mouse m;

	if (!vs_mouse_decode(d->in.data + d->at, len, front(d)->modes, &m))
		return give(d, VS_KEY_RAW, len, out);
	give(d, VS_KEY_MOUSE, len, out);
	out->mouse = m;
	return 1;
}

static int give_csi(struct vs_keydecoder *d, size_t len, struct vs_key *out)
{
	const char *s = d->in.data + d->at;
	struct vs_keyname k;
	struct vs_csi c;

	if (!vs_csi_parse(s, len, &c))
		return give(d, VS_KEY_RAW, len, out);
	if (len == 3 && (c.final == 'I' || c.final == 'O'))
		return give(d, VS_KEY_FOCUS, len, out);
	if (is_answer(&c)) { /* XTQMODKEYS among them, CSI > 4 ; 0 m */
		if (c.prefix == '?' && c.final == 'R')
			vs_queries_answered(&d->queries, false);
		return give(d, VS_KEY_ANSWER, len, out);
	}
	if (c.final == 'M' || c.final == 'm')
		return give_mouse(d, len, out);
	if (name_of(d, s, len, front(d)->modes, &k))
		return give_key(d, len, out);
	return give(d, is_position(&c) ? VS_KEY_ANSWER : VS_KEY_RAW, len, out);
}

/* An answer to an awaited query for the cursor's position, which else is F3. */
static size_t awaited_position(struct vs_keydecoder *d, const char *s, size_t len)
{
	struct vs_csi c;
	size_t i = 2;

	if (len < 6 || !vs_queries_position(&d->queries, front(d)->at_ns))
		return 0;
	while (i < len && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
		i++;
	if (i == len || !vs_csi_parse(s, i + 1, &c) || !is_position(&c) || c.prefix)
		return 0;
	return i + 1;
}

/* Returns 1 when it gave a string, 0 when there is none, -1 when it is to be waited for. */
static int next_string(struct vs_keydecoder *d, bool flush, struct vs_key *out)
{
	bool awaited = vs_queries_string(&d->queries, front(d)->at_ns), paused, longer;
	size_t len =
		together(d, awaited ? VS_STALL_NS : VS_ESC_WAIT_NS, VS_ANSWER_MAX_BYTES, &paused);
	const char *s = d->in.data + d->at;
	size_t end;

	if (s[0] != '\033' || vs_keymap_match(d->map, s, len, &longer))
		return 0;
	switch (vs_frame_string(s, len, &d->scanned, &end)) {
	case VS_STRING_NO: break;
	case VS_STRING_WHOLE:
		vs_queries_answered(&d->queries, true);
		return give(d, VS_KEY_ANSWER, end, out);
	case VS_STRING_MORE:
		if (paused || d->finished || len >= VS_ANSWER_MAX_BYTES || (flush && !awaited))
			break;
		return -1;
	}
	d->scanned = 0;
	return 0;
}

int vs_keydecoder_next(struct vs_keydecoder *d, bool flush, struct vs_key *out)
{
	struct vs_frame f;
	bool paused;
	size_t len, position;
	const char *s;
	int string;

	compact(d);
	if (d->first == d->n)
		return 0;
	len = together(d, VS_ESC_WAIT_NS, KEY_LOOK_BYTES, &paused);
	s = d->in.data + d->at;
	if (at_paste(d, s, len))
		return next_paste(d, out);
	string = next_string(d, flush, out);
	if (string)
		return string > 0;
	position = awaited_position(d, s, len);
	if (position) {
		vs_queries_answered(&d->queries, false);
		return give(d, VS_KEY_ANSWER, position, out);
	}
	f = vs_frame_take(d->map, s, len, front(d)->modes,
		flush || paused || d->finished || len >= KEY_LOOK_BYTES);
	switch (f.kind) {
	case VS_FRAME_MORE: return 0;
	case VS_FRAME_KEY: return give_key(d, f.len, out);
	case VS_FRAME_META: return give_meta(d, f.len, out);
	case VS_FRAME_CSI: return give_csi(d, f.len, out);
	case VS_FRAME_MOUSE: return give_mouse(d, f.len, out);
	case VS_FRAME_RAW: return give(d, VS_KEY_RAW, f.len, out);
	}
	return 0;
}
