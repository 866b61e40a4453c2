/* What a script is told. */
#include <stdarg.h>
#include <stdio.h>

#include "rte/user_priv.h"
#include "base/banned.h"

enum rte_step rte_user_reply(struct rte_user *u, const struct rte_reply *reply, int64_t now)
{
	static const struct rte_reply done;

	rte_user_account(u, RTE_AC_SCRIPT, now);
	rte_actor_resume(u->actor, reply ? reply : &done, &u->ask);
	return RTE_GO;
}

enum rte_step rte_user_fail(
	struct rte_user *u, enum rte_fail_kind kind, int64_t now, const char *fmt, ...)
{
	struct rte_reply reply = { .fail = kind };
	char message[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	reply.error = message;
	/* What a script does about it, it cannot do before: a key that follows is not late for it,
	   and one that is refused again and again stands behind the keys of others. */
	u->not_before_ns = now;
	return rte_user_reply(u, &reply, now);
}
