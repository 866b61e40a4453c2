-- Case study A as the paper ran it: six runs of 27 minutes, 5 to 32 users, one transaction
-- every 5 seconds and user.
--
--   rte run scripts/caseA-workload.lua -o results                      27 minutes a step
--   rte run scripts/caseA-workload.lua --set scale=0.04 -o results     a minute a step
--   rte run scripts/caseA-workload.lua --set scale=0.02 --ladder 5,10  two short steps
--
-- See caseA.lua for the size of the bank.

local scale = tonumber(set.scale) or 1

local function minutes(m)
  return ("%.3fs"):format(m * 60 * scale)
end

workload {
  scripts = { { "caseA.lua" } },
  ladder = { 5, 10, 15, 20, 25, 32 },
  phases = {
    ramp = minutes(2),      -- users are started one after the other
    warmup = minutes(10),   -- to stabilise
    measure = minutes(10),
    continue = minutes(3),
    rampdown = minutes(2),
  },
  typing = "cps:8",
  think = "none",           -- the pacing is the cycle
  pacing = "5s",
  timeout = "90s",
  on_error = "restart",
}
