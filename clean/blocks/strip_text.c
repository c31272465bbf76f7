/* strip_text.c -- runs of text to blocks.
 *
 * White space of every kind (Unicode Zs, line separators) collapses to one
 * blank; characters that are never seen (zero-width space, word joiner, soft
 * hyphen, byte order mark, direction marks) are left out; the joiners of
 * Persian and Indic scripts stay, and so do U+0080 to U+009F, which
 * st_double_encoding can make sense of.  Spans without any of these are copied
 * whole.  A block ends at STRIP_BLOCK_BYTES at the latest, and its text goes
 * on in the next; past STRIP_BLOCKS_MAX blocks text is dropped and counted. */
#include "clean/markup/scan.h"
#include "strip.h"

enum sort { PLAIN, BLANK, INVISIBLE };

/* Lead bytes after which a character may be a blank or invisible. */
static bool
is_suspect(unsigned char c)
{
    if (c > 0x20 && c < 0x7f) /* nearly all */
        return false;
    return c < 0x80 || c == 0xc2 || (c >= 0xe1 && c <= 0xe3) || c == 0xef;
}

/* What stands at p (left bytes of valid UTF-8); *n: its bytes. */
static enum sort
sort_at(const unsigned char *p, size_t left, size_t *n)
{
    *n = 1;
    if (p[0] <= 0x20)
        return ascii_space((char)p[0]) || p[0] == 0x0b ? BLANK : INVISIBLE;
    if (p[0] == 0x7f)
        return INVISIBLE;
    *n = p[0] == 0xc2 ? 2 : p[0] >= 0xe0 ? 3 : 1;
    if (left < *n)
        return PLAIN;
    switch (p[0]) {
    case 0xc2: return p[1] == 0xa0 ? BLANK : p[1] == 0xad ? INVISIBLE : PLAIN;
    case 0xe1: return p[1] == 0x9a && p[2] == 0x80 ? BLANK : PLAIN;
    case 0xe2:
        if (p[1] == 0x80) {
            if (p[2] <= 0x8a || p[2] == 0xa8 || p[2] == 0xa9 || p[2] == 0xaf)
                return BLANK;
            return p[2] == 0x8b || p[2] == 0x8e || p[2] == 0x8f ||
                           (p[2] >= 0xaa && p[2] <= 0xae)
                       ? INVISIBLE
                       : PLAIN;
        }
        if (p[1] == 0x81)
            return p[2] == 0x9f ? BLANK : p[2] == 0xa0 ? INVISIBLE : PLAIN;
        return PLAIN;
    case 0xe3: return p[1] == 0x80 && p[2] == 0x80 ? BLANK : PLAIN;
    case 0xef: return p[1] == 0xbb && p[2] == 0xbf ? INVISIBLE : PLAIN;
    default: return PLAIN;
    }
}

/* How many of the 16 bytes at p, with no blank before them, are certainly to be
 * copied: nothing that may be a blank or invisible by its first two bytes but
 * single blanks, and none of both at the end, since what follows decides. */
static inline unsigned
plain_16(const unsigned char *p)
{
    const scan_bytes v = scan_load((const char *)p);
    unsigned low = scan_bits((v <= 0x20) | (v == 0x7f));
    unsigned lead =
        scan_bits((v == 0xc2) | ((v >= 0xe1) & (v <= 0xe3)) | (v == 0xef));
    unsigned second = scan_bits((v == 0x80) | (v == 0x81) | (v == 0x9a) |
                                (v == 0xa0) | (v == 0xad) | (v == 0xbb));
    unsigned suspect = low | (lead & (second >> 1 | 0x8000));
    unsigned single =
        scan_bits(v == ' ') & ~(low << 1) & ~((low | lead) >> 1) & 0x7fff;

    return (unsigned)__builtin_ctz((suspect & ~single) | 0x10000);
}

/* Bytes from `at` on that are certainly to be copied; looking ends soon after
 * `most` of them. */
