# Boosted trees of the boilerplate stage: their file, running, learning.
unit_test(forest USES mod_clean_train mod_blocks)
fuzz_target(forest USES mod_blocks)
