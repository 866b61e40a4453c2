#include "base/parse.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

int b_parse_int(const char *s, int64_t min, int64_t max, int64_t *out)
{
	const char *digits = s + (*s == '-' || *s == '+');
	char *end;
	long long v;

	if (*digits < '0' || *digits > '9')
		return B_EUSAGE;
	errno = 0;
	v = strtoll(s, &end, 10);
	if (*end)
		return B_EUSAGE;
	if (errno || v < min || v > max)
		return B_ERANGE;
	*out = v;
	return B_OK;
}

/* A decimal number in front of *end; no sign, no hexadecimal, no "inf". */
static int take_number(const char *s, double *v, char **end)
{
	size_t n = strspn(s, "0123456789.");

	if (!n || (s[0] == '.' && n == 1) || (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')))
		return B_EUSAGE;
	*v = strtod(s, end);
	if (*end == s)
		return B_EUSAGE;
	return isfinite(*v) ? B_OK : B_ERANGE;
}

int b_parse_double(const char *s, double *out)
{
	bool negative = *s == '-';
	char *end;
	double v;
	int rc;

	if (*s == '-' || *s == '+')
		s++;
	rc = take_number(s, &v, &end);
	if (rc)
		return rc;
	if (*end)
		return B_EUSAGE;
	*out = negative ? -v : v;
	return B_OK;
}

static const struct {
	const char *name;
	int64_t ns;
} units[] = {
	{ "us", B_NS_PER_US },
	{ "ms", B_NS_PER_MS },
	{ "s", B_NS_PER_S },
	{ "m", 60 * B_NS_PER_S },
	{ "h", 3600 * B_NS_PER_S },
};

int b_parse_duration(const char *s, int64_t *ns)
{
	bool first = true;
	double sum = 0;

	do {
		double v, scale = 0;
		size_t len;
		char *end;
		int rc = take_number(s, &v, &end);

		if (rc)
			return rc;
		len = strspn(end, "abcdefghijklmnopqrstuvwxyz");
		if (!len && !*end && first)
			scale = (double)B_NS_PER_S;
		for (size_t i = 0; i < B_ARRAY_LEN(units); i++)
			if (len == strlen(units[i].name) && !memcmp(end, units[i].name, len))
				scale = (double)units[i].ns;
		if (scale <= 0)
			return B_EUSAGE;
		sum += v * scale;
		s = end + len;
		first = false;
	} while (*s);
	if (sum > 9e17)
		return B_ERANGE;
	*ns = llround(sum);
	return B_OK;
}

int b_parse_size(const char *s, int *cols, int *rows)
{
	const char *x = strchr(s, 'x');
	char left[8];
	int64_t c, r;
	int rc;

	if (!x || x == s || (size_t)(x - s) >= sizeof left)
		return B_EUSAGE;
	memcpy(left, s, (size_t)(x - s));
	left[x - s] = 0;
	rc = b_parse_int(left, 1, 1000, &c);
	if (!rc)
		rc = b_parse_int(x + 1, 1, 1000, &r);
	if (rc)
		return rc;
	*cols = (int)c;
	*rows = (int)r;
	return B_OK;
}

void b_format_duration(struct b_buf *out, int64_t ns)
{
	if (ns % B_NS_PER_MS && ns < B_NS_PER_S) {
		b_buf_printf(out, "%gms", (double)ns / (double)B_NS_PER_MS);
	} else if (ns % B_NS_PER_S) {
		if (ns < B_NS_PER_S)
			b_buf_printf(out, "%lldms", (long long)(ns / B_NS_PER_MS));
		else
			b_buf_printf(out, "%.9gs", (double)ns / (double)B_NS_PER_S);
	} else {
		long long s = ns / B_NS_PER_S;

		if (s >= 3600 && s % 3600 == 0)
			b_buf_printf(out, "%lldh", s / 3600);
		else if (s >= 60 && s % 60 == 0)
			b_buf_printf(out, "%lldm", s / 60);
		else if (s > 60)
			b_buf_printf(out, "%lldm%llds", s / 60, s % 60);
		else
			b_buf_printf(out, "%llds", s);
	}
}
