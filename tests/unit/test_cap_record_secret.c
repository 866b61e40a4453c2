/* capture: secrets, told from keys by what the screen and the line show. */
#include "tests/unit/secret_session.h"

/* ---- The line hides ---------------------------------------------------------------------- */

static void line_without_echo(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	s->hidden = true;
	type_each(s, "s3cret", NULL);
	so_far(s, "");
	assert_true(cap_secret_holds(s->secret));
	assert_int_equal(cap_secret_due_ns(s->secret), -1);
	type(s, "\r");
	so_far(s, "m:secret password i:\\r ");
	s->hidden = false;
	show(s, "\r\n$ ");
	type(s, "l");
	show(s, "l");
	end(s, "m:secret password i:\\r i:l ");
}

static void line_in_one_read(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	s->hidden = true;
	type(s, "s3cret\r");
	end(s, "m:secret password i:\\r ");
}

static void line_without_a_label(void **state)
{
	struct session *s = begin("");

	(void)state;
	s->hidden = true;
	type(s, "dd");
	type(s, "\003");
	end(s, "m:secret password i:\\x03 ");
}

static void erasures_belong_to_it(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	s->hidden = true;
	type(s, "s3x");
	type(s, "\177");
	type(s, "cret");
	type(s, "\r");
	/* All erased, then nothing but Enter. */
	type(s, "oops");
	type(s, "\025");
	type(s, "\r");
	type(s, "ab");
	type(s, "\177\177");
	type(s, "\r");
	end(s, "m:secret password i:\\r i:\\r i:\\r ");
}

static void only_enter(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	s->hidden = true;
	type(s, "\r");
	end(s, "i:\\r ");
}

/* The program turns echo off between our look and its getting the first character. */
static void echo_off_races_with_the_first_character(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	type(s, "s");
	s->hidden = true;
	type_each(s, "3cret", NULL);
	type(s, "\r");
	so_far(s, "m:secret password i:\\r ");
	s->hidden = false;
	/* The same with Enter as the next key. */
	show(s, "\r\nPassword: ");
	type(s, "s");
	s->hidden = true;
	type(s, "\r");
	so_far(s, "m:secret password i:\\r m:secret password_2 i:\\r ");
	/* And with output, or nothing but time, in between. */
	s->hidden = false;
	show(s, "\r\n: ");
	type(s, "s");
	s->hidden = true;
	wait_ms(s, 10);
	type(s, "x\r");
	so_far(s, "m:secret password i:\\r m:secret password_2 i:\\r m:secret password_3 i:\\r ");
	end(s, "m:secret password i:\\r m:secret password_2 i:\\r m:secret password_3 i:\\r ");
}

/* Python's curses ends with ICANON on before ECHO. The q that it was told was no secret; a first
   character with nothing but time behind it is. */
static void a_line_that_hides_in_passing(void **state)
{
	struct session *s = begin("dir\r\n\r\n");

	(void)state;
	type(s, "q");
	s->hidden = true;
	show(s, "\033[10;1H");
	wait_ms(s, 1);
	s->hidden = false;
	show(s, "\033[?1049l");
	end(s, "i:q ");

	s = begin(": ");
	type(s, "s");
	s->hidden = true;
	wait_ms(s, 10);
	so_far(s, "");
	wait_ms(s, 3000);
	type(s, "3cret\r");
	end(s, "m:secret password i:\\r ");
}

static void what_was_echoed_is_no_secret(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	type(s, "s");
	show(s, "s");
	s->hidden = true;
	type_each(s, "3cret", NULL);
	type(s, "\r");
	end(s, "i:s m:secret password i:\\r ");
}

/* User and password typed ahead in one go. */
static void typed_ahead(void **state)
{
	struct session *s = begin("login: ");

	(void)state;
	type(s, "bob\rs3cret\rls\r");
	show(s, "bob\r\nPassword: ");
	s->hidden = true;
	wait_ms(s, 1);
	s->hidden = false;
	show(s, "\r\n$ ");
	show(s, "ls\r\n");
	wait_ms(s, 3000);
	end(s, "i:bob\\r m:secret password i:\\r i:ls\\r ");
}

/* ---- Masks ------------------------------------------------------------------------------- */

static void asterisks(void **state)
{
	struct session *s = begin("\033[3;5HCode: \033[3;20H");

	(void)state;
	type_each(s, "s3cret", "*");
	so_far(s, "");
	type(s, "\r");
	so_far(s, "m:secret code i:\\r ");
	show(s, "\033[2JMain menu");
	end(s, "m:secret code i:\\r ");
}

