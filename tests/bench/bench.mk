# Programs that measure: tests/bench/bench_NAME.c, built as $(BUILD)/bench/bench_NAME on the
# layers of capture. `make bench` runs those that need nothing but themselves; ratios count, on a
# quiet machine. bench_record and the scripts beside it are run by hand: their heads say how.
BENCH_BIN := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(call ars_of,capture)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(call libs_of,capture)

.PHONY: bench bench-programs
bench-programs: $(BENCH_BIN)
bench: bench-programs
	$(BUILD)/bench/bench_vscreen tests/screens/sessions/*.cast
