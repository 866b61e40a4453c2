# rte: `make help` lists the targets. Needs GNU make; `make deps` installs the rest.
VERSION  := 0.1.0
BUILD    ?= build
PREFIX   ?= /usr/local
CC       ?= gcc
CFLAGS   ?= -O2 -g
WERROR   ?= 0
V        ?= 0

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-5s %s\n' $(1) $(2))

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wvla -Wundef -Wwrite-strings $(if $(filter 1,$(WERROR)),-Werror)
CPPFLAGS_ALL := -I. -I$(BUILD)/gen -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -DRTE_VERSION='"$(VERSION)"' $(CPPFLAGS)
CFLAGS_ALL   := -std=c11 -pthread $(WARN) $(CFLAGS)

# Each layer is an archive; a program links the layers that it stands on, never the ones above.
LAYERS := base vscreen line capture report rte
pkg = $(shell pkg-config $(1) $(2) 2>/dev/null)
PKGS_base    := gsl
PKGS_vscreen := vterm termkey unibilium libutf8proc
PKGS_line    := libtelnet libssh libssl libcrypto
PKGS_capture := jansson
PKGS_report  := jansson zlib
PKGS_rte     := lua5.4 jansson

below_base    := base
below_vscreen := vscreen base
below_line    := line base
below_capture := capture line vscreen base
below_report  := report base
below_rte     := rte capture report line vscreen base

pkgs_of = $(foreach l,$(below_$(1)),$(PKGS_$(l)))
LIBS_EXTRA_rte  := -lev -lcsv -lncursesw -ltinfo -lmicrohttpd
LIBS_EXTRA_base :=
libs_of = $(call pkg,--libs,$(sort $(call pkgs_of,$(1)))) $(LIBS_EXTRA_$(1)) -lm -pthread
CPPFLAGS_PKG := $(call pkg,--cflags,$(sort $(foreach l,$(LAYERS),$(PKGS_$(l)))))

