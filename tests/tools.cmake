unit_test(hydra USES mod_tools)
unit_test(rofl USES mod_tools)
unit_test(text_tool USES mod_tools)
unit_test(tenet USES mod_train)
fuzz_target(tenet_data USES mod_train)
unit_test(bloom USES mod_clean mod_opt)
unit_test(repair USES mod_clean mod_opt)
fuzz_target(repair USES mod_clean)
unit_test(english USES mod_clean mod_opt)
fuzz_target(spelling USES mod_clean)
unit_test(pipe USES mod_clean mod_opt)
unit_test(geo USES mod_clean mod_opt)

find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_text_tools
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/text_tools.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_text_tools PROPERTIES LABELS scenario TIMEOUT 60)
add_test(NAME scenario_tool_errors
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/tool_errors.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_tool_errors PROPERTIES LABELS scenario TIMEOUT 120)
