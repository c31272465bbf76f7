/* st_sentences.c -- sentences that documents before this one had, as the WaC
 * Toolkit's DeDupe has it: a document of whose sentences too many are known is
 * rejected; or those are taken out of it and the others stay.
 *
 * Off unless clean.known_sentences or dedup.known_sentences says otherwise:
 * with the first, documents of this process are those before; with the second
 * the dedup service is to say what is known, so the sentences are only listed
 * here, and cut by sentences_cut() when it has.  So they are for
 * dedup.canonical_mib (document.list_sentences).  A sentence ends behind . !
 * ? and their like of other scripts, with quotes and brackets after them, and
 * at the end of a block; abbreviations end some too soon, but all alike.  Of
 * short ones (BYTES_MIN) many documents have the same by chance: they do not
 * count and are left alone.  Only the sentences of documents that stay are
 * remembered, and none is known for standing twice in one document.
 *
 * Of two documents in two threads the one that comes here first is the earlier.
 */
#include "base/log.h"
#include "base/memory.h"
#include "clean/blocks/block_edit.h"
#include "clean/chain/stage.h"
#include "known_sentences.h"
#include "seen.h"

enum { BYTES_MIN = 25 };

struct stage_sentences {
    struct seen_set *known; /* NULL: the dedup service has them */
    double most;            /* of a document's sentences, as a share */
    bool cut;
};

/* ---- where they end ---- */

static const struct str ends[] = {
    STR("."),
    STR("!"),
    STR("?"),
    STR("…"),
    STR("。"),
    STR("！"),
    STR("？"),
    STR("｡"),
    STR("．"),
    STR("\xd8\x9f"),     /* Arabic question mark */
    STR("\xdb\x94"),     /* Urdu full stop */
    STR("\xe0\xa5\xa4"), /* danda, and the double one */
    STR("\xe0\xa5\xa5"),
    STR("\xd6\x89"),     /* Armenian, */
    STR("\xe1\x8d\xa2"), /* Ethiopic, */
    STR("\xe1\x9f\x94"), /* Khmer, */
    STR("\xe1\x81\x8b")  /* and Burmese full stop */
};
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
    for (size_t i = 0; i < n && at < text.n; i++)
        if (set[i].p[0] == text.p[at] &&
            str_starts(str_sub(text, at, text.n), set[i]))
            return set[i].n;
    return 0;
}

/* Can one that ends a sentence begin with this byte?  Most cannot. */
static bool
may_end(unsigned char c)
{
    return c == '.' || c == '!' || c == '?' || c >= 0xd6;
}

/* The sentence at the begin of a text. */
static struct str
first_sentence(struct str text)
{
    size_t at = 0, n;

    while (at < text.n) {
        if (!may_end((unsigned char)text.p[at])) {
            at++;
            continue;
        }
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

/* All of the kept blocks. */
static void
split(struct document *d)
{
    struct document_sentence *all = NULL;
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
            all[n++] = (struct document_sentence){.key = hash128(str_trim(s)),
                                                  .block = i,
                                                  .text = s,
                                                  .counts = s.n >= BYTES_MIN};
            rest = str_sub(rest, s.n, rest.n);
        }
    }
    d->sentences = all;
    d->sentences_n = n;
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
    bool here = !str_eq(o->clean_known_sentences, S("off")),
         there = !str_eq(o->dedup_known_sentences, S("off"));
    struct stage_sentences *h;
    enum status st;

    if (here && there) {
        log_error("clean", "clean.known_sentences and dedup.known_sentences: "
                           "one of them is to know sentences, not both");
        return ST_USAGE;
    }
    if (!here && !there)
        return ST_OK;
    if ((h = memory_zero(1, sizeof *h)) == NULL)
        return ST_NOMEM;
    *self = h;
    if (there)
        return ST_OK;
    if ((st = seen_open(&h->known, o, "sentences")) != ST_OK) {
        close_sentences(h);
        *self = NULL;
        return st;
    }
    h->cut = str_eq(o->clean_known_sentences, S("cut"));
    h->most = o->clean_known_sentences_max;
    return ST_OK;
}

/* Mark what is known; remember the rest if the document stays. */
static bool
stays(const struct stage_sentences *h, struct document_sentence *all, size_t n)
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
cut_block(struct document *d, struct block *b,
          const struct document_sentence *all, size_t n)
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

void
sentences_cut(struct document *d)
{
    const struct document_sentence *all = d->sentences;

    for (size_t i = 0, to; i < d->sentences_n; i = to) {
        for (to = i; to < d->sentences_n && all[to].block == all[i].block;)
            to++;
        cut_block(d, &d->blocks[all[i].block], all + i, to - i);
    }
    if (d->sentences_n > 0 && d->kept_blocks_n == 0)
        document_reject(d, VERDICT_NEAR_DUPLICATE);
}

static enum status
run(const void *self, struct document *d)
{
    const struct stage_sentences *h = self;

    if (d->reject != VERDICT_NONE || (h == NULL && !d->list_sentences))
        return ST_OK;
    split(d);
    if (h == NULL || h->known == NULL)
        return ST_OK;
    if (!stays(h, d->sentences, d->sentences_n))
        document_reject(d, VERDICT_NEAR_DUPLICATE);
    else if (h->cut)
        sentences_cut(d);
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
