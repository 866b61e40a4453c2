/* Our pattern matcher and string functions against Lua's own, which --allow-unsafe lets us see. */
#include "rte/pattern.h"
#include "tests/unit/script_host.h"

static const char script[] =
	"local own, lua = string, package.loaded.string\n"
	"local function rnd(list) return list[random.int(1, #list)] end\n"
	"local items = { 'a', 'b', '.', '%a', '%d', '%s', '%w', '%W', '[ab]', '[^a]', '[a-c%d]', '[]]',\n"
	"  '[^]a]', '[a-]', '%.', '%%', '()', '%b()', '%bab', '%f[%w]', '%f[^a]', '%1', '^', '$', '-', 'ab',\n"
	"  '[%a_]', '%', '[', '(', ')', '%2', '[%', '%f', '%b', '%g', '%p', '%x', '%c', '%u', '%l', '[%-a]',\n"
	"  '[a%]b]', '[b-a]', '%z' }\n"
	"local quantifiers = { '', '', '', '*', '+', '-', '?' }\n"
	"local chars = { 'a', 'b', 'c', '(', ')', ' ', '1', '.', 'A', '\\n', '\\0', '\\233', '_', '-', ']' }\n"
	"local function pattern()\n"
	"  local t, open = {}, 0\n"
	"  if random.int(1, 6) == 1 then t[1] = '^' end\n"
	"  for i = 1, random.int(0, 5) do\n"
	"    if random.int(1, 5) == 1 then t[#t + 1] = '(' open = open + 1 end\n"
	"    t[#t + 1] = rnd(items) .. rnd(quantifiers)\n"
	"    if open > 0 and random.int(1, 2) == 1 then t[#t + 1] = ')' open = open - 1 end\n"
	"  end\n"
	"  if random.int(1, 20) > 1 then t[#t + 1] = (')'):rep(open) end\n"
	"  if random.int(1, 6) == 1 then t[#t + 1] = '$' end\n"
	"  return table.concat(t)\n"
	"end\n"
	"local function subject()\n"
	"  local t = {}\n"
	"  for i = 1, random.int(0, 12) do t[i] = rnd(chars) end\n"
	"  return table.concat(t)\n"
	"end\n"
	"local function show(...)\n"
	"  local t = table.pack(...)\n"
	"  for i = 1, t.n do t[i] = lua.format(math.type(t[i]) and '%d' or '%q', t[i] == nil and 'nil' or t[i] == true and 'true' or t[i] == false and 'false' or t[i]) end\n"
	"  return table.concat(t, ',')\n"
	"end\n"
	"local function all(f, ...) local t = {} for a, b in f(...) do t[#t + 1] = show(a, b)\n"
	"  if #t > 30 then break end end return table.concat(t, ';') end\n"
	"local function run(f, ...)\n"
	"  local r = table.pack(pcall(f, ...))\n"
	"  if r[1] then return show(table.unpack(r, 1, r.n)) end\n"
	"  return 'error'\n"
	"end\n"
	"local n, errors, hits = 0, 0, 0\n"
	"function iteration()\n"
	"  for i = 1, 2000 do\n"
	"    local s, p, init = subject(), pattern(), random.int(-5, 8)\n"
	"    local cases = {\n"
	"      { 'find', s, p, init }, { 'find', s, p, init, true }, { 'match', s, p, init },\n"
	"      { 'gsub', s, p, '<%0>' }, { 'gsub', s, p, '%1', 2 }, { 'gsub', s, p, { a = 'X' } },\n"
	"      { 'gsub', s, p, function(a) if a ~= 'b' then return a end end }, { 'gmatch', s, p }, { 'gmatch', s, p, init } }\n"
	"    for _, c in ipairs(cases) do\n"
	"      local name = table.remove(c, 1)\n"
	"      local f, g = own[name], lua[name]\n"
	"      local x, y\n"
	"      if name == 'gmatch' then x, y = run(all, f, table.unpack(c)), run(all, g, table.unpack(c))\n"
	"      else x, y = run(f, table.unpack(c)), run(g, table.unpack(c)) end\n"
	"      n = n + 1 if x == 'error' then errors = errors + 1 elseif x ~= 'true,\"nil\"' then hits = hits + 1 end\n"
	/* Lua overlooks an unfinished capture when nothing asks for captures */
	"      if x ~= y and not (name == 'gsub' and x == 'error' and lua.find(p, '(', 1, true)) then error(name .. ' ' .. show(table.unpack(c)) .. ': ' .. x .. ' and not ' .. y) end\n"
	"    end\n"
	"  end\n"
	"  if user.iteration == 5 then log(n > 80000, errors > 5000, hits > 20000) end\n"
	"end\n";

static void same_as_lua(void **state)
{
	struct rte_lua_options opt = { .allow_unsafe = true };
	struct host h;
	char *error;

	(void)state;
	host_open(&h, &opt);
	error = host_load(&h, script);
	if (error)
		fail_msg("%s", error);
	for (int i = 1; i <= 5; i++)
		host_part(&h, RTE_PART_ITERATION, i);
	host_expect(&h, "done\ndone\ndone\ndone\nlog true true true\ndone\n");
	host_close(&h);
}

static void well_formed(void **state)
{
	static const struct {
		const char *pattern;
		const char *error;
	} cases[] = {
		{ "a", NULL },
		{ "", NULL },
		{ "%a+%d*", NULL },
		{ "(a)(b)%1", NULL },
		{ "[]]", NULL },
		{ "[^]]", NULL },
		{ "%f[%w]x", NULL },
		{ "%b()", NULL },
		{ "()", NULL },
		{ "$", NULL },
		{ "%", "malformed pattern (ends with '%')" },
		{ "[a", "malformed pattern (missing ']')" },
		{ "[%", "malformed pattern (missing ']')" },
		{ "(a", "unfinished capture" },
		{ "a)", "invalid pattern capture" },
		{ "%1", "invalid capture index in pattern" },
		{ "(%1)", "invalid capture index in pattern" },
		{ "%f", "missing '[' after '%f' in pattern" },
		{ "%b(", "malformed pattern (missing arguments to '%b')" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		const char *why = NULL;
		int rc = rte_pattern_check(cases[i].pattern, strlen(cases[i].pattern), &why);

		if (!cases[i].error) {
			assert_int_equal(rc, B_OK);
			continue;
		}
		assert_int_equal(rc, B_EINPUT);
		assert_string_equal(why, cases[i].error);
	}
}

static void bounded(void **state)
{
	char subject[3000];
	struct rte_pattern_in in = { .pattern = ".-.-.-b",
		.pattern_len = 7,
		.subject = subject,
		.subject_len = sizeof subject,
		.steps = 100000 };
	struct rte_pattern_match m;
	size_t start, end;

	(void)state;
	memset(subject, 'a', sizeof subject);
	assert_int_equal(rte_pattern_find(&in, &m), B_ERANGE);
	assert_int_equal(m.steps, in.steps);
	assert_string_equal(m.error, "pattern too complex for this subject");
	assert_int_equal(
		rte_lua_match(NULL, ".-.-.-b", 7, subject, sizeof subject, 0, &start, &end),
		B_ERANGE);
	subject[5] = 'b';
	assert_int_equal(
		rte_lua_match(NULL, "a*b", 3, subject, sizeof subject, 2, &start, &end), 1);
	assert_int_equal(start, 2);
	assert_int_equal(end, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_lua),
		cmocka_unit_test(well_formed),
		cmocka_unit_test(bounded),
	};

	return cmocka_run_group_tests_name("lua_string", tests, NULL, NULL);
}
