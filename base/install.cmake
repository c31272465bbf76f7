# cmake --install: the program, the library for others, the models.
include(GNUInstallDirs)
install(TARGETS winnow RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  COMPONENT program)
# The manual page, and what bash completes, is what the program knows of itself.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/winnow.1 ${PROJECT_BINARY_DIR}/winnow.bash
  COMMAND winnow help --man >${PROJECT_BINARY_DIR}/winnow.1
  COMMAND winnow help --bash >${PROJECT_BINARY_DIR}/winnow.bash DEPENDS winnow)
add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/winnow.1)
install(FILES ${PROJECT_BINARY_DIR}/winnow.1
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/winnow.bash RENAME winnow
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(TARGETS libwinnow LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT library)
install(FILES ${PROJECT_SOURCE_DIR}/include/winnow/clean.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/winnow COMPONENT library)
install(FILES ${PROJECT_BINARY_DIR}/clean/winnow.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/winnow COMPONENT data
  PATTERN "*.py" EXCLUDE PATTERN "*.sh" EXCLUDE PATTERN SOURCES.md EXCLUDE)
# The manuals, as they link to each other.
foreach(manual IN ITEMS README.md crawler/README.md crawler/OPERATING.md crawler/DESIGN.md
    crawler/lab/README.md clean/README.md shingle/README.md corpus/README.md
    include/README.md python/README.md proto/PROTOCOL.md data/SOURCES.md)
  get_filename_component(folder ${manual} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${manual}
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT program)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
# The tools that scripts know as programs of their own.
foreach(name IN ITEMS tender tecl tenet hydra rofl)
  install(CODE "file(CREATE_LINK winnow
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${name}\" SYMBOLIC)"
    COMPONENT program)
endforeach()

# cpack --config build/release/CPackConfig.cmake: a Debian package for other machines, with
# what the linker says it needs of theirs; of what is built (tests need not be).
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Winnow's developers <winnow@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "crawls the Web for text corpora, and cleans what it fetches")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "poppler-utils, antiword | catdoc, bubblewrap, zstd")
include(CPack)
