/* features.c -- see features.h.
 *
 * Everything is computed from the counts that strip left and from sums of them
 * (features_sum.c).  Rows are written with a cursor, so their order stands in
 * one place.  What all blocks of a group are told is computed once for the
 * group.  No state but tables. */
#include "feature_row.h"
#include "features_sum.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>

float feature_logs[FEATURE_LOGS];
static float nearness[UINT8_MAX + 1]; /* of a mark: see struct block_counts */
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void
make_tables(void)
{
    for (int i = 0; i < FEATURE_LOGS; i++)
        feature_logs[i] = (float)log1p(i);
    for (int i = 1; i <= UINT8_MAX; i++) /* 1 for the element itself, ... */
        nearness[i] = (float)(1 / (1 + (i - 1) * 0.3));
}

/* log(1 + x) of a mean, as exact as a float is: these are many. */
static double
log_mean(double x)
{
    return (double)logf(1 + (float)x);
}

/* ---- the block alone ---- */

enum block_kind {
    KIND_P,
    KIND_LI,
    KIND_TD,
    KIND_H1,
    KIND_H2,
    KIND_H3,
    KIND_DIV,
    KIND_DD,
    KIND_PRE,
    KIND_QUOTE,
    KIND_FORM,
    KIND_ARTICLE,
    KIND_SECTION,
    KIND_BODY,
    KIND_FIGURE,
    KIND_OTHER,
    KIND_N
};

static enum block_kind
kind_of(enum tag tag)
{
    switch (tag) {
    case TAG_P: return KIND_P;
    case TAG_LI: return KIND_LI;
    case TAG_TD:
    case TAG_TH:
    case TAG_TR: return KIND_TD;
    case TAG_H1: return KIND_H1;
    case TAG_H2: return KIND_H2;
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6: return KIND_H3;
    case TAG_DIV:
    case TAG_CENTER: return KIND_DIV;
    case TAG_DT:
    case TAG_DD: return KIND_DD;
    case TAG_PRE: return KIND_PRE;
    case TAG_BLOCKQUOTE: return KIND_QUOTE;
    case TAG_FORM:
    case TAG_LABEL:
    case TAG_OPTION:
    case TAG_BUTTON:
    case TAG_LEGEND:
    case TAG_FIELDSET: return KIND_FORM;
    case TAG_ARTICLE: return KIND_ARTICLE;
    case TAG_SECTION:
    case TAG_MAIN: return KIND_SECTION;
    case TAG_BODY: return KIND_BODY;
    case TAG_FIGCAPTION:
    case TAG_FIGURE:
    case TAG_CAPTION: return KIND_FIGURE;
    default: return KIND_OTHER;
    }
}

static void
local_text(const struct feature_sums *x, const struct block_counts *c,
           struct row *r)
{
    double chars = c->chars, words = c->words, letters = c->letters;
    double marks = chars - letters - c->digits - c->blanks;

    put(r, log_of(chars));
    put(r, log_of(words));
    put(r, marks / chars);
    put(r, c->sentences < 20 ? c->sentences : 20);
    put(r, lesser(c->sentences > 0 ? words / c->sentences : words, 60));
    put(r, log_of(c->commas));
    put(r, ratio(c->stop[x->language], words));
    put(r, ratio(c->upper, letters));
    put(r, ratio(c->capital_runs, c->runs));
    put(r, c->digits / chars);
    put(r, x->single ? 5 : lesser(ratio(chars, c->runs), 20));
    put(r, letters / chars);
    for (int i = 0; i < LEXICON_N; i++)
        put(r, ratio(c->lexicon[i], words));
    for (int i = 0; i <= 12; i++)
        put(r, (c->flags >> i & 1) != 0);
    put(r, x->single);
    put(r, words >= FEATURE_LONG_WORDS);
}

static void
local_markup(const struct feature_sums *x, const struct block_counts *c,
             uint32_t i, struct row *r)
{
    double words = c->words + 1.0, share = (double)x->link_share[i];
    enum block_kind kind = kind_of(c->tag);

    put(r, share);
    put(r, share > 0.95);
    put(r, (c->links < 10 ? c->links : 10) / 10.0);
    put(r, log_of(c->links));
    put(r, lesser(c->tags / words, 4));
    put(r, log_of(c->gap_tags));
    put(r, lesser(c->breaks / words, 2));
    put(r, c->images > 0);
    put(r, lesser(c->bold / words, 2));
    put(r, share * log_of(c->words));
    put(r, (1 - share) * log_of(c->words));
    for (int k = 0; k < KIND_N; k++)
        put(r, k == (int)kind);
}

