-- A session as people write it: a typical script with most of what the API has.
target "pty:true"
terminal { term = "vt220", size = "80x24" }
defaults { think = "exp:3", typing = "cps:8" }
unexpected("Session expired", function() error "the session expired" end)
mask { row = 1, col = 60 }

local account = data.csv("accounts.csv", { mode = "sequential" })

function login()
  expect { "User", timeout = "10s" }
  send(account.name)
  press "Tab"
  secret("password", account.number)
  press "Enter"
  expect("Main menu", { "Logon denied", row = 24 }, { timeout = 5 })
end

function iteration()
  local total = transaction("query", { max = "2s", think = "none" }, function()
    send(account.number, { 120, 95, 110, 100, 90, 80 })
    press("Enter", 350)
    expect { "Balance", row = 12 }
    return 17
  end)
  check(total == 17, "total")
  check.soft(screen.row(1) ~= "", "an empty title")
  golden("balance", { masks = { { row = 1 } } })
  think(2.5)
  if user.iteration == 2 then
    relogin()
  end
end

function logout()
  press "F10"
  pcall(expect, { eof = true })
end

--[[ transcript
masks 0,59,1,941
expect "User" timeout=10000
send Smith
press Tab
send 1000042 secret=password
press Enter
expect any of ("Main menu"; "Logon denied" in row 24) timeout=5000
done
begin query max=2 think=none
send 1000042 gaps=120,95,110,100,90,80
press Enter recorded=350
expect "Balance" in row 12
end ok
soft an empty title
golden balance attrs=0 cursor=1 soft=0 masks=1
think recorded=2500
done
begin query max=2 think=none
send 1000043 gaps=120,95,110,100,90,80
press Enter recorded=350
expect "Balance" in row 12
end ok
soft an empty title
golden balance attrs=0 cursor=1 soft=0 masks=1
think recorded=2500
done relogin
press F10
expect the end of the line
done
]]
