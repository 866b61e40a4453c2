#define _GNU_SOURCE /* accept4 */
#include "rte/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/rundir.h"
#include "rte/control_json.h"
#include "rte/control_log.h"
#include "rte/control_socket.h"
#include "rte/run_priv.h"
#include "rte/steer.h"
#include "base/banned.h"

#define CLIENTS_MAX   32
#define REQUEST_MAX   4096
#define UNREAD_MAX    (256 * 1024) /* a client that has so much before it is told nothing more */
#define UNREAD_ENOUGH (32 * 1024)  /* and a screen only when it has less */
#define LIST_MAX      1000
#define LAST_WORDS_NS (200 * B_NS_PER_MS)

struct client {
	struct rte_watch watch;
	struct b_buf in, out;
	char by[24]; /* who steers; "": it may not */
	bool watches, lists;
	bool list_due; /* it waits for its first list */
	enum rte_list_order order;
	size_t list_from, list_n;
	struct rte_view_slot *slot;
	uint64_t seen; /* of the slot */
	uint64_t log_seen;
};

struct rte_control {
	struct rte_run *run;
	char *path;
	struct rte_watch door;
	struct client *clients[CLIENTS_MAX];
	struct rte_control_log *log;
};

/* ---- Clients ---------------------------------------------------------------------------------- */

static void slot_leave(struct rte_control *c, struct client *cl)
{
	struct rte_view_slot *s = cl->slot;

	cl->slot = NULL;
	if (!s)
		return;
	for (size_t i = 0; i < CLIENTS_MAX; i++)
		if (c->clients[i] && c->clients[i]->slot == s)
			return;
	atomic_store(&s->user, 0);
}

static void list_want(struct rte_control *c)
{
	struct rte_views *v = c->run->shared.views;
	bool any = false;

	for (size_t i = 0; i < CLIENTS_MAX; i++)
		any = any || (c->clients[i] && c->clients[i]->lists);
	if (any && !atomic_load(&v->list_wanted))
		atomic_store(&v->list_since_ns, b_clock_mono_ns());
	atomic_store(&v->list_wanted, any);
}

static void client_drop(struct rte_control *c, struct client *cl)
{
	int fd = cl->watch.fd; /* the loop forgets it */

	for (size_t i = 0; i < CLIENTS_MAX; i++)
		if (c->clients[i] == cl)
			c->clients[i] = NULL;
	slot_leave(c, cl);
	list_want(c);
	rte_loop_drop(c->run->loop, &cl->watch);
	close(fd);
	b_buf_release(&cl->in);
	b_buf_release(&cl->out);
	free(cl);
}

