# Speed and robustness of the chain as a whole.
program(bench_hostile SOURCES bench/hostile.c bench/page_set.c
  USES mod_clean mod_opt)
unit_test(collapse USES mod_boilerplate)
# Quadratic behaviour, not speed: small pages, a generous limit.
add_test(NAME bench_hostile COMMAND bench_hostile --mib 2 --limit 12
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(bench_hostile PROPERTIES LABELS bench TIMEOUT 600)
