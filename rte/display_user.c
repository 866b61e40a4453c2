/* The list of users, and over one user's shoulder. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "rte/display_priv.h"
#include "base/banned.h"

#define LIST_HEAD 2
#define LIST_FOOT 1
#define USER_HEAD 3
#define USER_FOOT 1

/* ---- The list -------------------------------------------------------------------------------------- */

static size_t list_rows(void)
{
	int n = rte_term_rows() - LIST_HEAD - LIST_FOOT;

	return n > 1 ? (size_t)n : 1;
}

static size_t list_of(const struct rte_display *d)
{
	double of = rte_display_number(d->list, "of");

	return of > 0 ? (size_t)of : 0;
}

void rte_display_list_ask(struct rte_display *d)
{
	rte_display_say(d, "list %s %zu %zu", d->order, d->list_from, list_rows());
}

static void draw_line(const json_t *o, int row, bool chosen)
{
	enum rte_look look = RTE_LOOK_PLAIN;
	const char *tx = rte_display_text(o, "transaction");
	char t[RTE_TIME_SIZE];
	int cols = rte_term_cols();

	if (rte_display_number(o, "failures") > 0)
		look = RTE_LOOK_WARN;
	if (!strcmp(rte_display_text(o, "state"), "failed"))
		look = RTE_LOOK_BAD;
	if (chosen)
		look = RTE_LOOK_CHOSEN;
	rte_term_printf(row, 0, cols, look, "%7.0f  %-12s%7s%c%6.0f%6.0f%6.0f  %-14.14s %s",
		rte_display_number(o, "user"), rte_display_text(o, "state"),
		rte_display_time(t, rte_display_number(o, "response")),
		json_is_true(json_object_get(o, "waiting")) ? '+' : ' ',
		rte_display_number(o, "session"), rte_display_number(o, "iteration"),
		rte_display_number(o, "failures"), *tx ? tx : "-", rte_display_text(o, "script"));
}

void rte_display_list_draw(struct rte_display *d)
{
	static const char *const titles[][2] = { { "number", "users by number" },
		{ "slow", "slowest users first" }, { "failed", "users with most failures first" } };
	const json_t *list = json_object_get(d->list, "users");
	size_t from = (size_t)fmax(0, rte_display_number(d->list, "from"));
	char right[60] = "";

	if (d->list)
		snprintf(right, sizeof right, "%zu of %zu", list_of(d) ? d->list_at + 1 : 0,
			list_of(d));
	for (size_t i = 0; i < 3; i++)
		if (!strcmp(titles[i][0], d->order))
			rte_term_bar(0, titles[i][1], right);
	rte_term_printf(1, 0, rte_term_cols(), RTE_LOOK_DIM, "%7s  %-12s%7s %6s%6s%6s  %-14s %s",
		"user", "state", "respon.", "sess.", "iter.", "fail.", "transaction", "script");
	if (!d->list)
		rte_term_text(LIST_HEAD, 2, 40, RTE_LOOK_DIM, "waiting for the list ...");
	for (size_t i = 0; i < json_array_size(list) && i < list_rows(); i++)
		draw_line(json_array_get(list, i), LIST_HEAD + (int)i, from + i == d->list_at);
	rte_term_bar(rte_term_rows() - 1,
		"arrows choose  Enter look  o order  a number: that user  q back", "+ waits now");
}

/* Moves the cursor, and the part of the list that is asked for with it. */
static void list_move(struct rte_display *d, double to)
{
	size_t of = list_of(d), rows = list_rows(), from = d->list_from;

	if (to < 0 || !of)
		to = 0;
	if (to > (double)of - 1 && of)
		to = (double)of - 1;
	d->list_at = (size_t)to;
	if (d->list_at < d->list_from)
		d->list_from = d->list_at;
	if (d->list_at >= d->list_from + rows)
		d->list_from = d->list_at - rows + 1;
	if (d->list_from != from)
		rte_display_list_ask(d);
}

static void list_open_user(struct rte_display *d)
{
	const json_t *list = json_object_get(d->list, "users");
	double from = rte_display_number(d->list, "from");
	double i = (double)d->list_at - from, number;

	if (!(i >= 0) || i >= (double)json_array_size(list))
		return;
	number = rte_display_number(json_array_get(list, (size_t)i), "user");
	if (number >= 1)
		rte_display_user_open(d, (int64_t)number);
}

static const char *next_order(const char *order)
{
	return !strcmp(order, "number") ? "slow" : !strcmp(order, "slow") ? "failed" : "number";
}

