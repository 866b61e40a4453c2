/* capture: keys that look like a secret and are none. */
#include "tests/unit/secret_session.h"

/* ---- Keys that look like it -------------------------------------------------------------- */

static void no_masks(void **state)
{
	struct session *s = begin("> ");

	(void)state;
	type_each(s, "****", "*"); /* typed as it shows */
	so_far(s, "");
	type(s, "a");
	show(s, "a");
	so_far(s, "i:* i:* i:* i:* i:a ");
	type_each(s, "---", "-");
	type(s, "\r");
	end(s, "i:* i:* i:* i:* i:a i:- i:- i:- i:\\r ");
}

static void a_box_is_ticked(void **state)
{
	struct session *s = begin("( ) one\r\n[ ] two\033[2;2H");

	(void)state;
	type(s, " ");
	show(s, "*\b");
	so_far(s, "i:  ");
	type(s, " ");
	show(s, " \b");
	type(s, " ");
	show(s, "*"); /* and the cursor goes on */
	type(s, "\t");
	end(s, "i:  i:  i:  i:\\t ");
}

/* Numbers that come in from the right, over a filler; and a secure field of COBOL's. */
static void fillers(void **state)
{
	struct session *s = begin("Amount: ______.__\033[1;9H");

	(void)state;
	type(s, ".95");
	show(s, "\033[1;12H");
	type(s, "\r");
	show(s, "\033[1;9H_____0.95\033[3;1H");
	so_far(s, "i:.95 i:\\r ");
	type(s, "1");
	end(s, "i:.95 i:\\r i:1 ");
	s = begin("Access: ****\033[1;9H");
	type_each(s, "s3c", "*");
	type(s, "\t");
	end(s, "m:secret access i:\\t ");
	s = begin("Access: ****\033[1;9H");
	type(s, "s3c\t");
	show(s, "***\033[3;1H");
	end(s, "m:secret access i:\\t ");
}

static void capitals(void **state)
{
	struct session *s = begin("Name: ");

	(void)state;
	type(s, "b");
	show(s, "B");
	type(s, "o");
	show(s, "O");
	end(s, "i:b i:o ");
}

static void plain_typing(void **state)
{
	struct session *s = begin("$ ");

	(void)state;
	type(s, "l");
	show(s, "l");
	so_far(s, "i:l ");
	assert_false(cap_secret_holds(s->secret));
	type(s, "s -l");
	show(s, "s -l");
	type(s, "\r");
	end(s, "i:l i:s -l i:\\r ");
}

static void typing_wide_and_marked(void **state)
{
	struct session *s = begin("$ ");

	(void)state;
	type(s, "\344\270\255\346\226\207");
	show(s, "\344\270\255\346\226\207");
	type(s, "\303\251");
	show(s, "\303\251");
	end(s, "i:\344\270\255\346\226\207 i:\303\251 ");
}

/* vim's dd: nothing comes of the first d, the second one deletes the line. */
static void commands_without_echo(void **state)
{
	struct session *s = begin("password = x\r\nline two\033[1;1H");

	(void)state;
	type(s, "d");
	so_far(s, "");
	type(s, "d");
	show(s, "\033[1;1Hline two\033[K\033[2;1H~       \033[1;1H");
	so_far(s, "i:d i:d ");
	/* less's q, a digit of a menu. */
	type(s, "q");
	show(s, "\033[2J\033[H1 Query\r\n2 Update\r\nChoice: ");
	type(s, "1");
	show(s, "\033[2J\033[HAccount: ");
	so_far(s, "i:d i:d i:q i:1 ");
	end(s, "i:d i:d i:q i:1 ");
}

static void nothing_comes_of_it(void **state)
{
	struct session *s = begin("Menu\r\n1 Query");

	(void)state;
	type(s, "9");
	assert_int_equal(cap_secret_due_ns(s->secret), s->now_ns + 2 * B_NS_PER_S);
	wait_ms(s, 1000);
	so_far(s, "");
	wait_ms(s, 1001);
	so_far(s, "i:9 ");
	/* Enter behind it: a second is enough. */
	type(s, "8\r");
	wait_ms(s, 900);
	so_far(s, "i:9 ");
	wait_ms(s, 101);
	so_far(s, "i:9 i:8\\r ");
	end(s, "i:9 i:8\\r ");
}

static void something_comes_of_it_elsewhere(void **state)
{
	struct session *s = begin("1 Query\r\n2 Update\r\n\033[5;1HChoice\033[5;1H");

	(void)state;
	type(s, "2");
	show(s, "\0337\033[2;1H\033[7m2 Update\033[m\0338");
	so_far(s, "");
	wait_ms(s, 299);
	so_far(s, "");
	wait_ms(s, 2);
	so_far(s, "i:2 ");
	/* A clock that ticks does not put it off. */
	type(s, "1");
	show(s, "\0337\033[9;1H1\0338");
	wait_ms(s, 200);
	show(s, "\0337\033[9;1H2\0338");
	wait_ms(s, 101);
	end(s, "i:2 i:1 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_masks),
		cmocka_unit_test(a_box_is_ticked),
		cmocka_unit_test(fillers),
		cmocka_unit_test(capitals),
		cmocka_unit_test(plain_typing),
		cmocka_unit_test(typing_wide_and_marked),
		cmocka_unit_test(commands_without_echo),
		cmocka_unit_test(nothing_comes_of_it),
		cmocka_unit_test(something_comes_of_it_elsewhere),
	};

	return cmocka_run_group_tests_name("cap_record_keys", tests, NULL, NULL);
}
