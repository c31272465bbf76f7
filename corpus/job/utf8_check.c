/* utf8_check.c -- job utf8: documents that lost characters on their way.
 *
 * U+FFFD stands where a decoder met bytes that are no character; bytes that
 * are none count like it. */
#include <inttypes.h>

#include "clean/charset/utf8.h"
#include "doc_line.h"
#include "job.h"

enum { REJECTED, DOCUMENTS, DAMAGED, CHARACTERS };

static uint64_t
replacements(struct str text)
{
    static const struct str replacement = STR("\xef\xbf\xbd");
    uint64_t n = 0;
    const char *p;

    while ((p = memmem(text.p, text.n, replacement.p, replacement.n)) != NULL) {
        n++;
        text = str_sub(text, (size_t)(p - text.p) + replacement.n, text.n);
    }
    return n;
}

static void
map(struct job_run *r)
{
    bool drop = job_option(r, "drop") != 0;
    struct arena *arena = arena_new();
    struct buf out = {0}, process = {0};
    struct str line;

    while (job_line(r, &line)) {
        struct doc_line d;
        uint64_t n;

        if (!doc_line_read(&d, line)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        n = replacements(d.text) + utf8_survey(d.text).bad;
        job_count(r, DOCUMENTS, 1);
        job_count(r, DAMAGED, n > 0);
        job_count(r, CHARACTERS, n);
        if (drop && n > 0)
            continue;
        if (!drop) {
            doc_process_add(&process, d.process, DOC_FACT_ENCODING_ERROR,
                            n > 0 ? S("true") : S("false"));
            d.process = buf_view(&process);
            doc_line_write(&out, &d);
            arena_reset(arena);
            line = utf8_repair(arena, buf_view(&out));
        }
        job_put(r, line);
    }
    arena_free(arena);
    buf_free(&out);
    buf_free(&process);
}

const struct corpus_job job_utf8 = {
    .name = "utf8",
    .summary = "Documents without characters that were lost (U+FFFD).",
    .lines = "map: documents -> documents",
    .phase = {map, NULL, NULL},
    .options = {JOB_NUMBER("drop", "1",
                           "0: they stay, and all documents say whether they "
                           "are damaged (<encoding_error>).",
                           0, 1)},
    .counters = {JOB_LINES_REJECTED, "documents", "documents damaged",
                 "characters lost"},
};
