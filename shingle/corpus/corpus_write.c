/* corpus_write.c -- what was handed over, to files: tails, members of parts.
 *
 * Files are written, and synced all together, before the commit that records
 * their new lengths; a tail that is in a part now is removed when that commit
 * is on the disk. */
#include "base/warc/warc_record.h"
#include "corpus_inside.h"

/* FAST_FROM bytes since the last write: the crawl is a fast one. */
enum { FAST_FROM = 4 << 20, MEMBER_MAX = 64 << 20 };

static void
add_member(struct corpus *c, struct str text)
{
    gzip_members_add(c->gzip, text, &c->member);
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
    if (!corpus_stream_is_warc(s)) {
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
    gzip_members_choose(c->gzip, n >= FAST_FROM);
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
        st = corpus_stream_row(c, s);
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
corpus_done(struct corpus *c)
{
    remove_tails(c);
    for (size_t i = 0; i < c->streams_n; i++) {
        struct stream *s = &c->stream[i];

        s->now = s->next;
        s->turns = false;
        buf_clear(&s->writing);
    }
}
