/* inflate_stream.c -- a window of compressed bytes, a window of decompressed
 * ones, and marks where members begin.
 *
 * A gzip member that lies whole in the input window and fits the output window
 * goes through libdeflate, any other through zlib.  After damage the next
 * member is searched from the byte after the beginning of the damaged one (a
 * cut-off member runs into its successor before anybody notices), as far as the
 * window still holds it.
 *
 * Bounds: IN_CAP and OUT_CAP; a member may expand by BOMB_RATIO once it has
 * given BOMB_FREE bytes (deflate's limit is 1032, which real pages are far
 * from); a dictionary may have DICTIONARY_MAX bytes. */
#include "inflate_stream.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "decoder.h"
#include "gzip_member.h"
#include "marks.h"

#define IN_CAP ((size_t)1 << 20)
#define OUT_CAP ((size_t)1 << 20)
#define IN_AHEAD ((size_t)128 << 10) /* wanted before a member is begun */
#define BOMB_FREE ((uint64_t)256 << 20)
#define BOMB_RATIO 500
#define DICTIONARY_MAX ((size_t)16 << 20)
#define GZIP_HEAD 10
#define ZSTD_HEAD 4
#define LOST SIZE_MAX

struct inflate_stream {
    struct inflate_source source;
    uint64_t (*place)(void *self, uint64_t offset); /* NULL: the same */
    enum inflate_form form;
    enum inflate_state state;
    struct decoder *decoder;
    struct gzip_member *whole;

    char *in;
    size_t in_from, in_to;
    uint64_t in_base; /* file offset of in[0] */
    bool in_eof;

    bool inside, fresh; /* a member was begun; nothing of it is decoded */
    size_t member_at;   /* its beginning in `in`, or LOST */
    uint64_t member_in, member_out;

    char *out;
    size_t out_cap, out_from, out_to;
    uint64_t position;  /* of out[out_from] */
    struct marks marks; /* where members begin */
};

/* --- compressed bytes --- */

/* Make room by dropping what is used up; a member's beginning is kept while
 * that leaves half of the window. */
static void
shift_in(struct inflate_stream *s)
{
    size_t keep = s->in_from;

    if (s->inside && s->member_at != LOST && s->member_at >= IN_CAP / 2)
        keep = s->member_at;
    else if (s->inside)
        s->member_at = LOST;
    memmove(s->in, s->in + keep, s->in_to - keep);
    s->in_base += keep;
    s->in_from -= keep;
    s->in_to -= keep;
    if (s->inside && s->member_at != LOST)
        s->member_at -= keep;
}

/* Read more.  False: the end, or a fault. */
static bool
refill(struct inflate_stream *s)
{
    ptrdiff_t n;

    if (s->in_eof)
        return false;
    if (s->in_to == IN_CAP)
        shift_in(s);
    assert(s->in_to < IN_CAP);
    n = s->source.read(s->source.self, s->in + s->in_to, IN_CAP - s->in_to);
    if (n <= 0) {
        s->in_eof = true;
        if (n < 0)
            s->state = INFLATE_FAILED;
        return false;
    }
    s->in_to += (size_t)n;
    return true;
}

static size_t
in_ahead(struct inflate_stream *s, size_t want)
{
    while (s->in_to - s->in_from < want && refill(s))
        ;
    return s->in_to - s->in_from;
}

static uint32_t
le32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return (uint32_t)u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 |
           (uint32_t)u[3] << 24;
}

static bool
gzip_begins(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return u[0] == 0x1f && u[1] == 0x8b && u[2] == 8 && (u[3] & 0xe0) == 0;
}

/* Stricter, for searching: extra flags and system that writers really give. */
static bool
gzip_surely_begins(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return gzip_begins(p) && (u[8] == 0 || u[8] == 2 || u[8] == 4) &&
           (u[9] <= 13 || u[9] == 255);
}

static bool
zstd_begins(const char *p)
{
    return le32(p) == 0xfd2fb528;
}

