find_program(PYTHON3 python3 REQUIRED)
# Whole crawls over a made-up web; see also crawl.cmake.
add_test(NAME scenario_crash
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/crash.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_crash PROPERTIES LABELS scenario TIMEOUT 400
  RUN_SERIAL ON)
add_library(sync_count MODULE bench/loop/sync_count.c)
target_link_libraries(sync_count PRIVATE ${CMAKE_DL_LIBS})
add_test(NAME scenario_gather
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/gather.py
    $<TARGET_FILE:winnow> $<TARGET_FILE:sync_count>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_gather PROPERTIES LABELS scenario TIMEOUT 240)
add_test(NAME scenario_home_pages
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/home_pages.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_home_pages PROPERTIES LABELS scenario TIMEOUT 240)
add_test(NAME scenario_redirects
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/redirects.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_redirects PROPERTIES LABELS scenario TIMEOUT 240)
add_test(NAME scenario_moved_host
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/moved_host.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_moved_host PROPERTIES LABELS scenario TIMEOUT 240)
add_test(NAME scenario_stopped
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/stopped.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_stopped PROPERTIES LABELS scenario TIMEOUT 240)
add_test(NAME scenario_folder_lost
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/folder_lost.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_folder_lost PROPERTIES LABELS scenario TIMEOUT 240)
add_test(NAME scenario_told
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/told.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_told PROPERTIES LABELS scenario TIMEOUT 240)
add_test(NAME scenario_backup
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/backup.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_backup PROPERTIES LABELS scenario TIMEOUT 400
  SKIP_RETURN_CODE 77)
add_test(NAME scenario_greedy
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/greedy.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_greedy PROPERTIES LABELS scenario TIMEOUT 240
  RUN_SERIAL ON)
