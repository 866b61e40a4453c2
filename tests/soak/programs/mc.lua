target "pty:sh -c 'cd {dir}/tree && HOME={dir} exec mc -u -b -d . .'"
test {
  before = "mkdir -p {dir}/tree/sub && cd {dir}/tree && touch -d 2020-01-01 a b sub",
}
mask { { row = 2 }, { row = 20, rows = 3 } } -- paths, and how full the disk is
function iteration()
  expect { "10Quit", row = 24 }
  golden("panels", { attrs = true, masks = { { row = 22, rows = 2 }, { row = 4 } } })
  press "Down"
  press "Down"
  press "F3"
  expect { "10Quit", row = 24 }
  press "F10"
  expect { "2Menu", row = 24 }
  press "F9"
  expect "Left"
  press "F10"
  press "F10"
  expect { eof = true, timeout = "10s" }
end