static bool
zstd_skippable(const char *p)
{
    return (le32(p) & 0xfffffff0) == 0x184d2a50;
}

/* --- zstd frames that hold no data --- */

/* Take n bytes, into `p` if not NULL.  False: the file ends before. */
static bool
take(struct inflate_stream *s, char *p, uint64_t n)
{
    while (n > 0) {
        size_t ahead = in_ahead(s, 1);

        if (ahead == 0)
            return false;
        if (ahead > n)
            ahead = (size_t)n;
        if (p != NULL) {
            memcpy(p, s->in + s->in_from, ahead);
            p += ahead;
        }
        s->in_from += ahead;
        n -= ahead;
    }
    return true;
}

static bool
load_dictionary(struct inflate_stream *s, uint32_t size)
{
    struct decoder *with = NULL;
    size_t n = size;
    char *p;

    if (size > DICTIONARY_MAX || (p = malloc(n + 1)) == NULL)
        return take(s, NULL, size) && false;
    if (take(s, p, n))
        with = decoder_zstd(str_n(p, n));
    free(p);
    if (with == NULL)
        return false;
    decoder_free(s->decoder);
    s->decoder = with;
    return true;
}

/* Past skippable frames.  False: the state says why. */
static bool
skip_frames(struct inflate_stream *s)
{
    while (in_ahead(s, 8) >= 8 && zstd_skippable(s->in + s->in_from)) {
        bool dictionary = s->in_base + s->in_from == 0 &&
                          le32(s->in + s->in_from) == 0x184d2a5d;
        uint32_t size = le32(s->in + s->in_from + 4);

        s->in_from += 8;
        if (dictionary ? !load_dictionary(s, size) : !take(s, NULL, size)) {
            if (s->state == INFLATE_OPEN)
                s->state = dictionary ? INFLATE_DAMAGED : INFLATE_SHORT;
            return false;
        }
    }
    return true;
}

/* --- members --- */

/* Zeros between members or behind the last are padding (blocks of a tape, or of
 * a file that was laid out ahead), as they are to gzip. */
static void
skip_padding(struct inflate_stream *s)
{
    while (in_ahead(s, 1) > 0 && s->in[s->in_from] == '\0')
        s->in_from++;
}

/* At the beginning of a member?  False: the state says why not. */
static bool
begin(struct inflate_stream *s)
{
    static const char first[] = {0, '\x1f', '\x28'}; /* by form */
    size_t n, head = s->form == INFLATE_GZIP ? GZIP_HEAD : ZSTD_HEAD;
    const char *p;

    if (s->form == INFLATE_ZSTD && !skip_frames(s))
        return false;
    if (s->form == INFLATE_GZIP)
        skip_padding(s);
    n = in_ahead(s, s->form == INFLATE_PLAIN ? 1 : IN_AHEAD);
    p = s->in + s->in_from;
    if (s->state != INFLATE_OPEN)
        return false;
    if (n == 0)
        s->state = INFLATE_END;
    else if (s->form != INFLATE_PLAIN && n < head)
        s->state = p[0] == first[s->form] ? INFLATE_SHORT : INFLATE_GARBAGE;
    else if (s->form != INFLATE_PLAIN &&
             !(s->form == INFLATE_GZIP ? gzip_begins(p) : zstd_begins(p)))
        s->state = INFLATE_GARBAGE;
    else if (s->form != INFLATE_PLAIN && !decoder_restart(s->decoder))
        s->state = INFLATE_FAILED;
    /* of a file that ends in the head of a member what is before it is whole */
    if (s->form != INFLATE_PLAIN &&
        (s->state == INFLATE_OPEN || s->state == INFLATE_SHORT))
        marks_add(&s->marks, s->position + (s->out_to - s->out_from),
                  s->in_base + s->in_from);
    if (s->state != INFLATE_OPEN)
        return false;
    s->inside = s->fresh = true;
    s->member_at = s->in_from;
    s->member_in = s->member_out = 0;
    return true;
}

