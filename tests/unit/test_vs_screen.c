/* The virtual screen through its public header: sizes, changes, paint, memory, what is bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "vscreen/screen.h"
#include "base/banned.h"

static struct vs_screen *new_screen(int rows, int cols)
{
	struct vs_screen *s = NULL;

	assert_int_equal(vs_screen_new(&s, &(struct vs_options){ .rows = rows, .cols = cols }), 0);
	return s;
}

static bool feed(struct vs_screen *s, const char *text)
{
	return vs_screen_feed(s, text, strlen(text));
}

static void assert_row(struct vs_screen *s, int row, const char *want)
{
	struct b_buf got = B_BUF_INIT;

	vs_screen_row(s, row, &got);
	assert_string_equal(b_buf_cstr(&got), want);
	b_buf_release(&got);
}

static void test_sizes(void **state)
{
	static const int bad[][2] = { { 0, 5 }, { 5, 0 }, { -1, 5 }, { 1001, 5 }, { 5, 1001 } };
	static const int good[][2] = { { 1, 1 }, { 1, 1000 }, { 1000, 1 }, { 1000, 1000 },
		{ 2, 3 } };
	static const char noise[] =
		"ab\r\n\033[5;5Hx\033[2L\033[3M\033[2@\033[P\033[?69h\033[1;1s中中\033[9b"
		"\033#6\033[1;1;9;9;1;2;2$v\033[?1049hx\033[1;2r\033D\033M\033[?1049l\033[?3h\033#8\tz";
	struct vs_screen *s = NULL;

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(bad); i++)
		assert_int_equal(
			vs_screen_new(
				&s, &(struct vs_options){ .rows = bad[i][0], .cols = bad[i][1] }),
			B_ERANGE);
	for (size_t i = 0; i < B_ARRAY_LEN(good); i++) {
		s = new_screen(good[i][0], good[i][1]);
		feed(s, noise);
		for (size_t k = 0; k < B_ARRAY_LEN(good); k++) {
			assert_int_equal(vs_screen_resize(s, good[k][0], good[k][1]), 0);
			assert_int_equal(vs_screen_rows(s), good[k][0]);
			assert_int_equal(vs_screen_cols(s), good[k][1]);
			feed(s, noise);
		}
		for (size_t k = 0; k < B_ARRAY_LEN(bad); k++)
			assert_int_equal(vs_screen_resize(s, bad[k][0], bad[k][1]), B_ERANGE);
		vs_screen_free(s);
	}
	s = new_screen(0, 0);
	assert_int_equal(vs_screen_rows(s), 24);
	assert_int_equal(vs_screen_cols(s), 80);
	vs_screen_free(s);
	vs_screen_free(NULL);
}

static void test_change_is_net(void **state)
{
	struct vs_screen *s = new_screen(4, 20);

	(void)state;
	assert_true(feed(s, "hello"));
	assert_false(feed(s, "\rhello"));        /* painted the same again */
	assert_false(feed(s, "\rHELLO\rhello")); /* there and back within one read */
	assert_false(feed(s, "\033[?25l\033[?25h\a"));
	assert_true(feed(s, "\033[?25l"));
	assert_true(feed(s, "\033[1;1H"));   /* the cursor alone */
	assert_true(feed(s, "\033[31mh\b")); /* a colour alone */
	assert_false(feed(s, "\033[31mh\b"));
	assert_false(feed(s, "\033]0;title\a\033[5n\0337"));
	assert_true(feed(s, "\033[?1049h"));
	assert_true(feed(s, "\033[?1049l"));
	assert_int_equal(vs_screen_changes(s), 6);
	vs_screen_free(s);
}

static void test_masks(void **state)
{
	struct vs_rect mask[] = { { 0, 10, 1, 5 }, { 2, 0, 9, 99 } };
	struct vs_screen *s = new_screen(4, 20);

	(void)state;
	vs_screen_masks_set(s, mask, 2);
	assert_false(feed(s, "\0337\033[1;11H12:00\0338"));
	assert_false(feed(s, "\0337\033[3;1Hanything\r\nat all\0338"));
	assert_true(feed(s, "\0337\033[1;16Hx\0338"));
	assert_true(feed(s, "\0337\033[2;1Hx\0338"));
	vs_screen_masks_set(s, NULL, 0);
	assert_false(feed(s, ""));
	assert_true(feed(s, "\0337\033[1;11H13\0338"));
	vs_screen_free(s);
}

