unit_test(base USES mod_base)
unit_test(append_log USES mod_base)
unit_test(disk_full USES mod_tender mod_frontier_schedule mod_pages mod_base)
unit_test(drop_behind USES mod_base)
unit_test(hashmap USES mod_base)
unit_test(machine USES mod_base)
unit_test(pool USES mod_base)
unit_test(redo_log USES mod_base)
fuzz_target(redo_log USES mod_base)
unit_test(verdict USES mod_base)
unit_test(document_id USES mod_base)
unit_test(date USES mod_base)
unit_test(json_reader USES mod_json_reader)

# Nothing but main() ends the process.
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME lint_aborts
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/aborts.py ${PROJECT_SOURCE_DIR})
# No circles between modules, few between files, no private header of another.
add_test(NAME lint_modules
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/modules.py ${CMAKE_BINARY_DIR}
    ${PROJECT_SOURCE_DIR} --table ${PROJECT_SOURCE_DIR}/tests/modules.tbl)
add_test(NAME lint_modules_planted
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/modules.py --planted)
set_tests_properties(lint_modules lint_modules_planted PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME lint_wire_fields
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/wire_fields.py
    ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(lint_wire_fields PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME lint_verdict_names
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/verdict_names.py
    ${PROJECT_SOURCE_DIR})
add_test(NAME lint_verdict_doc
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/verdict_doc.py
    ${PROJECT_SOURCE_DIR})
add_test(NAME lint_verdict_rows
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/verdict_rows.py
    ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR})
# Scripts name nothing that is not there, and import nothing in vain.
find_program(PYFLAKES NAMES pyflakes3 pyflakes)
file(GLOB_RECURSE scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.py
  ${PROJECT_SOURCE_DIR}/corpus/*.py ${PROJECT_SOURCE_DIR}/python/*.py ${PROJECT_SOURCE_DIR}/data/*.py)
if(PYFLAKES)
  add_test(NAME lint_python COMMAND ${PYFLAKES} ${scripts})
endif()
# One word for a thing, and no name for two.
add_test(NAME lint_vocabulary
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/vocabulary.py ${PROJECT_SOURCE_DIR})
add_test(NAME lint_vocabulary_planted
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/vocabulary.py --planted)
# What the program has once is not written again.
add_test(NAME lint_one_of_each
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/one_of_each.py ${PROJECT_SOURCE_DIR})
add_test(NAME lint_one_of_each_planted
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/one_of_each.py --planted)
# Headers that others call: every function says what it does.
add_test(NAME lint_contracts
  COMMAND ${PYTHON3} tests/contracts.py include/winnow base base/options base/url base/texrex base/warc
    clean/language/link_words.h proto/endpoint.h proto/server.h
    shingle/message/dedup.h shingle/service/dedup_service.h shingle/fingerprint/fingerprint.h
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
# The measure of a tree, as the table of two states of it is made.
add_test(NAME lint_figures_planted
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/figures.py --planted)
# Every change of the table still applies and has tests.
add_test(NAME lint_mutants
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/mutants.py
    ${PROJECT_SOURCE_DIR}/tests/mutants.tbl ${PROJECT_SOURCE_DIR}
    ${CMAKE_BINARY_DIR} --check)
# What the manuals point at is there.
add_test(NAME lint_promises
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/promises.py
    ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR})