static void
fill_plain(struct inflate_stream *s)
{
    size_t n = s->in_to - s->in_from, room = s->out_cap - s->out_to;

    if (n > room)
        n = room;
    memcpy(s->out + s->out_to, s->in + s->in_from, n);
    s->in_from += n;
    s->out_to += n;
    s->inside = false;
}

static bool
fill_whole(struct inflate_stream *s)
{
    size_t used, made;

    if (s->form != INFLATE_GZIP ||
        !gzip_member_read(
            s->whole, str_n(s->in + s->in_from, s->in_to - s->in_from),
            s->out + s->out_to, s->out_cap - s->out_to, &used, &made))
        return false;
    s->in_from += used;
    s->out_to += made;
    s->inside = false;
    return true;
}

static void
fill_some(struct inflate_stream *s)
{
    struct decoder_io io = {s->in + s->in_from, s->in_to - s->in_from,
                            s->out + s->out_to, s->out_cap - s->out_to};
    enum decoder_state state = decoder_step(s->decoder, &io);
    size_t used = s->in_to - s->in_from - io.in_n;
    size_t made = s->out_cap - s->out_to - io.out_n;

    s->in_from += used;
    s->out_to += made;
    s->member_in += used;
    s->member_out += made;
    if (state == DECODER_BAD || (used == 0 && made == 0 && io.in_n > 0))
        s->state = INFLATE_DAMAGED;
    else if (state == DECODER_END)
        s->inside = false;
    else if (used == 0 && made == 0 && !refill(s) && s->state == INFLATE_OPEN)
        s->state = INFLATE_SHORT;
    else if (s->member_out > BOMB_FREE &&
             s->member_out / BOMB_RATIO > s->member_in)
        s->state = INFLATE_BOMB;
}

static void
fill(struct inflate_stream *s)
{
    if (s->out_from > 0) {
        memmove(s->out, s->out + s->out_from, s->out_to - s->out_from);
        s->out_to -= s->out_from;
        s->out_from = 0;
    }
    if (!s->inside && !begin(s))
        return;
    if (s->form == INFLATE_PLAIN) {
        fill_plain(s);
        return;
    }
    if (s->fresh && fill_whole(s))
        return;
    s->fresh = false;
    fill_some(s);
}

/* --- the decompressed stream --- */

struct str
inflate_stream_peek(struct inflate_stream *s, size_t want)
{
    assert(want <= INFLATE_PEEK_MAX);
    while (s->out_to - s->out_from < want && s->state == INFLATE_OPEN)
        fill(s);
    return str_n(s->out + s->out_from, s->out_to - s->out_from);
}

void
inflate_stream_skip(struct inflate_stream *s, size_t n)
{
    assert(n <= s->out_to - s->out_from);
    s->out_from += n;
    s->position += n;
    marks_forget(&s->marks, s->position);
}

void
inflate_stream_skip_mark(struct inflate_stream *s)
{
    struct str ahead = inflate_stream_peek(s, 3);

    inflate_stream_skip(s, ahead.n - str_unmarked(ahead).n);
}

void
inflate_stream_unread(struct inflate_stream *s, struct str bytes)
{
    size_t ahead = s->out_to - s->out_from;

    s->position -= bytes.n;
    if (bytes.n > s->out_from) {
        if (bytes.n + ahead > s->out_cap) {
            s->out = memory_need(realloc(s->out, bytes.n + ahead));
            s->out_cap = bytes.n + ahead;
        }
        memmove(s->out + bytes.n, s->out + s->out_from, ahead);
        s->out_from = bytes.n;
        s->out_to = bytes.n + ahead;
    }
    s->out_from -= bytes.n;
    memcpy(s->out + s->out_from, bytes.p, bytes.n);
}

uint64_t
inflate_stream_position(const struct inflate_stream *s)
{
    return s->position;
}

uint64_t
inflate_stream_offset(const struct inflate_stream *s)
{
    return s->form == INFLATE_PLAIN ? s->position : s->in_base + s->in_from;
}

