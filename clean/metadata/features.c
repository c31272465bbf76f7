/* features.c -- a candidate as numbers: see feature.tbl.h. */
#include "model.h"

#include "clean/blocks/char_class.h"
#include "reading_time.h"
#include "upload.h"

#define SET(id, value) row[META_FEATURE_##id] = (float)(value)

static uint32_t
words_of(struct str s)
{
    uint32_t n = s.n > 0;

    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == ' ';
    return n;
}

static float
capitals(struct str s)
{
    uint32_t words = 0, upper = 0;
    bool start = true;

    for (size_t at = 0; at < s.n;) {
        uint32_t cp = char_next(s, &at);
        uint8_t class = char_class(cp);

        if (start && class & CHAR_WORD) {
            words++;
            upper += (class & CHAR_UPPER) != 0;
            start = false;
        }
        if (cp == ' ')
            start = true;
    }
    return words > 0 ? (float)upper / (float)words : 0;
}

static struct str
last_step(struct str path)
{
    size_t from;

    while (path.n > 0 && path.p[path.n - 1] == '/')
        path.n--;
    for (from = path.n; from > 0 && path.p[from - 1] != '/';)
        from--;
    return str_sub(path, from, path.n);
}

/* Whether `word` stands in s, ASCII letters of any case. */
static bool
stands_in(struct str word, struct str s)
{
    for (size_t i = 0; i + word.n <= s.n; i++)
        if (ascii_lower(s.p[i]) == ascii_lower(word.p[0]) &&
            str_eq_nocase(str_sub(s, i, i + word.n), word))
            return true;
    return false;
}

/* Share of the words with three bytes and more that the URL's path has. */
static float
slug_share(struct str s, struct str path)
{
    uint32_t words = 0, found = 0;
    struct str word;

    path = last_step(path);
    if (path.n == 0)
        return -1;
    while (str_word(&s, &word) && words < 20) {
        if (word.n < 3)
            continue;
        words++;
        found += stands_in(word, path);
    }
    return words > 0 ? (float)found / (float)words : -1;
}

static float
title_share(struct str s, struct str title)
{
    if (s.n == 0 || title.n == 0)
        return 0;
    return stands_in(s, title) ? (float)s.n / (float)title.n : 0;
}

static float
og_type(const struct page_counts *page)
{
    for (uint32_t i = 0; i < page->heads_n; i++) {
        const struct head_entry *e = &page->heads[i];

        if (str_eq(e->key, S("og:type")))
            return str_eq_nocase(e->value, S("website"))   ? 1
                   : str_eq_nocase(e->value, S("article")) ? 2
                                                           : 3;
    }
    return 0;
}

/* How many <meta> say what an article's section, tags and authors are. */
static float
article_facts(const struct page_counts *page)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < page->heads_n; i++) {
        struct str key = page->heads[i].key;

        n += str_eq(key, S("article:section")) ||
             str_eq(key, S("article:tag")) || str_eq(key, S("article:author"));
    }
    return (float)n;
}

/* upload_month() of the page's picture. */
static int32_t
image_month(const struct page_counts *page)
{
    for (uint32_t i = 0; i < page->heads_n; i++)
        if (str_eq(page->heads[i].key, S("og:image")))
            return upload_month(page->heads[i].value);
    return 0;
}

static bool
near_heading(int64_t block_i, uint32_t heading_i)
{
    int64_t away = block_i - heading_i;

    return away >= -4 && away <= 8;
}

/* Headings that lead to a place of their page among them, as the models have
 * learned it. */
static uint32_t
linked_bytes(const struct block_counts *b)
{
    return b->link_bytes + b->place_bytes;
}

