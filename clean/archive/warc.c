/* warc.c -- reads records of either format, and finds the next one after
 * anything that is wrong.
 *
 * A record's stated length is believed when a record, the end, or a compressed
 * member's beginning follows it, or at least the line ends that the format
 * wants.  If not, it is rejected; when the record after it lies inside what was
 * taken for its block, that part is put back into the stream.  A file of many
 * such records could make that quadratic: what is put back is bounded by
 * UNREAD_RATIO times what has been read.
 *
 * Bounds: block_max bytes of a block are kept, the rest is read over; header
 * sizes in warc_impl.h; LOGGED_MAX faults of a file are logged, all counted. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "warc_impl.h"

#define UNREAD_RATIO 4
#define UNREAD_FREE ((uint64_t)64 << 20)
#define LOGGED_MAX 50
#define GAP_KEPT 64

struct warc {
    struct inflate_stream *in;
    const struct warc_syntax *syntax;
    const char *name;
    size_t block_max;
    struct buf head, block;
    struct warc_counts counts;
    uint64_t unread_n;
    bool resync;   /* until a record begins, all belongs to the last fault */
    bool reported; /* and so does the damage that the stream stands at */
};

enum warc_format
warc_sniff(struct str start)
{
    while (start.n > 0 && ascii_space(start.p[0]))
        start = str_sub(start, 1, start.n);
    if (warc_syntax.begins(start, false))
        return WARC_FORMAT_WARC;
    return arc_syntax.begins(start, true) ? WARC_FORMAT_ARC : WARC_FORMAT_NONE;
}

static void
reject(struct warc *w, enum warc_fault fault, uint64_t offset)
{
    w->counts.faults[fault]++;
    w->counts.faults_all++;
    w->resync = true;
    if (w->counts.faults_all <= LOGGED_MAX)
        log_warn("warc", "file=%s offset=%" PRIu64 " %s=%s why=\"%s\"", w->name,
                 inflate_stream_place(w->in, offset),
                 fault == WARC_FAULT_UNFINISHED ? "cut" : "skipped",
                 warc_fault_name(fault), warc_fault_text(fault));
    if (w->counts.faults_all == LOGGED_MAX)
        log_warn("warc", "file=%s more faults are counted, not logged",
                 w->name);
}

static bool
member_begins(const struct warc *w)
{
    uint64_t offset;

    return inflate_stream_form(w->in) != INFLATE_PLAIN &&
           inflate_stream_boundary(w->in, &offset);
}

static uint64_t
here(const struct warc *w)
{
    uint64_t offset;

    if (!inflate_stream_boundary(w->in, &offset))
        offset = inflate_stream_position(w->in);
    return offset;
}

/* Nothing is ahead: the end, or damage to get past. */
static enum status
get_past(struct warc *w)
{
    switch (inflate_stream_state(w->in)) {
    case INFLATE_END: return ST_NONE;
    case INFLATE_FAILED: return ST_IO;
    case INFLATE_GARBAGE:
        if (!w->reported)
            reject(w, WARC_FAULT_GARBAGE, inflate_stream_offset(w->in));
        break;
    default:
        if (!w->reported)
            reject(w, warc_short(w->in), inflate_stream_offset(w->in));
    }
    w->reported = false;
    if (inflate_stream_recover(w->in))
        return ST_OK;
    return inflate_stream_state(w->in) == INFLATE_FAILED ? ST_IO : ST_NONE;
}

/* To the beginning of the next record. */
static enum status
find(struct warc *w)
{
    enum status st;

    for (;;) {
        struct str s = inflate_stream_peek(w->in, w->syntax->begins_n);

        if (s.n == 0) {
            if ((st = get_past(w)) != ST_OK)
                return st;
        } else if (w->syntax->begins(s, w->resync && !member_begins(w))) {
            w->resync = false;
            return ST_OK;
        } else if (!w->resync && (s.p[0] == '\n' || s.p[0] == '\r')) {
            inflate_stream_skip(w->in, 1);
        } else {
            if (!w->resync)
                reject(w, WARC_FAULT_GARBAGE, here(w));
            inflate_stream_skip(
                w->in, w->syntax->scan(s, inflate_stream_state(w->in) !=
                                              INFLATE_OPEN));
        }
    }
}

