# Programs that measure: tests/bench/bench_NAME.c, built as $(BUILD)/bench/bench_NAME on the
# layers of capture. `make bench` runs those that need nothing but themselves; ratios count, on a
# quiet machine. BENCH=FOLDER adds the driver beside a bare client, on the SUT of that folder
# (USERS=1000,5000 ROUNDS=1). bench_record and the scripts beside it are run by hand: their heads
# say how.
USERS  ?= 1000,5000
ROUNDS ?= 1
BENCH_BIN := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(call ars_of,capture)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(call libs_of,capture)

.PHONY: bench bench-programs
bench-programs: $(BENCH_BIN)
bench: bench-programs $(if $(BENCH),$(BUILD)/rte)
	$(BUILD)/bench/bench_vscreen tests/screens/sessions/*.cast
	$(if $(BENCH),tests/bench/bench_driver.sh $(BUILD) $(BENCH) $(USERS) $(ROUNDS))

.PHONY: bench-lines
bench-lines: all support-programs
	tests/bench/bench_lines.sh $(BUILD)
