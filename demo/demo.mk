# Systems under test that ship with the project: $(BUILD)/demo/NAME from demo/NAME/*.c and from
# demo/forms, which they share. They stand on base, never on another layer.
DEMO_PROGRAMS := $(sort $(patsubst demo/%/main.c,%,$(wildcard demo/*/main.c)))
PKGS_demo     := formw ncursesw sqlite3
obj_of_demo = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard demo/$(1)/*.c))

demo-programs: $(addprefix $(BUILD)/demo/,$(DEMO_PROGRAMS))

define demo
$(BUILD)/demo/$(1): $(call obj_of_demo,$(1)) $(call obj_of_demo,forms) $(call ars_of,base)
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) $$(LDFLAGS) -o $$@ $$^ $$(call pkg,--libs,$$(PKGS_demo)) $$(call libs_of,base)
endef
$(foreach p,$(DEMO_PROGRAMS),$(eval $(call demo,$(p))))
