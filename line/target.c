/* Targets: what kinds there are, their text, {user}. */
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "line/ops.h"
#include "line/query.h"
#include "line/tls.h"
#include "line/words.h"
#include "base/banned.h"

#define ALIVE_NS     (30 * B_NS_PER_S)
#define ALIVE_MAX_NS (3600 * B_NS_PER_S)

static const struct ln_kind *const kinds[] = {
	&ln_kind_pty,
	&ln_kind_tcp,
	&ln_kind_tcps,
	&ln_kind_telnet,
	&ln_kind_telnets,
	&ln_kind_ssh,
	&ln_kind_rlogin,
	&ln_kind_serial,
};

static const char user_mark[] = "{user}";

bool ln_has_user(const char *s)
{
	return s && strstr(s, user_mark);
}

char *ln_expand(const char *s, int64_t user)
{
	struct b_buf out = B_BUF_INIT;
	const char *mark;

	for (; (mark = strstr(s, user_mark)); s = mark + strlen(user_mark)) {
		b_buf_add(&out, s, (size_t)(mark - s));
		b_buf_printf(&out, "%lld", (long long)(user ? user : 1));
	}
	b_buf_adds(&out, s);
	(void)b_buf_cstr(&out);
	return b_buf_take(&out, NULL);
}

/* ---- What a message may show of a target that is refused --------------------------------- */

/* The password of USER:PASSWORD@HOST in text, or NULL: from its colon to the @. */
static const char *find_password(const char *text, size_t *len)
{
	const char *host = strstr(text, "//"), *end, *at = NULL, *colon;

	host = host ? host + 2 : text;
	end = host + strcspn(host, "?");
	for (const char *p = host; p < end; p++)
		if (*p == '@')
			at = p;
	colon = at ? memchr(host, ':', (size_t)(at - host)) : NULL;
	*len = colon ? (size_t)(at - colon) : 0;
	return colon;
}

static bool is_password(const char *name, size_t len)
{
	return len >= 4 && !strncasecmp(name, "pass", 4);
}

/* Text without what people take for the place of a password; the caller's. */
static char *harmless(const char *text)
{
	struct b_buf out = B_BUF_INIT;
	size_t len;
	const char *password = find_password(text, &len);

	if (password) {
		b_buf_add(&out, text, (size_t)(password - text));
		b_buf_adds(&out, ":***");
		text = password + len;
	}
	while (*text) {
		size_t name = strcspn(text, "?&="), value;

		b_buf_add(&out, text, name + (text[name] != '\0'));
		value = text[name] == '=' && is_password(text, name) ? strcspn(text + name + 1, "&")
								     : 0;
		if (value)
			b_buf_adds(&out, "***");
		text += name + (text[name] != '\0') + value;
	}
	(void)b_buf_cstr(&out);
	return b_buf_take(&out, NULL);
}

static int unknown_kind(const char *text, struct b_error *err)
{
	struct b_buf forms = B_BUF_INIT;
	char *shown = harmless(text);
	int rc;

	for (size_t i = 0; i < B_ARRAY_LEN(kinds); i++)
		b_buf_printf(&forms, "%s%s", i ? ", " : "", kinds[i]->form);
	rc = b_error_set(
		err, B_EUSAGE, "'%s' is no target; targets are %s", shown, b_buf_cstr(&forms));
	b_buf_release(&forms);
	free(shown);
	return rc;
}

static struct ln_target *new_target(const struct ln_kind *kind)
{
	struct ln_target *t = b_calloc(1, sizeof *t);

	t->kind = kind;
	B_BUG_ON(pthread_mutex_init(&t->lock, NULL));
	return t;
}

int ln_target_parse(struct ln_target **out, const char *text, struct b_error *err)
{
	const struct ln_kind *kind = NULL;
	struct ln_target *t;
	int rc;

	for (size_t i = 0; i < B_ARRAY_LEN(kinds) && !kind; i++)
		if (!strncmp(text, kinds[i]->prefix, strlen(kinds[i]->prefix)))
			kind = kinds[i];
	if (!kind)
		return unknown_kind(text, err);
	t = new_target(kind);
	t->text = b_strdup(text);
	rc = kind->parse(t, text + strlen(kind->prefix), err);
	if (rc) {
		char *shown = harmless(text);

		b_error_prefix(err, "target '%s'", shown);
		free(shown);
		ln_target_free(t);
		return rc;
	}
	*out = t;
	return B_OK;
}

