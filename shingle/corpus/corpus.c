/* corpus.c -- see corpus.h.
 *
 * A stream is one sequence of records: a group (kept, rejected ...) in one
 * format.  New records go to its tail, a plain file; when that has grown to
 * tail_bytes it becomes one gzip member (RFC 1952: members may be concatenated;
 * zcat, zgrep and Python read them as one) at the end of the current part, and
 * a new tail begins.  So members are large enough to compress well however
 * small the commits are, nothing is ever rewritten, and no write takes long.
 * Records are never cut by the end of a member (short of MEMBER_MAX) or of a
 * part.  All streams of a group change to the next part together.
 *
 * WARC files (suffix wet) are read by place: each record is a member of its own
 * there, and a part begins with a warcinfo record, which counts as text of the
 * part like any other.
 *
 * Crash safety.  The index holds for each stream its part, the lengths of part
 * and tail, and the number of the tail.  Files are written (and synced) before
 * the commit that records their new lengths:
 *
 *   killed before the commit   files are longer than recorded, or a part or a
 *                              tail is there that is not: cut off, removed
 *   killed after it            the old tail may still be there: removed
 *
 * Every written range lies behind the recorded length, so the same holds when a
 * write fails for lack of space (corpus_undo(c)).  A stream's row is
 * committed before its first file is made: a file without a row is somebody
 * else's and is not touched, opening is refused.
 *
 * A power loss may undo the last commit of the index (dedup.sync = meta).  So
 * the index is synced once more where a file depends on it: before the first
 * file of a stream is made, and before a tail that is in a part now is removed.
 *
 * Bounds: CORPUS_STREAMS_MAX streams, which is every format in every group and
 * room for those that older services took from anybody; memory for what is
 * added between two writes, and for one member. */
#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/warc/warc_record.h"
#include "corpus_inside.h"

/* ---- adding ---- */

/* Is a part of this group full?  Then the next records begin another. */
static bool
group_is_full(const struct corpus *c, enum corpus_group group)
{
    for (size_t i = 0; i < c->streams_n; i++) {
        const struct stream *s = &c->stream[i];

        if (s->group == group && s->at_text >= c->options.split_bytes)
            return true;
    }
    return false;
}

/* The part that the next record of the stream goes to, and where in it. */
static struct corpus_place
next_place(const struct corpus *c, const struct stream *s)
{
    if (group_is_full(c, s->group))
        return (struct corpus_place){s->at_part + 1, s->pending.n};
    return (struct corpus_place){s->at_part, s->at_text + s->pending.n};
}

/* The warcinfo record of a part. */
static void
add_head(const struct corpus *c, const struct stream *s, uint64_t part,
         struct buf *out)
{
    struct path path = stream_part(c->dir, s, part);
    const char *name = strrchr(path.z, '/') + 1;
    uint64_t now_ms = clock_wall_ms();
    struct document_id id = document_id_make(str_c(path.z), now_ms);
    char urn[WARC_URN_N];

    warc_urn(&id, urn);
    warc_record_info(out, urn, now_ms, name, S("winnow/" WINNOW_VERSION),
                     S(""));
}

void
corpus_add(struct corpus *c, enum corpus_group group, struct str suffix,
           struct str bytes)
{
    struct stream *s = corpus_stream(c, group, suffix);
    struct corpus_place at;

    assert(s != NULL); /* prepared */
    at = next_place(c, s);
    if (corpus_stream_is_warc(s) && at.at == 0)
        add_head(c, s, at.part, &s->pending);
    buf_str(&s->pending, bytes);
}

static bool
group_grows(const struct corpus *c, enum corpus_group group)
{
    for (size_t i = 0; i < c->streams_n; i++)
        if (c->stream[i].group == group && c->stream[i].pending.n > 0)
            return true;
    return false;
}

struct corpus_place
corpus_place(struct corpus *c, enum corpus_group group, struct str suffix)
{
    const struct stream *s = corpus_stream(c, group, suffix);
    struct corpus_place at;
    struct buf head = {0};

    assert(s != NULL); /* prepared */
    at = next_place(c, s);
    if (corpus_stream_is_warc(s) &&
        at.at == 0) { /* heads of a part are equally long */
        add_head(c, s, at.part, &head);
        at.at = head.n;
        buf_free(&head);
    }
    return at;
}

/* ---- batches ---- */

void
corpus_batch_begin(struct corpus *c)
{
    for (size_t i = 0; i < c->streams_n; i++)
        c->stream[i].mark = c->stream[i].pending.n;
}

void
corpus_batch_undo(struct corpus *c)
{
    for (size_t i = 0; i < c->streams_n; i++)
        c->stream[i].pending.n = c->stream[i].mark;
}

void
corpus_batch_bytes(const struct corpus *c, corpus_each *each, void *self)
{
    for (size_t i = 0; i < c->streams_n; i++) {
        const struct stream *s = &c->stream[i];

        if (s->pending.n > s->mark)
            each(self, s->group, str_c(s->suffix),
                 str_sub(buf_view(&s->pending), s->mark, s->pending.n));
    }
}

enum status
corpus_batch_again(struct corpus *c, enum corpus_group group, struct str suffix,
                   struct str bytes)
{
    struct stream *s = corpus_stream(c, group, suffix);

    if (s == NULL)
        return ST_STORE;
    buf_str(&s->pending, bytes);
    return ST_OK;
}

uint64_t
corpus_split_bytes(const struct corpus *c)
{
    return c->options.split_bytes;
}

void
corpus_split(struct corpus *c, uint64_t bytes)
{
    c->options.split_bytes = bytes;
}

bool
corpus_is_full(const struct corpus *c)
{
    for (size_t i = 0; i < c->streams_n; i++) {
        const struct stream *s = &c->stream[i];
        uint64_t from = group_is_full(c, s->group) ? 0 : s->at_text;

        if (s->pending.n > 0 && from + s->pending.n >= c->options.split_bytes)
            return true;
    }
    return false;
}

void
corpus_hand_over(struct corpus *c)
{
    bool turns[CORPUS_GROUPS_N];

    for (int g = 0; g < CORPUS_GROUPS_N; g++)
        turns[g] = group_is_full(c, (enum corpus_group)g) &&
                   group_grows(c, (enum corpus_group)g);
    for (size_t i = 0; i < c->streams_n; i++) {
        struct stream *s = &c->stream[i];
        struct buf empty = s->writing;

        assert(empty.n == 0); /* what was handed over is done */
        s->turns = turns[s->group];
        if (s->turns) {
            s->at_part++;
            s->at_text = 0;
        }
        s->at_text += s->pending.n;
        s->writing = s->pending;
        s->pending = empty;
        s->mark = 0;
    }
}

/* ---- opening ---- */

enum status
corpus_open(struct corpus **out, const char *dir, struct index *x,
            const struct corpus_options *o)
{
    struct corpus *c = calloc(1, sizeof *c);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (c == NULL)
        return ST_NOMEM;
    c->options = *o;
    c->index = x;
    c->dir = strdup(dir);
    if (c->dir != NULL && (c->gzip = gzip_members_new()) != NULL)
        st = corpus_streams_open(c);
    if (st == ST_OK)
        *out = c;
    else
        corpus_close(c);
    return st;
}

void
corpus_close(struct corpus *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->streams_n; i++) {
        buf_free(&c->stream[i].pending);
        buf_free(&c->stream[i].writing);
    }
    buf_free(&c->text);
    buf_free(&c->member);
    buf_free(&c->unsynced);
    gzip_members_free(c->gzip);
    free(c->dir);
    free(c);
}
