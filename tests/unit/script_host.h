/*
 * tests/unit/script_host.h - an engine of paper for tests of scripts.
 *
 * It answers what a script asks at once and writes down what was asked and told, a line each, so
 * that a test is a script and its transcript. fail_next makes the next answer an error.
 */
#ifndef TESTS_UNIT_SCRIPT_HOST_H
#define TESTS_UNIT_SCRIPT_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "rte/script.h"

struct host {
	struct b_buf out; /* the transcript */
	struct vs_screen *screen;
	struct b_random random;
	bool tx_open;
	enum rte_fail_kind fail_next;
	const char *fail_text;
	int alternative; /* of the answer to the next expect */
	const char *stream;
	char folder[64];
	struct rte_lua *lua;
	struct rte_script *script;
	struct rte_actor *actor;
};

static const char *fail_name(enum rte_fail_kind kind)
{
	static const char *const names[] = { "ok", "timeout", "check", "disconnect", "error",
		"cancel", "left" };

	return names[kind];
}

static struct vs_screen *host_screen(void *user)
{
	return ((struct host *)user)->screen;
}

static const struct vs_keymap *host_keymap(void *user)
{
	(void)user;
	return NULL;
}

static struct b_random *host_random(void *user)
{
	return &((struct host *)user)->random;
}

static int host_tx_begin(
	void *user, const char *name, const struct rte_tx_options *opt, struct b_error *err)
{
	struct host *h = user;

	if (h->tx_open)
		return b_error_set(err, B_EUSAGE, "a transaction is open already");
	h->tx_open = true;
	b_buf_printf(&h->out, "begin %s", name);
	if (opt->max_s > 0)
		b_buf_printf(&h->out, " max=%g", opt->max_s);
	if (opt->think) {
		b_buf_adds(&h->out, " think=");
		b_dist_format(opt->think, &h->out);
	}
	b_buf_addc(&h->out, '\n');
	return B_OK;
}

static int host_tx_end(void *user, enum rte_fail_kind fail, const char *detail, struct b_error *err)
{
	struct host *h = user;

	(void)detail;
	if (!h->tx_open)
		return b_error_set(err, B_EUSAGE, "no transaction is open");
	h->tx_open = false;
	b_buf_printf(&h->out, "end %s\n", fail_name(fail));
	return B_OK;
}

static void host_check_failed(void *user, const char *message, bool hard)
{
	b_buf_printf(&((struct host *)user)->out, "%s %s\n", hard ? "check" : "soft", message);
}

static void host_skipped(void *user, const char *reason)
{
	b_buf_printf(&((struct host *)user)->out, "skipped %s\n", reason);
}

static void host_masks_set(void *user, const struct vs_rect *rects, size_t n)
{
	struct host *h = user;

	b_buf_adds(&h->out, "masks");
	for (size_t i = 0; i < n; i++)
		b_buf_printf(&h->out, " %d,%d,%d,%d", rects[i].row, rects[i].col, rects[i].rows,
			rects[i].cols);
	b_buf_addc(&h->out, '\n');
}

static void host_log(void *user, const char *text)
{
	b_buf_printf(&((struct host *)user)->out, "log %s\n", text);
}

static const char *host_secret(void *user, const char *name)
{
	(void)user;
	return strcmp(name, "password") ? NULL : "s3cret";
}

static const struct rte_host host_calls = {
	.screen = host_screen,
	.keymap = host_keymap,
	.random = host_random,
	.tx_begin = host_tx_begin,
	.tx_end = host_tx_end,
	.check_failed = host_check_failed,
	.skipped = host_skipped,
	.masks_set = host_masks_set,
	.log = host_log,
	.secret = host_secret,
};

/* One ask as a line. */
static void write_ask(struct b_buf *out, const struct rte_ask *ask)
{
	static const char *const kinds[] = { "done", "failed", "send", "press", "paste", "raw",
		"mouse", "expect", "think", "pause", "barrier", "resize", "interact", "golden" };

	b_buf_adds(out, kinds[ask->kind]);
	if (ask->bytes) {
		b_buf_addc(out, ' ');
		b_buf_add(out, ask->bytes, ask->len);
	}
	if (ask->secret)
		b_buf_printf(out, " secret=%s", ask->secret_name);
	if (ask->cond) {
		b_buf_addc(out, ' ');
		vs_cond_describe(ask->cond, out);
	}
	if (ask->timeout_ns > 0)
		b_buf_printf(out, " timeout=%lld", (long long)(ask->timeout_ns / B_NS_PER_MS));
	if (ask->recorded_ns >= 0 && ask->kind != RTE_ASK_DONE && ask->kind != RTE_ASK_FAILED)
		b_buf_printf(out, " recorded=%lld", (long long)(ask->recorded_ns / B_NS_PER_MS));
	if (ask->dist) {
		b_buf_addc(out, ' ');
		b_dist_format(ask->dist, out);
	}
	for (size_t i = 0; i < ask->n_gaps; i++)
		b_buf_printf(out, "%s%d", i ? "," : " gaps=", (int)ask->gaps_ms[i]);
	if (ask->kind == RTE_ASK_RESIZE)
		b_buf_printf(out, " %dx%d", ask->cols, ask->rows);
	if (ask->kind == RTE_ASK_MOUSE)
		b_buf_printf(out, " action=%d button=%d at=%d,%d", ask->mouse.action,
			ask->mouse.button, ask->mouse.row, ask->mouse.col);
	if (ask->kind == RTE_ASK_BARRIER)
		b_buf_printf(out, " users=%lld", (long long)ask->count);
	if (ask->kind == RTE_ASK_GOLDEN)
		b_buf_printf(out, " attrs=%d cursor=%d soft=%d masks=%zu", ask->attrs, ask->cursor,
			ask->soft, ask->n_masks);
	if (ask->kind == RTE_ASK_DONE && ask->count == -1)
		b_buf_adds(out, " stop");
	if (ask->kind == RTE_ASK_DONE && ask->relogin)
		b_buf_adds(out, " relogin");
	if (ask->kind == RTE_ASK_FAILED)
		b_buf_printf(out, " %s %s", fail_name(ask->fail), ask->error);
	b_buf_addc(out, '\n');
}

