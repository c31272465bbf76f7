/* choose.c -- of all candidates the values of the fields.
 *
 * Title, author and date are chosen by the model (model.h), of which author and
 * date may be none; of other fields the best source has it. */
#include "metadata.h"

#include <stdlib.h>

#include "author_fit.h"
#include "base/date.h"
#include "canonical.h"
#include "model.h"

#define SURE 0.98f   /* confidence at least, whatever the model says */
#define LIST_MAX 16u /* candidates of a field that are listed */

static int
by_confidence(const void *a, const void *b)
{
    const struct guess *x = a, *y = b;

    if (x->confidence != y->confidence)
        return x->confidence > y->confidence ? -1 : 1;
    return x->sources != y->sources ? (x->sources > y->sources ? -1 : 1) : 0;
}

/* Of a guess to which the model gives `confidence`. */
static float
surest(const struct guess *k, float confidence)
{
    return k->sure && confidence < SURE ? SURE : confidence;
}

/* The best one first. */
static void
score(struct guesses *c, const struct page_facts *p, enum meta_field field)
{
    float row[META_FEATURES_N];

    for (uint32_t i = 0; i < c->n[field]; i++) {
        meta_features(row, c, p, field, i);
        c->of[field][i].confidence =
            surest(&c->of[field][i], meta_model(field, row));
    }
    if (c->n[field] > 0)
        qsort(c->of[field], c->n[field], sizeof *c->of[field], by_confidence);
}

/* The likeliest date first; how sure it is depends on the page, too. */
static void
score_dates(struct guesses *c, const struct page_facts *p)
{
    float row[META_FEATURES_N], extremes[META_EXTREMES_N], none;
    struct guess *of = c->of[META_PUBLISHED];
    uint32_t n = c->n[META_PUBLISHED];

    if (n == 0)
        return;
    for (uint32_t i = 0; i < n; i++) {
        meta_features(row, c, p, META_PUBLISHED, i);
        meta_extremes(extremes, row, i == 0);
        of[i].confidence = meta_model(META_PUBLISHED, row);
    }
    none = meta_model_undated(extremes);
    for (uint32_t i = 0; i < n; i++)
        of[i].confidence =
            surest(&of[i], meta_date_confidence(of[i].confidence, none));
    qsort(of, n, sizeof *of, by_confidence);
}

static void
rank(struct guesses *c, enum meta_field field)
{
    for (uint32_t i = 0; i < c->n[field]; i++)
        c->of[field][i].confidence =
            0.95f -
            0.1f * (float)(c->of[field][i].rank < 9 ? c->of[field][i].rank : 9);
    if (c->n[field] > 1)
        qsort(c->of[field], c->n[field], sizeof *c->of[field], by_confidence);
}

/* What decides how others are read. */
static void
first_facts(struct document *d)
{
    const struct page_counts *page = d->page_counts;

    for (uint32_t i = 0; i < page->heads_n; i++) {
        const struct head_entry *e = &page->heads[i];

        if (str_eq(e->key, S("<html lang>")) && d->meta.language.n == 0)
            d->meta.language = e->value;
    }
    canonical_read(d);
}

/* Where the title stands in the page: where it was found, else the first block
 * that says the same, else the first h1. */
static uint32_t
heading(const struct guesses *c)
{
    const struct guess *title = c->n[META_TITLE] > 0 ? c->of[META_TITLE] : NULL;
    const struct document *d = c->d;
    uint32_t h1 = 0, n;

    if (title != NULL && title->block_i != NO_BLOCK)
        return title->block_i;
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        if (title != NULL && d->blocks[i].text.n + 8 > title->value.n &&
            d->blocks[i].text.n < title->value.n + 8 &&
            candidate_key(d->blocks[i].text, &n) == title->key)
            return i;
        if (h1 == 0 && d->blocks[i].counts->tag == TAG_H1)
            h1 = i;
    }
    return h1;
}

