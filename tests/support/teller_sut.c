/*
 * teller_sut - a form that counts, for soaks and tests of many users: one process, epoll.
 *
 *   teller_sut [options]              one session on the terminal it runs on
 *   teller_sut --port N [options]     a server on 127.0.0.1; prints "port N" first (0: any)
 *     --service MS     between Enter and the answer (5)
 *     --totals FILE    append the line of totals there, not to standard output
 *     --keys FILE      append "SESSION MICROSECONDS BYTE" for each key
 *
 * Two fields on 80x24: account (10 digits: user and sequence) and memo (the same backwards). A key
 * is echoed in reverse video at its place, Tab goes to the memo, Enter is answered by "OK nnnnnn"
 * on the status line, where n counts the session's transactions. C-d ends the session.
 *
 * It ends on SIGTERM, or with its one session, with the line of totals:
 *   sessions=N transactions=N keys=N bad=N early=N
 * bad: a memo that does not fit its account, or an account whose sequence does not follow the
 * one before: keys were lost, doubled or out of order. early: keys that came while an answer was
 * due; they are dropped.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define ACCOUNT    10
#define FIELD_MAX  40
#define EVENTS     256
#define C_D        4
#define ROW_FIRST  6 /* of the fields, from 1 */
#define COL_FIELDS 22

struct session {
	int in, out; /* -1: closed */
	int64_t number;
	char field[2][FIELD_MAX];
	int len[2];
	int at;
	bool busy; /* an answer is due; the session stands in the queue */
	bool over; /* closed while it stood there */
	int64_t answer_ns;
	int64_t transactions, sequence;
	struct session *next; /* in the queue */
};

struct server {
	int epoll, door, signals;
	FILE *keys;
	int64_t service_ns;
	struct session *first, *last; /* answers in the order in which they are due */
	int64_t sessions, transactions, n_keys, bad, early;
	bool end;
};

/* What the reader does not take is lost: it is a screenful at most, and sockets hold more. */
static void say(const struct session *s, const char *text, size_t len)
{
	(void)!write(s->out, text, len);
}

static void form_draw(const struct session *s)
{
	static const char form[] =
		"\033[2J\033[1;1H\033[7m Teller \033[0m"
		"\033[6;4HAccount number\033[7;4HMemo\033[24;1HTab: next field  Enter: send"
		"\033[6;22H";

	say(s, form, sizeof form - 1);
}

static void fields_clear(struct session *s)
{
	s->len[0] = s->len[1] = s->at = 0;
}

static void session_new(struct server *v, int in, int out)
{
	struct session *s = b_calloc(1, sizeof *s);
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = s };

	s->in = in;
	s->out = out;
	s->number = ++v->sessions;
	s->sequence = -1;
	fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
	if (epoll_ctl(v->epoll, EPOLL_CTL_ADD, in, &e)) {
		perror("teller_sut: epoll_ctl");
		exit(3);
	}
	form_draw(s);
}

static void session_end(struct server *v, struct session *s)
{
	epoll_ctl(v->epoll, EPOLL_CTL_DEL, s->in, NULL);
	close(s->in);
	s->in = s->out = -1;
	if (v->door < 0)
		v->end = true;
	/* The queue knows it yet. */
	if (s->busy)
		s->over = true;
	else
		free(s);
}

/* Whether the memo is the account backwards, and the account the next of its user. */
static bool fits(struct session *s)
{
	char digits[ACCOUNT + 1];
	int64_t account, sequence;

	if (s->len[0] != ACCOUNT || s->len[1] != ACCOUNT)
		return false;
	for (int i = 0; i < ACCOUNT; i++)
		if (s->field[0][i] != s->field[1][ACCOUNT - 1 - i])
			return false;
	memcpy(digits, s->field[0], ACCOUNT);
	digits[ACCOUNT] = 0;
	if (b_parse_int(digits, 0, INT64_MAX, &account))
		return false;
	sequence = account % 10000;
	if (s->sequence >= 0 && sequence != (s->sequence + 1) % 10000)
		return false;
	s->sequence = sequence;
	return true;
}

static void enter(struct server *v, struct session *s, int64_t now)
{
	if (!fits(s))
		v->bad++;
	s->busy = true;
	s->answer_ns = now + v->service_ns;
	s->next = NULL;
	if (v->last)
		v->last->next = s;
	else
		v->first = s;
	v->last = s;
}

static void answer(struct server *v, struct session *s)
{
	char text[200];
	int n;

	s->busy = false;
	if (s->over) {
		free(s);
		return;
	}
	v->transactions++;
	s->transactions++;
	fields_clear(s);
	n = snprintf(text, sizeof text,
		"\033[%d;%dH\033[K\033[%d;%dH\033[K\033[22;4HOK %06lld\033[%d;%dH", ROW_FIRST,
		COL_FIELDS, ROW_FIRST + 1, COL_FIELDS, (long long)s->transactions, ROW_FIRST,
		COL_FIELDS);
	say(s, text, (size_t)n);
}

