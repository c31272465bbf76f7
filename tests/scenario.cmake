find_program(PYTHON3 python3 REQUIRED)
# Whole crawls over a made-up web; see also crawl.cmake.
add_test(NAME scenario_crash
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/crash.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_crash PROPERTIES LABELS scenario TIMEOUT 400
  RUN_SERIAL ON)
add_test(NAME scenario_greedy
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/greedy.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_greedy PROPERTIES LABELS scenario TIMEOUT 240
  RUN_SERIAL ON)
