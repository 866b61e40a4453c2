/* Source: xterm ctlseqs, "Mouse Tracking"; rxvt-unicode's urxvt(7) for 1015. */
#include "vscreen/mouse.h"

#include <string.h>

#include "base/utf8.h"
#include "vscreen/screen.h"
#include "base/banned.h"

enum {
	CB_RELEASE = 3,
	CB_SHIFT = 4,
	CB_META = 8,
	CB_CTRL = 16,
	CB_MOTION = 32,
	CB_WHEEL = 64,
	CB_EXTRA = 128
};

#define BUTTON_MAX 11 /* 4..7 wheels, 8..11 extra buttons */

/* Plain reports are a byte a value; 1005 takes two-byte UTF-8 for larger ones. */
#define PLAIN_MAX 255
#define UTF8_MAX  2047

static bool asked_for(const struct vs_mouse *m, unsigned modes)
{
	switch (m->action) {
	case VS_MOUSE_MOVE: return modes & VS_MODE_MOUSE_ANY;
	case VS_MOUSE_DRAG: return modes & (VS_MODE_MOUSE_ANY | VS_MODE_MOUSE_DRAG);
	case VS_MOUSE_RELEASE:
		return modes & (VS_MODE_MOUSE_ANY | VS_MODE_MOUSE_DRAG | VS_MODE_MOUSE_CLICK);
	case VS_MOUSE_PRESS: break;
	}
	if (modes & (VS_MODE_MOUSE_ANY | VS_MODE_MOUSE_DRAG | VS_MODE_MOUSE_CLICK))
		return true;
	return (modes & VS_MODE_MOUSE_X10) && m->button <= 3;
}

/* X10 tells neither modifiers nor releases. */
static bool x10_only(unsigned modes)
{
	return !(modes & (VS_MODE_MOUSE_ANY | VS_MODE_MOUSE_DRAG | VS_MODE_MOUSE_CLICK));
}

static int button_code(int button)
{
	if (button >= 8)
		return CB_EXTRA + button - 8;
	return button >= 4 ? CB_WHEEL + button - 4 : button - 1;
}

/* The first value of a report; -1 when there is no such thing. */
static int report_code(const struct vs_mouse *m, unsigned modes)
{
	bool names_release = modes & (VS_MODE_MOUSE_SGR | VS_MODE_MOUSE_PIXELS);
	int code;

	if (m->button < 0 || m->button > BUTTON_MAX)
		return -1;
	if (m->action == VS_MOUSE_MOVE)
		code = CB_RELEASE + CB_MOTION;
	else if (m->action == VS_MOUSE_RELEASE && !names_release)
		code = CB_RELEASE;
	else if (!m->button)
		return -1;
	else
		code = button_code(m->button) + (m->action == VS_MOUSE_DRAG ? CB_MOTION : 0);
	if (!x10_only(modes))
		code += (m->shift ? CB_SHIFT : 0) + (m->meta ? CB_META : 0) +
			(m->ctrl ? CB_CTRL : 0);
	return code;
}

int vs_mouse_encode(const struct vs_mouse *m, unsigned modes, struct b_buf *out)
{
	int max = modes & VS_MODE_MOUSE_UTF8 ? UTF8_MAX : PLAIN_MAX;
	int values[3];

	if (!asked_for(m, modes))
		return B_ENOTFOUND;
	values[0] = report_code(m, modes);
	values[1] = m->col + 1;
	values[2] = m->row + 1;
	if (modes & VS_MODE_MOUSE_PIXELS) { /* the middle of the cell */
		values[1] = m->col * VS_CELL_WIDE + VS_CELL_WIDE / 2 + 1;
		values[2] = m->row * VS_CELL_HIGH + VS_CELL_HIGH / 2 + 1;
	}
	if (values[0] < 0 || m->row < 0 || m->col < 0)
		return B_ENOTFOUND;
	if (modes & (VS_MODE_MOUSE_SGR | VS_MODE_MOUSE_PIXELS)) {
		b_buf_printf(out, "\033[<%d;%d;%d%c", values[0], values[1], values[2],
			m->action == VS_MOUSE_RELEASE ? 'm' : 'M');
		return 0;
	}
	if (modes & VS_MODE_MOUSE_URXVT) {
		b_buf_printf(out, "\033[%d;%d;%dM", values[0] + 32, values[1], values[2]);
		return 0;
	}
	for (int i = 0; i < 3; i++)
		if (values[i] + 32 > max)
			return B_ERANGE;
	b_buf_adds(out, "\033[M");
	for (int i = 0; i < 3; i++) {
		char bytes[4] = { (char)(values[i] + 32) };
		size_t n = 1;

		if (modes & VS_MODE_MOUSE_UTF8)
			n = b_utf8_encode((uint32_t)values[i] + 32, bytes);
		b_buf_add(out, bytes, n);
	}
	return 0;
}

