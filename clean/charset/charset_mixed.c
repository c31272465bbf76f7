/* charset_mixed.c -- pages of UTF-8 with pieces of another encoding: an
 * include, a comment or a teaser that was pasted in as Latin-1.
 *
 * A piece is what stands between two tags.  One that has bytes above 0x7F but
 * no sequence of UTF-8, and in which letters of ASCII outnumber them, is text
 * in the single-byte encoding that pages of this language have otherwise.  Any
 * other bad sequence (a character that was cut in two, Cyrillic among UTF-8)
 * stays as it is and becomes U+FFFD later: better no text than a wrong one.
 *
 * Every byte is looked at a bounded number of times. */
#include "charset_impl.h"
#include "winnow/buf.h"

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
        if (!is_single_byte_text(piece) ||
            charset_convert(&text, a, piece, name) != ST_OK)
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
