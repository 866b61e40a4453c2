/*
 * rte/recording.h - the files of a recording: NAME.cast and NAME.lua.
 *
 * What is there already is never lost: it becomes PATH~.
 */
#ifndef RTE_RECORDING_H
#define RTE_RECORDING_H

#include "base/buf.h"
#include "base/error.h"

/* Appends name without an ending that is ours (.cast, .lua). */
void rte_recording_name(struct b_buf *out, const char *name);

/* B_ESYS, and said, when a folder stands at path: no file can. */
int rte_recording_no_folder(const char *path) B_CHECK;

/* B_EUSAGE, and said, when what is to be written is the recording that it is made of. */
int rte_recording_itself(const char *path, const char *recording) B_CHECK;

/* Renames what stands at path to PATH~, and says so. B_ESYS, said too, when it cannot, or when
   that is a folder. */
int rte_recording_keep_old(const char *path) B_CHECK;
/* Takes the old one back, if nothing stands at path. */
void rte_recording_restore_old(const char *path);

/* Makes the script of a trace, with warnings and errors said. A negative enum b_status: none. */
int rte_recording_write_script(
	const char *trace_path, const char *base, const char *script_path) B_CHECK;

/* Says each line of text as a warning. */
void rte_recording_warn(const struct b_buf *text);

#endif
