/* str.h -- a string is a pointer and a length; bytes, usually UTF-8.
 *
 * A struct str never owns its bytes: whoever made it says how long they live.
 * It need not end in NUL and may hold NUL.  All calls are pure and
 * thread-safe. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

/* A string literal as a str, usable in initialisers. */
#define STR(literal)                                                           \
    {                                                                          \
        (literal), sizeof(literal) - 1                                         \
    }
#define S(literal) ((struct str)STR(literal))

/* For "%.*s": printf("%.*s", STRF(s)). */
#define STRF(s) ((int)((s).n > 0x7fffffff ? 0x7fffffff : (s).n)), (s).p

static inline struct str
str_c(const char *z) /* NULL gives the empty string */
{
    return (struct str){z ? z : "", z ? strlen(z) : 0};
}

/* n bytes at p, borrowed. */
static inline struct str
str_n(const char *p, size_t n)
{
    return (struct str){p, n};
}

/* The same bytes? */
static inline bool
str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* ASCII letters compare equal whatever their case. */
bool str_eq_nocase(struct str a, struct str b);

/* An empty prefix or suffix is at the end of everything. */
bool str_starts(struct str s, struct str prefix);
bool str_starts_nocase(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
bool str_has(struct str s, struct str part); /* "" is in all */
int str_cmp(struct str a, struct str b);     /* like memcmp, shorter first */

/* Bytes [from, to) of s; both are clamped to its length. */
struct str str_sub(struct str s, size_t from, size_t to);

/* Index of byte c at or after `from`, or s.n. */
size_t str_find(struct str s, char c, size_t from);

/* A text without the byte order mark that it may begin with. */
struct str str_unmarked(struct str text);

/* Without ASCII white space (TAB LF FF CR SPACE) at both ends. */
struct str str_trim(struct str s);

/* Take the text before the next `sep` off *rest; false when nothing is left.
 * "a,,b" gives "a", "", "b"; "" gives nothing. */
bool str_cut(struct str *rest, char sep, struct str *part);

/* Take the next word (separated by ASCII white space or commas) off *rest. */
bool str_word(struct str *rest, struct str *word);

/* Whole of s as a number: no white space; no sign for u64, a decimal point in
 * any locale for real.  False: it is none, or out of range; *out is not to be
 * used. */
bool str_u64(struct str s, uint64_t *out);
bool str_real(struct str s, double *out);

/* White space as HTML has it: TAB LF FF CR SPACE, no VT. */
static inline bool
ascii_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/* 0 to 9, whatever the locale. */
static inline bool
ascii_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A to Z and a to z, whatever the locale. */
static inline bool
ascii_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A to Z in lower case; any other byte as it is. */
static inline char
ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* The value of a hexadecimal digit in either case; -1: it is none. */
static inline int
ascii_hex(char c)
{
    if (ascii_digit(c))
        return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that the percent-encoding at s.p[at] means (RFC 3986, 2.1: "%e4");
 * -1: there is none. */
static inline int
str_percent(struct str s, size_t at)
{
    int high, low;

    if (at + 2 >= s.n || s.p[at] != '%')
        return -1;
    high = ascii_hex(s.p[at + 1]);
    low = ascii_hex(s.p[at + 2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

#endif