int ln_target_command(struct ln_target **out, char *const argv[], struct b_error *err)
{
	struct b_buf text = B_BUF_INIT;
	struct ln_target *t;
	size_t n = 0;

	if (!argv[0] || !*argv[0])
		return b_error_set(err, B_EUSAGE, "no command is given after --");
	t = new_target(&ln_kind_pty);
	while (argv[n])
		n++;
	t->argv = b_calloc(n + 1, sizeof *t->argv);
	for (size_t i = 0; i < n; i++)
		t->argv[i] = b_strdup(argv[i]);
	b_buf_adds(&text, ln_kind_pty.prefix);
	ln_words_quote(&text, argv);
	(void)b_buf_cstr(&text);
	t->text = b_buf_take(&text, NULL);
	*out = t;
	return B_OK;
}

void ln_target_free(struct ln_target *t)
{
	if (!t)
		return;
	if (t->addresses)
		freeaddrinfo(t->addresses);
	ln_tls_context_free(t->tls);
	pthread_mutex_destroy(&t->lock);
	ln_words_free(t->argv);
	free(t->user);
	free(t->host);
	free(t->port);
	free(t->path);
	free(t->query);
	free(t->text);
	free(t);
}

const char *ln_target_text(const struct ln_target *t)
{
	return t->text;
}

bool ln_target_is_pty(const struct ln_target *t)
{
	return t->kind == &ln_kind_pty;
}

bool ln_target_is_network(const struct ln_target *t)
{
	return t->host != NULL;
}

/* ---- [USER@]HOST[:PORT][?QUERY] -------------------------------------------------------- */

int ln_port_check(const char *port, struct b_error *err)
{
	int64_t n;

	if (b_parse_int(port, 1, 65535, &n))
		return b_error_set(err, B_EUSAGE, "'%s' is no port; ports are 1 to 65535", port);
	return B_OK;
}

static int parse_port(struct ln_target *t, const char *port, struct b_error *err)
{
	int rc = ln_has_user(port) ? B_OK : ln_port_check(port, err);

	if (!rc)
		t->port = b_strdup(port);
	return rc;
}

static int parse_alive(struct ln_target *t, struct b_error *err)
{
	char *text = ln_query_get(t->query, LN_QUERY_ALIVE);
	int64_t ns = ALIVE_NS;
	int rc = B_OK;

	if (text && (b_parse_duration(text, &ns) || ns < B_NS_PER_S || ns > ALIVE_MAX_NS))
		rc = b_error_set(err, B_EUSAGE,
			"alive=%s is no time from 1s to 1h in which a silent host counts as gone",
			text);
	free(text);
	t->alive_ns = ns;
	return rc;
}

int ln_parse_host(struct ln_target *t, const char *rest, const char *port, bool with_user,
	struct b_error *err)
{
	const char *query = strchr(rest, '?'), *at, *host_end, *colon;
	char *place = b_strndup(rest, query ? (size_t)(query - rest) : strlen(rest));
	const char *host = place;
	int rc = B_OK;

	if (query)
		t->query = b_strdup(query + 1);
	/* A browser's habit: a slash at the end. */
	if (*place && place[strlen(place) - 1] == '/')
		place[strlen(place) - 1] = '\0';
	at = strrchr(place, '@');
	if (at && (at == place || memchr(place, ':', (size_t)(at - place)))) {
		rc = b_error_set(err, B_EUSAGE, "%s",
			at == place ? "the user in front of @ is missing"
				    : "a password has no place in a target; it is taken from the "
				      "environment variable RTE_SECRET_PASSWORD");
		free(place);
		return rc;
	}
	if (at && with_user) {
		t->user = b_strndup(place, (size_t)(at - place));
		host = at + 1;
	}
	if (*host == '[' && (host_end = strchr(host, ']'))) {
		t->host = b_strndup(host + 1, (size_t)(host_end - host - 1));
		colon = host_end[1] == ':' ? host_end + 1 : NULL;
		if (!colon && host_end[1])
			rc = B_EUSAGE;
	} else {
		colon = strrchr(host, ':');
		t->host = b_strndup(host, colon ? (size_t)(colon - host) : strlen(host));
		if (strchr(t->host, ':'))
			rc = B_EUSAGE;
	}
	if (rc)
		b_error_set(err, rc, "an IPv6 address stands in brackets: [::1]:23");
	else if (!*t->host || strpbrk(t->host, "/@ \t"))
		rc = b_error_set(
			err, B_EUSAGE, "'%s' is no host; wanted is %s", t->host, t->kind->form);
	else if (colon)
		rc = parse_port(t, colon + 1, err);
	else if (!port)
		rc = b_error_set(err, B_EUSAGE, "the port is missing; wanted is %s", t->kind->form);
	else
		t->port = b_strdup(port);
	free(place);
	return rc ? rc : parse_alive(t, err);
}
