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
 * write fails for lack of space (corpus_done(c, false)).  A stream's row is
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
#include "corpus.h"

#include <assert.h>
#include <libdeflate.h>
#include <stdlib.h>

#include "base/warc/warc_record.h"
#include "stream.h"
#include "winnow/clock.h"
#include "winnow/log.h"

/* LEVEL_FAST costs a third of LEVEL and makes files a tenth larger: for when
 * FAST_FROM bytes have come since the last write, so that no more come than are
 * written. */
enum { LEVEL = 6, LEVEL_FAST = 1, FAST_FROM = 12 << 20, MEMBER_MAX = 64 << 20 };

struct corpus {
    char *dir;
    struct index *index;
    struct corpus_options options;
    struct libdeflate_compressor *careful, *fast, *compressor;
    struct stream stream[CORPUS_STREAMS_MAX];
    size_t streams_n;
    struct buf text, member; /* work space of a flush */
    struct buf unsynced;     /* files that were written by this batch */
};

static bool
is_warc(const struct stream *s)
{
    return strcmp(s->suffix, "wet") == 0;
}

/* ---- rows of the index ---- */

static enum status
record(struct corpus *c, const struct stream *s)
{
    unsigned char state[STREAM_STATE_BYTES];
    char name[STREAM_NAME_BYTES];

    stream_row(s, name, state);
    return index_put_file(c->index, str_c(name),
                          str_n((const char *)state, sizeof state));
}

static struct stream *
find(struct corpus *c, enum corpus_group group, struct str suffix)
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
place_at_end(struct stream *s)
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
    place_at_end(s);
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
    struct stream *s = find(c, group, suffix);
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
    place_at_end(s);
    v.s = s;
    if ((st = corpus_file_walk(folder.z, check_absent, &v)) != ST_OK ||
        (st = index_save_begin(c->index)) != ST_OK)
        goto undo;
    if ((st = record(c, s)) != ST_OK)
        index_save_abort(c->index);
    else if ((st = index_save_end(c->index, NULL)) == ST_OK && c->options.sync)
        st = index_sync(c->index);
    if (st == ST_OK)
        return ST_OK;
