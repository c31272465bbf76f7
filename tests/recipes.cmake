# "How to add" of DESIGN.md, followed for toys; it builds a tree of its own.
if(NOT SANITIZE)
  add_test(NAME recipes
    COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/recipes/recipes.py
      ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/recipes
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(recipes PROPERTIES LABELS scenario TIMEOUT 900 PROCESSORS 2)
endif()
