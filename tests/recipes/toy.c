/* toy.c -- job toy: every line with an end that says so, once each. */
#include "base/buf.h"
#include "job.h"

enum { LINES };

static void
map(struct job_run *r)
{
    struct buf out = {0};
    struct str line;

    while (job_line(r, &line)) {
        buf_clear(&out);
        buf_printf(&out, "%.*s\ttoy", STRF(line));
        job_put(r, buf_view(&out));
        job_count(r, LINES, 1);
    }
    buf_free(&out);
}

const struct corpus_job job_toy = {
    .name = "toy",
    .summary = "lines with the word toy behind them",
    .lines = "any text",
    .phase = {[JOB_MAP] = map},
    .counters = {"lines"},
};
