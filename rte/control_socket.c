/* The socket of a run, in its directory: opened by the run, reached by whoever looks or steers. */
#define _GNU_SOURCE /* O_PATH */
#include "rte/control_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/rundir.h"
#include "rte/control.h"
#include "base/banned.h"

#define WAITING_MAX 32

/* A path of any length: through a descriptor of the directory. */
static int address(const char *dir, struct sockaddr_un *a)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (fd >= 0)
		snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d/%s", fd,
			RUNDIR_CONTROL_SOCKET);
	return fd;
}

int rte_control_socket_open(const char *dir, const char *path, int *out)
{
	struct sockaddr_un a;
	int at = address(dir, &a), fd;
	mode_t before;
	bool ok;

	if (at < 0)
		return B_ESYS;
	unlink(path); /* of a run that was killed */
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	before = umask(0177);
	ok = fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof a) && !listen(fd, WAITING_MAX);
	umask(before);
	close(at);
	if (!ok) {
		if (fd >= 0)
			close(fd);
		return B_ESYS;
	}
	*out = fd;
	return B_OK;
}

int rte_control_connect(const char *dir, int *out, struct b_error *err)
{
	struct sockaddr_un a;
	struct stat st;
	int at, fd, rc = B_OK;

	if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		return b_error_set(err, B_EENV,
			"%s is no run directory; give the one that rte run -o made", dir);
	at = address(dir, &a);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (at < 0 || fd < 0) {
		rc = b_error_set(err, B_EENV, "cannot open %s: %s", dir, strerror(errno));
	} else if (connect(fd, (struct sockaddr *)&a, sizeof a)) {
		if (errno == ENOENT || errno == ECONNREFUSED)
			rc = b_error_set(err, B_EENV,
				"no run is going on in %s; rte report %s shows one that has ended",
				dir, dir);
		else
			rc = b_error_set(err, B_EENV, "cannot talk to the run in %s: %s", dir,
				strerror(errno));
	}
	if (at >= 0)
		close(at);
	if (rc) {
		if (fd >= 0)
			close(fd);
		return rc;
	}
	*out = fd;
	return B_OK;
}
