/* sentence_tokens.c -- see sentence_tokens.h. */
#include "sentence_tokens.h"

#include <stdlib.h>

#include "base/memory.h"
#include "clean/text/segment.h"

#define TAGGERS_MAX                                                            \
    (sizeof((struct sentence_tokens *)0)->taggers /                            \
     sizeof((struct sentence_tokens *)0)->taggers[0])

void
sentence_tokens_open(struct sentence_tokens *s, struct job_run *r)
{
    *s = (struct sentence_tokens){.arena = arena_new()};
    job_word_lists_open(&s->lists, r);
}

void
sentence_tokens_close(struct sentence_tokens *s)
{
    for (size_t i = 0; i < s->taggers_n; i++)
        tagger_free(s->taggers[i].tagger);
    job_word_lists_close(&s->lists);
    segmenter_free(s->segmenter);
    arena_free(s->arena);
    free(s->token);
    free(s->word);
    free(s->tag);
    free(s->xpos);
}

/* ---- tokens ---- */

static void
add_word(struct sentence_tokens *s, struct str text)
{
    if (s->words_n == s->words_room) {
        s->words_room = s->words_room ? 2 * s->words_room : 64;
        s->word =
            memory_need(realloc(s->word, s->words_room * sizeof *s->word));
        s->tag = memory_need(realloc(s->tag, s->words_room));
        s->xpos =
            memory_need(realloc(s->xpos, s->words_room * sizeof *s->xpos));
    }
    s->word[s->words_n] = text;
    s->xpos[s->words_n] = S("");
    s->tag[s->words_n++] = UPOS_N;
}

/* "In" and "dem" for "Im". */
static void
add_parts(struct sentence_tokens *s, struct str token, struct str parts)
{
    struct str part;
    bool first = true;

    while (str_word(&parts, &part)) {
        if (first && token.p[0] >= 'A' && token.p[0] <= 'Z' &&
            ascii_alpha(part.p[0])) {
            char *copy = arena_cstr(s->arena, part);

            copy[0] = (char)(copy[0] & ~0x20);
            part = str_n(copy, part.n);
        }
        first = false;
        add_word(s, part);
    }
}

/* `words` NULL: contractions are words as others are. */
static void
add(struct sentence_tokens *s, const struct language_words *words,
    struct str text, bool glued)
{
    struct str parts =
        words != NULL ? language_words_contraction(words, text) : S("");
    struct sentence_token *t;

    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->token = memory_need(realloc(s->token, s->room * sizeof *s->token));
    }
    t = &s->token[s->n++];
    *t = (struct sentence_token){text, glued, s->words_n, 0};
    if (parts.n > 0)
        add_parts(s, text, parts);
    else
        add_word(s, text);
    t->n = s->words_n - t->first;
}

/* Where words end in languages without blanks; NULL: they have blanks. */
static const size_t *
cuts_of(struct sentence_tokens *s, struct str language, struct str text)
{
    struct str words = S("zh ja th lo km my"), word;

    while (str_word(&words, &word))
        if (str_starts(language, word)) {
            if (s->segmenter == NULL && segmenter_open(&s->segmenter) != ST_OK)
                return NULL;
            return segment_cuts(s->segmenter, s->arena, text);
        }
    return NULL;
}

static void
begin(struct sentence_tokens *s)
{
    s->n = s->words_n = 0;
    arena_reset(s->arena);
}

bool
sentence_tokenize(struct sentence_tokens *s, struct str language,
                  struct str sentence, bool parts)
{
    const struct language_words *words = job_word_list(&s->lists, language);
    struct token_reader it;
    struct token t;

    begin(s);
    if (words == NULL)
        return false;
    tokens_begin(&it, words, sentence, cuts_of(s, language, sentence));
    while (tokens_next(&it, &t))
        add(s, parts ? words : NULL, t.text, t.glued);
    return true;
}

bool
sentence_split(struct sentence_tokens *s, struct str language,
               struct str sentence, bool parts)
{
    const struct language_words *words = job_word_list(&s->lists, language);
    struct str token;

    begin(s);
    while (words != NULL && str_cut(&sentence, ' ', &token))
        if (token.n > 0)
            add(s, parts ? words : NULL, token, false);
    return words != NULL;
}

/* ---- tags ---- */

const struct tagger *
sentence_tagger(struct sentence_tokens *s, struct str language)
{
    struct tagger *tagger = NULL;
    size_t n = 0;

    while (n < language.n && n < 15 && ascii_alpha(language.p[n]))
        n++;
    language = str_sub(language, 0, n);
    for (size_t i = 0; i < s->taggers_n; i++)
        if (str_eq(language, str_c(s->taggers[i].language)))
            return s->taggers[i].tagger;
    if (s->taggers_n == TAGGERS_MAX)
        tagger_free(s->taggers[--s->taggers_n].tagger);
    if (n > 0) {
        enum status st = tagger_open(&tagger, language, s->lists.folder.p);

        if (st != ST_OK && st != ST_NONE)
            job_fail(s->lists.r);
    }
    memset(s->taggers[s->taggers_n].language, 0, 16);
    memcpy(s->taggers[s->taggers_n].language, language.p, n);
    s->taggers[s->taggers_n++].tagger = tagger;
    return tagger;
}

void
sentence_tag(struct sentence_tokens *s, const struct tagger *t)
{
    tagger_tag(t, s->arena, s->word, s->words_n, s->tag);
    tagger_xpos(t, s->arena, s->word, s->words_n, s->tag, s->xpos);
}

void
sentence_put_tag(const struct sentence_tokens *s, size_t i, bool own,
                 struct buf *out)
{
    const struct sentence_token *t = &s->token[i];

    for (size_t w = t->first; w < t->first + t->n; w++) {
        if (w > t->first)
            buf_char(out, '+');
        if (own && s->xpos[w].n > 0)
            buf_str(out, s->xpos[w]);
        else
            buf_c(out, s->tag[w] < UPOS_N ? upos_name[s->tag[w]] : "_");
    }
}
