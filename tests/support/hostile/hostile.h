/*
 * tests/support/hostile/hostile.h - servers that no client should have to meet, one way a variant.
 *
 * `hostile VARIANT` listens on the loopback address, says `port N`, and does with every connection
 * what the variant's line in main.c says, in a process of its own. It ends with --life.
 *
 * A variant's function owns the connection's descriptor for the life of its process; returning
 * closes it.
 */
#ifndef TESTS_SUPPORT_HOSTILE_H
#define TESTS_SUPPORT_HOSTILE_H

#include <stdbool.h>
#include <stddef.h>

typedef void hostile_fn(int fd);

/* Writes all of it; ends the process once the other side is gone. */
void hostile_write(int fd, const void *data, size_t len);
void hostile_puts(int fd, const char *text);
/* Reads whatever comes until the other side closes. */
void hostile_silent(int fd);
/* Whether the other side has gone. */
bool hostile_is_left(int fd);
/* The same block again and again, as fast as it is taken. */
void hostile_flood(int fd, const void *data, size_t len);
/* A byte now and then, for ever. */
void hostile_drip(int fd);
/* The same bytes without order in each run. */
void hostile_noise(void *out, size_t len);

/* plain.c */
hostile_fn hostile_close, hostile_mute, hostile_random, hostile_banner_close, hostile_banner_mute,
	hostile_banner_random, hostile_banner_lines, hostile_banner_long, hostile_kex_close,
	hostile_kex_mute, hostile_kex_random, hostile_kex_ignore, hostile_rlogin_long,
	hostile_rlogin_slow, hostile_rlogin_random;
/* tls.c */
hostile_fn hostile_tls_records, hostile_tls_slow, hostile_tls_hello_close, hostile_tls_hello_mute,
	hostile_tls_hello_requests, hostile_tls_certificate, hostile_tls_chain, hostile_tls_alerts,
	hostile_tls_open_random, hostile_tls_open_tickets, hostile_tls_open_updates;
/* ssh.c */
hostile_fn hostile_auth_close, hostile_auth_mute, hostile_auth_banners, hostile_channel_close,
	hostile_channel_mute, hostile_channel_refuse, hostile_pty_mute, hostile_shell_refuse,
	hostile_shell_mute, hostile_open_ignore, hostile_open_debug, hostile_open_requests,
	hostile_open_deaf, hostile_open_mute, hostile_open_random, hostile_open_close;

#endif
