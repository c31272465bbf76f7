# Sentences, tokens and languages of texts.
unit_test(words USES mod_corpus_text)
fuzz_target(words USES mod_corpus_text)
fuzz_target(language_words USES mod_corpus_text)
program(bench_words SOURCES bench/words.c USES mod_corpus_text mod_base)
