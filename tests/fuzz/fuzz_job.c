/* fuzz_job.c -- any bytes as the job of a crawl: refused, or taken, and then
 * what is written of it reads back as the same. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/log.h"
#include "crawler/job/job.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct buf said = {0}, once = {0}, twice = {0};
    struct job *job, *again;

    log_capture(&said);
    if (job_parse(&job, "fuzz", str_n((const char *)data, n)) == ST_OK) {
        job_render(job, &once);
        if (job_parse(&again, "again", buf_view(&once)) != ST_OK)
            abort();
        job_render(again, &twice);
        if (!str_eq(buf_view(&once), buf_view(&twice)))
            abort();
        job_free(again);
    }
    job_free(job);
    log_capture(NULL);
    buf_free(&said);
    buf_free(&once);
    buf_free(&twice);
    return 0;
}
