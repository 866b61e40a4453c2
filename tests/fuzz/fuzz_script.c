/*
 * Any bytes as a script: it loads or is refused with a message; what it asks is answered, and it
 * ends within its limits. The same bytes as a workload too.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "rte/script.h"
#include "rte/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct vs_screen *screen;
static struct b_random stream;

static struct vs_screen *host_screen(void *user)
{
	(void)user;
	return screen;
}

static const struct vs_keymap *host_keymap(void *user)
{
	(void)user;
	return NULL;
}

static struct b_random *host_random(void *user)
{
	(void)user;
	return &stream;
}

static int host_begin(
	void *user, const char *name, const struct rte_tx_options *opt, struct b_error *err)
{
	(void)user;
	(void)opt;
	(void)err;
	return *name ? B_OK : B_EUSAGE;
}

static int host_end(void *user, enum rte_fail_kind fail, const char *detail, struct b_error *err)
{
	(void)user;
	(void)fail;
	(void)detail;
	(void)err;
	return B_OK;
}

static void host_check(void *user, const char *message, bool hard)
{
	(void)user;
	(void)message;
	(void)hard;
}

static void host_masks(void *user, const struct vs_rect *rects, size_t n)
{
	(void)user;
	vs_screen_masks_set(screen, rects, n);
}

static void host_log(void *user, const char *text)
{
	(void)user;
	B_BUG_ON(!text);
}

static const char *host_secret(void *user, const char *name)
{
	(void)user;
	return *name == 'p' ? "secret" : NULL;
}

static void run(struct rte_lua *l, const struct rte_script *s)
{
	struct rte_actor_options opt = { .script = s, .user = 1 };
	struct b_error err = { 0 };
	struct rte_actor *a;
	struct rte_ask ask;

	if (rte_actor_new(l, &opt, &a, &err))
		return;
	for (enum rte_part part = RTE_PART_SETUP; part <= RTE_PART_TEARDOWN; part++) {
		rte_actor_start(a, part, NULL, 1, 1, &ask);
		for (int i = 0; i < 50 && ask.kind != RTE_ASK_DONE && ask.kind != RTE_ASK_FAILED;
			i++) {
			struct vs_cond_result result = { .state = VS_COND_TRUE, .row = i % 24 };
			struct rte_reply reply = {
				.fail = i == 7 ? RTE_FAIL_TIMEOUT : RTE_FAIL_NONE, .result = &result
			};

			rte_actor_resume(a, &reply, &ask);
		}
		if (ask.kind == RTE_ASK_FAILED)
			B_BUG_ON(!ask.error || !ask.traceback);
	}
	rte_actor_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct rte_host host = {
		.screen = host_screen,
		.keymap = host_keymap,
		.random = host_random,
		.tx_begin = host_begin,
		.tx_end = host_end,
		.check_failed = host_check,
		.masks_set = host_masks,
		.log = host_log,
		.secret = host_secret,
	};
	struct rte_lua_options opt = { .host = &host, .n_users = 2 };
	int fd = memfd_create("script", MFD_CLOEXEC);
	struct b_error err = { 0 };
	struct rte_workload w;
	struct rte_script *s;
	struct rte_lua *l;
	bool is;
	char path[64];

	B_BUG_ON(fd < 0 || (size && write(fd, data, size) != (ssize_t)size));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	B_BUG_ON(rte_script_is_workload(path, &is, &err) != B_OK);
	B_BUG_ON(vs_screen_new(&screen, &(struct vs_options){ 0 }) != B_OK);
	b_random_init(&stream, 1, 1, B_STREAM_DATA);
	B_BUG_ON(rte_lua_new(&l, &opt, &err) != B_OK);
	if (rte_script_load(l, path, NULL, &s, &err))
		B_BUG_ON(err.code != B_EINPUT || !*err.text);
	else
		run(l, s);
	rte_lua_free(l);
	vs_screen_free(screen);
	b_random_release(&stream);
	if (is) {
		rte_workload_init(&w);
		memset(&err, 0, sizeof err);
		if (rte_workload_load(&w, path, &err))
			B_BUG_ON(!*err.text);
		rte_workload_release(&w);
	}
	close(fd);
	return 0;
}
