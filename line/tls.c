#include "line/tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "line/query.h"
#include "base/banned.h"

#define HANDSHAKE_NS (30 * B_NS_PER_S)

struct ln_tls {
	SSL *ssl;
	int64_t deadline_ns; /* of the handshake */
	int64_t timeout_ns;
	bool started;
};

static const char *const query_names[] = { "ca", "verify", LN_QUERY_ALIVE, NULL };

int ln_tls_query_check(const struct ln_target *t, struct b_error *err)
{
	char *verify = ln_query_get(t->query, "verify");
	int rc = ln_query_check(t->query, query_names, err);

	if (!rc && verify && strcmp(verify, "no") && strcmp(verify, "yes"))
		rc = b_error_set(err, B_EUSAGE, "verify=%s: yes or no is wanted", verify);
	free(verify);
	return rc;
}

static const char *reason(void)
{
	unsigned long e = ERR_peek_last_error();
	const char *text = e ? ERR_reason_error_string(e) : NULL;

	return text ? text : errno ? strerror(errno) : "closed by the other side";
}

/* The target's context, made by the first line that needs it. */
static int context(SSL_CTX **out, const struct ln_target *t, struct b_error *err)
{
	struct ln_target *shared = (struct ln_target *)(uintptr_t)t;
	char *ca = ln_query_get(t->query, "ca"), *verify = ln_query_get(t->query, "verify");
	SSL_CTX *ctx;
	int rc = B_OK;

	pthread_mutex_lock(&shared->lock);
	if (!shared->tls) {
		ctx = SSL_CTX_new(TLS_client_method());
		B_BUG_ON(!ctx);
		SSL_CTX_set_mode(ctx,
			SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
				SSL_MODE_RELEASE_BUFFERS);
		/* A write then never waits for something to read. */
		SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION);
		SSL_CTX_set_verify(ctx,
			verify && !strcmp(verify, "no") ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, NULL);
		ERR_clear_error();
		errno = 0;
		if (ca ? !SSL_CTX_load_verify_locations(ctx, ca, NULL)
		       : !SSL_CTX_set_default_verify_paths(ctx)) {
			rc = b_error_set(err, B_EENV,
				"cannot read the authorities in %s: %s; give a PEM file with ?ca=FILE",
				ca ? ca : "the system's folder", reason());
			SSL_CTX_free(ctx);
		} else {
			shared->tls = ctx;
		}
	}
	pthread_mutex_unlock(&shared->lock);
	free(ca);
	free(verify);
	if (!rc)
		*out = shared->tls;
	return rc;
}

void ln_tls_context_free(void *ctx)
{
	SSL_CTX_free(ctx);
}

static void set_host(SSL *ssl, const char *host)
{
	unsigned char address[sizeof(struct in6_addr)];
	bool is_address =
		inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;

	if (is_address) {
		B_BUG_ON(!X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host));
		return;
	}
	/* Names too long for TLS's own fields can be no certificate's: the check then fails. */
	(void)SSL_set_tlsext_host_name(ssl, host);
	(void)SSL_set1_host(ssl, host);
}

int ln_tls_new(struct ln_tls **out, const struct ln_options *opt, struct b_error *err)
{
	SSL_CTX *ctx = NULL;
	struct ln_tls *t;
	char *host;
	int rc = context(&ctx, opt->target, err);

	if (rc)
		return rc;
	t = b_calloc(1, sizeof *t);
	t->ssl = SSL_new(ctx);
	B_BUG_ON(!t->ssl);
	t->timeout_ns = opt->connect_timeout_ns > 0 ? opt->connect_timeout_ns : HANDSHAKE_NS;
	host = ln_expand(opt->target->host, opt->user);
	set_host(t->ssl, host);
	free(host);
	*out = t;
	return B_OK;
}

void ln_tls_free(struct ln_tls *t)
{
	if (!t)
		return;
	SSL_free(t->ssl);
	free(t);
}

static int refused(const struct ln_tls *t, struct b_error *err)
{
	long verdict = SSL_get_verify_result(t->ssl);

	if (verdict != X509_V_OK)
		return b_error_set(err, B_EENV,
			"the SUT's certificate is not accepted: %s; trust its authority with "
			"?ca=FILE, or anybody with ?verify=no",
			X509_verify_cert_error_string(verdict));
	return b_error_set(err, B_EENV, "no TLS with the SUT: %s; is it a TLS port?", reason());
}

int ln_tls_handshake(struct ln_tls *t, struct ln_line *l, struct b_error *err)
{
	int rc;

	if (!t->started) {
		if (!SSL_set_fd(t->ssl, l->fd))
			return b_error_set(err, B_EENV, "no TLS on this socket: %s", reason());
		t->deadline_ns = b_clock_mono_ns() + t->timeout_ns;
		t->started = true;
	}
	ERR_clear_error();
	errno = 0;
	rc = SSL_connect(t->ssl);
	if (rc == 1) {
		l->wants = 0;
		l->due_ns = -1;
		return B_OK;
	}
	switch (SSL_get_error(t->ssl, rc)) {
	case SSL_ERROR_WANT_READ: l->wants = LN_WANT_READ; break;
	case SSL_ERROR_WANT_WRITE: l->wants = LN_WANT_WRITE; break;
	default: return refused(t, err);
	}
	if (b_clock_mono_ns() >= t->deadline_ns)
		return b_error_set(
			err, B_EENV, "no TLS with the SUT: it does not answer; is it a TLS port?");
	l->due_ns = t->deadline_ns;
	return B_EAGAIN;
}

/* What a call on an open line that got nothing done means. */
static ssize_t failed(const struct ln_tls *t, int rc, struct b_error *err)
{
	switch (SSL_get_error(t->ssl, rc)) {
	case SSL_ERROR_WANT_READ: return B_EAGAIN;
	case SSL_ERROR_WANT_WRITE: return B_EAGAIN;
	case SSL_ERROR_ZERO_RETURN: return B_EOF;
	default: break;
	}
	/* Closed without a farewell: many servers do so when their program has ended. */
	if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
		return B_EOF;
	return b_error_set(err, B_EENV, "the TLS connection broke: %s", reason());
}

ssize_t ln_tls_read(struct ln_tls *t, char *buf, size_t cap, struct b_error *err)
{
	int n;

	ERR_clear_error();
	errno = 0;
	n = SSL_read(t->ssl, buf, cap > 1 << 20 ? 1 << 20 : (int)cap);
	return n > 0 ? n : failed(t, n, err);
}

ssize_t ln_tls_write(struct ln_tls *t, const char *bytes, size_t len, struct b_error *err)
{
	ssize_t rc;
	int n;

	if (!len)
		return 0;
	ERR_clear_error();
	errno = 0;
	n = SSL_write(t->ssl, bytes, len > 1 << 20 ? 1 << 20 : (int)len);
	if (n > 0)
		return n;
	rc = failed(t, n, err);
	return rc == B_EAGAIN ? 0 : rc;
}

bool ln_tls_holds(const struct ln_tls *t)
{
	return SSL_pending(t->ssl) > 0;
}

void ln_tls_goodbye(struct ln_tls *t)
{
	if (t->started && SSL_is_init_finished(t->ssl)) {
		ERR_clear_error();
		(void)SSL_shutdown(t->ssl);
	}
}
