/* Any bytes as a data file: refused with a message, or a table whose fields can all be read. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "rte/datafile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const struct rte_table *t)
{
	size_t sum = 0, len;

	for (size_t column = 0; column < rte_table_columns(t); column++) {
		B_BUG_ON(!*rte_table_column(t, column));
		for (size_t row = 0; row < rte_table_rows(t); row++) {
			const char *field = rte_table_field(t, row, column, &len);

			B_BUG_ON(field[len] != 0);
			for (size_t i = 0; i < len; i++)
				sum += (unsigned char)field[i];
		}
	}
	if (sum == SIZE_MAX)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "a", "b" };
	struct rte_table_options opt = { .separator = size && data[0] == ';' ? ';' : ',' };
	struct rte_data *d = rte_data_new();
	const struct rte_table *t, *again;
	struct b_error err = { 0 };
	char path[64];
	int fd = memfd_create("csv", MFD_CLOEXEC);

	if (size && data[0] == '!') {
		opt.columns = names;
		opt.n_columns = B_ARRAY_LEN(names);
	}
	B_BUG_ON(fd < 0 || (size && write(fd, data, size) != (ssize_t)size));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (rte_table_open(d, path, &opt, &t, &err)) {
		B_BUG_ON(err.code != B_EINPUT || !*err.text);
	} else {
		read_all(t);
		B_BUG_ON(rte_table_open(d, path, &opt, &again, &err) != B_OK || again != t);
	}
	close(fd);
	rte_data_free(d);
	return 0;
}
