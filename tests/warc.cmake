external(brotlienc libbrotlienc) # to make samples
unit_test(warc USES mod_archive)
unit_test(warc_faults USES mod_archive)
unit_test(warc_record USES mod_warc_record)
unit_test(warc_write USES mod_archive)
unit_test(wacz_read USES mod_archive ext_zip)
unit_test(surt USES mod_archive)
unit_test(cmd_warc USES mod_clean_command mod_archive)
unit_test(http_payload USES mod_archive ext_brotlienc)
fuzz_target(warc USES mod_archive)
fuzz_target(zstd_dictionary USES mod_archive)
fuzz_target(surt USES mod_archive)
fuzz_target(zip_list USES mod_archive)
fuzz_target(arc USES mod_archive)
fuzz_target(payload USES mod_archive)
fuzz_target(warc_restore USES mod_archive)

# Other tools' samples; skipped where they are not unpacked.
program(real_warc SOURCES real/warc.c USES mod_archive)
add_test(NAME real_warc COMMAND real_warc
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(real_warc PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300
  FIXTURES_REQUIRED data)
program(bench_warc SOURCES bench/warc.c USES mod_archive)
program(bench_warc_write SOURCES bench/warc_write.c USES mod_archive)
