/* Modes about what a terminal shows and answers: hostile bytes, queries, sizes, passwords. */
#include "tests/support/sut/sut.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/banned.h"

#define LONG_16 "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20"

/* Each is one thing that has broken an emulator, a report or a generated script somewhere. */
static const struct {
	const char *name;
	const char *bytes;
	size_t len;
} hostile[] = {
#define H(n, b)                     \
	{                           \
		n, b, sizeof(b) - 1 \
	}
	H("csi-args", "\033[38:" LONG_16 "m\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18m"),
	H("csi-digits", "\033[99999999999999999999;99999999999999999999H\033[2147483648C"),
	H("rep-wide", "\033[1;79H\xe4\xb8\xad\033[500b"),
	H("utf8-bad", "\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xfe\xff \xe2\x82 text \x80\xbf"),
	H("utf8-cut", "abc\xe2\x82"),
	H("c1-raw",
		"\x9b"
		"31mred\x9b"
		"0m \x84\x85\x8d \x9dtitle\x9c"),
	H("c1-utf8",
		"\xc2\x9b"
		"31m \xc2\x85\xc2\x84 text"),
	H("nul", "nul\0nul\0"),
	H("osc-title", "\033]0;</title><script>alert(1)</script>\007"),
	H("osc-open", "\033]2;never ended"),
	H("osc-paste", "\033]52;c;cm0gLXJmIC8=\007"),
	H("dcs-open", "\033Pq#0;2;0;0;0"),
	H("apc-pm-sos", "\033_apc\033\\\033^pm\033\\\033Xsos\033\\\033ktitle\033\\"),
	H("printer", "\033[5iprinted\033[4i"),
	H("html", "<script>alert(1)</script><img src=x onerror=alert(1)>&amp;\"'"),
	H("xml", "]]>\x01\x02\x1f\xef\xbf\xbe"),
	H("lua", "]]--\"]==]\n\\\" os.execute('true') \\z\\0"),
	H("csv", "a,\"b\"\"c\",=1+1,@SUM(1)\r\n"),
	H("json", "\\\"},{\\u0000\",\xe2\x80\xa8\xe2\x80\xa9"),
	H("bidi", "\xe2\x80\xaeoverride\xe2\x80\xac\xe2\x81\xa6isolate\xe2\x81\xa9"),
	H("combining", "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87\xcc\x88"),
	H("wide-half", "\xe4\xb8\xad\xe4\xb8\xad\033[1Dx\033[3Dy"),
	H("margins", "\033[?69h\033[10;20s\033[4h\033[1;80Hzzzz\033[4l\033[?69l\033[5;3r\033[r"),
	H("resize", "\033[8;2;4t\033[?3h\033[?3l"),
	H("report", "\033[21t\033[20t\033P$q\"p\033\\\033Z\005"),
	H("decrc", "\0337\033[?1049h\0338\033[?1049l\033[u"),
	H("percent", "%s%n%d%999999s ${HOME} `id` $(id)"),
#undef H
};

static void answer_hostile(struct sut *s, const struct b_buf *line, int64_t n)
{
	for (size_t i = 0; i < B_ARRAY_LEN(hostile); i++) {
		size_t len = strlen(hostile[i].name);

		if (line->len && (line->len != len || memcmp(line->data, hostile[i].name, len)))
			continue;
		sut_write(s, hostile[i].bytes, hostile[i].len);
		/* CAN and ST close whatever was left open, so that the next one can be seen. */
		sut_puts(s, "\030\033\\\033[m\033(B\r\n");
	}
	sut_printf(s, "%lld: hostile done\r\n", (long long)n);
}

int sut_hostile(struct sut *s)
{
	const char *name = sut_arg(s, 0, NULL);

	if (name && !strcmp(name, "--list")) {
		for (size_t i = 0; i < B_ARRAY_LEN(hostile); i++)
			sut_printf(s, "%s\r\n", hostile[i].name);
		return 0;
	}
	if (name) {
		struct b_buf line = B_BUF_INIT;

		sut_raw(s);
		b_buf_adds(&line, name);
		answer_hostile(s, &line, 0);
		b_buf_release(&line);
	}
	return sut_talk(s, answer_hostile);
}

static const struct {
	const char *name, *query;
} queries[] = {
	{ "DA1", "\033[c" },
	{ "DA2", "\033[>c" },
	{ "DA3", "\033[=c" },
	{ "DECID", "\033Z" },
	{ "DSR5", "\033[5n" },
	{ "CPR", "\033[7;9H\033[6n" },
	{ "DECXCPR", "\033[7;9H\033[?6n" },
	{ "DECRQM25", "\033[?25$p" },
	{ "DECRQSSm", "\033P$qm\033\\" },
	{ "OSC10", "\033]10;?\033\\" },
	{ "OSC11", "\033]11;?\033\\" },
	{ "OSC11BEL", "\033]11;?\007" },
	{ "XTVERSION", "\033[>q" },
	{ "XTWINOPS18", "\033[18t" },
	{ "ENQ", "\005" },
};

