/*
 * capture/secret_priv.h - the insides of capture/secret*.c.
 *
 *   secret.c        what is typed, cut into runs; what time does
 *   secret_judge.c  a run judged by how its row changes
 *   secret_queue.c  what was typed, in order, until it is decided; names of secrets
 *
 * Typed characters are gathered in runs: those between two keys that are no characters. The
 * first run that is not decided yet is judged; those behind it wait. Pieces (what was typed, in
 * order) leave at the front as their runs are decided.
 */
#ifndef CAPTURE_SECRET_PRIV_H
#define CAPTURE_SECRET_PRIV_H

#include "base/buf.h"
#include "base/clock.h"
#include "capture/label.h"
#include "capture/secret.h"
#include "capture/typed.h"

enum sec_verdict { SEC_UNKNOWN, SEC_KEYS, SEC_SECRET, SEC_DROPPED };

struct sec_run {
	struct sec_run *next;
	size_t pieces; /* in the queue */
	enum sec_verdict verdict;
	bool open, announced;
	bool unsettled; /* begun so soon after output or a key that its field may be elsewhere */
	bool line, told, labelled; /* what speaks for a secret */
	bool erased;               /* the next change of the row may be an erasure's */
	bool masked;               /* a mask was painted, even if it is erased by now */
	bool any;                  /* a character was typed, even if it is erased by now */
	int64_t first_ns;
	int64_t last_ns;      /* of its last key, or of the closing one */
	int64_t elsewhere_ns; /* when the screen then first changed outside of its row; -1: not yet */
	/* The field when all that was judged had been painted. */
	bool based;
	int row, col;
	uint32_t *base; /* the row's characters */
	int base_cols;
	uint64_t base_changes; /* of the screen */
	/* Characters that nothing is known of yet. */
	uint32_t *typed;
	size_t n_typed, typed_cap;
	/* Those that were masked. */
	size_t painted;
	uint32_t mask, distinct[3]; /* up to three different characters that it stood for */
	size_t n_distinct;
	bool differs; /* it stood for another character than itself and a blank */
	struct b_buf name;
};

struct sec_piece {
	struct sec_run *run; /* NULL: a key */
	int64_t at_ns;
	unsigned read; /* number of the read it came with */
	char *bytes;
	size_t len;
};

/* A secret that has its name: another one by that label gets another name. */
struct sec_known {
	char *name;
	uint64_t hash; /* of what was typed, by hash_key, which no file holds */
};

struct cap_secret {
	struct cap_secret_options opt;
	struct cap_secret_labels *labels;
	struct cap_typed_state typed;
	struct sec_run *head, *tail; /* those with pieces in the queue, and the open one */
	struct sec_run *open;        /* the run that the next character joins; or NULL */
	struct sec_piece *queue;
	size_t n_queue, queue_cap;
	unsigned read;
	uint64_t changes; /* of the screen, when it was last looked at */
	int64_t shown_ns; /* when they changed last */
	int64_t key_ns;   /* of the last key that is no character */
	bool told;
	struct sec_known *known; /* secrets that were named */
	size_t n_known;
	uint64_t hash_key;
};

/* ---- secret_queue.c ---------------------------------------------------------------------- */

void sec_queue_add(
	struct cap_secret *s, struct sec_run *r, int64_t at_ns, const char *bytes, size_t len);
/* Gives away what is decided; a read that is keys as a whole stays one event. */
void sec_queue_emit(struct cap_secret *s);
void sec_queue_release(struct cap_secret *s);
void sec_run_free(struct sec_run *r);

/* ---- secret_judge.c ---------------------------------------------------------------------- */

/* The run sees the screen for the first time. */
void sec_look(struct cap_secret *s, struct sec_run *r);
/* Its name and whether its label asks for a secret, by where the cursor is. */
void sec_name_it(struct cap_secret *s, struct sec_run *r);
void sec_judge(struct cap_secret *s, struct sec_run *r, int64_t at_ns, bool hidden);
/* The run is over; nothing more can be learnt. */
void sec_conclude(struct sec_run *r);
bool sec_waits_for_answer(const struct sec_run *r);

#endif