static void masks_come_late_and_in_one_go(void **state)
{
	struct session *s = begin("Code: ");

	(void)state;
	type(s, "s3cret");
	show(s, "***");
	show(s, "***");
	type(s, "\t");
	so_far(s, "m:secret code i:\\t ");
	show(s, "\033[5;1HNext: ");
	/* So late that Enter was typed before. */
	type(s, "s3cret");
	type(s, "\r");
	so_far(s, "m:secret code i:\\t ");
	show(s, "******\033[7;1Hdone ");
	end(s, "m:secret code i:\\t m:secret next i:\\r ");
}

static void other_masks(void **state)
{
	static const char *const masks[] = { "\342\200\242", "#", ".", "-", "x", "\342\227\217" };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(masks); i++) {
		struct session *s = begin("Password: ");

		type_each(s, "abcd", masks[i]);
		type(s, "\r");
		end(s, "m:secret password i:\\r ");
	}
}

static void erased_masks(void **state)
{
	struct session *s = begin("Code: ");

	(void)state;
	type_each(s, "s3x", "*");
	type(s, "\177");
	show(s, "\b \b");
	type_each(s, "cret", "*");
	type(s, "\r");
	so_far(s, "m:secret code i:\\r ");
	show(s, "\r\nCode: ");
	type_each(s, "ab", "*");
	type(s, "\177");
	show(s, "\b \b");
	type(s, "\177");
	show(s, "\b \b");
	type(s, "\r");
	end(s, "m:secret code i:\\r i:\\r ");
}

static void a_full_field_scrolls(void **state)
{
	struct session *s = begin("Code: [    ]\033[1;8H");

	(void)state;
	type_each(s, "abc", "*");
	type(s, "d");
	show(s, "*\b");
	type_each(s, "ef", "*\b");
	type(s, "\r");
	end(s, "m:secret code i:\\r ");
}

/* less at vt100, typed ahead: the line is cleared, and `/` comes in front of the echoes. */
static void a_prompt_is_no_mask(void **state)
{
	struct session *s = begin(":");

	(void)state;
	type(s, "/");
	show(s, "\r\033[K");
	type(s, "1");
	type(s, "2");
	type(s, "0");
	show(s, "/");
	show(s, "1\b1\033[K");
	show(s, "2\b2\033[K");
	show(s, "0\b0");
	type(s, "\r");
	show(s, "\r\033[K:");
	end(s, "i:/ i:1 i:2 i:0 i:\\r ");
}

/* The same, the last character right behind the cleared line. */
static void a_prompt_is_no_mask_of_one(void **state)
{
	struct session *s = begin(":");

	(void)state;
	type(s, "/12");
	show(s, "\r\033[K");
	s->now_ns -= 99 * B_NS_PER_MS;
	type(s, "0");
	show(s, "/\033[K");
	show(s, "1\b1\033[K");
	show(s, "2\b2\033[K");
	show(s, "0\b0");
	type(s, "\r");
	show(s, "\r\033[K:");
	end(s, "i:/12 i:0 i:\\r ");
}

/* A quote or a dash that shows as itself is no mask, whatever the line says in front of it. */
static void a_mark_that_shows_is_no_mask(void **state)
{
	struct session *s = begin("$ read -p \"Secret: \" x; echo \" ok");

	(void)state;
	type(s, "\"");
	show(s, "\"");
	type(s, "\r");
	show(s, "\r\nSecret: ");
	end(s, "i:\" i:\\r ");
}

static void a_field_that_submits_itself(void **state)
{
	struct session *s = begin("PIN: ");

	(void)state;
	type_each(s, "123", "*");
	type(s, "4");
	show(s, "*\033[2J\033[HWelcome\r\n> ");
	wait_ms(s, 2500);
	type(s, "x");
	show(s, "x");
	end(s, "m:secret pin i:x ");
}

/* ---- The label asks ---------------------------------------------------------------------- */

static void label_in_front(void **state)
{
	static const char *const labels[] = { "Password: ", "Enter your PIN ",
		"  Passphrase for key [",
		"Kennwort. . . . : ", "Name: bob   Password: ", "mot de passe > " };
	static const char *const names[] = { "password", "pin", "passphrase", "kennwort",
		"password", "mot_de_passe" };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(labels); i++) {
		struct session *s = begin(labels[i]);
		struct b_buf want = B_BUF_INIT;

		type_each(s, "s3cret", NULL);
		type(s, "\r");
		show(s, "\r\nwelcome");
		b_buf_printf(&want, "m:secret %s i:\\r ", names[i]);
		end(s, b_buf_cstr(&want));
		b_buf_release(&want);
	}
}

