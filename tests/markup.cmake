unit_test(tokenizer USES mod_markup)
unit_test(tokenizer_suite USES mod_markup ext_json_c)
