/* sources_titles.c -- titles from headings, and the parts of <title>.
 *
 * Sites put their name before or behind the title, parted by a dash, a bar, a
 * colon, a guillemet or a dot.  Every way to leave something off at the front
 * or at the back is a candidate; which one it is the model says, by the
 * headings that say the same and by what is known of the site's name. */
#include "candidates.h"

#include "base/url/host.h"
#include "clean/blocks/char_class.h"

#define MARKS_MAX 6u
#define H1_MAX 6u
#define HEADINGS_MAX 6u

static const struct str marks[] = {STR(" - "),
                                   STR(" | "),
                                   STR(" – "),
                                   STR(" — "),
                                   STR(" · "),
                                   STR(" • "),
                                   STR(" » "),
                                   STR(" « "),
                                   STR(" › "),
                                   STR(" :: "),
                                   STR(" : "),
                                   STR(" / "),
                                   STR(" ~ "),
                                   STR(" ― "),
                                   STR("|"),
                                   STR("– "),
                                   STR("— "),
                                   STR(" -- "),
                                   STR(" \xe2\x80\x92 "),
                                   STR(" < "),
                                   STR(" > "),
                                   STR(" ‹ "),
                                   STR(": ")};

/* Letters and digits of `s`, lower case, into `out`; how many bytes. */
static size_t
letters(struct str s, char *out, size_t max)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n && n < max; i++)
        if (ascii_alpha(s.p[i]) || ascii_digit(s.p[i]) ||
            (unsigned char)s.p[i] >= 0x80)
            out[n++] = ascii_lower(s.p[i]);
    return n;
}

/* "The New York Times" and nytimes.com are not found, "Daily News" and
 * dailynews.co.uk are; so is "Example" in example-online.de. */
static bool
is_domain(const struct guesses *c, struct str s)
{
    const char *a = c->domain_letters;
    char b[sizeof c->domain_letters];
    size_t an = c->domain_letters_n, bn;

    if (an < 3)
        return false;
    if (str_starts_nocase(s, S("the ")))
        s = str_sub(s, 4, s.n);
    if (str_starts_nocase(s, S("www.")))
        s = str_sub(s, 4, s.n);
    for (int k = 0; k < 2; k++) { /* "Example.com" is one as well */
        bn = letters(s, b, sizeof b);
        if (an == bn && memcmp(a, b, an) == 0)
            return true;
        s = str_sub(s, 0, str_find(s, '.', 0));
    }
    return an >= 4 && bn >= 4 && (an > bn ? bn * 2 >= an : an * 3 >= bn) &&
           memcmp(a, b, an < bn ? an : bn) == 0;
}

/* `key`: candidate_key() of it. */
static bool
names_site(const struct guesses *c, struct str s, uint64_t key)
{
    for (uint32_t i = 0; i < c->n[META_SITE]; i++)
        if (c->of[META_SITE][i].key == key)
            return true;
    return is_domain(c, s);
}

bool
is_site_name(const struct guesses *c, struct str s)
{
    uint32_t n;
    uint64_t key = candidate_key(s, &n);

    return n > 0 && names_site(c, s, key);
}

static size_t
words_n(struct str s)
{
    struct str word;
    size_t n = 0;

    while (str_word(&s, &word))
        n++;
    return n;
}

static size_t
mark_at(struct str s, size_t i, bool *colon)
{
    *colon = false;
    if (s.p[i] != ' ' && s.p[i] != '|' && s.p[i] != ':' && s.p[i] != '\xe2')
        return 0;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (s.p[i] == marks[k].p[0] && i + marks[k].n <= s.n &&
            memcmp(s.p + i, marks[k].p, marks[k].n) == 0) {
            *colon = k + 1 == sizeof marks / sizeof *marks;
            return marks[k].n;
        }
    return 0;
}

/* Does a mark part it from the rest of the title, at either end? */
static bool
is_end_of(struct str title, struct str s)
{
    bool colon;

    if (s.n >= title.n)
        return false;
    if (str_starts(title, s))
        return mark_at(title, s.n, &colon) > 0;
    for (size_t i = 1; str_ends(title, s) && i + s.n < title.n; i++) {
        size_t mark = mark_at(title, i, &colon);

        if (mark > 0 && i + mark + s.n == title.n)
            return true;
    }
    return false;
}

/* "Word [Site]", as DokuWiki has it ... */
static bool
bracketed(struct str title, struct str *front, struct str *back)
{
    size_t at = title.n;

    if (!str_ends(title, S("]")))
        return false;
    while (at > 0 && title.p[at - 1] != '[')
        at--;
    if (at < 2 || title.p[at - 2] != ' ')
        return false;
    *front = str_trim(str_sub(title, 0, at - 1));
    *back = str_trim(str_sub(title, at, title.n - 1));
    return front->n > 0;
}

static void
part(struct guesses *c, struct str value, struct str off, unsigned parts)
{
    const struct guess_at at = {.source = META_FROM_TITLE_PART};
    struct guess *k = candidate_add(c, META_TITLE, value, &at);

    if (k == NULL)
        return;
    if (is_site_name(c, off))
        parts |= PART_SITE;
    if (words_n(off) <= 4)
        parts |= PART_SHORT;
    k->parts |= (uint8_t)parts;
}

