/* charset.c -- which encoding a page is in.
 *
 * A declaration (BOM, HTTP, <meta>, in this order) is believed unless the bytes
 * disprove it.  What disproves it:
 *   - the bytes are UTF-8 with more multi-byte sequences than chance gives,
 *     while something else was declared: text in a legacy encoding is very
 *     unlikely to be valid UTF-8, servers that send a default charset are not;
 *   - UTF-8 was declared and more than a small part of the sequences is bad;
 *   - UTF-16 was declared without a BOM and there is no NUL.
 * A few bad sequences (a cut-off page, a foreign include) leave it UTF-8; what
 * is Latin text among them is read as that (charset_mixed.c).
 *
 * Undeclared and not UTF-8: some 3 KB of text without tags are looked at, taken
 * from where the first byte above 0x7F is.  When its letters are as usual as
 * those of a language in one of its single-byte encodings, that is it
 * (charset_letters.c); else ICU's detector is asked, which knows the multi-byte
 * ones, and where that finds western text the page's own lang decides among the
 * standard's defaults (HTML 13.2.3.2, last step). */
#include "charset.h"

#include "charset_impl.h"

#define GUESS_SIZE 3000u
#define GUESS_CONTEXT 750u /* bytes before the first one above 0x7F */

/* Good sequences for each bad one up to which a page is still UTF-8. */
#define TRUST_DECLARED 4u
#define TRUST_UNDECLARED 16u

const uint16_t charset_windows_1252[32] = {
    0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
    0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,   0x017d, 0x8f,
    0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178,
};

enum family { UTF8, WESTERN, SINGLE, MULTI, UTF16, NO_TEXT };

static enum family
family_of(const char *name)
{
    if (strcmp(name, "UTF-8") == 0)
        return UTF8;
    if (strncmp(name, "UTF-16", 6) == 0)
        return UTF16;
    if (strcmp(name, "replacement") == 0)
        return NO_TEXT;
    if (strcmp(name, "windows-1252") == 0 || strcmp(name, "macintosh") == 0 ||
        strcmp(name, "ISO-8859-15") == 0 || strcmp(name, "ISO-8859-1") == 0 ||
        strcmp(name, "windows-1254") == 0)
        return WESTERN;
    return charset_single(name) != NULL ? SINGLE : MULTI;
}

/* How many sequences of valid UTF-8 outweigh the declaration of another
 * encoding.  In western text one suffices: nobody writes a capital A with tilde
 * or circumflex and then a sign.  East Asian pairs can be valid by chance. */
static size_t
outweighs(enum family declared)
{
    switch (declared) {
    case WESTERN: return 1;
    case SINGLE: return 3;
    default: return 8;
    }
}

static bool
holds(struct str s, char c)
{
    return s.n > 0 && memchr(s.p, c, s.n) != NULL;
}

/* ESC with one of the sequences that only ISO-2022-JP has. */
static bool
has_iso_2022_jp(struct str s)
{
    for (size_t i = 0; (i = str_find(s, '\x1b', i)) < s.n; i++) {
        struct str esc = str_sub(s, i + 1, i + 3);

        if (str_eq(esc, S("$B")) || str_eq(esc, S("$@")))
            return true;
    }
    return false;
}

/* Append the text of `s` without tags, scripts and styles, roughly, until there
 * are GUESS_SIZE bytes. */
static struct str
rough_text(char out[GUESS_SIZE], struct str s)
{
    size_t n = 0, i = 0;

    while (i < s.n && n < GUESS_SIZE) {
        if (s.p[i] != '<') {
            out[n++] = s.p[i++];
            continue;
        }
        if (str_starts_nocase(str_sub(s, i, i + 7), S("<script"))) {
            while (i < s.n &&
                   !str_starts_nocase(str_sub(s, i, i + 8), S("</script")))
                i = str_find(s, '<', i + 1);
        } else if (str_starts_nocase(str_sub(s, i, i + 6), S("<style"))) {
            while (i < s.n &&
                   !str_starts_nocase(str_sub(s, i, i + 7), S("</style")))
                i = str_find(s, '<', i + 1);
        }
        i = str_find(s, '>', i) + 1;
        if (n < GUESS_SIZE)
            out[n++] = ' ';
    }
    return str_n(out, n);
}

