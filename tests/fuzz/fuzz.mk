# Fuzz targets: tests/fuzz/fuzz_NAME.c with its corpus in tests/fuzz/corpus/NAME.
# `make check` replays each corpus; `make fuzz FUZZ=NAME FUZZ_SECONDS=N` runs libFuzzer (clang).
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(FUZZ_SRC))
FUZZ_REPLAYS := $(FUZZ_NAMES:%=$(BUILD)/fuzz/replay_%)
FUZZ ?= $(FUZZ_NAMES)
FUZZ_SECONDS ?= 60

$(BUILD)/fuzz/replay_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o $(call ars_of,rte)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(call libs_of,rte)

.PHONY: fuzz-replays fuzz
fuzz-replays: $(FUZZ_REPLAYS)

FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined
fuzz: deps-full
	@$(MAKE) --no-print-directory fuzz-run BUILD=$(BUILD)-fuzz CC=clang \
		CFLAGS='-O1 -g $(FUZZ_SAN) -fsanitize=fuzzer-no-link' LDFLAGS='$(FUZZ_SAN)'
.PHONY: fuzz-run
fuzz-run: $(FUZZ:%=$(BUILD)/fuzz/fuzz_%)
	@for t in $(FUZZ); do mkdir -p $(BUILD)/fuzz/found/$$t; echo "fuzzing $$t"; \
		$(BUILD)/fuzz/fuzz_$$t -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 -verbosity=0 \
			-timeout=10 -artifact_prefix=$(BUILD)/fuzz/found/ \
			$(BUILD)/fuzz/found/$$t tests/fuzz/corpus/$$t || exit 1; done
$(BUILD)/fuzz/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(call ars_of,rte)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(call libs_of,rte)
