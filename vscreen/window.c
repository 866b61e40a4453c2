/* XTWINOPS: reports of sizes and titles, the stack of titles. Nothing here changes a size: the
   line's size is the script's. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/answer.h"
#include "vscreen/state.h"
#include "base/banned.h"

#define TITLES_MAX 10

struct vs_titles {
	struct vs_titles *next;
	char *title, *icon;
};

static void titles_pop(struct vs_screen *s)
{
	struct vs_titles *t = s->titles;

	s->titles = t->next;
	free(t->title);
	free(t->icon);
	free(t);
}

void vs_titles_release(struct vs_screen *s)
{
	while (s->titles)
		titles_pop(s);
}

static void push(struct vs_screen *s)
{
	struct vs_titles *t = s->titles;
	int n = 0;

	while (t) {
		n++;
		t = t->next;
	}
	if (n >= TITLES_MAX)
		return;
	t = b_calloc(1, sizeof *t);
	t->title = b_strdup(b_buf_cstr(&s->title));
	t->icon = b_strdup(b_buf_cstr(&s->icon_title));
	t->next = s->titles;
	s->titles = t;
}

static void restore(struct b_buf *to, const char *text)
{
	b_buf_clear(to);
	b_buf_adds(to, text);
}

static void pop(struct vs_screen *s, int what)
{
	if (!s->titles)
		return;
	if (what != 1)
		restore(&s->title, s->titles->title);
	if (what != 2)
		restore(&s->icon_title, s->titles->icon);
	titles_pop(s);
}

void vs_window(struct vs_screen *s, const struct vs_args *a)
{
	const char *csi = vs_c1(s, '[');
	int what = vs_arg(a, 0, 0);

	if (what == 22) {
		push(s);
		return;
	}
	if (what == 23) {
		pop(s, vs_arg(a, 1, 0));
		return;
	}
	if (what < 11 || what > 21)
		return;
	if (!s->term->window || !s->answer) {
		struct b_buf text = B_BUF_INIT;

		b_buf_printf(&text, "%dt", what);
		vs_unanswered(s, "\\e[", text.data, text.len);
		b_buf_release(&text);
		return;
	}
	switch (what) {
	case 11: vs_answer(s, "%s1t", csi); break;
	case 13: vs_answer(s, "%s3;0;0t", csi); break;
	case 14:
		vs_answer(s, "%s4;%d;%dt", csi, s->rows * VS_CELL_HIGH, s->cols * VS_CELL_WIDE);
		break;
	case 15:
		vs_answer(s, "%s5;%d;%dt", csi, s->rows * VS_CELL_HIGH, s->cols * VS_CELL_WIDE);
		break;
	case 16: vs_answer(s, "%s6;%d;%dt", csi, VS_CELL_HIGH, VS_CELL_WIDE); break;
	case 18: vs_answer(s, "%s8;%d;%dt", csi, s->rows, s->cols); break;
	case 19: vs_answer(s, "%s9;%d;%dt", csi, s->rows, s->cols); break;
	default: /* 20, 21: the titles are not sent back: a SUT could have them typed in */
		vs_unanswered(s, "\\e[", what == 20 ? "20t" : "21t", 3);
		break;
	}
}
