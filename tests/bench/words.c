/* words.c -- sentences, tokens and languages of text on standard input: prints
 * them for the scripts in tests/real, or how fast they are found.
 *
 *   bench_words sentences|quotes|tokens|language LANGUAGE [--speed] <TEXT
 *
 * Paragraphs are lines; sentences come one a line with an empty line behind a
 * paragraph (quotes: with those of several sentences whole), tokens likewise
 * with an empty line behind a sentence.  Of a language a line says the one that
 * is certain, the likeliest, its confidence and how well it fits.  --speed says
 * MB per CPU second instead, best of five rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "corpus/language/language_id.h"
#include "corpus/text/sentences.h"
#include "corpus/text/tokens.h"
#include "seconds.h"

static struct language_words *words;
static struct language_model *model;
static unsigned sentence_flags;

static size_t
each_sentence(struct str line, bool print)
{
    struct sentences it;
    struct str s;
    size_t n = 0;

    sentences_begin(&it, words, line, sentence_flags);
    while (sentences_next(&it, &s)) {
        n++;
        if (print)
            printf("%.*s\n", STRF(s));
    }
    if (print)
        puts("");
    return n;
}

static size_t
each_token(struct str line, bool print)
{
    struct token_reader it;
    struct token t;
    size_t n = 0;

    tokens_begin(&it, words, line, NULL);
    while (tokens_next(&it, &t)) {
        n++;
        if (print)
            printf("%.*s\n", STRF(t.text));
    }
    if (print)
        puts("");
    return n;
}

static size_t
each_language(struct str line, bool print)
{
    struct language_guess g;

    if (line.n == 0)
        return 0;
    language_guess(model, line, &g);
    if (print)
        printf("%.*s\t%.*s\t%.4f\t%.4f\t%.4f\n", STRF(g.language), STRF(g.best),
               g.confidence, g.fit, g.known);
    return 1;
}

static size_t
all(struct str text, size_t (*each)(struct str, bool), bool print)
{
    struct str line;
    size_t n = 0;

    while (str_cut(&text, '\n', &line))
        n += each(line, print);
    return n;
}

int
main(int argc, char **argv)
{
    const char *folder = getenv("WINNOW_DATA_DIR");
    size_t (*each)(struct str, bool);
    struct buf text = {0};
    double best = 0;
    size_t n = 0;
    int c;

    if (argc < 3 ||
        language_words_open(&words, str_c(argv[2]),
                            folder != NULL ? folder : WINNOW_DATA_DIR) != ST_OK)
        return 64;
    sentence_flags = argv[1][0] == 'q' ? SENTENCES_QUOTES : 0;
    each = strchr("sq", argv[1][0]) ? each_sentence
           : argv[1][0] == 't'      ? each_token
                                    : each_language;
    if (each == each_language &&
        language_model_open(&model,
                            folder != NULL ? folder : WINNOW_DATA_DIR) != ST_OK)
        return 66;
    while ((c = getchar()) != EOF)
        buf_add(&text, &(char){(char)c}, 1);
    if (argc == 3) {
        all(buf_view(&text), each, true);
    } else {
        for (int round = 0; round < 5; round++) {
            double from = seconds(CLOCK_PROCESS_CPUTIME_ID), speed;

            n = all(buf_view(&text), each, false);
            speed = (double)buf_view(&text).n / 1e6 /
                    (seconds(CLOCK_PROCESS_CPUTIME_ID) - from);
            best = speed > best ? speed : best;
        }
        printf("%zu in %zu bytes, %.1f MB/s\n", n, buf_view(&text).n, best);
    }
    buf_free(&text);
    language_words_free(words);
    language_model_free(model);
    return 0;
}
