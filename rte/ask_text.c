#include "rte/ask_text.h"

#include "base/escape.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define TEXT_MAX 200

static void quoted(const struct rte_ask *a, struct b_buf *out)
{
	b_buf_adds(out, " \"");
	b_escape_text(out, a->bytes, a->len < TEXT_MAX ? a->len : TEXT_MAX);
	b_buf_adds(out, a->len < TEXT_MAX ? "\"" : "...\"");
}

void rte_ask_describe(const struct rte_ask *a, struct b_buf *out)
{
	static const char *const words[] = { "done", "failed", "send", "press", "paste", "raw keys",
		"mouse", "expect", "think", "pause", "barrier", "resize", "interact", "golden" };

	b_buf_adds(out, (size_t)a->kind < B_ARRAY_LEN(words) ? words[a->kind] : "?");
	switch (a->kind) {
	case RTE_ASK_EXPECT:
		b_buf_addc(out, ' ');
		vs_cond_describe(a->cond, out);
		return;
	case RTE_ASK_RESIZE: b_buf_printf(out, " %dx%d", a->cols, a->rows); return;
	case RTE_ASK_MOUSE:
		b_buf_printf(out, " at row %d, column %d", a->mouse.row + 1, a->mouse.col + 1);
		return;
	case RTE_ASK_THINK:
	case RTE_ASK_PAUSE:
		if (a->dist) {
			b_buf_addc(out, ' ');
			b_dist_format(a->dist, out);
		} else if (a->recorded_ns >= 0) {
			b_buf_addc(out, ' ');
			b_format_duration(out, a->recorded_ns);
		}
		return;
	default: break;
	}
	if (a->secret)
		b_buf_adds(out, " a secret");
	else if (a->bytes && a->len)
		quoted(a, out);
}
