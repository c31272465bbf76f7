/* ship.c -- renders records; all formats of one document travel in one message,
 * so it is stored in all or in none. */
#include "ship.h"

#include "clean/text/known_sentences.h"
#include "shingle/fingerprint/fingerprint.h"

static void
keep_prints(const struct document *d, struct arena *a,
            struct dedup_document *out)
{
    struct fingerprint *prints;
    struct signature *s = ARENA_NEW(a, struct signature);
    size_t bytes = d->signature.word != NULL ? d->signature.bits_n / 8 : 0;

    *s = d->signature;
    s->gaps = arena_str(a, s->gaps);
    if (bytes > 0)
        s->word = memcpy(arena_raw(a, bytes), s->word, bytes);
    out->signature = s;
    if (d->fingerprint.shingles_n == 0)
        return;
    prints = ARENA_NEW(a, struct fingerprint);
    *prints = d->fingerprint;
    out->fingerprint = prints;
}

static void
render(const struct crawl *c, const struct document *d, struct arena *a,
       struct buf *scratch, struct dedup_document *out)
{
    struct dedup_record *r = ARENA_ARRAY(a, struct dedup_record, c->formats_n);
    size_t end[OUTPUT_FORMATS_N], from = 0;
    struct str all;

    buf_clear(scratch);
    for (size_t i = 0; i < c->formats_n; i++) {
        c->format[i]->render(c->opts, d, scratch);
        end[i] = scratch->n;
    }
    all = arena_str(a, buf_view(scratch));
    out->records = r;
    for (size_t i = 0; i < c->formats_n; i++) {
        if (end[i] == from) /* a format may have nothing to say */
            continue;
        *r++ = (struct dedup_record){str_c(c->format[i]->suffix),
                                     str_sub(all, from, end[i])};
        out->records_n++;
        from = end[i];
    }
}

/* Those that are long enough to tell something. */
static void
keep_sentences(const struct document *d, struct arena *a,
               struct dedup_document *out)
{
    uint64_t *key = ARENA_ARRAY(a, uint64_t, d->sentences_n);
    size_t n = 0;

    for (size_t i = 0; i < d->sentences_n && n < DEDUP_SENTENCES_MAX; i++)
        if (d->sentences[i].counts)
            key[n++] = d->sentences[i].key.low;
    out->sentences = key;
    out->sentences_n = n;
}

enum status
ship_ask(struct crawl *c, struct document *d, uint32_t revisit)
{
    struct dedup_document asked = {.url = d->url_text, .revisit = revisit};
    bool *known;
    size_t n = 0, known_n = 0;
    enum status st;

    keep_sentences(d, d->arena, &asked);
    if (asked.sentences_n == 0)
        return ST_OK;
    known = ARENA_ARRAY(d->arena, bool, asked.sentences_n);
    st = dedup_client_known(c->dedup, &asked, &c->hard, known);
    for (size_t i = 0; i < asked.sentences_n && st == ST_OK; i++)
        known_n += known[i];
    if (st != ST_OK || (double)known_n > c->opts->dedup_known_sentences_max *
                                             (double)asked.sentences_n)
        return st; /* the service judges it whole */
    for (size_t i = 0; i < d->sentences_n && n < asked.sentences_n; i++)
        if (d->sentences[i].counts)
            d->sentences[i].known = known[n++];
    sentences_cut(d);
    return ST_OK;
}

void
ship_pack(const struct crawl *c, const struct document *d, uint32_t revisit,
          struct arena *a, struct buf *scratch, struct dedup_document *out)
{
    const struct fingerprint_scheme scheme = fingerprint_scheme_of(c->opts);
    char text[FINGERPRINT_SCHEME_BYTES];

    fingerprint_scheme_text(&scheme, text);
    *out = (struct dedup_document){.id = d->id,
                                   .url = arena_str(a, d->url_text),
                                   .revisit = revisit,
                                   .digest = d->digest,
                                   .scheme = arena_str(a, str_c(text)),
                                   .text_bytes = document_text_bytes(d),
                                   .reject = d->reject,
                                   .names_another = d->canonical_other.n > 0};
    keep_prints(d, a, out);
    keep_sentences(d, a, out);
    render(c, d, a, scratch, out);
}
