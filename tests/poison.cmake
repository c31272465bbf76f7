# A page that kills its crawler.
add_library(poison_killer MODULE poison/killer.c)
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_poison
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/poison.py
    $<TARGET_FILE:winnow> $<TARGET_FILE:poison_killer>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_poison PROPERTIES LABELS scenario TIMEOUT 200)
