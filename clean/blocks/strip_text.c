/* strip_text.c -- runs of text to blocks.
 *
 * A block ends at STRIP_BLOCK_BYTES at the latest, behind a word or, of code, a
 * line (unless that is longer than WORD_MAX), and its text goes on in the next;
 * past STRIP_BLOCKS_MAX blocks text is dropped and counted. */
#include "clean/chain/codepoint.h"
#include "strip.h"

#define WORD_MAX 1000u /* bytes, of words and of lines of code */

/* What stands before the first text of the block is left out, but for the
 * indentation of its line. */
static void
add_lines(struct strip *s, struct str text)
{
    size_t from = text.n;

    if (strip_code_is_between_lines(s) && str_trim(text).n == 0)
        return;
    if (s->text.n == 0) {
        while (from > 0 && text.p[from - 1] != '\n')
            from--;
        if (from > 0)
            buf_clear(&s->lines);
        text = str_sub(text, from, text.n);
    }
    buf_str(&s->lines, text);
}

/* As much of the text as surely fits into the block and ends with a word; all
 * of it where it may fit, or where there is no such end. */
static struct str
whole_words(struct strip *s, struct str text)
{
    bool code = strip_in_code(s);
    size_t room = STRIP_BLOCK_BYTES - s->text.n, at = room;

    if (text.n < room)
        return text;
    while (at > 0 && room - at < WORD_MAX &&
           !(code ? text.p[at - 1] == '\n' : ascii_space(text.p[at - 1])))
        at--;
    return at > 0 && room - at < WORD_MAX ? str_sub(text, 0, at) : text;
}

void
strip_text(struct strip *s, struct str text)
{
    if (strip_top(s)->aside) {
        strip_inline_note_text(s, text);
        return;
    }
    while (text.n > 0) {
        size_t before = s->text.n, taken;
        bool was_blank = s->blank_pending;
        struct str piece = whole_words(s, text);

        taken = strip_collapse(&s->text, &s->blank_pending, piece,
                               STRIP_BLOCK_BYTES);
        if (s->text.n > before) {
            s->break_run = 0;
            if (before == 0)
                s->text_at = s->tag_at;
            if (s->link_depth > 0)
                s->now.link_bytes +=
                    (uint32_t)(s->text.n - before) - (was_blank && before > 0);
        }
        if (strip_in_code(s))
            add_lines(s, str_n(text.p, taken));
        if (s->link_open)
            strip_link_text(s, str_n(text.p, taken));
        if (taken == text.n)
            return;
        text = str_sub(text, taken, text.n);
        if (taken < piece.n || STRIP_BLOCK_BYTES - s->text.n < WORD_MAX)
            strip_flush(s);
    }
}

static uint32_t
container_id(struct strip *s, struct element *e, uint32_t around)
{
    struct page_counts *page = s->page;

    if (e->container != 0)
        return e->container;
    if (page->containers_n == STRIP_CONTAINERS_MAX)
        return around;
    if (page->containers_n >= page->containers_cap) {
        uint32_t cap = page->containers_cap ? 2 * page->containers_cap : 256;
        struct container *c = page->containers;

        page->containers = arena_grow(
            s->d->arena, c, page->containers_cap * sizeof *c, cap * sizeof *c);
        page->containers_cap = cap;
    }
    e->container = page->containers_n++;
    page->containers[e->container] =
        (struct container){.kind = e->kind, .parent = around};
    page->articles_n += e->tag == TAG_ARTICLE;
    return e->container;
}

/* Ids for the elements round a block, outer ones first: a container's number is
 * greater than that of the one around it.  Below an element that has one all
 * have, and what it knows of them holds still. */
static void
place_containers(struct strip *s, struct block_counts *c, uint32_t inner)
{
    uint32_t first = inner + 1, around = 0;

    while (first > 1 && (s->stack[first - 1].container == 0 ||
                         first + BLOCK_PARENTS > inner + 1))
        first--;
    if (first > 1) {
        around = s->stack[first - 1].container;
        c->article = s->stack[first - 1].article;
    }
    for (uint32_t i = first; i <= inner; i++) {
        struct element *e = &s->stack[i];

        around = container_id(s, e, around);
        if (e->tag == TAG_ARTICLE && c->article == 0)
            c->article = around;
        e->article = c->article;
        if (inner - i < BLOCK_PARENTS)
            c->parent[inner - i] = around;
    }
}

