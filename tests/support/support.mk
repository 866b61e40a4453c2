support-programs:
.PHONY: support-programs