static void label_without_any_answer(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	type(s, "s3cret\t");
	assert_int_equal(cap_secret_due_ns(s->secret), s->now_ns + B_NS_PER_S);
	wait_ms(s, 1001);
	end(s, "m:secret password i:\\t ");
}

static void label_in_a_box(void **state)
{
	struct session *s = begin("\033(0lqqqqqqqqqqqqqqqqqqqk\033(B\r\n"
				  "\033(0x\033(B Enter your        \033(0x\033(B\r\n"
				  "\033(0x\033(B password please   \033(0x\033(B\r\n"
				  "\033(0x lqqqqqqqqqqqqqqqk x\033(B\r\n"
				  "\033(0x x\033(B               \033(0x x\033(B\r\n"
				  "\033(0x mqqqqqqqqqqqqqqqj x\033(B\r\n"
				  "\033[5;4H");

	(void)state;
	type_each(s, "s3cret", NULL);
	type(s, "\r");
	show(s, "\033[2J\033[H");
	end(s, "m:secret password i:\\r ");
}

static void label_but_it_echoes(void **state)
{
	struct session *s = begin("Password hint: ");

	(void)state;
	type_each(s, "x", "x");
	so_far(s, "i:x ");
	/* All in one answer, Enter's included; and scrolled up. */
	type(s, "y\r");
	show(s, "y\r\nPassword hint: ");
	so_far(s, "i:x i:y\\r ");
	/* The echo in two pieces. */
	type(s, "cat\r");
	show(s, "c");
	show(s, "at\r\nPassword hint: ");
	so_far(s, "i:x i:y\\r i:cat\\r ");
	type(s, "dog\r");
	show(s, "dog\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9");
	end(s, "i:x i:y\\r i:cat\\r i:dog\\r ");

	/* The first of it shows and no more. */
	s = begin("Password: ");
	type(s, "cat\r");
	show(s, "c");
	show(s, "\r\n");
	end(s, "m:secret password i:\\r ");
}

static void label_and_a_clock(void **state)
{
	struct session *s =
		begin("\033[1;50H12:00:00\033[3;1HPassword:             12:00\033[3;11H");

	(void)state;
	type(s, "s3");
	show(s, "\0337\033[1;50H12:00:01\0338");
	show(s, "\033[3;23H12:01\033[3;11H");
	show(s, "\033[1;50H12:0"); /* cut in the middle */
	show(s, "0:02\033[3;11H");
	type(s, "cret\r");
	show(s, "\033[2J");
	end(s, "m:secret password i:\\r ");
}

static void label_but_a_command(void **state)
{
	/* A file in an editor: the text in front of the cursor is no label of a field here. */
	struct session *s = begin("password = secret\033[1;12H");

	(void)state;
	type(s, "d");
	type(s, "d");
	show(s, "\033[1;1H~\033[K\033[1;1H");
	end(s, "i:d i:d ");
}

/* A pager's prompt below text that speaks of passwords. */
static void no_label_above_a_prompt(void **state)
{
	struct session *s = begin("change the password\r\nnever\r\n:");

	(void)state;
	type(s, "k");
	type(s, "\r");
	show(s, "\a");
	wait_ms(s, 1100);
	end(s, "i:k i:\\r ");
}

static void names_of_secrets(void **state)
{
	static const struct {
		const char *label, *name;
		bool asks;
	} cases[] = {
		{ "Old password", "old_password", true },
		{ "New password", "new_password", true },
		{ "Retype new password", "new_password", true },
		{ "[sudo] password for alice", "password", true },
		{ "PIN", "pin", true },
		{ "Pinned", "pinned", false },
		{ "Access code", "access_code", false },
		{ "Contrase\303\261a", "contrase", true },
		{ "TAN 7", "tan_7", true },
		{ "7", "password", false },
		{ "", "password", false },
		{ "a b c d e", "c_d_e", false },
		{ "Passw\303\266rter!", "passw_rter", false },
	};
	struct cap_secret_labels *l;
	struct b_error err = { 0 };

	(void)state;
	assert_int_equal(cap_secret_labels_new(&l, "tan [0-9]", &err), 0);
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf name = B_BUF_INIT;

		assert_int_equal(cap_secret_label(l, cases[i].label, &name), cases[i].asks);
		assert_string_equal(b_buf_cstr(&name), cases[i].name);
		b_buf_release(&name);
	}
	cap_secret_labels_free(l);
	assert_int_equal(cap_secret_labels_new(&l, "a[", &err), B_EUSAGE);
	assert_non_null(strstr(err.text, "'a['"));
	cap_secret_labels_free(NULL);
}

