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
 * Bounds: CORPUS_STREAMS_MAX streams; memory for what is added between two
 * writes, and for one member. */
#include "corpus.h"

#include <assert.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpus_file.h"
#include "winnow/log.h"

enum {
    LEVEL = 6,
    STATE_SIZE = 5 * 8,
    NAME_MAX_BYTES = 64,
    MEMBER_MAX = 64 << 20
};

static const struct {
    const char *folder, *stem;
} groups[CORPUS_GROUPS_N] = {
    [CORPUS_KEPT] = {"corpus", "part"},
    [CORPUS_REJECTED] = {"rejected", "part"},
    [CORPUS_EXACT_DUPLICATE] = {"rejected", "exact_duplicate"},
    [CORPUS_NEAR_DUPLICATE] = {"rejected", "near_duplicate"},
};

struct state {
    uint64_t part, part_bytes, part_text; /* text: before compression */
    uint64_t tail, tail_bytes;
};

struct stream {
    enum corpus_group group;
    char suffix[CORPUS_SUFFIX_MAX + 1];
    struct state now, next; /* committed; being written */
    struct buf pending;
    uint64_t tail_since_ms; /* first write to this tail, 0: not yet */
};

struct corpus {
    char *dir;
    struct index *index;
    struct corpus_options options;
    struct libdeflate_compressor *compressor;
    struct stream stream[CORPUS_STREAMS_MAX];
    size_t streams_n;
    struct buf text, member; /* work space of a flush */
};

/* ---- names ---- */

static struct path
folder_path(const struct corpus *c, enum corpus_group group)
{
    return path_printf("%s/%s", c->dir, groups[group].folder);
}

static struct path
part_path(const struct corpus *c, const struct stream *s, uint64_t part)
{
    return path_printf("%s/%s/%s-%06llu.%s.gz", c->dir, groups[s->group].folder,
                       groups[s->group].stem, (unsigned long long)part,
                       s->suffix);
}

static struct path
tail_path(const struct corpus *c, const struct stream *s,
          const struct state *state)
{
    return path_printf("%s/%s/%s-%06llu.%s.tail-%06llu", c->dir,
                       groups[s->group].folder, groups[s->group].stem,
                       (unsigned long long)state->part, s->suffix,
                       (unsigned long long)state->tail);
}

/* The number at the start of *s, which is moved behind it. */
static bool
take_number(struct str *s, uint64_t *out)
{
    size_t n = 0;

    while (n < s->n && ascii_digit(s->p[n]))
        n++;
    if (!str_u64(str_sub(*s, 0, n), out))
        return false;
    *s = str_sub(*s, n, s->n);
    return true;
}

static bool
take(struct str *s, struct str expected)
{
    if (!str_starts(*s, expected))
        return false;
    *s = str_sub(*s, expected.n, s->n);
    return true;
}

/* Does this stream make files of this name?  tail 0: a part. */
static bool
parse_name(const struct stream *s, struct str name, uint64_t *part,
           uint64_t *tail)
{
    *tail = 0;
    if (!take(&name, str_c(groups[s->group].stem)) || !take(&name, S("-")) ||
        !take_number(&name, part) || !take(&name, S(".")) ||
        !take(&name, str_c(s->suffix)))
        return false;
    if (str_eq(name, S(".gz")))
        return true;
    return take(&name, S(".tail-")) && take_number(&name, tail) &&
           name.n == 0 && *tail > 0;
}

/* ---- rows of the index ---- */

static void
pack_state(const struct state *s, unsigned char to[STATE_SIZE])
{
    store_pack(to, s->part, 8);
    store_pack(to + 8, s->part_bytes, 8);
    store_pack(to + 16, s->part_text, 8);
    store_pack(to + 24, s->tail, 8);
    store_pack(to + 32, s->tail_bytes, 8);
}

static enum status
record(struct corpus *c, const struct stream *s)
{
    unsigned char state[STATE_SIZE];
    char name[NAME_MAX_BYTES];