/* Every beginning and every end at a mark. */
static void
cut(struct guesses *c, struct str title)
{
    struct str front, back;
    uint32_t n = 0;

    for (size_t i = 1; i < title.n && n < MARKS_MAX;) {
        bool colon;
        size_t mark = mark_at(title, i, &colon);

        if (mark == 0) {
            i++;
            continue;
        }
        front = str_trim(str_sub(title, 0, i));
        back = str_trim(str_sub(title, i + mark, title.n));
        part(c, front, back, PART_BACK | (colon ? PART_COLON : 0));
        part(c, back, front, PART_FRONT | (colon ? PART_COLON : 0));
        i += mark;
        n++;
    }
    if (bracketed(title, &front, &back) && is_site_name(c, back))
        part(c, front, back, PART_BACK);
}

/* A part of the title that is the domain's name is the site's. */
static void
site_of_title(struct guesses *c, struct str title)
{
    const struct guess_at at = {.source = META_FROM_TITLE, .rank = 7};

    for (size_t i = 1, from = 0; i <= title.n; i++) {
        bool colon;
        size_t mark = i == title.n ? 1 : mark_at(title, i, &colon);
        struct str s;

        if (mark == 0)
            continue;
        s = str_trim(str_sub(title, from, i));
        if (s.n <= 60 && is_domain(c, s))
            (void)candidate_add(c, META_SITE, s, &at);
        from = i + mark;
        i = from - 1;
    }
}

/* ... with the site's name in an <h1>, too. */
static void
site_in_brackets(struct guesses *c, struct str title)
{
    const struct guess_at at = {.source = META_FROM_TITLE, .rank = 7};
    struct str front, back;
    uint64_t key;
    uint32_t n;

    if (!bracketed(title, &front, &back))
        return;
    key = candidate_key(back, &n);
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (c->of[META_TITLE][i].key == key &&
            c->of[META_TITLE][i].sources & 1u << META_FROM_H1)
            (void)candidate_add(c, META_SITE, back, &at);
}

/* Is it the page at the top of the site of `page`? */
static bool
is_home(const struct url *page, struct str url)
{
    size_t host_end = (size_t)(page->host.p + page->host.n - page->href.p);
    size_t path = str_find(page->href, '/', host_end);

    return url.n == path + 1 && str_starts(page->href, url);
}

/* A part of the title that leads home, as the name above every page does; not
 * an entry of a menu, such as "Home"; or "". */
static struct str
name_that_leads_home(const struct document *d, struct str title)
{
    struct str none = STR("");

    if (d->url.href.n == 0 || is_home(&d->url, d->url.href))
        return none;
    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];

        if (is_home(&d->url, l->url) && l->anchor.n > 0 &&
            !(l->within & (LINK_IN_NAV | LINK_IN_ITEM | LINK_IN_FOOTER)) &&
            is_end_of(title, l->anchor))
            return l->anchor;
    }
    return none;
}

/* The site's name is no title of another page, nor is what only <title> says
 * and that ends in it. */
static void
leave_out(struct guesses *c, struct str site)
{
    struct guess *of = c->of[META_TITLE];
    uint32_t n = 0, letters_n;
    uint64_t key = candidate_key(site, &letters_n);

    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (of[i].key != key && (of[i].sources != 1u << META_FROM_TITLE ||
                                 !is_end_of(of[i].value, site)))
            of[n++] = of[i];
    if (n > 0)
        c->n[META_TITLE] = n;
}

/* Lower case in one word, as DokuWiki's ids: kurs:erste-schritte. */
static bool
is_identifier(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ' ' || (s.p[i] >= 'A' && s.p[i] <= 'Z'))
            return false;
    return s.n > 0 && ascii_alpha(s.p[0]);
}

/* Does it stand in the URL, as a part of the path or a value? */
static bool
stands_in_url(struct str url, struct str s)
{
    for (size_t i = 1; i + s.n <= url.n; i++) {
        struct str end = str_sub(url, i + s.n, url.n);

        if ((url.p[i - 1] == '/' || url.p[i - 1] == '=') &&
            (end.n == 0 || memchr("/&?.", end.p[0], 4) != NULL) &&
            str_starts(str_sub(url, i, url.n), s))
            return true;
    }
    return false;
}

static bool
has_other_h1(const struct guesses *c)
{
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (c->of[META_TITLE][i].sources & 1u << META_FROM_H1 &&
            !(c->of[META_TITLE][i].parts & PART_IS_SITE))
            return true;
    return false;
}

/* The first candidate that is no heading and stands in the URL; or "". */
static struct str
name_in_url(const struct guesses *c)
{
    const uint32_t headed = 1u << META_FROM_H1 | 1u << META_FROM_HEADING;

    for (uint32_t i = 0; i < c->n[META_TITLE]; i++) {
        const struct guess *k = &c->of[META_TITLE][i];

        if (!(k->sources & headed) && is_identifier(k->value) &&
            stands_in_url(c->d->url.target, k->value))
            return k->value;
    }
    return (struct str)STR("");
}

