/* st_double_encoding.c -- repairs text that was encoded twice, which strip
 * cannot know: it was damaged before it became HTML.
 *
 * "&amp;eacute;" was encoded twice: after strip it reads "&eacute;", and is
 * decoded here, once.  Only references that end in a semicolon count: "AT&T"
 * and query strings stay.  U+0080 to U+009F are no letters of any language but
 * the traces of windows-1252 read as ISO-8859-1; they become what was meant,
 * unless clean.latin1 has them read so.
 * E-mail addresses and URIs are left in the text.  In code a reference is what
 * the page is about: "write &amp;amp; for &amp;".
 *
 * Texts without '&' and 0xC2 are not touched: that is nearly all of them. */
#include "base/buf.h"
#include "clean/chain/codepoint.h"
#include "clean/chain/stage.h"
#include "clean/charset/charset.h"
#include "clean/markup/entity.h"

/* Longest reference looked at: "&CounterClockwiseContourIntegral;". */
#define REFERENCE_MAX 34

/* Bytes of the reference at s (s.p[0] is '&') that ends in ';', 0: none. */
static size_t
reference(struct str s, struct entity_text *e)
{
    size_t end = 1;

    while (end < s.n && end < REFERENCE_MAX &&
           (ascii_alpha(s.p[end]) || ascii_digit(s.p[end]) || s.p[end] == '#'))
        end++;
    if (end >= s.n || end >= REFERENCE_MAX || s.p[end] != ';' || end < 3)
        return 0;
    s.n = end + 1;
    return entity_decode(e, s, false) == s.n ? s.n : 0;
}

static bool
may_change(struct str s, bool latin1, bool code)
{
    if (!code && memchr(s.p, '&', s.n) != NULL)
        return true;
    for (size_t i = 0; i + 1 < s.n && !latin1; i++) {
        const char *c2 = memchr(s.p + i, 0xc2, s.n - 1 - i);

        if (c2 == NULL)
            return false;
        i = (size_t)(c2 - s.p);
        if ((unsigned char)s.p[i + 1] < 0xa0)
            return true;
    }
    return false;
}

/* A longest reference gives at most as many bytes as it has: the name of a
 * character is never shorter than the character.  Of windows-1252 characters
 * two bytes become three. */
static struct str
repair(struct arena *a, struct str s, bool latin1, bool code)
{
    char *out = arena_raw(a, s.n + s.n / 2 + 8);
    size_t n = 0;

    for (size_t i = 0; i < s.n;) {
        unsigned char c = (unsigned char)s.p[i];
        struct entity_text e;
        size_t used;

        if (c == '&' && !code &&
            (used = reference(str_sub(s, i, s.n), &e)) > 0 && e.n <= used) {
            memcpy(out + n, e.p, e.n);
            n += e.n;
            i += used;
        } else if (c == 0xc2 && i + 1 < s.n && !latin1 &&
                   (unsigned char)s.p[i + 1] < 0xa0) {
            unsigned cp =
                charset_windows_1252[(unsigned char)s.p[i + 1] - 0x80u];

            n += codepoint_put(out + n, cp > 0x9f ? cp : ' ');
            i += 2;
        } else
            out[n++] = s.p[i++];
    }
    return str_n(out, n);
}

static bool
mend(struct arena *a, struct str *s, bool latin1, bool code)
{
    if (s->n == 0 || !may_change(*s, latin1, code))
        return false;
    *s = repair(a, *s, latin1, code);
    return true;
}

/* URLs stay as they are written. */
static void
mend_candidates(struct document *d, bool latin1)
{
    for (uint32_t i = 0; i < d->meta.candidates_n; i++) {
        struct meta_candidate *c = &d->meta.candidates[i];

        if (c->field != META_IMAGE && c->field != META_CANONICAL &&
            c->field != META_LICENCE)
            mend(d->arena, &c->value, latin1, false);
    }
}

static enum status
run(const void *self, struct document *d)
{
    struct str *const metas[] = {&d->meta.title,    &d->meta.description,
                                 &d->meta.keywords, &d->meta.author,
                                 &d->meta.site,     &d->meta.section};
    bool latin1 = str_eq(d->charset, S("ISO-8859-1"));

    (void)self;
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (mend(d->arena, &d->blocks[i].text, latin1, d->blocks[i].code))
            d->blocks[i].chars = codepoint_count(d->blocks[i].text);
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++)
        mend(d->arena, metas[i], latin1, false);
    for (uint32_t i = 0; i < d->meta.authors_n; i++)
        mend(d->arena, &d->meta.authors[i], latin1, false);
    mend_candidates(d, latin1);
    return ST_OK;
}

const struct stage stage_double_encoding = {
    .name = "double_encoding",
    .needs = DOC_BLOCKS,
    .run = run,
};