static float
url_kind(struct str path)
{
    static const struct {
        struct str word;
        float kind;
    } words[] = {{STR("/blog"), 1},
                 {STR("/news"), 1},
                 {STR("/article"), 1},
                 {STR("/post"), 1},
                 {STR("/story"), 1},
                 {STR("/20"), 1},
                 {STR("/magazine"), 1},
                 {STR("/press"), 1},
                 {STR("/insights"), 1},
                 {STR("/docs"), 2},
                 {STR("/documentation"), 2},
                 {STR("/manual"), 2},
                 {STR("/reference"), 2},
                 {STR("/wiki"), 2},
                 {STR("/help"), 2},
                 {STR("/support"), 2},
                 {STR("/guide"), 2},
                 {STR("/forum"), 3},
                 {STR("/thread"), 3},
                 {STR("/topic"), 3},
                 {STR("/question"), 3},
                 {STR("/t/"), 3},
                 {STR("/r/"), 3},
                 {STR("/community"), 3},
                 {STR("/viewtopic"), 3},
                 {STR("/discussion"), 3},
                 {STR("/product"), 4},
                 {STR("/shop"), 4},
                 {STR("/collection"), 4},
                 {STR("/categor"), 4},
                 {STR("/service"), 4},
                 {STR("/store"), 4},
                 {STR("/p/"), 4},
                 {STR("/dp/"), 4}};

    for (size_t at = str_find(path, '/', 0); at < path.n;
         at = str_find(path, '/', at + 1))
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (str_starts_nocase(str_sub(path, at, path.n), words[k].word))
                return words[k].kind;
    return 0;
}

void
page_facts(struct page_facts *p, const struct guesses *c, uint32_t heading_i)
{
    const struct document *d = c->d;
    struct str path = d->url.path, slug = last_step(path);
    uint64_t all = 1, links = 0, text = 0;

    *p = (struct page_facts){.heading_i = heading_i,
                             .og = og_type(d->page_counts),
                             .article_facts = article_facts(d->page_counts),
                             .image_month = image_month(d->page_counts),
                             .url = url_kind(path)};
    for (uint32_t i = 0; i < d->page_counts->heads_n; i++)
        if (str_eq(d->page_counts->heads[i].key, S("<title>")))
            p->title = d->page_counts->heads[i].value;
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block_counts *b = d->blocks[i].counts;

        all += b->bytes;
        links += linked_bytes(b);
        p->comments += b->hint[HINT_COMMENT] != 0;
        p->dated += (b->flags & BLOCK_DATE) != 0;
        p->prices += (b->flags & BLOCK_CURRENCY) != 0;
        p->forum += b->hint[HINT_FORUM] != 0;
        p->code += d->blocks[i].form.form == FORM_CODE;
        p->reading_time |=
            near_heading(i, heading_i) && says_reading_time(d->blocks[i].text);
        p->headings += b->tag >= TAG_H1 && b->tag <= TAG_H6;
        if (b->flags & BLOCK_ENDS_SENTENCE && b->words > 12 &&
            linked_bytes(b) * 3 < b->bytes)
            text += b->chars;
    }
    for (uint32_t i = 0; i < d->page_counts->marks_n; i++)
        p->times += (d->page_counts->marks[i].kinds & MARK_TIME) != 0;
    p->text = (float)text;
    p->links = (float)links / (float)all;
    for (size_t i = 0; i < path.n; i++)
        p->depth += path.p[i] == '/';
    for (size_t i = 0; i < slug.n; i++)
        p->slug += slug.p[i] == '-' || slug.p[i] == '_';
}

static void
place_features(float *row, const struct guesses *c, const struct page_facts *p,
               const struct guess *k)
{
    const struct document *d = c->d;
    const struct block_counts *b;

    SET(DISTANCE, 999);
    SET(PLACE, -1);
    if (k->block_i >= d->blocks_n)
        return;
    b = d->blocks[k->block_i].counts;
    SET(DISTANCE, (double)k->block_i - (double)p->heading_i);
    SET(PLACE, (double)k->block_i / d->blocks_n);
    SET(BLOCK_CHARS, b->chars);
    SET(BLOCK_LINKS, (double)linked_bytes(b) / (b->bytes + 1));
    SET(IN_MAIN, (k->within & LINK_IN_MAIN) != 0);
    SET(IN_NAV, (k->within & LINK_IN_NAV) != 0);
    SET(IN_HEADER, (k->within & LINK_IN_HEADER) != 0);
    SET(IN_FOOTER, (k->within & LINK_IN_FOOTER) != 0);
    SET(IN_ASIDE, (k->within & LINK_IN_ASIDE) != 0);
    SET(IN_ITEM, (k->within & LINK_IN_ITEM) != 0);
    SET(IN_COMMENT, k->comment);
    SET(HIDDEN, k->hidden);
}

