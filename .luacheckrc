-- What luacheck may take for granted: the script API of rte-script(7).
std = "lua54"
max_line_length = 100
allow_defined_top = true
read_globals = {
	"target", "terminal", "defaults", "send", "press", "paste", "secret", "raw", "mouse", "expect",
	"transaction", "think", "pause", "check", "golden", "mask", "unexpected", "screen", "user",
	"relogin", "set", "data", "random", "barrier", "rendezvous", "log", "resize", "interact", "mix", "workload",
	"test", "skip",
}
globals = { "setup", "login", "iteration", "logout", "teardown" }
ignore = { "131" } -- rte calls the parts of a script and the functions of its mix
