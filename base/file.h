/*
 * base/file.h - a file that is written whole and takes the place of the one before.
 *
 * Written beside its place under a name of this process and moved there: a reader sees the old
 * text or the new one, and a disk that is full leaves the old one as it was.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

#include "base/error.h"

/* Blocks for as long as the disk takes. B_ESYS, with the message, when it cannot be written. */
int b_file_replace(const char *path, const void *data, size_t len, struct b_error *err) B_CHECK;

#endif
