# module(), program() and unit_test(): all that a folder's CMakeLists needs.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# The flags every target gets.
add_library(common INTERFACE)
target_compile_definitions(common INTERFACE _GNU_SOURCE
  WINNOW_VERSION="${PROJECT_VERSION}")

# names_data_dir(a.c ...): these files name WINNOW_DATA_DIR.  No others, so that
# a compiler cache serves two checkouts.
function(names_data_dir)
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_DEFINITIONS WINNOW_DATA_DIR="${WINNOW_DATA_DIR}")
endfunction()

target_compile_options(common INTERFACE -Wall -Wextra -Wpedantic -Wshadow
  -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  $<$<BOOL:${WERROR}>:-Werror>
  -Wno-error=deprecated-declarations) # newer libraries deprecate what older ones need
target_include_directories(common INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(common INTERFACE Threads::Threads)
if(SANITIZE)
  target_compile_options(common INTERFACE -fsanitize=${SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(common INTERFACE -fsanitize=${SANITIZE})
endif()

# Against what a memory error could be used for.  Sanitizers bring their own, and
# _FORTIFY_SOURCE wants an optimizer.  tests/hardening.py looks at the result.
option(HARDEN "RELRO, stack protector, _FORTIFY_SOURCE, control-flow protection" ON)
include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
check_c_compiler_flag(-fcf-protection HAVE_CF_PROTECTION)
if(HARDEN AND NOT SANITIZE)
  set(fortify 2)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    set(fortify 3)
  endif()
  target_compile_options(common INTERFACE -fstack-protector-strong
    $<$<BOOL:${HAVE_CF_PROTECTION}>:-fcf-protection>
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
    $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${fortify}>
    -Wno-error=unused-result) # which functions have it depends on that
  target_link_options(common INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

# What users run has the property LTO: it is optimized across files, which saves a
# twentieth of its CPU.  Objects hold machine code too ("fat"), so that tests link
# without it, in a moment.  The last option is for clang's tools, which do not know the second.
# On other pages of the same web, profiles (-fprofile-use) bring 0 to 4 % more and -O3 nothing:
# not worth a build in two rounds.
option(LTO "Optimize programs and libwinnow across files when they are linked" ON)
if(LTO AND NOT SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL GNU AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  target_compile_options(common INTERFACE -flto=auto -ffat-lto-objects
    -Wno-ignored-optimization-argument)
  target_link_options(common INTERFACE
    $<IF:$<BOOL:$<TARGET_PROPERTY:LTO>>,-flto=auto,-fno-lto>)
endif()

# external(NAME PKG): an imported target ext_NAME from pkg-config module PKG.
# Its headers are system headers: their warnings are not ours.
function(external name pkg)
  if(TARGET ext_${name})
    return()
  endif()
  pkg_check_modules(EXT_${name} REQUIRED IMPORTED_TARGET GLOBAL ${pkg})
  add_library(ext_${name} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(ext_${name} INTERFACE PkgConfig::EXT_${name})
endfunction()

# module(NAME SOURCES a.c HEADERS a.h USES mod_x): the library mod_NAME.
# USES is the dependency diagram; who may be called is who is named there.
# HEADERS is what others may include: a module has an include root of its own,
# BUILD/roots/NAME, with these under their paths in the source tree, and a file
# sees include/, its own folder and the roots of its module's USES.  So including
# what is private to another module does not compile.  tests/modules.py checks
# the rest with nm.  WHOLE_TREE in a folder's CMakeLists shows its files
# everything; tests look inside, nobody else.
file(WRITE ${PROJECT_BINARY_DIR}/modules.txt "# Written by module(): name|folder|sources|headers|uses|sees\n")
function(module name)
  cmake_parse_arguments(M "" "" "SOURCES;HEADERS;USES" ${ARGN})
  add_library(mod_${name} STATIC ${M_SOURCES})
  target_link_libraries(mod_${name} PUBLIC common ${M_USES})
  set(root ${PROJECT_BINARY_DIR}/roots/${name})
  file(REMOVE_RECURSE ${root})
  file(MAKE_DIRECTORY ${root})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  foreach(header ${M_HEADERS})
    cmake_path(GET header PARENT_PATH below)
    file(MAKE_DIRECTORY ${root}/${folder}/${below})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${root}/${folder}/${header} SYMBOLIC)
  endforeach()
  target_include_directories(mod_${name} PUBLIC ${root})
  set(sees modules)
  if(WHOLE_TREE)
    target_include_directories(mod_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    set(sees all)
  endif()
  file(APPEND ${PROJECT_BINARY_DIR}/modules.txt
    "${name}|${folder}|${M_SOURCES}|${M_HEADERS}|${M_USES}|${sees}\n")
endfunction()

# program(NAME SOURCES a.c USES mod_x)
function(program name)
  cmake_parse_arguments(P "" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${P_SOURCES})
  target_link_libraries(${name} PRIVATE common ${P_USES})
  set_target_properties(${name} PROPERTIES LTO ON)
  if(WHOLE_TREE)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  endif()
endfunction()

# unit_test(NAME USES mod_x [SOURCES more.c] [SUITES] [SUITES_ONLY]):
# tests/unit/test_NAME.c as the ctest unit_NAME.  SUITES: it also has cases of
# outside conformance suites, which are the ctest suite_NAME; SUITES_ONLY: it
# has no others.
function(unit_test name)
  cmake_parse_arguments(T "SUITES;SUITES_ONLY" "" "SOURCES;USES" ${ARGN})
  add_executable(test_${name} ${PROJECT_SOURCE_DIR}/tests/unit/test_${name}.c
    ${T_SOURCES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR})
  target_link_libraries(test_${name} PRIVATE common ${T_USES})
  if(NOT T_SUITES_ONLY)
    add_test(NAME unit_${name} COMMAND test_${name}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(unit_${name} PROPERTIES TIMEOUT 300)
  endif()
  if(T_SUITES OR T_SUITES_ONLY)
    add_test(NAME suite_${name} COMMAND test_${name} --suites
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(suite_${name} PROPERTIES TIMEOUT 300
      SKIP_RETURN_CODE 77)
  endif()
endfunction()

# fuzz_target(NAME USES mod_x): tests/fuzz/fuzz_NAME.c holds
# LLVMFuzzerTestOneInput(); the ctest replays tests/fuzz/corpus/NAME.
function(fuzz_target name)
  cmake_parse_arguments(F "" "" "USES" ${ARGN})
  if(CMAKE_C_COMPILER_ID MATCHES Clang AND WINNOW_FUZZ)
    add_executable(fuzz_${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_${name}.c)
    target_link_libraries(fuzz_${name} PRIVATE common ${F_USES} -fsanitize=fuzzer)
  else()
    add_executable(fuzz_${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_${name}.c
      ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c)
    target_link_libraries(fuzz_${name} PRIVATE common ${F_USES})
  endif()
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  add_test(NAME fuzz_${name}
    COMMAND fuzz_${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  set_tests_properties(fuzz_${name} PROPERTIES TIMEOUT 300)
endfunction()
