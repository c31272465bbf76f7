unit_test(forget_warc USES mod_forget mod_archive)
unit_test(robots SUITES USES mod_robots ext_json_c)
unit_test(admit USES mod_admit)
unit_test(fetch USES mod_fetch mod_opt)
unit_test(fetch_body USES mod_fetch mod_opt mod_archive)
unit_test(fetch_headers USES mod_fetch mod_opt)
unit_test(fetch_suites SUITES_ONLY USES mod_fetch mod_opt ext_json_c)
unit_test(outcome USES mod_visit)
unit_test(archive USES mod_visit)
unit_test(signer USES mod_sign)
unit_test(working USES mod_crawl_loop)
unit_test(crawl_room USES mod_crawl_loop)
unit_test(bandwidth USES mod_crawl_loop)
unit_test(crawl_folder USES mod_crawl_loop)
fuzz_target(robots USES mod_robots)
fuzz_target(tdmrep USES mod_robots)
fuzz_target(response_header USES mod_fetch)
fuzz_target(hosts_file USES mod_admit)
fuzz_target(seeds USES mod_admit)
fuzz_target(dns_answer USES mod_dns)
foreach(name robots admit fetch fetch_body fetch_headers fetch_suites outcome archive working crawl_room crawl_folder)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR})
endforeach()
foreach(name robots tdmrep response_header hosts_file seeds dns_answer)
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR})
endforeach()

# Real programs against scripted servers on loopback.
find_program(PYTHON3 python3 REQUIRED)
function(crawl_scenario name)
  add_test(NAME scenario_${name}
    COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/${name}.py
      $<TARGET_FILE:winnow>
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(scenario_${name} PROPERTIES LABELS scenario TIMEOUT 300
    SKIP_RETURN_CODE 77)
endfunction()
crawl_scenario(bad_input)
crawl_scenario(few_files)
crawl_scenario(few_threads)
crawl_scenario(slow_hosts)
crawl_scenario(disk_full)
crawl_scenario(dedup_away)
crawl_scenario(sentences)
crawl_scenario(shards)
crawl_scenario(publish)
crawl_scenario(documents)
crawl_scenario(refused)
crawl_scenario(forget)
crawl_scenario(services)
crawl_scenario(archive)
crawl_scenario(rights)
crawl_scenario(connections)
crawl_scenario(http2)
crawl_scenario(resolver)
crawl_scenario(spelling)
crawl_scenario(one_id)
crawl_scenario(upgrade)
add_test(NAME scenario_walk
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/walk.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_walk PROPERTIES LABELS scenario TIMEOUT 300)
add_test(NAME scenario_demo
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/demo.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_demo PROPERTIES LABELS scenario TIMEOUT 300
  SKIP_RETURN_CODE 77)
