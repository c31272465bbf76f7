/* index_sentences.c -- sentences of kept documents, as the WaC Toolkit's DeDupe
 * knows them: a document of whose sentences too many are known is not kept.
 *
 * Who cuts known sentences out of a text asks for them first (index_known()),
 * cuts, and puts the document with all its sentences, so that the share of
 * known ones is judged here, in one place, whatever was cut.  A sentence is
 * only ever known from a document that is kept and durable; so two crawlers
 * that bring the same one at the same moment may both keep it, and none is
 * lost.
 *
 * They stand in the document's record, and in memory in a set that is filled
 * from the log of records at the start.
 *
 * For dedup.canonical_mib there are the latest ones in memory and none in the
 * records: pages of a site that are copies of each other come within days, and
 * one that is forgotten costs a copy.  Who names another page as canonical may
 * be wrong, so such a document goes only when hardly anything of it is new.
 * One that is visited again is not compared with itself. */
#include "base/big_endian.h"
#include "index_inside.h"

#define CANONICAL_MOST 0.9 /* a share */
#define CANONICAL_LEAST 3u /* fewer may be known by chance */

static enum status
enter(void *self, uint32_t place, const struct record *r)
{
    (void)place;
    index_enter_sentences(self, r);
    return ST_OK;
}

enum status
index_know_sentences(struct index *x, const struct index_sentences *o)
{
    enum status st =
        sentence_set_open(&x->sentences, o->bytes_max, o->canonical);

    x->sentence_rule = *o;
    return st == ST_OK && !o->canonical
               ? record_log_walk(x->records, 0, enter, x)
               : st;
}

void
index_enter_sentences(struct index *x, const struct record *r)
{
    if (x->sentences == NULL)
        return;
    for (uint32_t i = 0; i < r->sentences_n; i++)
        sentence_set_put(x->sentences,
                         be_get(r->sentence + (size_t)i * RECORD_SENTENCE_BYTES,
                                RECORD_SENTENCE_BYTES));
}

static bool
is_judged(const struct index *x, const struct dedup_document *doc)
{
    if (x->sentences == NULL)
        return false;
    return x->sentence_rule.canonical
               ? doc->names_another && doc->revisit == 0 &&
                     doc->sentences_n >= CANONICAL_LEAST
               : doc->sentences_n > 0;
}

double
index_too_known(const struct index *x, const struct dedup_document *doc)
{
    double n = (double)doc->sentences_n, share,
           most = x->sentence_rule.canonical ? CANONICAL_MOST
                                             : x->sentence_rule.most;
    size_t known = 0;

    if (!is_judged(x, doc))
        return 0;
    for (size_t i = 0; i < doc->sentences_n; i++)
        known += sentence_set_has(x->sentences, doc->sentences[i]);
    share = (double)known / n;
    return share > most ? share : 0;
}

bool
index_is_copy(const struct index *x, const struct dedup_document *doc)
{
    return x->sentence_rule.canonical && index_too_known(x, doc) > 0;
}

uint32_t
index_learn_sentences(struct index *x, const struct dedup_document *doc,
                      unsigned char *room)
{
    uint32_t n = 0;

    if (x->sentences == NULL)
        return 0;
    for (size_t i = 0; i < doc->sentences_n; i++) {
        uint64_t hash = doc->sentences[i];

        if (sentence_set_has(x->sentences, hash))
            continue;
        sentence_set_add(x->sentences, hash);
        if (x->sentence_rule.canonical)
            continue;
        be_put(room + (size_t)n++ * RECORD_SENTENCE_BYTES, hash,
               RECORD_SENTENCE_BYTES);
    }
    return n;
}

enum status
index_known(struct index *x, const struct dedup_document *doc, bool *known)
{
    unsigned char visit[RECORD_VISIT_BYTES];
    struct record r;
    enum status st;

    memset(known, 0, doc->sentences_n * sizeof *known);
    index_visit(doc, visit);
    if (x->sentences == NULL || (st = index_recall(x, visit, &r)) == ST_OK)
        return ST_OK;
    for (size_t i = 0; i < doc->sentences_n; i++)
        known[i] = sentence_set_has(x->sentences, doc->sentences[i]);
    return st == ST_NONE ? ST_OK : st;
}
