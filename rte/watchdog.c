#include "rte/watchdog.h"

#include "base/log.h"
#include "base/banned.h"

size_t rte_watchdog_look(struct rte_worker *const *workers, size_t n, bool *told, int64_t now)
{
	size_t stuck = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t since = rte_lua_running_since_ns(workers[i]->lua);

		if (!since || now - since < RTE_WATCHDOG_INTERRUPT_NS) {
			told[i] = false;
			continue;
		}
		rte_lua_interrupt(workers[i]->lua, since);
		if (now - since < RTE_WATCHDOG_STUCK_NS)
			continue;
		stuck++;
		if (!told[i])
			b_warn("worker %d is stuck in a script for %lld s and cannot be interrupted; its users "
			       "stand still, the others go on",
				workers[i]->number, (long long)((now - since) / 1000000000));
		told[i] = true;
	}
	return stuck;
}