void
metadata_collect(struct guesses *c, struct document *d, uint32_t *heading_i)
{
    struct page_facts facts;

    first_facts(d);
    candidates_init(c, d);
    sources_head(c);
    sources_json_ld(c);
    sources_marks(c);
    sources_titles(c);
    page_facts(&facts, c, 0);
    score(c, &facts, META_TITLE);
    *heading_i = heading(c);
    sources_text(c, *heading_i);
    sources_url(c);
    author_fit(c, *heading_i);
}

/* ---- the values ---- */

static const struct guess *
best(const struct guesses *c, enum meta_field field)
{
    if (c->n[field] == 0)
        return NULL;
    if (field == META_AUTHOR &&
        c->of[field][0].confidence < meta_model_author())
        return NULL;
    if (field == META_PUBLISHED && c->of[field][0].confidence < c->date_least)
        return NULL;
    return &c->of[field][0];
}

static struct str
text_value(const struct guesses *c, enum meta_field field)
{
    const struct guess *k = best(c, field);

    return k == NULL ? (struct str)STR("") : k->value;
}

/* Absolute, as a crawler would ask for it; "" when it is no URL. */
static struct str
url_value(const struct guesses *c, enum meta_field field)
{
    const struct document *d = c->d;
    const struct url *base = d->base.href.n > 0 ? &d->base : NULL;
    struct url u;

    for (uint32_t i = 0; i < c->n[field]; i++)
        if (url_parse_plain(&u, d->arena, c->of[field][i].value, base) == ST_OK)
            return u.href;
    return (struct str)STR("");
}

static void
list(struct guesses *c)
{
    struct meta *m = &c->d->meta;
    struct meta_candidate *out;
    uint32_t n = 0;

    for (int f = 0; f < META_FIELDS_N; f++)
        n += c->n[f] < LIST_MAX ? c->n[f] : LIST_MAX;
    out = arena_raw(c->arena, n * sizeof *out);
    n = 0;
    for (int f = 0; f < META_FIELDS_N; f++) {
        const struct guess *chosen = best(c, (enum meta_field)f);

        for (uint32_t i = 0; i < c->n[f] && i < LIST_MAX; i++) {
            const struct guess *k = &c->of[f][i];

            out[n++] = (struct meta_candidate){.field = k->field,
                                               .chosen = k == chosen,
                                               .sources = k->sources,
                                               .confidence = k->confidence,
                                               .value = k->value};
        }
    }
    m->candidates = out;
    m->candidates_n = n;
}

static void
name_dates(struct guesses *c)
{
    for (int f = META_PUBLISHED; f <= META_MODIFIED; f++)
        for (uint32_t i = 0; i < c->n[f]; i++)
            c->of[f][i].value = date_text(c->arena, &c->of[f][i].at);
}

void
metadata_choose(struct guesses *c, uint32_t heading_i)
{
    struct meta *m = &c->d->meta;
    struct page_facts facts;
    const struct guess *author;

    page_facts(&facts, c, heading_i);
    score(c, &facts, META_AUTHOR);
    score_dates(c, &facts);
    if (c->n[META_TITLE] > 0)
        sources_site(c, c->of[META_TITLE]);
    for (int f = META_MODIFIED; f < META_FIELDS_N; f++)
        rank(c, (enum meta_field)f);
    name_dates(c);
    m->title = text_value(c, META_TITLE);
    m->author = text_value(c, META_AUTHOR);
    if ((author = best(c, META_AUTHOR)) != NULL) {
        m->authors = author->names;
        m->authors_n = author->names_n;
    }
    m->date = text_value(c, META_PUBLISHED);
    m->modified = text_value(c, META_MODIFIED);
    m->site = text_value(c, META_SITE);
    m->description = text_value(c, META_DESCRIPTION);
    m->keywords = text_value(c, META_KEYWORDS);
    m->canonical = url_value(c, META_CANONICAL);
    m->licence = url_value(c, META_LICENCE);
    m->section = text_value(c, META_SECTION);
    m->image = url_value(c, META_IMAGE);
    m->type = text_value(c, META_TYPE);
    m->language = text_value(c, META_LANGUAGE);
    list(c);
}
