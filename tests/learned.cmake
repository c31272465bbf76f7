unit_test(learned USES mod_frontier)
unit_test(steering USES mod_frontier)