static void a_pattern_of_ones_own(void **state)
{
	struct session *s = begin_with("Magic word: ", "magic");

	(void)state;
	type(s, "please\r");
	show(s, "\r\nok");
	end(s, "m:secret magic i:\\r ");
	s = begin("Magic word: ");
	type(s, "please\r");
	show(s, "\r\nok");
	end(s, "i:please\\r ");
}

/* ---- Beside it --------------------------------------------------------------------------- */

static void answers_are_no_part_of_it(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	s->hidden = true;
	type(s, "s3");
	type(s, "\033[24;80R\033[I");
	type(s, "cret\r");
	end(s, "m:secret password i:\\e[24;80R\\e[I i:\\r ");
}

static void pastes(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	type(s, "\033[200~s3cret\033[201~");
	type(s, "\r");
	show(s, "\r\nok\r\n$ ");
	so_far(s, "m:secret password i:\\r ");
	type(s, "\033[200~ls\033[201~");
	show(s, "ls");
	type(s, "\033[200~");
	type(s, "-l");
	show(s, "-l");
	type(s, "\033[201~");
	end(s, "m:secret password i:\\r i:\\e[200~ls\\e[201~ i:\\e[200~ i:-l i:\\e[201~ ");
}

static void the_person_says_so(void **state)
{
	struct session *s = begin("> ");

	(void)state;
	type(s, "a");
	show(s, "a");
	cap_secret_tell(s->secret, s->now_ns, true);
	type_each(s, "s3", "*");
	type(s, "x");
	show(s, "x");
	cap_secret_tell(s->secret, s->now_ns, false);
	type(s, "\r");
	end(s, "i:a m:secret password i:\\r ");
}

/* Not shown while it was typed, but printed once it was submitted. */
static void printed_at_the_end(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	type(s, "s3c");
	wait_ms(s, 300);
	type(s, "\r");
	show(s, "s3c\r\n");
	end(s, "m:secret password i:\\r ");
	/* Typed ahead of its echo. */
	s = begin("Password hint: ");
	type(s, "dog");
	type(s, "\r");
	show(s, "dog\r\n");
	end(s, "i:dog i:\\r ");
}

/* Typed as soon as something shows: the cursor is in another field then. */
static void typed_into_a_screen_that_is_painted(void **state)
{
	struct session *s = begin("");

	(void)state;
	show(s, "\033[H\033[2JName:     ________\r\nPassword: ");
	s->now_ns -= 99 * B_NS_PER_MS;
	type(s, "Ad");
	show(s, "________\r\nEnter=Post\033[1;11HA");
	show(s, "d");
	so_far(s, "i:Ad ");
	end(s, "i:Ad ");
}

/* Tab and the password in one go, as a program types them: the field comes after the keys. */
static void typed_ahead_of_its_field(void **state)
{
	struct session *s = begin("Name: \r\nPassword: \033[1;7H");

	(void)state;
	type(s, "bob");
	show(s, "bob");
	type(s, "\ts3cret");
	show(s, "\033[2;11H");
	type(s, "\r");
	show(s, "\033[4;1Hwelcome");
	end(s, "i:bob i:\\t m:secret password i:\\r ");
	/* Enter with it. */
	s = begin("Name: \r\nPassword: \033[1;7H");
	type(s, "bob");
	show(s, "bob");
	type(s, "\ts3cret\r");
	show(s, "\033[2;11H");
	show(s, "\033[4;1Hwelcome");
	end(s, "i:bob i:\\t m:secret password i:\\r ");
}

/* What the person says is secret has the name of its field. */
static void told_by_its_label(void **state)
{
	struct session *s = begin("Customer code: ");

	(void)state;
	cap_secret_tell(s->secret, s->now_ns, true);
	type_each(s, "k7", "k7");
	cap_secret_tell(s->secret, s->now_ns, false);
	type(s, "\r");
	so_far(s, "m:secret customer_code i:\\r ");
	end(s, "m:secret customer_code i:\\r ");
}

