/*
 * rte/view.h - looking over a user's shoulder: what a worker tells of single users, when asked.
 *
 * Whoever looks sets a wish (atomic); the worker sees it in its tick, four times a second at
 * most, copies what is wished for by itself, and hands it over under a lock that it only tries:
 * nothing of this is on the way of a keystroke, and nobody who looks can hold up a worker. Of a
 * screen the worker hands over the sequences that paint it (vs_screen_repaint): nothing that the
 * SUT sent goes through as it came.
 */
#ifndef RTE_VIEW_H
#define RTE_VIEW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "rte/user.h"

struct rte_worker;

#define RTE_VIEWS_MAX 8 /* users that are looked at, at one time */

/* A user in a list. */
struct rte_view_line {
	int64_t number;
	enum rte_user_state state;
	size_t role;
	int64_t session, iteration, failures;
	int64_t waited_ns;       /* of the response under way, else of the last one; -1: none */
	bool waiting;            /* it is under way */
	const char *transaction; /* NULL: none; lives as long as the run's names */
};

/* A user that is looked at. Strings are foreign and cut to size. */
struct rte_view_user {
	struct rte_view_line line;
	enum rte_part part;
	bool in_part;
	char file[200];
	int at_line;      /* of the script; 0: unknown */
	char awaits[600]; /* the condition, or what else it is at */
	int64_t left_ns;  /* until a wait times out or a think time ends; -1: unknown */
	char title[200];  /* of its window */
	char error[400];  /* why its last session failed, or "" */
	int rows, cols;   /* 0: it has no screen */
	uint64_t bytes_in, bytes_out;
};

struct rte_view_slot {
	_Atomic int64_t user; /* 0: free */
	pthread_mutex_t lock;
	uint64_t number; /* counts what was handed over */
	int64_t of;      /* the user that it is of */
	struct rte_view_user info;
	struct b_buf screen;
};

struct rte_view_list {
	pthread_mutex_t lock;
	struct rte_view_line *lines, *filling; /* filling, at, next_ns: the worker's own */
	size_t n, cap, at, filling_cap;
	int64_t next_ns;
	int64_t told_ns; /* when lines were handed over; under the lock */
};

struct rte_views {
	_Atomic bool list_wanted;
	_Atomic int64_t list_since_ns; /* when it was turned on */
	struct rte_view_slot slots[RTE_VIEWS_MAX];
	struct rte_view_list *lists; /* one a worker */
	size_t n_lists;
};

struct rte_views *rte_views_new(size_t n_workers);
void rte_views_free(struct rte_views *v); /* NULL accepted */

/* The worker's part, in its tick. */
void rte_views_serve(struct rte_views *v, struct rte_worker *w, int64_t now);

/* Whether every worker has told its users since the list was wanted. Any other thread. */
bool rte_views_list_ready(struct rte_views *v);
/* Appends all users as they were told last; the caller's, *n of them. Any other thread. */
struct rte_view_line *rte_views_list(struct rte_views *v, size_t *n);

#endif
