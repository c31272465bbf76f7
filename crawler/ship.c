/* ship.c -- renders records; all formats of one document travel in one message,
 * so it is stored in all or in none. */
#include "ship.h"

#include "shingle/fingerprint.h"

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
    size_t end[CRAWL_FORMATS_MAX], from = 0;
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
                                   .reject = d->reject};
    keep_prints(d, a, out);
    render(c, d, a, scratch, out);
}
