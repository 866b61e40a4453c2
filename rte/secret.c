#include "rte/secret.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

const char *rte_secret_variable(char out[RTE_SECRET_SIZE], const char *name)
{
	int n = snprintf(out, RTE_SECRET_SIZE, RTE_SECRET_PREFIX "%s", name);

	if (!*name || n < 0 || n >= RTE_SECRET_SIZE)
		return NULL;
	for (char *c = out; *c; c++)
		*c = (char)(isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_');
	return out;
}

const char *rte_secret_get(const char *name)
{
	char variable[RTE_SECRET_SIZE];

	return rte_secret_variable(variable, name) ? getenv(variable) : NULL;
}
