/* fuzz_words.c -- any bytes as text: the sentences are all of it but white
 * space and what shows nothing, in order, and the tokens all of a sentence. The
 * first byte chooses the language. */
#include "corpus/text/sentences.h"
#include "corpus/text/text_scan.h"
#include "corpus/text/tokens.h"
#include "fuzz.h"

static struct language_words *lists[8];

/* Nothing else may stand between them; is there white space? */
static bool
gap_has_blank(struct str s, size_t from, size_t to)
{
    bool blank = false;

    MUST(from <= to && to <= s.n);
    while (from < to) {
        uint32_t cp = scan_next(s, &from);

        MUST(scan_gap(cp));
        blank |= !scan_unseen(cp);
    }
    return blank;
}

static void
tokens_cover(const struct language_words *l, struct str sentence)
{
    size_t at = 0;
    struct token_reader it;
    struct token t;

    tokens_begin(&it, l, sentence, NULL);
    while (tokens_next(&it, &t)) {
        size_t from = (size_t)(t.text.p - sentence.p);

        MUST(t.text.n > 0 && t.kind < TOKEN_KINDS_N);
        MUST(t.glued == (!gap_has_blank(sentence, at, from) && at > 0));
        at = from + t.text.n;
    }
    gap_has_blank(sentence, at, sentence.n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const names[8] = {"de", "nl", "fr", "en",
                                         "es", "it", "sv", "xx"};
    unsigned which = n > 0 ? data[0] & 7 : 7, flags = n > 0 ? data[0] >> 6 : 0;
    struct str text = str_n((const char *)data + (n > 0), n - (n > 0)), s;
    struct sentences it;
    size_t at = 0;

    if (lists[which] == NULL)
        MUST(language_words_open(&lists[which], str_c(names[which]),
                                 WINNOW_DATA_DIR) == ST_OK);
    sentences_begin(&it, lists[which], text, flags);
    while (sentences_next(&it, &s)) {
        size_t from = (size_t)(s.p - text.p);

        MUST(s.n > 0);
        gap_has_blank(text, at, from);
        tokens_cover(lists[which], s);
        at = from + s.n;
    }
    gap_has_blank(text, at, text.n);
    return 0;
}
