/* texrex_divisions.c -- see texrex_divisions.h.
 *
 * A scanner of four states over the bytes.  texrex reads files by lines and
 * puts a blank before and after each, so that an end of a line counts as two
 * blanks; lengths in its features do, too. */
#include "texrex_divisions.h"

#include "clean/markup/entity.h"
#include "clean/text/cleanse.h"

enum markup_state { SEARCHING, IN_NAME, SKIPPING, COMMENT, CDATA };

#define NAME_MAX_BYTES 12u /* longer names mean nothing */

struct scanner {
    struct texrex_page *page;
    struct arena *arena;
    char
        *text; /* of all divisions; from `from` on of the one being collected */
    size_t from, n;
    uint32_t divisions_cap, marks_cap;
    enum markup_state state;
    char name[NAME_MAX_BYTES + 1];
    uint32_t name_n, tag_at;
    uint32_t raw, raw_first; /* cursor; where the division began */
    char quote;
    uint32_t run;     /* of - or ] */
    const char *drop; /* the area that is left out; NULL: none */
    uint32_t breaks;  /* that found no text */
    bool body, ended;
    struct texrex_division now;
};

static void
add_mark(struct scanner *s, uint32_t division)
{
    struct texrex_page *page = s->page;

    if (page->marks_n == s->marks_cap) {
        uint32_t cap = 2 * s->marks_cap + 64;

        page->mark =
            arena_grow(s->arena, page->mark, s->marks_cap * sizeof *page->mark,
                       cap * sizeof *page->mark);
        s->marks_cap = cap;
    }
    page->mark[page->marks_n++] = (struct texrex_mark){s->tag_at, division};
}

static void
add_division(struct scanner *s)
{
    struct texrex_page *page = s->page;

    if (page->n == s->divisions_cap) {
        uint32_t cap = 2 * s->divisions_cap + 64;

        page->division = arena_grow(s->arena, page->division,
                                    s->divisions_cap * sizeof *page->division,
                                    cap * sizeof *page->division);
        s->divisions_cap = cap;
    }
    s->now.text = str_n(s->text + s->from, s->n - s->from);
    s->from = s->n;
    page->division[page->n++] = s->now;
}

static void
add_text(struct scanner *s, char c)
{
    if (c == ' ' || c == '\t') {
        if (s->n > s->from && s->text[s->n - 1] != ' ')
            s->text[s->n++] = ' ';
    } else {
        s->text[s->n++] = c;
    }
}

/* A division begins after this tag, or at the end of the page. */
static void
end_division(struct scanner *s, enum texrex_container container, bool after_end)
{
    if (s->n > s->from) {
        s->now.raw = s->raw - 1 - s->raw_first;
        s->now.skipped = s->breaks;
        add_division(s);
        s->now = (struct texrex_division){.open = 0};
        s->breaks = 0;
    } else {
        s->breaks++;
    }
    s->raw_first = s->raw;
    s->now.after_end = after_end;
    s->now.container = container;
    add_mark(s, s->page->n);
}

static bool
is_name(const struct scanner *s, const char *name)
{
    return strcmp(s->name, name) == 0;
}

/* Whether the tag begins a division, and of which kind. */
static bool
begins_division(const char *name, enum texrex_container *kind)
{
    static const struct {
        const char *name;
        enum texrex_container kind;
    } table[] = {{"div", TEXREX_DIV},        {"p", TEXREX_P},
                 {"li", TEXREX_LI},          {"h1", TEXREX_H},
                 {"h2", TEXREX_H},           {"h3", TEXREX_H},
                 {"h4", TEXREX_H},           {"h5", TEXREX_H},
                 {"h6", TEXREX_H},           {"blockquote", TEXREX_BLOCKQUOTE},
                 {"td", TEXREX_TD},          {"article", TEXREX_ARTICLE},
                 {"section", TEXREX_SECTION}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0) {
            *kind = table[i].kind;
            return true;
        }
    return false;
}

static const char *
drop_area(const char *name)
{
    static const char *const table[] = {"script", "style", "head",  "form",
                                        "applet", "code",  "audio", "video"};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i]) == 0)
            return table[i];
    return NULL;
}

