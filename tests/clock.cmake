# A crawl whose wall clock is set while it runs.
add_library(set_clock MODULE clock/set_clock.c)
target_link_libraries(set_clock PRIVATE ${CMAKE_DL_LIBS})
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_clock
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/clock.py
    $<TARGET_FILE:winnow> $<TARGET_FILE:set_clock>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_clock PROPERTIES LABELS scenario TIMEOUT 200)
# Many hosts that ask for politeness in all ways, kills and jumps of the clock
# between; 500 of them: polite_hosts.py WINNOW SET_CLOCK_SO 500 8 8
add_test(NAME scenario_polite_hosts
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/polite_hosts.py
    $<TARGET_FILE:winnow> $<TARGET_FILE:set_clock>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_polite_hosts PROPERTIES LABELS scenario TIMEOUT 300)
