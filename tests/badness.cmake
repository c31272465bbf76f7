unit_test(word_order USES mod_language)
unit_test(confusable USES mod_language)
unit_test(running_text USES mod_clean mod_opt)
