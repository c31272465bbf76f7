/* texrex_features.c -- see texrex_features.h.
 *
 * A length is the number of characters without the last byte, and counts over
 * lengths can so exceed 1: the networks learned it like that.  The features
 * that look at neighbours add up what they have so far where a neighbour has no
 * text. */
#include "texrex_features.h"

#include <math.h>
#include <unicode/uchar.h>

#include "clean/blocks/block.h"
#include "clean/blocks/char_class.h"

struct counts {
    uint32_t blanks, marks, upper, lower, numbers;
};

static uint32_t
length(struct str s)
{
    uint32_t n = 0;

    for (size_t i = 0; i + 1 < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return n;
}

static bool
is_blank(uint32_t cp)
{
    return (cp >= 0x09 && cp <= 0x0d) || cp == 0x85 ||
           (U_GET_GC_MASK((UChar32)cp) & U_GC_Z_MASK) != 0;
}

static struct counts
count(struct str s)
{
    struct counts c = {0};

    for (size_t at = 0; at < s.n;) {
        uint32_t cp = char_next(s, &at);
        uint32_t mask = U_GET_GC_MASK((UChar32)cp);

        c.blanks += is_blank(cp);
        c.marks += (mask & U_GC_P_MASK) != 0;
        c.upper += (mask & U_GC_LU_MASK) != 0;
        c.lower += (mask & U_GC_LL_MASK) != 0;
        c.numbers += (mask & U_GC_N_MASK) != 0;
    }
    return c;
}

/* 2000 to 2019 between characters that are no digits. */
static uint32_t
years(struct str s)
{
    uint32_t n = 0;

    for (size_t i = 0; i + 5 <= s.n; i++)
        if (!ascii_digit(s.p[i]) && s.p[i + 1] == '2' && s.p[i + 2] == '0' &&
            (s.p[i + 3] == '0' || s.p[i + 3] == '1') &&
            ascii_digit(s.p[i + 4]) &&
            (i + 5 == s.n || !ascii_digit(s.p[i + 5]))) {
            n++;
            i += 4; /* the character after it may begin the next */
        }
    return n;
}

static bool
ends_sentence(char c)
{
    return c == '.' || c == '?' || c == '!';
}

static uint32_t
sentences(struct str s)
{
    uint32_t n = 0;

    for (size_t i = 0; i < s.n; i++) {
        size_t next = i + 1;

        n += ends_sentence(s.p[i]) &&
             (next == s.n || is_blank(char_next(s, &next)));
    }
    return n;
}

static float
at_most_1(double x)
{
    return (float)fmin(1, x);
}

static void
text_features(const struct texrex_division *d, double chars, float *row)
{
    struct counts c = count(d->text);
    uint32_t ends = sentences(d->text);
    double solid = chars - c.blanks, letters = c.upper + c.lower;
    struct str end = str_trim(d->text);

    row[6] = (float)(c.marks / chars);
    row[7] = (float)(letters / solid);
    row[8] = (float)(c.numbers / solid);
    row[9] = (float)(d->tags / solid);
    row[10] = (float)(d->emails / solid);
    row[11] = (float)(d->uris / solid);
    row[13] = (float)(years(d->text) / solid);
    row[14] = (float)(d->anchors / solid);
    row[15] = letters > 0 ? (float)(c.upper / letters) : 0;
    row[16] = ends == 0;
    ends = ends == 0 ? 1 : ends;
    row[17] = at_most_1(floor(chars / ends) / 100);
    row[18] = at_most_1(ends / 10.0);
    row[19] = str_has(d->text, S("\xc2\xa9"));
    row[20] = end.n > 0 && ends_sentence(end.p[end.n - 1]);
}

static void
markup_features(const struct texrex_page *page, const struct texrex_division *d,
                double chars, float *row)
{
    double raw = d->raw > 0 ? d->raw : 1;
    uint32_t tags = d->open + d->close;

    row[5] = (float)((raw - chars) / raw);
    row[21] = page->xhtml;
    row[22] = page->html4;
    row[23] = page->html5;
    if (d->container < TEXREX_UNKNOWN)
        row[24 + d->container] = 1;
    row[32] = d->after_end;
    row[33] = tags > 0 ? (float)d->open / (float)tags : 0;
    row[34] = at_most_1(d->skipped / 20.0);
}

/* Of division i, with what texrex does at the ends of the page. */
static void
window_features(const struct texrex_features *f, uint32_t i)
{
    const uint32_t n = f->page.n, last = n - 1;
    uint32_t left = i > 0 ? i - 1 : 0, right = i < last ? i + 1 : last;
    float r = f->row[i][5], w = 0;

    r += f->valid[left] ? f->row[left][5] : r;
    r += f->valid[right] ? f->row[right][5] : r;
    left = i > 1 ? i - 2 : 0;
    w = f->valid[left] ? f->row[left][5] : r / 2;
    if (i + 2 < n)
        w += f->valid[i + 2] ? f->row[i + 2][5] : r / 2;
    else if (f->valid[last])
        w = f->row[last][5];
    else
        w += r / 2;
    f->row[i][35] = r / 3;
    f->row[i][36] = (r + w) / 5;
}

void
texrex_features(struct texrex_features *out, const struct document *d,
                const struct letters *l)
{
    struct texrex_page *page = &out->page;
    double all = 0, before = 0, raw;

    texrex_divisions(page, d->utf8, l, d->arena);
    out->row =
        (float(*)[TEXREX_N])ARENA_ARRAY(d->arena, float, page->n *TEXREX_N);
    out->valid = ARENA_ARRAY(d->arena, bool, page->n);
    for (uint32_t i = 0; i < page->n; i++)
        all += length(page->division[i].text);
    raw = page->raw > 0 ? page->raw : 1;
    all = all > 0 ? all : 1;
    for (uint32_t i = 0; i < page->n; i++) {
        const struct texrex_division *v = &page->division[i];
        double chars = length(v->text) > 0 ? length(v->text) : 1;
        float *row = out->row[i];

        if (v->text.n == 0 || chars - count(v->text).blanks < 1)
            continue;
        out->valid[i] = true;
        row[0] = at_most_1(chars / 1000);
        row[1] = (float)(chars / all);
        row[2] = (float)(2 * fabs((before + chars / 2) / all - 0.5));
        row[3] = (float)(2 * fabs((double)i / page->n - 0.5));
        row[4] = (float)(all / raw);
        text_features(v, chars, row);
        markup_features(page, v, chars, row);
        before += chars;
    }
    for (uint32_t i = 0; i < page->n; i++)
        if (out->valid[i])
            window_features(out, i);
}

const float *
texrex_block_row(const struct texrex_features *f, const struct document *d,
                 uint32_t i)
{
    uint32_t at = texrex_division_at(&f->page, d->blocks[i].counts->at);

    return at < f->page.n && f->valid[at] ? f->row[at] : NULL;
}
