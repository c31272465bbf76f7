# winnow try: one page, in the terminal.
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_try
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/try.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_try PROPERTIES LABELS scenario TIMEOUT 120)
add_test(NAME scenario_try_web
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/try_web.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_try_web PROPERTIES LABELS scenario TIMEOUT 240)