static void
mark_features(float *row, const struct guess *k)
{
    SET(CLASS_AUTHOR, k->words >> CLASS_AUTHOR & 1);
    SET(CLASS_DATE, k->words >> CLASS_DATE & 1);
    SET(CLASS_PUBLISHED, k->words >> CLASS_PUBLISHED & 1);
    SET(CLASS_UPDATED, k->words >> CLASS_UPDATED & 1);
    SET(CLASS_TITLE, k->words >> CLASS_TITLE & 1);
    SET(CLASS_EVENT, k->words >> CLASS_EVENT & 1);
    SET(SAID_PUBLISHED, (k->context & DATE_PUBLISHED) != 0);
    SET(SAID_UPDATED, (k->context & DATE_UPDATED) != 0);
    SET(SAID_EVENT, (k->context & DATE_EVENT) != 0);
    SET(THING, k->thing);
    SET(PERSON, k->person);
}

static void
text_features(float *row, const struct guesses *c, const struct page_facts *p,
              const struct guess *k)
{
    SET(WORDS, words_of(k->value));
    SET(CHARS, k->value.n);
    SET(CAPITALS, capitals(k->value));
    SET(IS_SITE, k->field == META_TITLE ? (k->parts & PART_IS_SITE) != 0
                                        : is_site_name(c, k->value));
    SET(CUT_FRONT, (k->parts & PART_FRONT) != 0);
    SET(CUT_BACK, (k->parts & PART_BACK) != 0);
    SET(CUT_SITE, (k->parts & PART_SITE) != 0);
    SET(CUT_SHORT, (k->parts & PART_SHORT) != 0);
    SET(CUT_COLON, (k->parts & PART_COLON) != 0);
    SET(IN_TITLE, title_share(k->value, p->title));
    SET(SLUG, slug_share(k->value, c->d->url.path));
    SET(NAMES, k->names_n);
}

/* Candidates of the field from the same sources, under the same class words. */
static uint32_t
alike(const struct guesses *c, const struct guess *k)
{
    const struct guess *of = c->of[k->field];
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n[k->field]; i++)
        n += of[i].sources == k->sources && of[i].words == k->words;
    return n;
}

/* Whether all names of a are among those of b, which has more. */
static bool
within_names(const struct guess *a, const struct guess *b)
{
    for (uint32_t i = 0; i < a->names_n; i++) {
        uint32_t k = 0;

        while (k < b->names_n && !str_eq(a->names[i], b->names[k]))
            k++;
        if (k == b->names_n)
            return false;
    }
    return a->names_n < b->names_n;
}

static void
name_features(float *row, const struct guesses *c, const struct guess *k)
{
    const struct guess *of = c->of[META_AUTHOR];

    for (uint32_t i = 0; i < c->n[META_AUTHOR]; i++) {
        if (of[i].names_n > 1 && within_names(k, &of[i]))
            SET(WIDER, 1);
        if (k->names_n > 1 && within_names(&of[i], k))
            SET(NARROWER, 1);
    }
    SET(ALIKE, alike(c, k));
}

static uint32_t
to_author(const struct guesses *c, const struct guess *k)
{
    uint32_t least = 99;

    for (uint32_t i = 0; i < c->bylines_n && k->block_i != NO_BLOCK; i++) {
        uint32_t other = c->of[META_AUTHOR][i].block_i;
        uint32_t away =
            other > k->block_i ? other - k->block_i : k->block_i - other;

        if (other != NO_BLOCK && away < least)
            least = away;
    }
    return least;
}

