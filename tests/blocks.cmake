unit_test(strip USES mod_blocks)
unit_test(metadata USES mod_blocks)
