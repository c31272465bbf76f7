unit_test(url_suites USES mod_url ext_json_c)
