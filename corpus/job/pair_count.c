/* pair_count.c -- job pair-count: how many hashes each pair shares.
 *
 * map copies, combine adds up what one mapper has made, reduce adds up and lets
 * through what reaches `limit`. */
#include "job.h"
#include "job_sum.h"

enum { REJECTED, PAIRS, NEAR };

static void
combine(struct job_run *r)
{
    job_sum(r, 0, REJECTED, PAIRS, NEAR);
}

static void
reduce(struct job_run *r)
{
    job_sum(r, job_option(r, "limit"), REJECTED, PAIRS, NEAR);
}

const struct corpus_job job_pair_count = {
    .name = "pair-count",
    .summary = "Pairs of documents that share enough hashes.",
    .lines = "map: copies; combine, reduce: lesser and better document, N -> "
             "the same, their sum",
    .phase = {job_copy, combine, reduce},
    .options = {JOB_NUMBER("limit", "5",
                           "So many shared hashes make a near-duplicate.", 1,
                           1000000)},
    .counters = {JOB_LINES_REJECTED, "pairs", "near"},
};
