/* st_sentences.c -- sentences that documents before this one had, as the WaC
 * Toolkit's DeDupe has it: a document of whose sentences too many are known is
 * rejected; or those are taken out of it and the others stay.
 *
 * Off unless clean.known_sentences says otherwise.  A sentence ends behind . !
 * ? and their like of other scripts, with quotes and brackets after them, and
 * at the end of a block; abbreviations end some too soon, but all alike.  Of
 * short ones (BYTES_MIN) many documents have the same by chance: they do not
 * count and are left alone.  Only the sentences of documents that stay are
 * remembered, and none is known for standing twice in one document.
 *
 * Of two documents in two threads the one that comes here first is the earlier.
 */
#include "base/memory.h"
#include "clean/blocks/block_edit.h"
#include "clean/chain/stage.h"
#include "seen.h"

enum { BYTES_MIN = 25 };

struct stage_sentences {
    struct seen_set *known;
    double most; /* of a document's sentences, as a share */
    bool cut;
};

/* One of a document. */
struct sentence {
    struct hash128 key;
    uint32_t block;
    struct str text; /* with the blanks behind it */
    bool counts, known;
};

/* ---- where they end ---- */

static const struct str ends[] = {STR("."),
                                  STR("!"),
                                  STR("?"),
                                  STR("\xe2\x80\xa6"),
                                  STR("\xe3\x80\x82"),
                                  STR("\xef\xbc\x81"),
                                  STR("\xef\xbc\x9f"),
                                  STR("\xd8\x9f"),
                                  STR("\xe0\xa5\xa4")};
static const struct str closings[] = {STR("\""),
                                      STR("'"),
                                      STR(")"),
                                      STR("]"),
                                      STR("\xc2\xbb"),
                                      STR("\xe2\x80\x9c"),
                                      STR("\xe2\x80\x9d"),
                                      STR("\xe2\x80\x99"),
                                      STR("\xe3\x80\x8d")};

/* The bytes of the one of them that stands there; 0: none. */
static size_t
one_of(const struct str *set, size_t n, struct str text, size_t at)
{
    for (size_t i = 0; i < n; i++)
        if (str_starts(str_sub(text, at, text.n), set[i]))
            return set[i].n;
    return 0;
}

/* The sentence at the begin of a text. */
static struct str
first_sentence(struct str text)
{
    size_t at = 0, n;

    while (at < text.n) {
        n = one_of(ends, sizeof ends / sizeof *ends, text, at);
        if (n == 0) {
            at++;
            continue;
        }
        at += n;
        while ((n = one_of(closings, sizeof closings / sizeof *closings, text,
                           at)) > 0 ||
               (n = one_of(ends, sizeof ends / sizeof *ends, text, at)) > 0)
            at += n;
        /* Behind a letter of ASCII a blank has to follow: 3.14, example.org */
        if (at < text.n && text.p[at] != ' ' &&
            (unsigned char)text.p[at - 1] < 0x80)
            continue;
        while (at < text.n && text.p[at] == ' ')
            at++;
        break;
    }
    return str_sub(text, 0, at);
}

/* All of the kept blocks; how many. */
static size_t
split(struct document *d, struct sentence **out)
{
    struct sentence *all = NULL;
    size_t n = 0, room = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct str rest = d->blocks[i].text;

        while (d->blocks[i].kept && rest.n > 0) {
            struct str s = first_sentence(rest);

            if (n == room) {
                size_t more = 2 * room + 64;

                all = arena_grow(d->arena, all, room * sizeof *all,
                                 more * sizeof *all);
                room = more;
            }
            all[n++] = (struct sentence){.key = hash128(str_trim(s)),
                                         .block = i,
                                         .text = s,
                                         .counts = s.n >= BYTES_MIN};
            rest = str_sub(rest, s.n, rest.n);
        }
    }
    *out = all;
    return n;
}

/* ---- the stage ---- */

static void
close_sentences(void *self)
{
    struct stage_sentences *h = self;

    if (h != NULL)
        seen_close(h->known);
    memory_free(h);
}

static enum status
open_sentences(void **self, const struct opts *o)
{
    struct stage_sentences *h;
    enum status st;

    if (str_eq(o->clean_known_sentences, S("off")))
        return ST_OK;
    if ((h = memory_zero(1, sizeof *h)) == NULL)
        return ST_NOMEM;
    if ((st = seen_open(&h->known, o, "sentences")) != ST_OK) {
        close_sentences(h);
        return st;
    }
    h->cut = str_eq(o->clean_known_sentences, S("cut"));
    h->most = o->clean_known_sentences_max;
    *self = h;
    return ST_OK;
}

/* Mark what is known; remember the rest if the document stays. */
static bool
stays(const struct stage_sentences *h, struct sentence *all, size_t n)
{
    size_t counted = 0, known = 0;
    bool yes;

    seen_lock(h->known);
    for (size_t i = 0; i < n; i++) {
        all[i].known = all[i].counts && seen_has(h->known, all[i].key);
        counted += all[i].counts;
        known += all[i].known;
    }
    yes = counted == 0 || (double)known <= h->most * (double)counted;
    for (size_t i = 0; i < n && yes; i++)
        if (all[i].counts)
            seen_add(h->known, all[i].key);
    seen_unlock(h->known);
    return yes;
}

/* The block's text without its known sentences, which are n from `all` on. */
static void
cut_known(struct document *d, struct block *b, const struct sentence *all,
          size_t n)
{
    char *text = arena_raw(d->arena, b->text.n + 1);
    size_t size = 0, known = 0;

    for (size_t i = 0; i < n; i++) {
        known += all[i].known;
        if (all[i].known)
            continue;
        memcpy(text + size, all[i].text.p, all[i].text.n);
        size += all[i].text.n;
    }
    if (known > 0)
        block_set_text(d, b, str_trim(str_n(text, size)));
}

static enum status
run(const void *self, struct document *d)
{
    const struct stage_sentences *h = self;
    struct sentence *all;
    size_t n;

    if (h == NULL || d->reject != VERDICT_NONE)
        return ST_OK;
    n = split(d, &all);
    if (!stays(h, all, n)) {
        document_reject(d, VERDICT_NEAR_DUPLICATE);
        return ST_OK;
    }
    for (size_t i = 0, to; i < n && h->cut; i = to) {
        for (to = i; to < n && all[to].block == all[i].block;)
            to++;
        cut_known(d, &d->blocks[all[i].block], all + i, to - i);
    }
    if (n > 0 && d->kept_blocks_n == 0)
        document_reject(d, VERDICT_NEAR_DUPLICATE);
    return ST_OK;
}

const struct stage stage_sentences = {
    .name = "sentences",
    .needs = DOC_BOILERPLATE | DOC_NORMAL,
    .kept_only = true,
    .open = open_sentences,
    .run = run,
    .close = close_sentences,
};
