# The laboratory: recorded webs, simulation, measures.
unit_test(lab_web USES mod_lab_web)
unit_test(lab_sim USES mod_lab)
unit_test(lab_measure USES mod_lab)
unit_test(lab_table USES mod_lab)
fuzz_target(lab_web USES mod_lab_web)
add_test(NAME scenario_lab
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/lab.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_lab PROPERTIES LABELS scenario TIMEOUT 300
  SKIP_RETURN_CODE 77)
