#include "rte/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

#define POLL_NS   (200 * B_NS_PER_MS)
#define FILES_MAX 4

/* Two buffers that change hands: `filling` is the producer's, the other one the writer's while
   handed is true and nobody's else. */
struct rte_outbox {
	struct rte_outbox *next;
	struct rte_writer *writer;
	int file;
	int filling;
	struct b_buf buf[2];
	atomic_bool handed;
	atomic_size_t queued;
};

struct file {
	int fd;
	char *path;
	off_t size;
};

struct rte_writer {
	pthread_t thread;
	bool running;
	pthread_mutex_t lock; /* of stop and error */
	pthread_cond_t wake;
	bool stop;
	struct b_error error;
	atomic_bool failed;
	struct file files[FILES_MAX];
	int n_files;
	struct rte_outbox *outboxes;
};

int rte_writer_new(struct rte_writer **out, struct b_error *err)
{
	struct rte_writer *w = b_calloc(1, sizeof *w);
	pthread_condattr_t attr;

	pthread_mutex_init(&w->lock, NULL);
	if (pthread_condattr_init(&attr) || pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) ||
		pthread_cond_init(&w->wake, &attr)) {
		free(w);
		return b_error_set(err, B_EENV, "cannot set up the writer of the logs");
	}
	pthread_condattr_destroy(&attr);
	*out = w;
	return B_OK;
}

static int fail(struct rte_writer *w, const char *path, int why)
{
	pthread_mutex_lock(&w->lock);
	b_error_set(&w->error, B_EENV,
		"cannot write %s: %s; the run ends here, make room and run it again", path,
		strerror(why));
	pthread_mutex_unlock(&w->lock);
	atomic_store(&w->failed, true);
	return B_EENV;
}

/* All or, as far as lines go, nothing more: what was cut in the middle of a line is taken back. */
static int write_lines(struct rte_writer *w, struct file *f, const char *s, size_t len)
{
	size_t done = 0;
	int why;

	while (done < len) {
		ssize_t n = write(f->fd, s + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			why = n ? errno : ENOSPC;
			while (done && s[done - 1] != '\n')
				done--;
			f->size += (off_t)done;
			(void)!ftruncate(f->fd, f->size);
			return fail(w, f->path, why);
		}
		done += (size_t)n;
	}
	f->size += (off_t)len;
	return B_OK;
}

int rte_writer_file(struct rte_writer *w, const char *path, const char *header, struct b_error *err)
{
	struct file *f = &w->files[w->n_files];
	struct b_buf line = B_BUF_INIT;
	int rc;

	B_BUG_ON(w->n_files == FILES_MAX);
	f->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	if (f->fd < 0)
		return b_error_set(err, B_EENV, "cannot create %s: %s", path, strerror(errno));
	f->path = b_strdup(path);
	b_buf_printf(&line, "%s\n", header);
	rc = write_lines(w, f, line.data, line.len);
	b_buf_release(&line);
	w->n_files++;
	if (rc)
		return b_error_set(err, rc, "%s", w->error.text);
	return w->n_files - 1;
}

struct rte_outbox *rte_outbox_new(struct rte_writer *w, int file)
{
	struct rte_outbox *o = b_calloc(1, sizeof *o);

	B_BUG_ON(w->running || file < 0 || file >= w->n_files);
	o->writer = w;
	o->file = file;
	o->next = w->outboxes;
	w->outboxes = o;
	return o;
}

struct b_buf *rte_outbox_buf(struct rte_outbox *o)
{
	return &o->buf[o->filling];
}

bool rte_outbox_flush(struct rte_outbox *o)
{
	if (!o->buf[o->filling].len)
		return true;
	atomic_store_explicit(&o->queued, o->buf[o->filling].len, memory_order_relaxed);
	if (atomic_load_explicit(&o->handed, memory_order_acquire))
		return false;
	o->filling = !o->filling;
	b_buf_clear(&o->buf[o->filling]);
	atomic_store_explicit(&o->handed, true, memory_order_release);
	return true;
}

static void write_batch(struct rte_writer *w, struct rte_outbox *o, struct b_buf *b)
{
	if (b->len && !atomic_load(&w->failed))
		(void)!write_lines(w, &w->files[o->file], b->data, b->len);
}