undo:
    c->streams_n--;
    return st;
}

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
    struct stream *s = find(c, group, suffix);
    struct corpus_place at;

    assert(s != NULL); /* prepared */
    at = next_place(c, s);
    if (is_warc(s) && at.at == 0)
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
    const struct stream *s = find(c, group, suffix);
    struct corpus_place at;
    struct buf head = {0};

    assert(s != NULL); /* prepared */
    at = next_place(c, s);
    if (is_warc(s) && at.at == 0) { /* heads of a part are equally long */
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
    struct stream *s = find(c, group, suffix);

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

/* ---- writing ---- */

static void
add_member(struct corpus *c, struct str text)
{
    size_t bound = libdeflate_gzip_compress_bound(c->compressor, text.n), n;

    buf_reserve(&c->member, bound);
    n = libdeflate_gzip_compress(c->compressor, text.p, text.n,
                                 c->member.p + c->member.n, bound);
    assert(n > 0);
    c->member.n += n;
}

/* A member for each record; returns the bytes of those that are whole. */
static size_t
add_members(struct corpus *c, struct str text)
{
    size_t n, done = 0;

    while ((n = warc_record_length(str_sub(text, done, text.n))) > 0) {
        add_member(c, str_sub(text, done, done + n));
        done += n;
    }
    return done;
}

/* Written now, synced with all others (sync_files()). */
static enum status
append_file(struct corpus *c, struct path path, uint64_t from, struct str bytes)
{
    enum status st = corpus_file_append(path.z, from, bytes);

    if (st == ST_OK && c->options.sync) {
        buf_char(&c->unsynced, from == 0 ? 'n' : 'o'); /* new, old */
        buf_c(&c->unsynced, path.z);
        buf_char(&c->unsynced, '\0');
    }
    return st;
}

/* After all was written: the first of them makes the file system write its
 * journal, and the others find that done. */
static enum status
sync_files(struct corpus *c)
{
    const char *p = c->unsynced.p, *end = p + c->unsynced.n;
    enum status st = ST_OK;

    for (; p < end && st == ST_OK; p += strlen(p) + 1)
        st = corpus_file_sync(p + 1, *p == 'n');
    buf_clear(&c->unsynced);
    return st;
}

/* `text` as members of the part; its first *n bytes have got there. */
static enum status
append_members(struct corpus *c, struct stream *s, struct str text, size_t *n)
{
    enum status st;

    *n = text.n;
    buf_clear(&c->member);
    if (!is_warc(s)) {
        add_member(c, text);
    } else if ((*n = add_members(c, text)) == 0) {
        *n = text.n; /* a record over MEMBER_MAX is cut */
        add_member(c, text);
    }
    st = append_file(c, stream_part(c->dir, s, s->next.part),
                     s->next.part_bytes, buf_view(&c->member));
    s->next.part_bytes += c->member.n;
    s->next.part_text += *n;
    return st;
}

/* The committed tail becomes members of the part; a new tail begins. */
static enum status
flush_tail(struct corpus *c, struct stream *s)
{
    struct path tail = stream_tail(c->dir, s, &s->now);
    uint64_t done = 0, left;
    enum status st = ST_OK;

    for (; (left = s->now.tail_bytes - done) > 0 && st == ST_OK;) {
        size_t n = left > MEMBER_MAX ? MEMBER_MAX : (size_t)left;

        if ((st = corpus_file_read(tail.z, done, n, &c->text)) == ST_OK)
            st = append_members(c, s, buf_view(&c->text), &n);
        done += n;
    }
    if (done > 0) {
        s->next.tail++;
        s->next.tail_bytes = 0;
        s->tail_since_ms = 0;
    }
    return st;
}

/* So much that it needs no tail: there is none, or it was flushed. */
static enum status
write_members(struct corpus *c, struct stream *s)
{
    struct str all = buf_view(&s->writing);
    enum status st = ST_OK;

    for (size_t done = 0, n; done < all.n && st == ST_OK; done += n) {
        size_t end = all.n - done > MEMBER_MAX ? done + MEMBER_MAX : all.n;

        st = append_members(c, s, str_sub(all, done, end), &n);
    }
    return st;
}

static enum status
write_tail(struct corpus *c, struct stream *s, uint64_t now_ms)
{
    enum status st;

    if (s->writing.n == 0)
        return ST_OK;
    st = append_file(c, stream_tail(c->dir, s, &s->next), s->next.tail_bytes,
                     buf_view(&s->writing));
    s->next.tail_bytes += s->writing.n;
    if (s->tail_since_ms == 0)
        s->tail_since_ms = now_ms;
    return st;
}

static bool
tail_is_due(const struct corpus *c, const struct stream *s, uint64_t now_ms)
{
    if (s->writing.n == 0)
        return false;
    return s->now.tail_bytes >= c->options.tail_bytes ||
           (s->tail_since_ms > 0 &&
            now_ms >= s->tail_since_ms + c->options.tail_ms);
}

static void
choose_compressor(struct corpus *c)
{
    uint64_t n = 0;

    for (size_t i = 0; i < c->streams_n; i++)
        n += c->stream[i].writing.n;
    c->compressor = n >= FAST_FROM ? c->fast : c->careful;
}

static enum status
write_stream(struct corpus *c, struct stream *s, uint64_t now_ms, bool all)
{
    bool packed =
        s->writing.n > 0 && (all || s->writing.n >= c->options.tail_bytes);
    enum status st = ST_OK;

    if (all || packed || s->turns || tail_is_due(c, s, now_ms))
        st = flush_tail(c, s);
    if (st == ST_OK && s->turns) {
        s->next.part++;
        s->next.part_bytes = s->next.part_text = 0;
    }
    if (st == ST_OK)
        st = packed ? write_members(c, s) : write_tail(c, s, now_ms);
    if (st == ST_OK && memcmp(&s->now, &s->next, sizeof s->now) != 0)
        st = record(c, s);
    return st;
}

enum status
corpus_write_over(struct corpus *c, uint64_t now_ms, bool all)
{
    enum status st = ST_OK;

    choose_compressor(c);
    for (size_t i = 0; i < c->streams_n && st == ST_OK; i++)
        st = write_stream(c, &c->stream[i], now_ms, all);
    if (st == ST_OK)
        return sync_files(c);
    buf_clear(&c->unsynced);
    return st;
}

enum status
corpus_write(struct corpus *c, uint64_t now_ms, bool all)
{
    corpus_hand_over(c);
    return corpus_write_over(c, now_ms, all);
}

/* Files back to what is committed; what cannot be cut off now is overwritten
 * by the next write or cut off at the next opening. */
static void
undo_files(struct corpus *c, struct stream *s)
{
    if (s->next.part != s->now.part)
        corpus_file_fit(stream_part(c->dir, s, s->next.part).z, 0);
    if (s->next.tail != s->now.tail || s->next.part != s->now.part)
        corpus_file_fit(stream_tail(c->dir, s, &s->next).z, 0);
    corpus_file_fit(stream_part(c->dir, s, s->now.part).z, s->now.part_bytes);
    corpus_file_fit(stream_tail(c->dir, s, &s->now).z, s->now.tail_bytes);
}

/* Old tails, when the commit that no longer needs them is on the disk. */
static void
remove_tails(struct corpus *c)
{
    bool synced = !c->options.sync;

    for (size_t i = 0; i < c->streams_n; i++) {
        const struct stream *s = &c->stream[i];

        if (s->next.tail == s->now.tail && s->next.part == s->now.part)
            continue;
        if (!synced && index_sync(c->index) != ST_OK)
            return; /* the next opening removes them */
        synced = true;
        corpus_file_fit(stream_tail(c->dir, s, &s->now).z, 0);
    }
}

void
corpus_undo(struct corpus *c)
{
    for (size_t i = 0; i < c->streams_n; i++) {
        struct stream *s = &c->stream[i];

        if (s->writing.n > 0 || memcmp(&s->now, &s->next, sizeof s->now) != 0)
            undo_files(c, s);
        s->next = s->now;
    }
}

void
corpus_done(struct corpus *c, bool committed)
{
    if (committed)
        remove_tails(c);
    else
        corpus_undo(c);
    for (size_t i = 0; i < c->streams_n; i++) {
        struct stream *s = &c->stream[i];

        s->now = s->next;
        buf_clear(&s->writing);
        if (committed)
            continue;
        buf_clear(&s->pending);
        place_at_end(s);
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
    if ((c->dir = strdup(dir)) == NULL ||
        (c->careful = libdeflate_alloc_compressor(LEVEL)) == NULL ||
        (c->fast = libdeflate_alloc_compressor(LEVEL_FAST)) == NULL)
        goto failed;
    if ((st = index_begin(x)) != ST_OK)
        goto failed;
    st = index_each_file(x, read_row, c);
    index_abort(x);
    if (st != ST_OK || (st = repair(c)) != ST_OK)
        goto failed;
    *out = c;
    return ST_OK;

failed:
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
    libdeflate_free_compressor(c->careful);
    libdeflate_free_compressor(c->fast);
    free(c->dir);
    free(c);
}
