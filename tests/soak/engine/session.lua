-- What a user of tests/soak/engine.sh does at tests/support/teller_sut: the account holds user and
-- sequence, the memo is the same backwards; a key that is lost, doubled or out of order shows.
terminal { term = "xterm", size = "80x24" }

function login()
  expect { "Account number", already = true }
end

function iteration()
  local account = string.format("%06d%04d", user.id % 1000000, user.iteration % 10000)
  transaction("send", function()
    send(account)
    press "Tab"
    send(account:reverse())
    press "Enter"
    expect(string.format("OK %06d", user.iteration))
  end)
  think()
end
