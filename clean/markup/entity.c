/* entity.c -- see entity.h.
 *
 * Every name is letters and digits, then perhaps a semicolon.  So the longest
 * match is either the whole run of letters and digits with its semicolon, or
 * the longest prefix among the 106 names that do without (2 to 6 letters): at
 * most six look-ups in a hash table, whatever the input. */
#include "entity.h"

#include "clean/charset/charset.h"

#define ENTITY_NAME_MAX 31
#define LEGACY_NAME_MIN 2
#define LEGACY_NAME_MAX 6

struct entity {
    char name[ENTITY_NAME_MAX];
    uint8_t name_n;
    char text[6];
    uint8_t text_n;
    uint8_t legacy; /* counts without the semicolon too */
};

#include "entity_table.h"

static bool
alphanumeric(char c)
{
    return ascii_alpha(c) || ascii_digit(c);
}

static const struct entity *
entity_find(const char *name, size_t n)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    for (h = (h ^ h >> 16) % ENTITY_SLOTS; entity_slots[h] != 0;
         h = (h + 1) % ENTITY_SLOTS) {
        const struct entity *e = &entities[entity_slots[h] - 1];

        if (e->name_n == n && memcmp(e->name, name, n) == 0)
            return e;
    }
    return NULL;
}

static size_t
take(struct entity_text *out, const struct entity *e, size_t used)
{
    memcpy(out->p, e->text, sizeof e->text);
    out->n = e->text_n;
    return used;
}

/* 13.2.5.73 Named character reference state */
static size_t
decode_named(struct entity_text *out, struct str s, bool in_attribute)
{
    const struct entity *e;
    const char *name = s.p + 1;
    size_t left = s.n - 1, n = 0;

    while (n < left && n <= ENTITY_NAME_MAX && alphanumeric(name[n]))
        n++;
    if (n <= ENTITY_NAME_MAX && n < left && name[n] == ';' &&
        (e = entity_find(name, n)) != NULL)
        return take(out, e, n + 2);
    if (n > LEGACY_NAME_MAX)
        n = LEGACY_NAME_MAX;
    for (; n >= LEGACY_NAME_MIN; n--) {
        if ((e = entity_find(name, n)) == NULL || !e->legacy)
            continue;
        if (in_attribute && n < left &&
            (name[n] == '=' || alphanumeric(name[n])))
            return 0; /* "?a=1&copy=2" is a query, not a sign */
        return take(out, e, n + 1);
    }
    return 0;
}

/* 13.2.5.80 Numeric character reference end state */
static uint32_t
code_point_of(uint32_t c)
{
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0xfffd;
    return c >= 0x80 && c < 0xa0 ? charset_windows_1252[c - 0x80] : c;
}

static void
utf8_put(struct entity_text *out, uint32_t c)
{
    size_t n = 0;

    if (c < 0x80) {
        out->p[n++] = (char)c;
    } else if (c < 0x800) {
        out->p[n++] = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            out->p[n++] = (char)(0xe0 | c >> 12);
        } else {
            out->p[n++] = (char)(0xf0 | c >> 18);
            out->p[n++] = (char)(0x80 | (c >> 12 & 63));
        }
        out->p[n++] = (char)(0x80 | (c >> 6 & 63));
    }
    if (c >= 0x80)
        out->p[n++] = (char)(0x80 | (c & 63));
    out->n = n;
}

/* 13.2.5.75 Numeric character reference state, and the four after it */
static size_t
decode_numeric(struct entity_text *out, struct str s)
{
    bool hex = s.n > 2 && (s.p[2] == 'x' || s.p[2] == 'X');
    int d, base = hex ? 16 : 10;
    size_t from = hex ? 3 : 2, i = from;
    uint32_t c = 0;

    for (; i < s.n && (d = ascii_hex(s.p[i])) >= 0 && d < base; i++)
        if (c <= 0x10ffff) /* beyond, more digits change nothing */
            c = c * (uint32_t)base + (uint32_t)d;
    if (i == from)
        return 0;
    utf8_put(out, code_point_of(c));
    return i < s.n && s.p[i] == ';' ? i + 1 : i;
}

/* 13.2.5.72 Character reference state */
size_t
entity_decode(struct entity_text *out, struct str s, bool in_attribute)
{
    if (s.n < 2)
        return 0;
    if (s.p[1] == '#')
        return decode_numeric(out, s);
    return ascii_alpha(s.p[1]) ? decode_named(out, s, in_attribute) : 0;
}

size_t
entity_decode_all(struct buf *out, struct str s)
{
    size_t from = 0, at = 0, decoded = 0;

    while ((at = str_find(s, '&', at)) < s.n) {
        struct entity_text text;
        size_t used = entity_decode(&text, str_sub(s, at, s.n), false);

        if (used == 0) {
            at++;
            continue;
        }
        buf_add(out, s.p + from, at - from);
        buf_add(out, text.p, text.n);
        from = at += used;
        decoded++;
    }
    buf_add(out, s.p + from, s.n - from);
    return decoded;
}
