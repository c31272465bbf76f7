unit_test(endpoint USES mod_proto)
unit_test(index USES mod_dedup)
unit_test(corpus USES mod_dedup)
unit_test(dedup USES mod_dedup)
fuzz_target(dedup_message USES mod_dedup)
program(bench_dedup SOURCES bench/dedup.c USES mod_dedup)

# These kill peers while messages are under way.
set_tests_properties(unit_endpoint unit_dedup PROPERTIES
  ENVIRONMENT LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0)
# Takes 15 s; nng 1.5.2 has been seen to stall once, test.sh then tries again.
set_tests_properties(unit_endpoint PROPERTIES TIMEOUT 90)
