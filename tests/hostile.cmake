# Every hostile behaviour there is, in a few crawls; run.py --all takes each alone.
set(hostile_memory 1)
if(SANITIZE)
  set(hostile_memory 6)
endif()
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_hostile
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/hostile/run.py
    $<TARGET_FILE:winnow> --memory=${hostile_memory}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME suite_hostile
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/hostile/run.py
    $<TARGET_FILE:winnow> --memory=${hostile_memory}
    --suite=${PROJECT_SOURCE_DIR}/../shared/data/suites/http-oddities
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_hostile suite_hostile PROPERTIES LABELS scenario
  TIMEOUT 300 SKIP_RETURN_CODE 77)