static void write_handed(struct rte_writer *w)
{
	for (struct rte_outbox *o = w->outboxes; o; o = o->next) {
		if (!atomic_load_explicit(&o->handed, memory_order_acquire))
			continue;
		/* filling may be read: it does not change while the batch is handed over. */
		write_batch(w, o, &o->buf[!o->filling]);
		atomic_store_explicit(&o->queued, 0, memory_order_relaxed);
		atomic_store_explicit(&o->handed, false, memory_order_release);
	}
}

static void *writer_main(void *arg)
{
	struct rte_writer *w = arg;
	bool stop;

	do {
		int64_t until = b_clock_mono_ns() + POLL_NS;
		struct timespec ts = { (time_t)(until / B_NS_PER_S), (long)(until % B_NS_PER_S) };

		pthread_mutex_lock(&w->lock);
		if (!w->stop)
			pthread_cond_timedwait(&w->wake, &w->lock, &ts);
		stop = w->stop;
		pthread_mutex_unlock(&w->lock);
		write_handed(w);
	} while (!stop);
	return NULL;
}

int rte_writer_start(struct rte_writer *w, struct b_error *err)
{
	int rc = pthread_create(&w->thread, NULL, writer_main, w);

	if (rc)
		return b_error_set(
			err, B_EENV, "cannot start the writer of the logs: %s", strerror(rc));
	w->running = true;
	return B_OK;
}

int rte_writer_stop(struct rte_writer *w, struct b_error *err)
{
	if (w->running) {
		pthread_mutex_lock(&w->lock);
		w->stop = true;
		pthread_cond_signal(&w->wake);
		pthread_mutex_unlock(&w->lock);
		pthread_join(w->thread, NULL);
		w->running = false;
	}
	for (struct rte_outbox *o = w->outboxes; o; o = o->next) {
		if (atomic_load(&o->handed))
			write_batch(w, o, &o->buf[!o->filling]);
		atomic_store(&o->handed, false);
		write_batch(w, o, &o->buf[o->filling]);
		b_buf_clear(&o->buf[o->filling]);
	}
	return rte_writer_failed(w, err) ? B_EENV : B_OK;
}

void rte_writer_free(struct rte_writer *w)
{
	if (!w)
		return;
	(void)!rte_writer_stop(w, NULL);
	while (w->outboxes) {
		struct rte_outbox *o = w->outboxes;

		w->outboxes = o->next;
		b_buf_release(&o->buf[0]);
		b_buf_release(&o->buf[1]);
		free(o);
	}
	for (int i = 0; i < w->n_files; i++) {
		close(w->files[i].fd);
		free(w->files[i].path);
	}
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->wake);
	free(w);
}

bool rte_writer_failed(struct rte_writer *w, struct b_error *err)
{
	if (!atomic_load(&w->failed))
		return false;
	pthread_mutex_lock(&w->lock);
	b_error_set(err, w->error.code, "%s", w->error.text);
	pthread_mutex_unlock(&w->lock);
	return true;
}

int rte_writer_lost(const struct rte_writer *w, struct b_error *err)
{
	for (int i = 0; i < w->n_files; i++) {
		const struct file *f = &w->files[i];
		struct stat ours, there;
		int why = stat(f->path, &there) ? errno : 0;

		/* What a network's file system cannot tell for a moment is no loss. */
		if (why ? why != ENOENT && why != ENOTDIR
			: fstat(f->fd, &ours) ||
					(there.st_ino == ours.st_ino &&
						there.st_dev == ours.st_dev))
			continue;
		return b_error_set(err, B_EENV,
			"%s was %s while the run wrote it: what it logs is lost; the run ends here, "
			"run it again and leave its directory where it is",
			f->path, why ? "moved or removed" : "replaced");
	}
	return B_OK;
}

size_t rte_writer_queue_bytes(const struct rte_writer *w)
{
	size_t sum = 0;

	for (const struct rte_outbox *o = w->outboxes; o; o = o->next)
		sum += atomic_load_explicit(&o->queued, memory_order_relaxed);
	return sum;
}
