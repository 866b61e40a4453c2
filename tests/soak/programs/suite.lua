-- Programs that are not ours, for the soak of rte test: whatever versions of them are installed,
-- the golden screens are written first and then compared many times.
test { tags = "programs", timeout = "5m" }
