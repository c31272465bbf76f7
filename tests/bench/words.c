/* words.c -- sentences, tokens and languages of text on standard input: prints
 * them for the scripts in tests/real, or how fast they are found.
 *
 *   bench_words sentences|tokens LANGUAGE [--speed] <TEXT
 *
 * Paragraphs are lines; sentences come one a line with an empty line behind a
 * paragraph, tokens likewise with an empty line behind a sentence.  --speed
 * says MB per CPU second instead, best of five rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "corpus/text/sentences.h"
#include "corpus/text/tokens.h"
#include "winnow/buf.h"

static struct language_words *words;

static size_t
each_sentence(struct str line, bool print)
{
    struct sentences it;
    struct str s;
    size_t n = 0;

    sentences_begin(&it, words, line, 0);
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

static double
seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
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
    each = argv[1][0] == 's' ? each_sentence : each_token;
    while ((c = getchar()) != EOF)
        buf_add(&text, &(char){(char)c}, 1);
    if (argc == 3) {
        all(buf_view(&text), each, true);
    } else {
        for (int round = 0; round < 5; round++) {
            double from = seconds(), speed;

            n = all(buf_view(&text), each, false);
            speed = (double)buf_view(&text).n / 1e6 / (seconds() - from);
            best = speed > best ? speed : best;
        }
        printf("%zu in %zu bytes, %.1f MB/s\n", n, buf_view(&text).n, best);
    }
    buf_free(&text);
    language_words_free(words);
    return 0;
}
