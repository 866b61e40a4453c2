target [[pty:dialog --form Order 12 50 3 Name 1 1 "" 1 10 20 20 Item 2 1 "" 2 10 20 20]]
function login() expect { "Order", row = 7, cursor = { 9, 27 } } end
test("form", function()
  golden("empty", { attrs = true })
  send "Ann"
  press "Down"
  expect { cursor = { 10, 27 } }
  send "Bolts"
  expect "Bolts"
  golden("filled", { attrs = true })
  press "Tab"
  expect { cursor = { 16, 30 } }
  press "Enter"
  expect { eof = true }
end)
test("escape", function()
  press "Esc"
  pause "1200ms"
  expect { eof = true }
end)
