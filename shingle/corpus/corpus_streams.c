/* corpus_streams.c -- which streams a corpus has: their rows in the index, and
 * the files on the disk brought in step with them.
 *
 * A stream's row is committed before its first file is made: a file without a
 * row is somebody else's and is not touched, opening is refused.  What is
 * longer than its row says, or is there before its row, was left by a crash:
 * cut off, removed. */
#include "base/log.h"
#include "corpus_inside.h"

bool
corpus_stream_is_warc(const struct stream *s)
{
    return strcmp(s->suffix, "wet") == 0;
}

enum status
corpus_stream_row(struct corpus *c, const struct stream *s)
{
    unsigned char state[STREAM_STATE_BYTES];
    char name[STREAM_NAME_BYTES];

    stream_row(s, name, state);
    return index_put_file(c->index, str_c(name),
                          str_n((const char *)state, sizeof state));
}

struct stream *
corpus_stream(struct corpus *c, enum corpus_group group, struct str suffix)
{
    for (size_t i = 0; i < c->streams_n; i++) {
        if (c->stream[i].group == group &&
            str_eq(str_c(c->stream[i].suffix), suffix))
            return &c->stream[i];
    }
    return NULL;
}

bool
corpus_has(const struct corpus *c, enum corpus_group group, struct str suffix)
{
    for (size_t i = 0; i < c->streams_n; i++)
        if (c->stream[i].group == group &&
            str_eq(str_c(c->stream[i].suffix), suffix))
            return true;
    return false;
}

static struct stream *
add_stream(struct corpus *c, enum corpus_group group, struct str suffix)
{
    struct stream *s;

    if (c->streams_n == CORPUS_STREAMS_MAX || suffix.n == 0 ||
        suffix.n > CORPUS_SUFFIX_MAX)
        return NULL;
    s = &c->stream[c->streams_n++];
    *s = (struct stream){
        .group = group, .at_part = 1, .now = {.part = 1, .tail = 1}};
    memcpy(s->suffix, suffix.p, suffix.n);
    return s;
}

/* Behind all that is committed, when nothing waits. */
static void
to_end(struct stream *s)
{
    s->at_part = s->now.part;
    s->at_text = s->now.part_text + s->now.tail_bytes;
}

static enum status
read_row(void *self, struct str name, struct str state)
{
    struct corpus *c = self;
    enum corpus_group group;
    struct str suffix;
    struct stream *s = NULL;

    if (stream_row_name(name, &group, &suffix))
        s = add_stream(c, group, suffix);
    if (s == NULL || !stream_row_state(&s->now, state)) {
        log_error("corpus", "the index has a row that cannot be read: %.*s",
                  STRF(name));
        return ST_STORE;
    }
    to_end(s);
    return ST_OK;
}

/* ---- repair ---- */

static enum status
unknown_file(const struct corpus *c, const struct stream *s, struct str name)
{
    log_error("corpus",
              "%s/%.*s: the index does not know this file: move it "
              "away",
              stream_folder(c->dir, s->group).z, STRF(name));
    return ST_USAGE;
}

struct stream_visit {
    struct corpus *c;
    struct stream *s;
};

/* A file of this stream: keep, remove (left by a crash), or refuse. */
static enum status
check_file(void *self, struct str name)
{
    const struct stream_visit *v = self;
    const struct stream_state *now = &v->s->now;
    struct path path;
    uint64_t part, tail;

    if (!stream_makes(v->s, name, &part, &tail))
        return ST_OK;
    if (tail == 0 ? part <= now->part : part == now->part && tail == now->tail)
        return ST_OK;
    if (part > now->part + 1)
        return unknown_file(v->c, v->s, name);
    path = path_printf("%s/%.*s", stream_folder(v->c->dir, v->s->group).z,
                       STRF(name));
    return corpus_file_fit(path.z, 0);
}

/* Nothing of this stream is recorded: then there must be no files of it. */
static enum status
check_absent(void *self, struct str name)
{
    const struct stream_visit *v = self;
    uint64_t part, tail;

    return stream_makes(v->s, name, &part, &tail)
               ? unknown_file(v->c, v->s, name)
               : ST_OK;
}

/* An index that knows no stream must not meet a corpus. */
static enum status
check_no_corpus(void *self, struct str name)
{
    const struct corpus *c = self;

    if (!stream_of_kept(name))
        return ST_OK;
    log_error("corpus",
              "%s/%.*s: there is a corpus but no index of it in "
              "%s/dedup: move it away or use another folder",
              stream_folder(c->dir, CORPUS_KEPT).z, STRF(name), c->dir);
    return ST_USAGE;
}

static enum status
repair(struct corpus *c)
{
    struct path kept = stream_folder(c->dir, CORPUS_KEPT);
    enum status st = corpus_file_folder(kept.z);

    if (st == ST_OK && c->streams_n == 0)
        st = corpus_file_walk(kept.z, check_no_corpus, c);

    for (size_t i = 0; i < c->streams_n && st == ST_OK; i++) {
        struct stream *s = &c->stream[i];
        struct stream_visit v = {c, s};
        struct path folder = stream_folder(c->dir, s->group);

        s->next = s->now;
        st = corpus_file_fit(stream_part(c->dir, s, s->now.part).z,
                             s->now.part_bytes);
        if (st == ST_OK)
            st = corpus_file_fit(stream_tail(c->dir, s, &s->now).z,
                                 s->now.tail_bytes);
        if (st == ST_OK && (st = corpus_file_folder(folder.z)) == ST_OK)
            st = corpus_file_walk(folder.z, check_file, &v);
    }
    return st;
}

enum status
corpus_prepare(struct corpus *c, enum corpus_group group, struct str suffix)
{
    struct stream *s = corpus_stream(c, group, suffix);
    struct stream_visit v = {c, NULL};
    struct path folder = stream_folder(c->dir, group);
    enum status st;

    if (s != NULL)
        return ST_OK;
    if ((s = add_stream(c, group, suffix)) == NULL)
        return ST_LIMIT;
    if ((st = corpus_file_folder(folder.z)) != ST_OK)
        goto undo;
    for (size_t i = 0; i < c->streams_n; i++) { /* parts go in step */
        if (c->stream[i].group == group && c->stream[i].now.part > s->now.part)
            s->now.part = c->stream[i].now.part;
    }
    s->next = s->now;
    to_end(s);
    v.s = s;
    if ((st = corpus_file_walk(folder.z, check_absent, &v)) != ST_OK ||
        (st = index_save_begin(c->index)) != ST_OK)
        goto undo;
    if ((st = corpus_stream_row(c, s)) != ST_OK)
        index_save_abort(c->index);
    else if ((st = index_save_end(c->index, NULL)) == ST_OK && c->options.sync)
        st = index_sync(c->index);
    if (st == ST_OK)
        return ST_OK;
undo:
    c->streams_n--;
    return st;
}

enum status
corpus_streams_open(struct corpus *c)
{
    enum status st = index_begin(c->index);

    if (st != ST_OK)
        return st;
    st = index_each_file(c->index, read_row, c);
    index_abort(c->index);
    return st == ST_OK ? repair(c) : st;
}