src_of = $(filter-out rte/main.c,$(wildcard $(1)/*.c))
obj_of = $(patsubst %.c,$(BUILD)/obj/%.o,$(call src_of,$(1)))
ar_of  = $(BUILD)/lib/lib$(1).a

.PHONY: all libraries
all: libraries $(BUILD)/rte demo-programs

# Said first, before the compiler says it of each file.
PKGS := $(sort $(foreach l,$(LAYERS),$(PKGS_$(l))))
libraries:
	@pkg-config --exists $(PKGS) 2>/dev/null || { for p in $(PKGS); do \
		pkg-config --exists $$p 2>/dev/null || missing="$$missing $$p"; done; \
		echo "rte: libraries are missing:$$missing; make deps installs them" >&2; exit 3; }

$(BUILD)/obj/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS_PKG) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

define layer
$(call ar_of,$(1)): $(call obj_of,$(1))
	$$(call say,AR,$$@)
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(Q)ar rcs $$@ $$^
endef
$(foreach l,$(LAYERS),$(eval $(call layer,$(l))))

ars_of = $(foreach l,$(below_$(1)),$(call ar_of,$(l)))

# The HTML report carries the charts library as Debian packages it, and its own script and style.
DYGRAPHS ?= /usr/share/javascript/dygraphs
$(BUILD)/obj/report/html_asset.o: CPPFLAGS_ALL += -DDYGRAPHS_DIR='"$(DYGRAPHS)"'
$(BUILD)/obj/report/html_asset.o: $(wildcard report/html/*) $(wildcard $(DYGRAPHS)/dygraph.min.*s)

$(BUILD)/rte: $(BUILD)/obj/rte/main.o $(call ars_of,rte)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(call libs_of,rte)

# ---- the script library in Lua goes into the program (.incbin, which -MMD does not see) ------
$(BUILD)/obj/rte/lua_library.o: scripts/prelude.lua

# ---- and so do the style and the script of the page of a failed test ------------------------
$(BUILD)/obj/rte/test_html.o: $(wildcard rte/html/*)

# ---- support programs of the tests ---------------------------------------------------------
-include tests/support/support.mk
include tests/fuzz/fuzz.mk
include tests/bench/bench.mk

# ---- demo: each demo/NAME.c with its demo/NAME/*.c is a program of its own ----------------
.PHONY: demo-programs
include demo/demo.mk

# ---- unit tests: tests/unit/test_PREFIX_*.c links the layer of its prefix and those below ---
layer_of_b    := base
layer_of_vs   := vscreen
layer_of_ln   := line
layer_of_cap  := capture
layer_of_rp   := report
layer_of_rte  := rte
UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNIT_SRC))
unit_layer = $(layer_of_$(word 2,$(subst _, ,$(notdir $(1)))))

define unit
$(BUILD)/tests/$(1): $(BUILD)/obj/tests/unit/$(1).o $(call ars_of,$(call unit_layer,$(1)))
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) $$(LDFLAGS) -o $$@ $$^ $$(call libs_of,$(call unit_layer,$(1))) -lcmocka
endef
$(foreach t,$(UNIT_SRC),$(eval $(call unit,$(basename $(notdir $(t))))))

# make check-unit ONLY=vs runs the unit tests of one prefix.
.PHONY: check-unit
check-unit: $(filter $(BUILD)/tests/test_$(ONLY)%,$(UNIT_BIN))
	@for t in $^; do $$t || exit 1; done

# ---- tests, in tiers ------------------------------------------------------------------------
# check: unit, screens, integration. check-full: the long matrices too. soak, fuzz: by hand.
TESTS_CHECK = $(UNIT_BIN) $(wildcard tests/screens/*.sh) $(wildcard tests/fuzz/*.sh) $(wildcard tests/integration/*.sh)
TESTS_FULL  = $(wildcard tests/full/*.sh)

.PHONY: deps deps-test deps-full check check-built check-full check-asan check-tsan
deps:
	@.ci/deps build
deps-test:
	@.ci/deps build test
deps-full:
	@.ci/deps build test full

# The package flags above are read anew once the packages are there.
check: deps-test
	@$(MAKE) --no-print-directory check-built
check-built: all support-programs fuzz-replays $(UNIT_BIN)
	@tests/run $(BUILD) $(TESTS_CHECK) $(TESTS_MORE)
check-full: deps-full
	@RTE_TEST_FULL=1 TEST_TIMEOUT=1200 $(MAKE) --no-print-directory check-built TESTS_MORE='$(TESTS_FULL)'

SAN_asan := -fsanitize=address,undefined -fno-sanitize-recover=undefined
SAN_tsan := -fsanitize=thread
check-asan check-tsan: check-%: deps-test
	@$(MAKE) --no-print-directory check-built BUILD=$(BUILD)-$* CFLAGS="-O1 -g -fno-omit-frame-pointer $(SAN_$*)" \
		LDFLAGS="$(SAN_$*)"

# By hand: hours rather than minutes. RUNS=200
.PHONY: soak
soak: all support-programs
	@for t in $(wildcard tests/soak/*.sh); do echo "$$t"; $$t $(BUILD) || exit 1; done

# The unit tests under valgrind. Not those of pty lines, since Debian 12's knows no pidfd_open; of
# limits, which it makes too slow; and of screens, which a script runs.
VALGRIND_BIN = $(filter-out %/test_ln_pty %/test_rte_lua_limits %/test_vs_screens,$(UNIT_BIN))
.PHONY: valgrind valgrind-built
valgrind: deps-full
	@$(MAKE) --no-print-directory valgrind-built
valgrind-built: $(VALGRIND_BIN)
	@for t in $^; do echo "$$t"; \
		valgrind -q --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite $$t \
			>$(BUILD)/valgrind.log 2>&1 || { cat $(BUILD)/valgrind.log; exit 1; }; done

# ---- the demonstration ----------------------------------------------------------------------
.PHONY: demo
demo: deps
	@$(MAKE) --no-print-directory $(if $(filter 1,$(V)),,-s) all support-programs
	@RECORD=$(RECORD) demo/demo.sh $(BUILD)

# ---- house-keeping --------------------------------------------------------------------------
C_FILES = $(shell git ls-files '*.c' '*.h')
.PHONY: lint format man install uninstall dist clean help
lint: | $(BUILD)
	@.ci/lint $(BUILD) $(CC) $(CPPFLAGS_ALL) $(CPPFLAGS_PKG)
$(BUILD):
	@mkdir -p $@
format:
	clang-format -i $(C_FILES)
man:
	@for f in doc/*.[1-9]; do mandoc -T utf8 "$$f" >/dev/null && echo "$$f"; done

# The demo applications stay in the build folder, and their manuals in doc. Folders are quoted:
# they may have blanks in their names.
MAN_PAGES = $(filter-out doc/teller.1 doc/order.1,$(wildcard doc/*.1 doc/*.5 doc/*.7))
bindir  = $(DESTDIR)$(PREFIX)/bin
mandir  = $(DESTDIR)$(PREFIX)/share/man
datadir = $(DESTDIR)$(PREFIX)/share/rte
install: all
	install -d "$(bindir)" "$(datadir)/scripts"
	install -m 755 $(BUILD)/rte "$(bindir)/rte"
	install -m 644 $(wildcard scripts/*.lua) "$(datadir)/scripts"
	@for f in $(MAN_PAGES); do d="$(mandir)/man$${f##*.}"; install -d "$$d" && install -m 644 "$$f" "$$d"; done
uninstall:
	rm -rf "$(datadir)" "$(bindir)/rte"
	@for f in $(MAN_PAGES); do rm -f "$(mandir)/man$${f##*.}/$${f##*/}"; done
dist:
	git archive --prefix=rte-$(VERSION)/ -o rte-$(VERSION).tar.gz HEAD
clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-fuzz
help:
	@echo 'make            build build/rte and build/demo/*'
	@echo 'make deps       install the Debian packages that are missing'
	@echo 'make demo       record the demo application, replay it as 200 users, report (RECORD=1: you type)'
	@echo 'make check      all tests that CI runs; check-unit ONLY=vs: one layer; check-full: the long ones'
	@echo 'make check-asan make check-tsan   the same under the sanitizers'
	@echo 'make lint       house rules; make format: clang-format'
	@echo 'make bench      ratios of cost; make soak, make fuzz, make valgrind: by hand'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=; uninstall, dist, man, clean'
	@echo 'Variables: CC CFLAGS BUILD WERROR=1 V=1'

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
