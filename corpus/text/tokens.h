/* tokens.h -- sentences become tokens, by the conventions of Universal
 * Dependencies: punctuation and clitics stand alone; numbers, URLs, addresses,
 * emoji, hashtags and abbreviations with their stop are whole.
 *
 * One pass over UTF-8 without memory of its own, linear in the text; bytes that
 * are no UTF-8 are taken as letters.  Scripts without blanks are cut character
 * by character unless the caller hands over cuts (clean/text/segment.h). */
#ifndef CORPUS_TOKENS_H
#define CORPUS_TOKENS_H

#include <stdbool.h>

#include "language_words.h"

enum token_kind {
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_PUNCTUATION,
    TOKEN_SYMBOL,
    TOKEN_EMOJI,
    TOKEN_URL, /* and e-mail addresses, hashtags, @names */
    TOKEN_KINDS_N
};

struct token {
    struct str text; /* as it stands in the sentence */
    enum token_kind kind;
    bool glued; /* no blank stands between it and the token before: <g/> */
};

struct token_reader {
    const struct language_words *words;
    struct str text;
    size_t at;          /* the next token is looked for from here */
    size_t run_end;     /* of the word that the last token is the begin of */
    const size_t *cuts; /* ascending, the last one is text.n; NULL: none */
};

/* The tokens of one sentence; the list, the text and the cuts must be there as
 * long as *it is used. */
void tokens_begin(struct token_reader *it, const struct language_words *words,
                  struct str sentence, const size_t *cuts);

/* The next token; together they are all of the sentence but white space.
 * False: that was the last one. */
bool tokens_next(struct token_reader *it, struct token *t);

#endif