    pack_state(&s->next, state);
    snprintf(name, sizeof name, "%s/%s.%s", groups[s->group].folder,
             groups[s->group].stem, s->suffix);
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

static struct stream *
add_stream(struct corpus *c, enum corpus_group group, struct str suffix)
{
    struct stream *s;

    if (c->streams_n == CORPUS_STREAMS_MAX || suffix.n == 0 ||
        suffix.n > CORPUS_SUFFIX_MAX)
        return NULL;
    s = &c->stream[c->streams_n++];
    *s = (struct stream){.group = group, .now = {.part = 1, .tail = 1}};
    memcpy(s->suffix, suffix.p, suffix.n);
    return s;
}

static enum status
read_row(void *self, struct str name, struct str state)
{
    struct corpus *c = self;
    const char *p = state.p;
    struct stream *s = NULL;

    for (int g = 0; g < CORPUS_GROUPS_N; g++) {
        struct str rest = name;

        if (take(&rest, str_c(groups[g].folder)) && take(&rest, S("/")) &&
            take(&rest, str_c(groups[g].stem)) && take(&rest, S(".")))
            s = add_stream(c, (enum corpus_group)g, rest);
    }
    if (s == NULL || state.n != STATE_SIZE) {
        log_error("corpus", "the index has a row that cannot be read: %.*s",
                  STRF(name));
        return ST_STORE;
    }
    s->now = (struct state){store_unpack(p, 8), store_unpack(p + 8, 8),
                            store_unpack(p + 16, 8), store_unpack(p + 24, 8),
                            store_unpack(p + 32, 8)};
    return ST_OK;
}

/* ---- repair ---- */

static enum status
unknown_file(const struct corpus *c, const struct stream *s, struct str name)
{
    log_error("corpus",
              "%s/%.*s: the index does not know this file: move it "
              "away",
              folder_path(c, s->group).z, STRF(name));
    return ST_USAGE;
}

struct visit {
    struct corpus *c;
    struct stream *s;
};

/* A file of this stream: keep, remove (left by a crash), or refuse. */
static enum status
check_file(void *self, struct str name)
{
    const struct visit *v = self;
    const struct state *now = &v->s->now;
    uint64_t part, tail;

    if (!parse_name(v->s, name, &part, &tail))
        return ST_OK;
    if (tail == 0 ? part <= now->part : part == now->part && tail == now->tail)
        return ST_OK;
    if (part > now->part + 1)
        return unknown_file(v->c, v->s, name);
    return corpus_file_fit(
        path_printf("%s/%.*s", folder_path(v->c, v->s->group).z, STRF(name)).z,
        0);
}

/* Nothing of this stream is recorded: then there must be no files of it. */
static enum status
check_absent(void *self, struct str name)
{
    const struct visit *v = self;
    uint64_t part, tail;

    return parse_name(v->s, name, &part, &tail) ? unknown_file(v->c, v->s, name)
                                                : ST_OK;
}

/* An index that knows no stream must not meet a corpus. */
static enum status
check_no_corpus(void *self, struct str name)
{
    const struct corpus *c = self;
    struct str rest = name;
    uint64_t part;

    if (!take(&rest, str_c(groups[CORPUS_KEPT].stem)) || !take(&rest, S("-")) ||
        !take_number(&rest, &part) || !str_starts(rest, S(".")))
        return ST_OK;
    log_error("corpus",
              "%s/%.*s: there is a corpus but no index of it in "
              "%s/dedup: move it away or use another folder",
              folder_path(c, CORPUS_KEPT).z, STRF(name), c->dir);
    return ST_USAGE;
}

static enum status
repair(struct corpus *c)
{
    struct path kept = folder_path(c, CORPUS_KEPT);
    enum status st = corpus_file_folder(kept.z);

    if (st == ST_OK && c->streams_n == 0)
        st = corpus_file_walk(kept.z, check_no_corpus, c);

    for (size_t i = 0; i < c->streams_n && st == ST_OK; i++) {
        struct stream *s = &c->stream[i];
        struct visit v = {c, s};
        struct path folder = folder_path(c, s->group);

        s->next = s->now;
        st = corpus_file_fit(part_path(c, s, s->now.part).z, s->now.part_bytes);
        if (st == ST_OK)
            st = corpus_file_fit(tail_path(c, s, &s->now).z, s->now.tail_bytes);
        if (st == ST_OK && (st = corpus_file_folder(folder.z)) == ST_OK)
            st = corpus_file_walk(folder.z, check_file, &v);
    }
    return st;
}

enum status
corpus_prepare(struct corpus *c, enum corpus_group group, struct str suffix)
{
    struct stream *s = find(c, group, suffix);
    struct visit v = {c, NULL};
    struct path folder = folder_path(c, group);
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
    v.s = s;
    if ((st = corpus_file_walk(folder.z, check_absent, &v)) != ST_OK ||
        (st = index_begin(c->index)) != ST_OK)
        goto undo;
    if ((st = record(c, s)) != ST_OK)
        index_abort(c->index);
    else
        st = index_commit(c->index);
    if (st == ST_OK)
        return ST_OK;
undo:
    c->streams_n--;
    return st;
}

/* ---- writing ---- */

void
corpus_add(struct corpus *c, enum corpus_group group, struct str suffix,
           struct str bytes)
{
    struct stream *s = find(c, group, suffix);

