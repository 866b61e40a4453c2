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

#define OPENING_MAX (1 << 20) /* what a server may send before the line is open */
#define READS_MAX   32        /* of the socket in one call; a record takes two */

struct ln_tls {
	SSL *ssl;
	int64_t deadline_ns;  /* of the handshake */
	int reads_left;       /* of the socket, in this call */
	size_t opening_bytes; /* what came during the handshake */
	bool started;
};

static const char *const query_names[] = { "ca", "verify", LN_QUERY_ALIVE, NULL };

int ln_tls_query_check(const struct ln_target *t, struct b_error *err)
{
	int rc = ln_query_check(t->query, query_names, err);

	return rc ? rc : ln_query_verify(t->query, err);
}

static const char *reason(void)
{
	unsigned long e = ERR_peek_last_error();
	const char *text = e ? ERR_reason_error_string(e) : NULL;

	return text ? text : errno ? strerror(errno) : "closed by the other side";
}

/* A context as the query says; the caller's. */
static int make_context(SSL_CTX **out, const char *query, struct b_error *err)
{
	char *ca = ln_query_get(query, "ca"), *verify = ln_query_get(query, "verify");
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
	int rc = B_OK;

	B_BUG_ON(!ctx);
	SSL_CTX_set_mode(ctx,
		SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
			SSL_MODE_RELEASE_BUFFERS);
	/* A write then never waits for something to read. */
	SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION);
	SSL_CTX_set_verify(
		ctx, verify && !strcmp(verify, "no") ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, NULL);
	ERR_clear_error();
	errno = 0;
	if (ca ? !SSL_CTX_load_verify_locations(ctx, ca, NULL)
	       : !SSL_CTX_set_default_verify_paths(ctx)) {
		rc = b_error_set(err, B_EENV,
			"cannot read the authorities in %s: %s; give a PEM file with ?ca=FILE",
			ca ? ca : "the system's folder", reason());
		SSL_CTX_free(ctx);
	} else {
		*out = ctx;
	}
	free(ca);
	free(verify);
	return rc;
}

/* The context of a line's own, or the target's, which the first line makes. The caller holds a
   share of it. */
static int context(SSL_CTX **out, const struct ln_options *opt, struct b_error *err)
{
	struct ln_target *shared = (struct ln_target *)(uintptr_t)opt->target;
	int rc = B_OK;

	if (ln_has_user(shared->query)) {
		char *query = ln_expand(shared->query, opt->user);

		rc = make_context(out, query, err);
		free(query);
		return rc;
	}
	pthread_mutex_lock(&shared->lock);
	if (!shared->tls) {
		SSL_CTX *ctx = NULL;

		rc = make_context(&ctx, shared->query, err);
		shared->tls = ctx;
	}
	if (!rc) {
		*out = shared->tls;
		SSL_CTX_up_ref(*out);
	}
	pthread_mutex_unlock(&shared->lock);
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
	int rc = context(&ctx, opt, err);

	if (rc)
		return rc;
	t = b_calloc(1, sizeof *t);
	t->ssl = SSL_new(ctx);
	B_BUG_ON(!t->ssl);
	SSL_CTX_free(ctx);
	t->deadline_ns = b_clock_mono_ns() +
		(opt->connect_timeout_ns > 0 ? opt->connect_timeout_ns : HANDSHAKE_NS);
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

static const char *remedy(long verdict)
{
	switch (verdict) {
	case X509_V_ERR_HOSTNAME_MISMATCH:
	case X509_V_ERR_IP_ADDRESS_MISMATCH:
		return "it is another host's: name the host as its certificate does";
	case X509_V_ERR_CERT_HAS_EXPIRED:
	case X509_V_ERR_CERT_NOT_YET_VALID: return "renew it, or set the clock";
	default: return "trust its authority with ?ca=FILE";
	}
}

static int refused(const struct ln_tls *t, struct b_error *err)
{
	long verdict = SSL_get_verify_result(t->ssl);

	if (verdict != X509_V_OK)
		return b_error_set(err, B_EENV,
			"the SUT's certificate is not accepted: %s; %s, or trust anybody with "
			"?verify=no",
			X509_verify_cert_error_string(verdict), remedy(verdict));
	return b_error_set(err, B_EENV, "no TLS with the SUT: %s; is it a TLS port?", reason());
}

/* OpenSSL reads on as long as it gets messages that are no text, and a server can send such for
   ever. The next call reads on: the socket is ready still. */
static long on_bio(
	BIO *bio, int what, const char *bytes, size_t len, int argi, long argl, int rc, size_t *n)
{
	struct ln_tls *t = (struct ln_tls *)(void *)BIO_get_callback_arg(bio);

	(void)bytes;
	(void)len;
	(void)argi;
	(void)argl;
	if (what == BIO_CB_READ && !t->reads_left--) {
		t->reads_left = 0;
		BIO_set_retry_read(bio);
		return -1;
	}
	if (what == (BIO_CB_READ | BIO_CB_RETURN) && rc > 0 && !SSL_is_init_finished(t->ssl))
		t->opening_bytes += *n;
	return rc;
}

static void begin_call(struct ln_tls *t)
{
	t->reads_left = READS_MAX;
	ERR_clear_error();
	errno = 0;
}

int ln_tls_handshake(struct ln_tls *t, struct ln_line *l, struct b_error *err)
{
	BIO *bio;
	int rc;

	if (!t->started) {
		if (!SSL_set_fd(t->ssl, l->fd))
			return b_error_set(err, B_EENV, "no TLS on this socket: %s", reason());
		bio = SSL_get_rbio(t->ssl);
		BIO_set_callback_arg(bio, (char *)t);
		BIO_set_callback_ex(bio, on_bio);
		t->started = true;
	}
	begin_call(t);
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
	if (t->opening_bytes > OPENING_MAX)
		return b_error_set(err, B_EENV,
			"no TLS with the SUT: it sends without end and never comes to the point; is "
			"it a TLS port?");
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

	begin_call(t);
	n = SSL_read(t->ssl, buf, cap > 1 << 20 ? 1 << 20 : (int)cap);
	return n > 0 ? n : failed(t, n, err);
}

ssize_t ln_tls_write(struct ln_tls *t, const char *bytes, size_t len, struct b_error *err)
{
	ssize_t rc;
	int n;

	if (!len)
		return 0;
	begin_call(t);
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
