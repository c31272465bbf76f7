/* pair_count.c -- job pair-count: how many hashes each pair shares.
 *
 * map copies, combine adds up what one mapper has made, reduce adds up and lets
 * through what reaches `limit`. */
#include <inttypes.h>

#include "job.h"
#include "pair_line.h"
#include "winnow/buf.h"

enum { REJECTED, PAIRS, NEAR };

struct sum {
    struct buf key;
    uint64_t n;
};

static void
finish(struct job_run *r, struct sum *s, uint64_t limit)
{
    if (s->n > 0)
        job_count(r, PAIRS, 1);
    if (s->n > 0 && s->n >= limit) {
        buf_printf(&s->key, "\t%" PRIu64, s->n);
        job_put(r, buf_view(&s->key));
        job_count(r, NEAR, 1);
    }
    buf_clear(&s->key);
    s->n = 0;
}

static void
add_up(struct job_run *r, uint64_t limit)
{
    struct sum s = {.n = 0};
    struct str line, key, value;

    while (job_line(r, &line)) {
        uint64_t n;

        if (!job_split(line, &key, &value) || !str_u64(value, &n)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        if (!str_eq(key, buf_view(&s.key))) {
            finish(r, &s, limit);
            buf_str(&s.key, key);
        }
        s.n += n;
    }
    finish(r, &s, limit);
    buf_free(&s.key);
}

static void
combine(struct job_run *r)
{
    add_up(r, 0);
}

static void
reduce(struct job_run *r)
{
    add_up(r, job_option(r, "limit"));
}

const struct corpus_job job_pair_count = {
    .name = "pair-count",
    .summary = "Pairs of documents that share enough hashes.",
    .lines = "map: copies; combine, reduce: lesser and better document, N -> "
             "the same, their sum",
    .phase = {job_copy, combine, reduce},
    .options = {{"limit", "5", "So many shared hashes make a near-duplicate.",
                 1, 1000000}},
    .counters = {"lines rejected", "pairs", "near"},
};