/* The value of <html lang>, its first two letters in lower case, or "". */
static void
language(char out[3], struct str s)
{
    struct str tag;
    size_t at = 0;

    out[0] = out[2] = '\0';
    s = str_sub(s, 0, 4096);
    while ((at = str_find(s, '<', at)) < s.n &&
           !str_starts_nocase(str_sub(s, at, s.n), S("<html")))
        at++;
    tag = str_sub(s, at, str_find(s, '>', at));
    for (size_t i = 0; i + 7 <= tag.n; i++) {
        size_t k = i + 5;

        if (!str_starts_nocase(str_sub(tag, i, tag.n), S("lang=")))
            continue;
        if (tag.p[k] == '"' || tag.p[k] == '\'')
            k++;
        if (k + 2 <= tag.n && ascii_alpha(tag.p[k]) &&
            ascii_alpha(tag.p[k + 1])) {
            out[0] = ascii_lower(tag.p[k]);
            out[1] = ascii_lower(tag.p[k + 1]);
        }
        return;
    }
}

static const char *
default_of_language(const char *lang)
{
    static const struct {
        char lang[3];
        const char *name;
    } defaults[] = {
        {"cs", "windows-1250"}, {"et", "windows-1257"}, {"hr", "windows-1250"},
        {"hu", "ISO-8859-2"},   {"lt", "windows-1257"}, {"lv", "windows-1257"},
        {"pl", "ISO-8859-2"},   {"sk", "windows-1250"}, {"sl", "ISO-8859-2"},
        {"th", "windows-874"},  {"tr", "windows-1254"}, {"vi", "windows-1258"}};

    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (strcmp(defaults[i].lang, lang) == 0)
            return defaults[i].name;
    return NULL;
}

/* What pages in the language of this one are in when they say nothing and are
 * not UTF-8. */
static const char *
preset_of(struct str s)
{
    const char *preset;
    char lang[3];

    language(lang, s);
    preset = default_of_language(lang);
    return preset ? preset : "windows-1252";
}

/* The last resort; never NULL. */
static const char *
guess(struct str s)
{
    char sample[GUESS_SIZE];
    size_t high = utf8_skip_ascii(s, 0);
    size_t from = high > GUESS_CONTEXT ? high - GUESS_CONTEXT : 0;
    struct str text = rough_text(sample, str_sub(s, from, s.n));
    const char *found, *by_letters;
    bool sure;

    by_letters = charset_by_letters(text, &sure);
    if (sure)
        return by_letters;
    found = charset_icu_guess(text);
    if (found != NULL && strcmp(found, "UTF-8") != 0 &&
        family_of(found) != WESTERN && family_of(found) != UTF16)
        return found;
    return preset_of(s);
}

/* The BOM's length; 0 when there is none. */
static size_t
bom(struct str s, const char **name)
{
    if (str_starts(s, S("\xef\xbb\xbf"))) {
        *name = "UTF-8";
        return 3;
    }
    if (str_starts(s, S("\xff\xfe\0\0")) || str_starts(s, S("\0\0\xfe\xff"))) {
        *name = s.p[0] == '\0' ? "UTF-32BE" : "UTF-32LE";
        return 4;
    }
    if (str_starts(s, S("\xfe\xff")) || str_starts(s, S("\xff\xfe"))) {
        *name = s.p[0] == '\xfe' ? "UTF-16BE" : "UTF-16LE";
        return 2;
    }
    return 0;
}

