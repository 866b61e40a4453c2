-- What waits may stand nearly anywhere: in pcall, xpcall, iterators, metamethods, closures,
-- to-be-closed variables, and deep in calls.

local function deep(n)
  if n > 0 then
    return (deep(n - 1))
  end
  send "deep"
  return "back"
end

local function keys(...)
  local list, i = { ... }, 0
  return function()
    i = i + 1
    if list[i] then
      press(list[i])
    end
    return list[i]
  end
end

function login()
  log(pcall(function()
    send "a"
    return 1, 2
  end))
  log(xpcall(function()
    send "b"
    error("x", 0)
  end, function(e)
    send "handled"
    return e .. "!"
  end))
  log(xpcall(send, print, "c"))
  log(select("#", xpcall(function(...) return ... end, print, nil, nil)))
end

function iteration()
  if user.iteration == 2 then
    local t = setmetatable({}, {
      __index = function(_, name)
        send(name)
        return name:upper()
      end,
      __add = function(_, n)
        press "Tab"
        return n
      end,
      __call = function(_, x)
        press "F1"
        return x
      end,
    })
    log(t.abc, t + 5, t(6))
    return
  end
  log(deep(50))
  for key in keys("Up", "Down") do
    log(key)
  end
  do
    local guard <close> = setmetatable({}, { __close = function() send "closing" end })
    send(guard and "open")
  end
end

function logout()
  log(pcall(pcall, function()
    transaction("t", function()
      pcall(expect, "A")
      error "out"
    end)
  end))
end

--[[ transcript
send a
log true 1 2
send b
send handled
log false x!
send c
log true
log 3
done
send deep
log back
press Up
log Up
press Down
log Down
send open
send closing
done
send abc
press Tab
press F1
log ABC 5 6
done
begin t
expect "A"
end error
log true false tests/scripts/waiting.lua:72: out
done
]]
