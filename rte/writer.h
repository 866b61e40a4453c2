/*
 * rte/writer.h - the thread that writes logs, so that no worker ever waits for a disk.
 *
 * A producer fills an outbox of its own and hands over what it has by rte_outbox_flush, which
 * takes no lock and does not block: while the writer still holds the last batch, the outbox goes
 * on filling. Handed over at least twice a second, nothing on disk is more than a second behind.
 * Batches are whole lines and so are the files, also when the disk is full: a line that did not
 * fit is cut off again, the failure is kept, and later batches are dropped.
 *
 * Order of calls: rte_writer_new, rte_writer_file for each file, rte_outbox_new for each producer
 * and file, rte_writer_start; rte_writer_stop writes the rest; rte_outbox_free, rte_writer_free.
 */
#ifndef RTE_WRITER_H
#define RTE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

struct rte_writer;
struct rte_outbox;

int rte_writer_new(struct rte_writer **out, struct b_error *err) B_CHECK;
/* Creates the file and writes its first line. Returns its number (>= 0) or B_EENV. */
int rte_writer_file(
	struct rte_writer *w, const char *path, const char *header, struct b_error *err) B_CHECK;
int rte_writer_start(struct rte_writer *w, struct b_error *err) B_CHECK;
/* Writes what was handed over and what the outboxes still hold; their producers have ended.
   Returns B_EENV when anything could not be written, now or before. */
int rte_writer_stop(struct rte_writer *w, struct b_error *err) B_CHECK;
void rte_writer_free(struct rte_writer *w); /* stops first; frees the outboxes; NULL accepted */

/* Whether writing has failed; err then says why. Any thread. */
bool rte_writer_failed(struct rte_writer *w, struct b_error *err);
/* Whether a file was removed from its place, or replaced there, since it was made: what is written
   goes where nobody finds it. B_EENV with the message. Looks at the disk. */
int rte_writer_lost(const struct rte_writer *w, struct b_error *err) B_CHECK;
/* Bytes handed over and not yet written, over all outboxes: the queue. Any thread. */
size_t rte_writer_queue_bytes(const struct rte_writer *w);

/* Before rte_writer_start. Belongs to one thread. */
struct rte_outbox *rte_outbox_new(struct rte_writer *w, int file);
/* Where the producer appends whole lines. Valid until the next flush. */
struct b_buf *rte_outbox_buf(struct rte_outbox *o);
/* Hands over. Returns false when the writer still has the last batch: try again later. */
bool rte_outbox_flush(struct rte_outbox *o);

#endif