static size_t
plain_span(struct str s, size_t at, size_t most)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t from = at, n;

    while (at < s.n && at - from <= most) {
        if (at > from && s.n - at >= 16 && (n = plain_16(p + at)) > 0)
            at += n;
        else if (!is_suspect(p[at]))
            at++;
        else if (p[at] == ' ' && at > from && at + 1 < s.n &&
                 !is_suspect(p[at + 1])) /* between words, as most are */
            at += 2;
        else if (sort_at(p + at, s.n - at, &n) == PLAIN)
            at += n < s.n - at ? n : s.n - at;
        else
            break;
    }
    return at - from;
}

/* As much of s as fits into `room` bytes without cutting a character. */
static size_t
fitting(struct str s, size_t room)
{
    if (s.n <= room)
        return s.n;
    while (room > 0 && ((unsigned char)s.p[room] & 0xc0) == 0x80)
        room--;
    return room;
}

/* Bytes from `at` on that are ASCII white space: \t to \r and blanks, often the
 * indentation of a line. */
static size_t
blank_span(struct str s, size_t at)
{
    size_t from = at;

    while (at < s.n && (s.p[at] == ' ' || (s.p[at] >= '\t' && s.p[at] <= '\r')))
        at++;
    return at - from;
}

size_t
strip_collapse(struct buf *out, bool *blank, struct str text, size_t max)
{
    size_t at = 0;

    while (at < text.n) {
        size_t n = blank_span(text, at), fit;

        if (n > 0) {
            *blank = out->n > 0;
            at += n;
            continue;
        }
        if ((n = plain_span(text, at, max)) == 0) {
            if (sort_at((const unsigned char *)text.p + at, text.n - at, &n) ==
                BLANK)
                *blank = out->n > 0;
            at += n;
            continue;
        }
        if (out->n + 1 >= max)
            return at;
        fit = fitting(str_n(text.p + at, n), max - out->n - 1);
        if (fit == 0)
            return at;
        if (*blank)
            buf_char(out, ' ');
        *blank = false;
        buf_add(out, text.p + at, fit);
        at += fit;
        if (fit < n)
            return at;
    }
    return at;
}

void
strip_text(struct strip *s, struct str text)
{
    while (text.n > 0) {
        size_t before = s->text.n, taken;
        bool was_blank = s->blank_pending;

        taken = strip_collapse(&s->text, &s->blank_pending, text,
                               STRIP_BLOCK_BYTES);
        if (s->text.n > before) {
            s->break_run = 0;
            if (before == 0)
                s->text_at = s->tag_at;
            if (s->link_depth > 0)
                s->now.link_bytes +=
                    (uint32_t)(s->text.n - before) - (was_blank && before > 0);
        }
        if (s->link_open)
            strip_link_text(s, str_n(text.p, taken));
        if (taken == text.n)
            return;
        text = str_sub(text, taken, text.n);
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
 * greater than that of the one around it. */
static void
place_containers(struct strip *s, struct block_counts *c, uint32_t inner)
{
    uint32_t around = 0;

    for (uint32_t i = 1; i <= inner; i++) {
        around = container_id(s, &s->stack[i], around);
        if (s->stack[i].tag == TAG_ARTICLE && c->article == 0)
            c->article = around;
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
    c->links = s->now.links;
    c->tags = s->now.tags;
    c->breaks = s->now.breaks;
    c->images = s->now.images;
    c->bold = s->now.bold;
    b = &s->blocks[s->blocks_n++];
    *b = (struct block){.text = arena_str(a, buf_view(&s->text))};
    c->gap_tags = s->gap_tags;
    c->at = (uint32_t)s->text_at;
    c->flags |= s->gap ? BLOCK_AFTER_GAP : 0;
    place(s, c);
    block_count_text(c, b->text, &s->title_words, &s->summary_words);
    b->container = tag_name(c->tag);
    b->chars = c->chars;
    b->tokens = c->words;
    b->boilerplate = -1;
    b->duplicate_of = -1;
    b->counts = c;
}

void
strip_flush(struct strip *s)
{
    if (s->text.n > 0) {
        add_block(s);
        s->gap_tags = 0;
        s->gap = false;
        if (s->link_open && s->anchor.n == 0)
            s->links[s->links_n - 1].block_i = s->blocks_n;
    } else {
        s->gap_tags += s->now.tags;
        s->gap |= s->now.tags > 0;
    }
    buf_clear(&s->text);
    s->blank_pending = false;
    s->break_run = 0;
    s->now = (struct markup_counts){0};
}
