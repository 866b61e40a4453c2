/*
 * The ssh: line, by libssh, without waiting: connect, check the host's key, authenticate, open
 * a channel, ask for a pty and a shell (or ?command=). The key exchange's arithmetic runs inside
 * one call and takes a few milliseconds: ramp up before measuring.
 *
 * libssh reads the socket in whatever call it likes, so what came in may lie here while the
 * socket has nothing to read. It is kept in `in`, and the line then says that it holds something.
 * What it sends it queues without bound: its counters tell how much that is.
 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <errno.h>
#include <fcntl.h>
#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h> /* ssh_send_keepalive, ssh_set_message_callback */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "line/dial.h"
#include "line/ops.h"
#include "line/query.h"
#include "base/banned.h"

#define TIMEOUT_NS   (30 * B_NS_PER_S)
#define KEEPALIVE_NS (30 * B_NS_PER_S)

#define OPENING_MAX  (1 << 20) /* what a server may send before the line is open */
#define QUEUED_MAX   65536     /* what is queued before the caller has to wait */
#define OWED_MAX     (1 << 20) /* of answers that the server asked for and does not take */
#define PACKET_BYTES 64        /* about what the wire adds to each */

enum step {
	STEP_DIAL,
	STEP_CONNECT,
	STEP_HOST,
	STEP_NONE,
	STEP_KEY,
	STEP_PASSWORD,
	STEP_INTERACTIVE,
	STEP_CHANNEL,
	STEP_PTY,
	STEP_SHELL,
	STEP_OPEN
};

struct ssh_line {
	struct ln_line base;
	struct ln_dial *dial;
	ssh_session session;
	ssh_channel channel;
	struct ssh_channel_callbacks_struct callbacks;
	struct b_buf in; /* what came and nobody has read; as much as libssh takes in one call */
	struct ssh_counter_struct wire, packets;           /* since the session began */
	struct ssh_counter_struct wire_then, packets_then; /* when nothing was queued */
	enum step step;
	unsigned methods; /* that the server offers */
	bool has_asked;   /* the interactive questions were answered once */
	char *term, *user, *password, *command;
	bool verify;
	int rows, cols;
	int64_t deadline_ns;
};

static const char *const query_names[] = { "key", "known_hosts", "verify", "command",
	LN_QUERY_ALIVE, NULL };

static int ssh_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	int rc = ln_parse_host(t, rest, "22", true, err);

	if (!rc)
		rc = ln_query_check(t->query, query_names, err);
	return rc ? rc : ln_query_verify(t->query, err);
}

/* ---- Opening ------------------------------------------------------------------------------ */

static int set_options(
	struct ssh_line *s, const struct ln_options *opt, const char *query, struct b_error *err)
{
	const struct ln_target *t = opt->target;
	char *key = ln_query_get(query, "key");
	char *hosts = ln_query_get(query, "known_hosts");
	char *host = ln_expand(t->host, opt->user), *port = ln_expand(t->port, opt->user);
	int no = 0, rc = B_OK;

	/* The person's ~/.ssh/config would make a run depend on who starts it. */
	(void)ssh_options_set(s->session, SSH_OPTIONS_PROCESS_CONFIG, &no);
	if (ssh_options_set(s->session, SSH_OPTIONS_HOST, host) ||
		ssh_options_set(s->session, SSH_OPTIONS_PORT_STR, port) ||
		(s->user && ssh_options_set(s->session, SSH_OPTIONS_USER, s->user)) ||
		(key && ssh_options_set(s->session, SSH_OPTIONS_ADD_IDENTITY, key)) ||
		(hosts && ssh_options_set(s->session, SSH_OPTIONS_KNOWNHOSTS, hosts)))
		rc = b_error_set(err, B_EUSAGE, "%s", ssh_get_error(s->session));
	free(key);
	free(hosts);
	free(host);
	free(port);
	return rc;
}

/* What the server wants of us (channels, forwarding) is refused, or libssh would keep it all. */
static int on_request(ssh_session session, ssh_message message, void *user)
{
	(void)session;
	(void)user;
	(void)ssh_message_reply_default(message);
	return 0;
}

static int ssh_drive(struct ln_line *l, struct b_error *err);

static int ssh_open(struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	struct ssh_line *s = (struct ssh_line *)l;
	const char *password = opt->secret ? opt->secret(opt->secret_user, "password") : NULL;
	char *query = opt->target->query ? ln_expand(opt->target->query, opt->user) : NULL;
	char *verify = ln_query_get(query, "verify");
	int rc;

	s->term = b_strdup(opt->term);
	s->user = opt->target->user ? ln_expand(opt->target->user, opt->user) : NULL;
	s->password = password ? b_strdup(password) : NULL;
	s->command = ln_query_get(query, "command");
	s->verify = !verify || strcmp(verify, "no");
	free(verify);
	s->rows = opt->rows;
	s->cols = opt->cols;
	s->deadline_ns = b_clock_mono_ns() +
		(opt->connect_timeout_ns > 0 ? opt->connect_timeout_ns : TIMEOUT_NS);
	s->session = ssh_new();
	B_BUG_ON(!s->session);
	ssh_set_counters(s->session, &s->wire, &s->packets);
	ssh_set_message_callback(s->session, on_request, NULL);
	rc = set_options(s, opt, query, err);
	free(query);
	if (!rc)
		rc = ln_dial_start(&s->dial, l, opt, err);
	if (rc && rc != B_EAGAIN)
		return rc;
	l->state = LN_CONNECTING;
	return rc ? B_OK : ssh_drive(l, err);
}

static int failed(const struct ssh_line *s, const char *what, struct b_error *err)
{
	return b_error_set(err, B_EENV, "%s: %s", what, ssh_get_error(s->session));
}

/* The socket is libssh's from here on, and the line's to watch: each has a descriptor of it. */
static int take_socket(struct ssh_line *s, struct b_error *err)
{
	socket_t fd = dup(s->base.fd);

	ln_dial_free(s->dial);
	s->dial = NULL;
	if (fd < 0 || ssh_options_set(s->session, SSH_OPTIONS_FD, &fd)) {
		if (fd >= 0)
			close(fd);
		return b_error_set(err, B_EENV, "no descriptor left for ssh; raise ulimit -n");
	}
	ssh_set_blocking(s->session, 0);
	s->step = STEP_CONNECT;
	return B_OK;
}

static int check_host(struct ssh_line *s, struct b_error *err)
{
	if (!s->verify)
		return B_OK;
	switch (ssh_session_is_known_server(s->session)) {
	case SSH_KNOWN_HOSTS_OK: return B_OK;
	case SSH_KNOWN_HOSTS_CHANGED:
	case SSH_KNOWN_HOSTS_OTHER:
		return b_error_set(err, B_EENV,
			"the SUT's host key is not the one that is known: this may be an attack, or "
			"a new machine; correct known_hosts");
	case SSH_KNOWN_HOSTS_UNKNOWN:
	case SSH_KNOWN_HOSTS_NOT_FOUND:
		return b_error_set(err, B_EENV,
			"the SUT's host key is not known; add it with ssh-keyscan to known_hosts, name "
			"a file with ?known_hosts=FILE, or trust anybody with ?verify=no");
	default: return failed(s, "known_hosts cannot be read", err);
	}
}

/* The next way to authenticate after `from`; STEP_CHANNEL never: B_EENV when none is left. */
static int next_method(struct ssh_line *s, enum step from, struct b_error *err)
{
	if (from == STEP_NONE)
		s->methods = (unsigned)ssh_userauth_list(s->session, NULL);
	if (from < STEP_KEY && s->methods & SSH_AUTH_METHOD_PUBLICKEY)
		s->step = STEP_KEY;
	else if (from < STEP_PASSWORD && s->password && s->methods & SSH_AUTH_METHOD_PASSWORD)
		s->step = STEP_PASSWORD;
	else if (from < STEP_INTERACTIVE && s->password && s->methods & SSH_AUTH_METHOD_INTERACTIVE)
		s->step = STEP_INTERACTIVE;
	else
		return b_error_set(err, B_EENV, "the SUT refuses user %s: %s",
			s->user ? s->user : "(the present one)",
			s->password ? "the keys and the password are not accepted"
				    : "no key is accepted and there is no password; give a key "
				      "with ?key=FILE or a password in RTE_SECRET_PASSWORD");
	return B_OK;
}

