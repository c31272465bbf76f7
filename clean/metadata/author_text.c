/* author_text.c -- see author_text.h.
 *
 * What stands before a name ("Written by") and what follows it (a date, a bar,
 * the site) is cut off; a comma parts names unless a degree follows. */
#include "author_text.h"

#include <pthread.h>

#include "clean/blocks/char_class.h"
#include "clean/chain/codepoint.h"
#include "date_text.h"

/* Before a name, longest first among equal beginnings. */
static const struct str openings[] = {
    STR("this post was written by"),
    STR("this article was written by"),
    STR("article written by"),
    STR("written by"),
    STR("posted by"),
    STR("post by"),
    STR("published by"),
    STR("reviewed by"),
    STR("article by"),
    STR("story by"),
    STR("text by"),
    STR("words by"),
    STR("contributed by"),
    STR("created by"),
    STR("submitted by"),
    STR("reported by"),
    STR("opened by"),
    STR("asked by"),
    STR("started by"),
    STR("authored by"),
    STR("edited by"),
    STR("medically reviewed by"),
    STR("author name"),
    STR("about the author"),
    STR("by"),
    STR("authors"),
    STR("author"),
    STR("contributors"),
    STR("geschrieben von"),
    STR("ein artikel von"),
    STR("ein beitrag von"),
    STR("veröffentlicht von"),
    STR("von"),
    STR("autoren"),
    STR("autorin"),
    STR("autores"),
    STR("autora"),
    STR("autorka"),
    STR("autorzy"),
    STR("autor"),
    STR("geschreven door"),
    STR("geplaatst door"),
    STR("door"),
    STR("auteurs"),
    STR("auteur"),
    STR("publié par"),
    STR("écrit par"),
    STR("par"),
    STR("publicado por"),
    STR("escrito por"),
    STR("por"),
    STR("scritto da"),
    STR("pubblicato da"),
    STR("autore"),
    STR("skrivet av"),
    STR("text"),
    STR("av"),
    STR("af"),
    STR("skrevet af"),
    STR("skrevet av"),
    STR("tekst"),
    STR("przez"),
    STR("napisał"),
    STR("автор"),
    STR("yazan"),
    STR("szerző"),
    STR("kirjoittaja"),
    STR("forfatter"),
};

static bool
is_name_char(char c)
{
    return ascii_alpha(c) || (unsigned char)c >= 0x80;
}

#define OPENINGS_N (sizeof openings / sizeof *openings)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint8_t first_of[256];       /* opening that begins with a byte */
static uint8_t next_of[OPENINGS_N]; /* the next one that begins as this one */

_Static_assert(OPENINGS_N < UINT8_MAX, "the number is none of them");

static void
link_openings(void)
{
    memset(first_of, OPENINGS_N, sizeof first_of);
    for (size_t i = OPENINGS_N; i-- > 0;) {
        uint8_t *first = &first_of[(unsigned char)openings[i].p[0]];

        next_of[i] = *first;
        *first = (uint8_t)i;
    }
}

/* The first opening that begins as the text does; OPENINGS_N: there is none.
 * Most texts are done with here. */
static size_t
opening_like(struct str text)
{
    pthread_once(&once, link_openings);
    return text.n > 0 ? first_of[(unsigned char)ascii_lower(text.p[0])]
                      : OPENINGS_N;
}

bool
author_byline(struct str text, size_t *behind)
{
    if (str_starts(text, S("By")) && text.n > 3 && text.p[2] >= 'A' &&
        text.p[2] <= 'Z') { /* two elements without a blank between them */
        *behind = 2;
        return true;
    }
    for (size_t i = opening_like(text); i < OPENINGS_N; i = next_of[i]) {
        size_t at = openings[i].n;

        if (!str_starts_nocase(text, openings[i]) || at >= text.n ||
            is_name_char(text.p[at]))
            continue;
        if (text.p[at] != ' ' && text.p[at] != ':')
            continue;
        while (at < text.n && (text.p[at] == ' ' || text.p[at] == ':'))
            at++;
        if (at == text.n)
            continue;
        *behind = at;
        return true;
    }
    return false;
}

bool
author_opening(struct str text)
{
    while (text.n > 0 &&
           (text.p[text.n - 1] == ':' || text.p[text.n - 1] == ' '))
        text.n--;
    for (size_t i = opening_like(text); i < OPENINGS_N; i = next_of[i])
        if (str_eq_nocase(text, openings[i]))
            return true;
    return false;
}

