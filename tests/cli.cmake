unit_test(opt USES mod_opt)
unit_test(nearest USES mod_opt)
unit_test(command USES mod_opt)
fuzz_target(ini USES mod_opt)
