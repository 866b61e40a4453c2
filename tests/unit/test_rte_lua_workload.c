/* Workload files: what each field becomes, and what is refused. */
#include "rte/workload.h"
#include "tests/unit/script_host.h"

static int load(struct rte_workload *w, const char *text, struct b_error *err)
{
	struct host h;
	char path[128];
	int rc;

	snprintf(h.folder, sizeof h.folder, "/tmp/rte-test-XXXXXX");
	assert_non_null(mkdtemp(h.folder));
	host_file(&h, "w.lua", text);
	snprintf(path, sizeof path, "%s/w.lua", h.folder);
	rc = rte_workload_load(w, path, err);
	unlink(path);
	rmdir(h.folder);
	return rc;
}

static void all_fields(void **state)
{
	struct rte_workload w;
	struct b_error err = { 0 };
	struct b_buf text = B_BUF_INIT;

	(void)state;
	rte_workload_init(&w);
	rte_workload_string_add(&w.sets, &w.n_sets, "branch=9");
	if (load(&w,
		    "workload {\n"
		    " scripts = { { 'teller.lua', weight = 3 }, { '/abs/clerk.lua', users = { 1, 2 }, set = { a = 1, branch = 2 } },\n"
		    "   'third.lua' },\n"
		    " target = { 'telnet://a', 'telnet://b' }, users = 32,\n"
		    " ladder = { 5, 10 }, stages = { { 10, '1m' }, { 50, 300 } },\n"
		    " phases = { ramp = '2m', warmup = '10m', measure = 'forever', continue = '3m',\n"
		    "   rampdown = 2 },\n"
		    " typing = 'cps:5', think = 'exp:10', pacing = 5, timeout = '90s', settle = '100ms',\n"
		    " on_error = 'stop', thresholds = { query = 'p90<2s', ['*'] = { 'errors<1%', 'p99<5s' } },\n"
		    " set = { branch = 3, city = 'Bern' }, seed = branch, repeats = 2, iterations = 7,\n"
		    " workers = 2, connect_timeout = '5s', connect_retries = 0, bind = '127.0.0.2',\n"
		    " rules = 'tpc-c', strict = true, lateness = { '5ms', '20ms' }, echo = 'all',\n"
		    " before = 'true', after = 'false', settle_max = 2 }\n",
		    &err))
		fail_msg("%s", err.text);
	assert_int_equal(w.n_scripts, 3);
	assert_non_null(strstr(w.scripts[0].path, "/teller.lua"));
	assert_true(w.scripts[0].weight > 2.9 && w.scripts[0].weight < 3.1);
	assert_string_equal(w.scripts[1].path, "/abs/clerk.lua");
	assert_int_equal(w.scripts[1].n_users, 2);
	assert_int_equal(w.scripts[1].users[1], 2);
	assert_int_equal(w.scripts[1].n_sets, 1); /* the command line's branch stays */
	assert_string_equal(w.scripts[1].sets[0], "a=1");
	assert_int_equal(w.n_targets, 2);
	assert_string_equal(w.targets[1], "telnet://b");
	assert_int_equal(w.users, 32);
	assert_int_equal(w.n_ladder, 2);
	assert_int_equal(w.ladder[1], 10);
	assert_int_equal(w.n_stages, 2);
	assert_int_equal(w.stages[1].duration_ns, 300 * B_NS_PER_S);
	assert_int_equal(w.ramp_ns, 120 * B_NS_PER_S);
	assert_true(w.measure_ns == RTE_MEASURE_FOREVER);
	assert_int_equal(w.rampdown_ns, 2 * B_NS_PER_S);
	b_dist_format(&w.typing, &text);
	b_buf_addc(&text, ' ');
	b_dist_format(&w.think, &text);
	b_buf_addc(&text, ' ');
	b_dist_format(&w.pacing, &text);
	assert_string_equal(b_buf_cstr(&text), "cps:5 exp:10 const:5");
	b_buf_release(&text);
	assert_int_equal(w.timeout_ns, 90 * B_NS_PER_S);
	assert_int_equal(w.settle_ns, 100 * B_NS_PER_MS);
	assert_true(w.on_error == RTE_ON_ERROR_STOP && w.on_error_set);
	assert_int_equal(w.n_thresholds, 3);
	assert_string_equal(w.thresholds[0], "*:errors<1%");
	assert_string_equal(w.thresholds[1], "*:p99<5s");
	assert_string_equal(w.thresholds[2], "query:p90<2s");
	assert_int_equal(w.n_sets, 2); /* the command line's branch stays */
	assert_string_equal(w.sets[0], "branch=9");
	assert_string_equal(w.sets[1], "city=Bern");
	assert_true(w.seed == 9 && w.seed_set);
	assert_int_equal(w.repeat, 2);
	assert_int_equal(w.iterations, 7);
	assert_int_equal(w.workers, 2);
	assert_int_equal(w.connect_retries, 0);
	assert_string_equal(w.binds[0], "127.0.0.2");
	assert_string_equal(w.rules, "tpc-c");
	assert_true(w.strict && w.echo_all);
	assert_int_equal(w.lateness_bad_ns, 20 * B_NS_PER_MS);
	assert_string_equal(w.before, "true");
	rte_workload_release(&w);
}

