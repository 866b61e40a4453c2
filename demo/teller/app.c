#include "demo/teller/app.h"

#include <curses.h>
#include <errno.h>
#include <time.h>

#include "base/clock.h"
#include "base/banned.h"

#define CTRL(c) ((c)&31)

void tl_app_submit(struct tl_app *app, const char *kind, int64_t key)
{
	const struct tl_tty *t = &app->ui.tty;

	if (app->form)
		tl_form_sync(app->form);
	app->entry = (struct tl_log_entry){ .kind = kind,
		.result = "ok",
		.key = key,
		.first_ns = t->first_ns,
		.in_ns = t->last_ns,
		.bytes = t->bytes };
}

static void flush(struct tl_app *app)
{
	if (app->form)
		tl_form_cursor(app->form);
	wnoutrefresh(stdscr);
	tl_tty_flush(&app->ui.tty, app->ui.bell);
	app->ui.bell = false;
}

void tl_app_work(struct tl_app *app, int64_t key)
{
	const struct tl_app_options *o = app->opt;
	/* The same keys in the same order take the same time in every run. */
	uint64_t h = ((uint64_t)key + app->served++) * 0x9e3779b97f4a7c15u >> 33;
	int64_t ms =
		o->delay_min_ms + (int64_t)(h % (uint64_t)(o->delay_max_ms - o->delay_min_ms + 1));
	struct timespec left = { ms / 1000, (long)(ms % 1000 * B_NS_PER_MS) };

	if (o->working) {
		tl_ui_say(&app->ui, "Working ...");
		flush(app);
		tl_ui_message_clear(&app->ui);
	}
	while (ms && nanosleep(&left, &left) && errno == EINTR)
		;
}

void tl_app_result(struct tl_app *app, int rc, const struct b_error *err)
{
	switch (rc) {
	case B_OK: app->entry.result = "ok"; return;
	case B_EUSAGE: app->entry.result = "invalid"; return; /* the form has complained */
	case B_ENOTFOUND: app->entry.result = "missing"; break;
	case B_EAGAIN: app->entry.result = "busy"; break;
	default: app->entry.result = "failed"; break;
	}
	tl_ui_complain(&app->ui, "%s", err->text);
}

/* Paints the place anew, with what it holds. */
static void paint(struct tl_app *app)
{
	const struct tl_screen *s = tl_screen_get(app, app->place);

	if (app->form)
		tl_form_hide(app->form);
	app->fits = tl_ui_fits();
	if (!app->fits)
		return;
	erase();
	if (app->form)
		tl_form_show(app->form);
	tl_ui_frame(&app->ui, s->title, s->keys);
	if (s->paint)
		s->paint(app);
}

static void enter_place(struct tl_app *app, enum tl_place place)
{
	const struct tl_screen *s = tl_screen_get(app, place);

	tl_form_free(app->form);
	app->form = s->items ? tl_form_new(s->items, s->n) : NULL;
	app->place = place;
	app->has_result = false;
	app->ui.message = false;
	paint(app);
}

static enum tl_place function_key(struct tl_app *app, int key)
{
	switch (key) {
	case KEY_F(1):
	case TL_KEY_ESC: return TL_MENU;
	case KEY_F(2): return TL_QUERY;
	case KEY_F(3): return TL_UPDATE;
	case KEY_F(10): return TL_EXIT;
	default: return app->place;
	}
}

static enum tl_place menu_digit(int key)
{
	return key == '1' ? TL_QUERY : key == '2' ? TL_UPDATE : key == '0' ? TL_EXIT : TL_MENU;
}

static bool is_function_key(const struct tl_app *app, int key)
{
	if (app->place == TL_SIGN_ON)
		return key == KEY_F(10);
	if (app->place == TL_MENU && menu_digit(key) != TL_MENU)
		return true;
	return key == TL_KEY_ESC || key == KEY_F(10) || (key >= KEY_F(1) && key <= KEY_F(3));
}

static void leave_to(struct tl_app *app, int key)
{
	enum tl_place to = function_key(app, key);

	if (app->place == TL_MENU && menu_digit(key) != TL_MENU)
		to = menu_digit(key);
	tl_app_submit(app, to == TL_EXIT ? "quit" : "menu", to == TL_EXIT ? -1 : (int)to);
	if (to == TL_EXIT)
		app->place = TL_EXIT;
	else
		enter_place(app, to);
}

static void unknown_key(struct tl_app *app)
{
	if (app->place == TL_MENU) {
		tl_app_submit(app, "menu", -1);
		app->entry.result = "invalid";
		tl_ui_complain(&app->ui, "Choose 1, 2 or 0.");
		move(15, 41);
	} else {
		tl_ui_complain(&app->ui, "This key does nothing here.");
	}
}

static void handle(struct tl_app *app, int key)
{
	const struct tl_screen *s = tl_screen_get(app, app->place);
	bool enter = key == '\r' || key == '\n' || key == KEY_ENTER;

	if (key == KEY_RESIZE || key == CTRL('l')) {
		clearok(curscr, TRUE);
		paint(app);
		return;
	}
	if (!app->fits) {
		if (key == KEY_F(10))
			app->place = TL_EXIT;
		return;
	}
	tl_ui_message_clear(&app->ui);
	if (app->place == TL_MENU)
		move(15, 41);
	if (is_function_key(app, key)) {
		leave_to(app, key);
	} else if (enter && s->enter) {
		enum tl_place to = s->enter(app);

		if (to != app->place)
			enter_place(app, to);
	} else if (!app->form || !tl_form_key(app->form, &app->ui, key)) {
		unknown_key(app);
	}
}

static void log_entry(struct tl_app *app)
{
	if (!app->entry.kind)
		return;
	app->entry.out_ns = app->ui.tty.out_ns;
	tl_log_write(&app->opt->log, &app->entry);
	app->entry.kind = NULL;
	tl_tty_count_reset(&app->ui.tty);
}

int tl_app_run(const struct tl_app_options *opt, struct b_error *err)
{
	struct tl_app app = { .opt = opt, .ui = { .clock = opt->clock } };
	int rc = tl_tty_open(&app.ui.tty, opt->keys_fd, err);

	if (rc)
		return rc;
	enter_place(&app, opt->login == TL_LOGIN_NONE ? TL_MENU : TL_SIGN_ON);
	while (app.place != TL_EXIT) {
		int key;

		flush(&app);
		log_entry(&app);
		key = tl_tty_key(&app.ui.tty);
		if (key == TL_KEY_END)
			break;
		handle(&app, key);
	}
	tl_form_free(app.form);
	tl_tty_close(&app.ui.tty);
	if (app.place == TL_EXIT) {
		app.ui.tty.out_ns = b_clock_mono_ns();
		log_entry(&app);
	}
	return B_OK;
}
