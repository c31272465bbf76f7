/* strip_mark.c -- elements that say what stands in them, for the metadata:
 * microdata, RDFa, <time>, rel=author, telling class words; and JSON-LD, whose
 * scripts are kept as they stand.
 *
 * A mark holds places, no text: where its text begins and ends is told by block
 * and byte, and the blocks are there when the metadata stage asks. */
#include "strip.h"

static struct page_mark *
new_mark(struct strip *s)
{
    struct page_counts *page = s->page;

    if (page->marks_n == STRIP_MARKS_MAX)
        return NULL;
    if (page->marks_n == page->marks_cap) {
        uint32_t cap = page->marks_cap ? 2 * page->marks_cap : 64;
        struct page_mark *m = page->marks;

        page->marks = arena_grow(s->d->arena, m, page->marks_cap * sizeof *m,
                                 cap * sizeof *m);
        page->marks_cap = cap;
    }
    return &page->marks[page->marks_n++];
}

static struct str
value_of(const struct tag_token *t)
{
    static const struct str names[] = {STR("content"), STR("datetime"),
                                       STR("href"), STR("src")};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str v = str_trim(strip_attribute(t, names[i]));

        if (v.n > 0)
            return str_sub(v, 0, STRIP_HEAD_BYTES);
    }
    if (t->tag == TAG_ABBR)
        return strip_attribute(t, S("title"));
    return (struct str)STR("");
}

/* The first attribute of the two that has a value, in the arena. */
static struct str
either(struct strip *s, const struct tag_token *t, struct str first,
       struct str second)
{
    struct str v = strip_attribute(t, first);

    if (v.n == 0)
        v = strip_attribute(t, second);
    return v.n > 0 && v.n <= STRIP_HEAD_BYTES ? arena_str(s->d->arena, v)
                                              : (struct str)STR("");
}

static uint32_t
mark_around(const struct strip *s)
{
    for (uint32_t i = s->stack_n; i-- > 2;)
        if (s->stack[i].mark != 0)
            return s->stack[i].mark;
    return 0;
}

static struct page_mark *
make(struct strip *s, const struct tag_token *t)
{
    struct page_mark *m = new_mark(s);
    struct str value = value_of(t);

    if (m == NULL)
        return NULL;
    *m = (struct page_mark){.tag = t->tag,
                            .within = strip_top(s)->within,
                            .hidden = strip_top(s)->hidden,
                            .name = either(s, t, S("itemprop"), S("property")),
                            .type = either(s, t, S("itemtype"), S("typeof")),
                            .value = value.n > 0 ? arena_str(s->d->arena, value)
                                                 : (struct str)STR(""),
                            .parent = mark_around(s),
                            .block_i = s->blocks_n,
                            .end_i = s->blocks_n,
                            .from = (uint32_t)s->text.n,
                            .to = (uint32_t)s->text.n};
    return m;
}

void
strip_mark_open(struct strip *s, struct element *e, const struct tag_token *t)
{
    struct page_mark *m = make(s, t);

    if (m == NULL)
        return;
    m->kinds = e->mark_kinds;
    m->words = e->mark_words;
    m->hidden = e->hidden;
    e->mark = s->page->marks_n;
}

void
strip_mark_close(struct strip *s, const struct element *e)
{
    struct page_mark *m = &s->page->marks[e->mark - 1];

    m->end_i = s->blocks_n;
    m->to = (uint32_t)s->text.n;
}

/* <meta itemprop>, <link itemprop>, <img itemprop>. */
void
strip_mark_empty(struct strip *s, const struct tag_token *t)
{
    struct page_mark *m;

    if (strip_attribute(t, S("itemprop")).n == 0 || strip_top(s)->dropped)
        return;
    if ((m = make(s, t)) != NULL)
        m->kinds = MARK_PROPERTY;
}

/* ---- JSON-LD ---- */

void
strip_json_ld_start(struct strip *s, const struct tag_token *t)
{
    static const struct str type = STR("application/ld+json");

    s->in_json_ld =
        str_starts_nocase(str_trim(strip_attribute(t, S("type"))), type);
}

void
strip_json_ld_text(struct strip *s, struct str text)
{
    if (s->json_ld_bytes + text.n > STRIP_JSON_LD_BYTES)
        return;
    s->json_ld_bytes += text.n;
    buf_str(&s->json_ld, text);
}

void
strip_json_ld_end(struct strip *s)
{
    struct page_counts *page = s->page;
    struct arena *a = s->d->arena;

    s->in_json_ld = false;
    if (s->json_ld.n == 0 || page->json_ld_n == STRIP_JSON_LD_MAX)
        return;
    if (page->json_ld == NULL)
        page->json_ld = arena_raw(a, STRIP_JSON_LD_MAX * sizeof *page->json_ld);
    page->json_ld[page->json_ld_n++] = arena_str(a, buf_view(&s->json_ld));
    buf_clear(&s->json_ld);
}
