#include "line/query.h"

#include <stdbool.h>
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

int ln_query_check(const char *query, const char *const *known, struct b_error *err)
{
	struct b_buf list = B_BUF_INIT;
	int rc = B_OK;

	for (const char *q = query; q && *q && !rc; q = next_part(q)) {
		size_t i = 0;

		while (known[i] && !names(q, known[i]))
			i++;
		if (known[i])
			continue;
		for (i = 0; known[i]; i++)
			b_buf_printf(&list, "%s%s=", i ? ", " : "", known[i]);
		rc = b_error_set(err, B_EUSAGE, "nothing is called '%.*s' here; known %s",
			(int)strcspn(q, "=&"), q, list.len ? b_buf_cstr(&list) : "is nothing");
	}
	b_buf_release(&list);
	return rc;
}
