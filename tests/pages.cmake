unit_test(db USES mod_pages)
unit_test(pages USES mod_frontier_tools mod_opt mod_pages)
fuzz_target(pages USES mod_pages)

# Damaged stores; power_load is in power.cmake.
set(damages 20)
if(SANITIZE)
  set(damages 8)
endif()
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME scenario_damage
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/damage.py
    $<TARGET_FILE:winnow> $<TARGET_FILE:power_load> --damages ${damages}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_damage PROPERTIES LABELS scenario TIMEOUT 300)
