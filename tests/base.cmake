unit_test(base USES mod_base)
unit_test(json_reader USES mod_json_reader)
