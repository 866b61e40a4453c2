#include "vscreen/keyquery.h"

#include <string.h>

#include "base/banned.h"

enum { GROUND, ESC, CSI, STRING, STRING_ESC };

static void query(struct vs_queries *q, int *count, int64_t at_ns)
{
	if (at_ns - q->last_ns >= VS_ANSWER_WAIT_NS)
		q->positions = q->strings = 0;
	if (*count < 1000)
		++*count;
	q->last_ns = at_ns;
}

static bool params_are(const struct vs_queries *q, const char *s)
{
	return q->n_params == strlen(s) && !memcmp(q->params, s, q->n_params);
}

/* Source: xterm ctlseqs: DSR, DECXCPR, DA3, XTVERSION, XTWINOPS 20 and 21. */
static void sequence(struct vs_queries *q, char final, int64_t at_ns)
{
	if (final == 'n' && (params_are(q, "6") || params_are(q, "?6")))
		query(q, &q->positions, at_ns);
	else if ((final == 'c' && q->n_params && q->params[0] == '=') ||
		(final == 'q' && q->n_params && q->params[0] == '>') ||
		(final == 't' && (params_are(q, "20") || params_are(q, "21"))))
		query(q, &q->strings, at_ns);
}

/* OSC with a `?` asks for a colour or the selection; DCS $q and +q for a setting. */
static bool asks(const struct vs_queries *q)
{
	const char *p = q->params;
	unsigned n = q->n_params;

	if (n >= 3 && p[0] == 'P')
		return (p[1] == '$' || p[1] == '+') && p[2] == 'q';
	return n >= 2 && p[0] == ']' && p[n - 1] == '?';
}

static void keep(struct vs_queries *q, char c)
{
	if (q->n_params < sizeof(q->params))
		q->params[q->n_params++] = c;
	else /* only the end of a long one matters, and how it began */
		q->params[sizeof(q->params) - 1] = c;
}

static void step(struct vs_queries *q, char c, int64_t at_ns)
{
	switch (q->state) {
	case GROUND: break;
	case ESC:
		q->n_params = 0;
		q->state = c == '[' ? CSI : c == ']' || c == 'P' ? STRING : GROUND;
		if (q->state == STRING)
			keep(q, c);
		break;
	case CSI:
		if (c >= 0x40 && c <= 0x7E) {
			sequence(q, c, at_ns);
			q->state = GROUND;
		} else if (c >= 0x20) {
			keep(q, c);
		}
		break;
	case STRING:
		if (c == '\a') {
			if (asks(q))
				query(q, &q->strings, at_ns);
			q->state = GROUND;
		} else if (c == 0x18 || c == 0x1A) {
			q->state = GROUND;
		} else {
			keep(q, c);
		}
		break;
	case STRING_ESC:
		if (c == '\\' && asks(q))
			query(q, &q->strings, at_ns);
		q->state = GROUND;
		break;
	}
}

void vs_queries_output(struct vs_queries *q, const char *bytes, size_t len, int64_t at_ns)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '\033') {
			q->state = q->state == STRING ? STRING_ESC : ESC;
			continue;
		}
		if (q->state == GROUND) {
			/* Most output is text: go to its next Esc at once. */
			const char *esc = memchr(bytes + i, '\033', len - i);

			if (!esc)
				return;
			i = (size_t)(esc - bytes) - 1;
			continue;
		}
		step(q, bytes[i], at_ns);
	}
}

static bool awaited(const struct vs_queries *q, int count, int64_t now_ns)
{
	return count > 0 && now_ns - q->last_ns < VS_ANSWER_WAIT_NS;
}

bool vs_queries_position(const struct vs_queries *q, int64_t now_ns)
{
	return awaited(q, q->positions, now_ns);
}

bool vs_queries_string(const struct vs_queries *q, int64_t now_ns)
{
	return awaited(q, q->strings, now_ns);
}

void vs_queries_answered(struct vs_queries *q, bool string)
{
	int *count = string ? &q->strings : &q->positions;

	if (*count > 0)
		--*count;
}
