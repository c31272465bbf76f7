unit_test(base USES mod_base)
