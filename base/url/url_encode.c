/* url_encode.c -- percent-encode sets, UTF-8, queries in legacy encodings.
 *
 * One table says for every byte what it means in each part of a URL; the test
 * of it spells the sets out.  ICU's converters are opened per query that holds
 * something else than ASCII and whose page is not UTF-8, which is rare enough.
 * Pure and thread-safe; the room is the caller's business (URL_GROWTH). */
#include "url_parts.h"

#include <unicode/ucnv.h>

#define HIGH 0x4f, 0x4f, 0x4f, 0x4f, 0x4f, 0x4f, 0x4f, 0x4f
#define HIGH_32 HIGH, HIGH, HIGH, HIGH

/* clang-format off */
const uint8_t url_class[256] = {
    0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f,
    0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f,
    0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f,
    0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f, 0x2f,
    0x2f, 0x00, 0x0f, 0x3b, 0x00, 0x40, 0x00, 0x02,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x38,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x28, 0x08, 0x2f, 0x08, 0x2f, 0x39,
    0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x28, 0x38, 0x28, 0x29, 0x00,
    0x0d, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x09, 0x28, 0x09, 0x00, 0x2f,
    HIGH_32, HIGH_32, HIGH_32, HIGH_32,
};
/* clang-format on */

static void
put_byte(struct url_writer *w, uint8_t byte)
{
    static const char digit[] = "0123456789ABCDEF";

    w->p[w->n++] = '%';
    w->p[w->n++] = digit[byte >> 4];
    w->p[w->n++] = digit[byte & 15];
}

/* Decode one code point at *i < s.n and step over it; an invalid sequence is
 * U+FFFD and as long as the Encoding Standard's decoder has it: up to the
 * first byte that cannot go on. */
static uint32_t
utf8_next(struct str s, size_t *i)
{
    uint8_t c = (uint8_t)s.p[(*i)++], low = 0x80, high = 0xbf;
    uint32_t point;
    int more;

    if (c < 0x80)
        return c;
    if (c >= 0xc2 && c <= 0xdf) {
        more = 1;
        point = c & 0x1fu;
    } else if (c >= 0xe0 && c <= 0xef) {
        more = 2;
        point = c & 0x0fu;
        low = c == 0xe0 ? 0xa0 : low;
        high = c == 0xed ? 0x9f : high;
    } else if (c >= 0xf0 && c <= 0xf4) {
        more = 3;
        point = c & 0x07u;
        low = c == 0xf0 ? 0x90 : low;
        high = c == 0xf4 ? 0x8f : high;
    } else {
        return 0xfffd;
    }
    for (; more > 0; more--) {
        if (*i == s.n || (uint8_t)s.p[*i] < low || (uint8_t)s.p[*i] > high)
            return 0xfffd;
        point = point << 6 | ((uint8_t)s.p[(*i)++] & 0x3fu);
        low = 0x80;
        high = 0xbf;
    }
    return point;
}

void
url_put_encoded(struct url_writer *w, struct str s, unsigned set)
{
    for (size_t i = 0; i < s.n;) {
        uint8_t c = (uint8_t)s.p[i];
        size_t from = i;

        if (!(url_class[c] & set)) {
            w->p[w->n++] = (char)c;
            i++;
        } else if (c < 0x80) {
            put_byte(w, c);
            i++;
        } else if (utf8_next(s, &i) == 0xfffd) {
            put_byte(w, 0xef);
            put_byte(w, 0xbf);
            put_byte(w, 0xbd);
        } else {
            for (; from < i; from++)
                put_byte(w, (uint8_t)s.p[from]);
        }
    }
}

/* The encoders of the Encoding Standard under ICU's names. */
static const struct {
    struct str label;
    const char *icu;
} encoders[] = {
    {STR("big5"), "Big5-HKSCS"},
    {STR("euc-kr"), "windows-949"},
    {STR("shift_jis"), "ibm-943_P15A-2003"},
    {STR("gbk"), "gb18030"},
    {STR("gb18030"), "gb18030"},
    {STR("euc-jp"), "euc-jp"},
    {STR("iso-2022-jp"), "ISO-2022-JP"},
    {STR("iso-8859-8-i"), "iso-8859-8"},
    {STR("x-mac-cyrillic"), "macos-7_3-10.2"},
    {STR("macintosh"), "macintosh"},
};

