/*
 * Any text as a golden screen: it is refused, or compared with a screen that the same bytes
 * painted; that screen's own snapshot, and an update of the text by it, compare equal.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/screen.h"
#include "vscreen/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_plain(const struct b_buf *b)
{
	B_BUG_ON(!b_utf8_valid(b->data, b->len));
	for (size_t i = 0; i < b->len; i++)
		B_BUG_ON((unsigned char)b->data[i] < 0x20 && b->data[i] != '\n' &&
			b->data[i] != '\t');
}

static void check_equal(
	struct b_buf *golden, const struct vs_screen *s, const struct vs_snapshot_options *opt)
{
	struct b_buf diff = B_BUF_INIT;
	struct vs_snapshot *g;

	check_plain(golden);
	B_BUG_ON(vs_snapshot_parse(&g, b_buf_cstr(golden), golden->len, NULL));
	B_BUG_ON(vs_snapshot_compare(g, s, opt, &diff));
	B_BUG_ON(diff.len);
	b_buf_release(&diff);
	vs_snapshot_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vs_rect mask = { 0 };
	struct vs_snapshot_options opt = { .attrs = true, .cursor = true, .masks = &mask };
	struct vs_options how = { .rows = 5, .cols = 20 };
	struct b_buf out = B_BUF_INIT, diff = B_BUF_INIT;
	struct b_error err = { 0 };
	struct vs_snapshot *g = NULL;
	struct vs_screen *s;

	if (size < 5)
		return 0;
	opt.attrs = data[0] & 1;
	opt.cursor = data[0] & 2;
	opt.n_masks = data[0] & 4 ? 1 : 0;
	how.rows += data[0] & 8 ? 1 : 0;
	mask = (struct vs_rect){ data[1] % 8 - 1, data[2] % 32 - 1, data[3] % 8, data[4] % 32 };
	data += 5;
	size -= 5;
	if (vs_screen_new(&s, &how))
		abort();
	vs_screen_feed(s, (const char *)data, size);
	vs_snapshot_write(s, &opt, &out);
	check_equal(&out, s, &opt);
	if (!vs_snapshot_parse(&g, (const char *)data, size, &err)) {
		int n = vs_snapshot_compare(g, s, &opt, &diff);

		B_BUG_ON((n == 0) != (diff.len == 0));
		check_plain(&diff);
		b_buf_clear(&out);
		vs_snapshot_update(g, s, &opt, &out);
		check_equal(&out, s, &opt);
	} else {
		B_BUG_ON(!err.code);
	}
	vs_snapshot_free(g);
	b_buf_release(&out);
	b_buf_release(&diff);
	vs_screen_free(s);
	return 0;
}
