---@meta
-- luacheck: ignore
-- The functions of rte-script(7) and rte-workload(5) with their types, for editors that understand
-- LuaCATS: put the folder into the library of the workspace. rte never runs this file.

---Seconds, or a text: "250ms", "20s", "1m30s", "1h".
---@alias duration number|string

---"exp:10", "uniform:1,2", "cps:5", "recorded*0.5", "none", ...
---@alias distribution string

---Milliseconds.
---@alias milliseconds number

---@class region
---@field row? integer first row, from 1; alone: one row
---@field col? integer first column, from 1
---@field rows? integer how many rows
---@field cols? integer how many columns; not given: to the row's end

---@alias attribute
---| "bold"
---| "faint"
---| "italic"
---| "underline"
---| "blink"
---| "reverse"
---| "conceal"
---| "strike"
---| "overline"
---| "protected"

---All that stands in one table must hold.
---@class condition: region
---@field [1]? string this text stands in one row
---@field match? string a Lua pattern, within one row
---@field attr? attribute|attribute[] with these attributes
---@field gone? boolean true: the text, match or attribute is not there
---@field cursor? { [1]: integer, [2]: integer }|{ row: integer?, col: integer? } it rests there
---@field quiet? duration no change for so many milliseconds, or that duration
---@field stream? string a Lua pattern on the output since the last input
---@field eof? boolean true: the other side has closed the line
---@field any? (string|condition)[] one of them
---@field all? (string|condition)[] all of them
---@field already? boolean true: what stood there before the input counts too
---@field timeout? duration in place of the workload's

-- ---- Declarations -------------------------------------------------------------------------

---How users reach the system under test.
---@param text string "pty:COMMAND", "telnet://HOST", "ssh://USER@HOST", ...
function target(text) end

---@param t { term?: string, size?: string } size: "80x24"
function terminal(t) end

---@param t { typing?: distribution, think?: distribution, timeout?: duration, settle?: duration }
function defaults(t) end

---In place of iteration(): the script's functions by weight.
---@param weights table<string, number|boolean> deck = true: a shuffled deck
function mix(weights) end

---A screen that may come at any time, and what to do then.
---@param condition string|condition|table
---@param fn? fun()
function unexpected(condition, fn) end

-- ---- Keyboard -----------------------------------------------------------------------------

---Types a text at the typing rate.
---@param text string|number
---@param gaps? milliseconds|{ [integer]: milliseconds, before?: milliseconds }
function send(text, gaps) end

---Presses a key, or a list of keys count times.
---@param key string|{ [integer]: string, count?: integer, before?: milliseconds }
---@param ms? milliseconds the recorded pause in front of it
function press(key, ms) end

---@param text string|number
---@param ms? milliseconds
function paste(text, ms) end

---Types a secret: value, or what RTE_SECRET_NAME holds.
---@param name string
---@param value? string|number
function secret(name, value) end

---Sends exactly these bytes, as one keystroke.
---@param bytes string
---@param ms? milliseconds
function raw(bytes, ms) end

---@class mouse_action
---@field row integer from 1
---@field col integer from 1
---@field action? "click"|"double"|"press"|"release"|"drag"|"move"
---@field button? integer|"left"|"middle"|"right"|"wheel-up"|"wheel-down"
---@field shift? boolean
---@field meta? boolean
---@field ctrl? boolean
---@field before? milliseconds

---@param what mouse_action
function mouse(what) end

---@param cols integer
---@param rows integer
function resize(cols, rows) end

---The line is the person's until the prefix key, in rte play --watch or --step; else an error.
function interact() end

-- ---- Waiting ------------------------------------------------------------------------------

---Waits until the screen is as said. Several arguments are alternatives.
---@param condition string|number|condition
---@param ... string|number|condition|{ timeout?: duration, already?: boolean }
---@return integer which alternative, from 1
---@return ... string|integer captures
function expect(condition, ...) end

---The user's think time.
---@param time? number|distribution seconds as recorded, or this one time's distribution
function think(time) end

---Waits exactly so long.
---@param time number|distribution seconds
function pause(time) end

---Waits until so many users are here (all; "50%": half of all); an error when the time is up.
---@param name string
---@param options? { users?: integer|string, timeout?: duration }
function barrier(name, options) end

---Waits until so many users are here; when the time is up (30 s) those who are go on together.
---@param name string
---@param options? { users?: integer|string, timeout?: duration }
---@return boolean all whether so many came
function rendezvous(name, options) end

-- ---- Measuring and checking ---------------------------------------------------------------

---Runs fn as a transaction and returns its results.
---@param name string
---@param fn fun(): ...
---@return ...
---@overload fun(name: string, options: { max?: duration, think?: distribution, typing?: distribution }, fn: fun(): ...): ...
function transaction(name, fn) end

---@class check
---@overload fun(condition: any, message?: string): any
check = {}

---Notes a failure and goes on.
---@param condition any
---@param message? string
---@return boolean held
function check.soft(condition, message) end

---Compares the screen with a golden screen.
---@param name string
---@param options? { attrs?: boolean, cursor?: boolean, masks?: region[], when?: string|condition, soft?: boolean }
---@return boolean compared
function golden(name, options) end

---Rectangles that do not count from here on; without an argument: none.
---@param rects? region|region[]
function mask(rects) end

-- ---- Tests --------------------------------------------------------------------------------