size_t vs_mouse_match(const char *s, size_t len, unsigned modes)
{
	size_t at = 3;

	if (len < 3 || memcmp(s, "\033[M", 3))
		return 0;
	if (!(modes & VS_MODE_MOUSE_UTF8))
		return len < 6 ? len + 1 : 6;
	for (int i = 0; i < 3; i++) {
		uint32_t cp;
		size_t n = at < len ? b_utf8_decode(s + at, len - at, &cp) : 0;

		if (!n)
			return len + 1;
		at += n;
	}
	return at;
}

/* Up to three decimal numbers between semicolons; the end, or NULL when it is no such list. */
static const char *numbers(const char *s, const char *end, int values[3])
{
	for (int i = 0; i < 3; i++) {
		int v = 0, digits = 0;

		for (; s < end && *s >= '0' && *s <= '9' && digits < 5; s++, digits++)
			v = v * 10 + (*s - '0');
		if (!digits || (i < 2 && (s == end || *s++ != ';')))
			return NULL;
		values[i] = v;
	}
	return s;
}

/* The three values of a report, its last byte in *final. */
static bool values_of(const char *s, size_t len, unsigned modes, int values[3], char *final)
{
	const char *end = s + len, *at = s + 3;

	*final = 'M';
	if (len < 6 || memcmp(s, "\033[", 2))
		return false;
	if (s[2] == 'M') {
		for (int i = 0; i < 3; i++) {
			uint32_t cp = (unsigned char)*at;
			size_t n = 1;

			if (modes & VS_MODE_MOUSE_UTF8)
				n = b_utf8_decode(at, (size_t)(end - at), &cp);
			if (!n || (at += n) > end)
				return false;
			values[i] = (int)cp - 32;
		}
		return at == end;
	}
	*final = end[-1];
	if (s[2] == '<')
		return numbers(at, end, values) == end - 1 && (*final == 'M' || *final == 'm');
	if (numbers(s + 2, end, values) != end - 1 || *final != 'M')
		return false;
	values[0] -= 32;
	return true;
}

bool vs_mouse_decode(const char *s, size_t len, unsigned modes, struct vs_mouse *out)
{
	struct vs_mouse m = { .action = VS_MOUSE_PRESS };
	struct b_buf again = B_BUF_INIT;
	int values[3], code;
	char final;
	bool same;

	if (!values_of(s, len, modes, values, &final) || values[0] < 0)
		return false;
	code = values[0] & ~(CB_SHIFT | CB_META | CB_CTRL | CB_MOTION);
	m.shift = values[0] & CB_SHIFT;
	m.meta = values[0] & CB_META;
	m.ctrl = values[0] & CB_CTRL;
	m.col = values[1] - 1;
	m.row = values[2] - 1;
	if (modes & VS_MODE_MOUSE_PIXELS) {
		m.col /= VS_CELL_WIDE;
		m.row /= VS_CELL_HIGH;
	}
	if (code >= CB_EXTRA)
		m.button = 8 + code - CB_EXTRA;
	else if (code >= CB_WHEEL)
		m.button = 4 + code - CB_WHEEL;
	else if (code != CB_RELEASE)
		m.button = code + 1;
	if (values[0] & CB_MOTION)
		m.action = code == CB_RELEASE ? VS_MOUSE_MOVE : VS_MOUSE_DRAG;
	else if (final == 'm' || code == CB_RELEASE)
		m.action = VS_MOUSE_RELEASE;
	/* What would not be sent so is no report of ours: it stays raw. */
	same = !vs_mouse_encode(&m, modes, &again) && again.len == len &&
		!memcmp(again.data, s, len);
	b_buf_release(&again);
	if (same)
		*out = m;
	return same;
}