static void
local_place(const struct feature_sums *x, uint32_t i, double before,
            struct row *r)
{
    double words = x->d->blocks[i].counts->words;

    put(r, ratio(i, x->n));
    put(r, ratio(before + words / 2, x->words));
    put(r, log_of(before));
    put(r, log_of(x->words - before - words));
    put(r, log_of(i));
    put(r, log_of(x->n - i));
}

/* ---- where it stands ---- */

static void
around_ancestors(const struct block_counts *c, struct row *r)
{
    for (int i = 0; i < ANCESTOR_N; i++)
        put(r, (double)nearness[c->ancestor[i]]);
    for (int i = 0; i < HINT_N; i++)
        put(r, (double)nearness[c->hint[i]]);
    put(r, c->lists < 6 ? c->lists : 6);
    put(r, c->tables < 6 ? c->tables : 6);
    put(r, c->depth < 40 ? c->depth : 40);
    put(r, c->divs < 30 ? c->divs : 30);
    put(r, (c->flags & BLOCK_IN_ITEM) != 0);
    put(r, (c->flags & BLOCK_HIDDEN) != 0);
    put(r, (c->flags & BLOCK_NAV_ROLE) != 0);
    put(r, (c->flags & BLOCK_AFTER_GAP) != 0);
}

/* What is told of each of n groups, and of all records. */
static void
tell_groups(const struct feature_sums *x, struct feature_group *groups,
            uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct feature_group *g = &groups[i];
        struct row r = {g->row, 0};

        put(&r, log_of(g->blocks));
        put(&r, ratio(g->words, x->words));
        put(&r, ratio((double)g->link_words, g->words));
        put(&r, ratio(g->long_words, g->words));
    }
}

static void
tell_records(const struct feature_sums *x)
{
    for (uint32_t i = 0; i < x->records_n; i++) {
        struct feature_records *g = &x->records[i];
        struct row r = {g->row, 0};

        put(&r, log_of(g->members));
        put(&r, log_mean(ratio(g->words, g->members)));
        put(&r, ratio(g->dates, g->members));
    }
}

static void
put_all(struct row *r, const float *values, uint32_t n)
{
    memcpy(r->p + r->n, values, n * sizeof *values);
    r->n += n;
}

static void
put_group(struct row *r, const struct feature_group *g)
{
    put_all(r, g->row, sizeof g->row / sizeof *g->row);
}

static void
around_containers(const struct feature_sums *x, const struct block_counts *c,
                  uint32_t i, struct row *r)
{
    uint32_t own = c->article != 0 ? x->article_words[c->article] : 0;

    for (int k = 0; k < BLOCK_PARENTS; k++)
        put_group(r, &x->container[c->parent[k]]);
    put_group(r, &x->path[x->place[i].group[FEATURES_PATH]]);
    put_group(r, &x->shape[x->place[i].group[FEATURES_SHAPE]]);
    put(r, log_of(x->same_text[i]));
    put(r, ratio(own, x->words));
    put(r, own > 0 && own == x->article_most);
}

/* Comments, posts, results, teasers: one like the other. */
static void
around_records(const struct feature_sums *x, const struct block_counts *c,
               uint32_t i, struct row *r)
{
    uint32_t outer = x->place[i].group[FEATURES_RECORDS], rank = 0;
    const struct feature_records *all = &x->records[outer];

    for (int k = 0; k < BLOCK_PARENTS; k++) {
        uint32_t id = x->records_of[c->parent[k]];
        const struct feature_records *g = &x->records[id];

        put_all(r, g->row, sizeof g->row / sizeof *g->row);
        if (outer != 0 && id == outer)
            rank = x->rank[c->parent[k]];
    }
    put(r, outer != 0);
    put(r, log_of(rank));
    put(r, ratio(rank, all->members));
    put(r, outer != 0 ? ratio(all->words, x->words) : 0);
    put(r, outer != 0 ? (double)all->row[1] : 0);
}

struct headings {
    int64_t last, first, best; /* block indices; -1: none yet */
    int64_t summary;           /* the block most like the description */
    int64_t comments, related; /* short blocks with such words */
    double last_level;
};

