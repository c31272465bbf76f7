/* doc_line.c -- see doc_line.h.
 *
 * What is read may come from anywhere: a tag that is not closed is text, an
 * entity that is none of the three stays as it is. */
#include "doc_line.h"

#include <stdio.h>

#define TAG_MAX 512 /* bytes; what goes on for longer is no tag */

bool
doc_line_read(struct doc_line *d, struct str line)
{
    struct str *column[] = {&d->url, &d->source, &d->process};
    size_t at = 0;

    for (size_t i = 0; i < 3; i++) {
        size_t tab = str_find(line, '\t', at);

        if (tab == line.n)
            return false;
        *column[i] = str_sub(line, at, tab);
        at = tab + 1;
    }
    d->text = str_sub(line, at, str_find(line, '\t', at));
    return d->url.n > 0;
}

void
doc_line_write(struct buf *out, const struct doc_line *d)
{
    buf_clear(out);
    buf_str(out, d->url);
    buf_char(out, '\t');
    buf_str(out, d->source);
    buf_char(out, '\t');
    buf_str(out, d->process);
    buf_char(out, '\t');
    buf_str(out, d->text);
}

/* ---- elements of the columns ---- */

static size_t
find(struct str s, struct str what, size_t from)
{
    const char *p =
        from > s.n ? NULL : memmem(s.p + from, s.n - from, what.p, what.n);

    return p == NULL ? s.n : (size_t)(p - s.p);
}

static const char *const fact_name[] = {
#define X(id, name) name,
    DOC_FACTS(X)
#undef X
};

const char doc_fact_names[] = "url"
#define X(id, name) " " name
    DOC_FACTS(X)
#undef X
    ;

enum doc_fact
doc_fact_of(struct str name)
{
    int fact = 0;

    while (fact < DOC_FACT_N && !str_eq(name, str_c(fact_name[fact])))
        fact++;
    return (enum doc_fact)fact;
}

struct str
doc_element(struct str column, enum doc_fact fact)
{
    const char *name = fact_name[fact];
    static const struct str cdata = STR("<![CDATA["), end = STR("]]>");
    char tag[64];
    size_t from, to;
    struct str value;

    snprintf(tag, sizeof tag, "<%s>", name);
    from = find(column, str_c(tag), 0);
    if (from == column.n)
        return S("");
    from += strlen(tag);
    snprintf(tag, sizeof tag, "</%s>", name);
    to = find(column, str_c(tag), from);
    if (to == column.n)
        return S("");
    value = str_trim(str_sub(column, from, to));
    if (str_starts(value, cdata) && str_ends(value, end))
        value = str_sub(value, cdata.n, value.n - end.n);
    return value;
}

void
doc_element_add(struct buf *out, enum doc_fact fact, struct str value)
{
    const char *name = fact_name[fact];

    buf_printf(out, "<%s>%.*s</%s>", name, STRF(value), name);
}

void
doc_process_add(struct buf *out, struct str process, enum doc_fact fact,
                struct str value)
{
    static const struct str end = STR("</process>");

    buf_clear(out);
    if (str_ends(process, end))
        buf_str(out, str_sub(process, 0, process.n - end.n));
    else
        buf_c(out, "<process>");
    doc_element_add(out, fact, value);
    buf_str(out, end);
}

/* ---- the text ---- */

/* Whether a tag of that name begins here: "<s>", "<s ", "</s>". */
static bool
is_tag(struct str tag, struct str begin)
{
    return tag.n > begin.n && str_starts(tag, begin) &&
           (tag.p[begin.n] == '>' || tag.p[begin.n] == ' ');
}

static enum doc_piece_kind
kind_of(struct str tag)
{
    if (is_tag(tag, S("<s")))
        return DOC_S;
    if (is_tag(tag, S("</s")))
        return DOC_S_END;
    if (is_tag(tag, S("<p")))
        return DOC_P;
    if (is_tag(tag, S("</p")))
        return DOC_P_END;
    return DOC_OTHER;
}

bool
doc_text_begins(struct str text)
{
    return is_tag(text, S("<p"));
}

/* Bytes of the tag that begins here, 0: none does. */
static size_t
tag_length(struct str s)
{
    size_t end;

    if (s.n < 3 || s.p[0] != '<' || (s.p[1] != '/' && !ascii_alpha(s.p[1])))
        return 0;
    end = str_find(str_sub(s, 0, TAG_MAX), '>', 0);
    return end < s.n && end < TAG_MAX ? end + 1 : 0;
}