static void refused(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "x = 1", "is no workload: workload { ... } was not called" },
		{ "workload {}", "w.lua:1: workload: names no script" },
		{ "workload 'x'", "w.lua:1: workload: takes a table" },
		{ "workload { scripts = 'a', user = 3 }",
			"w.lua:1: workload: unknown field 'user'; did you mean 'users'?" },
		{ "workload { scripts = 'a', users = 0 }",
			"users = 0 is no whole number from 1 to" },
		{ "workload { scripts = 'a', phases = { rampup = 1 } }",
			"phases: unknown field 'rampup'; did you mean 'ramp'?" },
		{ "workload { scripts = 'a', on_error = 'restrt' }",
			"on_error = 'restrt' is none; did you mean 'restart'?" },
		{ "workload { scripts = 'a', think = 'exq:3' }", "w.lua:1: workload: think: " },
		{ "workload { scripts = { { 'a', weight = 0 } } }", "weight is a number above 0" },
		{ "workload { scripts = { { 'a', wieght = 2 } } }", "did you mean 'weight'?" },
		{ "\nworkload { scripts = 'a' } workload { scripts = 'a' }",
			"w.lua:2: workload: is called twice" },
		{ "workload { scripts = 'a', thresholds = { q = 'p90<' } }",
			"w.lua:1: workload: threshold 'q:p90<' makes no sense" },
		{ "workload { scripts = 'a', rules = 'tpc-h' }",
			"rules = 'tpc-h' is none; did you mean 'tpc-c'?" },
		{ "workload { scripts = {} }", "scripts is a list of 1 to" },
		{ "workload { scripts = 'a', timeout = '9 parsecs' }", "is no duration" },
		{ "workload { scripts = 'a', think = 'exp:1e300' }", "more than 28 years" },
		{ "workload { scripts = 'a', typing = 'cps:1e12' }", "a million characters" },
		{ "workload {", "w.lua:1:" },
		{ "while true do end", "w.lua:1: the script ran too many instructions" },
		{ "error('no') workload {}", "w.lua:1: no" },
		{ "os.execute('true') workload {}",
			"attempt to call a nil value (field 'execute')" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_error err = { 0 };
		struct rte_workload w;

		rte_workload_init(&w);
		assert_int_equal(load(&w, cases[i].text, &err), B_EINPUT);
		if (!strstr(err.text, cases[i].error))
			fail_msg("%s\ngives: %s\nnot: %s", cases[i].text, err.text, cases[i].error);
		rte_workload_release(&w);
	}
}

static void told_apart(void **state)
{
	static const struct {
		const char *text;
		bool is;
	} cases[] = {
		{ "workload { }", true },
		{ "local x = 3 workload(x)", true },
		{ "-- workload { }\nfunction iteration() end", false },
		{ "--[==[ workload {} ]] ]==] x = 'workload {}'", false },
		{ "--[==[ ]] ]==] workload {}", true },
		{ "x = [[\nworkload {} ]] y = \"a\\\"workload {}\"", false },
		{ "function workload() end", false },
		{ "a.workload { } b:workload { }", false },
		{ "#!/usr/bin/env workload {\nx = 1", false },
		{ "x = a..workload { }", true },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_error err = { 0 };
		struct host h;
		char path[128];
		bool is = !cases[i].is;

		snprintf(h.folder, sizeof h.folder, "/tmp/rte-test-XXXXXX");
		assert_non_null(mkdtemp(h.folder));
		host_file(&h, "w.lua", cases[i].text);
		snprintf(path, sizeof path, "%s/w.lua", h.folder);
		assert_int_equal(rte_script_is_workload(path, &is, &err), B_OK);
		if (is != cases[i].is)
			fail_msg("%s", cases[i].text);
		unlink(path);
		assert_int_equal(rte_script_is_workload(path, &is, &err), B_EINPUT);
		rmdir(h.folder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_fields),
		cmocka_unit_test(refused),
		cmocka_unit_test(told_apart),
	};

	return cmocka_run_group_tests_name("lua_workload", tests, NULL, NULL);
}
