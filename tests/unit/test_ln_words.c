/* line: commands into words and back; targets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "line/ops.h"
#include "line/words.h"

/* Words joined by '|'. */
static char *split(const char *command)
{
	struct b_buf out = B_BUF_INIT;
	struct b_error err = { 0 };
	char **words;

	if (ln_words_split(&words, command, &err)) {
		b_buf_printf(&out, "error: %s", err.text);
	} else {
		for (size_t i = 0; words[i]; i++)
			b_buf_printf(&out, "%s%s", i ? "|" : "", words[i]);
		ln_words_free(words);
	}
	(void)b_buf_cstr(&out);
	return b_buf_take(&out, NULL);
}

static void splitting(void **state)
{
	static const struct {
		const char *command, *want;
	} cases[] = {
		{ "top", "top" },
		{ "  top  -d\t1  ", "top|-d|1" },
		{ "dialog --form 'Fill in' 16 60", "dialog|--form|Fill in|16|60" },
		{ "a \"b c\" \"d\\\"e\" \"f\\g\"", "a|b c|d\"e|f\\g" },
		{ "a b\\ c \\'", "a|b c|'" },
		{ "a '' \"\"", "a||" },
		{ "a 'b'\"c\"d", "a|bcd" },
		{ "a '$x|&;<>*?[#~`'", "a|$x|&;<>*?[#~`" },
		{ "teller {user}.db", "teller|{user}.db" },
		{ "a x=y b#c d~e", "a|x=y|b#c|d~e" },
		{ "a 'x\ny'", "a|x\ny" },
		/* These need a shell. */
		{ "ls | wc", "/bin/sh|-c|ls | wc" },
		{ "ls > x", "/bin/sh|-c|ls > x" },
		{ "a; b", "/bin/sh|-c|a; b" },
		{ "echo $HOME", "/bin/sh|-c|echo $HOME" },
		{ "echo \"$HOME\"", "/bin/sh|-c|echo \"$HOME\"" },
		{ "echo `id`", "/bin/sh|-c|echo `id`" },
		{ "ls *.db", "/bin/sh|-c|ls *.db" },
		{ "ls ~/x", "/bin/sh|-c|ls ~/x" },
		{ "X=1 env", "/bin/sh|-c|X=1 env" },
		{ "exec top", "/bin/sh|-c|exec top" },
		{ "cd /tmp", "/bin/sh|-c|cd /tmp" },
		{ "a # b", "/bin/sh|-c|a # b" },
		{ "a\nb", "/bin/sh|-c|a\nb" },
		{ "echo $(echo ')')", "/bin/sh|-c|echo $(echo ')')" },
		/* But not when quoted. */
		{ "'exec' top", "exec|top" },
		{ "'X=1' env", "X=1|env" },
		{ "a 'b", "error: a quote is not closed in the command 'a 'b'" },
		{ "a \"b", "error: a quote is not closed in the command 'a \"b'" },
		{ "a b\\", "error: a quote is not closed in the command 'a b\\'" },
		{ "", "error: no word in the command ''" },
		{ "  ", "error: no word in the command '  '" },
		{ "''", "error: no word in the command ''''" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		char *got = split(cases[i].command);

		assert_string_equal(got, cases[i].want);
		free(got);
	}
}

static void quoting_gives_the_same_words(void **state)
{
	static const char *const lists[][5] = {
		{ "top" },
		{ "dialog", "--form", "Fill in", "" },
		{ "a", "it's", "\"", "\\" },
		{ "exec", "x" },
		{ "A=b", "C=d" },
		{ "sh", "-c", "echo $HOME | wc; exit", "x\ny" },
		{ "a", "*", "~", "#x" },
		{ "teller", "{user}.db", "caf\303\251", "\351" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(lists); i++) {
		struct b_buf text = B_BUF_INIT;
		struct b_error err = { 0 };
		char **words;
		size_t n = 0;

		ln_words_quote(&text, (char *const *)(uintptr_t)lists[i]);
		assert_int_equal(ln_words_split(&words, b_buf_cstr(&text), &err), 0);
		for (; words[n]; n++)
			assert_string_equal(words[n], lists[i][n]);
		assert_null(lists[i][n]);
		ln_words_free(words);
		b_buf_release(&text);
	}
}

static void target_texts(void **state)
{
	char *const argv[] = { (char *)(uintptr_t) "dialog", (char *)(uintptr_t) "a b", NULL };
	char *const none[] = { NULL };
	struct b_error err = { 0 };
	struct ln_target *t;

	(void)state;
	assert_int_equal(ln_target_command(&t, argv, &err), 0);
	assert_string_equal(ln_target_text(t), "pty:dialog 'a b'");
	assert_true(ln_target_is_pty(t));
	ln_target_free(t);
	assert_int_equal(ln_target_command(&t, none, &err), B_EUSAGE);
	assert_int_equal(ln_target_parse(&t, "tcp://localhost:7000", NULL), 0);
	assert_false(ln_target_is_pty(t));
	assert_string_equal(ln_target_text(t), "tcp://localhost:7000");
	ln_target_free(t);
	ln_target_free(NULL);
}

static void hosts(void **state)
{
	static const struct {
		const char *text, *host, *port, *message;
	} cases[] = {
		{ "tcp://sut.example:7000", "sut.example", "7000", NULL },
		{ "tcp://sut.example:7000/", "sut.example", "7000", NULL },
		{ "tcp://[::1]:23", "::1", "23", NULL },
		{ "tcp://10.0.0.{user}:7000", "10.0.0.{user}", "7000", NULL },
		{ "tcp://h:70{user}", "h", "70{user}", NULL },
		{ "tcp://h", NULL, NULL, "the port is missing; wanted is tcp://HOST:PORT" },
		{ "tcp://[::1]", NULL, NULL, "the port is missing" },
		{ "tcp://:23", NULL, NULL, "'' is no host" },
		{ "tcp://me@h:23", NULL, NULL, "'me@h' is no host" },
		{ "tcp://::1:23", NULL, NULL, "brackets" },
		{ "tcp://h:0", NULL, NULL, "'0' is no port" },
		{ "tcp://h:65536", NULL, NULL, "'65536' is no port" },
		{ "tcp://h:x", NULL, NULL, "'x' is no port" },
		{ "ssh://a@b@[::1]:22?command=x@y:z", "::1", "22", NULL },
		{ "ssh://@h", NULL, NULL, "the user in front of @ is missing" },
		{ "tcp://h:1?x=1&alive=3s", NULL, NULL,
			"nothing is called 'x' here; known alive=" },
		{ "ssh://h?key", NULL, NULL, "key= has no value" },
		{ "ssh://h?key=a&key=b", NULL, NULL, "key= stands there more than once" },
		{ "ssh://h?command=a%00b", NULL, NULL, "command= holds a NUL byte" },
		{ "ssh://h?verify=maybe", NULL, NULL, "verify=maybe: yes or no" },
		{ "tcps://h:1?verify=maybe", NULL, NULL, "verify=maybe: yes or no" },
		{ "ssh://me:sesame@h", NULL, NULL, "'ssh://me:***@h': a password has no place" },
		{ "tcp://me:sesame@h:1", NULL, NULL,
			"'tcp://me:***@h:1': a password has no place" },
		{ "http://me:sesame@h", NULL, NULL, "'http://me:***@h' is no target" },
		{ "ssh://h?password=sesame&key=k", NULL, NULL,
			"'ssh://h?password=***&key=k': nothing is called 'password'" },
		{ "http://h", NULL, NULL, "targets are pty:COMMAND, tcp://HOST:PORT" },
		{ "top", NULL, NULL, "'top' is no target" },
		{ "pty:", NULL, NULL, "no word" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_error err = { 0 };
		struct ln_target *t = NULL;
		int rc = ln_target_parse(&t, cases[i].text, &err);

		assert_int_equal(rc, cases[i].message ? B_EUSAGE : 0);
		if (rc) {
			if (!strstr(err.text, cases[i].message))
				fail_msg("'%s' has no '%s'", err.text, cases[i].message);
			assert_null(strstr(err.text, "sesame"));
			continue;
		}
		assert_string_equal(t->host, cases[i].host);
		assert_string_equal(t->port, cases[i].port);
		ln_target_free(t);
	}
}

static void user_numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t user;
		const char *want;
	} cases[] = {
		{ "teller{user}.db", 7, "teller7.db" },
		{ "{user}{user}x", 12, "1212x" },
		{ "{user}", 0, "1" },
		{ "{use}", 3, "{use}" },
		{ "", 3, "" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		char *got = ln_expand(cases[i].text, cases[i].user);

		assert_string_equal(got, cases[i].want);
		free(got);
	}
}

/* A port that is one only for some users: those go nowhere else. */
static void ports_of_users(void **state)
{
	struct b_error err = { 0 };
	struct ln_options opt = { .term = "xterm", .rows = 24, .cols = 80, .user = 1 };
	struct ln_target *t = NULL;
	struct ln_line *l = NULL;

	(void)state;
	assert_int_equal(ln_target_parse(&t, "tcp://127.0.0.1:6554{user}", &err), 0);
	opt.target = t;
	assert_int_equal(ln_open(&l, &opt, &err), B_EUSAGE);
	assert_non_null(strstr(err.text, "'65541' is no port"));
	ln_target_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splitting),
		cmocka_unit_test(quoting_gives_the_same_words),
		cmocka_unit_test(target_texts),
		cmocka_unit_test(hosts),
		cmocka_unit_test(user_numbers),
		cmocka_unit_test(ports_of_users),
	};

	return cmocka_run_group_tests_name("ln_words", tests, NULL, NULL);
}
