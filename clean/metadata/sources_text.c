/* sources_text.c -- authors and dates in the text near the heading, links to
 * pages of authors, and the date in the URL. */
#include "candidates.h"

#include "author_text.h"
#include "base/date.h"

#define BEFORE 6u         /* blocks before the heading that are looked at */
#define BEHIND 16u        /* and behind it */
#define SHORT_BYTES 240u  /* a longer block is running text ... */
#define BYLINE_BYTES 120u /* ... of which only the beginning is a byline */
#define OPENING_BYTES 32u /* "Written by:" ... */
#define NAME_BYTES 60u    /* ... and who, in the next block */
#define DATE_BYTES 60u    /* a block with little more than a date */
#define FAR_MAX 12u       /* of those, far from the heading */

static void
dates(struct guesses *c, uint32_t i, struct str text)
{
    struct guess_at at = {.source = META_FROM_TEXT};
    struct date_found found;

    candidate_place(&at, c->d, i);
    while (date_find(&found, text, 0, &c->reading)) {
        at.context = (uint8_t)found.context;
        (void)candidate_day(c, META_PUBLISHED, &found.at, &at);
        if (found.context & DATE_UPDATED) {
            at.rank = 7;
            (void)candidate_day(c, META_MODIFIED, &found.at, &at);
        }
        text = str_sub(text, found.to, text.n);
    }
}

/* "Published: 29 October 2024" may stand anywhere, a date and no more where
 * nothing lists many. */
static void
far_dates(struct guesses *c, uint32_t from, uint32_t to)
{
    const struct document *d = c->d;

    for (uint32_t i = 0, n = 0; i < d->blocks_n && n < FAR_MAX; i++) {
        const struct block *b = &d->blocks[i];
        struct date_found found;

        if (!(b->counts->flags & BLOCK_DATE) || b->text.n > DATE_BYTES ||
            (i >= from && i <= to) ||
            !date_find(&found, b->text, 0, &c->reading))
            continue;
        if (!(found.context & (DATE_PUBLISHED | DATE_UPDATED)) &&
            2 * (found.to - found.from) < b->text.n)
            continue;
        dates(c, i, b->text);
        n++;
    }
}

static void
byline(struct guesses *c, uint32_t i, struct str text)
{
    struct guess_at at = {.source = META_FROM_BYLINE, .running = true};
    size_t behind;

    candidate_place(&at, c->d, i);
    if (author_byline(text, &behind))
        (void)candidate_author(c, text, &at);
    else if (text.n <= OPENING_BYTES && author_opening(text) &&
             i + 1 < c->d->blocks_n && c->d->blocks[i + 1].text.n <= NAME_BYTES)
        (void)candidate_author(c, c->d->blocks[i + 1].text, &at);
}

/* A short text of capitalised words beside a date, in the block before or
 * behind it. */
static void
beside_date(struct guesses *c, uint32_t i)
{
    struct guess_at at = {.source = META_FROM_TEXT, .running = true};
    const struct document *d = c->d;
    struct str s = d->blocks[i].text, word;
    uint32_t words = 0;

    if (s.n < 4 || s.n > NAME_BYTES ||
        d->blocks[i].counts->flags & BLOCK_DATE ||
        !((i > 0 && d->blocks[i - 1].counts->flags & BLOCK_DATE) ||
          (i + 1 < d->blocks_n && d->blocks[i + 1].counts->flags & BLOCK_DATE)))
        return;
    for (; str_word(&s, &word); words++)
        if (ascii_lower(word.p[0]) == word.p[0] && ascii_alpha(word.p[0]))
            return;
    candidate_place(&at, d, i);
    if (words >= 2 && words <= 4)
        (void)candidate_author(c, d->blocks[i].text, &at);
}

static bool
is_of_author(struct str url)
{
    static const struct str words[] = {
        STR("/author"), STR("/autor"), STR("/auteur"),  STR("/people/"),
        STR("/staff"),  STR("/team/"), STR("/profile"), STR("/contributor"),
        STR("/by/"),    STR("/user"),  STR("/writer"),  STR("/journalist")};

    for (size_t at = str_find(url, '/', 9); at < url.n;
         at = str_find(url, '/', at + 1))
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (str_starts(str_sub(url, at, url.n), words[k]))
                return true;
    return false;
}

static void
author_links(struct guesses *c, uint32_t from, uint32_t to)
{
    const struct document *d = c->d;

    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];
        struct guess_at at = {.source = META_FROM_LINK, .running = true};

        if (l->block_i < from || l->block_i > to || l->anchor.n == 0 ||
            !is_of_author(l->url))
            continue;
        candidate_place(&at, d, l->block_i);
        (void)candidate_author(c, l->anchor, &at);
    }
}

static bool
is_licence(struct str url)
{
    static const struct str at[] = {
        STR("//creativecommons.org/licenses/"),
        STR("//www.creativecommons.org/licenses/"),
        STR("//creativecommons.org/publicdomain/"),
        STR("//www.creativecommons.org/publicdomain/")};
    struct str rest = str_sub(url, str_find(url, ':', 0) + 1, url.n);

    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (str_starts(rest, at[i]))
            return true;
    return false;
}

/* A link to a Creative Commons licence at the foot of a page: the page's, if
 * there is no other.  Those in the text are mostly of pictures. */
static void
licence_links(struct guesses *c)
{
    const struct guess_at at = {.source = META_FROM_LINK, .rank = 5};
    const struct document *d = c->d;
    struct str found = STR("");

    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];

        if (!is_licence(l->url))
            continue;
        if (found.n > 0 && !str_eq(found, l->url))
            return;
        if (l->within & LINK_IN_FOOTER || 8 * l->block_i >= 7 * d->blocks_n)
            found = l->url;
    }
    if (found.n > 0)
        (void)candidate_add(c, META_LICENCE, found, &at);
}

void
sources_text(struct guesses *c, uint32_t heading_i)
{
    const struct document *d = c->d;
    uint32_t from = heading_i > BEFORE ? heading_i - BEFORE : 0;
    uint32_t to = heading_i + BEHIND;

    for (uint32_t i = from; i <= to && i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        if (b->text.n <= SHORT_BYTES) {
            if (b->counts->flags & BLOCK_DATE ||
                (c->reading.fetched_ms > 0 &&
                 b->counts->lexicon[LEXICON_DATE] > 0))
                dates(c, i, b->text);
            byline(c, i, b->text);
            beside_date(c, i);
        } else {
            byline(c, i, str_sub(b->text, 0, BYLINE_BYTES));
        }
    }
    far_dates(c, from, to);
    author_links(c, from, to);
    licence_links(c);
}

/* What the site's sitemap says, then the server's date, last of all: when it
 * sent the page, often. */
static void
sources_server(struct guesses *c)
{
    const struct guess_at sitemap = {.source = META_FROM_SITEMAP, .rank = 8};
    const struct guess_at at = {.source = META_FROM_HTTP, .rank = 9};
    char text[DATE_ISO_N];

    if (c->d->origin.sitemap_ms > 0) {
        date_iso((int64_t)c->d->origin.sitemap_ms, text);
        (void)candidate_date(c, META_MODIFIED, str_c(text), &sitemap);
    }
    if (c->d->origin.last_modified.n > 0)
        (void)candidate_date(c, META_MODIFIED, c->d->origin.last_modified, &at);
}

void
sources_url(struct guesses *c)
{
    const struct guess_at at = {.source = META_FROM_URL};
    struct day_time day;

    sources_server(c);
    if (date_of_path(&day, c->d->url.path))
        (void)candidate_day(c, META_PUBLISHED, &day, &at);
}
