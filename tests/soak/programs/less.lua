target "pty:less {dir}/numbers.txt"
test { before = "seq 1 500 >{dir}/numbers.txt" }
mask { row = 24 }
function iteration()
  expect { "23", row = 23 }
  golden("top", { cursor = false })
  press "Space"
  expect { "46", row = 23 }
  golden("next", { cursor = false })
  send "/300"
  press "Enter"
  expect { "300", row = 1 }
  golden("found", { attrs = true, cursor = false })
  send "q"
  expect { eof = true }
end
