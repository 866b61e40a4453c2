target "pty:nano --ignorercfiles {dir}/letter.txt"
test { before = "printf 'Dear Sir,\\n' >{dir}/letter.txt" }
mask { row = 1 } -- the title has the path
function iteration()
  expect { "Dear Sir", row = 2 }
  golden "opened"
  press "End"
  send " or Madam,"
  expect "or Madam,"
  press "C-w"
  expect "Search"
  send "Dear"
  press "Enter"
  expect { cursor = { 2, 1 } }
  golden "found"
  press "C-x"
  expect "Save modified buffer"
  golden "asked"
  press "n"
  expect { eof = true }
end
