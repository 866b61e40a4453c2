/* TLS: handshakes in the clear, made by hand, and connections that stand, by OpenSSL. */
#include "tests/support/hostile/hostile.h"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/banned.h"

enum { ALERT = 21, HANDSHAKE = 22 };

/* Appends one record. Source: RFC 5246, 6.2. */
static void record(struct b_buf *out, char type, const void *data, size_t len)
{
	const char head[5] = { type, 3, 3, (char)(len >> 8), (char)len };

	b_buf_add(out, head, sizeof head);
	b_buf_add(out, data, len);
}

static void send_record(int fd, char type, const void *data, size_t len)
{
	struct b_buf out = B_BUF_INIT;

	record(&out, type, data, len);
	hostile_write(fd, out.data, out.len);
	b_buf_release(&out);
}

void hostile_tls_records(int fd)
{
	unsigned char noise[1000];
	struct b_buf out = B_BUF_INIT;

	for (int i = 0; i < 200; i++) {
		hostile_noise(noise, sizeof noise);
		record(&out, (char)(20 + i % 5), noise, sizeof noise);
	}
	hostile_flood(fd, out.data, out.len);
}

void hostile_tls_slow(int fd)
{
	hostile_write(fd, "\26\3\3\100\0\2\0\77\374", 9); /* a hello of 16 KiB begins */
	hostile_drip(fd);
}

void hostile_tls_alerts(int fd)
{
	struct b_buf out = B_BUF_INIT;

	for (int i = 0; i < 2000; i++)
		record(&out, ALERT, "\1\132", 2); /* a warning: the user goes */
	hostile_flood(fd, out.data, out.len);
}

/* A hello of TLS 1.2 with a cipher that is in use. Source: RFC 5246, 7.4.1.3; RFC 5746. */
static void hello(int fd)
{
	static const char rest[] = "\0\xC0\x2F\0\0\x05\xFF\1\0\1\0";
	char m[4 + 2 + 32 + sizeof rest - 1] = { 2, 0, 0, (char)(sizeof m - 4), 3, 3 };

	memset(m + 6, 'r', 32);
	memcpy(m + 38, rest, sizeof rest - 1);
	send_record(fd, HANDSHAKE, m, sizeof m);
}

void hostile_tls_hello_close(int fd)
{
	char heard[16384];

	(void)!recv(fd, heard, sizeof heard, 0);
	hello(fd);
}

void hostile_tls_hello_mute(int fd)
{
	hello(fd);
	hostile_silent(fd);
}

void hostile_tls_hello_requests(int fd)
{
	struct b_buf out = B_BUF_INIT;
	char zeros[16384] = { 0 }; /* a request is four of them */

	record(&out, HANDSHAKE, zeros, sizeof zeros);
	hello(fd);
	hostile_flood(fd, out.data, out.len);
}

void hostile_tls_certificate(int fd)
{
	struct b_buf out = B_BUF_INIT;
	char part[16384];

	memset(part, 'c', sizeof part);
	record(&out, HANDSHAKE, part, sizeof part);
	hello(fd);
	send_record(fd, HANDSHAKE, "\13\377\377\377\377\377\374\377\377\371", 10);
	hostile_flood(fd, out.data, out.len);
}

/* As long as OpenSSL takes it, and then another and another. */
void hostile_tls_chain(int fd)
{
	struct b_buf out = B_BUF_INIT;
	char message[100000] = { 11, 1, (char)0x86, (char)0x9C, 1, (char)0x86, (char)0x99 };

	for (size_t i = 7; i + 103 <= sizeof message; i += 103)
		message[i + 2] = 100;
	for (size_t i = 0; i < sizeof message; i += 10000)
		record(&out, HANDSHAKE, message + i, 10000);
	hello(fd);
	hostile_flood(fd, out.data, out.len);
}

/* ---- Once the line is open ----------------------------------------------------------------- */

static SSL *accepted(int fd)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *cert = X509_new();
	SSL *ssl;

	X509_gmtime_adj(X509_getm_notBefore(cert), 0);
	X509_gmtime_adj(X509_getm_notAfter(cert), 86400);
	if (!X509_set_pubkey(cert, key) || !X509_sign(cert, key, EVP_sha256()) ||
		SSL_CTX_use_certificate(ctx, cert) != 1 || SSL_CTX_use_PrivateKey(ctx, key) != 1)
		_exit(1);
	ssl = SSL_new(ctx);
	if (SSL_set_fd(ssl, fd) != 1 || SSL_accept(ssl) != 1 || SSL_write(ssl, "> ", 2) != 2)
		_exit(1);
	return ssl;
}

void hostile_tls_open_random(int fd)
{
	accepted(fd);
	hostile_random(fd);
}

void hostile_tls_open_tickets(int fd)
{
	SSL *ssl = accepted(fd);

	while (!hostile_is_left(fd) && SSL_new_session_ticket(ssl) == 1 &&
		SSL_do_handshake(ssl) == 1)
		;
}

void hostile_tls_open_updates(int fd)
{
	SSL *ssl = accepted(fd);

	while (!hostile_is_left(fd) && SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 &&
		SSL_do_handshake(ssl) == 1)
		;
}
