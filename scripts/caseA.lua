-- Case study A: a teller at a bank. 80 % queries, 20 % updates, in one session.
--
--   build/demo/teller --create --branches 10 --history 4000 bank.db
--   rte run scripts/caseA-workload.lua --set branches=10
--
-- --set branches=N accounts=N: the size of the bank (as it was created; 1 and 100000).

target "pty:build/demo/teller bank.db"
terminal { term = "vt220", size = "80x24" }

local branches = tonumber(set.branches) or 1
local accounts = tonumber(set.accounts) or 100000 -- of each branch
local MESSAGE = 24
local form -- the form on the screen; nil: the main menu

mix { query = 80, update = 20 }

function login()
  form = nil
  expect { "Main menu", row = 1 }
end

-- Brings a form to the screen; nothing to do when it is there already.
local function open(name, key)
  if form ~= name then
    press(key)
    expect { "Account " .. name, row = 1 }
    form = name
  end
end

-- Enter ends the input; the message says what became of it.
local function submit(done)
  press "Enter"
  local which = expect { any = { { done, row = MESSAGE }, { "does not", row = MESSAGE },
    { "database", row = MESSAGE } } }
  check(which == 1, screen.row(MESSAGE))
end

function query()
  local account = 1000000 + random.int(1, branches * accounts)
  open("query", "F2")
  transaction("query", function()
    send(account)
    submit "Account found"
  end)
  think()
end

function update()
  local account = 1000000 + random.int(1, branches * accounts)
  local branch = random.int(1, branches)
  local teller = (branch - 1) * 10 + random.int(1, 10)
  local cents = random.int(1, 99999)
  local sign = random.int(0, 1) == 1 and "-" or ""
  open("update", "F3")
  transaction("update", function()
    send(account)
    press "Tab"
    send(teller)
    press "Tab"
    send(branch)
    press "Tab"
    send(("%s%d.%02d"):format(sign, cents // 100, cents % 100))
    submit "Update done"
  end)
  think()
end

function logout()
  press "F10"
  expect { eof = true }
end
