unit_test(strip USES mod_metadata mod_boilerplate)
unit_test(strip_links USES mod_metadata mod_boilerplate)
unit_test(strip_ruby USES mod_metadata mod_boilerplate)
unit_test(strip_code USES mod_metadata mod_boilerplate)
unit_test(strip_control USES mod_metadata mod_boilerplate)
unit_test(structure USES mod_boilerplate mod_text mod_opt)
unit_test(metadata USES mod_metadata mod_boilerplate)
unit_test(metadata_site USES mod_metadata mod_boilerplate)
unit_test(rights USES mod_metadata)
unit_test(metadata_sources USES mod_metadata mod_boilerplate)
unit_test(author_fit USES mod_metadata mod_boilerplate)
unit_test(features USES mod_boilerplate)
unit_test(dom_path USES mod_boilerplate)
unit_test(texrex_features USES mod_boilerplate)
fuzz_target(texrex USES mod_boilerplate)
unit_test(fann_file USES mod_boilerplate ext_fann)
unit_test(network USES mod_boilerplate ext_fann)
fuzz_target(rights USES mod_metadata)
fuzz_target(strip USES mod_metadata mod_boilerplate)
fuzz_target(network USES mod_boilerplate ext_fann)
unit_test(boilerplate USES mod_boilerplate mod_opt ext_fann)
unit_test(train USES mod_train)

# texrex's own output over 60 pages; skipped where it is not unpacked.
program(real_texrex_features SOURCES real/texrex_features.c USES mod_boilerplate mod_archive)
add_test(NAME real_texrex_features COMMAND real_texrex_features
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(real_texrex_features PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60
  FIXTURES_REQUIRED data)

# Candidates of titles, authors and dates, for real/metadata.py.
program(metadata_features SOURCES real/metadata_features.c USES mod_metadata mod_charset)
fuzz_target(metadata USES mod_metadata mod_charset)
