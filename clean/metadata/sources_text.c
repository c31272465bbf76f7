/* sources_text.c -- authors and dates in the text near the heading, links to
 * pages of authors, and the date in the URL. */
#include "candidates.h"

#include "author_text.h"

#define BEFORE 6u         /* blocks before the heading that are looked at */
#define BEHIND 16u        /* and behind it */
#define SHORT_BYTES 240u  /* a longer block is running text ... */
#define BYLINE_BYTES 120u /* ... of which only the beginning is a byline */

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

static void
byline(struct guesses *c, uint32_t i, struct str text)
{
    struct guess_at at = {.source = META_FROM_BYLINE, .running = true};
    size_t behind;

    candidate_place(&at, c->d, i);
    if (author_byline(text, &behind))
        (void)candidate_author(c, text, &at);
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
        } else {
            byline(c, i, str_sub(b->text, 0, BYLINE_BYTES));
        }
    }
    author_links(c, from, to);
}

/* The server's date, last of all: when it sent the page, often. */
static void
sources_server(struct guesses *c)
{
    const struct guess_at at = {.source = META_FROM_HTTP, .rank = 9};

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
