unit_test(learned USES mod_frontier)
unit_test(steering USES mod_frontier)
fuzz_target(prior USES mod_frontier)
