#include "demo/forms/app.h"

#include <curses.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/banned.h"

#define CTRL(c) ((c)&31)

static const struct df_screen *screen_of(const struct df_app *app)
{
	return app->program->screen(app, app->place);
}

void df_app_submit(struct df_app *app, const char *kind, int64_t key)
{
	const struct df_tty *t = &app->ui.tty;

	if (app->form)
		df_form_sync(app->form);
	app->entry = (struct df_log_entry){ .kind = kind,
		.result = "ok",
		.key = key,
		.first_ns = t->first_ns,
		.in_ns = t->last_ns,
		.bytes = t->bytes };
}

static void flush(struct df_app *app)
{
	if (app->form && app->fits)
		df_form_cursor(app->form);
	else if (app->fits)
		move(screen_of(app)->cursor_row, screen_of(app)->cursor_col);
	wnoutrefresh(stdscr);
	df_tty_flush(&app->ui.tty, app->ui.bell);
	app->ui.bell = false;
}

void df_app_work(struct df_app *app, int64_t key)
{
	const struct df_options *o = app->opt;
	uint64_t span = (uint64_t)(o->delay_max_ms - o->delay_min_ms + 1);
	/* The same keys in the same order take the same time in every run. */
	uint64_t h = ((uint64_t)key + app->served++) * 0x9e3779b97f4a7c15u >> 33;
	int64_t ms = o->delay_min_ms + (int64_t)(h % span);
	struct timespec left = { ms / 1000, (long)(ms % 1000 * B_NS_PER_MS) };

	if (o->working) {
		df_ui_say(&app->ui, "Working ...");
		flush(app);
		df_ui_message_clear(&app->ui);
	}
	while (ms && nanosleep(&left, &left) && errno == EINTR)
		;
}

void df_app_result(struct df_app *app, int rc, const struct b_error *err)
{
	switch (rc) {
	case B_OK: app->entry.result = "ok"; return;
	case B_EUSAGE: app->entry.result = "invalid"; return;
	case B_ENOTFOUND: app->entry.result = "missing"; break;
	case B_EAGAIN: app->entry.result = "busy"; break;
	default: app->entry.result = "failed"; break;
	}
	df_ui_complain(&app->ui, "%s", err->text);
}

/* Paints the place anew, with what it holds. */
static void paint(struct df_app *app)
{
	const struct df_screen *s = screen_of(app);

	if (app->form)
		df_form_hide(app->form);
	app->fits = df_ui_fits();
	if (!app->fits)
		return;
	erase();
	if (app->form)
		df_form_show(app->form);
	df_ui_frame(&app->ui, app->program->name, s->title, s->keys);
	if (s->paint)
		s->paint(app);
}

static void go_to(struct df_app *app, int place)
{
	const struct df_screen *s;

	df_form_free(app->form);
	app->form = NULL;
	app->place = place;
	if (place == DF_EXIT)
		return;
	s = screen_of(app);
	if (s->items)
		app->form = df_form_new(s->items, s->n);
	app->has_result = false;
	app->ui.message = false;
	paint(app);
}

/* The way that a key opens from here, or NULL. */
static const struct df_way *way_of(const struct df_app *app, const struct df_screen *s, int key)
{
	for (size_t i = 0; i < app->program->n_ways; i++) {
		const struct df_way *w = &app->program->ways[i];

		if (s->closed && w->to != DF_EXIT)
			continue;
		if (key == w->key || (s->choices && w->digit && key == w->digit))
			return w;
	}
	return NULL;
}

static void unknown_key(struct df_app *app, const struct df_screen *s)
{
	if (s->choices) {
		df_app_submit(app, "menu", -1);
		app->entry.result = "invalid";
		df_ui_complain(&app->ui, "%s", s->choices);
	} else {
		df_ui_complain(&app->ui, "This key does nothing here.");
	}
}

static void handle(struct df_app *app, int key)
{
	const struct df_screen *s = screen_of(app);
	const struct df_way *way = way_of(app, s, key);
	bool enter = key == '\r' || key == '\n' || key == KEY_ENTER;

	if (key == KEY_RESIZE || key == CTRL('l')) {
		clearok(curscr, TRUE);
		paint(app);
		return;
	}
	if (!app->fits && !(way && way->to == DF_EXIT))
		return;
	df_ui_message_clear(&app->ui);
	if (way) {
		df_app_submit(app, way->to == DF_EXIT ? "quit" : "menu", way->to);
		go_to(app, way->to);
	} else if (enter && s->enter) {
		int to = s->enter(app);

		if (to != app->place)
			go_to(app, to);
	} else if (!app->form || !df_form_key(app->form, &app->ui, key)) {
		unknown_key(app, s);
	}
}

static void log_entry(struct df_app *app, const struct df_log *log)
{
	if (!app->entry.kind)
		return;
	app->entry.out_ns = app->ui.tty.out_ns;
	df_log_write(log, &app->entry);
	app->entry.kind = NULL;
	df_tty_count_reset(&app->ui.tty);
}

static void run(struct df_app *app, const struct df_log *log)
{
	go_to(app, app->program->first);
	while (app->place != DF_EXIT) {
		int key;

		flush(app);
		log_entry(app, log);
		key = df_tty_key(&app->ui.tty);
		if (key == DF_KEY_END)
			break;
		handle(app, key);
	}
	df_form_free(app->form);
	df_tty_close(&app->ui.tty);
	if (app->place == DF_EXIT) {
		app->ui.tty.out_ns = b_clock_mono_ns();
		log_entry(app, log);
	}
}

int df_app_run(const struct df_program *program, const struct df_options *opt, struct b_error *err)
{
	struct df_app app = { .program = program, .opt = opt, .ui = { .clock = opt->clock } };
	struct df_log log;
	int log_fd = -1, keys_fd = -1, rc = B_OK;

	if (opt->log)
		rc = df_log_file(opt->log, &log_fd, err);
	if (!rc && opt->keys)
		rc = df_log_file(opt->keys, &keys_fd, err);
	if (!rc)
		rc = df_tty_open(&app.ui.tty, keys_fd, err);
	if (!rc) {
		df_log_init(&log, log_fd, opt->tag);
		run(&app, &log);
	}
	if (log_fd >= 0)
		close(log_fd);
	if (keys_fd >= 0)
		close(keys_fd);
	return rc;
}