/* Not a person, nor a newsroom. */
static bool
is_no_name(struct str s)
{
    static const struct str names[] = {STR("admin"),
                                       STR("administrator"),
                                       STR("webmaster"),
                                       STR("root"),
                                       STR("user"),
                                       STR("guest"),
                                       STR("anonymous"),
                                       STR("unknown"),
                                       STR("author"),
                                       STR("by"),
                                       STR("null"),
                                       STR("none"),
                                       STR("undefined"),
                                       STR("n/a"),
                                       STR("wordpress"),
                                       STR("superuser"),
                                       STR("super user"),
                                       STR("follow"),
                                       STR("home"),
                                       STR("share"),
                                       STR("comments"),
                                       STR("profile"),
                                       STR("website"),
                                       STR("read more"),
                                       STR("posted"),
                                       STR("published"),
                                       STR("updated"),
                                       STR("view all posts"),
                                       STR("contributor"),
                                       STR("contributors"),
                                       STR("all posts"),
                                       STR("siteadmin"),
                                       STR("site admin"),
                                       STR("web admin"),
                                       STR("the author"),
                                       STR("written by"),
                                       STR("editor"),
                                       STR("autor"),
                                       STR("redaktion"),
                                       STR("share this article"),
                                       STR("about the author"),
                                       STR("default"),
                                       STR("sun"),
                                       STR("mon"),
                                       STR("tue"),
                                       STR("wed"),
                                       STR("thu"),
                                       STR("fri"),
                                       STR("sat"),
                                       STR("topic author"),
                                       STR("thread starter"),
                                       STR("meet the team")};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq_nocase(s, names[i]))
            return true;
    return false;
}

static bool
has_address(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '@' || s.p[i] == '<' || s.p[i] == '{' || s.p[i] == '\\')
            return true;
        if (s.p[i] == ':' && i + 2 < s.n && s.p[i + 1] == '/')
            return true;
        if (s.p[i] == '/' && i > 0 && i + 1 < s.n && s.p[i - 1] != ' ' &&
            s.p[i + 1] != ' ' && s.n > 40)
            return true;
    }
    return str_starts_nocase(s, S("www."));
}

static bool
can_be(struct str s)
{
    uint32_t letters = 0, digits = 0, words = 1;

    if (s.n < 2 || s.n > AUTHOR_BYTES || is_no_name(s) || has_address(s))
        return false;
    for (size_t at = 0; at < s.n;) {
        uint32_t cp = char_next(s, &at);
        uint8_t class = char_class(cp);

        letters += (class & CHAR_LETTER) != 0;
        digits += (class & CHAR_DIGIT) != 0;
        words += cp == ' ';
        if (cp == '?' || cp == '!' || cp == ';' || cp == ':')
            return false;
    }
    return letters >= 2 && digits <= 4 && words <= 10;
}

/* "MD", "Ph.D.", "RN", "Jr.": belongs to the name before the comma. */
static bool
is_degree(struct str s)
{
    static const struct str known[] = {
        STR("jr"),     STR("jr."),      STR("sr"),    STR("sr."),
        STR("phd"),    STR("ph.d."),    STR("ph.d"),  STR("m.d."),
        STR("esq."),   STR("esq"),      STR("psyd"),  STR("pharmd"),
        STR("psy.d."), STR("dr. med."), STR("m.sc."), STR("msc"),
        STR("bsc"),    STR("edd"),      STR("inc."),  STR("llc"),
        STR("ltd"),    STR("ltd."),     STR("gmbh"),  STR("m.a."),
        STR("ms, rd"), STR("m.s."),     STR("b.a."),  STR("drph"),
        STR("inc")};
    size_t upper = 0, other = 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq_nocase(s, known[i]))
            return true;
    for (size_t i = 0; i < s.n; i++) {
        upper += s.p[i] >= 'A' && s.p[i] <= 'Z';
        other += is_name_char(s.p[i]) && !(s.p[i] >= 'A' && s.p[i] <= 'Z');
    }
    return s.n <= 12 && upper >= 2 && other <= 1 && upper > other;
}

static bool
one_word(struct str s)
{
    s = str_trim(s);
    return str_find(s, ' ', 0) == s.n;
}

/* " and ", " & ", " und " ... at byte i, between two names that began at
 * `from`; its length, 0: none.  "Evaluation and Research" is one. */
