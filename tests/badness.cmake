unit_test(word_order USES mod_text)
