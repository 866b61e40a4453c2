#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "rte/command.h"
#include "base/banned.h"

int cmd_version(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--help")) {
		puts("Usage: rte version\n\nPrints the version of rte.");
		return B_EXIT_OK;
	}
	if (argc > 1) {
		b_error("version takes no argument, not '%s'", argv[1]);
		return B_EXIT_USAGE;
	}
	printf("rte %s\n", RTE_VERSION);
	return B_EXIT_OK;
}
