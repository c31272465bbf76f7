/* ship.c -- renders records and asks the dedup client; all formats of one
 * document travel in one message, so it is stored in all or in none. */
#include "ship.h"

enum status
ship_document(struct crawl *c, struct document *d, uint32_t revisit,
              struct buf *scratch, enum verdict *verdict,
              struct document_id *of)
{
    struct dedup_record record[CRAWL_FORMATS_MAX];
    size_t end[CRAWL_FORMATS_MAX], from = 0;
    enum status st;
    const struct fingerprint_scheme scheme = fingerprint_scheme_of(c->opts);
    char scheme_text[FINGERPRINT_SCHEME_BYTES];
    struct dedup_answer answer;
    struct dedup_document doc = {
        .id = d->id,
        .url = d->url_text,
        .revisit = revisit,
        .digest = d->digest,
        .fingerprint = d->fingerprint.shingles_n > 0 ? &d->fingerprint : NULL,
        .signature = &d->signature,
        .text_bytes = document_text_bytes(d),
        .reject = d->reject,
        .records = record};

    fingerprint_scheme_text(&scheme, scheme_text);
    doc.scheme = str_c(scheme_text);
    buf_clear(scratch);
    for (size_t i = 0; i < c->formats_n; i++) {
        c->format[i]->render(c->opts, d, scratch);
        end[i] = scratch->n;
    }
    for (size_t i = 0; i < c->formats_n; i++) {
        struct dedup_record *r = &record[doc.records_n];

        if (end[i] == from) /* a format may have nothing to say */
            continue;
        r->suffix = str_c(c->format[i]->suffix);
        r->bytes = str_sub(buf_view(scratch), from, end[i]);
        doc.records_n++;
        from = end[i];
    }
    st = dedup_client_put(c->dedup, &doc, &c->hard, &answer);
    if (st != ST_OK)
        return st;
    *verdict = answer.verdict;
    *of = answer.of;
    d->id = answer.id; /* of an earlier try of this visit, if one was stored */
    return ST_OK;
}
