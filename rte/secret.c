#include "rte/secret.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

const char *rte_secret_get(const char *name)
{
	char variable[128];
	int n = snprintf(variable, sizeof variable, "RTE_SECRET_%s", name);

	if (!*name || n < 0 || (size_t)n >= sizeof variable)
		return NULL;
	for (char *c = variable; *c; c++)
		*c = (char)(isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_');
	return getenv(variable);
}