    assert(s != NULL); /* prepared */
    buf_str(&s->pending, bytes);
}

static enum status
append_member(struct corpus *c, struct stream *s)
{
    size_t bound = libdeflate_gzip_compress_bound(c->compressor, c->text.n);
    enum status st;

    buf_clear(&c->member);
    buf_reserve(&c->member, bound);
    c->member.n = libdeflate_gzip_compress(c->compressor, c->text.p, c->text.n,
                                           c->member.p, bound);
    assert(c->member.n > 0);
    st = corpus_file_append(part_path(c, s, s->next.part).z, s->next.part_bytes,
                            buf_view(&c->member), c->options.sync);
    s->next.part_bytes += c->member.n;
    s->next.part_text += c->text.n;
    return st;
}

/* The committed tail becomes a member of the part; a new tail begins. */
static enum status
flush_tail(struct corpus *c, struct stream *s)
{
    struct path tail = tail_path(c, s, &s->now);
    uint64_t done = 0, left;
    enum status st = ST_OK;

    for (; (left = s->now.tail_bytes - done) > 0 && st == ST_OK;) {
        size_t n = left > MEMBER_MAX ? MEMBER_MAX : (size_t)left;

        if ((st = corpus_file_read(tail.z, done, n, &c->text)) == ST_OK)
            st = append_member(c, s);
        done += n;
    }
    if (done > 0) {
        s->next.tail++;
        s->next.tail_bytes = 0;
        s->tail_since_ms = 0;
    }
    return st;
}

static enum status
write_tail(struct corpus *c, struct stream *s, uint64_t now_ms)
{
    enum status st;

    if (s->pending.n == 0)
        return ST_OK;
    st = corpus_file_append(tail_path(c, s, &s->next).z, s->next.tail_bytes,
                            buf_view(&s->pending), c->options.sync);
    s->next.tail_bytes += s->pending.n;
    if (s->tail_since_ms == 0)
        s->tail_since_ms = now_ms;
    return st;
}

static bool
tail_is_due(const struct corpus *c, const struct stream *s, uint64_t now_ms)
{
    if (s->pending.n == 0)
        return false;
    return s->now.tail_bytes >= c->options.tail_bytes ||
           (s->tail_since_ms > 0 &&
            now_ms >= s->tail_since_ms + c->options.tail_ms);
}

/* Is a part of this group full?  Only looked at when something is written. */
static bool
group_is_full(const struct corpus *c, enum corpus_group group)
{
    bool full = false, written = false;

    for (size_t i = 0; i < c->streams_n; i++) {
        const struct stream *s = &c->stream[i];

        if (s->group != group)
            continue;
        written = written || s->pending.n > 0;
        full = full ||
               s->now.part_text + s->now.tail_bytes >= c->options.split_bytes;
    }
    return full && written;
}

enum status
corpus_write(struct corpus *c, uint64_t now_ms, bool all)
{
    bool full[CORPUS_GROUPS_N];
    enum status st = ST_OK;

    for (int g = 0; g < CORPUS_GROUPS_N; g++)
        full[g] = group_is_full(c, (enum corpus_group)g);
    for (size_t i = 0; i < c->streams_n && st == ST_OK; i++) {
        struct stream *s = &c->stream[i];

        if (all || full[s->group] || tail_is_due(c, s, now_ms))
            st = flush_tail(c, s);
        if (st == ST_OK && full[s->group]) {
            s->next.part++;
            s->next.part_bytes = s->next.part_text = 0;
        }
        if (st == ST_OK)
            st = write_tail(c, s, now_ms);
        if (st == ST_OK && memcmp(&s->now, &s->next, sizeof s->now) != 0)
            st = record(c, s);
    }
    return st;
}

/* Files back to what is committed; what cannot be cut off now is overwritten
 * by the next write or cut off at the next opening. */
static void
undo_files(struct corpus *c, struct stream *s)
{
    if (s->next.part != s->now.part)
        corpus_file_fit(part_path(c, s, s->next.part).z, 0);
    if (s->next.tail != s->now.tail || s->next.part != s->now.part)
        corpus_file_fit(tail_path(c, s, &s->next).z, 0);
    corpus_file_fit(part_path(c, s, s->now.part).z, s->now.part_bytes);
    corpus_file_fit(tail_path(c, s, &s->now).z, s->now.tail_bytes);
}

void
corpus_done(struct corpus *c, bool committed)
{
    for (size_t i = 0; i < c->streams_n; i++) {
        struct stream *s = &c->stream[i];
        bool changed = memcmp(&s->now, &s->next, sizeof s->now) != 0;

        if (!committed && (changed || s->pending.n > 0)) {
            undo_files(c, s);
            s->next = s->now;
        } else if (committed && changed) {
            if (s->next.tail != s->now.tail || s->next.part != s->now.part)
                corpus_file_fit(tail_path(c, s, &s->now).z, 0);
            s->now = s->next;
        }
        buf_clear(&s->pending);
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
        (c->compressor = libdeflate_alloc_compressor(LEVEL)) == NULL)
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
    for (size_t i = 0; i < c->streams_n; i++)
        buf_free(&c->stream[i].pending);
    buf_free(&c->text);
    buf_free(&c->member);
    if (c->compressor != NULL)
        libdeflate_free_compressor(c->compressor);
    free(c->dir);
    free(c);
}
