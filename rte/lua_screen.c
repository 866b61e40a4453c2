/*
 * Reading the virtual screen: screen.*. None of these waits; rows and columns count from 1.
 */
#include "rte/lua_priv.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/banned.h"

static struct vs_screen *screen_of(lua_State *L, const char *what)
{
	struct rte_actor *a = rte_lua_session(L, what);
	struct vs_screen *s = a->lua->host.screen(a->host_user);

	if (!s)
		rte_lua_raise(L, what, "there is no screen yet");
	return s;
}

/* A buffer that an error frees: it lives in a userdata, which stays on the stack. */
static struct b_buf *buf_push(lua_State *L)
{
	struct b_buf *b = lua_newuserdatauv(L, sizeof *b, 0);

	memset(b, 0, sizeof *b);
	luaL_setmetatable(L, "rte.buf");
	return b;
}

static int text_result(lua_State *L, struct b_buf *b)
{
	lua_pushlstring(L, b_buf_cstr(b), b->len);
	b_buf_release(b);
	return 1;
}

/* An argument that is a row or a column, as a 0-based number. */
static int place_arg(lua_State *L, int idx, const char *what, const char *name, int limit)
{
	int ok;
	lua_Integer v = lua_tointegerx(L, idx, &ok);

	if (!ok || v < 1 || v > limit)
		return rte_lua_raise(L, what, "%s %s is not on the screen; it has %d", name,
			luaL_tolstring(L, idx, NULL), limit);
	return (int)v - 1;
}

static void cut_blanks(struct b_buf *b, size_t from)
{
	size_t len = b->len;

	while (len > from && b->data[len - 1] == ' ')
		len--;
	b_buf_truncate(b, len);
}

/*
 * screen.text(): the rows, a line each, trailing blanks cut. screen.text(row, col [, cols]): the
 * text of these cells, not cut. screen.text { row =, col =, rows =, cols = }: a rectangle, a
 * line a row, trailing blanks cut.
 */
static int screen_text(lua_State *L)
{
	static const char *const fields[] = { "row", "col", "rows", "cols", NULL };
	struct vs_screen *s = screen_of(L, "screen.text");
	struct vs_rect r = { 0, 0, vs_screen_rows(s), vs_screen_cols(s) };
	int rows = r.rows, cols = r.cols;
	struct b_buf *b;

	if (lua_type(L, 1) == LUA_TTABLE) {
		rte_lua_fields_check(L, 1, "screen.text", fields, 0);
		rte_lua_rect(L, 1, "screen.text", &r);
	} else if (!lua_isnoneornil(L, 1)) {
		int row = place_arg(L, 1, "screen.text", "row", rows);
		int col =
			lua_isnoneornil(L, 2) ? 0 : place_arg(L, 2, "screen.text", "column", cols);
		lua_Integer n = luaL_optinteger(L, 3, cols - col);

		b = buf_push(L);
		if (n > 0)
			vs_screen_text(s, row, col, n < cols - col ? (int)n : cols - col, b);
		return text_result(L, b);
	}
	b = buf_push(L);
	for (int row = r.row; row < rows && row < r.row + r.rows; row++) {
		size_t from;

		if (row > r.row)
			b_buf_addc(b, '\n');
		from = b->len;
		if (r.col < cols)
			vs_screen_text(
				s, row, r.col, r.cols < cols - r.col ? r.cols : cols - r.col, b);
		cut_blanks(b, from);
	}
	return text_result(L, b);
}

/* screen.row(row): its text, trailing blanks cut. */
static int screen_row(lua_State *L)
{
	struct vs_screen *s = screen_of(L, "screen.row");
	int row = place_arg(L, 1, "screen.row", "row", vs_screen_rows(s));
	struct b_buf *b = buf_push(L);

	vs_screen_row(s, row, b);
	return text_result(L, b);
}

/* screen.attrs(row): a letter a column, as `rte screen --json` prints them. */
static int screen_attrs(lua_State *L)
{
	struct vs_screen *s = screen_of(L, "screen.attrs");
	int row = place_arg(L, 1, "screen.attrs", "row", vs_screen_rows(s));
	struct b_buf *b = buf_push(L);

	vs_screen_row_attrs(s, row, b);
	return text_result(L, b);
}

/* screen.find(text [, { row =, col =, rows =, cols = }]): row, column and width of the first
   place where it stands, or nil. */
static int screen_find(lua_State *L)
{
	static const char *const fields[] = { "row", "col", "rows", "cols", NULL };
	struct vs_screen *s = screen_of(L, "screen.find");
	struct vs_rect r = { 0, 0, vs_screen_rows(s), vs_screen_cols(s) };
	int row, col, cols;
	const char *text;
	size_t len;

	text = rte_lua_text(L, 1, "screen.find", &len);
	if (!lua_isnoneornil(L, 2)) {
		luaL_checktype(L, 2, LUA_TTABLE);
		rte_lua_fields_check(L, 2, "screen.find", fields, 0);
		rte_lua_rect(L, 2, "screen.find", &r);
	}
	if (!len || !vs_find_text(s, text, len, &r, &row, &col, &cols)) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushinteger(L, row + 1);
	lua_pushinteger(L, col + 1);
	lua_pushinteger(L, cols);
	return 3;
}

