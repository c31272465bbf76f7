/* sentence_tokens.h -- the tokens of a sentence with their parts of speech and
 * lemmas, by the lists and the model of its language, each read when it is
 * first needed.  One thread. */
#ifndef CORPUS_SENTENCE_TOKENS_H
#define CORPUS_SENTENCE_TOKENS_H

#include "corpus/tagger/tagger.h"
#include "corpus/text/tokens.h"
#include "job_words_of.h"

struct segmenter;

struct sentence_token {
    struct str text; /* as it stands in the sentence */
    bool glued;      /* no blank stands between it and the token before */
    size_t first, n; /* its words */
};

struct sentence_tokens {
    struct job_word_lists lists;
    struct segmenter *segmenter; /* when a language has wanted it */
    struct arena *arena;         /* of one sentence */
    struct {
        char language[16];
        struct tagger *tagger; /* NULL: there is no model of it */
    } taggers[32];
    size_t taggers_n;

    /* Of the sentence, valid until the next one. */
    struct sentence_token *token;
    size_t n, room;
    struct str *word; /* of which the tokens are made: "im" of "in", "dem" */
    uint8_t *tag;     /* of each word; UPOS_N: not tagged */
    struct str *xpos; /* the language's own tag; "": it has none */
    size_t words_n, words_room;
};

void sentence_tokens_open(struct sentence_tokens *s, struct job_run *r);
void sentence_tokens_close(struct sentence_tokens *s);

/* The tokens of a sentence that stands as it was written, or that has blanks
 * between them.  Contractions are one token; with `parts` of several words.
 * False: the lists cannot be read, and the phase has failed. */
bool sentence_tokenize(struct sentence_tokens *s, struct str language,
                       struct str sentence, bool parts);
bool sentence_split(struct sentence_tokens *s, struct str language,
                    struct str sentence, bool parts);

/* The model of a language; NULL: there is none (or it cannot be read, and the
 * phase has failed). */
const struct tagger *sentence_tagger(struct sentence_tokens *s,
                                     struct str language);
/* Tag the words there are. */
void sentence_tag(struct sentence_tokens *s, const struct tagger *t);
/* The tags of a token behind what `out` has, "ADP+DET"; "_": it has none.
 * `own`: those of the language's own, where there are such, else UPOS. */
void sentence_put_tag(const struct sentence_tokens *s, size_t i, bool own,
                      struct buf *out);

#endif