static void key(struct server *v, struct session *s, char c, int64_t now)
{
	char text[64];
	int n;

	v->n_keys++;
	if (v->keys)
		fprintf(v->keys, "%lld %lld %d\n", (long long)s->number,
			(long long)(now / B_NS_PER_US), (unsigned char)c);
	if (s->busy) {
		v->early++;
	} else if (c == '\t') {
		s->at = !s->at;
		n = snprintf(text, sizeof text, "\033[%d;%dH", ROW_FIRST + s->at,
			COL_FIELDS + s->len[s->at]);
		say(s, text, (size_t)n);
	} else if (c == '\r') {
		enter(v, s, now);
	} else if (s->len[s->at] < FIELD_MAX) {
		s->field[s->at][s->len[s->at]++] = c;
		n = snprintf(text, sizeof text, "\033[7m%c\033[0m", c);
		say(s, text, (size_t)n);
	}
}

static void session_read(struct server *v, struct session *s)
{
	char bytes[512];
	ssize_t n = read(s->in, bytes, sizeof bytes);
	int64_t now = b_clock_mono_ns();

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] == C_D) {
			n = 0;
			break;
		}
		key(v, s, bytes[i], now);
	}
	if (n <= 0)
		session_end(v, s);
}

static void welcome(struct server *v)
{
	int on = 1, fd;

	while ((fd = accept(v->door, NULL, NULL)) >= 0) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		session_new(v, fd, fd);
	}
}

static void answers_due(struct server *v)
{
	while (v->first && v->first->answer_ns <= b_clock_mono_ns()) {
		struct session *s = v->first;

		v->first = s->next;
		if (!v->first)
			v->last = NULL;
		answer(v, s);
	}
}

static int until_answer_ms(const struct server *v)
{
	int64_t left;

	if (!v->first)
		return -1;
	left = v->first->answer_ns - b_clock_mono_ns();
	return left <= 0 ? 0 : (int)((left + B_NS_PER_MS - 1) / B_NS_PER_MS);
}

static void serve(struct server *v)
{
	struct epoll_event events[EVENTS];

	while (!v->end) {
		int n = epoll_wait(v->epoll, events, EVENTS, until_answer_ms(v));

		for (int i = 0; i < n; i++) {
			if (events[i].data.ptr == &v->signals)
				v->end = true;
			else if (events[i].data.ptr == &v->door)
				welcome(v);
			else
				session_read(v, events[i].data.ptr);
		}
		answers_due(v);
	}
}

static void watch(struct server *v, int fd, void *as)
{
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = as };

	if (fd < 0 || epoll_ctl(v->epoll, EPOLL_CTL_ADD, fd, &e)) {
		perror("teller_sut");
		exit(3);
	}
}

static void door_open(struct server *v, uint16_t port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };
	socklen_t len = sizeof a;
	int on = 1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	v->door = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	setsockopt(v->door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(v->door, (struct sockaddr *)&a, sizeof a) || listen(v->door, 4096) ||
		getsockname(v->door, (struct sockaddr *)&a, &len)) {
		fprintf(stderr, "teller_sut: port %u: %s\n", port, strerror(errno));
		exit(3);
	}
	watch(v, v->door, &v->door);
	printf("port %u\n", ntohs(a.sin_port));
	fflush(stdout);
}

static void terminal_take(struct server *v)
{
	struct termios t;

	if (!tcgetattr(STDIN_FILENO, &t)) {
		t.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG | IEXTEN);
		t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON | ISTRIP);
		t.c_oflag &= ~(tcflag_t)OPOST;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &t);
	}
	session_new(v, STDIN_FILENO, STDOUT_FILENO);
}

static void signals_take(struct server *v)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	v->signals = signalfd(-1, &set, SFD_CLOEXEC);
	watch(v, v->signals, &v->signals);
}

static FILE *file_open(const char *path)
{
	FILE *f = fopen(path, "ae");

	if (!f) {
		fprintf(stderr, "teller_sut: %s: %s\n", path, strerror(errno));
		exit(3);
	}
	return f;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "port", required_argument, NULL, 'p' },
		{ "service", required_argument, NULL, 's' },
		{ "totals", required_argument, NULL, 't' },
		{ "keys", required_argument, NULL, 'k' }, { 0 } };
	struct server v = { .door = -1, .service_ns = 5 * B_NS_PER_MS };
	FILE *totals = stdout;
	int64_t n, port = -1;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == '?' || ((opt == 'p' || opt == 's') && b_parse_int(optarg, 0, 65535, &n)))
			return 2;
		switch (opt) {
		case 'p': port = n; break;
		case 's': v.service_ns = n * B_NS_PER_MS; break;
		case 't': totals = file_open(optarg); break;
		default: v.keys = file_open(optarg); break;
		}
	}
	v.epoll = epoll_create1(EPOLL_CLOEXEC);
	signals_take(&v);
	if (port >= 0)
		door_open(&v, (uint16_t)port);
	else
		terminal_take(&v);
	serve(&v);
	fprintf(totals, "sessions=%lld transactions=%lld keys=%lld bad=%lld early=%lld\n",
		(long long)v.sessions, (long long)v.transactions, (long long)v.n_keys,
		(long long)v.bad, (long long)v.early);
	if (v.keys)
		fclose(v.keys);
	return fclose(totals) ? 3 : 0;
}
