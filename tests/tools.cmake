unit_test(hydra USES mod_tools)
unit_test(rofl USES mod_tools)
unit_test(text_tool USES mod_tools)
