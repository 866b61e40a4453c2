/* ssh beyond the key exchange: a libssh server that goes wrong at one step. */
#define _GNU_SOURCE /* ppoll */
#include "tests/support/hostile/hostile.h"

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

static bool deaf, deaf_once_open;

/* libssh calls this one. It reads whenever it sends, but for what it is not told of. */
int poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	struct timespec t = { .tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1000000 };

	for (nfds_t i = 0; deaf && i < n; i++)
		fds[i].events &= (short)~POLLIN;
	return ppoll(fds, n, timeout_ms < 0 ? NULL : &t, NULL);
}

static ssh_session begin(int fd)
{
	ssh_bind b = ssh_bind_new();
	ssh_session s = ssh_new();
	ssh_key key = NULL;

	if (ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &key) ||
		ssh_bind_options_set(b, SSH_BIND_OPTIONS_IMPORT_KEY, key) ||
		ssh_bind_accept_fd(b, s, fd) || ssh_handle_key_exchange(s))
		_exit(1);
	return s;
}

/* Says yes to all up to the first message of that type (and subtype; -1: any), which it returns. */
static ssh_message until(ssh_session s, int type, int subtype)
{
	ssh_message m;

	while ((m = ssh_message_get(s))) {
		int t = ssh_message_type(m), sub = ssh_message_subtype(m);

		if (t == type && (subtype < 0 || sub == subtype))
			return m;
		if (t == SSH_REQUEST_SERVICE)
			ssh_message_service_reply_success(m);
		else if (t == SSH_REQUEST_AUTH)
			ssh_message_auth_reply_success(m, 0);
		else if (t == SSH_REQUEST_CHANNEL_OPEN)
			(void)ssh_message_channel_request_open_reply_accept(m);
		else if (t == SSH_REQUEST_CHANNEL)
			ssh_message_channel_request_reply_success(m);
		ssh_message_free(m);
	}
	_exit(1);
}

static void auth(ssh_session s)
{
	(void)until(s, SSH_REQUEST_AUTH, -1);
}

void hostile_auth_close(int fd)
{
	auth(begin(fd));
}

void hostile_auth_mute(int fd)
{
	auth(begin(fd));
	hostile_silent(fd);
}

static void flush(ssh_session s)
{
	if (ssh_blocking_flush(s, -1) == SSH_ERROR)
		_exit(0);
}

void hostile_auth_banners(int fd)
{
	ssh_session s = begin(fd);
	ssh_string text = ssh_string_new(8000);
	char letters[8000];

	memset(letters, 'b', sizeof letters);
	ssh_string_fill(text, letters, sizeof letters);
	auth(s);
	while (!hostile_is_left(fd)) {
		ssh_send_issue_banner(s, text);
		flush(s);
	}
}

void hostile_channel_close(int fd)
{
	(void)until(begin(fd), SSH_REQUEST_CHANNEL_OPEN, -1);
}

void hostile_channel_mute(int fd)
{
	(void)until(begin(fd), SSH_REQUEST_CHANNEL_OPEN, -1);
	hostile_silent(fd);
}

void hostile_channel_refuse(int fd)
{
	ssh_message_reply_default(until(begin(fd), SSH_REQUEST_CHANNEL_OPEN, -1));
	hostile_silent(fd);
}

void hostile_pty_mute(int fd)
{
	(void)until(begin(fd), SSH_REQUEST_CHANNEL, SSH_CHANNEL_REQUEST_PTY);
	hostile_silent(fd);
}

void hostile_shell_mute(int fd)
{
	(void)until(begin(fd), SSH_REQUEST_CHANNEL, SSH_CHANNEL_REQUEST_SHELL);
	hostile_silent(fd);
}

void hostile_shell_refuse(int fd)
{
	ssh_message_reply_default(until(begin(fd), SSH_REQUEST_CHANNEL, SSH_CHANNEL_REQUEST_SHELL));
	hostile_silent(fd);
}

/* ---- Once the line is open ----------------------------------------------------------------- */

static ssh_session opened(int fd)
{
	ssh_session s = begin(fd);
	ssh_message m = until(s, SSH_REQUEST_CHANNEL_OPEN, -1);
	ssh_channel c = ssh_message_channel_request_open_reply_accept(m);

	m = until(s, SSH_REQUEST_CHANNEL, SSH_CHANNEL_REQUEST_SHELL);
	ssh_message_channel_request_reply_success(m);
	if (ssh_channel_write(c, "> ", 2) != 2)
		_exit(1);
	flush(s);
	deaf = deaf_once_open;
	return s;
}

void hostile_open_mute(int fd)
{
	opened(fd);
	for (;;)
		pause();
}

void hostile_open_close(int fd)
{
	opened(fd);
}

static void fill(char *text, size_t size)
{
	memset(text, 'd', size - 1);
	text[size - 1] = '\0';
}

void hostile_open_ignore(int fd)
{
	ssh_session s = opened(fd);
	char text[8000];

	fill(text, sizeof text);
	while (!hostile_is_left(fd)) {
		ssh_send_ignore(s, text);
		flush(s);
	}
}

void hostile_open_debug(int fd)
{
	ssh_session s = opened(fd);
	char text[8000];

	fill(text, sizeof text);
	while (!hostile_is_left(fd)) {
		ssh_send_debug(s, text, 0);
		flush(s);
	}
}

static void request(ssh_session s)
{
	ssh_channel c = ssh_channel_new(s);

	if (!c || ssh_channel_open_x11(c, "here", 1) == SSH_ERROR)
		_exit(0);
	flush(s);
}

void hostile_open_requests(int fd)
{
	ssh_session s = opened(fd);

	ssh_set_blocking(s, 0);
	while (!hostile_is_left(fd))
		request(s);
}

void hostile_open_deaf(int fd)
{
	deaf_once_open = true;
	hostile_open_requests(fd);
}

void hostile_open_random(int fd)
{
	opened(fd);
	hostile_random(fd);
}
