#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/banned.h"

int b_file_replace(const char *path, const void *data, size_t len, struct b_error *err)
{
	struct b_buf part = B_BUF_INIT;
	int why = 0;
	FILE *f;

	b_buf_printf(&part, "%s.%ld~", path, (long)getpid());
	f = fopen(b_buf_cstr(&part), "we");
	if (!f || fwrite(data, 1, len, f) != len)
		why = errno;
	if (f && fclose(f) && !why)
		why = errno;
	if (!why && rename(b_buf_cstr(&part), path))
		why = errno;
	if (why)
		unlink(b_buf_cstr(&part));
	b_buf_release(&part);
	return why ? b_error_set(err, B_ESYS, "cannot write %s: %s", path, strerror(why)) : B_OK;
}
