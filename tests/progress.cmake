# How far long work is.
unit_test(progress USES mod_base)
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_progress
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/progress.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_progress PROPERTIES LABELS scenario TIMEOUT 300)