static int interactive(struct ssh_line *s)
{
	int rc = ssh_userauth_kbdint(s->session, NULL, NULL);

	if (rc != SSH_AUTH_INFO)
		return rc;
	if (ssh_userauth_kbdint_getnprompts(s->session) > 0) {
		if (s->has_asked)
			return SSH_AUTH_DENIED;
		s->has_asked = true;
		(void)ssh_userauth_kbdint_setanswer(s->session, 0, s->password);
	}
	return SSH_AUTH_INFO;
}

static int authenticate(struct ssh_line *s, struct b_error *err)
{
	enum step from = s->step;
	int rc;

	switch (from) {
	case STEP_NONE: rc = ssh_userauth_none(s->session, NULL); break;
	case STEP_KEY: rc = ssh_userauth_publickey_auto(s->session, NULL, NULL); break;
	case STEP_PASSWORD: rc = ssh_userauth_password(s->session, NULL, s->password); break;
	default: rc = interactive(s); break;
	}
	switch (rc) {
	case SSH_AUTH_AGAIN: return B_EAGAIN;
	case SSH_AUTH_INFO: return B_OK;
	case SSH_AUTH_SUCCESS: s->step = STEP_CHANNEL; return B_OK;
	case SSH_AUTH_ERROR: return failed(s, "ssh authentication broke off", err);
	default: return next_method(s, from, err);
	}
}

/* Takes all: a window that stays open is the least that a person's client does. */
static int on_data(ssh_session session, ssh_channel channel, void *data, uint32_t len,
	int is_stderr, void *user)
{
	struct ssh_line *s = user;

	(void)session;
	(void)channel;
	(void)is_stderr; /* with a terminal there is one stream */
	b_buf_add(&s->in, data, len);
	return (int)len;
}

static void make_channel(struct ssh_line *s)
{
	s->channel = ssh_channel_new(s->session);
	B_BUG_ON(!s->channel);
	s->callbacks = (struct ssh_channel_callbacks_struct){
		.userdata = s,
		.channel_data_function = on_data,
	};
	ssh_callbacks_init(&s->callbacks);
	B_BUG_ON(ssh_set_channel_callbacks(s->channel, &s->callbacks));
}

static int no_ssh(const struct ssh_line *s, struct b_error *err)
{
	const char *why = ssh_get_error(s->session);

	return b_error_set(err, B_EENV, "no ssh with the SUT: %s; %s", why,
		strstr(why, "Socket error")
			? "a server that lets only few begin at once (MaxStartups) cuts the others "
			  "off: spread them with --ramp"
			: "is it an ssh port?");
}

/* One step towards an open channel. 0: on to the next; B_EAGAIN: wait; else it failed. */
static int step(struct ssh_line *s, struct b_error *err)
{
	int rc;

	switch (s->step) {
	case STEP_DIAL:
		rc = s->dial ? ln_dial_drive(s->dial, &s->base, err) : B_OK;
		return rc ? rc : take_socket(s, err);
	case STEP_CONNECT:
		rc = ssh_connect(s->session);
		/* libssh makes it blocking; then a server that takes nothing would hold us up. */
		(void)fcntl(s->base.fd, F_SETFL, O_NONBLOCK);
		if (rc == SSH_ERROR)
			return no_ssh(s, err);
		break;
	case STEP_HOST: rc = check_host(s, err); break;
	case STEP_NONE:
	case STEP_KEY:
	case STEP_PASSWORD:
	case STEP_INTERACTIVE: return authenticate(s, err);
	case STEP_CHANNEL:
		if (!s->channel)
			make_channel(s);
		rc = ssh_channel_open_session(s->channel);
		if (rc == SSH_ERROR)
			return failed(s, "the SUT opens no session", err);
		break;
	case STEP_PTY:
		rc = ssh_channel_request_pty_size(s->channel, s->term, s->cols, s->rows);
		if (rc == SSH_ERROR)
			return failed(s, "the SUT gives no terminal", err);
		break;
	default:
		rc = s->command ? ssh_channel_request_exec(s->channel, s->command)
				: ssh_channel_request_shell(s->channel);
		if (rc == SSH_ERROR)
			return failed(s, "the SUT starts no shell", err);
		break;
	}
	if (rc == SSH_AGAIN)
		return B_EAGAIN;
	if (rc == B_OK)
		s->step++;
	return rc;
}

