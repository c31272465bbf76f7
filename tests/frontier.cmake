unit_test(frontier_parts USES mod_frontier)
unit_test(frontier_model USES mod_frontier)
unit_test(frontier USES mod_frontier)
unit_test(frontier_service USES mod_frontier_service)
fuzz_target(frontier_message USES mod_frontier_message mod_frontier)
program(bench_frontier SOURCES ${PROJECT_SOURCE_DIR}/tests/bench/frontier.c
  USES mod_frontier)
target_include_directories(bench_frontier PRIVATE ${PROJECT_SOURCE_DIR}/tests)