static size_t
conjunction(struct str s, size_t from, size_t i)
{
    static const struct str words[] = {
        STR(" and "),  STR(" und "), STR(" & "),   STR(" en "),
        STR(" et "),   STR(" y "),   STR(" och "), STR(" og "),
        STR(" with "), STR(" e "),   STR(" mit ")};

    if (s.p[i] != ' ')
        return 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (str_starts_nocase(str_sub(s, i, s.n), words[k])) {
            size_t to = str_find(s, ',', i + words[k].n);

            return one_word(str_sub(s, i + words[k].n, to)) &&
                           !one_word(str_sub(s, from, i))
                       ? 0
                       : words[k].n;
        }
    return 0;
}

/* Where what is no name any more begins: a bar, a bullet, a date. */
static size_t
name_end(struct str s, bool running)
{
    static const struct str stops[] = {
        STR(" | "), STR(" • "), STR(" · "), STR(" – "), STR(" — "), STR(" - "),
        STR("|"), STR("•"), STR("·"), STR(" » "),
        /* In running text alone: */
        STR(" on "), STR(" in "), STR(" at "), STR(" for "), STR(" from "),
        STR(" updated"), STR(" published"), STR(" posted"), STR("("),
        STR(" last "), STR(" veröffentlicht"), STR(" am "), STR(" op "),
        STR(" le "), STR(" medically "), STR(" fact check"),
        STR(" reviewed by"), STR(" edited by"), STR(" photo"), STR(" image"),
        STR(" follow"), STR(" @ ")};
    struct date_found date;
    size_t to = s.n, n = running ? sizeof stops / sizeof *stops : 10;

    for (size_t i = 1; i < to; i++) {
        if (is_name_char(s.p[i]) && ascii_alpha(s.p[i]))
            continue;
        for (size_t k = 0; k < n; k++)
            if (str_starts_nocase(str_sub(s, i, s.n), stops[k])) {
                to = i;
                break;
            }
    }
    s = str_sub(s, 0, to);
    for (size_t i = 0; i < s.n; i++)
        if (ascii_digit(s.p[i])) {
            if (date_find(&date, s, 0, &(struct date_reading){false, 0}))
                to = date.from;
            break;
        }
    return to;
}

static struct str
trim_marks(struct str s)
{
    s = str_trim(s);
    while (s.n > 0 && memchr(",:;-|*/\"", s.p[s.n - 1], 8) != NULL)
        s = str_trim(str_sub(s, 0, s.n - 1));
    while (s.n > 0 && memchr(",:;-|*/\"~", s.p[0], 9) != NULL)
        s = str_trim(str_sub(s, 1, s.n));
    return s;
}

/* "Jane Doe <jane@a.example>" without the address. */
static struct str
without_address(struct str name)
{
    size_t open = str_find(name, '<', 0);

    return str_find(name, '@', open) < name.n ? str_sub(name, 0, open) : name;
}

static bool
add(struct str name, struct str *out, uint32_t *n, uint32_t max)
{
    name = trim_marks(without_address(name));
    if (*n == max || !can_be(name))
        return false;
    for (uint32_t i = 0; i < *n; i++)
        if (str_eq_nocase(out[i], name))
            return false;
    out[(*n)++] = name;
    return true;
}

static uint32_t
cut(struct str s, struct str *out, uint32_t max)
{
    size_t from = 0;
    uint32_t n = 0;
    bool degree;

    for (size_t i = 0; i <= s.n; i++) {
        size_t mark = i == s.n ? 1
                      : s.p[i] == ',' || s.p[i] == ';'
                          ? 1
                          : conjunction(s, from, i);

        if (mark == 0)
            continue;
        degree = n > 0 && is_degree(str_trim(str_sub(s, from, i)));
        if (degree) /* the names are parts of s: go on with the last one */
            out[n - 1].n =
                (size_t)(str_trim(str_sub(s, from, i)).p +
                         str_trim(str_sub(s, from, i)).n - out[n - 1].p);
        else
            add(str_sub(s, from, i), out, &n, max);
        from = i + mark;
        i = from - 1;
    }
    return n;
}

uint32_t
author_names(struct str text, bool running, struct str *out, uint32_t max)
{
    size_t behind;

    text = trim_marks(codepoint_head(text, 600));
    while (author_byline(text, &behind))
        text = trim_marks(str_sub(text, behind, text.n));
    text = str_sub(text, 0, name_end(text, running));
    return cut(text, out, max);
}
