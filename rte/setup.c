#include "rte/setup.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "rte/redact.h"
#include "rte/secret.h"
#include "base/banned.h"

/* The host_user. */
struct outside {
	struct b_random random; /* the data stream */
	struct rte_redactor secrets;
};

static struct vs_screen *no_screen(void *host_user)
{
	(void)host_user;
	return NULL;
}

static const struct vs_keymap *no_keymap(void *host_user)
{
	(void)host_user;
	return NULL;
}

static struct b_random *data_stream(void *host_user)
{
	return &((struct outside *)host_user)->random;
}

static int no_tx_begin(
	void *host_user, const char *name, const struct rte_tx_options *opt, struct b_error *err)
{
	(void)host_user;
	(void)opt;
	return b_error_set(err, B_EUSAGE,
		"transaction '%s': setup and teardown have no session; use it in login, iteration or logout",
		name);
}

static int no_tx_end(
	void *host_user, enum rte_fail_kind fail, const char *detail, struct b_error *err)
{
	(void)host_user;
	(void)fail;
	(void)detail;
	return b_error_set(err, B_EUSAGE, "no transaction is open");
}

static void check_failed(void *host_user, const char *message, bool hard)
{
	struct b_buf copy = B_BUF_INIT;

	if (!hard)
		b_warn("%s", rte_redacted(&((struct outside *)host_user)->secrets, message, &copy));
	b_buf_release(&copy);
}

static void no_masks(void *host_user, const struct vs_rect *rects, size_t n)
{
	(void)host_user;
	(void)rects;
	(void)n;
}

static void log_text(void *host_user, const char *text)
{
	struct b_buf copy = B_BUF_INIT;

	b_info("%s", rte_redacted(&((struct outside *)host_user)->secrets, text, &copy));
	b_buf_release(&copy);
}

static const char *secret(void *host_user, const char *name)
{
	(void)host_user;
	return rte_secret_get(name);
}

const struct rte_host rte_setup_host = {
	.screen = no_screen,
	.keymap = no_keymap,
	.random = data_stream,
	.tx_begin = no_tx_begin,
	.tx_end = no_tx_end,
	.check_failed = check_failed,
	.masks_set = no_masks,
	.log = log_text,
	.secret = secret,
};

/* No loop runs beside setup: a signal that asks for the end is seen here. Returns whether one came. */
static bool wait_for(int64_t ns)
{
	int64_t until = b_clock_mono_ns() + ns, left;
	sigset_t set, before;
	bool signalled = false;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	while (!signalled && (left = until - b_clock_mono_ns()) > 0) {
		struct timespec ts = { (time_t)(left / B_NS_PER_S), (long)(left % B_NS_PER_S) };

		signalled = sigtimedwait(&set, NULL, &ts) > 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return signalled;
}

int rte_setup_run(struct rte_lua *l, const struct rte_script *script, enum rte_part part,
	uint64_t seed, struct b_error *err)
{
	static const struct rte_reply done;
	static const struct rte_reply refused = {
		.fail = RTE_FAIL_ERROR,
		.error =
			"there is no session in setup and teardown; use it in login, iteration or logout",
	};
	const char *name = part == RTE_PART_SETUP ? "setup" : "teardown";
	struct outside o = { 0 };
	struct b_buf copy = B_BUF_INIT;
	struct rte_actor_options opt = {
		.script = script,
		.host_user = &o,
		.user = 1,
		.seed = seed,
	};
	struct rte_actor *a = NULL;
	struct rte_ask ask;
	int rc;

	b_random_init(&o.random, seed, 0, B_STREAM_DATA);
	rte_redactor_environment(&o.secrets);
	rc = rte_actor_new(l, &opt, &a, err);
	if (rc)
		goto out;
	rte_actor_start(a, part, NULL, 0, 0, &ask);
	while (ask.kind != RTE_ASK_DONE && ask.kind != RTE_ASK_FAILED) {
		bool waits = (ask.kind == RTE_ASK_THINK || ask.kind == RTE_ASK_PAUSE) && ask.dist;

		if (waits && wait_for(b_dist_draw(ask.dist, &o.random, ask.recorded_ns, false))) {
			rc = b_error_set(err, B_ECHECK, "%s was interrupted by a signal", name);
			goto out;
		}
		rte_actor_resume(a, waits ? &done : &refused, &ask);
	}
	if (ask.kind == RTE_ASK_FAILED)
		rc = b_error_set(
			err, B_ECHECK, "%s: %s", name, rte_redacted(&o.secrets, ask.error, &copy));
out:
	rte_actor_free(a);
	b_random_release(&o.random);
	rte_redactor_release(&o.secrets);
	b_buf_release(&copy);
	return rc;
}