static double
summary_overlap(const struct feature_sums *x, const struct block_counts *c)
{
    return ratio(c->summary_words, x->d->page_counts->summary_words_n);
}

static void
put_since(int64_t at, uint32_t i, struct row *r)
{
    put(r, at >= 0 ? log_of((double)(i - at)) : 8);
}

static void
around_words(const struct feature_sums *x, const struct block_counts *c,
             uint32_t i, struct headings *h, struct row *r)
{
    const struct block_counts *last =
        h->last >= 0 ? x->d->blocks[h->last].counts : NULL;

    if (c->words <= 8 && c->lexicon[LEXICON_COMMENT] > 0)
        h->comments = i;
    if (c->words <= 8 && c->lexicon[LEXICON_RELATED] > 0)
        h->related = i;
    put_since(h->comments, i, r);
    put_since(h->related, i, r);
    put(r, last != NULL && last->lexicon[LEXICON_COMMENT] > 0);
    put(r, last != NULL && last->lexicon[LEXICON_RELATED] > 0);
    put(r, last != NULL ? log_of(last->words) : 0);
    put(r, summary_overlap(x, c));
    put(r, ratio(c->summary_words, c->words));
    put(r, h->summary >= 0);
    put(r, h->summary < 0
               ? 0
               : copysign(log_of(fabs((double)i - (double)h->summary)),
                          (double)i - (double)h->summary));
}

static double
title_overlap(const struct feature_sums *x, const struct block_counts *c)
{
    double both = c->title_words, title = x->d->page_counts->title_words_n;

    return ratio(both, title + c->words - both);
}

static void
around_headings(const struct feature_sums *x, const struct block_counts *c,
                uint32_t i, struct headings *h, struct row *r)
{
    if (c->tag >= TAG_H1 && c->tag <= TAG_H6) {
        h->last = i;
        h->last_level = (double)(c->tag - TAG_H1) + 1;
        if (c->tag == TAG_H1)
            h->first = i;
    }
    put(r, h->first >= 0);
    put(r, h->first >= 0 ? log_of((double)(i - h->first)) : 8);
    put(r, h->last >= 0 ? log_of((double)(i - h->last)) : 8);
    put(r, h->last_level);
    put(r, title_overlap(x, c));
    put(r, h->best >= 0);
    put(r, h->best < 0 ? 0
                       : copysign(log_of(fabs((double)i - (double)h->best)),
                                  (double)i - (double)h->best));
}

static int64_t
best_title(const struct feature_sums *x)
{
    double best = 0.3;
    int64_t at = -1;

    for (uint32_t i = 0; i < x->n; i++) {
        double t = title_overlap(x, x->d->blocks[i].counts);

        if (t > best) {
            best = t;
            at = i;
        }
    }
    return at;
}

static int64_t
best_summary(const struct feature_sums *x)
{
    double best = 0.4;
    int64_t at = -1;

    for (uint32_t i = 0; i < x->n; i++) {
        double t = summary_overlap(x, x->d->blocks[i].counts);

        if (t > best) {
            best = t;
            at = i;
        }
    }
    return at;
}

/* ---- the page ---- */

static void
page_records(const struct feature_sums *x, struct row *r)
{
    const struct feature_records *most = &x->records[0];
    double inside = 0;

    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t outer = x->place[i].group[FEATURES_RECORDS];

        if (outer == 0)
            continue;
        inside += x->d->blocks[i].counts->words;
        if (x->records[outer].words > most->words)
            most = &x->records[outer];
    }
    put(r, log_of(most->members));
    put(r, ratio(most->words, x->words));
    put(r, ratio(inside, x->words));
    put(r, x->d->page_counts->summary_words_n > 0);
}

/* What the page says it is (Open Graph's og:type, article:...). */
static void
page_head(const struct feature_sums *x, struct row *r)
{
    const struct page_counts *page = x->d->page_counts;
    bool article = false, website = false, other = false, dated = false;

    for (uint32_t i = 0; i < page->heads_n; i++) {
        const struct head_entry *e = &page->heads[i];

        if (str_eq(e->key, S("og:type"))) {
            article |= str_eq_nocase(e->value, S("article"));
            website |= str_eq_nocase(e->value, S("website"));
            other = !article && !website;
        }
        dated |= str_starts(e->key, S("article:"));
    }
    put(r, article);
    put(r, website);
    put(r, other);
    put(r, dated);
}

