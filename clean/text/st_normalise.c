/* st_normalise.c -- every text of the document in its final form.
 *
 * Unicode normalization form C (composed characters, clean.normalise); no soft
 * hyphens, joiners between words, marks of direction or byte order marks;
 * control characters, private use and noncharacters become blanks; runs of
 * blanks one blank, none at the ends. Zero-width joiner and non-joiner stay,
 * since Persian and Indic words are spelled with them, and so does one zero
 * width space between letters of Khmer, Thai and the like, where nothing else
 * says that a word ends; elsewhere it says where a line may.  Nearly all text
 * needs nothing: one look at its bytes says so and nothing is copied.
 *
 * Bad single characters of texts, fields and anchors are rejected here, so all
 * formats are written from text that XML and JSON can hold. */
#include "base/memory.h"
#include "clean/blocks/char_class.h"
#include "clean/chain/codepoint.h"
#include "clean/chain/stage.h"
#include "clean/markup/scan.h"
#include "letters.h"

enum sweep { SWEEP_KEEP, SWEEP_BLANK, SWEEP_DROP };

struct normaliser {
    struct letters *letters;
    bool nfc, sweep; /* clean.normalise */
};

/* Only swept when asked for: without them text is text. */
static bool
is_optional(uint32_t cp)
{
    return (cp >= 0x7f && cp <= 0x9f) || cp == 0xfeff ||
           (cp >= 0xe000 && cp <= 0xf8ff) || (cp >= 0xfdd0 && cp <= 0xfdef) ||
           cp >= 0xf0000 || (cp & 0xfffe) == 0xfffe;
}

static enum sweep
sweep_of(uint32_t cp)
{
    if (cp < 0x20 || cp == ' ' || (cp >= 0x7f && cp <= 0xa0))
        return SWEEP_BLANK;
    if (cp < 0xad)
        return SWEEP_KEEP;
    if (cp == 0xad || cp == 0x200b || cp == 0x200e || cp == 0x200f ||
        (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f) ||
        cp == 0xfeff)
        return SWEEP_DROP;
    if (cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 ||
        cp == 0x2029 || cp == 0x202f || cp == 0x205f || cp == 0x3000)
        return SWEEP_BLANK;
    if ((cp >= 0xd800 && cp <= 0xf8ff) || (cp >= 0xfdd0 && cp <= 0xfdef) ||
        cp >= 0xf0000 || (cp & 0xfffe) == 0xfffe)
        return SWEEP_BLANK;
    return SWEEP_KEEP;
}

static enum sweep
sweep_by(const struct normaliser *n, uint32_t cp)
{
    return !n->sweep && is_optional(cp) ? SWEEP_KEEP : sweep_of(cp);
}

/* Bytes that can start one of the code points above: controls, U+0080 to
 * U+00AD, U+1680, U+2000 on, U+3000, surrogates, private use, planes from 1. */
static bool
is_suspect(unsigned char c)
{
    return c < 0x20 || c == 0x7f || c == 0xc2 || (c >= 0xe1 && c <= 0xe3) ||
           (c >= 0xed && c <= 0xf4);
}

/* Whether 16 bytes hold none of them and no two blanks in a row; *blank: the
 * byte before them is one, afterwards: the last of them is. */
static inline bool
plain_16(const char *p, bool *blank)
{
    const scan_bytes v = scan_load(p);
    unsigned blanks = scan_bits(v == ' ');
    unsigned bad =
        scan_bits((v < 0x20) | (v == 0x7f) | (v == 0xc2) |
                  ((v >= 0xe1) & (v <= 0xe3)) | ((v >= 0xed) & (v <= 0xf4)));

    bad |= blanks & (blanks << 1 | *blank);
    if (bad != 0)
        return false;
    *blank = blanks >> 15;
    return true;
}

/* Whether sweep() would change s.  Most characters are not decoded. */
static bool
may_change(const struct normaliser *n, struct str s)
{
    bool blank = true; /* the byte before is one, or there is none */
    size_t again = 0;  /* not plain up to here: byte by byte */

    for (size_t at = 0; at < s.n;) {
        unsigned char c = (unsigned char)s.p[at];

        if (at >= again && s.n - at >= 16) {
            if (plain_16(s.p + at, &blank))
                at += 16;
            else
                again = at + 16;
        } else if (!is_suspect(c)) {
            if (c == ' ' && blank)
                return true;
            blank = c == ' ';
            at++;
        } else if (sweep_by(n, codepoint_next(s, &at)) != SWEEP_KEEP)
            return true;
        else
            blank = false;
    }
    return blank && s.n > 0;
}