static void test_painted_since_input(void **state)
{
	struct vs_screen *s = new_screen(4, 20);

	(void)state;
	assert_false(vs_screen_painted(s, 0, 0, 4, 20));
	feed(s, "Name: ");
	assert_true(vs_screen_painted(s, 0, 0, 1, 4));
	assert_false(vs_screen_painted(s, 0, 10, 4, 10));
	assert_true(vs_screen_painted(s, -5, -5, 100, 100)); /* clipped */
	assert_false(vs_screen_painted(s, 9, 9, 1, 1));
	vs_screen_input_mark(s);
	assert_false(vs_screen_painted(s, 0, 0, 4, 20));
	assert_false(vs_screen_cursor_moved(s));
	feed(s, "\rName: "); /* the same again counts as paint */
	assert_true(vs_screen_painted(s, 0, 0, 1, 1));
	assert_true(vs_screen_cursor_moved(s)); /* there and back is a move */
	vs_screen_input_mark(s);
	feed(s, "\033[2;3H\033[K"); /* erasing stamps */
	assert_true(vs_screen_painted(s, 1, 2, 1, 1));
	assert_false(vs_screen_painted(s, 1, 0, 1, 2));
	feed(s, "\033[1;1HA\033[3;1HB");
	vs_screen_input_mark(s);
	feed(s, "\033[1;1H\033[L"); /* scrolling carries the stamp along */
	assert_row(s, 1, "Aame:");
	assert_true(vs_screen_painted(s, 0, 0, 1, 20));
	assert_false(vs_screen_painted(s, 1, 0, 3, 20));
	vs_screen_free(s);
}

static void test_alternate_screen_is_painted(void **state)
{
	struct vs_screen *s = new_screen(4, 20);

	(void)state;
	feed(s, "$ less\033[?1049hpage");
	vs_screen_input_mark(s);
	feed(s, "\033[?1049l");
	assert_row(s, 0, "$ less");
	assert_true(vs_screen_painted(s, 0, 0, 1, 1));
	vs_screen_free(s);
}

/* The stamps are 16 bits wide; what was painted 65535 inputs ago must not look new. */
static void test_many_inputs(void **state)
{
	struct vs_screen *s = new_screen(2, 10);

	(void)state;
	feed(s, "old");
	for (int i = 0; i < 3 * 65536 + 5; i++) {
		vs_screen_input_mark(s);
		if (vs_screen_painted(s, 0, 0, 2, 10))
			fail_msg("painted after %d marks", i);
	}
	feed(s, "new");
	assert_true(vs_screen_painted(s, 0, 3, 1, 1));
	assert_false(vs_screen_painted(s, 0, 0, 1, 3));
	vs_screen_free(s);
}

static void test_row_paints(void **state)
{
	struct vs_screen *s = new_screen(4, 20);
	uint32_t first = vs_screen_row_paints(s, 1), other = vs_screen_row_paints(s, 2);

	(void)state;
	feed(s, "\033[2;1Hx");
	assert_true(vs_screen_row_paints(s, 1) != first);
	assert_true(vs_screen_row_paints(s, 2) == other);
	vs_screen_free(s);
}

/* E05: forms printed, the window of another size at any moment, between them or within. */
static void test_forms_over_resizes(void **state)
{
	static const char *const bits[] = {
		"\033[H\033[2J", "\033[5;1HName: [__________]", "\033[?1049h", "\033[?1049l",
		"\033[3;20r", "\033[r", "\0337", "\0338", "\033[7mtext\033[m", "\033[999;999H",
		"\r\n", "\344\270\255\346\226\207", "\033[4L", "\033[3M", "\033[80C",
		"a long line of text that runs over the edge of the window and onto the next line"
	};
	struct vs_screen *s = new_screen(24, 80);
	uint32_t seed = 5;
	int row, col;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		seed = seed * 1664525u + 1013904223u;
		feed(s, bits[(seed >> 8) % B_ARRAY_LEN(bits)]);
		if (seed >> 16 & 7)
			continue;
		assert_int_equal(vs_screen_resize(s, 5 + (int)(seed >> 20) % 39,
					 20 + (int)(seed >> 10) % 113),
			0);
		vs_screen_cursor(s, &row, &col);
		assert_in_range(row, 0, vs_screen_rows(s) - 1);
		assert_in_range(col, 0, vs_screen_cols(s) - 1);
	}
	vs_screen_free(s);
}

