/* Loading: literal key names, declarations, misnamed hooks, syntax errors. */
#include "tests/unit/script_host.h"

static void errors(void **state)
{
	static const struct {
		const char *script, *error;
	} cases[] = {
		{ "function iteration( end", "s.lua:1: <name> or '...' expected near 'end'" },
		{ "\n\nx x", "s.lua:3: syntax error near 'x'" },
		{ "error 'top'", "s.lua:1: top" },
		{ "local t = nil\nt.x = 1", "s.lua:2: attempt to index a nil value (local 't')" },
		{ "function iteraton() end",
			"s.lua: function 'iteraton' is none that rte calls; did you "
			"mean 'iteration'?" },
		{ "function login() end function logot() end",
			"s.lua: function 'logot' is none that rte calls; did you mean 'logout'?" },
		{ "x = 1", "s.lua: the script has no function iteration(), no mix and no test" },
		{ "mix { query = 1 }", "s.lua: mix: the script has no function 'query'" },
		{ "mix { q = -1 } function q() end",
			"s.lua:1: mix: q: a weight is a number from 0, as in query = 80" },
		{ "mix { q = 0.5, deck = true } function q() end",
			"s.lua:1: mix: q: with deck = true a weight is a number of cards, 0 to 10000" },
		{ "mix { q = 1 } function q() end function iteration() end",
			"s.lua: mix stands in place of iteration(); the script has both" },
		{ "terminal { size = '80' }",
			"s.lua:1: terminal: size = '80' is not COLSxROWS, each 1 to 1000" },
		{ "terminal { trem = 'vt100' }",
			"s.lua:1: terminal: unknown field 'trem'; did you mean 'term'?" },
		{ "defaults { tining = 1 }",
			"s.lua:1: defaults: unknown field 'tining'; did you mean 'typing'?" },
		{ "defaults { timeout = 'soon' }",
			"s.lua:1: defaults: 'soon' is no duration; write \"250ms\", \"20s\", \"5m\"" },
		{ "send 'x'",
			"s.lua:1: send: needs a session, and the top level of a script has none: "
			"call it inside login(), iteration() or logout()" },
		{ "unexpected('x')",
			"s.lua:1: unexpected: takes a condition and a function: "
			"unexpected(\"text\", function() ... end)" },
		{ "trget 'x'",
			"s.lua:1: attempt to call a nil value (global 'trget'); did you mean "
			"'target'?" },
		{ "while true do end",
			"s.lua:1: the script ran too many instructions without waiting "
			"(an endless loop?)" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++)
		check_load_error(cases[i].script, cases[i].error);
}

static void key_names(void **state)
{
	static const struct {
		const char *script, *error; /* NULL: all known */
	} cases[] = {
		{ "press 'Enter'", NULL },
		{ "press 'Entr'", "s.lua:1: unknown key 'Entr'; did you mean 'Enter'?" },
		{ "\npress(\"F2\", 850) press('Entr', 3)",
			"s.lua:2: unknown key 'Entr'; did you mean" },
		{ "press { 'Tab',\n 'Dwon', count = 2 }",
			"s.lua:2: unknown key 'Dwon'; did you mean" },
		{ "-- press 'Entr'\n--[[ press 'Entr' ]] x = [==[ press 'Entr' ]]]==]", NULL },
		{ "x = \"press 'Entr'\" t.press 'Entr' t:press 'Entr'", NULL },
		{ "press('F' .. n) press('En' .. 'ter') press(\"F%d\":format(3))", NULL },
		{ "press [[Enter]] press '\\69nter' press '\\x45nter' press '\\u{45}nter'", NULL },
		{ "press [[Entr]]", "s.lua:1: unknown key 'Entr'" },
		{ "press 'C-c' press 'M-x' press 'S-Tab' press 'a' press '\xc3\xa9'", NULL },
	};
	struct vs_keymap *keymap;
	struct b_error err = { 0 };

	(void)state;
	if (vs_keymap_new(&keymap, "xterm-256color", &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf script = B_BUF_INIT;
		struct rte_script *s;
		struct host h;
		char path[128];
		int rc;

		host_open(&h, NULL);
		/* never run, so that what is checked is the text */
		b_buf_printf(&script, "function iteration() %s end", cases[i].script);
		if (strstr(cases[i].script, ":format"))
			b_buf_clear(&script),
				b_buf_adds(&script,
					"function iteration() press(('F%d'):format(3)) press('F' .. n) end");
		host_file(&h, "k.lua", b_buf_cstr(&script));
		snprintf(path, sizeof path, "%s/k.lua", h.folder);
		memset(&err, 0, sizeof err);
		rc = rte_script_load(h.lua, path, keymap, &s, &err);
		if (!cases[i].error && rc)
			fail_msg("%s: %s", cases[i].script, err.text);
		if (cases[i].error) {
			const char *shown = strrchr(err.text, '/');

			assert_int_equal(rc, B_EINPUT);
			assert_non_null(shown);
			if (strncmp(shown + 2, cases[i].error + 1, strlen(cases[i].error) - 1) != 0)
				fail_msg("%s: %s", cases[i].script, err.text);
		}
		b_buf_release(&script);
		host_close(&h);
	}
	vs_keymap_free(keymap);
}

/* A script is loaded once, and its place is right in spite of what stands in front of it. */
static void heads(void **state)
{
	(void)state;
	check_script("#!/usr/bin/env rte\nfunction iteration() log 'x' end", "log x\ndone\n");
	check_script("\xef\xbb\xbf"
		     "function iteration() log 'x' end",
		"log x\ndone\n");
	check_load_error("#!/usr/bin/env rte\nx x", "s.lua:2: syntax error near 'x'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors),
		cmocka_unit_test(key_names),
		cmocka_unit_test(heads),
	};

	return cmocka_run_group_tests_name("lua_load", tests, NULL, NULL);
}
