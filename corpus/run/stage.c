/* stage.c -- see stage.h.
 *
 * Threads map: each takes blocks of lines (or files), and what it makes goes
 * into a sorter of its own, or, of a job without reduce, into a part: there
 * they take turns, so that the parts are the same in every run.  Then each part
 * of the keys is merged from the runs of all sorters and reduced, by the same
 * number of threads. */
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "block_turns.h"
#include "corpus/sort/line_sort.h"
#include "line_source.h"
#include "ngram_coded.h"
#include "part_file.h"

struct mapper {
    struct stage_at_work *s;
    struct buf block;
    struct str rest; /* of the block */
    struct line_sort *sort;
    struct part_file *part;
    struct job_io io;
    struct kept_map *kept; /* NULL: the job reads no files */
    struct job_totals totals;
};

struct stage_at_work {
    const struct stage_run *r;
    const struct corpus_job *job;
    struct line_source *source;
    struct block_turns *turns; /* of a job without reduce, or NULL */
    struct mapper *mapper;
    size_t mappers_n;
    unsigned parts;
    struct line_sort **sort; /* of the mappers */
    struct job_totals *reduced;
};

/* ---- map ---- */

static enum status
next_block(struct mapper *m)
{
    struct stage_at_work *s = m->s;

    return s->turns != NULL
               ? block_turns_next(s->turns, (size_t)(m - s->mapper), &m->block,
                                  &m->totals.too_long)
               : line_source_block(s->source, &m->block, &m->totals.too_long);
}

static enum status
next_line(void *self, struct str *line)
{
    struct mapper *m = self;

    while (!str_cut(&m->rest, '\n', line)) {
        enum status st = next_block(m);

        if (st != ST_OK)
            return st;
        m->rest = buf_view(&m->block);
    }
    return ST_OK;
}

static enum status
next_file(void *self, const char **path)
{
    struct mapper *m = self;
    enum status st = kept_map_end(m->kept);

    while (st == ST_OK &&
           (st = line_source_file(m->s->source, path)) == ST_OK) {
        st = kept_map_take(m->kept, *path);
        if (st == ST_NONE)
            return ST_OK;
    }
    return st;
}

static enum status
put_mapped(void *self, struct str line)
{
    struct mapper *m = self;
    enum status st = m->kept != NULL ? kept_map_put(m->kept, line) : ST_OK;

    if (st != ST_OK)
        return st;
    return m->sort != NULL ? line_sort_put(m->sort, line)
                           : part_file_put(m->part, line);
}

static enum status
keep(void *self)
{
    struct mapper *m = self;

    return kept_map_begin(m->kept);
}

struct combiner {
    const struct line_stream *in;
    const struct line_sink *out;
};

static enum status
next_sorted(void *self, struct str *line)
{
    const struct combiner *c = self;

    return c->in->next(c->in->self, line);
}

static enum status
put_combined(void *self, struct str line)
{
    const struct combiner *c = self;

    return c->out->put(c->out->self, line);
}

/* What combiners count depends on when memory was full; so it counts for
 * nothing. */
static enum status
combine(void *self, const struct line_stream *in, const struct line_sink *out)
{
    const struct stage_run *r = self;
    struct combiner c = {in, out};
    struct job_io io = {&c, next_sorted, NULL, put_combined, NULL};
    struct job_totals totals = {.too_long = 0};

    return job_run_phase(r->stage->job, JOB_COMBINE, &r->stage->settings, &io,
                         &totals)
               ? ST_OK
               : ST_IO;
}

static void
part_path(const struct stage_run *r, size_t i, char *path, size_t n)
{
    snprintf(path, n, "%s/part-%05zu.zst", r->folder, i);
}

static enum status
open_mapper(struct stage_at_work *s, size_t i)
{
    const struct stage_run *r = s->r;
    struct mapper *m = &s->mapper[i];
    size_t memory = r->memory / s->mappers_n;
    char path[4096];

    m->s = s;
    m->io = (struct job_io){m, next_line, next_file, put_mapped, keep};
    if (s->job->input == JOB_FILES)
        m->kept = kept_map_new(&r->kept, i, &m->io, &m->totals);
    if (s->job->phase[JOB_REDUCE] == NULL) {
        part_path(r, i, path, sizeof path);
        return part_file_make(&m->part, path);
    }
    snprintf(path, sizeof path, "%s/run", r->folder);
    memory = memory < LINE_SORT_MEMORY_MIN   ? LINE_SORT_MEMORY_MIN
             : memory > LINE_SORT_MEMORY_MAX ? LINE_SORT_MEMORY_MAX
                                             : memory;
    m->sort = line_sort_new(&(struct line_sort_options){
        .path = path,
        .sorter = (unsigned)i,
        .parts = s->parts,
        .memory = memory,
        .combine = s->job->phase[JOB_COMBINE] != NULL ? combine : NULL,
        .self = (void *)(uintptr_t)r});
    s->sort[i] = m->sort;
    return ST_OK;
}

