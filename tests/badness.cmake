unit_test(word_order USES mod_text)
unit_test(sibling USES mod_text)
