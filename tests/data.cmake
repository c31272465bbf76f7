# What tests need of ../shared/data is unpacked when it is there.
add_test(NAME data_unpacked
  COMMAND sh ${PROJECT_SOURCE_DIR}/tests/unpack_data.sh warc texrex-golden
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(data_unpacked PROPERTIES FIXTURES_SETUP data TIMEOUT 300)
