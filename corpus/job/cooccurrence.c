/* cooccurrence.c -- job cooccurrence: two words of a sentence and how far they
 * stand apart, counted. */
#include <inttypes.h>

#include "job.h"
#include "job_sum.h"
#include "job_words.h"

enum { REJECTED, SENTENCES, PAIRS, KEYS, WRITTEN };

static void
put_pairs(const struct job_words *w, uint64_t most, struct str mark,
          struct buf *out)
{
    for (size_t left = 0; left < w->n; left++)
        for (uint64_t i = 1; i <= most && left + i < w->n; i++) {
            buf_clear(out);
            buf_str(out, w->word[left]);
            buf_str(out, mark);
            buf_printf(out, "-%" PRIu64 " ", i);
            buf_str(out, w->word[left + i]);
            buf_str(out, mark);
            buf_printf(out, "+%" PRIu64 "\t%" PRIu64, i, w->weight);
            job_put(w->r, buf_view(out));
            job_count(w->r, PAIRS, 1);
        }
}

static void
map(struct job_run *r)
{
    struct job_words w;
    struct buf out = {0};

    job_words_open(&w, r, REJECTED);
    while (job_words_next(&w)) {
        job_count(r, SENTENCES, 1);
        put_pairs(&w, job_option(r, "n"), job_option_text(r, "mark"), &out);
    }
    job_words_close(&w);
    buf_free(&out);
}

static void
combine(struct job_run *r)
{
    job_sum(r, 0, REJECTED, KEYS, WRITTEN);
}

static void
reduce(struct job_run *r)
{
    job_sum(r, job_option(r, "min-count"), REJECTED, KEYS, WRITTEN);
}

const struct corpus_job job_cooccurrence = {
    .name = "cooccurrence",
    .summary = "Pairs of words of a sentence by their distance, counted.",
    .lines = "map: sentences -> left@@-i right@@+i, N; combine, reduce: pair, "
             "N -> pair, their sum",
    .phase = {map, combine, reduce},
    .options = {JOB_NUMBER("n", "1", "The largest distance.", 1, 1000),
                JOB_NUMBER("min-count", "1", "What is rarer is left out.", 1,
                           UINT64_C(1000000000000)),
                JOB_TEXT("mark", "@@", "What stands before the distance.",
                         NULL),
                JOB_WORDS_OPTIONS},
    .counters = {JOB_LINES_REJECTED, "sentences", "pairs", "keys",
                 "keys written"},
};
