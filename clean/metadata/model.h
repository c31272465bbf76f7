/* model.h -- which candidate is the value of a field, and how sure that is.
 *
 * Boosted trees for title, author and date, trained by tests/real/metadata.py
 * --train on labelled pages; each says with which probability a candidate is
 * the value.  A date may be unlikely because the page has none of its own (a
 * product, a list of articles) or because others are as likely (the posts of a
 * thread).  Trees of their own tell these apart: with which probability a page
 * has no date, by all its candidates. */
#ifndef CLEAN_METADATA_MODEL_H
#define CLEAN_METADATA_MODEL_H

#include "candidates.h"

enum meta_feature { /* behind one for each source */
                    META_FEATURES_BEFORE = META_SOURCES_N - 1,
#define META_FEATURE(id) META_FEATURE_##id,
#include "feature.tbl.h"
#undef META_FEATURE
                    META_FEATURES_N
};

struct page_facts { /* the same for all candidates of a page */
    uint32_t heading_i;
    struct str title; /* <title> */
    float text, links, times, comments, depth, slug, og;
    float url, dated, prices, forum, headings, code, article_facts;
    bool reading_time;
    int32_t image_month; /* 12 * year + month; 0: not known */
};

void page_facts(struct page_facts *p, const struct guesses *c,
                uint32_t heading_i);

/* Of candidate i of a field: title, author or date. */
void meta_features(float row[META_FEATURES_N], const struct guesses *c,
                   const struct page_facts *p, enum meta_field field,
                   uint32_t i);

/* 0 .. 1 */
float meta_model(enum meta_field field, const float row[META_FEATURES_N]);

/* The greatest of each feature of a page's dates, and behind them the least. */
#define META_EXTREMES_N (2 * META_FEATURES_N)

/* Take a date's features into account; the first date of a page begins. */
void meta_extremes(float extremes[META_EXTREMES_N],
                   const float row[META_FEATURES_N], bool first);

/* 0 .. 1: that a page with these dates has none that is its own. */
float meta_model_undated(const float extremes[META_EXTREMES_N]);

/* 0 .. 1, of a date that is right with one probability on a page that has none
 * with another. */
float meta_date_confidence(float right, float none);

/* clean.dates: how sure the date of a page has to be. */
enum date_trust { DATES_SURE, DATES_LIKELY, DATES_ANY };

/* The least confidence of a date that is believed. */
float meta_model_date(enum date_trust trust);

/* Where the best candidate is less likely than this there is no author. */
float meta_model_author(void);

#endif