bool rte_display_list_key(struct rte_display *d, int key)
{
	double at = (double)d->list_at, page = (double)list_rows();

	switch (key) {
	case RTE_KEY_UP: list_move(d, at - 1); break;
	case RTE_KEY_DOWN: list_move(d, at + 1); break;
	case RTE_KEY_PAGE_UP: list_move(d, at - page); break;
	case RTE_KEY_PAGE_DOWN: list_move(d, at + page); break;
	case RTE_KEY_HOME: list_move(d, 0); break;
	case RTE_KEY_END: list_move(d, (double)list_of(d)); break;
	case RTE_KEY_RESIZE: rte_display_list_ask(d); break;
	case '\r': list_open_user(d); break;
	case 'o':
		d->order = next_order(d->order);
		d->list_from = d->list_at = 0;
		rte_display_list_ask(d);
		break;
	case 'q':
	case 27:
		d->page = RTE_PAGE_RUN;
		rte_display_say(d, "list off");
		break;
	default: return false;
	}
	return true;
}

/* ---- A user ---------------------------------------------------------------------------------------- */

void rte_display_user_open(struct rte_display *d, int64_t number)
{
	if (d->page != RTE_PAGE_USER)
		d->back = d->page;
	d->page = RTE_PAGE_USER;
	d->user_number = number;
	d->pan_rows = 0;
	json_decref(d->user);
	d->user = NULL;
	rte_display_say(d, "user %lld", (long long)number);
}

void rte_display_user_take(struct rte_display *d)
{
	const json_t *painted = json_object_get(d->user, "screen");
	double rows = rte_display_number(d->user, "rows"),
	       cols = rte_display_number(d->user, "cols");

	if (!(rows >= 1 && rows <= VS_ROWS_MAX && cols >= 1 && cols <= VS_COLS_MAX)) {
		vs_screen_free(d->screen);
		d->screen = NULL;
		return;
	}
	if (!d->screen || d->screen_rows != (int)rows || d->screen_cols != (int)cols) {
		struct vs_options opt = { .rows = (int)rows, .cols = (int)cols };

		vs_screen_free(d->screen);
		d->screen = NULL;
		if (vs_screen_new(&d->screen, &opt))
			return;
		d->screen_rows = (int)rows;
		d->screen_cols = (int)cols;
	}
	if (json_is_string(painted))
		vs_screen_feed(d->screen, json_string_value(painted), json_string_length(painted));
}

static void draw_doing(const struct rte_display *d)
{
	const char *state = rte_display_text(d->user, "state");
	const char *awaits = rte_display_text(d->user, "awaits");
	double left = rte_display_number(d->user, "left");
	double waited = rte_display_number(d->user, "response");
	bool waiting = json_is_true(json_object_get(d->user, "waiting"));
	int cols = rte_term_cols(), col = 1;
	char t[RTE_TIME_SIZE], left_text[32];

	col += rte_term_printf(1, col, 14, RTE_LOOK_BOLD, "%s", state);
	if (waiting)
		col += rte_term_printf(
			1, col, 30, RTE_LOOK_WARN, " %s for", rte_display_time(t, waited));
	if (left >= 0) {
		char right[50];

		snprintf(right, sizeof right, "%s left", rte_display_span(left_text, left));
		cols -= (int)strlen(right) + 2;
		rte_term_text(1, cols + 1, 50, RTE_LOOK_DIM, right);
	}
	if (*awaits)
		rte_term_printf(1, col + 1, cols - col - 1, RTE_LOOK_PLAIN, "%s", awaits);
	else if (!waiting && waited >= 0)
		rte_term_printf(1, col + 1, cols - col - 1, RTE_LOOK_DIM, "last response %s",
			rte_display_time(t, waited));
}

static void draw_place(const struct rte_display *d)
{
	const char *file = rte_display_text(d->user, "file"), *slash = strrchr(file, '/');
	const char *tx = rte_display_text(d->user, "transaction");
	double line = rte_display_number(d->user, "line"), failures;
	int cols = rte_term_cols(), col = 1;

	if (*file)
		col += rte_term_printf(2, col, 40, RTE_LOOK_BOLD, "%s", slash ? slash + 1 : file);
	if (*file && line > 0)
		col += rte_term_printf(2, col, 12, RTE_LOOK_BOLD, ":%.0f", line);
	if (*rte_display_text(d->user, "part"))
		col += rte_term_printf(
			2, col, 20, RTE_LOOK_DIM, "  %s", rte_display_text(d->user, "part"));
	if (*tx)
		col += rte_term_printf(2, col, 30, RTE_LOOK_PLAIN, "  transaction %s", tx);
	col += rte_term_printf(2, col, cols - col, RTE_LOOK_DIM, "  iteration %.0f  session %.0f",
		rte_display_number(d->user, "iteration"), rte_display_number(d->user, "session"));
	failures = rte_display_number(d->user, "failures");
	if (failures > 0)
		col += rte_term_printf(
			2, col, cols - col, RTE_LOOK_BAD, "  failures %.0f", failures);
	if (*rte_display_text(d->user, "error"))
		rte_term_printf(2, col, cols - col, RTE_LOOK_BAD, "  %s",
			rte_display_text(d->user, "error"));
}