/* Asks each query and prints the answer in hexadecimal, "-" when none came within MS. */
int sut_ask(struct sut *s)
{
	int wait_ms = (int)sut_arg_int(s, 0, 1, 60000, 300);

	sut_raw(s);
	sut_puts(s, "\033[H\033[2J");
	for (size_t i = 0; i < B_ARRAY_LEN(queries); i++) {
		struct b_buf hex = B_BUF_INIT;
		int c;

		sut_puts(s, queries[i].query);
		/* The rest of an answer comes with its beginning. */
		for (int wait = wait_ms; (c = sut_getc(s, wait)) >= 0; wait = 30)
			b_buf_printf(&hex, "%02x", (unsigned)c);
		sut_printf(s, "\033[%zu;1H%s %s\r\n", i + 1, queries[i].name,
			hex.len ? b_buf_cstr(&hex) : "-");
		b_buf_release(&hex);
		if (c == SUT_EOF)
			return 0;
	}
	sut_puts(s, "asked\r\n");
	return sut_talk(s, NULL);
}

static volatile sig_atomic_t winch;

static void on_winch(int sig)
{
	(void)sig;
	winch = 1;
}

/* Prints the window's size at the start and after each SIGWINCH. */
int sut_resize(struct sut *s)
{
	struct sigaction sa = { .sa_handler = on_winch };
	int64_t n = 0;
	int c = 0;

	sigaction(SIGWINCH, &sa, NULL);
	sut_raw(s);
	sut_puts(s, "\033[H\033[2J");
	do {
		if (c == 0 || winch) {
			struct winsize w = { 0 };

			winch = 0;
			ioctl(s->in, TIOCGWINSZ, &w);
			sut_printf(s, "\033[1;1H\033[Ksize %dx%d change %lld\r\n", w.ws_col,
				w.ws_row, (long long)n++);
		}
		c = sut_getc(s, 200);
	} while (c != SUT_EOF && c != 'q' && c != 4);
	sut_cooked(s);
	return 0;
}

/* FNV-1a: says that the right password came through without showing it. */
static unsigned hash(const struct b_buf *b)
{
	unsigned h = 2166136261u;

	for (size_t i = 0; i < b->len; i++)
		h = (h ^ (unsigned char)b->data[i]) * 16777619u;
	return h;
}

static int welcome(struct sut *s, const struct b_buf *user, const struct b_buf *password)
{
	sut_printf(s, "\r\nwelcome %.*s, password of %zu bytes, hash %08x\r\n", (int)user->len,
		user->len ? user->data : "", password->len, hash(password));
	return sut_talk(s, NULL);
}

/* getpass(3)'s way: canonical mode, ECHO off. */
int sut_password(struct sut *s)
{
	struct b_buf user = B_BUF_INIT, password = B_BUF_INIT;
	struct termios t, quiet;
	int c, rc;

	sut_puts(s, "Username: ");
	while ((c = sut_getc(s, -1)) != SUT_EOF && c != '\n')
		if (c > 0)
			b_buf_addc(&user, (char)c);
	if (tcgetattr(s->in, &t))
		return 1;
	quiet = t;
	quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
	tcsetattr(s->in, TCSAFLUSH, &quiet);
	sut_puts(s, "Password: ");
	while ((c = sut_getc(s, -1)) != SUT_EOF && c != '\n')
		if (c > 0)
			b_buf_addc(&password, (char)c);
	tcsetattr(s->in, TCSAFLUSH, &t);
	rc = welcome(s, &user, &password);
	b_buf_release(&user);
	b_buf_release(&password);
	return rc;
}

static int password_screen(struct sut *s, const char *mask)
{
	struct b_buf user = B_BUF_INIT, password = B_BUF_INIT;
	int c, rc;

	sut_raw(s);
	sut_puts(s, "\033[H\033[2JSign on\033[4;1HUser name\033[5;1HPassword\033[4;12H");
	if (!sut_line(s, &user))
		return 0;
	sut_puts(s, "\033[5;12H");
	while ((c = sut_getc(s, -1)) != SUT_EOF && c != '\r' && c != '\n') {
		if ((c == 8 || c == 127) && password.len) {
			b_buf_truncate(&password, password.len - 1);
			if (*mask)
				sut_puts(s, "\b \b");
		} else if (c >= ' ') {
			b_buf_addc(&password, (char)c);
			sut_puts(s, mask);
		}
	}
	rc = welcome(s, &user, &password);
	b_buf_release(&user);
	b_buf_release(&password);
	return rc;
}

int sut_password_stars(struct sut *s)
{
	return password_screen(s, "*");
}

int sut_password_blank(struct sut *s)
{
	return password_screen(s, "");
}

/* What the process was given: terminal, size, descriptors, signals. */
int sut_env(struct sut *s)
{
	const char *term = getenv("TERM");
	struct winsize w = { 0 };
	struct dirent *e;
	sigset_t mask;
	DIR *d;

	ioctl(s->in, TIOCGWINSZ, &w);
	sut_printf(s, "TERM %s\r\nsize %dx%d\r\n", term ? term : "-", w.ws_col, w.ws_row);
	sut_printf(s, "leader %d foreground %d\r\n", getsid(0) == getpid(),
		tcgetpgrp(s->in) == getpgrp());
	sut_puts(s, "fds");
	d = opendir("/proc/self/fd");
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && (int)strtol(e->d_name, NULL, 10) != dirfd(d))
			sut_printf(s, " %s", e->d_name);
	if (d)
		closedir(d);
	sut_puts(s, "\r\nblocked");
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int sig = 1; sig < 65; sig++)
		if (sigismember(&mask, sig) == 1)
			sut_printf(s, " %d", sig);
	sut_puts(s, "\r\nignored");
	for (int sig = 1; sig < 65; sig++) {
		struct sigaction sa;

		if (!sigaction(sig, NULL, &sa) && sa.sa_handler == SIG_IGN)
			sut_printf(s, " %d", sig);
	}
	sut_puts(s, "\r\nend\r\n");
	return 0;
}