/* E52: a program that prints all day. */
static void test_long_output(void **state)
{
	struct vs_screen *s = new_screen(24, 80);
	size_t before = 0;
	int row, col;
	char line[16];

	(void)state;
	for (int i = 1; i <= 200000; i++) {
		snprintf(line, sizeof line, "%d\r\n", i);
		feed(s, line);
		if (i == 20000)
			before = vs_screen_memory(s);
	}
	feed(s, "$ ");
	assert_row(s, 0, "199978");
	assert_row(s, 22, "200000");
	assert_row(s, 23, "$");
	vs_screen_cursor(s, &row, &col);
	assert_int_equal(row, 23);
	assert_int_equal(col, 2);
	assert_int_equal(vs_screen_memory(s), before);
	vs_screen_free(s);
}

/* A row that went away and came back has no number that it had before. */
static void test_row_paints_over_resizes(void **state)
{
	struct vs_screen *s = new_screen(5, 10);
	uint32_t before;

	(void)state;
	feed(s, "\033[5Ha\033[5Hb\033[5Hc\033[H");
	before = vs_screen_row_paints(s, 4);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(vs_screen_resize(s, 2, 10), 0);
		feed(s, "\033[2Hx\033[H");
		assert_int_equal(vs_screen_resize(s, 5, 10), 0);
		assert_true(vs_screen_row_paints(s, 4) > before);
		before = vs_screen_row_paints(s, 4);
	}
	vs_screen_free(s);
}

static void test_midway(void **state)
{
	static const char *const begun[] = { "\033", "\033[", "\033[1;", "\033]0;t", "\033P$q",
		"\xE4\xB8", "\033(", "\033_x", "\033]0;t\033" };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(begun); i++) {
		struct vs_screen *s = new_screen(4, 20);

		feed(s, begun[i]);
		assert_int_equal(vs_screen_midway(s), VS_MID_SEQUENCE);
		feed(s, "\030");
		assert_int_equal(vs_screen_midway(s), 0);
		feed(s, "\033[?2026h");
		assert_int_equal(vs_screen_midway(s), VS_MID_UPDATE);
		feed(s, "\033[?2026l");
		assert_int_equal(vs_screen_midway(s), 0);
		vs_screen_free(s);
	}
}

/* Masks of any number and shape, against the plain meaning of a rectangle; also after a resize. */
static void test_many_masks(void **state)
{
	struct vs_screen *s = new_screen(40, 150);
	static struct vs_rect masks[3000];
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 40; round++) {
		size_t n = round % 8 ? (size_t)round : B_ARRAY_LEN(masks);
		int rows = 1 + round * 7 % 40, cols = 1 + round * 37 % 150;

		for (size_t i = 0; i < n; i++) {
			int v[4];

			for (int k = 0; k < 4; k++) {
				seed = seed * 1103515245u + 12345u;
				v[k] = (int)(seed >> 16) % 160 - 5;
			}
			masks[i] = (struct vs_rect){ v[0], v[1], n > 100 ? 1 : v[2] % 8,
				n > 100 ? 2 : v[3] % 70 };
		}
		assert_int_equal(vs_screen_resize(s, 40, 150), 0);
		vs_screen_masks_set(s, masks, n);
		assert_int_equal(vs_screen_resize(s, rows, cols), 0);
		feed(s, "\033[2J\033[H");
		for (int k = 0; k < 60; k++) {
			int row = k * 11 % rows, col = k * 29 % cols;
			bool masked = false;
			char text[64];

			for (size_t i = 0; i < n; i++)
				masked |= row >= masks[i].row &&
					row < masks[i].row + masks[i].rows && col >= masks[i].col &&
					col < masks[i].col + masks[i].cols;
			snprintf(text, sizeof text, "\0337\033[%d;%dH%c\0338", row + 1, col + 1,
				'A' + k % 2 + round % 2 * 2);
			feed(s, text);
			text[strlen(text) - 3] = (char)('a' + k % 26);
			assert_int_equal(feed(s, text), !masked);
		}
	}
	vs_screen_free(s);
}

