#include "vscreen/cond_memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

struct row {
	uint32_t paints;
	bool vain;
};

struct vs_cond_memo {
	const struct vs_screen *screen;
	uint64_t wait;
	int n_rows, cols;
	struct row *rows; /* NULL: nothing is remembered */
};

struct vs_cond_memo *vs_cond_memo_new(void)
{
	return b_calloc(1, sizeof(struct vs_cond_memo));
}

void vs_cond_memo_free(struct vs_cond_memo *m)
{
	free(m->rows);
	free(m);
}

void vs_cond_memo_begin(struct vs_cond_memo *m, const struct vs_screen *s, uint64_t wait)
{
	int n = vs_screen_rows(s), cols = vs_screen_cols(s);

	if (m->screen == s && m->wait == wait && m->n_rows == n && m->cols == cols)
		return;
	if (wait && (!m->rows || m->n_rows != n))
		m->rows = b_reallocarray(m->rows, (size_t)n, sizeof(*m->rows));
	if (wait)
		memset(m->rows, 0, (size_t)n * sizeof(*m->rows));
	m->screen = s;
	m->wait = wait;
	m->n_rows = n;
	m->cols = cols;
}

bool vs_cond_memo_vain(const struct vs_cond_memo *m, int row)
{
	return m->wait && m->rows[row].vain &&
		m->rows[row].paints == vs_screen_row_paints(m->screen, row);
}

void vs_cond_memo_set_vain(struct vs_cond_memo *m, int row)
{
	if (m->wait)
		m->rows[row] = (struct row){ vs_screen_row_paints(m->screen, row), true };
}
