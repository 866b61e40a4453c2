/*
 * rte/golden.h - golden screens: the files beside a script, and comparing with them.
 *
 * Golden screen NAME of FOLDER/SCRIPT.lua is FOLDER/SCRIPT.golden/NAME.txt, in the format of
 * vscreen/snapshot.h. Where size or TERM matter there are files for them, and the nearest one
 * counts: NAME.TERM.COLSxROWS.txt, NAME.TERM.txt, NAME.COLSxROWS.txt, NAME.txt.
 *
 * A file is read once, however many users compare with it. Nothing here waits or decides when a
 * screen is compared: that is rte/user_golden.c.
 */
#ifndef RTE_GOLDEN_H
#define RTE_GOLDEN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "vscreen/snapshot.h"

struct rte_ask;
struct rte_user;

#define RTE_GOLDEN_SUFFIX ".golden"

/* Those that were read. Thread-safe. */
struct rte_goldens;

/* folder: where the golden screens of all scripts are, a folder each; NULL: beside the scripts. */
struct rte_goldens *rte_goldens_new(const char *folder);
void rte_goldens_free(struct rte_goldens *g); /* NULL accepted */

/* The folder of a script's golden screens, appended. */
void rte_golden_folder(const struct rte_goldens *g, const char *script, struct b_buf *out);

/* A screen that is to be compared or written. */
struct rte_golden_screen {
	const char *script; /* path */
	const char *name;
	const char *term;
	const struct vs_screen *screen;
	struct vs_snapshot_options opt;
};

enum rte_golden_is { RTE_GOLDEN_EQUAL, RTE_GOLDEN_DIFFERS, RTE_GOLDEN_MISSING };

struct rte_golden_result {
	enum rte_golden_is is;
	int n_rows;        /* rows that differ; size, cursor and attributes count as one each */
	char *path;        /* of the file that counts; when missing, that of NAME.txt; owned */
	struct b_buf diff; /* for people: expected and actual, what differs marked */
};

/* B_EINPUT when the file cannot be read or is no golden screen; err names it. */
int rte_golden_compare(struct rte_goldens *g, const struct rte_golden_screen *s,
	struct rte_golden_result *out, struct b_error *err) B_CHECK;
void rte_golden_result_release(struct rte_golden_result *r);

/*
 * Writes the screen, whole or not at all, over the file that counts: rows that still compare
 * equal stay as they are worded. Of another size than that file, or where there is none than the
 * script's own, it becomes a file for its size; with other_term (the TERM is not the script's own)
 * one for its TERM. *path: which; the caller's. B_ESYS.
 */
int rte_golden_write(struct rte_goldens *g, const struct rte_golden_screen *s, bool other_term,
	bool other_size, char **path, struct b_error *err) B_CHECK;

/*
 * What a user in a run or a play makes of a golden screen: B_OK when it is equal, or when there is
 * none (said once); B_EAGAIN when it differs and this is not final; else B_ECHECK with the
 * message, or B_EINPUT.
 */
int rte_golden_check(struct rte_goldens *g, const struct rte_user *u, const struct rte_ask *ask,
	bool final, struct b_error *err) B_CHECK;

/* The masks that hold for a user's golden screen: those set, those of the ask, and the secrets
   that the screen shows. The caller frees the array. */
struct vs_rect *rte_golden_masks(const struct rte_user *u, const struct rte_ask *ask, size_t *n);

#endif