/* What a person sees of a synchronised update, and when. */
static void test_update(void **state)
{
	static const struct {
		const char *bytes;
		bool changed, shows;
	} steps[] = {
		{ "a", true, true },
		{ "\033[?2026hb", true, false },
		{ "c", true, false },
		{ "\033[?2026l", false, true },
		{ "\033[?2026h\033[?2026l", false, false },
		{ "\033[?2026hd\033[?2026l", true, true },
		{ "e\033[?2026hf", true, true },
		{ "\033[?2026l\033[?2026h", false, true },
		{ "\033[?2026l", false, false },
		{ "\033[?2026hg", true, false },
		{ "\033[?2026l\033[?2026hh", true, true },
		{ "\033[!p", false, false },
		{ "\033c", true, true },
	};
	struct vs_screen *s = new_screen(4, 20);

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(steps); i++) {
		assert_int_equal(feed(s, steps[i].bytes), steps[i].changed);
		assert_int_equal(vs_screen_shows(s), steps[i].shows);
	}
	assert_int_equal(vs_screen_updates(s), 7);
	feed(s, "\033[?2026hx");
	assert_true(vs_screen_show(s));
	assert_false(vs_screen_show(s));
	feed(s, "\033[?2026l");
	assert_false(vs_screen_shows(s));
	vs_screen_free(s);
}

static void test_cells(void **state)
{
	struct vs_screen *s = new_screen(2, 10);
	struct vs_cell cell;
	struct b_buf text = B_BUF_INIT;

	(void)state;
	feed(s, "\033[1;4:3;38;5;200;48;2;1;2;3mx中q\xCC\x84\xCC\xA3\033[m");
	vs_screen_cell(s, 0, 0, &cell);
	assert_int_equal(cell.chars[0], 'x');
	assert_int_equal(cell.width, 1);
	assert_int_equal(cell.attrs, VS_BOLD | VS_UNDERLINE);
	assert_int_equal(cell.underline, 3);
	assert_int_equal(cell.fg, 200);
	assert_int_equal(cell.bg, VS_COLOUR_RGB | 0x010203);
	vs_screen_cell(s, 0, 1, &cell);
	assert_int_equal(cell.chars[0], 0x4E2D);
	assert_int_equal(cell.width, 2);
	vs_screen_cell(s, 0, 2, &cell);
	assert_int_equal(cell.chars[0], 0);
	assert_int_equal(cell.width, 0);
	vs_screen_cell(s, 0, 3, &cell);
	assert_int_equal(cell.chars[0], 'q');
	assert_int_equal(cell.chars[1], 0x304);
	assert_int_equal(cell.chars[2], 0x323);
	vs_screen_cell(s, 0, 4, &cell);
	assert_int_equal(cell.chars[0], 0);
	assert_int_equal(cell.fg, VS_COLOUR_DEFAULT);
	/* A half that the range cuts off is a blank. */
	vs_screen_text(s, 0, 0, 2, &text);
	assert_string_equal(b_buf_cstr(&text), "x ");
	b_buf_clear(&text);
	vs_screen_text(s, 0, 2, 2, &text);
	assert_string_equal(b_buf_cstr(&text), " q\xCC\x84\xCC\xA3");
	b_buf_release(&text);
	vs_screen_free(s);
}

static void test_print_job(void **state)
{
	struct vs_screen *s = new_screen(4, 20);
	struct b_buf job = B_BUF_INIT;

	(void)state;
	feed(s, "a\033[5iline \033[1mone\r\n\033[4");
	feed(s, "ib\033[5i!\033[4i");
	assert_row(s, 0, "ab");
	vs_screen_print_take(s, &job);
	assert_string_equal(b_buf_cstr(&job), "line \033[1mone\r\n!");
	b_buf_clear(&job);
	vs_screen_print_take(s, &job);
	assert_int_equal(job.len, 0);
	feed(s, "\033[5i");
	for (int i = 0; i < 20000; i++)
		feed(s, "0123456789");
	feed(s, "\033[4i");
	vs_screen_print_take(s, &job);
	assert_int_equal(job.len, 64 * 1024);
	b_buf_release(&job);
	vs_screen_free(s);
}

static void count_answer(void *user, const char *bytes, size_t len)
{
	(void)bytes;
	*(size_t *)user += len;
}

