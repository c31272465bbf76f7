/* content_coding.c -- see content_coding.h.
 *
 * Whole gzip bodies go through libdeflate, which takes 65 us for a usual page
 * of 79 kB where zlib takes 170; zlib sees to the rest.
 *
 * Bounds: CODINGS_MAX codings are undone, and none makes more than max bytes,
 * however small its input. */
#include "content_coding.h"

#include "base/memory.h"
#include "decoder.h"
#include "gzip_member.h"

#define CODINGS_MAX 4
#define GROWTH 5 /* of usual pages */
#define ROOM_LEAST ((size_t)16384)
#define GZIP_GROWTH_MAX 1032    /* of any */
#define GZIP_LEAST ((size_t)18) /* header and trailer of a member */
#define TEXT_LOOK 512 /* bytes that tell text from compressed data ... */
#define TEXT_LEAST 64 /* ... of a body of so many at least */

enum coding { NO_CODING, GZIP, DEFLATE, BROTLI, ZSTD };

static enum coding
coding_of(struct str name)
{
    static const struct {
        struct str name;
        enum coding coding;
    } known[] = {{STR("gzip"), GZIP},
                 {STR("x-gzip"), GZIP},
                 {STR("deflate"), DEFLATE},
                 {STR("br"), BROTLI},
                 {STR("zstd"), ZSTD}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_eq_nocase(name, known[i].name))
            return known[i].coding;
    return NO_CODING;
}

/* NULL: the body does not begin as such a coding does. */
static struct decoder *
decoder_for(enum coding coding, struct str body)
{
    const unsigned char *u = (const unsigned char *)body.p;

    if (body.n < 2)
        return NULL;
    switch (coding) {
    case NO_CODING: break;
    case GZIP:
        return u[0] == 0x1f && u[1] == 0x8b ? memory_need(decoder_gzip())
                                            : NULL;
    case DEFLATE: /* with zlib's header or without, and both are met */
        return memory_need((u[0] & 15) == 8 && (u[0] * 256 + u[1]) % 31 == 0
                               ? decoder_zlib()
                               : decoder_deflate());
    case BROTLI: return memory_need(decoder_brotli());
    case ZSTD:
        return u[0] == 0x28 && u[1] == 0xb5 ? memory_need(decoder_zstd(S("")))
                                            : NULL;
    }
    return NULL;
}

static bool
looks_like_markup(struct str s)
{
    if (str_starts(s, S("\xef\xbb\xbf")))
        s = str_sub(s, 3, s.n);
    for (size_t i = 0; i < s.n && i < 64; i++)
        if (!ascii_space(s.p[i]))
            return s.p[i] == '<';
    return false;
}

/* Of compressed data every tenth byte is a control character. */
static bool
looks_like_text(struct str s)
{
    if (s.n < TEXT_LEAST)
        return false;
    for (size_t i = 0; i < s.n && i < TEXT_LOOK; i++)
        if ((unsigned char)s.p[i] < ' ' && !ascii_space(s.p[i]))
            return false;
    return true;
}

static bool
is_text(struct str s)
{
    return s.n == 0 || looks_like_markup(s) || looks_like_text(s);
}

/* One member of gzip that is all there, as its last four bytes say how much it
 * holds (RFC 1952, section 2.3.1). */
static bool
undo_whole_gzip(struct str body, size_t max, struct buf *out)
{
    struct gzip_member *g;
    size_t size = 0, used = 0, made = 0;
    bool whole;

    if (body.n < GZIP_LEAST)
        return false;
    for (size_t i = 1; i <= 4; i++)
        size = size << 8 | (unsigned char)body.p[body.n - i];
    if (size == 0 || size > max || size / GZIP_GROWTH_MAX > body.n)
        return false;
    g = memory_need(gzip_member_new());
    buf_reserve(out, size);
    whole =
        gzip_member_read(g, body, out->p, size, &used, &made) && used == body.n;
    gzip_member_free(g);
    if (whole)
        out->n = made;
    return whole;
}

/* Goes on until one byte more than `max` has come.  DECODER_MORE: the input or
 * the room came to its end.  What is left of the input stays in *in. */
static enum decoder_state
decode(struct decoder *d, struct str *in, size_t max, struct buf *out)
{
    struct decoder_io io = {.in = in->p, .in_n = in->n};
    enum decoder_state state;
    size_t before, room;

    do {
        if (out->n > max)
            return DECODER_MORE;
        if (out->n == out->cap)
            buf_reserve(out, out->n > 0 ? out->n : ROOM_LEAST);
        room = out->cap - out->n < max + 1 - out->n ? out->cap - out->n
                                                    : max + 1 - out->n;
        io.out = out->p + out->n;
        io.out_n = room;
        before = io.in_n + io.out_n;
        state = decoder_step(d, &io);
        out->n += room - io.out_n;
        *in = str_n(io.in, io.in_n);
        if (state == DECODER_END && io.in_n > GZIP_LEAST &&
            memcmp(io.in, "\x1f\x8b", 2) == 0 && decoder_restart(d))
            state = DECODER_MORE; /* gzip may have several members */
    } while (state == DECODER_MORE && io.in_n + io.out_n != before);
    return state;
}

static void
undo_by_decoder(struct uncoded *u, struct decoder *d, size_t max,
                struct buf *out)
{
    struct str left = u->body;
    size_t guess = u->body.n < max / GROWTH ? u->body.n * GROWTH : max + 1;
    enum decoder_state state;
    bool full;

    buf_reserve(out, guess);
    state = decode(d, &left, max, out);
    full = out->n > max;
    /* Brotli and deflate have no mark: a digit can be all of a stream. */
    if ((state != DECODER_END || left.n > 0) && is_text(u->body)) {
        u->plain = true;
        return;
    }
    if (out->n == 0 && (state == DECODER_BAD || left.n > 0)) {
        u->foreign = true;
        return;
    }
    u->growth *= (double)out->n / (double)(u->body.n - left.n + 1);
    u->cut |= full;
    u->damaged |= state == DECODER_BAD;
    u->early |= state == DECODER_MORE && !full;
    u->body = str_sub(buf_view(out), 0, max);
}

static void
undo(struct uncoded *u, enum coding coding, size_t max, struct buf *out)
{
    struct decoder *d;

    buf_clear(out);
    if (coding == GZIP && undo_whole_gzip(u->body, max, out)) {
        u->growth *= (double)out->n / (double)u->body.n;
        u->body = buf_view(out);
        return;
    }
    d = decoder_for(coding, u->body);
    if (d == NULL)
        u->foreign |= !is_text(u->body);
    else
        undo_by_decoder(u, d, max, out);
    decoder_free(d);
}

bool
content_coding_is_known(struct str list)
{
    struct str name;

    while (str_cut(&list, ',', &name))
        if (coding_of(str_trim(name)) != NO_CODING)
            return true;
    return false;
}

void
content_coding_undo(struct uncoded *u, struct str list, struct str body,
                    size_t max, struct buf room[2])
{
    enum coding coding[CODINGS_MAX + 1];
    struct str name;
    size_t n = 0;

    *u = (struct uncoded){.body = body, .growth = 1};
    while (n <= CODINGS_MAX && str_cut(&list, ',', &name)) {
        coding[n] = coding_of(str_trim(name));
        n += coding[n] != NO_CODING;
    }
    if (n > CODINGS_MAX) {
        u->foreign = !is_text(body);
        return;
    }
    while (n-- > 0) {
        const struct buf *of = u->body.p == room[0].p ? &room[0] : &room[1];

        undo(u, coding[n], max, of == &room[0] ? &room[1] : &room[0]);
    }
}
