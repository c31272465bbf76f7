/* line_sort.c -- see line_sort.h.
 *
 * The memory of a sorter is one piece: the lines' text grows from its begin,
 * what is known of each line from its end, and between them as much is left
 * free as the radix sort needs.  A line's part stands in the byte before it. */
#include "line_sort.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/memory.h"
#include "line_order.h"
#include "line_run.h"

struct run_file {
    unsigned part;
    char *path;
};

struct line_sort {
    struct line_sort_options o;
    char *path;
    char *memory; /* NULL: it has ended */
    size_t text_n, lines_n;
    pthread_mutex_t lock; /* of what follows: merging threads share it */
    struct run_file *run;
    size_t runs_n, runs_room, names_n;
    uint64_t bytes;
};

struct line_sort *
line_sort_new(const struct line_sort_options *o)
{
    struct line_sort *s = memory_need(calloc(1, sizeof *s));

    s->o = *o;
    s->o.path = s->path = memory_need(strdup(o->path));
    s->o.memory &= ~(size_t)15; /* what is at its end is aligned */
    s->memory = memory_need(malloc(s->o.memory));
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void
line_sort_free(struct line_sort *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->runs_n; i++) {
        unlink(s->run[i].path);
        free(s->run[i].path);
    }
    pthread_mutex_destroy(&s->lock);
    free(s->run);
    free(s->memory);
    free(s->path);
    free(s);
}

uint64_t
line_sort_runs(const struct line_sort *s)
{
    return s->runs_n;
}

uint64_t
line_sort_bytes(const struct line_sort *s)
{
    return s->bytes;
}

/* ---- runs ---- */

static char *
add_run(struct line_sort *s, unsigned part)
{
    struct buf path = {0};

    pthread_mutex_lock(&s->lock);
    if (s->runs_n == s->runs_room) {
        s->runs_room = s->runs_room ? 2 * s->runs_room : 16;
        s->run = memory_need(realloc(s->run, s->runs_room * sizeof *s->run));
    }
    buf_printf(&path, "%s-%u-%zu-%u", s->o.path, s->o.sorter, s->names_n++,
               part);
    buf_char(&path, '\0');
    s->run[s->runs_n++] = (struct run_file){part, path.p};
    pthread_mutex_unlock(&s->lock);
    return path.p;
}

struct in_memory {
    const struct line_at *line;
    size_t n, at;
    const char *text;
};

static enum status
next_in_memory(void *self, struct str *line)
{
    struct in_memory *m = self;
    const struct line_at *l = &m->line[m->at];

    if (m->at == m->n)
        return ST_NONE;
    *line = str_n(m->text + l->from, l->n);
    m->at++;
    return ST_OK;
}

static enum status
copy(void *self, const struct line_stream *in, const struct line_sink *out)
{
    struct str line;
    enum status st = ST_OK, put = ST_OK;

    (void)self;
    while (put == ST_OK && (st = in->next(in->self, &line)) == ST_OK)
        put = out->put(out->self, line);
    return put != ST_OK ? put : st == ST_NONE ? ST_OK : st;
}

/* *path is its name, of the sorter's. */
static enum status
write_run(struct line_sort *s, unsigned part, const struct line_stream *in,
          char **path)
{
    line_combine *combine = s->o.combine;
    struct line_run_writer *w;
    enum status st = line_run_make(&w, *path = add_run(s, part)), ended;
    struct line_sink out = {w, line_run_put};
    uint64_t bytes = 0;

    if (st != ST_OK)
        return st;
    st = (combine != NULL ? combine : copy)(s->o.self, in, &out);
    ended = line_run_end(w, &bytes);
    pthread_mutex_lock(&s->lock);
    s->bytes += bytes;
    pthread_mutex_unlock(&s->lock);
    return st != ST_OK ? st : ended;
}

static struct line_at *
lines_of(const struct line_sort *s)
{
    return (struct line_at *)(void *)(s->memory + s->o.memory) - s->lines_n;
}