static void
date_features(float *row, const struct guesses *c, const struct page_facts *p,
              const struct guess *k)
{
    const struct guess *of = c->of[META_PUBLISHED];
    int32_t day = date_day(&k->at), first = day, last = day;

    for (uint32_t i = 0; i < c->n[META_PUBLISHED]; i++) {
        int32_t other = date_day(&of[i].at);

        first = other < first ? other : first;
        last = other > last ? other : last;
    }
    SET(AGE, last - day);
    SET(YOUTH, day - first);
    SET(TIME, k->at.has_time);
    SET(IMAGE_MONTHS, p->image_month == 0
                          ? -999
                          : 12 * k->at.year + k->at.month - p->image_month);
    SET(PAGE_CODE, p->code);
    SET(PAGE_FACTS, p->article_facts);
    SET(PAGE_MINUTES, p->reading_time);
    for (uint32_t i = 0; i < c->n[META_MODIFIED]; i++)
        if (c->of[META_MODIFIED][i].key == k->key)
            SET(MODIFIED, 1);
    SET(ALIKE, alike(c, k));
    SET(TO_AUTHOR, to_author(c, k));
}

static void
page_features(float *row, const struct guesses *c, const struct page_facts *p,
              enum meta_field field)
{
    const uint32_t machine =
        1u << META_FROM_OPEN_GRAPH | 1u << META_FROM_CITATION |
        1u << META_FROM_DUBLIN_CORE | 1u << META_FROM_PARSELY |
        1u << META_FROM_META | 1u << META_FROM_MICRODATA;

    for (uint32_t i = 0; i < c->n[field]; i++) {
        if (c->of[field][i].sources & 1u << META_FROM_JSON_LD)
            SET(HAS_LD, 1);
        if (c->of[field][i].sources & machine)
            SET(HAS_META, 1);
    }
    SET(PAGE_THING, c->page);
    SET(PAGE_LIST, c->thing_list);
    SET(PAGE_OG, p->og);
    SET(PAGE_DEPTH, p->depth);
    SET(PAGE_SLUG, p->slug);
    SET(PAGE_TEXT, p->text);
    SET(PAGE_LINKS, p->links);
    SET(PAGE_TIMES, p->times);
    SET(COMMENTS, p->comments);
    SET(PAGE_URL, p->url);
    SET(PAGE_DATED, p->dated);
    SET(PAGE_PRICES, p->prices);
    SET(PAGE_FORUM, p->forum);
    SET(PAGE_HEADINGS, p->headings);
}

/* What is known of the author says something of the date, and the other way
 * round. */
static void
other_features(float *row, const struct guesses *c, const struct page_facts *p,
               enum meta_field field)
{
    enum meta_field other = field == META_AUTHOR ? META_PUBLISHED : META_AUTHOR;
    uint32_t n = other == META_AUTHOR ? c->bylines_n : c->n[other];
    int most = 0, near = 0;

    if (field == META_TITLE)
        return;
    for (uint32_t i = 0; i < n; i++) {
        const struct guess *k = &c->of[other][i];
        int sources = __builtin_popcount(k->sources);

        most = sources > most ? sources : most;
        if (k->block_i != NO_BLOCK && sources > near &&
            near_heading(k->block_i, p->heading_i))
            near = sources;
    }
    if (field == META_PUBLISHED) {
        SET(AUTHORS, c->bylines_n);
        SET(TITLES, c->n[META_TITLE]);
    }
    SET(AUTHOR_SOURCES, most);
    SET(AUTHOR_NEAR, near);
}

void
meta_features(float row[META_FEATURES_N], const struct guesses *c,
              const struct page_facts *p, enum meta_field field, uint32_t i)
{
    const struct guess *k = &c->of[field][i];
    uint32_t order = 0;

    memset(row, 0, META_FEATURES_N * sizeof *row);
    for (int s = 0; s < META_SOURCES_N; s++)
        row[s] = (float)(k->sources >> s & 1);
    for (uint32_t o = 0; o < c->n[field]; o++)
        order += c->of[field][o].block_i < k->block_i;
    SET(SOURCES_N, __builtin_popcount(k->sources));
    SET(MENTIONS, k->mentions);
    SET(ORDER, order);
    SET(RIVALS, c->n[field]);
    place_features(row, c, p, k);
    mark_features(row, k);
    if (field == META_PUBLISHED)
        date_features(row, c, p, k);
    else
        text_features(row, c, p, k);
    if (field == META_AUTHOR)
        name_features(row, c, k);
    page_features(row, c, p, field);
    other_features(row, c, p, field);
}