static void test_recording_does_not_answer(void **state)
{
	struct vs_screen *s = new_screen(4, 20);
	size_t answered = 0;

	(void)state;
	feed(s, "\033[6n");
	assert_string_equal(vs_screen_unanswered(s), "\\e[6n");
	feed(s, "\033]11;?\033\\");
	assert_string_equal(vs_screen_unanswered(s), "\\e]11;?");
	vs_screen_free(s);
	assert_int_equal(vs_screen_new(&s,
				 &(struct vs_options){ .rows = 4,
					 .cols = 20,
					 .term = "vt100",
					 .answer = count_answer,
					 .answer_user = &answered }),
		0);
	feed(s, "\033[6n");
	assert_int_equal(answered, 6);
	assert_string_equal(vs_screen_unanswered(s), "");
	feed(s, "\033[>q");
	assert_int_equal(answered, 6);
	assert_string_equal(vs_screen_unanswered(s), "\\e[>q");
	vs_screen_free(s);
}

static void assert_same(struct vs_screen *a, struct vs_screen *b)
{
	struct vs_cell x, y;
	int ar, ac, br, bc;

	for (int r = 0; r < vs_screen_rows(a); r++) {
		for (int c = 0; c < vs_screen_cols(a); c++) {
			vs_screen_cell(a, r, c, &x);
			vs_screen_cell(b, r, c, &y);
			if (!x.chars[0] && y.chars[0] == ' ') /* a blank is painted as one */
				x.chars[0] = ' ';
			assert_memory_equal(x.chars, y.chars, sizeof x.chars);
			assert_int_equal(x.attrs, y.attrs);
			assert_int_equal(x.fg, y.fg);
			assert_int_equal(x.bg, y.bg);
		}
	}
	vs_screen_cursor(a, &ar, &ac);
	vs_screen_cursor(b, &br, &bc);
	assert_int_equal(ar, br);
	assert_int_equal(ac, bc);
	assert_int_equal(vs_screen_cursor_visible(a), vs_screen_cursor_visible(b));
}

static void test_repaint(void **state)
{
	struct vs_screen *s = new_screen(5, 20), *other = new_screen(5, 20);
	struct b_buf bytes = B_BUF_INIT;

	(void)state;
	feed(s,
		"\033[?1049h\033[1;31mred\033[0;7m \033[m\r\n中e\xCC\x81x\033[3;1H\033[44m\033[K\033[m\033(0lqk\033(B"
		"\033[5;20HX\033[?1h\033=\033[?2004h\033[?1002;1006h\033[?25l\033[2;3H");
	vs_screen_repaint(s, true, &bytes);
	vs_screen_feed(other, bytes.data, bytes.len);
	assert_same(s, other);
	assert_int_equal(vs_screen_modes(s), vs_screen_modes(other));
	b_buf_release(&bytes);
	vs_screen_free(s);
	vs_screen_free(other);
}

/* After a full repaint what the application writes next comes out the same. */
static void test_repaint_goes_on(void **state)
{
	static const char *const before[] = { "\033[2;4r\033[?6h\033[2;3Hab", "\033(0ab\033)0\016",
		"\033[5;1H01234567890123456789", "\033[5;19H中", "\033[?69h\033[3;9sab",
		"\033[4hab\b", "\033[1;4;35mab", "\033[?7l\033[1;19Hab", "\033#6ab",
		"\033*0\033nab" };
	static const char after[] =
		"qx\r\ncd\033[7mef\n\n\n\n\033[1;1Hgh\033[Kxyz0123456789abcdefghij";

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(before); i++) {
		struct vs_screen *s = new_screen(5, 20), *other = new_screen(5, 20);
		struct b_buf bytes = B_BUF_INIT;

		feed(s, before[i]);
		vs_screen_repaint(s, true, &bytes);
		vs_screen_feed(other, bytes.data, bytes.len);
		feed(s, after);
		feed(other, after);
		assert_same(s, other);
		b_buf_release(&bytes);
		vs_screen_free(s);
		vs_screen_free(other);
	}
}

/* A colour a cell, over and over: the table of styles is bounded and every cell right. */
static void test_many_styles(void **state)
{
	struct vs_screen *s = new_screen(24, 80);
	struct vs_cell cell;
	char text[64];
	size_t memory = 0;

	(void)state;
	for (unsigned n = 0; n < 100000; n++) {
		snprintf(text, sizeof text, "\033[48;2;%u;%u;%um%c%s", n >> 16 & 255, n >> 8 & 255,
			n & 255, 'a' + n % 26, n % 80 == 79 ? "\r\n" : "");
		feed(s, text);
		if (n == 50000)
			memory = vs_screen_memory(s);
	}
	assert_true(vs_screen_memory(s) <= memory);
	for (unsigned c = 0; c < 80; c++) {
		unsigned n = 99920 + c;

		vs_screen_cell(s, 22, (int)c, &cell);
		assert_int_equal(cell.bg, VS_COLOUR_RGB | n);
		assert_int_equal(cell.chars[0], 'a' + n % 26);
	}
	vs_screen_free(s);
}

