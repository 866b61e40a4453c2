-- The part of the script library that is written in Lua. Built into the program and run once for
-- each worker, with the table that all scripts look up as its globals. What stands here waits
-- through the primitives in rte/lua_*.c, which see the script's line and not these.

-- luacheck: globals press mouse screen random fail known
local fail, known, press_one, report = fail, known, press, mouse

-- press("Tab"), press("Tab", ms), press { "Tab", "Enter", count = 2, before = ms }
function press(key, before)
  if type(key) ~= "table" then
    return press_one(key, before)
  end
  known("press", key, "count", "before")
  for _ = 1, key.count or 1 do
    for _, name in ipairs(key) do
      press_one(name, key.before)
    end
  end
end

-- mouse { row =, col =, action = "click" (when not said) | "double" | "press" | ... }
function mouse(what)
  local action = type(what) == "table" and what.action
  if action ~= "click" and action ~= "double" and (action or type(what) ~= "table") then
    return report(what)
  end
  local one = {}
  for field, value in pairs(what) do
    one[field] = value
  end
  for _ = 1, action == "double" and 2 or 1 do
    one.action = "press"
    report(one)
    one.action, one.before = "release", nil
    report(one)
  end
end

-- The value beside a label: what stands right of it in its row, up to two blanks or the end.
-- A colon, dots and blanks between the two are skipped. below = true: in the row under the label.
function screen.field(label, where)
  local below, width
  local region = {}
  if where ~= nil and type(where) ~= "table" then
    fail("screen.field", "the region is a table, as { row = 5 }")
  end
  known("screen.field", where or {}, "row", "col", "rows", "cols", "below", "width")
  for field, value in pairs(where or {}) do
    if field == "below" then
      below = value
    elseif field == "width" then
      width = value
    else
      region[field] = value
    end
  end
  local row, col, cols = screen.find(label, region)
  if not row then
    return nil
  end
  local last = screen.size()
  local from = below and col or col + cols
  row = below and row + 1 or row
  if from > last then
    return ""
  end
  local text = screen.text(row, from, width or last - from + 1)
  if not below then
    text = text:gsub("^[%s:._]*", "")
  end
  if not width then
    text = text:gsub("%s%s.*$", "")
  end
  return (text:gsub("[%s_]+$", ""):gsub("^[%s_]+", ""))
end

-- One of a list's values; of { A = 80, B = 20 } a name by weight.
function random.choice(list)
  if type(list) ~= "table" then
    fail("random.choice", "takes a list, or a table of weights")
  end
  if #list > 0 then
    return list[random.int(1, #list)]
  end
  local names, total = {}, 0
  for name, weight in pairs(list) do
    names[#names + 1] = name
    if type(weight) ~= "number" or weight < 0 then
      fail("random.choice", "the weight of '" .. tostring(name) .. "' is a number from 0")
    end
    total = total + weight
  end
  if total <= 0 then
    fail("random.choice", "there is nothing to choose from")
  end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  local at = random.uniform(0, total)
  for _, name in ipairs(names) do
    at = at - list[name]
    if at < 0 then
      return name
    end
  end
  return names[#names]
end

-- TPC-C's non-uniform random number: NURand(A, x, y) with the constant C.
function random.nurand(a, x, y, c)
  return (((random.int(0, a) | random.int(x, y)) + (c or 0)) % (y - x + 1)) + x
end