static void
page_row(const struct feature_sums *x, struct row *r)
{
    const struct page_counts *page = x->d->page_counts;
    uint32_t p = 0, li = 0, td = 0, p_words = 0, in_article = 0, in_main = 0;

    for (uint32_t i = 0; i < x->n; i++) {
        const struct block_counts *c = x->d->blocks[i].counts;

        p += c->tag == TAG_P;
        p_words += c->tag == TAG_P ? c->words : 0;
        li += c->tag == TAG_LI;
        td += c->tag == TAG_TD;
        in_article += c->ancestor[ANCESTOR_ARTICLE] != 0;
        in_main += c->ancestor[ANCESTOR_MAIN] != 0 ||
                   c->ancestor[ANCESTOR_MAIN_ROLE] != 0;
    }
    put(r, log_of(x->words));
    put(r, log_of(x->n));
    put(r, ratio(x->link_words, x->words));
    put(r, ratio(x->long_words, x->words));
    put(r, log_of(x->long_n));
    put(r, log_of(x->long_plain_n));
    put(r, log_of(x->longest));
    put(r, ratio(p_words, x->words));
    put(r, log_of(p));
    put(r, log_of(li));
    put(r, log_of(td));
    put(r, in_article > 0);
    put(r, in_main > 0);
    put(r, log_of(page->articles_n));
    put(r, page->article_body);
    put(r, page->title_words_n > 0);
    put(r, ratio((double)x->bytes, (double)x->d->utf8.n));
    put(r, ratio(x->longest, x->words));
    page_records(x, r);
    page_head(x, r);
    feature_tip_row(x, r);
}

void
features_page(struct features *f, const struct document *d)
{
    struct arena *a = d->arena;
    struct headings h = {-1, -1, -1, -1, -1, -1, 0};
    struct feature_sums x;
    struct row r;
    double before = 0;

    pthread_once(&table_once, make_tables);
    feature_sums(&x, d);
    tell_groups(&x, x.container, d->page_counts->containers_n);
    tell_groups(&x, x.path, x.paths_n);
    tell_groups(&x, x.shape, x.shapes_n);
    tell_records(&x);
    h.best = best_title(&x);
    h.summary = best_summary(&x);
    memset(f->kind, 0, sizeof f->kind);
    f->n = x.n;
    f->place = x.place;
    f->parent = x.parent;
    for (int k = 0; k < BLOCK_PARENTS; k++)
        f->groups_n[k] = d->page_counts->containers_n;
    f->groups_n[FEATURES_PATH] = x.paths_n;
    f->groups_n[FEATURES_SHAPE] = x.shapes_n;
    f->groups_n[FEATURES_RECORDS] = x.records_n;
    f->groups_n[FEATURES_SECTION] = x.sections_n;
    f->local = arena_raw(a, x.n * sizeof *f->local);
    f->around = arena_raw(a, x.n * sizeof *f->around);
    for (uint32_t i = 0; i < x.n; i++) {
        const struct block_counts *c = d->blocks[i].counts;

        r = (struct row){f->local[i], 0};
        local_text(&x, c, &r);
        local_markup(&x, c, i, &r);
        local_place(&x, i, before, &r);
        assert(r.n == FEATURES_LOCAL_N);
        before += c->words;
        r = (struct row){f->around[i], 0};
        around_ancestors(c, &r);
        around_containers(&x, c, i, &r);
        around_records(&x, c, i, &r);
        feature_dom_path_row(&x, i, &r);
        around_headings(&x, c, i, &h, &r);
        around_words(&x, c, i, &h, &r);
        assert(r.n == FEATURES_AROUND_N);
    }
    r = (struct row){f->page, 0};
    page_row(&x, &r);
    assert(r.n == FEATURES_PAGE_N);
}

void
features_row(const struct features *f, uint32_t i, float out[FEATURES_N])
{
    const size_t local = sizeof f->local[0];

    memset(out, 0, FEATURES_N * sizeof *out);
    memcpy(out, f->local[i], local);
    if (i > 0)
        memcpy(out + FEATURES_LOCAL_N, f->local[i - 1], local);
    if (i + 1 < f->n)
        memcpy(out + 2 * FEATURES_LOCAL_N, f->local[i + 1], local);
    memcpy(out + 3 * FEATURES_LOCAL_N, f->around[i], sizeof f->around[0]);
    memcpy(out + 3 * FEATURES_LOCAL_N + FEATURES_AROUND_N, f->page,
           sizeof f->page);
}