static void
begin_body(struct scanner *s)
{
    s->body = true;
    s->drop = NULL;
    s->now = (struct texrex_division){.container = TEXREX_UNKNOWN};
    end_division(s, TEXREX_UNKNOWN, false);
}

static void
end_tag(struct scanner *s)
{
    bool is_end = s->name[0] == '/';
    enum texrex_container kind;

    s->state = SEARCHING;
    if (!s->body) {
        if (is_name(s, "body"))
            begin_body(s);
        return;
    }
    s->now.close += is_end;
    s->now.open += !is_end;
    s->now.anchors += s->name[0] == 'a';
    if (is_name(s, "/body") || is_name(s, "body")) {
        s->ended = true;
        return;
    }
    if (is_name(s, "br") || is_name(s, "br/"))
        add_text(s, ' ');
    if (s->drop != NULL) {
        if (is_end && strcmp(s->name + 1, s->drop) == 0) {
            s->drop = NULL;
            add_mark(s, s->page->n);
        }
    } else if ((s->drop = drop_area(s->name)) != NULL) {
        add_mark(s, TEXREX_NOWHERE);
    } else if (begins_division(s->name + is_end, &kind)) {
        end_division(s, kind, is_end);
    }
}

static void
in_name(struct scanner *s, char c)
{
    if (s->name_n == 0 && !ascii_alpha(c) && c != '/' && c != '!' && c != '?') {
        s->state = SEARCHING;
        if (s->body && s->drop == NULL) {
            add_text(s, '<');
            add_text(s, c);
        }
        return;
    }
    if (c == '>') {
        end_tag(s);
    } else if (c == ' ') {
        s->state = SKIPPING;
        s->quote = '\0';
    } else {
        if (s->name_n < NAME_MAX_BYTES) {
            s->name[s->name_n++] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
            s->name[s->name_n] = '\0';
        }
        s->run = 0;
        if (is_name(s, "!--"))
            s->state = COMMENT;
        else if (is_name(s, "![cdata["))
            s->state = CDATA;
    }
}

static void
in_skipped(struct scanner *s, char c)
{
    if (s->quote != '\0')
        s->quote = c == s->quote ? '\0' : s->quote;
    else if (c == '"' || c == '\'')
        s->quote = c;
    else if (c == '>')
        end_tag(s);
}

/* Up to two or more of `last`, and >. */
static void
in_marked(struct scanner *s, char c, char last)
{
    if (c == last)
        s->run++;
    else if (c == '>' && s->run >= 2)
        end_tag(s);
    else
        s->run = 0;
}

static void
step(struct scanner *s, char c, uint32_t at)
{
    bool line_end = c == '\n' || c == '\r';

    if (c == '\0')
        return;
    s->raw += line_end ? 2 : 1;
    if (line_end)
        c = ' ';
    switch (s->state) {
    case SEARCHING:
        if (c == '<') {
            s->state = IN_NAME;
            s->name_n = 0;
            s->name[0] = '\0';
            s->tag_at = at;
        } else if (s->body && s->drop == NULL) {
            add_text(s, c);
        }
        break;
    case IN_NAME: in_name(s, c); break;
    case SKIPPING: in_skipped(s, c); break;
    case COMMENT: in_marked(s, c, '-'); break;
    case CDATA: in_marked(s, c, ']'); break;
    }
}

static void
scan(struct scanner *s, struct str utf8)
{
    for (size_t i = 0; i < utf8.n && !s->ended; i++)
        step(s, utf8.p[i], (uint32_t)i);
    end_division(s, TEXREX_UNKNOWN, false);
    add_division(s); /* one without text stands at the end */
    add_mark(s, TEXREX_NOWHERE);
}

static size_t
find_nocase(struct str s, struct str what)
{
    size_t at = 0;

    while (at < s.n && !str_starts_nocase(str_sub(s, at, s.n), what))
        at++;
    return at;
}

static void
read_doctype(struct texrex_page *page, struct str head)
{
    size_t at = find_nocase(head, S("<!doctype"));
    struct str rest = str_sub(head, at, head.n), tag;

    tag = str_sub(rest, 0, str_find(rest, '>', 0));
    page->xhtml = find_nocase(tag, S("xhtml 1")) < tag.n;
    page->html4 = !page->xhtml && find_nocase(tag, S("html 4")) < tag.n;
    page->html5 =
        tag.n > 9 && str_eq_nocase(str_trim(str_sub(tag, 9, tag.n)), S("html"));
}

