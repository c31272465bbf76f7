unit_test(learned USES mod_frontier)
