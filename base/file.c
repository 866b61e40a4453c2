#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"

#define PIECE 65536

int b_file_read(struct b_buf *out, const char *path, size_t max, struct b_error *err)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO, rc = B_OK;
	size_t before = out->len;
	ssize_t n = fd < 0 ? -1 : 1;

	while (n > 0 && out->len - before <= max) {
		b_buf_reserve(out, PIECE);
		n = read(fd, out->data + out->len, PIECE);
		if (n > 0)
			out->len += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	if (n < 0)
		rc = b_error_set(err, B_EINPUT, "cannot read %s: %s", path, strerror(errno));
	else if (n > 0)
		rc = b_error_set(err, B_EINPUT,
			"cannot read %s: it has more than %zu bytes, or no end; give a smaller file",
			path, max);
	if (fd > STDIN_FILENO)
		close(fd);
	(void)b_buf_cstr(out);
	return rc;
}

int b_file_check_again(const char *path, struct b_error *err)
{
	struct stat st;

	if (stat(path, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return B_OK;
	return b_error_set(err, B_EINPUT,
		"cannot read %s: it is a pipe or a device, and is read more than once; give a file "
		"with what comes from it",
		path);
}

int b_file_replace(const char *path, const void *data, size_t len, struct b_error *err)
{
	struct b_buf part = B_BUF_INIT;
	struct stat st;
	/* A pipe or a device, such as /dev/stdout, is written to and stays what it is. */
	bool aside = stat(path, &st) || S_ISREG(st.st_mode);
	int why = 0;
	FILE *f;

	if (aside)
		b_buf_printf(&part, "%s.%ld~", path, (long)getpid());
	f = fopen(aside ? b_buf_cstr(&part) : path, "we");
	if (!f || fwrite(data, 1, len, f) != len)
		why = errno;
	if (f && fclose(f) && !why)
		why = errno;
	if (!why && aside && rename(b_buf_cstr(&part), path))
		why = errno;
	if (why && aside)
		unlink(b_buf_cstr(&part));
	b_buf_release(&part);
	return why ? b_error_set(err, B_ESYS, "cannot write %s: %s", path, strerror(why)) : B_OK;
}
