-- The teller's screens. `make check` runs this, and once more with each --defect, which must fail:
-- tests/integration/test-teller.sh. Write the golden screens anew with
--   build/rte test -u tests/golden

local build = os.getenv "RTE_BUILD" or "build"
local teller = build .. "/demo/teller"

target("pty:" .. teller .. " {dir}/bank.db")
test {
  tags = "teller",
  before = teller .. " --create --branches 2 --accounts 200 {dir}/bank.db",
  after = teller .. " --verify {dir}/bank.db",
}

function login() expect { "Main menu", row = 1 } end
function logout() press "F10" expect { eof = true } end

local function open(key, title)
  press(key)
  expect { title, row = 1 }
end

local function answer(text)
  press "Enter"
  expect { text, row = 24 }
end

test("main menu", function()
  golden("main menu", { attrs = true })
  send "7"
  expect { "Choose 1, 2 or 0.", row = 24 }
  golden("menu refuses", { attrs = true })
end)

test("query", { tags = "query" }, function()
  open("F2", "Account query")
  golden("query form", { attrs = true })
  transaction("query", { max = "5s" }, function()
    send "1000042"
    answer "Account found"
  end)
  golden("account found", { attrs = true })
  send "99"
  answer "does not exist"
  golden("no such account", { attrs = true })
end)

test("balance of {number}", { rows = "accounts.csv", tags = "query" }, function(row)
  open("F2", "Account query")
  send(row.number)
  answer "Account found"
  check.soft(screen.field("Owner", { row = 8 }) == row.owner, "another owner")
  check.soft(screen.field("Balance", { row = 12 }) == row.balance, "another balance")
end)

test("update", { tags = "update" }, function()
  open("F3", "Account update")
  golden("update form", { attrs = true })
  for _, value in ipairs { "1000042", "3", "1" } do
    send(value)
    press "Tab"
  end
  send "-12.34"
  transaction("update", { max = "5s" }, function() answer "Update done" end)
  golden("update done", { attrs = true })
  open("F2", "Account query")
  send "1000042"
  answer "Account found"
  check(screen.field("Balance", { row = 12 }) == "8,026.67", "the balance is the old one")
end)

test("refusals", { tags = "update" }, function()
  open("F3", "Account update")
  answer "Account number is missing"
  golden("nothing typed", { attrs = true })
  send "1000001"
  press "Tab"
  send "11"
  press "Tab"
  send "1"
  press "Tab"
  send "1.234"
  press "Tab"
  expect { "Amount must look like", row = 24 }
  golden("no amount", { attrs = true })
end)

test("a larger window", function()
  open("F2", "Account query")
  resize(100, 30)
  expect { "Account query", row = 1 }
  golden("query form", { attrs = true })
end)