/* Whether pages of ASCII letters in UTF-16 begin like this. */
static const char *
utf16_without_bom(struct str s)
{
    if (s.n < 4)
        return NULL;
    if (s.p[0] == '<' && s.p[1] == '\0' && s.p[2] != '\0' && s.p[3] == '\0')
        return "UTF-16LE";
    if (s.p[0] == '\0' && s.p[1] == '<' && s.p[2] == '\0' && s.p[3] != '\0')
        return "UTF-16BE";
    return NULL;
}

static void
set(struct charset_result *r, const char *name, const char *from)
{
    r->name = name;
    r->from = from;
}

/* Nothing declared. */
static void
decide_undeclared(struct charset_result *r, struct str s)
{
    struct utf8_survey survey;
    const char *utf16 = utf16_without_bom(s);

    if (utf16 != NULL) {
        set(r, utf16, "guess");
        return;
    }
    if ((r->valid = utf8_valid(s))) {
        if (has_iso_2022_jp(s) && utf8_skip_ascii(s, 0) == s.n)
            set(r, "ISO-2022-JP", "guess");
        else
            set(r, "UTF-8", "utf8");
        return;
    }
    survey = utf8_survey(s);
    if (survey.multibyte >= TRUST_UNDECLARED * survey.bad)
        set(r, "UTF-8", "utf8");
    else
        set(r, guess(s), "guess");
}

/* Is it UTF-8, as declared, but for pieces that can be mended and a few bad
 * sequences? */
static bool
utf8_indeed(const struct utf8_survey *survey, struct str s, struct arena *a)
{
    struct utf8_survey rest;

    if (survey->multibyte == 0)
        return false;
    if (survey->multibyte >= TRUST_DECLARED * survey->bad)
        return true;
    rest = utf8_survey(charset_mend(a, s, preset_of(s)));
    return survey->multibyte >= TRUST_DECLARED * rest.bad;
}

/* r->name was declared: leave it, or put something better in its place. */
static void
decide_declared(struct charset_result *r, struct str s, struct arena *a)
{
    enum family declared = family_of(r->name);
    struct utf8_survey survey;

    if (declared == UTF8 && (r->valid = utf8_valid(s)))
        return;
    if (declared == NO_TEXT)
        return;
    if (declared == UTF16) {
        if (!holds(s, '\0'))
            decide_undeclared(r, s);
        return;
    }
    survey = utf8_survey(s);
    if (declared == UTF8) {
        if (!utf8_indeed(&survey, s, a))
            set(r, guess(s), "guess");
    } else if (survey.multibyte >= outweighs(declared) &&
               survey.multibyte >= TRUST_UNDECLARED * survey.bad) {
        set(r, "UTF-8", "utf8");
    }
}

enum status
charset_decode(struct charset_result *out, struct arena *a,
               enum charset_labels labels, struct str bytes,
               struct str content_type)
{
    const char *name = NULL, *declared = NULL;
    size_t skip = bom(bytes, &name);
    enum status st;

    *out = (struct charset_result){.utf8 = S(""), .name = name, .from = "bom"};
    if (skip == 0) {
        if ((name = charset_of_content_type(labels, content_type)) != NULL)
            set(out, name, "http");
        else if ((name = charset_prescan(labels, bytes)) != NULL)
            set(out, name, "meta");
        declared = name;
        if (name != NULL)
            decide_declared(out, bytes, a);
        else
            decide_undeclared(out, bytes);
        if (out->valid && strcmp(out->name, "UTF-8") == 0) {
            out->utf8 = bytes;
            return ST_OK;
        }
    }
    bytes = str_sub(bytes, skip, bytes.n);
    if (strcmp(out->name, "UTF-8") == 0)
        bytes = charset_mend(a, bytes,
                             declared != NULL && charset_single(declared)
                                 ? declared
                                 : preset_of(bytes));
    st = charset_convert(&out->utf8, a, bytes, out->name);
    out->damaged = out->utf8.p != bytes.p &&
                   memmem(out->utf8.p, out->utf8.n, "\xef\xbf\xbd", 3) != NULL;
    return st;
}