/* Take the block of r->block_n bytes.  `member`: the record begins with a
 * compressed member, so where another begins with a record this one ends. */
static enum warc_fault
take_block(struct warc *w, struct warc_record *r, bool member)
{
    uint64_t left = r->block_n;

    while (left > 0) {
        struct str s = inflate_stream_peek(w->in, 1);
        size_t n, keep = w->block_max - w->block.n;

        if (s.n == 0)
            return warc_short(w->in);
        if (member && left < r->block_n && member_begins(w)) {
            s = inflate_stream_peek(w->in, w->syntax->begins_n);
            if (w->syntax->begins(s, true))
                return WARC_FAULT_TRUNCATED;
        }
        n = inflate_stream_to_boundary(w->in);
        n = n < s.n ? n : s.n;
        n = n < left ? n : (size_t)left;
        buf_add(&w->block, s.p, n < keep ? n : keep);
        inflate_stream_skip(w->in, n);
        left -= n;
    }
    return WARC_FAULT_NONE;
}

/* Past the line ends after the block; whether the block ended there.  They are
 * kept behind the block, should it have to be put back.  `member`: as above;
 * then what is left of the member must be a record, since its checksum has not
 * been seen yet. */
static enum warc_fault
take_gap(struct warc *w, bool member)
{
    size_t lines = 0;
    struct str s;

    for (size_t n = 0;; n++) {
        s = inflate_stream_peek(w->in, 1);
        if (member && member_begins(w))
            return WARC_FAULT_NONE;
        if (s.n == 0 || (s.p[0] != '\n' && s.p[0] != '\r'))
            break;
        lines += s.p[0] == '\n';
        if (n < GAP_KEPT)
            buf_char(&w->block, s.p[0]);
        inflate_stream_skip(w->in, 1);
    }
    if (member_begins(w))
        return WARC_FAULT_NONE;
    if (s.n == 0)
        return inflate_stream_state(w->in) == INFLATE_END ? WARC_FAULT_NONE
                                                          : warc_short(w->in);
    if ((lines >= w->syntax->gap && !member) ||
        w->syntax->begins(inflate_stream_peek(w->in, w->syntax->begins_n),
                          true))
        return WARC_FAULT_NONE;
    return WARC_FAULT_LENGTH;
}

/* The part of `s` that begins with the next record, empty: none does. */
static struct str
next_within(const struct warc *w, struct str s)
{
    while (s.n > 0) {
        s = str_sub(s, w->syntax->scan(s, true), s.n);
        if (w->syntax->begins(s, true))
            break;
    }
    return s;
}

/* Put back what of the block is the next record; when there is none, its end,
 * where one may begin. */
static void
unread(struct warc *w, uint64_t consumed)
{
    struct str all = buf_view(&w->block), s;
    uint64_t position = inflate_stream_position(w->in);
    size_t tail = w->syntax->begins_n;

    if (consumed != all.n)
        return; /* not all was kept: the stream would have a hole */
    s = next_within(w, all);
    if (s.n == 0)
        s = str_sub(all, all.n > tail ? all.n - tail : 0, all.n);
    if (w->unread_n + s.n > UNREAD_FREE + UNREAD_RATIO * position)
        return;
    w->unread_n += s.n;
    inflate_stream_unread(w->in, s);
}

