/* sources_marks.c -- facts from microdata, RDFa, <time>, rel and class words.
 *
 * A property belongs to the thing (itemscope, typeof) around it: the author of
 * a comment is none of the page, a name in an author's thing is the author's.
 */
#include "candidates.h"

#include "author_text.h"
#include "clean/chain/codepoint.h"

#define TEXT_BYTES 300u /* longer texts are no fact */

struct mark_reader {
    struct guesses *c;
    const struct page_counts *page;
    struct str authors[AUTHORS_MAX]; /* of itemprop=author, one after other */
    uint32_t authors_n;
    struct guess_at authors_at;
    const struct page_mark *authors_of; /* the thing they wrote */
    uint32_t link_i; /* first link that is not before the mark's block */
};

/* Behind the rest of a character that `at` stands in. */
static size_t
whole_char(struct str s, size_t at)
{
    while (at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80)
        at++;
    return at;
}

/* Bytes from..to of block i, as far as there are any.  Places can stand amid a
 * character: shortcodes are cut out of a text after its marks were made. */
static struct str
slice(const struct document *d, uint32_t i, size_t from, size_t to)
{
    struct str text;

    if (i >= d->blocks_n)
        return (struct str)STR("");
    text = d->blocks[i].text;
    return str_trim(
        str_sub(text, whole_char(text, from), whole_char(text, to)));
}

/* What stands in the element; "" when it is longer than a fact. */
static struct str
text_of(const struct mark_reader *r, const struct page_mark *m)
{
    const struct document *d = r->c->d;
    struct buf out = {.arena = r->c->arena};

    if (m->end_i == m->block_i)
        return m->to - m->from > TEXT_BYTES
                   ? (struct str)STR("")
                   : slice(d, m->block_i, m->from, m->to);
    if (m->end_i - m->block_i > 4)
        return (struct str)STR("");
    for (uint32_t i = m->block_i; i <= m->end_i; i++) {
        struct str s = slice(d, i, i == m->block_i ? m->from : 0,
                             i == m->end_i ? m->to : SIZE_MAX);

        if (s.n == 0)
            continue;
        if (out.n + s.n > TEXT_BYTES)
            return (struct str)STR("");
        buf_c(&out, out.n > 0 ? " " : "");
        buf_str(&out, s);
    }
    return buf_keep(&out);
}

/* The thing a property belongs to: THING_NONE when there is none. */
static enum thing
thing_around(const struct mark_reader *r, const struct page_mark *m,
             const struct page_mark **around)
{
    *around = NULL;
    while (m->parent != 0) {
        m = &r->page->marks[m->parent - 1];
        if (m->kinds & MARK_ITEM) {
            *around = m;
            return thing_of_type(m->type);
        }
    }
    return THING_NONE;
}

static bool
in_comment(const struct mark_reader *r, const struct page_mark *m)
{
    while (m->parent != 0) {
        m = &r->page->marks[m->parent - 1];
        if (m->kinds & MARK_ITEM && (thing_of_type(m->type) == THING_COMMENT ||
                                     str_ends(m->type, S("Answer")) ||
                                     str_eq_nocase(m->name, S("comment"))))
            return true;
    }
    return false;
}

/* "schema:datePublished", "datePublished", "url name". */
static bool
has_name(struct str names, struct str name)
{
    struct str word;

    while (str_word(&names, &word)) {
        size_t colon = str_find(word, ':', 0);

        if (colon < word.n)
            word = str_sub(word, colon + 1, word.n);
        if (str_eq_nocase(word, name))
            return true;
    }
    return false;
}

static struct guess_at
place(const struct mark_reader *r, const struct page_mark *m,
      enum meta_source source)
{
    struct guess_at at = {.source = source,
                          .within = m->within,
                          .words = m->words,
                          .hidden = m->hidden,
                          .comment = in_comment(r, m)};

    for (uint32_t up = m->parent, n = 0; up != 0 && n < 3; n++) {
        at.words |= r->page->marks[up - 1].words;
        up = r->page->marks[up - 1].parent;
    }
    candidate_place(&at, r->c->d, m->block_i);
    return at;
}

/* ---- properties ---- */

static void
authors_end(struct mark_reader *r)
{
    if (r->authors_n > 0)
        (void)candidate_authors(r->c, r->authors, r->authors_n, &r->authors_at);
    r->authors_n = 0;
}