/* Bytes of the reference at s (a '&') that texrex knows, 0: none. */
static size_t
reference(struct str s, struct entity_text *e)
{
    size_t end = 1;

    while (end < s.n && end <= 7 &&
           (ascii_alpha(s.p[end]) || ascii_digit(s.p[end]) || s.p[end] == '#'))
        end++;
    if (end >= s.n || s.p[end] != ';' || end < 3 ||
        (s.p[1] == '#' && (s.p[2] | 0x20) == 'x' && end > 7))
        return 0;
    s.n = end + 1;
    if (entity_decode(e, s, false) != s.n || (e->n == 1 && e->p[0] == ' '))
        return 0;
    return s.n;
}

static struct str
decode_references(struct str s, struct arena *a)
{
    char *out;
    size_t n = 0, used;

    if (str_find(s, '&', 0) == s.n)
        return s;
    out = arena_raw(a, 2 * s.n + 8); /* "&xy;" may become six bytes */
    for (size_t i = 0; i < s.n; i += used) {
        struct entity_text e;

        used = s.p[i] == '&' ? reference(str_sub(s, i, s.n), &e) : 0;
        if (used == 0) {
            out[n++] = s.p[i];
            used = 1;
            continue;
        }
        memcpy(out + n, e.p, e.n);
        n += e.n;
    }
    return str_n(out, n);
}

static uint32_t
occurrences(struct str s, struct str what)
{
    uint32_t n = 0;

    for (size_t i = 0; i + what.n <= s.n; i++)
        n += memcmp(s.p + i, what.p, what.n) == 0;
    return n;
}

static uint32_t
count_tags(struct str s)
{
    uint32_t n = 0;
    size_t at = 0, end;

    while ((at = str_find(s, '<', at)) + 1 < s.n) {
        char next = s.p[at + 1];

        if (!ascii_alpha(next) && next != '!' && next != '?' && next != '/') {
            at++;
            continue;
        }
        if ((end = str_find(s, '>', at)) == s.n)
            break;
        n++;
        at = end + 1;
    }
    return n;
}

/* texrex's second pass with the words of its demonstration job, whose lengths
 * its networks know. */
static void
second_pass(struct texrex_division *d, const struct letters *l, struct arena *a)
{
    static const struct str email = STR("emailblank"), uri = STR("uriblank");
    struct str s = decode_references(decode_references(d->text, a), a);

    d->tags = count_tags(s);
    if (d->tags > 0)
        s = cleanse_tags(a, s);
    d->emails = 0u - occurrences(s, email);
    s = cleanse_emails(l, a, s, email);
    d->emails += occurrences(s, email);
    d->uris = 0u - occurrences(s, uri);
    s = cleanse_uris(l, a, s, uri);
    d->uris += occurrences(s, uri);
    d->text = s;
}

void
texrex_divisions(struct texrex_page *out, struct str utf8,
                 const struct letters *l, struct arena *a)
{
    struct scanner s = {
        .page = out, .arena = a, .text = arena_raw(a, utf8.n + 8)};
    size_t head;

    *out = (struct texrex_page){.n = 0};
    scan(&s, utf8);
    if (!s.body) {
        s = (struct scanner){.page = out, .arena = a, .text = s.text};
        *out = (struct texrex_page){.n = 0};
        begin_body(&s);
        scan(&s, utf8);
    }
    out->raw = s.raw;
    head = find_nocase(utf8, S("<body"));
    read_doctype(out, str_sub(utf8, 0, head));
    for (uint32_t i = 0; i < out->n; i++)
        second_pass(&out->division[i], l, a);
}

uint32_t
texrex_division_at(const struct texrex_page *page, uint32_t at)
{
    uint32_t low = 0, high = page->marks_n;

    while (low < high) { /* the first mark behind `at` */
        uint32_t middle = low + (high - low) / 2;

        if (page->mark[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? TEXREX_NOWHERE : page->mark[low - 1].division;
}
