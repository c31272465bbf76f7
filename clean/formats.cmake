# Corpus formats: one file a format.
module(writers
  SOURCES write/facts.c write/json_fields.c write/vertical_words.c write/writer.c write/writer_jsonl.c
    write/writer_index.c write/writer_links.c write/writer_metrics.c write/writer_shingles.c write/writer_text.c
    write/writer_tokens.c write/writer_vertical.c write/writer_wet.c write/writer_xml.c write/xml_text.c
  USES mod_document mod_text mod_blocks mod_url mod_base ext_icu m)

# Their files.
external(libdeflate libdeflate)
external(zstd libzstd)
module(outputs SOURCES write/corpus_out.c write/outputs.c write/pack.c write/registry.c
  USES mod_writers mod_opt mod_base ext_libdeflate ext_zstd)

# libwinnow: winnow/clean.h and nothing else is visible.
add_library(libwinnow SHARED library.c)
set_target_properties(libwinnow PROPERTIES OUTPUT_NAME winnow
  VERSION ${PROJECT_VERSION} SOVERSION 0
  LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/library.map)
target_link_libraries(libwinnow PRIVATE common mod_clean mod_writers mod_opt
  mod_base)
target_link_options(libwinnow PRIVATE
  -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/library.map)
if(NOT SANITIZE)
  target_link_options(libwinnow PRIVATE -Wl,-z,defs)
endif()
include(GNUInstallDirs)
file(RELATIVE_PATH WINNOW_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(winnow.pc.in ${CMAKE_CURRENT_BINARY_DIR}/winnow.pc @ONLY)
