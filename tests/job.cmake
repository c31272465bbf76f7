# What a crawl folder knows of its job.
unit_test(job USES mod_job)
fuzz_target(job USES mod_job)
foreach(target test_job fuzz_job)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endforeach()

find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_job
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/job.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_job PROPERTIES LABELS scenario TIMEOUT 200)
add_test(NAME scenario_conditions
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/conditions.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_conditions PROPERTIES LABELS scenario TIMEOUT 200)
add_test(NAME scenario_systemd
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/systemd.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_systemd PROPERTIES LABELS scenario TIMEOUT 100)
add_test(NAME scenario_proxy
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/proxy.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_proxy PROPERTIES LABELS scenario TIMEOUT 300)
add_test(NAME scenario_proxy_real
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/proxy.py
    $<TARGET_FILE:winnow> --real
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_proxy_real PROPERTIES LABELS scenario TIMEOUT 300 SKIP_RETURN_CODE 77)
add_test(NAME scenario_live_check
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/live_check.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_live_check PROPERTIES LABELS scenario TIMEOUT 200)
