/* line: TLS. A record is read in pieces, with nothing in the socket to say that there is more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "line/line.h"

#define DEADLINE_MS 10000
#define RECORD      16000

static SSL_CTX *server_context(void)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *cert = X509_new();

	assert_non_null(ctx);
	assert_non_null(key);
	assert_non_null(cert);
	X509_gmtime_adj(X509_getm_notBefore(cert), 0);
	X509_gmtime_adj(X509_getm_notAfter(cert), 86400);
	assert_int_equal(X509_set_pubkey(cert, key), 1);
	assert_true(X509_sign(cert, key, EVP_sha256()) > 0);
	assert_int_equal(SSL_CTX_use_certificate(ctx, cert), 1);
	assert_int_equal(SSL_CTX_use_PrivateKey(ctx, key), 1);
	X509_free(cert);
	EVP_PKEY_free(key);
	return ctx;
}

/* Says `said` in one record, hears one byte, and goes. */
static void serve(int fd, SSL_CTX *ctx, const char *said, int len)
{
	SSL *ssl = SSL_new(ctx);
	char heard;

	alarm(60);
	if (SSL_set_fd(ssl, accept(fd, NULL, NULL)) != 1 || SSL_accept(ssl) != 1 ||
		SSL_write(ssl, said, len) != len || SSL_read(ssl, &heard, 1) != 1)
		_exit(1);
	_exit(0);
}

/* As a caller does who knows line/line.h and nothing else. */
static void wait_line(const struct ln_line *l)
{
	unsigned wants = ln_line_wants(l);
	struct pollfd p = { .fd = ln_line_fd(l) };

	p.events = (short)(POLLIN | (wants & (LN_WANT_WRITE | LN_WANT_HELD) ? POLLOUT : 0));
	if (poll(&p, 1, DEADLINE_MS) <= 0)
		fail_msg("nothing came in time");
}

static void in_pieces(const char *kind)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), status;
	SSL_CTX *ctx = server_context();
	struct ln_options opt = { .term = "xterm", .rows = 24, .cols = 80 };
	struct b_error err = { 0 };
	struct ln_target *t = NULL;
	struct ln_line *l = NULL;
	static char said[RECORD];
	char text[64], buf[1000];
	size_t got = 0;
	pid_t server;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
	assert_int_equal(listen(fd, 5), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	for (size_t i = 0; i < sizeof said; i++)
		said[i] = (char)('a' + i % 23);
	server = fork();
	assert_true(server >= 0);
	if (!server)
		serve(fd, ctx, said, sizeof said);

	snprintf(text, sizeof text, "%s://127.0.0.1:%d?verify=no", kind, ntohs(a.sin_port));
	assert_int_equal(ln_target_parse(&t, text, &err), 0);
	opt.target = t;
	assert_int_equal(ln_open(&l, &opt, &err), 0);
	while (ln_line_state(l) == LN_CONNECTING) {
		wait_line(l);
		if (ln_line_drive(l, &err))
			fail_msg("%s", err.text);
	}
	while (got < sizeof said) {
		ssize_t n;

		wait_line(l);
		if (ln_line_wants(l) & LN_WANT_WRITE)
			assert_int_equal(ln_line_drive(l, &err), 0);
		n = ln_line_read(l, buf, sizeof buf, &err);
		if (n == B_EAGAIN)
			continue;
		assert_true(n > 0);
		assert_memory_equal(buf, said + got, (size_t)n);
		got += (size_t)n;
	}
	/* With all of it read, nobody turns in circles. */
	assert_int_equal(ln_line_wants(l), 0);
	assert_int_equal(ln_line_write(l, "x", 1, &err), 1);
	assert_int_equal(waitpid(server, &status, 0), server);
	assert_int_equal(status, 0);
	ln_line_free(l);
	ln_target_free(t);
	SSL_CTX_free(ctx);
	close(fd);
}

static void tcps_in_pieces(void **state)
{
	(void)state;
	in_pieces("tcps");
}

static void telnets_in_pieces(void **state)
{
	(void)state;
	in_pieces("telnets");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tcps_in_pieces),
		cmocka_unit_test(telnets_in_pieces),
	};

	return cmocka_run_group_tests_name("ln_tls", tests, NULL, NULL);
}
