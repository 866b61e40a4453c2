demo-programs:
