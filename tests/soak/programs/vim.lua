target "pty:vim -u NONE -i NONE -n {dir}/poem.txt"
test { before = "printf 'roses\\nviolets\\nsugar\\n' >{dir}/poem.txt" }
mask { row = 24 }
function iteration()
  expect { "roses", row = 1, cursor = { 1, 1 } }
  golden "opened"
  send "jdd"
  expect { "violets", gone = true }
  golden "deleted"
  send "osalt"
  press "Esc"
  pause "1200ms"
  expect { "salt", row = 3 }
  golden "added"
  send ":q!"
  press "Enter"
  expect { eof = true }
end
