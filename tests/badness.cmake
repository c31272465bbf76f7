unit_test(word_order USES mod_text)
unit_test(confusable USES mod_text)
