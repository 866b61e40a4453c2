/*
 * Any bytes as a key's name, and as what is typed: names are known or refused, and all that
 * was typed comes out of the decoder, in order, however it was cut and timed; a name it gives
 * encodes to the same bytes.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "vscreen/keys.h"
#include "vscreen/screen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const terms[] = { "xterm", "xterm-256color", "vt100", "vt220", "linux", "screen",
	"tmux-256color", "ansi", "rxvt", "wyse60", "scoansi", "vt52", "putty", "dumb" };

static struct vs_keymap *maps[B_ARRAY_LEN(terms)];

/* The first of the terms that this machine has, from i on. */
static const struct vs_keymap *map_of(size_t i)
{
	for (size_t k = 0; k < B_ARRAY_LEN(terms); k++, i++) {
		size_t at = i % B_ARRAY_LEN(terms);

		if (!maps[at] && vs_keymap_new(&maps[at], terms[at], NULL))
			continue;
		return maps[at];
	}
	abort();
}

static void name(const struct vs_keymap *m, const uint8_t *data, size_t size, unsigned modes)
{
	char *s = b_strndup((const char *)data, size), out[VS_KEY_MAX];
	struct b_error err = { 0 };
	int len = vs_key_encode(m, s, modes, out, &err);

	B_BUG_ON(len == 0 || len > VS_KEY_MAX);
	B_BUG_ON((len < 0) != (err.code != 0));
	free(s);
}

static void take(struct vs_keydecoder *d, const struct vs_keymap *m, bool flush, unsigned modes,
	struct b_buf *out)
{
	char bytes[VS_KEY_MAX];
	struct vs_key k;

	while (vs_keydecoder_next(d, flush, &k)) {
		B_BUG_ON(!k.len);
		b_buf_add(out, k.bytes, k.len);
		if (k.kind != VS_KEY_TEXT && k.kind != VS_KEY_NAMED)
			continue;
		B_BUG_ON(vs_key_encode(m, k.name, modes, bytes, NULL) != (int)k.len);
		B_BUG_ON(memcmp(bytes, k.bytes, k.len));
	}
}

static void typed(const struct vs_keymap *m, const uint8_t *data, size_t size, unsigned modes)
{
	struct vs_keydecoder *d;
	struct b_buf in = B_BUF_INIT, out = B_BUF_INIT;
	int64_t at_ns = 0;

	if (vs_keydecoder_new(&d, m))
		abort();
	/* The first byte of a piece: its length, whether to flush, how late it comes; a piece of
	   length 0 is output of the application. */
	while (size) {
		uint8_t head = *data++;
		size_t n = head & 15;

		size--;
		at_ns += head & 64 ? 6000000000 : head & 32 ? 60000000 : 1000000;
		if (!n) {
			n = size < 6 ? size : 6;
			vs_keydecoder_output(d, (const char *)data, n, at_ns);
		} else {
			n = n == 15 ? 200 : n;
			n = size < n ? size : n;
			vs_keydecoder_push(d, (const char *)data, n, at_ns, modes);
			b_buf_add(&in, data, n);
		}
		data += n;
		size -= n;
		take(d, m, head & 16, modes, &out);
	}
	vs_keydecoder_finish(d);
	take(d, m, false, modes, &out);
	B_BUG_ON(in.len != out.len || (in.len && memcmp(in.data, out.data, in.len)));
	b_buf_release(&in);
	b_buf_release(&out);
	vs_keydecoder_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct vs_keymap *m;
	unsigned modes;

	if (size < 4)
		return 0;
	m = map_of(data[0]);
	modes = (unsigned)data[1] | (unsigned)data[2] << 8 | ((unsigned)data[3] & 7) << 16;
	data += 4;
	size -= 4;
	if (size < 40)
		name(m, data, size, modes);
	typed(m, data, size, modes);
	return 0;
}
