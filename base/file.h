/*
 * base/file.h - a file whole: read into memory, or written in the place of the one before.
 *
 * What is written is written beside its place under a name of this process and moved there: a reader sees the old
 * text or the new one, and a disk that is full leaves the old one as it was.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

#define B_FILE_MAX ((size_t)1 << 30) /* of what is read whole by default: 1 GiB */

/* Reads all of it behind what out holds; "-" is standard input, which stays open. Blocks. B_EINPUT,
   with the message: it cannot be read, or has more than max bytes, as a device without end has. */
int b_file_read(struct b_buf *out, const char *path, size_t max, struct b_error *err) B_CHECK;

/* For what is read more than once, as scripts and data are: B_EINPUT, with the message, for a pipe or a
   device, which would give nothing the second time, or be waited for for ever. What cannot be looked
   at is left to whoever reads it. Does not wait. */
int b_file_check_again(const char *path, struct b_error *err) B_CHECK;

/* What is no file, as a device or a pipe, is written to in its place. Blocks for as long as the disk
   takes. B_ESYS, with the message, when it cannot be written. */
int b_file_replace(const char *path, const void *data, size_t len, struct b_error *err) B_CHECK;

#endif