---@class test_options
---@field tags? string|string[] words for --grep
---@field skip? boolean|string it is not run; why
---@field fails? boolean|string it is expected to fail; why
---@field timeout? duration of the whole test
---@field retries? integer how often it is tried again
---@field rows? string a CSV file: one test a row
---@field before? string a shell command before each test
---@field after? string and after it

---@class script_test_options: test_options
---@field setup? string a shell command before the first test of the script
---@field teardown? string and after the last

---@class test
---@overload fun(name: string, fn: fun(row: table<string, string>))
---@overload fun(name: string, options: test_options, fn: fun(row: table<string, string>))
---@overload fun(options: script_test_options)
test = {}

---The folder that is this test's alone.
---@return string
function test.dir() end

---The test ends here and counts as skipped.
---@param reason? string
function skip(reason) end

-- ---- The screen ---------------------------------------------------------------------------

screen = {}

---@param row? integer|region
---@param col? integer
---@param cols? integer
---@return string
function screen.text(row, col, cols) end

---@param row integer
---@return string text trailing blanks cut
function screen.row(row) end

---@param text string|number
---@param where? region
---@return integer|nil row
---@return integer col
---@return integer cols
function screen.find(text, where) end

---The value beside a label.
---@param label string
---@param where? { row?: integer, col?: integer, rows?: integer, cols?: integer, below?: boolean, width?: integer }
---@return string|nil
function screen.field(label, where) end

---@return integer row
---@return integer col
---@return boolean visible
function screen.cursor() end

---@class cell
---@field text string
---@field width 0|1|2
---@field fg? integer|string
---@field bg? integer|string
---@field bold? true
---@field faint? true
---@field italic? true
---@field underline? true
---@field blink? true
---@field reverse? true
---@field conceal? true
---@field strike? true
---@field overline? true
---@field protected? true

---@param row integer
---@param col integer
---@return cell
function screen.cell(row, col) end

---A letter a column, as `rte screen --json` prints them.
---@param row integer
---@return string
function screen.attrs(row) end

---@return integer cols
---@return integer rows
function screen.size() end

---@return string
function screen.title() end

---@return integer
function screen.bells() end

---@return { alternate?: true, app_cursor?: true, app_keypad?: true, mouse?: true, paste?: true, reverse?: true, insert?: true, wrap?: true }
function screen.modes() end

---What the application sent to the printer since the last call.
---@return string
function screen.printed() end

---@return string
function screen.unanswered() end

-- ---- Data and chance ----------------------------------------------------------------------

data = {}

---@class source
---@field [string] string the field of the user's current row
---@operator len: integer
---@overload fun(): source, integer takes the next row now; the row's number, from 1

---@class csv_options
---@field mode? "sequential"|"unique"|"random"
---@field at_end? "cycle"|"stop"|"last"
---@field per? "iteration"|"session"|"user"
---@field separator? string
---@field columns? string[] the file has no heading

---@param file string in the script's folder, or absolute
---@param options? csv_options
---@return source
function data.csv(file, options) end

random = {}

---@param min integer
---@param max integer
---@return integer
function random.int(min, max) end

---@param min? number
---@param max? number
---@return number
function random.uniform(min, max) end

---@param mean number
---@return number
function random.exp(mean) end

---@param mean number
---@param sd number
---@return number
function random.normal(mean, sd) end

---@param list table values, or names with weights
---@return any
function random.choice(list) end

---@param a integer
---@param x integer
---@param y integer
---@param c? integer
---@return integer
function random.nurand(a, x, y, c) end

-- ---- User and run -------------------------------------------------------------------------

---@class user
---@field id integer from 1
---@field iteration integer from 1
---@field session integer from 1
---@field name string
---@field seed integer
user = {}

---The user logs out; no iteration follows.
function user.stop() end

---The session ends after this iteration; the next one logs in anew.
function relogin() end

---What --set and the workload gave.
---@type table<string, string|number>
set = {}

---@param ... any
function log(...) end

-- ---- Workload files -----------------------------------------------------------------------

---Weights by function; from: when they hold ("measure", "stage 2", "5m"); deck: a shuffled deck.
---@alias shares table<string, number|string|boolean>

---@class workload
---@field scripts string|(string|{ [1]: string, weight?: number, users?: integer[], set?: table<string, string|number>, mix?: shares|shares[] })[]
---@field target? string|string[]
---@field users? integer
---@field ladder? integer[]|string
---@field arrivals? string "5/s": sessions arrive at this rate
---@field stages? { [1]: integer, [2]: duration }[]|string
---@field phases? { ramp?: duration, warmup?: duration, measure?: duration|"forever", continue?: duration, rampdown?: duration }
---@field typing? distribution
---@field think? distribution
---@field pacing? distribution|number
---@field timeout? duration
---@field settle? duration
---@field settle_max? duration
---@field on_error? "restart"|"stop"|"continue"
---@field thresholds? table<string, string|string[]>
---@field stop_when? string|string[] "errors>20%": ends the run early
---@field set? table<string, string|number>
---@field seed? integer
---@field repeats? integer
---@field iterations? integer
---@field workers? integer
---@field connect_timeout? duration
---@field connect_retries? integer
---@field bind? string|string[]
---@field rules? string
---@field strict? boolean
---@field lateness? { [1]: duration, [2]: duration }
---@field echo? "sample"|"all"
---@field before? string
---@field after? string

---@param w workload
function workload(w) end
