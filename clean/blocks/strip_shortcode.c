/* strip_shortcode.c -- shortcodes that a page shows as text.
 *
 * Where a plugin of a site is gone, what its editors wrote for it stays:
 * [vc_row full_width="stretch_row"] ... [/vc_row].  Such a piece is left out of
 * a block; what stands between two of them is text, but for that of
 * [vc_raw_html], which is base64.  A name in brackets alone is none ("[sic]")
 * unless it is that of a well-known plugin, nor is what stands in code.  The
 * block's links and marks, which are places in it, are moved. */
#include "strip.h"

#define SHORTCODE_BYTES 4000u
#define NAME_BYTES 60u

static bool
is_name(char c, bool first)
{
    return (c >= 'a' && c <= 'z') ||
           (!first && ((c >= '0' && c <= '9') || c == '_' || c == '-'));
}

static bool
is_known(struct str name)
{
    static const struct str starts[] = {STR("vc_"),     STR("et_pb_"),
                                        STR("fusion_"), STR("av_"),
                                        STR("su_"),     STR("mk_"),
                                        STR("tatsu_")},
                            whole[] = {STR("gallery"), STR("caption"),
                                       STR("playlist"), STR("embed")};

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(name, starts[i]))
            return true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (str_eq(name, whole[i]))
            return true;
    return false;
}

/* A quotation mark, straight or as editors make it: its bytes, or 0. */
static size_t
quote(struct str s)
{
    static const struct str marks[] = {
        STR("\""),           STR("'"),
        STR("\xe2\x80\x9c"), STR("\xe2\x80\x9d"), /* double, left and right */
        STR("\xe2\x80\x9e"), STR("\xe2\x80\xb3"), /* low, double prime */
        STR("\xc2\xbb"),     STR("\xc2\xab")};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_starts(s, marks[i]))
            return marks[i].n;
    return 0;
}

/* The last `name="` before a bracket that closes: the same for all pieces that
 * may end there, of which there can be thousands ("[a [a [a ... ]"). */
struct last_attribute {
    const char *end, *at; /* NULL: none was looked for; there is none */
};

/* Whether `name="` stands in the text, which begins no sooner than the one that
 * was asked for before with the same end. */
static bool
has_attribute(struct last_attribute *last, struct str s)
{
    const char *end = s.p + s.n;

    if (last->end != end) {
        *last = (struct last_attribute){.end = end};
        for (const char *p = end - 1; p > s.p && last->at == NULL; p--)
            if (*p == '=' && is_name(p[-1], false) &&
                quote(str_n(p + 1, (size_t)(end - p) - 1)) > 0)
                last->at = p;
    }
    return last->at != NULL && last->at > s.p;
}

/* How long the shortcode is that `s` begins with; 0: it is none. */
static size_t
shortcode(struct last_attribute *last, struct str s, struct str *name)
{
    bool closing = s.n > 1 && s.p[1] == '/';
    size_t from = closing ? 2 : 1, at = from, end;

    while (at < s.n && at - from < NAME_BYTES && is_name(s.p[at], at == from))
        at++;
    *name = str_sub(s, from, at);
    if (name->n < 2 || at == s.n)
        return 0;
    end = str_find(str_sub(s, 0, SHORTCODE_BYTES), ']', at);
    if (end >= s.n || end >= SHORTCODE_BYTES)
        return 0;
    if (closing)
        return end == at ? end + 1 : 0;
    if (s.p[at] != ' ' && s.p[at] != ']' && s.p[at] != '/')
        return 0;
    return is_known(*name) || has_attribute(last, str_sub(s, at, end)) ? end + 1
                                                                       : 0;
}

/* With what stands between it and its end, if that is no text. */
static size_t
with_content(struct str s, struct str name, size_t n)
{
    struct str rest = str_sub(s, n, s.n);
    struct last_attribute last = {NULL, NULL};

    if (s.p[1] == '/' || !str_starts(name, (struct str)STR("vc_raw_")))
        return n;
    for (size_t i = str_find(rest, '[', 0); i < rest.n;
         i = str_find(rest, '[', i + 1)) {
        struct str end;
        size_t size = i + 1 < rest.n && rest.p[i + 1] == '/'
                          ? shortcode(&last, str_sub(rest, i, rest.n), &end)
                          : 0;

        if (size > 0 && str_eq(end, name))
            return n + i + size;
    }
    return s.n;
}

/* What stood at `at` of the block stands somewhere else. */
static uint32_t
moved(uint32_t at, size_t from, size_t cut)
{
    return at <= from         ? at
           : at >= from + cut ? at - (uint32_t)cut
                              : (uint32_t)from;
}

static void
move_places(struct strip *s, size_t from, size_t cut)
{
    uint32_t block = s->blocks_n;

    for (uint32_t i = s->links_n; i-- > 0 && s->links[i].block_i == block;)
        s->links[i].block_at = moved(s->links[i].block_at, from, cut);
    for (uint32_t i = 0; i < s->page->marks_n; i++) {
        struct page_mark *m = &s->page->marks[i];

        if (m->block_i == block)
            m->from = moved(m->from, from, cut);
        if (m->end_i == block)
            m->to = moved(m->to, from, cut);
    }
}

static void
cut_out(struct strip *s, size_t from, size_t n)
{
    struct buf *text = &s->text;

    if (from + n < text->n && text->p[from + n] == ' ' &&
        (from == 0 || text->p[from - 1] == ' '))
        n++;
    if (from + n == text->n && from > 0 && text->p[from - 1] == ' ') {
        from--;
        n++;
    }
    memmove(text->p + from, text->p + from + n, text->n - from - n);
    text->n -= n;
    move_places(s, from, n);
}

void
strip_shortcodes(struct strip *s)
{
    struct str text = buf_view(&s->text);
    struct last_attribute last = {NULL, NULL};

    for (size_t at = str_find(text, '[', 0); at < text.n;) {
        struct str name, rest = str_sub(text, at, text.n);
        size_t n = shortcode(&last, rest, &name);

        if (n == 0) {
            at = str_find(text, '[', at + 1);
            continue;
        }
        cut_out(s, at, with_content(rest, name, n));
        text = buf_view(&s->text);
        last.end = NULL;
        at = str_find(text, '[', at > 0 ? at - 1 : 0);
    }
    if (s->now.link_bytes > text.n) /* what was cut out stood in a link */
        s->now.link_bytes = (uint32_t)text.n;
}
