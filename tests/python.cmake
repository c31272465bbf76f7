# python/: the wheel and its tests; skipped where PyPI does not answer.
find_program(PYTHON3 python3 REQUIRED)
if(NOT SANITIZE)
  add_test(NAME scenario_python
    COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/python_package.py
      ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/consumers
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(scenario_python PROPERTIES LABELS scenario TIMEOUT 1500
    SKIP_RETURN_CODE 77)
endif()