static void test_many_clusters(void **state)
{
	struct vs_screen *s = new_screen(24, 80);
	struct vs_cell cell;
	size_t memory = 0;
	unsigned mark = 0;

	(void)state;
	for (unsigned n = 0; n < 60000; n++) {
		char text[16];

		mark = n % 100; /* U+0300 + .. in two bytes, on a base that composes with none */
		snprintf(text, sizeof text, "%c%c%c%s", '!' + n / 100 % 14,
			(char)(0xCC + mark / 64), (char)(0x80 + mark % 64),
			n % 80 == 79 ? "\r\n" : "");
		feed(s, text);
		if (n == 30000)
			memory = vs_screen_memory(s);
	}
	assert_true(vs_screen_memory(s) <= memory);
	vs_screen_cell(s, 22, 79, &cell);
	assert_int_equal(cell.chars[1], 0x300 + mark);
	vs_screen_free(s);
}

static void test_memory(void **state)
{
	struct vs_screen *s = new_screen(24, 80);

	(void)state;
	for (int i = 0; i < 200; i++)
		feed(s, "\033[1;7mA form\033[m with a few\033[4m styles\033[m, and lines\r\n");
	feed(s, "\033]0;title\a");
	assert_true(vs_screen_memory(s) <= 20 * 1024);
	feed(s, "\033[?1049h\033[2J\033[Hhello");
	assert_true(vs_screen_memory(s) <= 36 * 1024);
	vs_screen_free(s);
}

/* Strings without end, text without end: nothing grows. */
static void test_floods(void **state)
{
	static const char *const begin[] = { "\033]0;", "\033Pq", "\033_", "\033[", "\033(", "",
		"\r\n" };
	static char block[65536];

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(begin); i++) {
		struct vs_screen *s = new_screen(24, 80);
		size_t memory = 0;

		for (size_t k = 0; k < sizeof block; k++)
			block[k] = i == 6 && k % 11 == 10 ? '\n' : (char)('0' + k % 10);
		feed(s, begin[i]);
		for (int k = 0; k < 30; k++) {
			vs_screen_feed(s, block, sizeof block);
			if (k == 2)
				memory = vs_screen_memory(s);
		}
		assert_true(vs_screen_memory(s) <= memory);
		assert_true(memory < 40 * 1024);
		vs_screen_free(s);
	}
}

static void test_title(void **state)
{
	struct vs_screen *s = new_screen(4, 20);

	(void)state;
	assert_string_equal(vs_screen_title(s), "");
	feed(s, "\033]2;na\x01me \xC3\xA9\xFF\xC2\x9B\033\\");
	assert_string_equal(vs_screen_title(s), "name \xC3\xA9\xEF\xBF\xBD");
	feed(s, "\033[22;2t\033]0;other\a");
	assert_string_equal(vs_screen_title(s), "other");
	feed(s, "\033[23;2t");
	assert_string_equal(vs_screen_title(s), "name \xC3\xA9\xEF\xBF\xBD");
	vs_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_change_is_net),
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_painted_since_input),
		cmocka_unit_test(test_alternate_screen_is_painted),
		cmocka_unit_test(test_many_inputs),
		cmocka_unit_test(test_row_paints),
		cmocka_unit_test(test_row_paints_over_resizes),
		cmocka_unit_test(test_forms_over_resizes),
		cmocka_unit_test(test_long_output),
		cmocka_unit_test(test_midway),
		cmocka_unit_test(test_update),
		cmocka_unit_test(test_many_masks),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_print_job),
		cmocka_unit_test(test_recording_does_not_answer),
		cmocka_unit_test(test_repaint),
		cmocka_unit_test(test_repaint_goes_on),
		cmocka_unit_test(test_many_styles),
		cmocka_unit_test(test_many_clusters),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_floods),
		cmocka_unit_test(test_title),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