/* The first row of the screen that is shown in room rows: so that its cursor is seen, and as the
   person moved it. */
static int first_row(const struct rte_display *d, int room)
{
	int row, col, from;

	if (!d->screen || d->screen_rows <= room)
		return 0;
	vs_screen_cursor(d->screen, &row, &col);
	from = (row >= room ? row - room + 1 : 0) + d->pan_rows;
	return from < 0 ? 0 : from > d->screen_rows - room ? d->screen_rows - room : from;
}

/* The screen within [top, until), moved so that its cursor is seen. */
static void draw_screen(struct rte_display *d, int top, int until)
{
	int room = until - top, from = first_row(d, room), from_col = 0, row, col;
	int cols = rte_term_cols();
	struct vs_cell cell;
	bool reverse;

	vs_screen_cursor(d->screen, &row, &col);
	reverse = vs_screen_modes(d->screen) & VS_MODE_REVERSE;
	if (d->screen_cols > cols && col >= cols)
		from_col = col - cols + 1;
	for (int r = from; r < d->screen_rows && r - from < room; r++) {
		for (int c = from_col; c < d->screen_cols; c++) {
			vs_screen_cell(d->screen, r, c, &cell);
			if (reverse)
				cell.attrs ^= VS_REVERSE;
			rte_term_cell(top + r - from, c - from_col, &cell);
		}
	}
	if (vs_screen_cursor_visible(d->screen) && row >= from && row - from < room)
		rte_term_cursor(top + row - from, col - from_col);
}

void rte_display_user_draw(struct rte_display *d)
{
	int rows = rte_term_rows(), room = rows - USER_HEAD - USER_FOOT, from = first_row(d, room);
	const char *title = rte_display_text(d->user, "title");
	char left[300], right[60];

	if (d->zoomed && d->user && d->screen) {
		draw_screen(d, 0, rows);
		return;
	}
	snprintf(left, sizeof left, "user %lld  %s%s%s", (long long)d->user_number,
		rte_display_text(d->user, "script"), *title ? "  title: " : "", title);
	snprintf(right, sizeof right, d->screen ? "%dx%d" : "no screen", d->screen_cols,
		d->screen_rows);
	/* What is not seen must not be thought to be blank. */
	if (d->screen && d->screen_rows > room && room > 0)
		snprintf(right, sizeof right, "%dx%d, rows %d to %d", d->screen_cols,
			d->screen_rows, from + 1, from + room);
	rte_term_bar(0, left, right);
	rte_term_bar(rows - 1,
		"n next  p previous  arrows move  z screen alone  a number: that user  q back", "");
	if (!d->user) {
		rte_term_text(USER_HEAD, 2, 60, RTE_LOOK_DIM, "waiting for the user's worker ...");
		return;
	}
	draw_doing(d);
	draw_place(d);
	if (d->screen)
		draw_screen(d, USER_HEAD, rows - USER_FOOT);
	else
		rte_term_text(USER_HEAD + 1, 2, 60, RTE_LOOK_DIM, "This user has no session now.");
}

static double users_made(const struct rte_display *d)
{
	const json_t *users = json_object_get(d->state, "users"), *v;
	const char *name;
	double n = 0;

	json_object_foreach((json_t *)(uintptr_t)users, name, v) n += json_number_value(v);
	return n;
}

/* A step that would move nothing is none: it would have to be taken back before anything moves. */
static void pan(struct rte_display *d, int step)
{
	int room = rte_term_rows() - (d->zoomed ? 0 : USER_HEAD + USER_FOOT);
	int was = first_row(d, room);

	d->pan_rows += step;
	if (first_row(d, room) == was)
		d->pan_rows -= step;
}

bool rte_display_user_key(struct rte_display *d, int key)
{
	switch (key) {
	case 'n':
	case RTE_KEY_RIGHT:
		if ((double)d->user_number < users_made(d))
			rte_display_user_open(d, d->user_number + 1);
		break;
	case 'p':
	case RTE_KEY_LEFT:
		if (d->user_number > 1)
			rte_display_user_open(d, d->user_number - 1);
		break;
	case RTE_KEY_UP:
	case RTE_KEY_DOWN: pan(d, key == RTE_KEY_UP ? -1 : 1); break;
	case 'z': d->zoomed = !d->zoomed; break;
	case 'q':
	case 27:
		d->page = d->back == RTE_PAGE_USER ? RTE_PAGE_RUN : d->back;
		d->zoomed = false;
		rte_display_say(d, "user 0");
		break;
	default: return false;
	}
	return true;
}
