/* index_case.h -- an index, and made documents that it decides on. */
#ifndef INDEX_CASE_H
#define INDEX_CASE_H

#include "../../shingle/index/index.h"
#include "base/log.h"
#include "dedup_util.h"

static const struct store_options plain = {.map_gib = 1, .sync = STR("none")};

static inline enum verdict
judge_mutant(struct index *x, uint64_t id, int changed, uint64_t of)
{
    struct util_doc d;
    struct index_verdict v;

    util_doc(&d, id, id, 1);
    d.print = util_mutate(util_print(of), changed, id);
    CHECK(index_begin(x) == ST_OK);
    CHECK(index_decide(x, &d.doc, &v) == ST_OK);
    CHECK(index_commit(x) == ST_OK);
    return v.answer.verdict;
}

static inline struct index *
opened_again(struct index *x)
{
    index_close(x);
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    return x;
}

#endif
