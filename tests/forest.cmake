# Boosted trees of the boilerplate stage: their file, running, learning; kinds of pages.
unit_test(forest USES mod_train mod_boilerplate)
fuzz_target(forest USES mod_boilerplate)
unit_test(page_kind USES mod_boilerplate)
fuzz_target(page_kind USES mod_boilerplate)
