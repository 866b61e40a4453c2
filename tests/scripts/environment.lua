-- What a script finds around it, and what it cannot change.
-- luacheck: ignore 122 142 -- that is the point

counter = (counter or 0) + 1
local missing = {}
for _, name in ipairs { "io", "debug", "coroutine", "load", "dofile", "package" } do
  missing[#missing + 1] = tostring(_G[name])
end

function login()
  log(table.concat(missing, " "))
  log(_G == _ENV, counter, _VERSION)
  log(pcall(function() screen.rows = 24 end))
  log(pcall(function() string.upper = nil end))
  log(getmetatable(""), getmetatable(_ENV))
end

function iteration()
  counter = counter + 1
  log(counter, ("x"):rep(3, ","), ("abc"):find("b", 1, true), math.type(os.time()))
  log(pcall(function() return screen.colour() end))
  local names = {}
  for name in pairs(screen) do
    names[#names + 1] = name
  end
  table.sort(names)
  log(table.concat(names, " "))
end

--[[ transcript
log nil nil nil nil nil nil
log true 1 Lua 5.4
log false tests/scripts/environment.lua:13: 'screen' is shared by all users and cannot be changed
log false tests/scripts/environment.lua:14: 'string' is shared by all users and cannot be changed
log false false
done
log 2 x,x,x 2 integer
log false tests/scripts/environment.lua:21: no 'colour' in screen
log attrs bells cell cursor field find modes printed row size text title unanswered
done
log 3 x,x,x 2 integer
log false tests/scripts/environment.lua:21: no 'colour' in screen
log attrs bells cell cursor field find modes printed row size text title unanswered
done
done
]]
