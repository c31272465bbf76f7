unit_test(url USES mod_url)
unit_test(url_suites USES mod_url ext_json_c)
unit_test(host USES mod_url)
fuzz_target(url USES mod_url)
