/* model.h -- which candidate is the value of a field, and how sure that is.
 *
 * Boosted trees for title, author and date, trained by tests/real/metadata.py
 * --train on labelled pages; each says with which probability a candidate is
 * the value. */
#ifndef CLEAN_METADATA_MODEL_H
#define CLEAN_METADATA_MODEL_H

#include "candidates.h"

enum meta_feature {
#define META_FEATURE(id) META_FEATURE_##id,
#include "feature.tbl.h"
#undef META_FEATURE
    META_FEATURES_PLAIN
};

#define META_FEATURES_N (META_SOURCES_N + META_FEATURES_PLAIN)

struct page_facts { /* the same for all candidates of a page */
    uint32_t heading_i;
    struct str title; /* <title> */
    float text, links, times, comments, depth, slug, og;
    float url, dated, prices, forum, headings;
};

void page_facts(struct page_facts *p, const struct guesses *c,
                uint32_t heading_i);

/* Of candidate i of a field: title, author or date. */
void meta_features(float row[META_FEATURES_N], const struct guesses *c,
                   const struct page_facts *p, enum meta_field field,
                   uint32_t i);

/* 0 .. 1 */
float meta_model(enum meta_field field, const float row[META_FEATURES_N]);

/* clean.dates: how sure the date of a page has to be. */
enum date_trust { DATES_SURE, DATES_LIKELY, DATES_ANY };

/* The least confidence of a date that is believed. */
float meta_model_date(enum date_trust trust);

/* Where the best candidate is less likely than this there is no
 * value. */
float meta_model_least(enum meta_field field);

#endif
