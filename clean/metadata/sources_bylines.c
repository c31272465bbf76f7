/* sources_bylines.c -- authors in the text near the heading, and links to pages
 * of authors. */
#include "candidates.h"

#include "author_text.h"
#include "clean/chain/codepoint.h"

#define SHORT_BYTES 240u  /* a longer block is running text ... */
#define BYLINE_BYTES 120u /* ... of which only the beginning is a byline */
#define OPENING_BYTES 32u /* "Written by:" ... */
#define NAME_BYTES 60u    /* ... and who, in the next block */
#define VERB_BYTES 9u     /* "Posted by" is an opening anywhere, "By" is none */
#define FAR_MAX 4u        /* of those, far from the heading */

/* Block i is "Author", or the like: the name stands behind it, but what is
 * beside the head of a column is the head of another one. */
static bool
is_name_behind(const struct document *d, uint32_t i)
{
    const struct block *label = &d->blocks[i], *name = label + 1;

    return i + 1 < d->blocks_n && name->text.n <= NAME_BYTES &&
           !(label->form.header && name->form.header &&
             label->form.table == name->form.table);
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
             is_name_behind(c->d, i))
        (void)candidate_author(c, c->d->blocks[i + 1].text, &at);
}

/* Two to four words that begin with capitals and have no digit. */
static bool
like_a_name(struct str s)
{
    struct str word;
    uint32_t words = 0;

    for (size_t i = 0; i < s.n; i++)
        if (ascii_digit(s.p[i]))
            return false;
    for (; str_word(&s, &word); words++)
        if (ascii_lower(word.p[0]) == word.p[0] && ascii_alpha(word.p[0]))
            return false;
    return words >= 2 && words <= 4;
}

/* A short text of capitalised words beside a date, in the block before or
 * behind it. */
static void
beside_date(struct guesses *c, uint32_t i)
{
    struct guess_at at = {.source = META_FROM_TEXT, .running = true};
    const struct document *d = c->d;
    struct str s = d->blocks[i].text;

    if (s.n < 4 || s.n > NAME_BYTES ||
        d->blocks[i].counts->flags & BLOCK_DATE ||
        !((i > 0 && d->blocks[i - 1].counts->flags & BLOCK_DATE) ||
          (i + 1 < d->blocks_n && d->blocks[i + 1].counts->flags & BLOCK_DATE)))
        return;
    candidate_place(&at, d, i);
    if (like_a_name(s))
        (void)candidate_author(c, s, &at);
}

/* What stands between two marks: "Jane Doe" of "Jane Doe | Writer | 3 May". */
static struct str
first_piece(struct str s)
{
    static const struct str ends[] = {STR(" | "), STR("|"),    STR(" · "),
                                      STR(" • "), STR(" – "),  STR(" — "),
                                      STR(" - "), STR(" on "), STR(" in ")};
    size_t to = s.n;

    for (size_t i = 1; i < to; i++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends && i < to; k++)
            if (str_starts(str_sub(s, i, s.n), ends[k]))
                to = i;
    return str_trim(str_sub(s, 0, to));
}

/* Without blanks and marks at its beginning. */
static struct str
without_marks(struct str s)
{
    static const struct str marks[] = {STR("|"), STR("·"), STR("•"),
                                       STR("–"), STR("—"), STR("-"),
                                       STR(","), STR(" "), STR("/")};

    for (size_t k = 0; k < sizeof marks / sizeof *marks;)
        if (str_starts(s, marks[k])) {
            s = str_sub(s, marks[k].n, s.n);
            k = 0;
        } else {
            k++;
        }
    return s;
}

/* "3 May 2024 · Jane Doe", "Jane Doe | Writer | 3 May 2024". */
static void
with_date(struct guesses *c, uint32_t i, struct str text)
{
    struct guess_at at = {.source = META_FROM_TEXT, .running = true};
    struct date_found found;
    struct str before, behind;
    size_t name;

    if (!date_find(&found, text, 0, &c->reading))
        return;
    candidate_place(&at, c->d, i);
    before = first_piece(str_trim(str_sub(text, 0, found.from)));
    behind = without_marks(str_sub(text, found.to, text.n));
    if (found.context == 0 && like_a_name(before))
        (void)candidate_author(c, before, &at);
    if (author_byline(behind, &name)) {
        at.source = META_FROM_BYLINE;
        (void)candidate_author(c, behind, &at);
    } else if (like_a_name(first_piece(behind))) {
        (void)candidate_author(c, first_piece(behind), &at);
    }
}

/* "Written by Jane Doe" where nothing near the heading says who did. */
static void
far_bylines(struct guesses *c)
{
    const struct document *d = c->d;

    for (uint32_t i = 0, n = 0; i < d->blocks_n && n < FAR_MAX; i++) {
        struct str text = d->blocks[i].text;
        size_t behind;

        if (text.n < 4 || text.n > NAME_BYTES ||
            !(author_opening(text) ||
              (author_byline(text, &behind) && behind > VERB_BYTES)))
            continue;
        byline(c, i, text);
        n++;
    }
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
sources_bylines(struct guesses *c, uint32_t from, uint32_t to)
{
    const struct document *d = c->d;

    for (uint32_t i = from; i <= to && i < d->blocks_n; i++) {
        struct str text = d->blocks[i].text;

        if (text.n > SHORT_BYTES) {
            byline(c, i, codepoint_head(text, BYLINE_BYTES));
            continue;
        }
        byline(c, i, text);
        beside_date(c, i);
        if (d->blocks[i].counts->flags & BLOCK_DATE && text.n <= BYLINE_BYTES)
            with_date(c, i, text);
    }
    author_links(c, from, to);
    if (c->n[META_AUTHOR] == 0)
        far_bylines(c);
}
