# Every source once more with another compiler.
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME clang_builds
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/clang_builds.py
    ${CMAKE_BINARY_DIR}/compile_commands.json)
set_tests_properties(clang_builds PROPERTIES LABELS clang TIMEOUT 600
  PROCESSORS 2 SKIP_RETURN_CODE 77)