/* The thing that an author wrote. */
static const struct page_mark *
work_around(const struct mark_reader *r, const struct page_mark *m)
{
    while (m->parent != 0) {
        m = &r->page->marks[m->parent - 1];
        if (m->kinds & MARK_ITEM && thing_of_type(m->type) >= THING_PAGE &&
            thing_of_type(m->type) <= THING_ARTICLE)
            return m;
    }
    return NULL;
}

/* Authors of one work come one after the other. */
static void
author_property(struct mark_reader *r, const struct page_mark *m,
                struct str text, const struct guess_at *at)
{
    const struct page_mark *work = work_around(r, m);

    if (text.n == 0)
        return;
    if (work != r->authors_of || r->authors_n == AUTHORS_MAX)
        authors_end(r);
    if (r->authors_n == 0)
        r->authors_at = *at;
    r->authors_of = work;
    r->authors[r->authors_n++] = text;
}

static void
property(struct mark_reader *r, const struct page_mark *m)
{
    const struct page_mark *around;
    enum thing thing = thing_around(r, m, &around);
    bool rdfa = around == NULL
                    ? str_find(m->name, ':', 0) < m->name.n
                    : str_find(around->type, '/', 0) == around->type.n;
    struct guess_at at =
        place(r, m, rdfa ? META_FROM_RDFA : META_FROM_MICRODATA);
    struct str text = text_of(r, m), fact = m->value.n > 0 ? m->value : text;
    bool author_thing =
        around != NULL && (has_name(around->name, S("author")) ||
                           has_name(around->name, S("creator")));

    at.thing =
        thing == THING_PERSON || thing == THING_LIST ? THING_NONE : thing;
    if (at.comment)
        return;
    if (has_name(m->name, S("headline")) ||
        (has_name(m->name, S("name")) &&
         (thing == THING_ARTICLE || thing == THING_PAGE ||
          thing == THING_PRODUCT)))
        (void)candidate_add(r->c, META_TITLE, text.n > 0 ? text : fact, &at);
    else if (has_name(m->name, S("name")) && author_thing)
        /* NOLINTNEXTLINE(bugprone-branch-clone): of another thing */
        author_property(r, m, text.n > 0 ? text : fact, &at);
    else if (has_name(m->name, S("name")) && around != NULL &&
             has_name(around->name, S("publisher")))
        (void)candidate_add(r->c, META_SITE, text.n > 0 ? text : fact, &at);
    else if ((has_name(m->name, S("author")) ||
              has_name(m->name, S("creator"))) &&
             !(m->kinds & MARK_ITEM))
        author_property(r, m, text.n > 0 ? text : fact, &at);
    if (has_name(m->name, S("datePublished")) ||
        has_name(m->name, S("dateCreated")) ||
        has_name(m->name, S("uploadDate")))
        (void)candidate_date(r->c, META_PUBLISHED, fact, &at);
    else if (has_name(m->name, S("dateModified")))
        (void)candidate_date(r->c, META_MODIFIED, fact, &at);
    at.rank = 2;
    if (has_name(m->name, S("articleSection")))
        (void)candidate_add(r->c, META_SECTION, text.n > 0 ? text : fact, &at);
    else if (has_name(m->name, S("license")) && m->value.n > 0)
        (void)candidate_add(r->c, META_LICENCE, m->value, &at);
    else if (has_name(m->name, S("image")) && m->value.n > 0)
        (void)candidate_add(r->c, META_IMAGE, m->value, &at);
    else if (has_name(m->name, S("keywords")) && fact.n > 0)
        (void)candidate_add(r->c, META_KEYWORDS, fact, &at);
}

/* ---- what is no property ---- */

static void
date_mark(struct mark_reader *r, const struct page_mark *m, struct str text)
{
    struct guess_at at =
        place(r, m,
              m->kinds & (MARK_TIME | MARK_PUBDATE) ? META_FROM_TIME
                                                    : META_FROM_CLASS);
    struct date_found found;

    if (date_find(&found, text, 0, &r->c->reading))
        at.context |= (uint8_t)found.context;
    if (m->kinds & MARK_PUBDATE)
        at.context |= DATE_PUBLISHED;
    if ((at.words & 1u << CLASS_UPDATED || at.context & DATE_UPDATED) &&
        !(at.context & DATE_PUBLISHED)) {
        at.rank = 6;
        (void)candidate_date(r->c, META_MODIFIED,
                             m->value.n > 0 ? m->value : text, &at);
        at.context |= DATE_UPDATED;
    }
    if (m->kinds & MARK_TIME && m->value.n > 0 &&
        candidate_date(r->c, META_PUBLISHED, m->value, &at) != NULL)
        return;
    while (date_find(&found, text, 0, &r->c->reading)) {
        at.context |= (uint8_t)found.context;
        (void)candidate_found(r->c, META_PUBLISHED, &found, &at);
        text = str_sub(text, found.to, text.n);
        at.context &= (uint8_t) ~(DATE_PUBLISHED | DATE_UPDATED | DATE_EVENT);
    }
}