/* The lines by their parts: from first[p] to first[p + 1]. */
static struct line_at *
by_part(const struct line_sort *s, size_t *first)
{
    struct line_at *line = lines_of(s), *room = line - s->lines_n;
    size_t at[LINE_SORT_PARTS_MAX];

    memset(first, 0, (s->o.parts + 1) * sizeof *first);
    for (size_t i = 0; i < s->lines_n; i++)
        first[s->memory[line[i].from - 1] + 1]++;
    for (unsigned p = 0; p < s->o.parts; p++) {
        first[p + 1] += first[p];
        at[p] = first[p];
    }
    for (size_t i = 0; i < s->lines_n; i++)
        room[at[(unsigned char)s->memory[line[i].from - 1]]++] = line[i];
    return room;
}

static enum status
spill(struct line_sort *s)
{
    size_t first[LINE_SORT_PARTS_MAX + 1];
    struct line_at *line = by_part(s, first), *room = lines_of(s);
    enum status st = ST_OK;

    for (unsigned p = 0; p < s->o.parts && st == ST_OK; p++) {
        size_t n = first[p + 1] - first[p];
        struct in_memory m = {line + first[p], n, 0, s->memory};
        struct line_stream in = {&m, next_in_memory};
        char *path;

        if (n == 0)
            continue;
        line_order(line + first[p], room, n, s->memory);
        st = write_run(s, p, &in, &path);
    }
    s->text_n = s->lines_n = 0;
    return st;
}

static unsigned
part_of(const struct line_sort *s, struct str line)
{
    if (s->o.parts == 1)
        return 0;
    return (unsigned)(hash64(str_sub(line, 0, str_find(line, '\t', 0))) %
                      s->o.parts);
}

static enum status
next_of_one(void *self, struct str *line)
{
    struct str *one = self;

    if (one->p == NULL)
        return ST_NONE;
    *line = *one;
    one->p = NULL;
    return ST_OK;
}

enum status
line_sort_put(void *sorter, struct str line)
{
    struct line_sort *s = sorter;
    size_t need = 1 + line.n + 2 * sizeof(struct line_at);
    unsigned part = part_of(s, line);
    enum status st = ST_OK;

    if (need >
        s->o.memory - s->text_n - 2 * s->lines_n * sizeof(struct line_at))
        st = spill(s);
    if (st != ST_OK)
        return st;
    if (need > s->o.memory) { /* it is a run of its own */
        struct line_stream in = {&line, next_of_one};
        char *path;

        return write_run(s, part, &in, &path);
    }
    s->memory[s->text_n++] = (char)part;
    memcpy(s->memory + s->text_n, line.p, line.n);
    s->lines_n++;
    *lines_of(s) =
        (struct line_at){.from = (uint32_t)s->text_n, .n = (uint32_t)line.n};
    s->text_n += line.n;
    return ST_OK;
}

enum status
line_sort_end(struct line_sort *s)
{
    enum status st = s->lines_n > 0 ? spill(s) : ST_OK;

    free(s->memory);
    s->memory = NULL;
    return st;
}

/* ---- merging ---- */

#define READER_BYTES ((size_t)400 << 10) /* of a run that is read */
enum { MERGED_MIN = 4, MERGED_MAX = 256, MERGED_LEAST = 2 };

struct merge_run {
    struct line_run *run;
    struct str line;
    uint64_t head; /* its first eight bytes as a number */
};

struct line_merge {
    struct merge_run *run;
    size_t n;        /* those that have lines, as a heap */
    bool first_used; /* the first one's line was given out */
};

static uint64_t
head_of(struct str line)
{
    uint64_t h = 0;

    for (size_t i = 0; i < 8; i++)
        h = h << 8 | (i < line.n ? (unsigned char)line.p[i] : 0);
    return h;
}

static bool
is_before(const struct merge_run *a, const struct merge_run *b)
{
    return a->head != b->head ? a->head < b->head
                              : str_cmp(a->line, b->line) < 0;
}

static void
sink_down(struct line_merge *m, size_t at)
{
    struct merge_run r = m->run[at];

    for (size_t child; (child = 2 * at + 1) < m->n; at = child) {
        if (child + 1 < m->n && is_before(&m->run[child + 1], &m->run[child]))
            child++;
        if (!is_before(&m->run[child], &r))
            break;
        m->run[at] = m->run[child];
    }
    m->run[at] = r;
}

