# Power losses: a trace of what the stores write, cut anywhere.
program(power_load SOURCES power/load.c
  USES mod_frontier_tools mod_opt mod_dedup mod_crawl_log mod_archive mod_opt)
add_library(power_trace MODULE power/trace.c)
target_link_libraries(power_trace PRIVATE ${CMAKE_DL_LIBS})

add_library(power_fail MODULE power/fail.c)
target_link_libraries(power_fail PRIVATE ${CMAKE_DL_LIBS})

set(power_cuts 24)
if(SANITIZE)
  set(power_cuts 8)
endif()
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_power
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/power.py
    $<TARGET_FILE:winnow> $<TARGET_FILE:power_load> $<TARGET_FILE:power_trace> --cuts ${power_cuts}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_power PROPERTIES LABELS scenario TIMEOUT 300)
add_test(NAME scenario_failing_calls
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/power.py
    $<TARGET_FILE:winnow> $<TARGET_FILE:power_load> $<TARGET_FILE:power_trace> --cuts 0
    --fail $<TARGET_FILE:power_fail> --fails ${power_cuts}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_failing_calls PROPERTIES LABELS scenario TIMEOUT 300)
