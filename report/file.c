#include "report/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/banned.h"

int rp_file_open(struct rp_file *f, const char *path, struct b_error *err)
{
	struct b_buf name = B_BUF_INIT;
	struct stat st;
	int fd;

	memset(f, 0, sizeof *f);
	f->path = b_strdup(path);
	if (!strcmp(path, "-")) {
		f->to = stdout;
		return B_OK;
	}
	/* What is no plain file (a pipe, /dev/stdout) cannot be moved over. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		f->to = fopen(path, "we");
	} else {
		b_buf_printf(&name, "%s.%ld.tmp", path, (long)getpid());
		f->temporary = b_buf_take(&name, NULL);
		fd = open(f->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd >= 0 && !(f->to = fdopen(fd, "w")))
			close(fd);
	}
	if (!f->to) {
		b_error_set(err, B_ESYS, "cannot write %s: %s", path, strerror(errno));
		free(f->path);
		free(f->temporary);
		return B_ESYS;
	}
	return B_OK;
}

int rp_file_close(struct rp_file *f, int rc, struct b_error *err)
{
	bool failed = fflush(f->to) || ferror(f->to);
	int why = errno;

	if (f->to != stdout && fclose(f->to) && !failed) {
		failed = true;
		why = errno;
	}
	if (!rc && !failed && f->temporary && rename(f->temporary, f->path)) {
		failed = true;
		why = errno;
	}
	if (f->temporary && (rc || failed))
		unlink(f->temporary);
	if (failed && (!rc || rc == B_ESYS))
		rc = b_error_set(err, B_ESYS, "cannot write %s: %s", f->path, strerror(why));
	else if (rc)
		b_error_set(err, rc, "cannot write %s", f->path);
	free(f->path);
	free(f->temporary);
	return rc;
}
