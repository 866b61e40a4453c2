/*
 * Traces of any bytes to scripts: the script is the same each time, holds no control character, and
 * loads as Lua, whatever was shown and typed.
 *
 * Input: a byte for the size and TERM, then events: a byte for code and time, a byte of length,
 * that many bytes. A first byte of 0xff: what follows 0xfe makes a second trace.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "capture/generate.h"
#include "rte/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SIZE_MAX_BYTES 16384

static const char *const terms[] = { "xterm-256color", "vt100", "linux", "xterm" };

static void trace_fill(struct cap_trace *t, const uint8_t *data, size_t size)
{
	static const char codes[] = "oooiiirm";
	uint8_t head = size ? *data : 0;
	int64_t at_ns = 0;

	memset(t, 0, sizeof *t);
	t->version = 2;
	t->rows = 2 + (head & 7) * 2;
	t->cols = 2 + (head >> 3 & 7) * 6;
	t->term = b_strdup(terms[head >> 6]);
	for (size_t i = 1; i + 2 <= size;) {
		size_t len = data[i + 1];
		struct cap_event *e;

		if (len > size - i - 2)
			len = size - i - 2;
		t->events = b_reallocarray(t->events, t->n_events + 1, sizeof *t->events);
		e = &t->events[t->n_events++];
		at_ns += (int64_t)(data[i] >> 3) * (data[i] >> 3) * 2000000;
		e->at_ns = at_ns;
		e->code = codes[data[i] & 7];
		e->data = b_strndup((const char *)data + i + 2, len);
		e->len = len;
		i += 2 + len;
	}
}

static void trace_clear(struct cap_trace *t)
{
	for (size_t i = 0; i < t->n_events; i++)
		free((char *)t->events[i].data);
	free(t->events);
	free(t->term);
}

static void check(bool holds, const char *what, const struct b_buf *script)
{
	if (holds)
		return;
	fprintf(stderr, "%s:\n%.*s\n", what, (int)script->len, script->data);
	abort();
}

/* The script as a file that the Lua side can load. */
static void load(const struct b_buf *script)
{
	static char path[64];
	static const struct rte_host host;
	struct rte_lua_options opt = { .host = &host, .n_users = 1 };
	struct rte_script *loaded;
	struct b_error err = { 0 };
	struct rte_lua *lua;
	int fd;

	if (!*path)
		snprintf(path, sizeof path, "/dev/shm/rte-fuzz-%ld.lua", (long)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, script->data, script->len) != (ssize_t)script->len)
		abort();
	close(fd);
	if (rte_lua_new(&lua, &opt, &err))
		abort();
	if (rte_script_load(lua, path, NULL, &loaded, &err)) {
		fprintf(stderr, "%s\n", err.text);
		check(false, "does not load", script);
	}
	rte_lua_free(lua);
	unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cap_trace t[2];
	const struct cap_trace *const traces[] = { &t[0], &t[1] };
	struct cap_generate_options opt = { .script_name = "fuzz" };
	struct b_buf a = B_BUF_INIT, b = B_BUF_INIT;
	const uint8_t *cut = NULL;
	size_t n = 1;

	if (size > SIZE_MAX_BYTES)
		return 0;
	if (size && *data == 0xff) {
		data++;
		size--;
		cut = memchr(data, 0xfe, size);
	}
	trace_fill(&t[0], data, cut ? (size_t)(cut - data) : size);
	if (cut) {
		trace_fill(&t[1], cut + 1, size - (size_t)(cut - data) - 1);
		n = 2;
	}
	if (!cap_generate(traces, n, &opt, &a, NULL, NULL)) {
		if (cap_generate(traces, n, &opt, &b, NULL, NULL))
			abort();
		check(a.len == b.len && !memcmp(a.data, b.data, a.len), "differs", &a);
		for (size_t i = 0; i < a.len; i++)
			check(a.data[i] == '\n' || (unsigned char)a.data[i] >= ' ', "control", &a);
		load(&a);
	}
	b_buf_release(&a);
	b_buf_release(&b);
	trace_clear(&t[0]);
	if (n == 2)
		trace_clear(&t[1]);
	return 0;
}
