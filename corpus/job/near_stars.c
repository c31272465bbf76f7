/* near_stars.c -- job near-stars: which documents go, and in favour of which.
 *
 * One reduce reads all pairs in the order of the lesser document's rank, so
 * when a document is looked at, everything that is better has been decided (as
 * in corpus/tender/choose.c).  In memory is what goes: 24 bytes and a free
 * place a document. */
#include <inttypes.h>

#include "base/buf.h"
#include "corpus/lines/id_set.h"
#include "job.h"
#include "pair_line.h"

enum { REJECTED, REMOVED, UNORDERED };

struct star {
    char lesser[RANK_TEXT], best[RANK_TEXT];
    uint64_t best_n; /* 0: none yet */
    bool open;
    struct id_set gone;
};

static struct str
id_of(const char *rank)
{
    return str_n(rank + RANK_TEXT - ID_SIZE, ID_SIZE);
}

static void
finish(struct job_run *r, struct star *s, struct buf *out)
{
    if (s->open && s->best_n > 0) {
        id_set_add(&s->gone, id_of(s->lesser));
        buf_clear(out);
        buf_printf(out, "%.*s\t%.*s\t%" PRIu64, STRF(id_of(s->lesser)),
                   STRF(id_of(s->best)), s->best_n);
        job_put(r, buf_view(out));
        job_count(r, REMOVED, 1);
    }
    s->best_n = 0;
}

/* The line's pair, if it can be read and comes in order. */
static bool
read_pair(struct job_run *r, struct star *s, struct str line,
          struct str *lesser, struct str *better, uint64_t *n)
{
    struct str key, value;

    if (!job_split(line, &key, &value) || !pair_read(key, lesser, better) ||
        !str_u64(value, n) || *n == 0) {
        job_count(r, REJECTED, 1);
        return false;
    }
    if (s->open && memcmp(lesser->p, s->lesser, RANK_TEXT) < 0) {
        job_count(r, UNORDERED, 1);
        return false;
    }
    return true;
}

static void
reduce(struct job_run *r)
{
    struct star s = {.open = false};
    bool every_pair = job_option(r, "pairs") != 0;
    struct buf out = {0};
    struct str line, lesser, better;
    uint64_t n;

    id_set_init(&s.gone);
    while (job_line(r, &line)) {
        if (!read_pair(r, &s, line, &lesser, &better, &n))
            continue;
        if (!s.open || memcmp(lesser.p, s.lesser, RANK_TEXT) != 0) {
            finish(r, &s, &out);
            memcpy(s.lesser, lesser.p, RANK_TEXT);
            s.open = true;
        }
        if (n > s.best_n &&
            (every_pair || !id_set_has(&s.gone, id_of(better.p)))) {
            memcpy(s.best, better.p, RANK_TEXT);
            s.best_n = n;
        }
    }
    finish(r, &s, &out);
    id_set_free(&s.gone);
    buf_free(&out);
}

const struct corpus_job job_near_stars = {
    .name = "near-stars",
    .summary = "The documents that go, each with the one it resembles.",
    .lines =
        "reduce (one, over all pairs in order): lesser and better document, "
        "N -> id that goes, id that stays, N",
    .phase = {NULL, NULL, reduce},
    .one_reduce = true,
    .options = {JOB_NUMBER("pairs", "0",
                           "1: the lesser document of every pair, as texrex "
                           "has it.",
                           0, 1)},
    .counters = {JOB_LINES_REJECTED, "documents removed", "lines out of order"},
};
