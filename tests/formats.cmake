unit_test(markdown_escape USES mod_write)
unit_test(formats USES mod_clean mod_write mod_opt)
unit_test(vertical_words USES mod_write)
unit_test(library USES libwinnow)
unit_test(sandbox USES mod_sandbox mod_opt)
# Failures to order: calls that our code makes go to the test.
unit_test(memory SOURCES ${PROJECT_SOURCE_DIR}/clean/library.c
    ${PROJECT_SOURCE_DIR}/clean/library_options.c ${PROJECT_SOURCE_DIR}/clean/library_reader.c
    ${PROJECT_SOURCE_DIR}/clean/library_record.c
  USES mod_clean mod_write mod_archive mod_opt mod_base)
target_link_options(test_memory PRIVATE -Wl,--wrap=malloc -Wl,--wrap=calloc
  -Wl,--wrap=realloc -Wl,--wrap=memory_fail)

# Files as other programs read them.
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_formats
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/formats.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_formats PROPERTIES LABELS scenario TIMEOUT 300)
add_test(NAME scenario_structured
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/structured.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_structured PROPERTIES LABELS scenario TIMEOUT 120
  SKIP_RETURN_CODE 77)
# By TEI's own schema, from PyPI; skipped where no registry answers.
add_test(NAME scenario_tei_all
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/tei_all.py
    $<TARGET_FILE:winnow> ${PROJECT_BINARY_DIR}/consumers
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_tei_all PROPERTIES LABELS scenario TIMEOUT 600
  SKIP_RETURN_CODE 77 FIXTURES_REQUIRED data)
add_test(NAME scenario_clean_files
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/clean_files.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_clean_files PROPERTIES LABELS scenario TIMEOUT 120)
add_test(NAME scenario_clean_inputs
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/clean_inputs.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_clean_inputs PROPERTIES LABELS scenario TIMEOUT 300)
# By programs of PyPI; skipped where no registry answers.
add_test(NAME scenario_json_readers
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/json_readers.py
    $<TARGET_FILE:winnow> ${PROJECT_BINARY_DIR}/consumers
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_json_readers PROPERTIES LABELS scenario
  TIMEOUT 1200 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED data)
add_test(NAME scenario_warc_readers
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/warc_readers.py
    $<TARGET_FILE:winnow> ${PROJECT_BINARY_DIR}/consumers
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_warc_readers PROPERTIES LABELS scenario
  TIMEOUT 1200 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED data)
add_test(NAME scenario_warc_replay
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/warc_replay.py
    $<TARGET_FILE:winnow> ${PROJECT_BINARY_DIR}/consumers)
set_tests_properties(scenario_warc_replay PROPERTIES LABELS scenario
  TIMEOUT 1200 SKIP_RETURN_CODE 77)
add_test(NAME real_texrex_xml
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/real/texrex_xml.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(real_texrex_xml PROPERTIES TIMEOUT 60 SKIP_RETURN_CODE 77
  FIXTURES_REQUIRED data)
if(HARDEN AND NOT SANITIZE)
  add_test(NAME hardening
    COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/hardening.py
      $<TARGET_FILE:winnow> $<TARGET_FILE:libwinnow>)
endif()
# A sanitizer's runtime would have to be preloaded into Python.
if(NOT SANITIZE)
  add_test(NAME scenario_library
    COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/library.py
      ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(scenario_library PROPERTIES LABELS scenario TIMEOUT 120)
  add_test(NAME scenario_package
    COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/package.py ${PROJECT_BINARY_DIR}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(scenario_package PROPERTIES LABELS scenario TIMEOUT 120 SKIP_RETURN_CODE 77)
endif()
