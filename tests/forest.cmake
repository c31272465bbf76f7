# Boosted trees of the boilerplate stage: their file, running, learning.
unit_test(forest USES mod_train mod_boilerplate)
fuzz_target(forest USES mod_boilerplate)
