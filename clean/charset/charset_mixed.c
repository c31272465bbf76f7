/* charset_mixed.c -- pages of UTF-8 with pieces of another encoding: an
 * include, a comment or a teaser that was pasted in as Latin-1.
 *
 * A piece is what stands between two tags.  One that has bytes above 0x7F but
 * no sequence of UTF-8, and in which letters of ASCII outnumber them, is text
 * in the single-byte encoding that the page declares, or that pages of its
 * language have otherwise.  In a piece that has both (quotes of UTF-8 around a
 * word of Latin-1) a byte is that if it stands alone among ASCII.  Any other
 * bad sequence (a character that was cut in two, Cyrillic among UTF-8) stays as
 * it is and becomes U+FFFD later: better no text than a wrong one.
 *
 * Every byte is looked at a bounded number of times. */
#include "base/buf.h"
#include "charset_impl.h"

/* C2 or C3 before something that is no letter: the first half of a character,
 * whose second was cut off. */
static bool
cut_off(struct str s, size_t i)
{
    unsigned char c = (unsigned char)s.p[i];

    return (c == 0xc2 || c == 0xc3) &&
           (i + 1 == s.n || !(ascii_alpha(s.p[i + 1]) || (s.p[i + 1] & 0x80)));
}

static bool
is_single_byte_text(struct str s)
{
    size_t ascii = 0, high = 0;

    if (utf8_survey(s).multibyte > 0)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        ascii += ascii_alpha(s.p[i]);
        high += (s.p[i] & 0x80) != 0;
        if (cut_off(s, i))
            return false;
    }
    return high <= ascii;
}

/* Whether the bad byte at i is a letter or sign of its own: ASCII on both
 * sides, a letter on one. */
static bool
stands_alone(struct str s, size_t i)
{
    char before = i > 0 ? s.p[i - 1] : ' ';
    char after = i + 1 < s.n ? s.p[i + 1] : ' ';

    return !((before | after) & 0x80) &&
           (ascii_alpha(before) || ascii_alpha(after)) && !cut_off(s, i);
}

/* The piece with its bad bytes read by `table`; false: some are no letters. */
static bool
mend_bytes(struct buf *out, struct str s, const uint16_t *table)
{
    size_t from = 0, bad;

    for (; (bad = utf8_find_bad(s, from)) < s.n; from = bad + 1) {
        uint16_t cp = table[(unsigned char)s.p[bad] & 0x7f];

        if (!stands_alone(s, bad) || cp < 0xa0 || cp == 0xfffd)
            return false;
        buf_add(out, s.p + from, bad - from);
        buf_utf8(out, cp);
    }
    buf_add(out, s.p + from, s.n - from);
    return true;
}

/* The piece in UTF-8; false: it cannot be told what it is in. */
static bool
mend_piece(struct str *out, struct arena *a, struct str piece, const char *name)
{
    const uint16_t *table = charset_single(name);
    struct buf mended = {.arena = a};

    if (is_single_byte_text(piece))
        return charset_convert(out, a, piece, name) == ST_OK;
    if (table == NULL || !mend_bytes(&mended, piece, table))
        return false;
    *out = buf_view(&mended);
    return true;
}

struct str
charset_mend(struct arena *a, struct str s, const char *name)
{
    struct buf out = {.arena = a};
    size_t from = 0, bad, end;

    for (size_t at = 0; (bad = utf8_find_bad(s, at)) < s.n; at = end) {
        const char *open = memrchr(s.p + at, '>', bad - at);
        size_t begin = open ? (size_t)(open - s.p) + 1 : at;
        struct str piece, text;

        end = str_find(s, '<', bad);
        piece = str_sub(s, begin, end);
        if (!mend_piece(&text, a, piece, name))
            continue;
        buf_add(&out, s.p + from, begin - from);
        buf_str(&out, text);
        from = end;
    }
    if (from == 0)
        return s;
    buf_add(&out, s.p + from, s.n - from);
    return buf_view(&out);
}