/* One secret has one name, another by the same label has another; erasures count. */
static void the_same_again(void **state)
{
	static const struct {
		const char *typed, *name;
	} cases[] = { { "ab", "password" }, { "cd", "password_2" }, { "xx\177\177ab", "password" },
		{ "e\025cd", "password_2" }, { "ef", "password_3" } };
	struct b_buf want = B_BUF_INIT;
	struct session *s = begin("");

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		show(s, "\r\nPassword: ");
		s->hidden = true;
		type(s, cases[i].typed);
		type(s, "\r");
		b_buf_printf(&want, "m:secret %s i:\\r ", cases[i].name);
		so_far(s, b_buf_cstr(&want));
		s->hidden = false;
	}
	end(s, b_buf_cstr(&want));
	b_buf_release(&want);
}

/* Asked for once more, in other words. */
static void the_same_secret_again(void **state)
{
	static const struct {
		const char *asked, *typed, *name;
	} cases[] = { { "Enter new password: ", "ab", "new_password" },
		{ "Enter it again: ", "ab", "new_password" },
		{ "Confirm password: ", "ab", "new_password" }, { "Repeat: ", "cd", "repeat" },
		{ "Next: ", "cd", "next" }, { "Old password: ", "cd", "old_password" } };
	struct b_buf want = B_BUF_INIT;
	struct session *s = begin("");

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		show(s, "\r\n");
		show(s, cases[i].asked);
		s->hidden = true;
		type(s, cases[i].typed);
		type(s, "\r");
		b_buf_printf(&want, "m:secret %s i:\\r ", cases[i].name);
		s->hidden = false;
	}
	end(s, b_buf_cstr(&want));
	b_buf_release(&want);
}

static void at_the_end(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	type(s, "s3c");
	end(s, "m:secret password ");
	s = begin("> ");
	type(s, "s3c");
	end(s, "i:s3c ");
	s = begin("> ");
	s->hidden = true;
	type(s, "s3c");
	end(s, "m:secret password ");
	s = begin("> ");
	type_each(s, "s3c", "*");
	end(s, "m:secret password ");
	s = begin("> ");
	type(s, "forgotten");
	free_session(s);
}

static void escape_and_arrows_end_a_run(void **state)
{
	struct session *s = begin("Password: ");

	(void)state;
	type(s, "s3c");
	type(s, "\033");
	show(s, "\033[2J\033[H");
	type(s, "\033[A");
	type(s, "\033OP");
	end(s, "m:secret password i:\\e i:\\e[A i:\\eOP ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_without_echo),
		cmocka_unit_test(line_in_one_read),
		cmocka_unit_test(line_without_a_label),
		cmocka_unit_test(erasures_belong_to_it),
		cmocka_unit_test(only_enter),
		cmocka_unit_test(echo_off_races_with_the_first_character),
		cmocka_unit_test(a_line_that_hides_in_passing),
		cmocka_unit_test(what_was_echoed_is_no_secret),
		cmocka_unit_test(typed_ahead),
		cmocka_unit_test(asterisks),
		cmocka_unit_test(masks_come_late_and_in_one_go),
		cmocka_unit_test(other_masks),
		cmocka_unit_test(erased_masks),
		cmocka_unit_test(a_full_field_scrolls),
		cmocka_unit_test(a_prompt_is_no_mask),
		cmocka_unit_test(a_prompt_is_no_mask_of_one),
		cmocka_unit_test(a_mark_that_shows_is_no_mask),
		cmocka_unit_test(a_field_that_submits_itself),
		cmocka_unit_test(label_in_front),
		cmocka_unit_test(label_without_any_answer),
		cmocka_unit_test(label_in_a_box),
		cmocka_unit_test(label_but_it_echoes),
		cmocka_unit_test(label_and_a_clock),
		cmocka_unit_test(label_but_a_command),
		cmocka_unit_test(no_label_above_a_prompt),
		cmocka_unit_test(names_of_secrets),
		cmocka_unit_test(a_pattern_of_ones_own),
		cmocka_unit_test(answers_are_no_part_of_it),
		cmocka_unit_test(pastes),
		cmocka_unit_test(the_person_says_so),
		cmocka_unit_test(printed_at_the_end),
		cmocka_unit_test(typed_into_a_screen_that_is_painted),
		cmocka_unit_test(typed_ahead_of_its_field),
		cmocka_unit_test(told_by_its_label),
		cmocka_unit_test(the_same_again),
		cmocka_unit_test(the_same_secret_again),
		cmocka_unit_test(at_the_end),
		cmocka_unit_test(escape_and_arrows_end_a_run),
	};

	return cmocka_run_group_tests_name("cap_record_secret", tests, NULL, NULL);
}
