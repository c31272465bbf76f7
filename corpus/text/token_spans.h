/* token_spans.h -- tokens that are no words: where each ends that begins at
 * `at`; `at` itself: there is none. */
#ifndef CORPUS_TOKEN_SPANS_H
#define CORPUS_TOKEN_SPANS_H

#include <stddef.h>

#include "base/str.h"
#include "clean/text/letters.h"

/* A URL, a host name that begins with www., an e-mail address, a hashtag or a
 * name with @. */
size_t span_url(const struct letters *l, struct str s, size_t at);

/* Digits with points, commas, colons and slashes between them. */
size_t span_number(struct str s, size_t at);

/* One emoji with all that modifies it; a flag; or an emoticon like :-). */
size_t span_emoji(struct str s, size_t at);

/* The same sign again and again: "...", "!!", "--"; two commas, apostrophes or
 * grave accents that stand for a quote. */
size_t span_run(struct str s, size_t at);

#endif