/* Read a record at `start`, where a boundary is at r->offset if `boundary`. */
static enum warc_fault
take_record(struct warc *w, struct warc_record *r, bool boundary)
{
    bool compressed = inflate_stream_form(w->in) != INFLATE_PLAIN;
    enum warc_fault fault;
    uint64_t block_at;
    size_t block_n;

    buf_clear(&w->head);
    buf_clear(&w->block);
    if ((fault = w->syntax->gather(w->in, &w->head)) != WARC_FAULT_NONE ||
        (fault = w->syntax->parse(&w->head, r)) != WARC_FAULT_NONE)
        return fault;
    block_at = inflate_stream_position(w->in);
    fault = take_block(w, r, boundary && compressed);
    block_n = w->block.n;
    if (fault == WARC_FAULT_NONE)
        fault = take_gap(w, boundary && compressed);
    if (fault == WARC_FAULT_LENGTH || fault == WARC_FAULT_TRUNCATED)
        unread(w, inflate_stream_position(w->in) - block_at);
    r->block = str_n(w->block.p ? w->block.p : "", block_n);
    r->cut = r->truncated.n > 0 || r->block_n > block_n;
    return fault;
}

/* Whether a record that came short is the file's last one, and some of its
 * block is there.  Of any other nobody knows how much of that is its own. */
static bool
is_unfinished(struct warc *w, const struct warc_record *r)
{
    if (r->block.n == 0 || next_within(w, r->block).n > 0)
        return false;
    w->resync = true;
    return find(w) == ST_NONE;
}

/* Where the record ends that begins at `start`. */
static void
set_extent(struct warc *w, struct warc_record *r, bool boundary, uint64_t start)
{
    uint64_t end;

    r->decompressed = !boundary || !inflate_stream_boundary(w->in, &end);
    if (r->decompressed) {
        r->offset = start;
        end = inflate_stream_position(w->in);
    }
    r->length = end - r->offset;
}

static enum warc_fault
read_record(struct warc *w, struct warc_record *r)
{
    uint64_t start = inflate_stream_position(w->in);
    bool boundary = inflate_stream_boundary(w->in, &r->offset);
    enum warc_fault fault;

    if (!boundary)
        r->offset = start;
    fault = take_record(w, r, boundary);
    if (inflate_stream_position(w->in) == start) /* not the same again */
        inflate_stream_skip(w->in, 1);
    if (fault != WARC_FAULT_NONE)
        w->reported = inflate_stream_state(w->in) != INFLATE_OPEN &&
                      inflate_stream_state(w->in) != INFLATE_GARBAGE;
    if (fault == WARC_FAULT_TRUNCATED && is_unfinished(w, r))
        fault = WARC_FAULT_UNFINISHED;
    r->unfinished = fault == WARC_FAULT_UNFINISHED;
    if (fault == WARC_FAULT_NONE || r->unfinished)
        set_extent(w, r, boundary, start);
    return fault;
}

enum status
warc_next(struct warc *w, struct warc_record *r)
{
    enum status st;

    while ((st = find(w)) == ST_OK) {
        enum warc_fault fault;

        *r = (struct warc_record){0};
        if ((fault = read_record(w, r)) != WARC_FAULT_NONE)
            reject(w, fault, r->offset);
        if (fault == WARC_FAULT_NONE || r->unfinished) {
            w->counts.records[r->type]++;
            return ST_OK;
        }
    }
    return st;
}

const struct warc_counts *
warc_counts(const struct warc *w)
{
    return &w->counts;
}

struct warc *
warc_new(struct inflate_stream *in, enum warc_format format, const char *name,
         size_t block_max)
{
    struct warc *w = memory_need(calloc(1, sizeof *w));

    w->in = in;
    w->syntax = format == WARC_FORMAT_ARC ? &arc_syntax : &warc_syntax;
    w->name = name;
    w->block_max = block_max;
    return w;
}

void
warc_free(struct warc *w)
{
    if (w == NULL)
        return;
    buf_free(&w->head);
    buf_free(&w->block);
    free(w);
}

const char *
warc_instead_of_pages(const struct warc_counts *n)
{
    if (n->records[WARC_RESPONSE] > 0 || n->records[WARC_RESOURCE] > 0 ||
        n->records[WARC_REVISIT] > 0)
        return NULL;
    return n->records[WARC_CONVERSION] > 0 ? "conversion records (WET) hold "
                                             "the text of pages, which winnow "
                                             "run reads"
           : n->records[WARC_METADATA] > 0 ? "metadata records (WAT) hold "
                                             "what is known of pages"
                                           : NULL;
}