static enum status
map(void *self, size_t i, size_t thread)
{
    struct stage_at_work *s = self;
    struct mapper *m = &s->mapper[i];
    enum status st = open_mapper(s, i), ended;
    struct str line;

    (void)thread;
    if (st == ST_OK && s->job->phase[JOB_MAP] != NULL) {
        if (!job_run_phase(s->job, JOB_MAP, &s->r->stage->settings, &m->io,
                           &m->totals))
            st = ST_IO;
    } else {
        while (st == ST_OK && (st = next_line(m, &line)) == ST_OK)
            st = put_mapped(m, line);
        st = st == ST_NONE ? ST_OK : st;
    }
    if (s->turns != NULL)
        block_turns_leave(s->turns, i);
    ended = m->sort != NULL ? st == ST_OK ? line_sort_end(m->sort) : ST_OK
                            : part_file_end(m->part);
    kept_map_free(m->kept);
    buf_free(&m->block);
    return st != ST_OK ? st : ended;
}

/* ---- reduce ---- */

struct reducer {
    struct line_merge *merge;
    struct part_file *part;
};

static enum status
next_merged(void *self, struct str *line)
{
    const struct reducer *r = self;

    return line_merge_next(r->merge, line);
}

static enum status
put_reduced(void *self, struct str line)
{
    const struct reducer *r = self;

    return part_file_put(r->part, line);
}

#define FILES_KEPT 12 /* what else is open: standard files, a lock, a log */

/* Of all threads that reduce, one's share; its part has a descriptor, too. */
static struct line_merge_bounds
merge_bounds(const struct stage_at_work *s)
{
    size_t at_once = s->r->threads < s->parts ? s->r->threads : s->parts;
    struct rlimit files;
    size_t most = 1024;

    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < SIZE_MAX)
        most = (size_t)files.rlim_cur;
    most = most > FILES_KEPT ? (most - FILES_KEPT) / at_once : 1;
    return (struct line_merge_bounds){.memory = s->r->memory / at_once,
                                      .files = most > 0 ? most - 1 : 0};
}

static enum status
reduce(void *self, size_t i, size_t thread)
{
    struct stage_at_work *s = self;
    struct reducer r = {NULL, NULL};
    struct job_io io = {&r, next_merged, NULL, put_reduced, NULL};
    const struct line_merge_bounds bounds = merge_bounds(s);
    char path[4096];
    enum status st, ended;

    (void)thread;
    part_path(s->r, i, path, sizeof path);
    st = part_file_make(&r.part, path);
    if (st == ST_OK)
        st = line_merge_open(&r.merge, s->sort, s->mappers_n, (unsigned)i,
                             &bounds);
    if (st == ST_OK &&
        !job_run_phase(s->job, JOB_REDUCE, &s->r->stage->settings, &io,
                       &s->reduced[i]))
        st = ST_IO;
    ended = part_file_end(r.part);
    line_merge_close(r.merge);
    return st != ST_OK ? st : ended;
}

/* ---- both ---- */

static enum status
work(struct stage_at_work *s)
{
    size_t threads = s->r->threads;
    enum status st = pool_each(threads, s->mappers_n, map, s);

    if (st == ST_OK && s->job->phase[JOB_REDUCE] != NULL)
        st = pool_each(threads, s->parts, reduce, s);
    return st;
}

static uint64_t
bytes_of(const struct stage_run *r)
{
    uint64_t bytes = 0;
    struct stat about;

    for (size_t i = 0; i < r->paths_n; i++)
        if (stat(r->path[i], &about) == 0)
            bytes += (uint64_t)about.st_size;
    return bytes;
}

static bool
run_phases(const struct stage_run *r, struct job_totals *totals)
{
    struct progress *progress =
        progress_begin(r->stage->name, PROGRESS_BYTES, 0);
    struct stage_at_work s = {
        .r = r, .job = r->stage->job, .mappers_n = r->threads};
    enum status st;

    s.parts = s.job->one_reduce ? 1 : (unsigned)r->threads;
    s.mapper = memory_need(calloc(s.mappers_n, sizeof *s.mapper));
    s.sort = memory_need(calloc(s.mappers_n, sizeof *s.sort));
    s.reduced = memory_need(calloc(s.parts, sizeof *s.reduced));
    progress_total(progress, bytes_of(r));
    s.source = line_source_new(r->path, r->paths_n, progress);
    if (s.job->phase[JOB_REDUCE] == NULL)
        s.turns = block_turns_new(s.source, s.mappers_n);
    st = work(&s);
    for (size_t i = 0; i < s.mappers_n; i++) {
        job_totals_add(totals, &s.mapper[i].totals);
        line_sort_free(s.sort[i]);
    }
    for (size_t i = 0; i < s.parts; i++)
        job_totals_add(totals, &s.reduced[i]);
    block_turns_free(s.turns);
    line_source_free(s.source);
    progress_end(progress);
    free(s.mapper);
    free(s.sort);
    free(s.reduced);
    return st == ST_OK;
}

bool
stage_run(const struct stage_run *r, struct job_totals *totals)
{
    enum ngram_coded coded = ngram_coded_run(r, totals);

    return coded == NGRAM_CODED_NOT ? run_phases(r, totals)
                                    : coded == NGRAM_CODED_DONE;
}