/* Where a block stands, and how far hints are. */
static void
place(struct strip *s, struct block_counts *c)
{
    uint32_t inner = s->stack_n - 1;

    while (inner > 1 && !s->stack[inner].block)
        inner--;
    for (uint32_t i = s->stack_n; i-- > 0;) {
        struct element *e = &s->stack[i];
        uint32_t away = i < inner ? inner - i : 0;
        uint8_t mark = (uint8_t)(away < 254 ? away + 1 : 255);

        for (uint32_t b = e->ancestors; b != 0; b &= b - 1)
            if (i <= inner && c->ancestor[__builtin_ctz(b)] == 0)
                c->ancestor[__builtin_ctz(b)] = mark;
        for (uint32_t b = i > 1 ? e->hints : 0; b != 0; b &= b - 1)
            if (c->hint[__builtin_ctz(b)] == 0)
                c->hint[__builtin_ctz(b)] = mark;
    }
    place_containers(s, c, inner);
    c->tag = s->stack[inner].tag;
    c->path = s->stack[inner].path;
    for (uint32_t i = inner + 1; i-- > 0 && i + 3 > inner;)
        c->shape = hash_mix(c->shape * 31 + s->stack[i].shape);
    c->depth = (uint16_t)(inner + 1);
    c->lists = s->stack[inner].lists;
    c->tables = s->stack[inner].tables;
    c->divs = s->stack[inner].divs;
    c->flags |= s->stack[inner].in_item ? BLOCK_IN_ITEM : 0;
    c->flags |= s->stack[inner].nav_role ? BLOCK_NAV_ROLE : 0;
    c->flags |= strip_top(s)->hidden ? BLOCK_HIDDEN : 0;
}

static void
add_block(struct strip *s)
{
    struct arena *a = s->d->arena;
    struct block_counts *c;
    struct block *b;
    struct str text;

    if (s->blocks_n == STRIP_BLOCKS_MAX) {
        s->page->blocks_dropped++;
        return;
    }
    if (s->blocks_n == s->blocks_cap) {
        uint32_t cap = s->blocks_cap ? 2 * s->blocks_cap : 256;

        s->blocks =
            arena_grow(a, s->blocks, s->blocks_n * sizeof *b, cap * sizeof *b);
        s->blocks_cap = cap;
    }
    c = ARENA_NEW(a, struct block_counts);
    c->link_bytes = s->now.link_bytes;
    c->place_bytes = s->now.place_bytes;
    c->links = s->now.links;
    c->tags = s->now.tags;
    c->breaks = s->now.breaks;
    c->images = s->now.images;
    c->bold = s->now.bold;
    text = arena_str(a, buf_view(&s->text));
    c->footnote = strip_top(s)->footnote;
    c->admonition = strip_top(s)->admonition;
    c->note = strip_note_of_block(s, text);
    c->gap_tags = s->gap_tags;
    c->gap_images = s->gap_images;
    c->at = (uint32_t)s->text_at;
    c->flags |= s->gap ? BLOCK_AFTER_GAP : 0;
    if (s->now.neighbours && 2 * (size_t)c->link_bytes > text.n)
        c->flags |= BLOCK_NAV_ROLE;
    place(s, c);
    block_count_text(c, text, &s->title_words, &s->summary_words);
    /* Each member has its value, so that nothing has to be cleared before. */
    b = &s->blocks[s->blocks_n++];
    *b = (struct block){.text = text,
                        .container = tag_name(c->tag),
                        .chars = c->chars,
                        .tokens = c->words,
                        .boilerplate = -1,
                        .duplicate_of = -1,
                        .kept = false,
                        .counted = false,
                        .running = false,
                        .code = s->now.code || strip_in_code(s),
                        .form = strip_top(s)->form,
                        .counts = c};
    if (b->form.form == FORM_CODE) {
        b->text = strip_form_lines(a, buf_view(&s->lines));
        b->chars = codepoint_count(b->text);
    }
}

static void
flush(struct strip *s)
{
    if (s->text.n > 0 && !s->now.code && !strip_in_code(s) &&
        memchr(s->text.p, '[', s->text.n) != NULL)
        strip_shortcodes(s);
    if (s->text.n > 0) {
        add_block(s);
        s->gap_tags = s->gap_images = 0;
        s->gap = false;
        if (s->link_open && s->anchor.n == 0) {
            s->links[s->links_n - 1].block_i = s->blocks_n;
            s->links[s->links_n - 1].block_at = 0;
        }
    } else {
        s->gap_tags += s->now.tags;
        s->gap_images += s->now.images;
        s->gap |= s->now.tags > 0;
    }
    buf_clear(&s->text);
    buf_clear(&s->lines);
    s->blank_pending = false;
    s->break_run = 0;
    s->ruby = 0;
    s->now = (struct markup_counts){0};
}

void
strip_flush(struct strip *s)
{
    flush(s);
    while (s->asides.n > 0 && strip_inline_note_take(s, &s->text))
        flush(s);
}