struct doc_piece
doc_next(struct str *rest)
{
    struct doc_piece piece = {DOC_END, *rest};
    size_t n, at;

    if (rest->n == 0)
        return piece;
    n = tag_length(*rest);
    if (n > 0) {
        piece.text = str_sub(*rest, 0, n);
        piece.kind = kind_of(piece.text);
    } else {
        piece.kind = DOC_TEXT;
        for (at = 1; (at = str_find(*rest, '<', at)) < rest->n; at++)
            if (tag_length(str_sub(*rest, at, rest->n)) > 0)
                break;
        n = at;
        piece.text = str_sub(*rest, 0, n);
    }
    *rest = str_sub(*rest, n, rest->n);
    return piece;
}

struct str
doc_attribute(struct str tag, const char *name)
{
    char begin[64];
    size_t from;

    snprintf(begin, sizeof begin, " %s=\"", name);
    from = find(tag, str_c(begin), 0);
    if (from == tag.n)
        return S("");
    from += strlen(begin);
    return str_sub(tag, from, str_find(tag, '"', from));
}

/* ---- escaping ---- */

static const struct {
    char c;
    struct str entity;
} entities[] = {{'&', STR("&amp;")}, {'<', STR("&lt;")}, {'>', STR("&gt;")}};

/* White space of Unicode (White_Space) at `at`, or a control character of
 * ASCII, which no XML may have: its bytes, 0: none. */
static size_t
space_length(struct str s, size_t at)
{
    const unsigned char *p = (const unsigned char *)s.p + at;
    size_t n = s.n - at;

    if (*p <= ' ')
        return 1;
    if (n >= 2 && p[0] == 0xc2 && (p[1] == 0x85 || p[1] == 0xa0))
        return 2;
    if (n < 3 || (p[0] != 0xe2 && p[0] != 0xe3 && p[0] != 0xe1))
        return 0;
    if ((p[0] == 0xe1 && p[1] == 0x9a && p[2] == 0x80) ||
        (p[0] == 0xe3 && p[1] == 0x80 && p[2] == 0x80) ||
        (p[0] == 0xe2 && p[1] == 0x81 && p[2] == 0x9f))
        return 3;
    return p[0] == 0xe2 && p[1] == 0x80 &&
                   (p[2] <= 0x8a || p[2] == 0xa8 || p[2] == 0xa9 ||
                    p[2] == 0xaf)
               ? 3
               : 0;
}

static void
escape_char(struct buf *out, char c)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (entities[i].c == c) {
            buf_str(out, entities[i].entity);
            return;
        }
    buf_char(out, c);
}

void
doc_escape(struct buf *out, struct str text)
{
    bool inside = false, blank = false;

    for (size_t at = 0; at < text.n;) {
        size_t space = space_length(text, at);

        if (space > 0) {
            blank = inside;
            at += space;
            continue;
        }
        if (blank)
            buf_char(out, ' ');
        blank = false;
        inside = true;
        escape_char(out, text.p[at++]);
    }
}

/* The character that an entity here stands for, and its length. */
static size_t
entity_at(struct str s, char *c)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (str_starts(s, entities[i].entity)) {
            *c = entities[i].c;
            return entities[i].entity.n;
        }
    *c = s.p[0];
    return 1;
}

void
doc_unescape(struct buf *out, struct str text)
{
    while (text.n > 0) {
        size_t n = str_find(text, '&', 0);
        char c;

        buf_str(out, str_sub(text, 0, n));
        text = str_sub(text, n, text.n);
        if (text.n == 0)
            break;
        n = entity_at(text, &c);
        buf_char(out, c);
        text = str_sub(text, n, text.n);
    }
}

/* ---- lengths ---- */

/* Bytes of the code point or entity at `at`. */
static size_t
char_length(struct str s, size_t at)
{
    size_t n = 1;
    char c;

    if (s.p[at] == '&')
        return entity_at(str_sub(s, at, s.n), &c);
    while (at + n < s.n && ((unsigned char)s.p[at + n] & 0xc0) == 0x80)
        n++;
    return n;
}

uint64_t
doc_chars(struct str text)
{
    struct doc_piece piece;
    uint64_t n = 0;

    while ((piece = doc_next(&text)).kind != DOC_END)
        if (piece.kind == DOC_TEXT)
            for (size_t at = 0; at < piece.text.n; n++)
                at += char_length(piece.text, at);
    return n;
}

struct hash128
doc_ends(struct str text, uint64_t n)
{
    struct buf ends = {0};
    struct str rest = text;
    struct doc_piece piece;
    uint64_t all = doc_chars(text), at = 0;
    struct hash128 h;

    buf_add(&ends, &all, sizeof all);
    while ((piece = doc_next(&rest)).kind != DOC_END) {
        if (piece.kind != DOC_TEXT)
            continue;
        for (size_t i = 0; i < piece.text.n; at++) {
            size_t bytes = char_length(piece.text, i);

            if (at < n || at + n >= all)
                buf_str(&ends, str_sub(piece.text, i, i + bytes));
            i += bytes;
        }
    }
    h = hash128(buf_view(&ends));
    buf_free(&ends);
    return h;
}
