target "pty:whiptail --checklist Lunch 14 40 3 soup Soup off pasta Pasta on salad Salad off"
function iteration()
  expect "Salad"
  golden("list", { attrs = true })
  press "Space"
  expect "[*] soup"
  press "Down"
  press "Space"
  expect "[ ] pasta"
  golden("changed", { attrs = true })
  press "Tab"
  press "Enter"
  expect { eof = true }
end
