/*
 * The recorder's own keys. The prefix key opens the menu; what is chosen becomes a marker at the
 * time when the menu came up, since that is the screen the person meant. Until the overlay is
 * gone the application's output is kept from the terminal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "capture/overlay.h"
#include "capture/record_priv.h"
#include "base/banned.h"

#define NAME_MAX_BYTES    60 /* less than what open_name holds */
#define COMMENT_MAX_BYTES 200

int rec_keys_init(struct recorder *r, struct b_error *err)
{
	struct rec_keys *k = &r->keys;
	int n;

	if (!r->opt.prefix)
		return B_OK;
	n = vs_key_encode(r->keymap, r->opt.prefix, 0, k->prefix, err);
	if (n < 0) {
		b_error_prefix(err, "prefix key '%s'", r->opt.prefix);
		return B_EUSAGE;
	}
	k->prefix_len = (size_t)n;
	return B_OK;
}

void rec_keys_release(struct recorder *r)
{
	b_buf_release(&r->keys.text);
}

/* ---- Drawing --------------------------------------------------------------------------- */

static void draw(struct recorder *r, const char *const *lines, size_t n, bool top, int cursor_col)
{
	if (!r->tty.out_is_tty)
		return;
	cap_overlay_lines(r->screen, lines, n, top, cursor_col, &r->to_tty);
	rec_flush_tty(r);
}

/* Terminals that are known to have titles: others would show the sequence. */
static bool has_title(const struct recorder *r)
{
	static const char *const kinds[] = { "xterm", "rxvt", "screen", "tmux", "vte", "konsole",
		"gnome", "kitty", "alacritty", "foot", "st-", "putty", "mintty", "wezterm" };

	for (size_t i = 0; i < B_ARRAY_LEN(kinds); i++)
		if (!strncmp(r->opt.term, kinds[i], strlen(kinds[i])))
			return true;
	return false;
}

/* What the person must not forget while no menu says it; NULL: nothing. */
static const char *sign(const struct recorder *r)
{
	return r->keys.paused ? "rte: paused" : r->keys.secret ? "rte: secret" : NULL;
}

static void title_set(struct recorder *r, const char *to)
{
	if (!r->tty.out_is_tty || !has_title(r) || to == r->keys.title)
		return;
	if (r->keys.title)
		cap_overlay_title(r->screen, NULL, &r->to_tty);
	if (to)
		cap_overlay_title(r->screen, to, &r->to_tty);
	r->keys.title = to;
}

void rec_keys_end(struct recorder *r)
{
	rec_keys_close(r);
	title_set(r, NULL);
}

static void paint_screen(struct recorder *r)
{
	if (!r->tty.out_is_tty)
		return;
	cap_overlay_gone(r->screen, sign(r), &r->to_tty);
	title_set(r, sign(r));
}

static void draw_menu(struct recorder *r)
{
	struct rec_keys *k = &r->keys;
	char state[160], menu[200];
	const char *const lines[] = { state, menu };

	snprintf(state, sizeof state, " %s%.40s%s%s %s",
		*k->open_name ? "in transaction " : "recording", k->open_name,
		k->secret ? ", typing is secret" : "", k->paused ? ", paused" : "",
		ln_line_has_break(r->line) ? " # break " : "");
	snprintf(menu, sizeof menu,
		" b begin  e end  g golden  m mask  c comment  s secret  p pause  q stop  ? help");
	draw(r, lines, 2, false, -1);
}

static void draw_help(struct recorder *r)
{
	char prefix[120];
	const char *const lines[] = {
		" The recorder's own keys",
		"   b  begin a transaction and name it       e  end it",
		"   g  golden screen: compare this screen when the script is tested",
		"   m  mask a rectangle that changes from run to run (dates, counters)",
		"   c  comment for the script",
		"   s  secret on or off: what is typed stays out of the recording",
		"   p  pause or resume: what lies between is not part of the session",
		"   #  send a break, over a line that carries one (telnet, ssh, serial)",
		"   q  stop recording; the application is hung up",
		prefix,
		" Any key goes back.",
	};

	snprintf(prefix, sizeof prefix, "   %.30s again sends %.30s to the application",
		r->opt.prefix, r->opt.prefix);
	draw(r, lines, B_ARRAY_LEN(lines), false, -1);
}