static bool has_ended(const struct ssh_line *s)
{
	return s->step == STEP_OPEN &&
		(ssh_channel_is_eof(s->channel) || ssh_channel_is_closed(s->channel));
}

/* Once the channel has ended libssh does not look at the socket, and would call for ever. */
static bool sends(const struct ssh_line *s)
{
	return !has_ended(s) && ssh_get_poll_flags(s->session) & SSH_WRITE_PENDING;
}

static unsigned wants(struct ssh_line *s)
{
	unsigned w = sends(s) ? LN_WANT_WRITE : 0;

	if (s->step != STEP_OPEN)
		return w;
	s->base.shut = !ssh_channel_window_size(s->channel);
	if (s->in.len || has_ended(s))
		w |= LN_WANT_HELD;
	return w;
}

/* How many bytes libssh has yet to send, more or less. */
static uint64_t queued(struct ssh_line *s)
{
	uint64_t made, sent;

	if (!sends(s)) {
		s->wire_then = s->wire;
		s->packets_then = s->packets;
		return 0;
	}
	made = s->packets.out_bytes - s->packets_then.out_bytes +
		PACKET_BYTES * (s->packets.out_packets - s->packets_then.out_packets);
	sent = s->wire.out_bytes - s->wire_then.out_bytes;
	return made > sent ? made - sent : 0;
}

/* The caller's own bytes are never so many. */
static int check_owed(struct ssh_line *s, struct b_error *err)
{
	if (queued(s) <= OWED_MAX)
		return B_OK;
	return b_error_set(
		err, B_EENV, "the SUT asks for answers faster than it takes them; the line is cut");
}

static int broke(const struct ssh_line *s, struct b_error *err)
{
	/* libssh's own words for it are less clear. */
	if (errno == ETIMEDOUT)
		return ln_lost(&s->base, err);
	return failed(s, "the ssh connection broke", err);
}

/* After each write only a look at the socket makes libssh notice that it takes bytes again; until
   then it calls for one, and holds the next ones back. */
static void notice(struct ssh_line *s)
{
	if (sends(s))
		(void)ssh_channel_poll(s->channel, 0);
}

/* Sends what libssh holds back, and a sign of life when it is time for one. */
static int ssh_tend(struct ssh_line *s, struct b_error *err)
{
	int64_t now = b_clock_mono_ns();

	if (now >= s->base.due_ns) {
		s->base.due_ns = now + KEEPALIVE_NS;
		(void)ssh_send_keepalive(s->session);
	}
	errno = 0;
	if (ssh_blocking_flush(s->session, 0) == SSH_ERROR)
		return broke(s, err);
	notice(s);
	s->base.wants = wants(s);
	return check_owed(s, err);
}

static int ssh_drive(struct ln_line *l, struct b_error *err)
{
	struct ssh_line *s = (struct ssh_line *)l;
	int rc = B_OK;

	if (l->state == LN_OPEN)
		return ssh_tend(s, err);
	while (!rc && s->step != STEP_OPEN)
		rc = step(s, err);
	if (rc == B_EAGAIN && s->wire.in_bytes > OPENING_MAX)
		rc = b_error_set(err, B_EENV,
			"no ssh with the SUT: it sends without end and never comes to the point; is "
			"it an ssh port?");
	if (!rc) {
		l->state = LN_OPEN;
		l->wants = wants(s);
		l->due_ns = b_clock_mono_ns() + KEEPALIVE_NS;
		return B_OK;
	}
	if (rc == B_EAGAIN && s->step == STEP_DIAL)
		return B_OK;
	if (rc == B_EAGAIN && b_clock_mono_ns() >= s->deadline_ns)
		rc = b_error_set(err, B_EENV, "the SUT's ssh server does not answer in time");
	if (rc == B_EAGAIN) {
		l->wants = LN_WANT_READ | wants(s);
		l->due_ns = s->deadline_ns;
		return B_OK;
	}
	l->state = LN_CLOSED;
	return rc;
}