static UConverter *
encoder_open(struct str label)
{
    UErrorCode err = U_ZERO_ERROR;
    char name[32];
    const char *icu = name;
    UConverter *cnv;

    /* ASCII text is the same in all but one, UTF-16 pages use UTF-8. */
    if (label.n == 0 || label.n >= sizeof name ||
        !(str_starts_nocase(label, S("windows-")) ||
          str_starts_nocase(label, S("iso-8859-")) ||
          str_starts_nocase(label, S("ibm866")) ||
          str_starts_nocase(label, S("koi8-")))) {
        icu = NULL;
    } else {
        memcpy(name, label.p, label.n);
        name[label.n] = '\0';
    }
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++)
        if (str_eq_nocase(encoders[i].label, label))
            icu = encoders[i].icu;
    if (icu == NULL)
        return NULL;
    cnv = ucnv_open(icu, &err);
    if (U_FAILURE(err))
        return NULL;
    ucnv_setFromUCallBack(cnv, UCNV_FROM_U_CALLBACK_STOP, NULL, NULL, NULL,
                          &err);
    return cnv;
}

static void
put_unmappable(struct url_writer *w, uint32_t point)
{
    char digit[10];
    size_t n = 0;

    memcpy(w->p + w->n, "%26%23", 6);
    w->n += 6;
    do
        digit[n++] = (char)('0' + point % 10);
    while ((point /= 10) != 0);
    while (n > 0)
        w->p[w->n++] = digit[--n];
    memcpy(w->p + w->n, "%3B", 3);
    w->n += 3;
}

/* Encode the n units of one code point; n == 0: the end of the text. */
static bool
put_encoded_as(struct url_writer *w, UConverter *cnv, const UChar *unit, int n)
{
    UErrorCode err = U_ZERO_ERROR;
    const UChar *from = unit, *end = unit + n;
    char bytes[32] = {0}, *to = bytes;
    bool last = n == 0;

    ucnv_fromUnicode(cnv, &to, bytes + sizeof bytes, &from, end, NULL, last,
                     &err);
    if (U_FAILURE(err)) { /* keeps the state of a stateful encoding */
        UErrorCode ignored = U_ZERO_ERROR;
        UChar pending[4];
        int8_t pending_n = 4;

        ucnv_getInvalidUChars(cnv, pending, &pending_n, &ignored);
    }
    for (const char *p = bytes; p < to; p++) {
        if (url_class[(uint8_t)*p] & URL_IN_QUERY)
            put_byte(w, (uint8_t)*p);
        else
            w->p[w->n++] = *p;
    }
    return U_SUCCESS(err);
}

static bool
plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        uint8_t c = (uint8_t)s.p[i];

        /* the three that ISO-2022-JP cannot encode */
        if (c >= 0x80 || c == 0x0e || c == 0x0f || c == 0x1b)
            return false;
    }
    return true;
}

/* What the Japanese legacy encoders do before their tables. */
static uint32_t
legacy_point(struct str encoding, uint32_t point)
{
    if (point == 0x2212 && (str_eq_nocase(encoding, S("shift_jis")) ||
                            str_eq_nocase(encoding, S("euc-jp")) ||
                            str_eq_nocase(encoding, S("iso-2022-jp"))))
        return 0xff0d;
    return point;
}

void
url_put_query(struct url_writer *w, struct str s, struct str encoding)
{
    /* private use that ICU maps and the standard's encoders do not */
    uint32_t private_from = 0xe000, private_to = 0xf8ff;
    UConverter *cnv = NULL;
    bool jis;

    if (encoding.n > 0 && !plain(s))
        cnv = encoder_open(encoding);
    if (cnv == NULL) {
        url_put_encoded(w, s, URL_IN_QUERY);
        return;
    }
    jis = str_eq_nocase(encoding, S("iso-2022-jp"));
    if (str_starts_nocase(encoding, S("gb")))
        private_from = private_to = 0xe5e5;
    for (size_t i = 0; i < s.n;) {
        uint32_t point = legacy_point(encoding, utf8_next(s, &i));
        UChar unit[2];
        int n = 0;

        U16_APPEND_UNSAFE(unit, n, point);
        if (jis && (point == 0x0e || point == 0x0f || point == 0x1b))
            put_unmappable(w, 0xfffd);
        else if ((point >= private_from && point <= private_to) ||
                 !put_encoded_as(w, cnv, unit, n))
            put_unmappable(w, point);
    }
    put_encoded_as(w, cnv, (const UChar[]){0}, 0);
    ucnv_close(cnv);
}
