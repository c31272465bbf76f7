# Sentences, tokens and languages of texts.
unit_test(words USES mod_corpus_text)
fuzz_target(words USES mod_corpus_text)
fuzz_target(language_words USES mod_corpus_text)
unit_test(language_id USES mod_corpus_language)
fuzz_target(language_id USES mod_corpus_language)
unit_test(tagger USES mod_corpus_tagger)
fuzz_target(tagger USES mod_corpus_tagger)
program(bench_words SOURCES bench/words.c USES mod_corpus_language mod_corpus_text mod_base)
