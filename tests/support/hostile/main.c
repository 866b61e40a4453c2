/* hostile VARIANT: a server on 127.0.0.1 that is hostile in one chosen way. */
#include "tests/support/hostile/hostile.h"

#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

static const struct {
	const char *name, *what;
	hostile_fn *fn;
} variants[] = {
	{ "close", "closes at once", hostile_close },
	{ "mute", "reads, never writes", hostile_mute },
	{ "random", "random bytes without end", hostile_random },

	{ "banner-close", "ssh: closes after its version", hostile_banner_close },
	{ "banner-mute", "ssh: silent after its version", hostile_banner_mute },
	{ "banner-random", "ssh: random bytes after its version", hostile_banner_random },
	{ "banner-lines", "ssh: lines without end, never a version", hostile_banner_lines },
	{ "banner-long", "ssh: a version that never ends", hostile_banner_long },
	{ "kex-close", "ssh: closes in the key exchange", hostile_kex_close },
	{ "kex-mute", "ssh: silent in the key exchange", hostile_kex_mute },
	{ "kex-random", "ssh: random bytes in the key exchange", hostile_kex_random },
	{ "kex-ignore", "ssh: IGNORE without end in the key exchange", hostile_kex_ignore },
	{ "auth-close", "ssh: closes when asked who may come in", hostile_auth_close },
	{ "auth-mute", "ssh: silent then", hostile_auth_mute },
	{ "auth-banners", "ssh: banners without end then", hostile_auth_banners },
	{ "channel-close", "ssh: closes when asked for a channel", hostile_channel_close },
	{ "channel-mute", "ssh: silent then", hostile_channel_mute },
	{ "channel-refuse", "ssh: refuses it", hostile_channel_refuse },
	{ "pty-mute", "ssh: silent when asked for a terminal", hostile_pty_mute },
	{ "shell-refuse", "ssh: refuses the shell", hostile_shell_refuse },
	{ "shell-mute", "ssh: silent when asked for a shell", hostile_shell_mute },
	{ "open-mute", "ssh: a shell that takes nothing and says nothing but '> '",
		hostile_open_mute },
	{ "open-close", "ssh: a shell that closes the connection after '> '", hostile_open_close },
	{ "open-ignore", "ssh: '> ', then IGNORE without end", hostile_open_ignore },
	{ "open-debug", "ssh: '> ', then DEBUG without end", hostile_open_debug },
	{ "open-requests", "ssh: '> ', then requests without end", hostile_open_requests },
	{ "open-deaf", "ssh: the same, but takes no answer", hostile_open_deaf },
	{ "open-random", "ssh: '> ', then random bytes in place of packets", hostile_open_random },

	{ "tls-records", "TLS: records of nonsense", hostile_tls_records },
	{ "tls-slow", "TLS: a long record, a byte at a time", hostile_tls_slow },
	{ "tls-alerts", "TLS: warnings without end", hostile_tls_alerts },
	{ "tls-hello-close", "TLS: closes after its hello", hostile_tls_hello_close },
	{ "tls-hello-mute", "TLS: silent after its hello", hostile_tls_hello_mute },
	{ "tls-hello-requests", "TLS: hello, then hello requests without end",
		hostile_tls_hello_requests },
	{ "tls-certificate", "TLS: a certificate of 16 MiB", hostile_tls_certificate },
	{ "tls-chain", "TLS: certificates without end", hostile_tls_chain },
	{ "tls-open-random", "TLS: '> ', then random bytes in place of records",
		hostile_tls_open_random },
	{ "tls-open-tickets", "TLS: '> ', then session tickets without end",
		hostile_tls_open_tickets },
	{ "tls-open-updates", "TLS: '> ', then new keys without end; takes no answer",
		hostile_tls_open_updates },

	{ "rlogin-long", "rlogin: a refusal without end", hostile_rlogin_long },
	{ "rlogin-slow", "rlogin: a refusal, a byte at a time", hostile_rlogin_slow },
	{ "rlogin-random", "rlogin: accepts, then urgent random bytes", hostile_rlogin_random },
};

/* ---- What variants use -------------------------------------------------------------------- */

void hostile_write(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);

		if (n < 0)
			_exit(0);
		p += n;
		len -= (size_t)n;
	}
}

void hostile_puts(int fd, const char *text)
{
	hostile_write(fd, text, strlen(text));
}

bool hostile_is_left(int fd)
{
	struct pollfd p = { .fd = fd };

	return poll(&p, 1, 0) > 0;
}

void hostile_silent(int fd)
{
	char buf[4096];

	while (recv(fd, buf, sizeof buf, 0) > 0)
		;
}

void hostile_flood(int fd, const void *data, size_t len)
{
	for (;;)
		hostile_write(fd, data, len);
}

void hostile_drip(int fd)
{
	for (;;) {
		hostile_puts(fd, "x");
		poll(NULL, 0, 20);
	}
}

void hostile_noise(void *out, size_t len)
{
	static unsigned state = 12345;
	unsigned char *p = out;

	for (size_t i = 0; i < len; i++) {
		state = state * 1103515245u + 12345u;
		p[i] = (unsigned char)(state >> 16);
	}
}

/* ---- The server --------------------------------------------------------------------------- */

static int listen_here(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 512) ||
		getsockname(fd, (struct sockaddr *)&a, &len)) {
		fprintf(stderr, "hostile: cannot listen: %s\n", strerror(errno));
		exit(3);
	}
	printf("port %u\n", ntohs(a.sin_port));
	fflush(stdout);
	return fd;
}

static void usage(FILE *f)
{
	fputs("usage: hostile [--life SECONDS] [--after FILE] VARIANT\n"
	      "A server on 127.0.0.1 that no client should have to meet; prints 'port N' first and\n"
	      "ends after SECONDS (120). Nothing is done before FILE holds something.\n\n",
		f);
	for (size_t i = 0; i < B_ARRAY_LEN(variants); i++)
		fprintf(f, "  %-18s %s\n", variants[i].name, variants[i].what);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "life", required_argument, NULL, 'l' },
		{ "after", required_argument, NULL, 'a' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *after = NULL;
	hostile_fn *fn = NULL;
	int64_t life_s = 120;
	struct stat st;
	int opt, fd;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'h') {
			usage(stdout);
			return 0;
		}
		if (opt == 'a')
			after = optarg;
		else if (opt != 'l' || b_parse_int(optarg, 1, 86400, &life_s))
			return 2;
	}
	for (size_t i = 0; optind < argc && i < B_ARRAY_LEN(variants); i++)
		if (!strcmp(variants[i].name, argv[optind]))
			fn = variants[i].fn;
	if (!fn) {
		usage(stderr);
		return 2;
	}
	signal(SIGCHLD, SIG_IGN); /* the kernel reaps */
	signal(SIGPIPE, SIG_IGN);
	alarm((unsigned)life_s);
	fd = listen_here();
	for (;;) {
		int c = accept(fd, NULL, NULL);

		if (c >= 0 && !fork()) {
			close(fd);
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			while (after && (stat(after, &st) || !st.st_size))
				poll(NULL, 0, 20);
			fn(c);
			_exit(0);
		}
		if (c >= 0)
			close(c);
	}
}