/* screen.cursor(): row, column, and whether it is visible. */
static int screen_cursor(lua_State *L)
{
	struct vs_screen *s = screen_of(L, "screen.cursor");
	int row, col;

	vs_screen_cursor(s, &row, &col);
	lua_pushinteger(L, row + 1);
	lua_pushinteger(L, col + 1);
	lua_pushboolean(L, vs_screen_cursor_visible(s));
	return 3;
}

static void set_colour(lua_State *L, const char *name, uint32_t colour)
{
	if (colour == VS_COLOUR_DEFAULT)
		return;
	if (colour & VS_COLOUR_RGB) {
		char text[8];

		snprintf(text, sizeof text, "#%06x", (unsigned)(colour & 0xFFFFFF));
		lua_pushstring(L, text);
	} else {
		lua_pushinteger(L, colour);
	}
	lua_setfield(L, -2, name);
}

/*
 * screen.cell(row, col): a table: text (" " when empty), width (1, 2; 0 for the right half of a
 * wide character), fg and bg (palette number or "#rrggbb"; nil: the default), and true for each
 * of bold, faint, italic, underline, blink, reverse, conceal, strike, overline, protected that
 * it has.
 */
static int screen_cell(lua_State *L)
{
	struct vs_screen *s = screen_of(L, "screen.cell");
	int row = place_arg(L, 1, "screen.cell", "row", vs_screen_rows(s));
	int col = place_arg(L, 2, "screen.cell", "column", vs_screen_cols(s));
	char text[4 * B_ARRAY_LEN(((struct vs_cell *)0)->chars)];
	struct vs_cell cell;
	size_t len = 0;

	vs_screen_cell(s, row, col, &cell);
	for (size_t i = 0; i < B_ARRAY_LEN(cell.chars) && cell.chars[i]; i++)
		len += b_utf8_encode(cell.chars[i], text + len);
	if (!len && cell.width)
		text[len++] = ' ';
	lua_createtable(L, 0, 4);
	lua_pushlstring(L, text, len);
	lua_setfield(L, -2, "text");
	lua_pushinteger(L, cell.width);
	lua_setfield(L, -2, "width");
	set_colour(L, "fg", cell.fg);
	set_colour(L, "bg", cell.bg);
	for (size_t i = 0; i < RTE_LUA_N_ATTRS; i++)
		if (cell.attrs & rte_lua_attrs[i].attr) {
			lua_pushboolean(L, 1);
			lua_setfield(L, -2, rte_lua_attrs[i].name);
		}
	return 1;
}

/* screen.size(): columns, rows. */
static int screen_size(lua_State *L)
{
	struct vs_screen *s = screen_of(L, "screen.size");

	lua_pushinteger(L, vs_screen_cols(s));
	lua_pushinteger(L, vs_screen_rows(s));
	return 2;
}

static int screen_title(lua_State *L)
{
	lua_pushstring(L, vs_screen_title(screen_of(L, "screen.title")));
	return 1;
}

/* screen.bells(): how often the bell has rung in this session. */
static int screen_bells(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)vs_screen_bells(screen_of(L, "screen.bells")));
	return 1;
}

/* screen.unanswered(): the application's last query that nothing answers, or "". */
static int screen_unanswered(lua_State *L)
{
	lua_pushstring(L, vs_screen_unanswered(screen_of(L, "screen.unanswered")));
	return 1;
}

/* screen.printed(): what the application sent to the printer since the last call. */
static int screen_printed(lua_State *L)
{
	struct vs_screen *s = screen_of(L, "screen.printed");
	struct b_buf *b = buf_push(L);

	vs_screen_print_take(s, b);
	return text_result(L, b);
}

/* screen.modes(): a table with true for each of alternate, app_cursor, app_keypad, mouse,
   paste, reverse, insert, wrap that is set. */
static int screen_modes(lua_State *L)
{
	static const struct {
		const char *name;
		unsigned modes;
	} names[] = {
		{ "alternate", VS_MODE_ALT },
		{ "app_cursor", VS_MODE_APP_CURSOR },
		{ "app_keypad", VS_MODE_APP_KEYPAD },
		{ "mouse",
			VS_MODE_MOUSE_X10 | VS_MODE_MOUSE_CLICK | VS_MODE_MOUSE_DRAG |
				VS_MODE_MOUSE_ANY },
		{ "paste", VS_MODE_PASTE },
		{ "reverse", VS_MODE_REVERSE },
		{ "insert", VS_MODE_INSERT },
		{ "wrap", VS_MODE_WRAP },
	};
	unsigned modes = vs_screen_modes(screen_of(L, "screen.modes"));

	lua_createtable(L, 0, 2);
	for (size_t i = 0; i < B_ARRAY_LEN(names); i++)
		if (modes & names[i].modes) {
			lua_pushboolean(L, 1);
			lua_setfield(L, -2, names[i].name);
		}
	return 1;
}

void rte_lua_open_screen(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "text", screen_text },
		{ "row", screen_row },
		{ "attrs", screen_attrs },
		{ "find", screen_find },
		{ "cursor", screen_cursor },
		{ "cell", screen_cell },
		{ "size", screen_size },
		{ "title", screen_title },
		{ "bells", screen_bells },
		{ "unanswered", screen_unanswered },
		{ "printed", screen_printed },
		{ "modes", screen_modes },
		{ NULL, NULL },
	};

	lua_createtable(L, 0, 16);
	luaL_setfuncs(L, functions, 0);
	lua_setfield(L, -2, "screen");
}
