/* sources_text.c -- dates in the text near the heading, links to licences, and
 * the date in the URL. */
#include "candidates.h"

#include "base/date.h"

#define BEFORE 6u        /* blocks before the heading that are looked at */
#define BEHIND 16u       /* and behind it */
#define SHORT_BYTES 240u /* a longer block is running text ... */
#define LABEL_BYTES 32u  /* "Published:", before its date */
#define DATE_BYTES 60u   /* a block with little more than a date */
#define FAR_MAX 12u      /* of those, far from the heading */

/* "Published", with its date in the next block. */
static unsigned
label_before(const struct guesses *c, uint32_t i)
{
    struct str text, word;
    uint32_t words = 0;

    if (i == 0 || c->d->blocks[i - 1].text.n > LABEL_BYTES ||
        c->d->blocks[i - 1].counts->flags & BLOCK_DATE)
        return 0;
    text = word = c->d->blocks[i - 1].text;
    while (str_word(&text, &word))
        words++;
    return words <= 3 ? date_context(c->d->blocks[i - 1].text) : 0;
}

static void
dates(struct guesses *c, uint32_t i, struct str text)
{
    struct guess_at at = {.source = META_FROM_TEXT};
    struct date_found found;
    bool first = true;

    candidate_place(&at, c->d, i);
    for (; date_find(&found, text, 0, &c->reading); first = false) {
        if (first && found.from == 0 && found.context == 0)
            found.context = label_before(c, i);
        at.context = (uint8_t)found.context;
        (void)candidate_found(c, META_PUBLISHED, &found, &at);
        if (found.context & DATE_UPDATED) {
            at.rank = 7;
            (void)candidate_found(c, META_MODIFIED, &found, &at);
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
            3 * (found.to - found.from) < b->text.n)
            continue;
        dates(c, i, b->text);
        n++;
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

        if (b->text.n <= SHORT_BYTES &&
            (b->counts->flags & BLOCK_DATE ||
             (c->reading.fetched_ms > 0 &&
              b->counts->lexicon[LEXICON_DATE] > 0)))
            dates(c, i, b->text);
    }
    far_dates(c, from, to);
    sources_message(c, heading_i);
    sources_bylines(c, from, to);
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
