#include "demo/forms/options.h"

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "base/banned.h"

int df_option_number(const char *name, const char *arg, int64_t min, int64_t max, int64_t *out,
	struct b_error *err)
{
	if (!b_parse_int(arg, min, max, out))
		return B_OK;
	return b_error_set(err, B_EUSAGE,
		"--%s takes a number from %" PRId64 " to %" PRId64 ", not '%s'", name, min, max,
		arg);
}

static int delay(struct df_options *o, const char *arg, struct b_error *err)
{
	char first[16];
	size_t len = strcspn(arg, ",");
	const char *second = arg[len] ? arg + len + 1 : NULL;

	if (len < sizeof first) {
		memcpy(first, arg, len);
		first[len] = 0;
		if (!b_parse_int(first, 0, 3600000, &o->delay_min_ms) &&
			!b_parse_int(second ? second : first, o->delay_min_ms, 3600000,
				&o->delay_max_ms))
			return B_OK;
	}
	return b_error_set(err, B_EUSAGE,
		"--delay takes milliseconds, as in 50, or from and to, as in 50,150, not '%s'",
		arg);
}

/* A tag is one word of the log. */
static int tag(struct df_options *o, const char *arg, struct b_error *err)
{
	o->tag = arg;
	if (!*arg || strpbrk(arg, " \t\r\n"))
		return b_error_set(err, B_EUSAGE, "--tag takes one word, not '%s'", arg);
	return B_OK;
}

int df_option(struct df_options *o, int code, const char *arg, struct b_error *err)
{
	switch (code) {
	case DF_OPT_LOG: o->log = arg; return B_OK;
	case DF_OPT_TAG: return tag(o, arg, err);
	case DF_OPT_KEYS: o->keys = arg; return B_OK;
	case DF_OPT_DELAY: return delay(o, arg, err);
	case DF_OPT_WORKING: o->working = true; return B_OK;
	case DF_OPT_CLOCK: o->clock = true; return B_OK;
	default: return B_ENOTFOUND;
	}
}
