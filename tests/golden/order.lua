-- Order entry's screens; see teller.lua.

local build = os.getenv "RTE_BUILD" or "build"
local order = build .. "/demo/order"

target("pty:" .. order .. " {dir}/orders.db")
test {
  tags = "order",
  before = order .. " --create --customers 50 --items 200 {dir}/orders.db",
  after = order .. " --verify {dir}/orders.db",
}

function login() expect { "Main menu", row = 1 } end
function logout() press "F10" expect { eof = true } end

local function enter(values)
  for i, value in ipairs(values) do
    if value ~= "" then send(value) end
    if i < #values then press "Tab" end
  end
  press "Enter"
end

test("new order and its status", function()
  golden("main menu", { attrs = true })
  press "F2"
  expect { "New order", row = 1 }
  golden("new order form", { attrs = true })
  transaction("new order", { max = "5s" }, function()
    enter { "3", "42", "", "17", "5", "1", "199", "12" }
    expect { "Order entered", row = 24 }
  end)
  golden("order entered", { attrs = true })
  press "F3"
  expect { "Order status", row = 1 }
  enter { "3", "3001" }
  expect { "Order found", row = 24 }
  golden("order found", { attrs = true })
end)

test("an item that does not exist", function()
  press "F2"
  expect { "New order", row = 1 }
  enter { "3", "42", "", "999", "1" }
  expect { "Item number is not valid", row = 24 }
  golden("no such item", { attrs = true })
end)