/* The run's next line; one that has none is closed. */
static enum status
advance(struct merge_run *r)
{
    enum status st = line_run_next(r->run, &r->line);

    if (st == ST_OK)
        r->head = head_of(r->line);
    else {
        line_run_close(r->run);
        r->run = NULL;
    }
    return st;
}

static enum status
merge_paths(struct line_merge **out, char *const *path, size_t n)
{
    struct line_merge *m = memory_need(calloc(1, sizeof *m));
    enum status st = ST_OK;

    m->run = memory_need(calloc(n + 1, sizeof *m->run));
    for (size_t i = 0; i < n && (st == ST_OK || st == ST_NONE); i++) {
        st = line_run_open(&m->run[m->n].run, path[i]);
        if (st == ST_OK)
            st = advance(&m->run[m->n]);
        if (st == ST_OK)
            m->n++;
    }
    if (st != ST_OK && st != ST_NONE) {
        line_merge_close(m);
        m = NULL;
    }
    for (size_t i = m == NULL ? 0 : m->n / 2; i-- > 0;)
        sink_down(m, i);
    *out = m;
    return st == ST_NONE ? ST_OK : st;
}

enum status
line_merge_next(void *merge, struct str *line)
{
    struct line_merge *m = merge;
    enum status st = ST_OK;

    if (m->first_used) {
        st = advance(&m->run[0]);
        if (st == ST_NONE)
            m->run[0] = m->run[--m->n];
        else if (st != ST_OK) {
            m->run[0] = m->run[--m->n];
            return st;
        }
        if (m->n > 0)
            sink_down(m, 0);
    }
    m->first_used = m->n > 0;
    if (m->n == 0)
        return ST_NONE;
    *line = m->run[0].line;
    return ST_OK;
}

void
line_merge_close(struct line_merge *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->n; i++)
        line_run_close(m->run[i].run);
    free(m->run);
    free(m);
}

/* Of the first `n` of the paths, runs of `s`'s, one run at their end. */
static enum status
merge_some(struct line_sort *s, unsigned part, char **path, size_t n,
           char **merged)
{
    struct line_merge *m;
    enum status st = merge_paths(&m, path, n);

    if (st == ST_OK) {
        struct line_stream in = {m, line_merge_next};

        st = write_run(s, part, &in, merged);
    }
    line_merge_close(m);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        unlink(path[i]);
    return st;
}

/* How many runs of a part there are; their names, if there is room for them. */
static size_t
runs_of(struct line_sort *s, unsigned part, char **path)
{
    size_t n = 0;

    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->runs_n; i++)
        if (s->run[i].part == part) {
            if (path != NULL)
                path[n] = s->run[i].path;
            n++;
        }
    pthread_mutex_unlock(&s->lock);
    return n;
}

/* How many runs are read at once; one descriptor is for what is made of them.
 */
static size_t
merged_at_once(const struct line_merge_bounds *b)
{
    size_t most = b->memory / READER_BYTES;

    most = most < MERGED_MIN   ? MERGED_MIN
           : most > MERGED_MAX ? MERGED_MAX
                               : most;
    if (most + 1 > b->files)
        most = b->files > MERGED_LEAST ? b->files - 1 : MERGED_LEAST;
    return most;
}

enum status
line_merge_open(struct line_merge **out, struct line_sort *const *sorters,
                size_t n, unsigned part, const struct line_merge_bounds *bounds)
{
    size_t most = merged_at_once(bounds), paths_n = 0, at = 0, room = 0;
    char **path;
    enum status st = ST_OK;

    *out = NULL;
    for (size_t i = 0; i < n; i++)
        room += runs_of(sorters[i], part, NULL);
    path = memory_need(calloc(2 * room + 1, sizeof *path));
    for (size_t i = 0; i < n; i++)
        paths_n += runs_of(sorters[i], part, path + paths_n);
    while (st == ST_OK && paths_n - at > most) {
        st = merge_some(sorters[0], part, path + at, most, &path[paths_n]);
        at += most;
        paths_n++;
    }
    if (st == ST_OK)
        st = merge_paths(out, path + at, paths_n - at);
    free(path);
    return st;
}
