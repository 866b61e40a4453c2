/* What needs no library: bytes of ssh before its keys, rlogin, and no protocol at all. */
#include "tests/support/hostile/hostile.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/banned.h"

#define VERSION "SSH-2.0-OpenSSH_9.9\r\n"

void hostile_close(int fd)
{
	close(fd);
}

void hostile_mute(int fd)
{
	hostile_silent(fd);
}

void hostile_random(int fd)
{
	unsigned char block[16384];

	for (;;) {
		hostile_noise(block, sizeof block);
		hostile_write(fd, block, sizeof block);
	}
}

/* ---- ssh, before its keys ------------------------------------------------------------------ */

void hostile_banner_close(int fd)
{
	char heard[64];

	hostile_puts(fd, VERSION);
	(void)!recv(fd, heard, sizeof heard, 0);
}

void hostile_banner_mute(int fd)
{
	hostile_puts(fd, VERSION);
	hostile_silent(fd);
}

void hostile_banner_random(int fd)
{
	hostile_puts(fd, VERSION);
	hostile_random(fd);
}

void hostile_banner_lines(int fd)
{
	char block[16384];

	for (size_t i = 0; i < sizeof block; i++)
		block[i] = i % 64 == 63 ? '\n' : 'w';
	hostile_flood(fd, block, sizeof block);
}

void hostile_banner_long(int fd)
{
	char block[16384];

	memset(block, 'v', sizeof block);
	hostile_puts(fd, "SSH-2.0-");
	hostile_flood(fd, block, sizeof block);
}

/* Appends one packet in the clear. Source: RFC 4253, 6. */
static void packet(struct b_buf *out, const char *payload, size_t len)
{
	size_t pad = 16 - (len + 5) % 8, total = 1 + len + pad;
	const char head[5] = { (char)(total >> 24), (char)(total >> 16), (char)(total >> 8),
		(char)total, (char)pad };

	b_buf_add(out, head, sizeof head);
	b_buf_add(out, payload, len);
	for (size_t i = 0; i < pad; i++)
		b_buf_addc(out, '\0');
}

static void name_list(struct b_buf *out, const char *names)
{
	size_t len = strlen(names);
	const char head[4] = { 0, 0, (char)(len >> 8), (char)len };

	b_buf_add(out, head, sizeof head);
	b_buf_adds(out, names);
}

/* The version and a list of algorithms that each client takes. Source: RFC 4253, 7.1. */
static void begin_kex(int fd)
{
	static const char *const lists[] = { "curve25519-sha256", "ssh-ed25519", "aes256-ctr",
		"aes256-ctr", "hmac-sha2-256", "hmac-sha2-256", "none", "none", "", "" };
	struct b_buf payload = B_BUF_INIT, out = B_BUF_INIT;

	b_buf_addc(&payload, 20); /* KEXINIT */
	for (int i = 0; i < 16; i++)
		b_buf_addc(&payload, (char)i);
	for (size_t i = 0; i < B_ARRAY_LEN(lists); i++)
		name_list(&payload, lists[i]);
	b_buf_add(&payload, "\0\0\0\0\0", 5);
	packet(&out, payload.data, payload.len);
	hostile_puts(fd, VERSION);
	hostile_write(fd, out.data, out.len);
	b_buf_release(&payload);
	b_buf_release(&out);
}

void hostile_kex_close(int fd)
{
	char heard[64];

	begin_kex(fd);
	(void)!recv(fd, heard, sizeof heard, 0);
}

void hostile_kex_mute(int fd)
{
	begin_kex(fd);
	hostile_silent(fd);
}

void hostile_kex_random(int fd)
{
	begin_kex(fd);
	hostile_random(fd);
}

void hostile_kex_ignore(int fd)
{
	static const char ignore[] = "\2\0\0\0\4void";
	struct b_buf out = B_BUF_INIT;

	for (int i = 0; i < 500; i++)
		packet(&out, ignore, sizeof ignore - 1);
	begin_kex(fd);
	hostile_flood(fd, out.data, out.len);
}

/* ---- rlogin -------------------------------------------------------------------------------- */

void hostile_rlogin_long(int fd)
{
	char block[16384];

	memset(block, 'n', sizeof block);
	hostile_puts(fd, "\1");
	hostile_flood(fd, block, sizeof block);
}

void hostile_rlogin_slow(int fd)
{
	hostile_drip(fd);
}

void hostile_rlogin_random(int fd)
{
	unsigned char block[16384];

	hostile_write(fd, "\0> ", 3);
	for (;;) {
		hostile_noise(block, sizeof block);
		hostile_write(fd, block, sizeof block);
		(void)!send(fd, block, 1, MSG_OOB | MSG_NOSIGNAL);
	}
}
