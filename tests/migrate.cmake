# Stores of older versions.
unit_test(frontier_migrate USES mod_frontier)
