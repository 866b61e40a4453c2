# Programs that the tests use, not installed: $(BUILD)/support/NAME from tests/support/NAME/*.c
# or from the one file tests/support/NAME.c. They stand on base alone,
# or on the layers that support_layers_NAME names.
support_layers_ptydrive := line vscreen base
support_layers_castdump := capture line vscreen base
support_layers_sessiondiff := capture line vscreen base
support_layers_hostile := line base
support_libs = $(call pkg,--libs,$(sort $(foreach l,$(call support_layers,$(1)),$(PKGS_$(l))))) -lm -pthread
support_layers = $(or $(support_layers_$(1)),base)
SUPPORT_DIRS  := $(sort $(patsubst tests/support/%/,%,$(dir $(wildcard tests/support/*/*.c))))
SUPPORT_FILES := $(filter-out $(SUPPORT_DIRS),$(patsubst tests/support/%.c,%,$(wildcard tests/support/*.c)))
SUPPORT_BIN   := $(addprefix $(BUILD)/support/,$(SUPPORT_DIRS) $(SUPPORT_FILES))

.PHONY: support-programs
support-programs: $(SUPPORT_BIN)

define support
$(BUILD)/support/$(1): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/support/$(1)/*.c tests/support/$(1).c)) $(foreach l,$(call support_layers,$(1)),$(call ar_of,$(l)))
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) $$(LDFLAGS) -o $$@ $$^ $$(call support_libs,$(1))
endef
$(foreach p,$(SUPPORT_DIRS) $(SUPPORT_FILES),$(eval $(call support,$(p))))