/* Writes what the socket takes. false: the client is gone. */
static bool client_flush(struct rte_control *c, struct client *cl)
{
	while (cl->out.len) {
		ssize_t n =
			send(cl->watch.fd, cl->out.data, cl->out.len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return false;
		if (n < 0)
			break;
		b_buf_consume(&cl->out, (size_t)n);
	}
	return !rte_loop_watch(c->run->loop, &cl->watch, cl->watch.fd,
		RTE_WATCH_READ | (cl->out.len ? RTE_WATCH_WRITE : 0));
}

static int add(const char *bytes, size_t len, void *to)
{
	b_buf_add(to, bytes, len);
	return 0;
}

/* Takes o. What is told unasked is left out for a client that does not read. */
static void tell(struct client *cl, json_t *o, size_t most_unread)
{
	if (cl->out.len <= most_unread) {
		json_dump_callback(o, add, &cl->out, JSON_COMPACT);
		b_buf_addc(&cl->out, '\n');
	}
	json_decref(o);
}

static void reply(struct client *cl, bool ok, const char *text)
{
	json_t *o = json_object();

	json_object_set_new(o, "type", json_string("reply"));
	json_object_set_new(o, "ok", json_boolean(ok));
	json_object_set_new(o, "text", json_string(text));
	tell(cl, o, SIZE_MAX);
}

/* ---- Requests ---------------------------------------------------------------------------------- */

static void steer(struct rte_control *c, struct client *cl, const char *act)
{
	struct b_buf said = B_BUF_INIT;
	struct b_error err = { 0 };

	if (!*cl->by)
		reply(cl, false, "this is for looking only; ask for control first");
	else if (rte_steer(c->run, act, cl->by, &said, &err))
		reply(cl, false, err.text);
	else
		reply(cl, true, b_buf_cstr(&said));
	b_buf_release(&said);
}

static void control(struct client *cl, const char *by)
{
	static const char *const known[] = { "ctl", "display", "watch" };

	for (size_t i = 0; i < B_ARRAY_LEN(known); i++) {
		if (strcmp(by, known[i]))
			continue;
		snprintf(cl->by, sizeof cl->by, "%s", by);
		reply(cl, true, "you have control");
		return;
	}
	reply(cl, false, "control BY: BY is ctl, display or watch");
}

static void list_now(struct rte_control *c, struct client *cl)
{
	size_t n;
	struct rte_view_line *lines;

	cl->list_due = !rte_views_list_ready(c->run->shared.views);
	if (cl->list_due)
		return; /* told as soon as there is one: an empty list would be a lie */
	lines = rte_views_list(c->run->shared.views, &n);
	tell(cl, rte_control_list_json(c->run, lines, n, cl->order, cl->list_from, cl->list_n),
		UNREAD_MAX);
	free(lines);
}

static void list(struct rte_control *c, struct client *cl, const char *text)
{
	static const char *const orders[] = { "number", "slow", "failed" };
	char order[16];
	unsigned long from, n;

	if (!strcmp(text, "off")) {
		cl->lists = false;
		list_want(c);
		return;
	}
	if (sscanf(text, "%15s %lu %lu", order, &from, &n) != 3) {
		reply(cl, false, "list ORDER FROM COUNT, or list off");
		return;
	}
	for (size_t i = 0; i < B_ARRAY_LEN(orders); i++) {
		if (strcmp(order, orders[i]))
			continue;
		cl->order = (enum rte_list_order)i;
		cl->list_from = from;
		cl->list_n = n < LIST_MAX ? n : LIST_MAX;
		cl->lists = true;
		list_want(c);
		list_now(c, cl);
		return;
	}
	reply(cl, false, "list: ORDER is number, slow or failed");
}

static void look_at(struct rte_control *c, struct client *cl, const char *text)
{
	struct rte_views *v = c->run->shared.views;
	struct rte_view_slot *free_slot = NULL;
	int64_t user, made = 0;

	for (size_t i = 0; i < c->run->n_workers; i++)
		for (int k = 0; k < RTE_N_SHOWN; k++)
			made += rte_stat_get(&c->run->workers[i]->stats.users[k]);
	if (b_parse_int(text, 0, made, &user)) {
		char why[80];

		snprintf(why, sizeof why, "user: a number from 1 to %lld", (long long)made);
		reply(cl, false, why);
		return;
	}
	slot_leave(c, cl);
	for (size_t i = 0; user && i < RTE_VIEWS_MAX && !cl->slot; i++) {
		int64_t at = atomic_load(&v->slots[i].user);

		if (at == user)
			cl->slot = &v->slots[i];
		else if (!at && !free_slot)
			free_slot = &v->slots[i];
	}
	if (user && !cl->slot) {
		if (!free_slot) {
			reply(cl, false, "too many look at users; try again later");
			return;
		}
		cl->slot = free_slot;
		atomic_store(&free_slot->user, user);
	}
	cl->seen = 0;
}

static const char *after(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) ? NULL : line + n;
}

static void request(struct rte_control *c, struct client *cl, const char *line, int64_t now)
{
	const char *rest;

	if ((rest = after(line, "control ")))
		control(cl, rest);
	else if (!strcmp(line, "state"))
		tell(cl, rte_control_state_json(c->run, now), UNREAD_MAX);
	else if (!strcmp(line, "watch")) {
		cl->watches = true;
		tell(cl, rte_control_state_json(c->run, now), UNREAD_MAX);
	} else if ((rest = after(line, "list ")))
		list(c, cl, rest);
	else if ((rest = after(line, "user ")))
		look_at(c, cl, rest);
	else
		steer(c, cl, line);
}

/* false: the client is gone, or says nonsense without end. */
static bool client_read(struct rte_control *c, struct client *cl, int64_t now)
{
	char bytes[REQUEST_MAX], *end;
	ssize_t n = recv(cl->watch.fd, bytes, sizeof bytes, MSG_DONTWAIT);

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	b_buf_add(&cl->in, bytes, (size_t)n);
	while (cl->in.len && (end = memchr(cl->in.data, '\n', cl->in.len))) {
		*end = 0;
		request(c, cl, cl->in.data, now);
		b_buf_consume(&cl->in, (size_t)(end - cl->in.data) + 1);
	}
	return cl->in.len < REQUEST_MAX && cl->out.len < 16 * UNREAD_MAX;
}

static void welcome(struct rte_control *c)
{
	int fd = accept4(c->door.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct client *cl;

	if (fd < 0)
		return;
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		if (c->clients[i])
			continue;
		cl = b_calloc(1, sizeof *cl);
		cl->watch = (struct rte_watch){ .fd = -1, .owner = cl };
		if (rte_loop_watch(c->run->loop, &cl->watch, fd, RTE_WATCH_READ)) {
			free(cl);
			break;
		}
		cl->watch.fd = fd;
		cl->log_seen = rte_control_log_count(c->log);
		c->clients[i] = cl;
		return;
	}
	close(fd);
}

