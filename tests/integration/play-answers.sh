#!/bin/sh
# Answers of the virtual screen reach the application at once, with no newline of ours (E48, E50).
. "$RTE_TOP/tests/support/run.sh"

cat >ask.sh <<'END'
old=$(stty -g)
stty raw -echo min 0 time 50
printf 'ab\033[6n'
answer=$(dd bs=16 count=1 2>/dev/null | tr '\033' 'E')
stty "$old"
printf '\r\nanswer %s.\r\n' "$answer"
read -r _
END
cat >ask.lua <<'END'
target "pty:sh ask.sh"
function iteration()
  expect "answer E[1;3R."
  press "Enter"
  expect { eof = true }
end
END
expect_status 0 "$rte" play ask.lua -- sh ask.sh

# In canonical mode the kernel echoes what came and holds it back: no Enter is made up.
cat >held.lua <<'END'
target "pty:cat"
function iteration()
  expect "^[[1;1R"
  expect { quiet = 300 }
  check(not screen.find("^[[1;1R", { row = 2 }), "sent on without an Enter")
end
END
expect_status 0 "$rte" play held.lua -- sh -c 'printf "\033[6n"; exec cat'
