# Systems under test that ship with the project: $(BUILD)/demo/NAME from demo/NAME/*.c.
# They stand on base and on libraries of their own, never on another layer.
DEMO_PROGRAMS := $(sort $(patsubst demo/%/,%,$(dir $(wildcard demo/*/*.c))))
PKGS_teller   := formw ncursesw sqlite3

demo-programs: $(addprefix $(BUILD)/demo/,$(DEMO_PROGRAMS))

define demo
$(BUILD)/demo/$(1): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard demo/$(1)/*.c)) $(call ars_of,base)
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) $$(LDFLAGS) -o $$@ $$^ $$(call pkg,--libs,$$(PKGS_$(1))) $$(call libs_of,base)
endef
$(foreach p,$(DEMO_PROGRAMS),$(eval $(call demo,$(p))))
