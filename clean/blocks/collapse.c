/* collapse.c -- white space and invisible characters of running text.
 *
 * White space of every kind (Unicode Zs, line separators) collapses to one
 * blank; characters that are never seen (zero-width space, word joiner, soft
 * hyphen, byte order mark, marks and isolates of direction) are left out; the
 * joiners of Persian and Indic scripts stay, and so do U+0080 to U+009F, which
 * st_double_encoding can make sense of, and a zero-width space behind a letter
 * of Thai, Khmer and the like, where a word may end; st_normalise takes out the
 * others of those.  Spans without any of these are copied
 * whole. */
#include "collapse.h"

#include "char_class.h"
#include "clean/markup/scan.h"

enum sort { PLAIN, BLANK, INVISIBLE };

/* Lead bytes after which a character may be a blank or invisible. */
static bool
is_suspect(unsigned char c)
{
    if (c > 0x20 && c < 0x7f) /* nearly all */
        return false;
    return c < 0x80 || c == 0xc2 || (c >= 0xe1 && c <= 0xe3) || c == 0xef;
}

/* What stands at p (left bytes of valid UTF-8); *n: its bytes. */
static enum sort
sort_at(const unsigned char *p, size_t left, size_t *n)
{
    *n = 1;
    if (p[0] <= 0x20)
        return ascii_space((char)p[0]) || p[0] == 0x0b ? BLANK : INVISIBLE;
    if (p[0] == 0x7f)
        return INVISIBLE;
    *n = p[0] == 0xc2 ? 2 : p[0] >= 0xe0 ? 3 : 1;
    if (left < *n)
        return PLAIN;
    switch (p[0]) {
    case 0xc2: return p[1] == 0xa0 ? BLANK : p[1] == 0xad ? INVISIBLE : PLAIN;
    case 0xe1: return p[1] == 0x9a && p[2] == 0x80 ? BLANK : PLAIN;
    case 0xe2:
        if (p[1] == 0x80) {
            if (p[2] <= 0x8a || p[2] == 0xa8 || p[2] == 0xa9 || p[2] == 0xaf)
                return BLANK;
            return p[2] == 0x8b || p[2] == 0x8e || p[2] == 0x8f ||
                           (p[2] >= 0xaa && p[2] <= 0xae)
                       ? INVISIBLE
                       : PLAIN;
        }
        if (p[1] == 0x81)
            return p[2] == 0x9f                   ? BLANK
                   : p[2] >= 0xa0 && p[2] <= 0xaf ? INVISIBLE
                                                  : PLAIN;
        return PLAIN;
    case 0xe3: return p[1] == 0x80 && p[2] == 0x80 ? BLANK : PLAIN;
    case 0xef: return p[1] == 0xbb && p[2] == 0xbf ? INVISIBLE : PLAIN;
    default: return PLAIN;
    }
}

/* How many of the 16 bytes at p, with no blank before them, are certainly to be
 * copied: nothing that may be a blank or invisible by its first two bytes but
 * single blanks, and none of both at the end, since what follows decides. */
static inline unsigned
plain_16(const unsigned char *p)
{
    const scan_bytes v = scan_load((const char *)p);
    unsigned low = scan_bits((v <= 0x20) | (v == 0x7f));
    unsigned lead =
        scan_bits((v == 0xc2) | ((v >= 0xe1) & (v <= 0xe3)) | (v == 0xef));
    unsigned second = scan_bits((v == 0x80) | (v == 0x81) | (v == 0x9a) |
                                (v == 0xa0) | (v == 0xad) | (v == 0xbb));
    unsigned suspect = low | (lead & (second >> 1 | 0x8000));
    unsigned single =
        scan_bits(v == ' ') & ~(low << 1) & ~((low | lead) >> 1) & 0x7fff;

    return (unsigned)__builtin_ctz((suspect & ~single) | 0x10000);
}

/* Bytes from `at` on that are certainly to be copied; looking ends soon after
 * `most` of them. */
static size_t
plain_span(struct str s, size_t at, size_t most)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t from = at, n;

    while (at < s.n && at - from <= most) {
        if (at > from && s.n - at >= 16 && (n = plain_16(p + at)) > 0)
            at += n;
        else if (!is_suspect(p[at]))
            at++;
        else if (p[at] == ' ' && at > from && at + 1 < s.n &&
                 !is_suspect(p[at + 1])) /* between words, as most are */
            at += 2;
        else if (sort_at(p + at, s.n - at, &n) == PLAIN)
            at += n < s.n - at ? n : s.n - at;
        else
            break;
    }
    return at - from;
}

/* As much of s as fits into `room` bytes without cutting a character. */
static size_t
fitting(struct str s, size_t room)
{
    if (s.n <= room)
        return s.n;
    while (room > 0 && ((unsigned char)s.p[room] & 0xc0) == 0x80)
        room--;
    return room;
}

/* Bytes from `at` on that are ASCII white space: \t to \r and blanks, often the
 * indentation of a line. */
static size_t
blank_span(struct str s, size_t at)
{
    size_t from = at;

    if (at < s.n && (unsigned char)s.p[at] > ' ') /* between words, mostly */
        return 0;
    while (s.n - at >= 16) {
        const scan_bytes v = scan_load(s.p + at);
        unsigned other =
            ~scan_bits((v == ' ') | ((scan_bytes)(v - '\t') <= '\r' - '\t'));
        unsigned n = (unsigned)__builtin_ctz(other | 0x10000);

        at += n;
        if (n < 16)
            return at - from;
    }
    while (at < s.n && (s.p[at] == ' ' || (s.p[at] >= '\t' && s.p[at] <= '\r')))
        at++;
    return at - from;
}

/* Whether what stands at p is U+200B that may part words. */
static bool
parts_words(const struct buf *out, const char *p, size_t n)
{
    size_t from = out->n;

    if (n != 3 || memcmp(p, "\xe2\x80\x8b", 3) != 0)
        return false;
    while (from > 0 && ((unsigned char)out->p[from - 1] & 0xc0) == 0x80)
        from--;
    return from > 0 && from < out->n &&
           char_complex(char_next(buf_view(out), &(size_t){from - 1}));
}

size_t
strip_collapse(struct buf *out, bool *blank, struct str text, size_t max)
{
    size_t at = 0;

    while (at < text.n) {
        size_t n = blank_span(text, at), fit;

        if (n > 0) {
            *blank = out->n > 0;
            at += n;
            continue;
        }
        if ((n = plain_span(text, at, max)) == 0) {
            if (sort_at((const unsigned char *)text.p + at, text.n - at, &n) ==
                BLANK)
                *blank = out->n > 0;
            else if (!*blank && out->n + n < max &&
                     parts_words(out, text.p + at, n))
                buf_add(out, text.p + at, n);
            at += n;
            continue;
        }
        if (out->n + 1 >= max)
            return at;
        fit = fitting(str_n(text.p + at, n), max - out->n - 1);
        if (fit == 0)
            return at;
        if (*blank)
            buf_char(out, ' ');
        *blank = false;
        buf_add(out, text.p + at, fit);
        at += fit;
        if (fit < n)
            return at;
    }
    return at;
}
