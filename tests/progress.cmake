unit_test(progress USES mod_base)
