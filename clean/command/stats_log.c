/* stats_log.c -- see stats_log.h.
 *
 * Columns have texrex's names where both count the same.  The file is appended
 * to: each run begins with the job's comment and a line of names.  Whoever
 * finds a line due writes it, if nobody else is at it. */
#include "stats_log.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"

struct stats_log {
    struct str path;
    FILE *file;
    uint64_t start_ms, every_ms;
    _Atomic uint64_t due_ms;
    pthread_mutex_t lock; /* of the file */
};

static enum status
fault(struct str path)
{
    fprintf(stderr,
            "winnow: log.stats_file (TTrApplication.JobName of texrex) = %.*s: "
            "%s\n",
            STRF(path), strerror(errno));
    return ST_IO;
}

enum status
stats_log_open(struct stats_log **out, const struct opts *o)
{
    struct buf path = {0};
    struct stats_log *l;

    *out = NULL;
    if (o->log_stats_file.n == 0)
        return ST_OK;
    if ((l = calloc(1, sizeof *l)) == NULL)
        return ST_NOMEM;
    buf_str(&path, o->log_stats_file);
    buf_char(&path, '\0');
    l->path = o->log_stats_file;
    l->file = fopen(path.p, "a");
    buf_free(&path);
    if (l->file == NULL) {
        free(l);
        return fault(o->log_stats_file);
    }
    pthread_mutex_init(&l->lock, NULL);
    l->start_ms = clock_steady_ms();
    l->every_ms = o->log_stats_seconds * 1000;
    l->due_ms = l->start_ms + l->every_ms;
    if (o->log_comment.n > 0)
        fprintf(l->file, "# %.*s\n", STRF(o->log_comment));
    fprintf(l->file,
            "DateTime\tUpTimeSec\tWorkersNo\tDocsReadNo\tDocsReadPerS\t"
            "BytesRead\tBytesReadPerSec\tDocsWrittenNo\tDocsWrittenPerSec\t"
            "DocsReadWriteRatio\tInputFilesTotal\tInputFilesDone\tRejected\n");
    *out = l;
    return ST_OK;
}

/* "short=3,language=12" */
static void
add_rejected(FILE *file, const struct batch *b)
{
    const char *before = "";

    for (int r = 1; r < VERDICT_N; r++)
        if (b->reject[r] > 0) {
            fprintf(file, "%s%s=%zu", before, verdict_name((enum verdict)r),
                    (size_t)b->reject[r]);
            before = ",";
        }
}

static void
add_line(struct stats_log *l, const struct batch *b, uint64_t now_ms)
{
    double seconds = (double)(now_ms - l->start_ms) / 1000 + 1e-9;
    double read = (double)(b->archives > 0 ? b->pages : b->done);
    double bytes = (double)b->bytes_in, kept = (double)b->reject[VERDICT_NONE];
    char iso[21];

    clock_iso(clock_wall_ms(), iso);
    fprintf(l->file,
            "%s\t%.0f\t%zu\t%.0f\t%.1f\t%.0f\t%.0f\t%.0f\t%.1f\t%.4f\t%zu\t"
            "%zu\t",
            iso, seconds, b->threads_n, read, read / seconds, bytes,
            bytes / seconds, kept, kept / seconds, read > 0 ? kept / read : 0,
            b->inputs->n, (size_t)b->done);
    add_rejected(l->file, b);
    fputc('\n', l->file);
    fflush(l->file);
}

void
stats_log_tick(struct stats_log *l, const struct batch *b)
{
    uint64_t now_ms;

    if (l == NULL || (now_ms = clock_steady_ms()) < l->due_ms ||
        pthread_mutex_trylock(&l->lock) != 0)
        return;
    if (now_ms >= l->due_ms) {
        l->due_ms = now_ms + l->every_ms;
        add_line(l, b, now_ms);
    }
    pthread_mutex_unlock(&l->lock);
}

enum status
stats_log_close(struct stats_log *l, const struct batch *b)
{
    enum status st = ST_OK;
    bool failed;

    if (l == NULL)
        return ST_OK;
    add_line(l, b, clock_steady_ms());
    failed = ferror(l->file) != 0;
    if (fclose(l->file) != 0 || failed)
        st = fault(l->path);
    pthread_mutex_destroy(&l->lock);
    free(l);
    return st;
}
