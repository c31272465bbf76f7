# Switches of the chain, and job files.
unit_test(cleanse USES mod_clean mod_opt)
fuzz_target(cleanse USES mod_clean)
unit_test(switches USES mod_clean mod_opt)
unit_test(texrex_job USES mod_texrex)
unit_test(profile_input USES mod_train)

# texrex's job files, run by the program.
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_texrex_job
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/texrex_job.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_texrex_job PROPERTIES LABELS scenario TIMEOUT 120)
add_test(NAME scenario_tenet_loop
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/tenet_loop.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_tenet_loop PROPERTIES LABELS scenario TIMEOUT 120)