/* Answers until the part has ended. At most 1000 asks. */
static inline void answer_all(struct host *h, struct rte_ask *ask)
{
	for (int i = 0; i < 1000; i++) {
		struct vs_cond_result result = { .state = VS_COND_TRUE, .row = -1 };
		struct rte_reply reply = { .fail = h->fail_next, .error = h->fail_text };

		write_ask(&h->out, ask);
		if (ask->kind == RTE_ASK_DONE || ask->kind == RTE_ASK_FAILED)
			return;
		result.alternative = h->alternative;
		if (ask->kind == RTE_ASK_EXPECT && !reply.fail)
			reply.result = &result;
		reply.stream = h->stream;
		reply.stream_len = h->stream ? strlen(h->stream) : 0;
		h->fail_next = RTE_FAIL_NONE;
		h->alternative = 0;
		rte_actor_resume(h->actor, &reply, ask);
	}
	fail_msg("more than 1000 asks");
}

static inline void host_part(struct host *h, enum rte_part part, int64_t iteration)
{
	struct rte_ask ask;

	rte_actor_start(h->actor, part, NULL, iteration, 1, &ask);
	answer_all(h, &ask);
}

static inline void host_file(struct host *h, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", h->folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* The text without the folder's name, which differs from run to run. */
static char *without_folder(const struct host *h, const char *text)
{
	struct b_buf out = B_BUF_INIT;
	size_t len = strlen(h->folder);

	while (*text) {
		if (!strncmp(text, h->folder, len) && text[len] == '/')
			text += len + 1;
		else
			b_buf_addc(&out, *text++);
	}
	return b_buf_take(&out, NULL);
}

static inline void host_open(struct host *h, const struct rte_lua_options *more)
{
	struct rte_lua_options opt = { 0 };
	struct b_error err = { 0 };

	memset(h, 0, sizeof *h);
	if (more)
		opt = *more;
	opt.host = &host_calls;
	snprintf(h->folder, sizeof h->folder, "/tmp/rte-test-XXXXXX");
	assert_non_null(mkdtemp(h->folder));
	b_random_init(&h->random, 1, 1, B_STREAM_DATA);
	if (rte_lua_new(&h->lua, &opt, &err))
		fail_msg("%s", err.text);
}

/* Loads text as the script s.lua and makes user 1 of it. The error, or NULL. */
static inline char *host_load(struct host *h, const char *text)
{
	struct rte_actor_options opt = { .host_user = h, .user = 1, .seed = 7 };
	struct b_error err = { 0 };
	char path[128];
	int rc;

	host_file(h, "s.lua", text);
	snprintf(path, sizeof path, "%s/s.lua", h->folder);
	rc = rte_script_load(h->lua, path, NULL, &h->script, &err);
	if (!rc) {
		opt.script = h->script;
		rc = rte_actor_new(h->lua, &opt, &h->actor, &err);
	}
	if (!rc)
		return NULL;
	assert_int_equal(rc, B_EINPUT);
	return without_folder(h, err.text);
}

static inline void host_close(struct host *h)
{
	char command[128];

	rte_actor_free(h->actor);
	rte_lua_free(h->lua);
	b_random_release(&h->random);
	vs_screen_free(h->screen);
	b_buf_release(&h->out);
	snprintf(command, sizeof command, "rm -rf %s", h->folder);
	assert_int_equal(system(command), 0);
}

/* Compares and clears the transcript. */
static inline void host_expect(struct host *h, const char *transcript)
{
	char *text = without_folder(h, b_buf_cstr(&h->out));

	assert_string_equal(text, transcript);
	free(text);
	b_buf_clear(&h->out);
}

/* Runs script as login or, without one, as an iteration of user 1; compares. */
static inline void check_script(const char *script, const char *transcript)
{
	struct host h;
	char *error;

	host_open(&h, NULL);
	error = host_load(&h, script);
	if (error)
		fail_msg("%s\n%s", script, error);
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h, transcript);
	host_close(&h);
}

/* Loading script fails with this error. */
static inline void check_load_error(const char *script, const char *expected)
{
	struct host h;
	char *error;

	host_open(&h, NULL);
	error = host_load(&h, script);
	assert_non_null(error);
	assert_string_equal(error, expected);
	free(error);
	host_close(&h);
}

#endif
