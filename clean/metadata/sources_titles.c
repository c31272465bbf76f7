/* sources_titles.c -- titles from headings, and the parts of <title>.
 *
 * Every way to leave something off at the front or at the back is a candidate;
 * which one it is the model says, by the headings that say the same and by what
 * is known of the site's name. */
#include "title_cut.h"
#include "titles.h"

#define H1_MAX 6u
#define H1_SECTIONS 4u /* so many are headings of sections */
#define HEADINGS_MAX 6u

bool
title_of_head(const struct guess *title)
{
    const uint32_t head = 1u << META_FROM_TITLE | 1u << META_FROM_OPEN_GRAPH |
                          1u << META_FROM_TWITTER;

    return (title->sources & head) != 0;
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
    if (title_is_short(off))
        parts |= PART_SHORT;
    k->parts |= (uint8_t)parts;
}

/* Every beginning and every end at a mark. */
static void
parts_of(struct guesses *c, struct str title)
{
    struct title_cut cut;
    struct str front, back;
    uint32_t n = 0;

    for (size_t i = 1; n < TITLE_CUTS_MAX && title_cut_next(title, i, &cut);
         i = cut.end, n++) {
        unsigned colon = cut.colon ? PART_COLON : 0;

        part(c, cut.front, cut.back, PART_BACK | colon);
        part(c, cut.back, cut.front, PART_FRONT | colon);
    }
    if (title_bracketed(title, &front, &back) && is_site_name(c, back))
        part(c, front, back, PART_BACK);
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

/* Of many <h1> of which <title> says none, as on pages made of POD, each is the
 * heading of a section. */
static void
take_for_sections(struct guesses *c)
{
    const uint32_t h1 = 1u << META_FROM_H1, title = 1u << META_FROM_TITLE;
    struct guess *of = c->of[META_TITLE];
    uint32_t n = 0;
    bool titled = false;

    for (uint32_t i = 0; i < c->n[META_TITLE]; i++) {
        if (of[i].sources & h1 && of[i].sources != h1)
            return;
        n += of[i].sources == h1;
        titled |= (of[i].sources & title) != 0;
    }
    if (n < H1_SECTIONS || !titled)
        return;
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (of[i].sources == h1) {
            of[i].sources = 1u << META_FROM_HEADING;
            of[i].spelled = META_FROM_HEADING;
        }
}

void
sources_titles(struct guesses *c)
{
    uint32_t titles = c->n[META_TITLE];
    struct str home = site_names_in_titles(c, titles), above;

    headings(c);
    above = site_names_in_headings(c, titles);
    for (uint32_t i = 0; i < titles; i++)
        if (title_of_head(&c->of[META_TITLE][i]))
            parts_of(c, c->of[META_TITLE][i].value);
    take_for_sections(c);
    no_title_of_site(c, home.n > 0 ? home : above);
    for (uint32_t i = 0; i < c->n[META_TITLE]; i++)
        if (is_site_name(c, c->of[META_TITLE][i].value))
            c->of[META_TITLE][i].parts |= PART_IS_SITE;
    no_title_in_url(c);
}