/* ---- Open --------------------------------------------------------------------------------- */

static ssize_t take_in(struct ssh_line *s, char *buf, size_t cap)
{
	size_t n = cap < s->in.len ? cap : s->in.len;

	memcpy(buf, s->in.data, n);
	b_buf_consume(&s->in, n);
	s->base.wants = wants(s);
	return (ssize_t)n;
}

static ssize_t ssh_line_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	struct ssh_line *s = (struct ssh_line *)l;
	int rc;

	if (s->in.len)
		return take_in(s, buf, cap);
	errno = 0;
	rc = ssh_channel_poll(s->channel, 0);
	l->wants = wants(s);
	if (check_owed(s, err))
		return B_EENV;
	if (s->in.len)
		return take_in(s, buf, cap);
	if (ssh_channel_is_eof(s->channel))
		return B_EOF;
	return (rc < 0 && rc != SSH_AGAIN) || ssh_channel_is_closed(s->channel) ? broke(s, err)
										: B_EAGAIN;
}

static ssize_t ssh_line_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	struct ssh_line *s = (struct ssh_line *)l;
	int n;

	if (queued(s) > QUEUED_MAX) {
		l->wants = wants(s);
		return 0;
	}
	errno = 0;
	n = ssh_channel_write(s->channel, bytes, len > QUEUED_MAX ? QUEUED_MAX : (uint32_t)len);
	notice(s);
	l->wants = wants(s);
	if (n == SSH_AGAIN)
		return 0;
	if (n < 0 && (ssh_channel_is_closed(s->channel) || ssh_channel_is_eof(s->channel)))
		return B_EOF;
	return n < 0 ? broke(s, err) : n;
}

static int ssh_line_resize(struct ln_line *l, int rows, int cols)
{
	struct ssh_line *s = (struct ssh_line *)l;

	return ssh_channel_change_pty_size(s->channel, cols, rows) == SSH_ERROR ? B_EENV : B_OK;
}

/* Source: RFC 4335. Servers that know no breaks ignore it. */
static int ssh_line_break(struct ln_line *l, struct b_error *err)
{
	struct ssh_line *s = (struct ssh_line *)l;

	return ssh_channel_request_send_break(s->channel, LN_BREAK_MS) == SSH_ERROR ? broke(s, err)
										    : B_OK;
}

static void ssh_line_close(struct ln_line *l)
{
	struct ssh_line *s = (struct ssh_line *)l;

	if (s->step == STEP_OPEN) {
		(void)ssh_channel_send_eof(s->channel);
		(void)ssh_channel_close(s->channel);
		(void)ssh_blocking_flush(s->session, 0);
	}
}

static void ssh_line_release(struct ln_line *l)
{
	struct ssh_line *s = (struct ssh_line *)l;

	ln_dial_free(s->dial);
	if (s->session && s->step > STEP_DIAL)
		ssh_disconnect(s->session);
	ssh_free(s->session); /* with its channel */
	b_buf_release(&s->in);
	if (s->password)
		explicit_bzero(s->password, strlen(s->password));
	free(s->password);
	free(s->term);
	free(s->user);
	free(s->command);
}

const struct ln_kind ln_kind_ssh = {
	.prefix = "ssh://",
	.form = "ssh://[USER@]HOST[:PORT]",
	.line_size = sizeof(struct ssh_line),
	.parse = ssh_parse,
	.open = ssh_open,
	.drive = ssh_drive,
	.read = ssh_line_read,
	.write = ssh_line_write,
	.resize = ssh_line_resize,
	.send_break = ssh_line_break,
	.close = ssh_line_close,
	.release = ssh_line_release,
};