/* The same of text with lines, where blanks stand as they are. */
static bool
may_change_lines(const struct normaliser *n, struct str s)
{
    for (size_t at = 0; at < s.n;) {
        unsigned char c = (unsigned char)s.p[at];

        if (!is_suspect(c) || c == '\n' || c == '\t')
            at++;
        else if (sweep_by(n, codepoint_next(s, &at)) != SWEEP_KEEP)
            return true;
    }
    return false;
}

/* Whether letters on both sides of U+200B make it the end of a word. */
static bool
ends_word(uint32_t before, uint32_t after)
{
    return char_complex(before) && char_complex(after);
}

/* lines: blanks, tabs and line ends stand as they are. */
static struct str
sweep(const struct normaliser *by, struct arena *a, struct str s, bool lines)
{
    char *out = arena_raw(a, s.n);
    size_t n = 0;
    uint32_t before = 0; /* the character that was kept last; a blank is 0 */
    bool blank = false;  /* one is due before the next character */
    bool space = false;  /* U+200B stands between */

    for (size_t at = 0; at < s.n;) {
        size_t from = at;
        uint32_t cp = codepoint_next(s, &at);
        enum sweep how = sweep_by(by, cp);

        space |= cp == 0x200b;
        if (lines && how == SWEEP_BLANK)
            cp = cp == '\n' || cp == '\t' ? cp : ' ';
        switch (how) {
        case SWEEP_DROP: break;
        case SWEEP_BLANK:
            if (lines)
                out[n++] = (char)cp;
            else
                blank = n > 0;
            before = 0;
            break;
        case SWEEP_KEEP:
            if (blank)
                out[n++] = ' ';
            else if (space && ends_word(before, cp))
                n += codepoint_put(out + n, 0x200b);
            blank = space = false;
            before = cp;
            memcpy(out + n, s.p + from, at - from);
            n += at - from;
        }
    }
    return str_n(out, n);
}

static void
normalise(const struct normaliser *n, struct arena *a, struct str *s,
          bool lines)
{
    if (lines ? may_change_lines(n, *s) : may_change(n, *s))
        *s = sweep(n, a, *s, lines);
    if (n->nfc)
        *s = letters_nfc(n->letters, a, *s);
}

static void
normalise_block(const struct normaliser *n, struct document *d, struct block *b)
{
    const char *before = b->text.p;
    uint32_t chars;

    normalise(n, d->arena, &b->text, b->form.form == FORM_CODE);
    if (b->text.p == before)
        return;
    chars = codepoint_count(b->text);
    d->all_chars = d->all_chars - b->chars + chars;
    if (b->kept)
        d->kept_chars = d->kept_chars - b->chars + chars;
    b->chars = chars;
    if (b->kept && b->text.n == 0) {
        b->kept = false;
        d->kept_blocks_n--;
    }
}

static void
close_normaliser(void *self)
{
    struct normaliser *n = self;

    if (n != NULL)
        letters_free(n->letters);
    memory_free(n);
}

static enum status
open_normaliser(void **self, const struct opts *o)
{
    struct normaliser *n = memory_zero(1, sizeof *n);

    if (n == NULL || (n->letters = letters_new()) == NULL) {
        close_normaliser(n);
        return ST_NOMEM;
    }
    for (size_t i = 0; i < o->clean_normalise.n; i++) {
        n->nfc |= str_eq(o->clean_normalise.item[i], S("nfc"));
        n->sweep |= str_eq(o->clean_normalise.item[i], S("sweep"));
    }
    *self = n;
    return ST_OK;
}

static enum status
run(const void *self, struct document *d)
{
    struct str *const metas[] = {
        &d->meta.title,   &d->meta.description, &d->meta.keywords,
        &d->meta.author,  &d->meta.canonical,   &d->meta.language,
        &d->meta.date,    &d->meta.modified,    &d->meta.robots,
        &d->meta.site,    &d->meta.section,     &d->meta.image,
        &d->meta.licence, &d->meta.type,        &d->meta.rights_signals,
    };

    for (uint32_t i = 0; i < d->blocks_n; i++)
        normalise_block(self, d, &d->blocks[i]);
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++)
        normalise(self, d->arena, metas[i], false);
    for (uint32_t i = 0; i < d->meta.authors_n; i++)
        normalise(self, d->arena, &d->meta.authors[i], false);
    for (uint32_t i = 0; i < d->meta.candidates_n; i++)
        normalise(self, d->arena, &d->meta.candidates[i].value, false);
    for (uint32_t i = 0; i < d->links_n; i++)
        normalise(self, d->arena, &d->links[i].anchor, false);
    return ST_OK;
}

const struct stage stage_normalise = {
    .name = "normalise",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE,
    .gives = DOC_NORMAL,
    .open = open_normaliser,
    .run = run,
    .close = close_normaliser,
};
