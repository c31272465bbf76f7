/* charset_convert.c -- bytes to UTF-8 with a given encoding.
 *
 * Single-byte encodings by the standard's own tables (ICU's differ: 0x81 of
 * windows-1252, for one); multi-byte ones by ICU's converters, which differ
 * from the standard in a few rare or malformed sequences (counted in
 * test_charset); UTF-8, UTF-16 and UTF-32, which the standard has not, by hand.
 */
#include "charset_impl.h"

static size_t
put_utf8(char *to, uint32_t c) /* c is no surrogate */
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 63));
        to[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 63));
    to[2] = (char)(0x80 | (c >> 6 & 63));
    to[3] = (char)(0x80 | (c & 63));
    return 4;
}

/* Bytes below 0x80 stand for themselves, the others for table[b - 0x80]. */
static struct str
from_single(struct arena *a, struct str s, const uint16_t table[128])
{
    size_t i = utf8_skip_ascii(s, 0), high = 0, n = 0, from = 0;
    char *out;

    if (i == s.n)
        return s;
    for (size_t k = i; k < s.n; k++)
        high += (unsigned char)s.p[k] >= 0x80;
    out = arena_raw(a, s.n + 2 * high);
    for (; i < s.n; i = utf8_skip_ascii(s, from)) {
        memcpy(out + n, s.p + from, i - from);
        n += i - from;
        for (; i < s.n && (s.p[i] & 0x80); i++)
            n += put_utf8(out + n, table[(unsigned char)s.p[i] - 0x80]);
        from = i;
    }
    memcpy(out + n, s.p + from, s.n - from);
    return str_n(out, n + s.n - from);
}

static struct str
from_user_defined(struct arena *a, struct str s)
{
    uint16_t table[128];

    for (unsigned i = 0; i < 128; i++)
        table[i] = (uint16_t)(0xf780 + i);
    return from_single(a, s, table);
}

/* Encoding Standard 14.2.1, shared UTF-16 decoder. */
static struct str
from_utf16(struct arena *a, struct str s, bool big_endian)
{
    char *out = arena_raw(a, s.n / 2 * 3 + 3);
    uint32_t high = 0;
    size_t n = 0;

    for (size_t i = 0; i + 1 < s.n; i += 2) {
        uint32_t first = (unsigned char)s.p[i];
        uint32_t second = (unsigned char)s.p[i + 1];
        uint32_t c = big_endian ? first << 8 | second : second << 8 | first;
        bool low = c >= 0xdc00 && c < 0xe000;

        if (high && low) {
            n += put_utf8(out + n,
                          0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00));
            high = 0;
            continue;
        }
        if (high)
            n += put_utf8(out + n, 0xfffd);
        high = c >= 0xd800 && c < 0xdc00 ? c : 0;
        if (!high)
            n += put_utf8(out + n, low ? 0xfffd : c);
    }
    if (high || s.n % 2 != 0)
        n += put_utf8(out + n, 0xfffd);
    return str_n(out, n);
}

static struct str
from_utf32(struct arena *a, struct str s, bool big_endian)
{
    char *out = arena_raw(a, s.n + 3);
    size_t n = 0;

    for (size_t i = 0; i + 3 < s.n; i += 4) {
        uint32_t c = 0;

        for (size_t k = 0; k < 4; k++)
            c = c << 8 | (unsigned char)s.p[big_endian ? i + k : i + 3 - k];
        n += put_utf8(out + n,
                      c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0xfffd : c);
    }
    if (s.n % 4 != 0)
        n += put_utf8(out + n, 0xfffd);
    return str_n(out, n);
}

/* The converters closest to the standard. */
static const char *
icu_name(const char *name)
{
    static const struct {
        const char *whatwg, *icu;
    } map[] = {{"GBK", "gb18030"}, /* the standard decodes both alike */
               {"gb18030", "gb18030"},
               {"Big5", "ibm-1375_P100-2008"}, /* with HKSCS */
               {"EUC-JP", "euc-jp-2007"},
               {"ISO-2022-JP", "ISO_2022,locale=ja,version=0"},
               {"Shift_JIS", "ibm-943_P15A-2003"},
               {"EUC-KR", "windows-949-2000"}};

    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (strcmp(map[i].whatwg, name) == 0)
            return map[i].icu;
    return NULL;
}

enum status
charset_convert(struct str *utf8, struct arena *a, struct str bytes,
                const char *name)
{
    const uint16_t *table;
    const char *icu;

    if (strcmp(name, "UTF-8") == 0)
        *utf8 = utf8_repair(a, bytes);
    else if ((table = charset_single(name)) != NULL)
        *utf8 = from_single(a, bytes, table);
    else if (strcmp(name, "UTF-16LE") == 0 || strcmp(name, "UTF-16BE") == 0)
        *utf8 = from_utf16(a, bytes, name[6] == 'B');
    else if (strcmp(name, "UTF-32LE") == 0 || strcmp(name, "UTF-32BE") == 0)
        *utf8 = from_utf32(a, bytes, name[6] == 'B');
    else if (strcmp(name, "x-user-defined") == 0)
        *utf8 = from_user_defined(a, bytes);
    else if ((icu = icu_name(name)) != NULL)
        return charset_icu_convert(utf8, a, bytes, icu);
    else
        return ST_INVALID; /* "replacement" */
    return ST_OK;
}