bool rte_control_ready(struct rte_control *c, struct rte_watch *w, unsigned what, int64_t now)
{
	struct client *cl;
	bool stays = true;

	if (!c || !w)
		return false;
	if (w == &c->door) {
		welcome(c);
		return true;
	}
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		cl = c->clients[i];
		if (!cl || w != &cl->watch)
			continue;
		if (what & (RTE_WATCH_READ | RTE_WATCH_GONE))
			stays = client_read(c, cl, now);
		if (!stays || !client_flush(c, cl))
			client_drop(c, cl);
		return true;
	}
	return false;
}

/* ---- Telling ----------------------------------------------------------------------------------- */

static void flush_all(struct rte_control *c)
{
	for (size_t i = 0; i < CLIENTS_MAX; i++)
		if (c->clients[i] && c->clients[i]->out.len && !client_flush(c, c->clients[i]))
			client_drop(c, c->clients[i]);
}

static void tell_user(struct rte_control *c, struct client *cl)
{
	struct rte_view_slot *s = cl->slot;
	json_t *o = NULL;

	if (!s || cl->out.len > UNREAD_ENOUGH)
		return;
	pthread_mutex_lock(&s->lock);
	if (s->number != cl->seen && s->of == atomic_load(&s->user)) {
		o = rte_control_user_json(c->run, s);
		cl->seen = s->number;
	}
	pthread_mutex_unlock(&s->lock);
	if (o)
		tell(cl, o, UNREAD_MAX);
}

static void tell_log(struct rte_control *c, struct client *cl)
{
	json_t *o, *lines;

	if (!cl->watches || cl->out.len > UNREAD_MAX)
		return;
	lines = rte_control_log_since(c->log, &cl->log_seen);
	if (!lines)
		return;
	o = json_object();
	json_object_set_new(o, "type", json_string("log"));
	json_object_set_new(o, "lines", lines);
	tell(cl, o, SIZE_MAX);
}

void rte_control_look(struct rte_control *c, int64_t now)
{
	(void)now;
	for (size_t i = 0; c && i < CLIENTS_MAX; i++) {
		if (!c->clients[i])
			continue;
		tell_user(c, c->clients[i]);
		tell_log(c, c->clients[i]);
		if (c->clients[i]->lists && c->clients[i]->list_due)
			list_now(c, c->clients[i]);
	}
	if (c)
		flush_all(c);
}

void rte_control_second(struct rte_control *c, int64_t now)
{
	json_t *state = NULL;

	for (size_t i = 0; c && i < CLIENTS_MAX; i++) {
		struct client *cl = c->clients[i];

		if (!cl)
			continue;
		if (cl->watches && !state)
			state = rte_control_state_json(c->run, now);
		if (cl->watches)
			tell(cl, json_incref(state), UNREAD_MAX);
		if (cl->lists)
			list_now(c, cl);
	}
	json_decref(state);
	if (c)
		flush_all(c);
}

/* ---- Beginning and end --------------------------------------------------------------------------- */

void rte_control_log_take(struct rte_control *c, bool on)
{
	if (c)
		rte_control_log_redirect(c->log, on);
}

int rte_control_new(struct rte_control **out, struct rte_run *r, struct b_error *err)
{
	struct rte_control *c = b_calloc(1, sizeof *c);
	struct b_buf path = B_BUF_INIT;
	int fd;

	b_buf_printf(&path, "%s/%s", r->opt->dir, RUNDIR_CONTROL_SOCKET);
	c->path = b_buf_take(&path, NULL);
	c->run = r;
	c->door.fd = -1;
	if (rte_control_socket_open(r->opt->dir, c->path, &fd) ||
		rte_loop_watch(r->loop, &c->door, fd, RTE_WATCH_READ)) {
		b_error_set(err, B_EENV, "cannot make %s: %s; the run cannot be watched or steered",
			c->path, strerror(errno));
		free(c->path);
		free(c);
		return B_EENV;
	}
	c->door.fd = fd;
	c->log = rte_control_log_new();
	*out = c;
	return B_OK;
}

/* Blocks for a moment at most: who does not read then is not told. */
static void say_end(struct client *cl)
{
	struct timeval patience = { 0, LAST_WORDS_NS / B_NS_PER_US };
	json_t *o = json_object();
	int flags = fcntl(cl->watch.fd, F_GETFL);

	json_object_set_new(o, "type", json_string("end"));
	tell(cl, o, SIZE_MAX);
	fcntl(cl->watch.fd, F_SETFL, flags & ~O_NONBLOCK);
	setsockopt(cl->watch.fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	(void)!send(cl->watch.fd, cl->out.data, cl->out.len, MSG_NOSIGNAL);
}

void rte_control_end(struct rte_control *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		if (!c->clients[i])
			continue;
		tell_log(c, c->clients[i]);
		say_end(c->clients[i]);
		client_drop(c, c->clients[i]);
	}
}

void rte_control_free(struct rte_control *c)
{
	int fd;

	if (!c)
		return;
	rte_control_end(c);
	rte_control_log_free(c->log);
	fd = c->door.fd;
	rte_loop_drop(c->run->loop, &c->door);
	close(fd);
	unlink(c->path);
	free(c->path);
	free(c);
}
