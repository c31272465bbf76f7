/* repair_commits.c -- see repair_commits.h.
 *
 * A segment of the log is saved when its text stands at the end of what the
 * streams have; so the newest of which that is true was the last one, and what
 * follows it is to be made again.  Were it taken for saved, documents that were
 * acknowledged would be in no file, and known for ever.  A segment without text
 * (duplicates, while the one before is being saved) says nothing of itself: it
 * is made again, at the place that it names, which changes nothing if it was
 * saved. */
#include "repair_commits.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/path.h"
#include "shingle/corpus/corpus_reader.h"
#include "shingle/service/commit_log.h"

struct segment {
    uint64_t begin, end; /* of the log of records; end 0: it has no batch */
    struct stream stream[CORPUS_STREAMS_MAX];
    size_t streams_n; /* `pending`: what it adds */
};

static struct stream *
stream_of(struct segment *g, const struct commit_stream *s)
{
    struct stream *new;

    for (size_t i = 0; i < g->streams_n; i++)
        if (g->stream[i].group == s->group &&
            str_eq(str_c(g->stream[i].suffix), s->suffix))
            return &g->stream[i];
    if (g->streams_n == CORPUS_STREAMS_MAX || s->suffix.n > CORPUS_SUFFIX_MAX)
        return NULL;
    new = &g->stream[g->streams_n++];
    *new = (struct stream){.group = s->group};
    memcpy(new->suffix, s->suffix.p, s->suffix.n);
    return new;
}

static enum status
add_batch(void *self, const struct commit_batch *b)
{
    struct segment *g = self;

    if (g->end == 0)
        g->begin = b->index.at;
    g->end = b->index.at + b->index.records.n;
    for (size_t i = 0; i < b->streams_n; i++) {
        struct stream *s = stream_of(g, &b->stream[i]);

        if (s == NULL)
            return ST_STORE;
        buf_str(&s->pending, b->stream[i].bytes);
    }
    return ST_OK;
}

static void
forget(struct segment *g)
{
    for (size_t i = 0; i < g->streams_n; i++)
        buf_free(&g->stream[i].pending);
    *g = (struct segment){0};
}

/* As far as it can be read. */
static enum status
read_segment(struct commit_log *log, uint64_t number, struct segment *g)
{
    bool gap = false;
    enum status st;

    forget(g);
    st = commit_log_replay(log, number, add_batch, g, &gap);
    return st == ST_STORE ? ST_OK : st;
}

/* Does the stream's text end with what the segment adds? */
static bool
ends_so(const char *dir, struct store *store, struct stream *s)
{
    unsigned char state[STREAM_STATE_BYTES];
    char name[STREAM_NAME_BYTES];
    struct corpus_reader *r;
    struct buf text = {0};
    struct str row;
    uint64_t end;
    bool same;

    stream_row(s, name, state);
    if (store_get(store, STORE_FILES, str_c(name), &row) != ST_OK ||
        !stream_row_state(&s->now, row))
        return false;
    end = s->now.part_text + s->now.tail_bytes;
    if (end < s->pending.n)
        return false;
    r = memory_need(corpus_reader_new(dir, s->group, str_c(s->suffix)));
    corpus_reader_committed(r, &s->now);
    same = corpus_reader_get(r, s->now.part, end - s->pending.n, s->pending.n,
                             &text) == ST_OK &&
           str_eq(buf_view(&text), buf_view(&s->pending));
    corpus_reader_free(r);
    buf_free(&text);
    return same;
}

static bool
is_saved(const char *dir, struct store *store, struct segment *g)
{
    size_t bytes = 0;

    for (size_t i = 0; i < g->streams_n; i++) {
        if (!ends_so(dir, store, &g->stream[i]))
            return false;
        bytes += g->stream[i].pending.n;
    }
    return bytes > 0;
}

/* The newest of the two, or the one before them. */
static enum status
find_saved(const char *dir, struct store *store, struct commit_log *log,
           struct segment *g, uint64_t *saved)
{
    uint64_t oldest;
    bool gap = false;
    enum status st = commit_log_newest(log, saved);

    if (st == ST_OK)
        st = commit_log_oldest(log, &oldest, &gap);
    for (; st == ST_OK && *saved >= oldest && *saved > 0; --*saved) {
        st = read_segment(log, *saved, g);
        if (st == ST_OK && is_saved(dir, store, g))
            break;
    }
    return st;
}

enum status
repair_commits(const char *dir, struct store *store, uint64_t *log_end)
{
    const struct path folder = path_printf("%s/dedup", dir);
    struct segment *g;
    struct commit_log *log;
    uint64_t saved = 0;
    enum status st;

    if (!commit_log_exists(folder.z))
        return ST_NONE;
    if ((st = commit_log_open(&log, folder.z, false)) != ST_OK)
        return st;
    g = memory_need(calloc(1, sizeof *g));
    if ((st = store_get_u64(store, INDEX_SAVED, &saved)) == ST_OK && saved == 0)
        st = find_saved(dir, store, log, g, &saved);
    if (st == ST_OK)
        st = read_segment(log, saved + 1, g); /* what follows it */
    *log_end = g->end > 0 ? g->begin : UINT64_MAX;
    if (st == ST_OK && saved > 0)
        st = store_put_u64(store, INDEX_SAVED, saved);
    forget(g);
    free(g);
    commit_log_close(log);
    return st;
}
