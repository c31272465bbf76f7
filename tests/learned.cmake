unit_test(learned USES mod_frontier_tools mod_opt)
unit_test(steering USES mod_frontier_tools mod_opt)
fuzz_target(prior USES mod_frontier_tools mod_opt)
