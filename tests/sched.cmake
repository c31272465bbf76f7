# Scheduling: sitemaps, politeness, traps, re-crawl, control.
unit_test(sitemap SUITES USES mod_sitemap)
fuzz_target(sitemap USES mod_sitemap)
unit_test(schedule USES mod_frontier_tools mod_opt)
unit_test(schedule_found USES mod_frontier_tools mod_opt)
unit_test(schedule_operators USES mod_frontier_tools mod_opt)
unit_test(growth USES mod_frontier_tools mod_opt)
unit_test(politeness USES mod_frontier_tools mod_opt)
unit_test(trap USES mod_frontier_features)
unit_test(pattern_set USES mod_frontier_features)
unit_test(address USES mod_frontier_tools mod_opt)
foreach(name test_trap test_address test_sitemap fuzz_sitemap)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
endforeach()

# Real crawls against scripted servers; politeness as the servers count it.
crawl_scenario(schedule)
crawl_scenario(crawlers)
crawl_scenario(mazes)
