/* The guard: bytes to characters; what is clean goes straight to the parser. */
#include "vscreen/guard.h"

#include <string.h>

#include "base/utf8.h"
#include "vscreen/guard_priv.h"
#include "vscreen/state.h"
#include "base/banned.h"

void vs_guard_init(struct vs_screen *s)
{
	s->guard = (struct vs_guard){ .utf8 = !s->eight_bit };
	s->guard.parser = vs_parser_new(s);
}

void vs_guard_release(struct vs_guard *g)
{
	vs_parser_free(g->parser);
	b_buf_release(&g->string);
}

void vs_guard_ground(struct vs_guard *g)
{
	g->state = VS_GUARD_GROUND;
	g->string_esc = false;
	b_buf_release(&g->string);
}

bool vs_guard_midway(const struct vs_guard *g)
{
	if (g->state == VS_GUARD_PRINT)
		return g->esc_len > 0;
	return g->state != VS_GUARD_GROUND || g->held_len > 0;
}

size_t vs_guard_memory(const struct vs_guard *g)
{
	return g->string.cap + 1024; /* libvterm's parser: about 1 KiB with its buffers */
}

/* ---- Characters ----------------------------------------------------------------------------- */

/* What the held bytes are: as xterm, one U+FFFD for all that a first byte claimed. */
static uint32_t held_code(const struct vs_guard *g)
{
	uint32_t cp = 0;
	size_t n;

	n = b_utf8_decode((const char *)g->held, g->held_len, &cp);
	if (n != g->held_len || cp == 0xFFFE || cp == 0xFFFF)
		return B_UTF8_REPLACEMENT;
	return cp;
}

void vs_guard_byte(struct vs_screen *s, unsigned char c)
{
	struct vs_guard *g = &s->guard;
	uint32_t cp;

	if (g->state == VS_GUARD_STRING) {
		vs_guard_string_byte(s, c);
		return;
	}
	if (g->state == VS_GUARD_PRINT) {
		vs_guard_print_byte(s, c);
		return;
	}
	if (!g->utf8) {
		vs_guard_code(s, c);
		return;
	}
	if (g->held_len) {
		if ((c & 0xC0) == 0x80) {
			g->held[g->held_len++] = c;
			if (g->held_len < g->held_need)
				return;
			cp = held_code(g);
			g->held_len = 0;
			vs_guard_code(s, cp);
			return;
		}
		g->held_len = 0;
		vs_guard_code(s, B_UTF8_REPLACEMENT);
	}
	if (c < 0x80 || s->sets.g[s->sets.gr] != VS_CS_ASCII) {
		vs_guard_code(s, c);
	} else if (c < 0xC0 || c >= 0xFE) {
		vs_guard_code(s, B_UTF8_REPLACEMENT);
	} else {
		g->held[0] = c;
		g->held_len = 1;
		g->held_need = c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF8 ? 4 : c < 0xFC ? 5 : 6;
	}
}

/* ---- The fast way: clean pieces go on as they lie in the read ------------------------------- */

/* The end of a whole CSI sequence at p (its ESC) that the parser can take as it is; or NULL. */
static const char *simple_csi(const char *p, const char *end)
{
	int digits = 0, args = 1;

	p += 2;
	if (p < end && (*p == '?' || *p == '>' || *p == '='))
		p++;
	for (; p < end; p++) {
		if (*p >= '0' && *p <= '9') {
			if (++digits > 5)
				return NULL;
		} else if (*p == ';' || *p == ':') {
			if (++args > VS_PARSER_ARGS)
				return NULL;
			digits = 0;
		} else {
			return *p >= 0x40 && *p < 0x7F && *p != 'i' ? p + 1 : NULL;
		}
	}
	return NULL;
}

/* The length of a whole, valid character at p that is printed; or 0. */
static size_t simple_char(const char *p, const char *end)
{
	uint32_t cp;
	size_t n = b_utf8_decode(p, (size_t)(end - p), &cp);

	return n < 2 || cp < 0xA0 || (cp >= B_UTF8_REPLACEMENT && cp <= 0xFFFF) ? 0 : n;
}

/* In ground state, nothing held: takes all that is clean. Returns where it is not. */
static const char *ground(struct vs_screen *s, const char *p, const char *end)
{
	const char *start = p, *next;
	size_t n;

	while (p < end) {
		unsigned char c = (unsigned char)*p;

		if (c >= 0x80) {
			n = s->guard.utf8 && s->level && s->sets.g[s->sets.gr] == VS_CS_ASCII
				? simple_char(p, end)
				: 0;
			if (!n)
				break;
			p += n;
		} else if (c != ESC) {
			if (c == 0 || c == DEL || c == CAN || c == SUB)
				break;
			p++;
		} else {
			next = end - p > 2 && p[1] == '[' && s->level ? simple_csi(p, end) : NULL;
			if (!next)
				break;
			n = (size_t)(next - p);
			p = next;
			/* Modes and the restored character sets say how the rest is to be read. */
			if (next[2 - (ptrdiff_t)n] == '?' || next[-1] == 'u') {
				vs_pass(s, start, (size_t)(p - start));
				start = p;
			}
		}
	}
	vs_pass(s, start, (size_t)(p - start));
	return p;
}

void vs_guard_feed(struct vs_screen *s, const char *bytes, size_t len)
{
	const char *p = bytes, *end = bytes + len;

	while (p < end) {
		if (s->guard.state == VS_GUARD_GROUND && !s->guard.held_len) {
			p = ground(s, p, end);
			if (p == end)
				break;
		}
		vs_guard_byte(s, (unsigned char)*p++);
	}
}