static const char *default_name(const struct recorder *r, char out[32])
{
	if (r->keys.what == 'b')
		snprintf(out, 32, "t%d", r->keys.n_begun + 1);
	else if (r->keys.what == 'g')
		snprintf(out, 32, "screen%d", r->keys.n_golden + 1);
	else
		*out = '\0';
	return out;
}

static int columns(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

static void draw_text(struct recorder *r)
{
	struct b_buf line = B_BUF_INIT;
	char name[32];
	const char *const what = r->keys.what == 'b' ? "transaction"
		: r->keys.what == 'g'                ? "golden screen"
						     : "comment";

	b_buf_printf(&line, " %s", what);
	if (*default_name(r, name))
		b_buf_printf(&line, " [%s]", name);
	b_buf_printf(&line, ": %s", b_buf_cstr(&r->keys.text));
	draw(r, (const char *[]){ b_buf_cstr(&line) }, 1, false, columns(b_buf_cstr(&line)));
	b_buf_release(&line);
}

static void set_mark(struct recorder *r)
{
	struct rec_keys *k = &r->keys;
	int row = k->anchored ? k->anchor_row : k->at_row;
	int col = k->anchored ? k->anchor_col : k->at_col;

	k->mark.row = row < k->at_row ? row : k->at_row;
	k->mark.col = col < k->at_col ? col : k->at_col;
	k->mark.rows = abs(k->at_row - row) + 1;
	k->mark.cols = abs(k->at_col - col) + 1;
}

static void draw_mark(struct recorder *r)
{
	struct rec_keys *k = &r->keys;
	char line[160];

	set_mark(r);
	if (r->tty.out_is_tty)
		cap_overlay_mark(r->screen, &k->mark, &r->to_tty);
	snprintf(line, sizeof line, " mask %d,%d %dx%d: arrow keys move, %s, Esc goes back",
		k->mark.row + 1, k->mark.col + 1, k->mark.cols, k->mark.rows,
		k->anchored ? "Enter masks it" : "Space sets a corner");
	draw(r, (const char *[]){ line }, 1, k->at_row >= vs_screen_rows(r->screen) - 1, -1);
}

static void note(struct recorder *r, const char *text)
{
	r->keys.mode = KEYS_NOTE;
	draw(r, (const char *[]){ text }, 1, false, -1);
}

/* ---- Opening and closing --------------------------------------------------------------- */

static void open_menu(struct recorder *r, int64_t at_ns)
{
	r->keys.mode = KEYS_MENU;
	r->keys.opened_ns = at_ns;
	rec_settle(r); /* what comes from here on is behind the marks */
	draw_menu(r);
}

void rec_keys_close(struct recorder *r)
{
	if (r->keys.mode == KEYS_OFF)
		return;
	r->keys.mode = KEYS_OFF;
	paint_screen(r);
	if (r->deferred.len) {
		if (!r->tty_gone)
			b_buf_add(&r->to_tty, r->deferred.data, r->deferred.len);
		vs_screen_feed(r->screen, r->deferred.data, r->deferred.len);
		b_buf_clear(&r->deferred);
		cap_secret_shown(r->secret, rec_now(r), ln_line_is_secret(r->line));
	}
	rec_flush_tty(r);
	cap_tty_leftovers(r->screen);
	rec_settle(r);
}

static void mark(struct recorder *r, const char *what, const char *name)
{
	struct b_buf label = B_BUF_INIT;

	b_buf_printf(&label, "%s%s%s", what, *name ? " " : "", name);
	rec_event(r, r->keys.opened_ns, 'm', label.data, label.len);
	b_buf_release(&label);
}

static void end_transaction(struct recorder *r)
{
	if (*r->keys.open_name)
		mark(r, "end", r->keys.open_name);
	*r->keys.open_name = '\0';
}

/* ---- Commands -------------------------------------------------------------------------- */

static void start_text(struct recorder *r, char what)
{
	r->keys.mode = KEYS_TEXT;
	r->keys.what = what;
	b_buf_clear(&r->keys.text);
	draw_text(r);
}

static void start_mark(struct recorder *r)
{
	struct rec_keys *k = &r->keys;

	k->mode = KEYS_MARK;
	k->anchored = false;
	vs_screen_cursor(r->screen, &k->at_row, &k->at_col);
	draw_mark(r);
}

static void toggle_secret(struct recorder *r)
{
	r->keys.secret = !r->keys.secret;
	cap_secret_tell(r->secret, r->keys.opened_ns, r->keys.secret);
	rec_keys_close(r);
}

static void toggle_pause(struct recorder *r)
{
	/* What was typed before the pause is decided first: it belongs to the session. */
	if (!r->keys.paused)
		cap_secret_finish(r->secret, r->keys.opened_ns);
	r->keys.paused = !r->keys.paused;
	mark(r, r->keys.paused ? "pause" : "resume", "");
	rec_keys_close(r);
}

/* What was typed before it goes first; its place in the session is now. */
static void send_break(struct recorder *r)
{
	struct b_error err = { 0 };

	if (!ln_line_has_break(r->line)) {
		note(r, " This line carries no break. Any key goes back.");
		return;
	}
	rec_flush_line(r);
	if (ln_line_break(r->line, &err)) {
		note(r, " The break could not be sent. Any key goes back.");
		return;
	}
	r->keys.opened_ns = rec_now(r);
	mark(r, "break", "");
	rec_keys_close(r);
}

static void choose(struct recorder *r, const struct cap_typed *t)
{
	struct rec_keys *k = &r->keys;

	if (t->len == k->prefix_len && !memcmp(t->bytes, k->prefix, t->len)) {
		rec_keys_close(r);
		rec_type(r, rec_now(r), t->bytes, t->len);
		return;
	}
	switch (t->len == 1 ? *t->bytes : 0x1B) {
	case 'b': start_text(r, 'b'); break;
	case 'g': start_text(r, 'g'); break;
	case 'c': start_text(r, 'c'); break;
	case 'm': start_mark(r); break;
	case 'e':
		if (!*k->open_name) {
			note(r, " No transaction has begun; b begins one. Any key goes back.");
			break;
		}
		end_transaction(r);
		rec_keys_close(r);
		break;
	case 's': toggle_secret(r); break;
	case 'p': toggle_pause(r); break;
	case '#': send_break(r); break;
	case 'q':
	case 'x':
		rec_keys_close(r);
		r->stop = r->result.stopped = true;
		break;
	case '?':
		k->mode = KEYS_NOTE;
		draw_help(r);
		break;
	default: rec_keys_close(r);
	}
}

static void finish_text(struct recorder *r)
{
	struct rec_keys *k = &r->keys;
	char name[32];

	if (!k->text.len)
		b_buf_adds(&k->text, default_name(r, name));
	if (k->what == 'b') {
		end_transaction(r);
		mark(r, "begin", b_buf_cstr(&k->text));
		snprintf(k->open_name, sizeof k->open_name, "%s", b_buf_cstr(&k->text));
		k->n_begun++;
	} else if (k->what == 'g') {
		mark(r, "golden", b_buf_cstr(&k->text));
		k->n_golden++;
	} else if (k->text.len) {
		mark(r, "comment", b_buf_cstr(&k->text));
	}
	rec_keys_close(r);
}

static void edit(struct recorder *r, const struct cap_typed *t)
{
	struct b_buf *text = &r->keys.text;
	size_t most = r->keys.what == 'c' ? COMMENT_MAX_BYTES : NAME_MAX_BYTES;

	if (t->kind == CAP_TYPED_TEXT && text->len + t->len <= most &&
		b_utf8_valid(t->bytes, t->len)) {
		b_buf_add(text, t->bytes, t->len);
	} else if (t->kind == CAP_TYPED_ERASE) {
		size_t n = *t->bytes == 0x15 ? 0 : text->len;

		while (n && ((unsigned char)text->data[n - 1] & 0xC0) == 0x80)
			n--;
		b_buf_truncate(text, n ? n - 1 : 0);
	} else if (t->len == 1 && (*t->bytes == '\r' || *t->bytes == '\n')) {
		finish_text(r);
		return;
	} else if (t->kind == CAP_TYPED_KEY && (*t->bytes == 0x1B || *t->bytes == 0x03)) {
		rec_keys_close(r);
		return;
	}
	/* The label may have grown shorter: the row is painted whole. */
	draw_text(r);
}

static void move(struct recorder *r, int rows, int cols)
{
	struct rec_keys *k = &r->keys;
	int row = k->at_row + rows, col = k->at_col + cols;

	if (row >= 0 && row < vs_screen_rows(r->screen))
		k->at_row = row;
	if (col >= 0 && col < vs_screen_cols(r->screen))
		k->at_col = col;
}

static void finish_mark(struct recorder *r)
{
	struct rec_keys *k = &r->keys;
	char place[64];

	set_mark(r);
	snprintf(place, sizeof place, "%d %d %d %d", k->mark.row + 1, k->mark.col + 1, k->mark.rows,
		k->mark.cols);
	mark(r, "mask", place);
	rec_keys_close(r);
}

static void mark_key(struct recorder *r, const struct cap_typed *t)
{
	struct rec_keys *k = &r->keys;
	char c = t->bytes[t->len - 1];
	bool arrow = t->len == 3 && *t->bytes == 0x1B;

	if ((arrow && c == 'A') || (t->len == 1 && c == 'k'))
		move(r, -1, 0);
	else if ((arrow && c == 'B') || (t->len == 1 && c == 'j'))
		move(r, 1, 0);
	else if ((arrow && c == 'C') || (t->len == 1 && c == 'l'))
		move(r, 0, 1);
	else if ((arrow && c == 'D') || (t->len == 1 && c == 'h'))
		move(r, 0, -1);
	else if (t->len == 1 && (c == ' ' || c == '\r')) {
		if (k->anchored) {
			finish_mark(r);
			return;
		}
		k->anchored = true;
		k->anchor_row = k->at_row;
		k->anchor_col = k->at_col;
	} else if (t->len == 1 && (c == 0x1B || c == 'q' || c == 0x03)) {
		rec_keys_close(r);
		return;
	}
	draw_mark(r);
}

/* ---- Input ----------------------------------------------------------------------------- */

static void overlay_key(struct recorder *r, const struct cap_typed *t)
{
	switch (r->keys.mode) {
	case KEYS_MENU: choose(r, t); break;
	case KEYS_TEXT: edit(r, t); break;
	case KEYS_MARK: mark_key(r, t); break;
	case KEYS_NOTE: rec_keys_close(r); break;
	case KEYS_OFF: break;
	}
}

void rec_keys_take(struct recorder *r, int64_t at_ns, const char *bytes, size_t len)
{
	struct rec_keys *k = &r->keys;
	const char *from = bytes, *end = bytes + len;

	if (!k->prefix_len) {
		rec_type(r, at_ns, bytes, len);
		return;
	}
	/* [from, bytes): for the application, not yet handed on. */
	while (bytes < end) {
		struct cap_typed t;

		bytes += cap_typed_next(&k->typed, bytes, (size_t)(end - bytes), at_ns, &t);
		if (t.kind == CAP_TYPED_BRACKET)
			k->in_paste = t.bytes[t.len - 2] == '0';
		/* Answers are the application's, whatever is on top of it. */
		if (k->mode != KEYS_OFF && t.kind != CAP_TYPED_ANSWER) {
			overlay_key(r, &t);
			from = bytes;
		} else if (k->mode == KEYS_OFF && !k->in_paste && t.len == k->prefix_len &&
			!memcmp(t.bytes, k->prefix, t.len)) {
			if (t.bytes > from)
				rec_type(r, at_ns, from, (size_t)(t.bytes - from));
			from = bytes;
			open_menu(r, at_ns);
		} else if (k->mode != KEYS_OFF) {
			rec_type(r, at_ns, t.bytes, t.len);
			from = bytes;
		}
	}
	if (bytes > from)
		rec_type(r, at_ns, from, (size_t)(bytes - from));
}