/* The name of a page in its URL is no title where the page has a heading, nor
 * is what only <title> says and that has it at an end, nor the site's name. */
static void
leave_out_name_in_url(struct guesses *c)
{
    struct guess *of = c->of[META_TITLE];
    struct str name = has_other_h1(c) ? name_in_url(c) : (struct str)STR("");
    uint32_t n = 0;

    if (name.n == 0)
        return;
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (!str_eq(of[i].value, name) && !(of[i].parts & PART_IS_SITE) &&
            (of[i].sources != 1u << META_FROM_TITLE ||
             !(str_starts(of[i].value, name) || str_ends(of[i].value, name))))
            of[n++] = of[i];
    c->n[META_TITLE] = n;
}

static void
headings(struct guesses *c)
{
    const struct document *d = c->d;
    uint32_t h1 = 0, others = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        enum tag tag = d->blocks[i].counts->tag;
        struct guess_at at = {.source = META_FROM_H1};

        if (tag != TAG_H1 && tag != TAG_H2 && tag != TAG_H3)
            continue;
        if (tag == TAG_H1 ? h1++ >= H1_MAX : others++ >= HEADINGS_MAX)
            continue;
        if (tag != TAG_H1)
            at.source = META_FROM_HEADING;
        candidate_place(&at, d, i);
        (void)candidate_add(c, META_TITLE, d->blocks[i].text, &at);
    }
}

/* "Page 2" */
static bool
ends_in_number(struct str s)
{
    size_t at = s.n;

    while (at > 0 && ascii_digit(s.p[at - 1]))
        at--;
    return at < s.n && (at == 0 || s.p[at - 1] == ' ');
}

/* The one part that `title` is short of, of a few words; not behind a colon or
 * an arrow, which part titles and sections; no number of a page. */
static struct str
left_off(struct str whole, const struct guess *title)
{
    struct str off = STR("");
    uint32_t marks_n = 0;

    for (size_t i = 1; i < whole.n && marks_n < MARKS_MAX;) {
        bool colon;
        size_t mark = mark_at(whole, i, &colon);
        struct str front, back;
        uint32_t n;

        if (mark == 0) {
            i++;
            continue;
        }
        front = str_trim(str_sub(whole, 0, i));
        back = str_trim(str_sub(whole, i + mark, whole.n));
        if (!colon && memchr(whole.p + i, '>', mark) == NULL) {
            if (candidate_key(front, &n) == title->key)
                off = back;
            else if (candidate_key(back, &n) == title->key)
                off = front;
        }
        i += mark;
        marks_n++;
    }
    for (size_t i = 1; i < off.n; i++) {
        bool colon;

        if (mark_at(off, i, &colon) > 0)
            return (struct str)STR("");
    }
    return words_n(off) <= 4 && !ends_in_number(off) ? off
                                                     : (struct str)STR("");
}

void
sources_site(struct guesses *c, const struct guess *title)
{
    const uint32_t seen = 1u << META_FROM_H1 | 1u << META_FROM_HEADING |
                          1u << META_FROM_OPEN_GRAPH | 1u << META_FROM_JSON_LD;
    const struct guess_at at = {.source = META_FROM_TITLE_PART, .rank = 9};

    if (c->n[META_SITE] > 0 || !(title->sources & 1u << META_FROM_TITLE_PART) ||
        !(title->sources & seen))
        return;
    for (uint32_t i = 0; i < c->n[META_TITLE] && c->n[META_SITE] == 0; i++)
        if (c->of[META_TITLE][i].sources & 1u << META_FROM_TITLE)
            (void)candidate_add(
                c, META_SITE, left_off(c->of[META_TITLE][i].value, title), &at);
}

void
sources_titles(struct guesses *c)
{
    uint32_t n = c->n[META_TITLE];
    struct guess *of = c->of[META_TITLE];
    const uint32_t whole = 1u << META_FROM_TITLE | 1u << META_FROM_OPEN_GRAPH |
                           1u << META_FROM_TWITTER;
    const struct guess_at linked = {.source = META_FROM_TITLE, .rank = 7};
    struct str home = STR("");

    c->domain_letters_n =
        letters(c->domain, c->domain_letters, sizeof c->domain_letters);
    for (uint32_t i = 0; i < n; i++)
        if (of[i].sources & whole)
            site_of_title(c, of[i].value);
    for (uint32_t i = 0; i < n && home.n == 0; i++)
        if (of[i].sources & whole)
            home = name_that_leads_home(c->d, of[i].value);
    (void)candidate_add(c, META_SITE, home, &linked);
    headings(c);
    for (uint32_t i = 0; i < n; i++)
        if (of[i].sources & whole)
            site_in_brackets(c, of[i].value);
    for (uint32_t i = 0; i < n; i++)
        if (of[i].sources & whole)
            cut(c, of[i].value);
    if (home.n > 0)
        leave_out(c, home);
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (names_site(c, c->of[META_TITLE][i].value, c->of[META_TITLE][i].key))
            c->of[META_TITLE][i].parts |= PART_IS_SITE;
    leave_out_name_in_url(c);
}