void
inflate_stream_set_place(struct inflate_stream *s,
                         uint64_t (*place)(void *self, uint64_t offset))
{
    s->place = place;
}

uint64_t
inflate_stream_place(const struct inflate_stream *s, uint64_t offset)
{
    return s->place != NULL ? s->place(s->source.self, offset) : offset;
}

bool
inflate_stream_boundary(const struct inflate_stream *s, uint64_t *offset)
{
    if (s->form == INFLATE_PLAIN)
        *offset = s->position;
    else if (marks_here(&s->marks, s->position, offset))
        return true;
    else if (s->out_from == s->out_to &&
             (s->state == INFLATE_END || s->state == INFLATE_GARBAGE))
        *offset = s->in_base + s->in_from;
    else
        return false;
    return true;
}

size_t
inflate_stream_to_boundary(const struct inflate_stream *s)
{
    return marks_ahead(&s->marks, s->position);
}

/* Move in_from to the next beginning of a member.  False: none. */
static bool
search(struct inflate_stream *s)
{
    size_t head = s->form == INFLATE_GZIP ? GZIP_HEAD : ZSTD_HEAD;

    while (in_ahead(s, IN_AHEAD) >= head) {
        size_t last = s->in_to - head;

        for (; s->in_from <= last; s->in_from++) {
            const char *p = s->in + s->in_from;

            if (s->form == INFLATE_GZIP ? gzip_surely_begins(p)
                                        : zstd_begins(p))
                return true;
        }
    }
    s->in_from = s->in_to;
    return false;
}

bool
inflate_stream_recover(struct inflate_stream *s)
{
    s->position += s->out_to - s->out_from;
    s->out_from = s->out_to = 0;
    s->marks.from = s->marks.n = 0;
    if (s->state == INFLATE_END || s->state == INFLATE_FAILED ||
        s->form == INFLATE_PLAIN)
        return false;
    if (s->inside && s->member_at != LOST)
        s->in_from = s->member_at;
    if (s->inside || s->state == INFLATE_GARBAGE)
        s->in_from += s->in_from < s->in_to;
    s->inside = false;
    s->state = INFLATE_OPEN;
    if (search(s))
        return true;
    if (s->state == INFLATE_OPEN)
        s->state = INFLATE_END;
    return false;
}

enum inflate_form
inflate_stream_form(const struct inflate_stream *s)
{
    return s->form;
}

enum inflate_state
inflate_stream_state(const struct inflate_stream *s)
{
    return s->state;
}

static enum inflate_form
sniff(struct inflate_stream *s)
{
    size_t n = in_ahead(s, GZIP_HEAD);

    if (n >= GZIP_HEAD && gzip_begins(s->in))
        return INFLATE_GZIP;
    if (n >= 8 && (zstd_begins(s->in) || zstd_skippable(s->in)))
        return INFLATE_ZSTD;
    return INFLATE_PLAIN;
}

enum status
inflate_stream_open(struct inflate_stream **out, struct inflate_source source)
{
    struct inflate_stream *s = calloc(1, sizeof *s);

    if (s == NULL)
        return ST_NOMEM;
    s->source = source;
    s->out_cap = OUT_CAP;
    if ((s->in = malloc(IN_CAP)) == NULL || (s->out = malloc(OUT_CAP)) == NULL)
        goto nomem;
    s->form = sniff(s);
    if (s->form == INFLATE_GZIP && ((s->decoder = decoder_gzip()) == NULL ||
                                    (s->whole = gzip_member_new()) == NULL))
        goto nomem;
    if (s->form == INFLATE_ZSTD &&
        (s->decoder = decoder_zstd((struct str){0})) == NULL)
        goto nomem;
    *out = s;
    return ST_OK;

nomem:
    inflate_stream_close(s);
    return ST_NOMEM;
}

void
inflate_stream_close(struct inflate_stream *s)
{
    if (s == NULL)
        return;
    decoder_free(s->decoder);
    gzip_member_free(s->whole);
    marks_free(&s->marks);
    free(s->in);
    free(s->out);
    free(s);
}
