#include "line/query.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/banned.h"

static int hex(char c)
{
	const char *digits = "0123456789abcdef", *p = c ? strchr(digits, c | 0x20) : NULL;

	return p ? (int)(p - digits) : -1;
}

/* The part of NAME=VALUE at q: its length, up to & or the end. */
static size_t part_len(const char *q)
{
	return strcspn(q, "&");
}

static const char *next_part(const char *q)
{
	q += part_len(q);
	return *q ? q + 1 : q;
}

static bool names(const char *q, const char *name)
{
	size_t n = strcspn(q, "=&");

	return n == strlen(name) && !memcmp(q, name, n);
}

char *ln_query_get(const char *query, const char *name)
{
	struct b_buf out = B_BUF_INIT;

	for (const char *q = query; q && *q; q = next_part(q)) {
		const char *end = q + part_len(q), *v = q + strcspn(q, "=&");

		if (!names(q, name))
			continue;
		for (v += *v == '='; v < end; v++) {
			if (*v == '%' && end - v > 2 && hex(v[1]) >= 0 && hex(v[2]) >= 0) {
				b_buf_addc(&out, (char)(hex(v[1]) << 4 | hex(v[2])));
				v += 2;
			} else {
				b_buf_addc(&out, *v);
			}
		}
		(void)b_buf_cstr(&out);
		return b_buf_take(&out, NULL);
	}
	return NULL;
}

static int check_name(const char *q, const char *const *known, struct b_error *err)
{
	struct b_buf list = B_BUF_INIT;
	size_t i = 0;
	int rc;

	while (known[i] && !names(q, known[i]))
		i++;
	if (known[i])
		return B_OK;
	for (i = 0; known[i]; i++)
		b_buf_printf(&list, "%s%s=", i ? ", " : "", known[i]);
	rc = b_error_set(err, B_EUSAGE, "nothing is called '%.*s' here; known %s",
		(int)strcspn(q, "=&"), q, list.len ? b_buf_cstr(&list) : "is nothing");
	b_buf_release(&list);
	return rc;
}

static int check_value(const char *q, struct b_error *err)
{
	int name = (int)strcspn(q, "=&"), value = (int)part_len(q) - name;
	const char *nul = strstr(q, "%00");

	if (value < 2)
		return b_error_set(err, B_EUSAGE, "%.*s= has no value", name, q);
	if (nul && nul < q + part_len(q))
		return b_error_set(err, B_EUSAGE, "%.*s= holds a NUL byte", name, q);
	for (const char *more = next_part(q); *more; more = next_part(more))
		if ((int)strcspn(more, "=&") == name && !memcmp(more, q, (size_t)name))
			return b_error_set(
				err, B_EUSAGE, "%.*s= stands there more than once", name, q);
	return B_OK;
}

int ln_query_check(const char *query, const char *const *known, struct b_error *err)
{
	int rc = B_OK;

	for (const char *q = query; q && *q && !rc; q = next_part(q)) {
		rc = check_name(q, known, err);
		if (!rc)
			rc = check_value(q, err);
	}
	return rc;
}

int ln_query_verify(const char *query, struct b_error *err)
{
	char *verify = ln_query_get(query, "verify");
	int rc = B_OK;

	if (verify && strcmp(verify, "no") && strcmp(verify, "yes"))
		rc = b_error_set(err, B_EUSAGE, "verify=%s: yes or no is wanted", verify);
	free(verify);
	return rc;
}