/* What comes before the last part of a URL's path. */
static struct str
folder(struct str url)
{
    size_t query = str_find(url, '?', 0), to = query;

    while (to > 0 && url.p[to - 1] == '/')
        to--;
    while (to > 0 && url.p[to - 1] != '/')
        to--;
    return str_sub(url, 0, query < url.n ? query : to);
}

/* The link that a text of an author begins with, and goes on behind: "By
 * <a>Jane Doe</a> 3 years ago", "<a>jane7</a> Member".  Of links to one folder
 * each may be a name: none is all of them. */
static struct str
linked_name(struct mark_reader *r, const struct page_mark *m, struct str text)
{
    const struct document *d = r->c->d;
    struct str name = STR(""), of = STR("");
    size_t behind;

    if (author_byline(text, &behind))
        text = str_sub(text, behind, text.n);
    while (r->link_i < d->links_n && d->links[r->link_i].block_i < m->block_i)
        r->link_i++;
    for (uint32_t i = r->link_i;
         i < d->links_n && d->links[i].block_i <= m->end_i; i++) {
        const struct link *l = &d->links[i];

        if (l->anchor.n == 0)
            continue;
        if (name.n == 0 && l->anchor.n < text.n &&
            str_starts(text, l->anchor)) {
            name = l->anchor;
            of = folder(l->url);
        } else if (name.n > 0 && str_eq(folder(l->url), of)) {
            return (struct str)STR("");
        }
    }
    return name;
}

static void
author_mark(struct mark_reader *r, const struct page_mark *m, struct str text)
{
    struct guess_at at =
        place(r, m, m->kinds & MARK_AUTHOR ? META_FROM_REL : META_FROM_CLASS);
    struct str name = linked_name(r, m, text);

    at.running = true;
    if (name.n > 0) {
        (void)candidate_author(r->c, name, &at);
        return;
    }
    if (text.n > 0 && text.n <= 200)
        (void)candidate_author(r->c, text, &at);
    if (m->end_i == m->block_i) /* a name, and below it what its bearer is */
        return;
    text = slice(r->c->d, m->block_i, m->from, SIZE_MAX);
    if (text.n > 0 && text.n <= 100 && !author_opening(text))
        (void)candidate_author(r->c, text, &at);
}

static void
licence_mark(struct mark_reader *r, const struct page_mark *m)
{
    const struct guess_at at = {.source = META_FROM_REL, .rank = 0};

    if (m->value.n > 0)
        (void)candidate_add(r->c, META_LICENCE, m->value, &at);
}

static void
mark(struct mark_reader *r, const struct page_mark *m)
{
    bool title = m->words & 1u << CLASS_TITLE;
    bool author = m->words & 1u << CLASS_AUTHOR || m->kinds & MARK_AUTHOR;
    bool date = m->words & (1u << CLASS_DATE | 1u << CLASS_UPDATED) ||
                m->kinds & (MARK_TIME | MARK_PUBDATE);
    struct str text;

    if (m->kinds & MARK_PROPERTY && m->name.n > 0)
        property(r, m);
    if (m->kinds & MARK_LICENCE)
        licence_mark(r, m);
    if (!title && !author && !date)
        return;
    text = text_of(r, m);
    if (title && text.n > 0) {
        struct guess_at at = place(r, m, META_FROM_CLASS);

        (void)candidate_add(r->c, META_TITLE, text, &at);
    }
    if (author)
        author_mark(r, m, text);
    if (date && (text.n > 0 || m->value.n > 0))
        date_mark(r, m, text);
}

void
sources_marks(struct guesses *c)
{
    struct mark_reader r = {.c = c, .page = c->d->page_counts};

    for (uint32_t i = 0; i < r.page->marks_n; i++)
        mark(&r, &r.page->marks[i]);
    authors_end(&r);
}
