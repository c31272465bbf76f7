unit_test(frontier_parts USES mod_frontier)
unit_test(frontier_model USES mod_frontier)
unit_test(frontier USES mod_frontier)
