/* json_tree.c -- see json_tree.h.
 *
 * One loop over the text with the open object or array as its state: every
 * token does what makes sense there, and what makes none is skipped.  Written
 * for this, since json-c (which reads our own files) keeps its values on the
 * heap, where a page that is given up in the middle would leave them, and like
 * yyjson and jansson returns nothing for a text with one fault in it: of the
 * scripts on the Web that matter here, one in fifty has one.  */
#include "json_tree.h"

#include "clean/chain/codepoint.h"
#include "clean/markup/entity.h"
#include "base/buf.h"

struct json_text {
    struct json_tree *tree;
    const char *p, *end;
    uint32_t open;     /* node that values belong to; none: the row */
    uint32_t last;     /* latest child of it */
    uint32_t depth;    /* of open */
    uint32_t deeper;   /* open beyond the bound */
    struct str name;   /* of the next value */
    bool named;        /* a name and its colon were read */
    uint32_t top_last; /* latest value of the row */
};

static uint32_t
add(struct json_text *r, enum json_kind kind, struct str raw)
{
    struct json_tree *t = r->tree;
    uint32_t i = t->n;

    if (i == JSON_TREE_NODES_MAX)
        return JSON_TREE_NONE;
    if (i == t->cap) {
        uint32_t cap = t->cap ? 2 * t->cap : 128;

        t->nodes = arena_grow(t->arena, t->nodes, t->cap * sizeof *t->nodes,
                              cap * sizeof *t->nodes);
        t->cap = cap;
    }
    t->n++;
    t->nodes[i] = (struct json_node){.kind = kind,
                                     .name = r->name,
                                     .raw = raw,
                                     .parent = r->open,
                                     .child = JSON_TREE_NONE,
                                     .next = JSON_TREE_NONE};
    if (r->last != JSON_TREE_NONE)
        t->nodes[r->last].next = i;
    else if (r->open != JSON_TREE_NONE)
        t->nodes[r->open].child = i;
    else
        t->first = i;
    r->last = i;
    r->name = (struct str)STR("");
    r->named = false;
    return i;
}

static void
begin(struct json_text *r, enum json_kind kind)
{
    uint32_t i;

    if (r->depth == JSON_TREE_DEPTH_MAX) {
        r->deeper++;
        return;
    }
    i = add(r, kind, (struct str)STR(""));
    if (i == JSON_TREE_NONE)
        return;
    r->open = i;
    r->last = JSON_TREE_NONE;
    r->depth++;
}

/* A closing bracket: of the nearest open value of its kind. */
static void
end(struct json_text *r, enum json_kind kind)
{
    const struct json_node *nodes = r->tree->nodes;
    uint32_t i = r->open, up = 0;

    if (r->deeper > 0) {
        r->deeper--;
        return;
    }
    while (i != JSON_TREE_NONE && nodes[i].kind != kind && up < 2) {
        i = nodes[i].parent;
        up++;
    }
    if (i == JSON_TREE_NONE || nodes[i].kind != kind)
        return;
    r->depth -= up + 1;
    r->last = i;
    r->open = nodes[i].parent;
    r->named = false;
    r->name = (struct str)STR("");
}

static const char *
skip_space(const char *p, const char *end_of)
{
    while (p < end_of && (unsigned char)*p <= ' ')
        p++;
    return p;
}

/* Whether the quotation mark before p ends its string: what may follow does. */
static bool
ends_string(const char *p, const char *end_of)
{
    const char *q = skip_space(p, end_of);

    if (q == end_of || *q == ',' || *q == ':' || *q == '}' || *q == ']')
        return true;
    /* A comma is missing: the next name is on a line of its own. */
    return *q == '"' && memchr(p, '\n', (size_t)(q - p)) != NULL;
}

/* p stands behind the opening mark.  What may be the end of the string. */
static const char *
string_end(const char *p, const char *end_of, char mark, bool *escaped)
{
    const char *first = NULL;

    *escaped = false;
    for (; p < end_of; p++) {
        if (*p == '\\') {
            *escaped = true;
            p += p + 1 < end_of;
            continue;
        }
        if (first != NULL && p - first > 2000)
            return first; /* that was no mark inside of a string */
        if (*p != mark)
            continue;
        if (ends_string(p + 1, end_of))
            return p;
        if (first == NULL)
            first = p;
    }
    return first != NULL ? first : end_of;
}

static void
string(struct json_text *r, char mark)
{
    bool escaped;
    const char *from = r->p + 1;
    const char *to = string_end(from, r->end, mark, &escaped);
    const char *after;
    struct str raw = str_n(from, (size_t)(to - from));
    uint32_t i;

    r->p = to < r->end ? to + 1 : to;
    after = skip_space(r->p, r->end);
    if (after < r->end && *after == ':' && !r->named &&
        r->open != JSON_TREE_NONE &&
        r->tree->nodes[r->open].kind == JSON_OBJECT) {
        r->name = raw;
        r->named = true;
        r->p = after + 1;
        return;
    }
    i = add(r, JSON_STRING, raw);
    if (i != JSON_TREE_NONE)
        r->tree->nodes[i].escaped = escaped;
}

static bool
is_bare(char c)
{
    return ascii_alpha(c) || ascii_digit(c) || c == '_' || c == '$' ||
           c == '-' || c == '+' || c == '.' || c == '@';
}

/* A number, true, null; or a name without quotation marks. */
static void
bare(struct json_text *r)
{
    const char *from = r->p;
    struct str raw;

    while (r->p < r->end && is_bare(*r->p))
        r->p++;
    raw = str_n(from, (size_t)(r->p - from));
    if (r->open == JSON_TREE_NONE)
        return;
    if (!r->named && r->tree->nodes[r->open].kind == JSON_OBJECT) {
        const char *after = skip_space(r->p, r->end);

        if (after < r->end && *after == ':') {
            r->name = raw;
            r->named = true;
            r->p = after + 1;
        }
        return;
    }
    (void)add(r, JSON_OTHER, raw);
}

/* Comments of C, of HTML, and CDATA: to where they end. */
static void
comment(struct json_text *r)
{
    struct str left = str_n(r->p, (size_t)(r->end - r->p));

    if (str_starts(left, S("//"))) {
        r->p +=
            str_starts(left, S("//<![CDATA[")) ? 11 : str_find(left, '\n', 0);
        return;
    }
    if (str_starts(left, S("/*"))) {
        for (r->p += 2; r->p < r->end; r->p++)
            if (r->p[0] == '/' && r->p[-1] == '*')
                break;
    }
    if (r->p < r->end)
        r->p++;
}

static void
token(struct json_text *r)
{
    switch (*r->p) {
    case '{':
        r->p++;
        begin(r, JSON_OBJECT);
        return;
    case '[':
        r->p++;
        if (str_starts(str_n(r->p, (size_t)(r->end - r->p)), S("CDATA[")))
            r->p += 6;
        else
            begin(r, JSON_ARRAY);
        return;
    case '}':
        r->p++;
        end(r, JSON_OBJECT);
        return;
    case ']':
        r->p++;
        end(r, JSON_ARRAY);
        return;
    case '"':
    case '\'': string(r, *r->p); return;
    case '/': comment(r); return;
    default:
        if (is_bare(*r->p))
            bare(r);
        else
            r->p++;
    }
}

void
json_tree_read(struct json_tree *t, struct str text)
{
    struct json_text r = {.tree = t,
                          .p = text.p,
                          .end = text.p + text.n,
                          .open = JSON_TREE_NONE,
                          .last = JSON_TREE_NONE,
                          .name = STR("")};

    if (t->n == 0)
        t->first = JSON_TREE_NONE;
    for (uint32_t i = t->first; i != JSON_TREE_NONE; i = t->nodes[i].next)
        r.last = i;
    while (r.p < r.end && t->n < JSON_TREE_NODES_MAX)
        token(&r);
}

uint32_t
json_tree_member(const struct json_tree *t, uint32_t i, struct str name)
{
    if (i == JSON_TREE_NONE || t->nodes[i].kind != JSON_OBJECT)
        return JSON_TREE_NONE;
    for (i = t->nodes[i].child; i != JSON_TREE_NONE; i = t->nodes[i].next)
        if (str_eq(t->nodes[i].name, name))
            return i;
    return JSON_TREE_NONE;
}

static bool
hex(struct str s, size_t at, uint32_t *out)
{
    *out = 0;
    if (at + 4 > s.n)
        return false;
    for (size_t i = at; i < at + 4; i++) {
        char c = ascii_lower(s.p[i]);

        if (!ascii_digit(c) && (c < 'a' || c > 'f'))
            return false;
        *out = *out * 16 + (uint32_t)(ascii_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return true;
}

/* The escape at s.p[at], behind its backslash; how many bytes it has. */
static size_t
escape(struct buf *out, struct str s, size_t at)
{
    uint32_t cp, low;

    switch (s.p[at]) {
    case 'n':
    case 'r':
    case 't':
    case 'f':
    case 'b': buf_char(out, ' '); return 1;
    case 'u':
        if (!hex(s, at + 1, &cp)) {
            buf_char(out, 'u');
            return 1;
        }
        if (cp >= 0xd800 && cp < 0xdc00 && at + 6 < s.n &&
            s.p[at + 5] == '\\' && s.p[at + 6] == 'u' && hex(s, at + 7, &low) &&
            low >= 0xdc00 && low < 0xe000) {
            buf_utf8(out, 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00));
            return 11;
        }
        buf_utf8(out, cp);
        return 5;
    default: buf_char(out, s.p[at]); return 1;
    }
}

static struct str
unescape(struct json_tree *t, struct str s)
{
    struct buf out = {.arena = t->arena};

    for (size_t i = 0; i < s.n;) {
        size_t to = str_find(s, '\\', i);

        buf_add(&out, s.p + i, to - i);
        i = to + 1;
        if (i < s.n)
            i += escape(&out, s, i);
    }
    return buf_keep(&out);
}

struct str
json_tree_text(struct json_tree *t, uint32_t i)
{
    struct str s;

    if (i == JSON_TREE_NONE || t->nodes[i].kind == JSON_OBJECT ||
        t->nodes[i].kind == JSON_ARRAY)
        return (struct str)STR("");
    s = t->nodes[i].raw;
    if (t->nodes[i].escaped)
        s = unescape(t, s);
    for (int again = 0; again < 2 && str_find(s, '&', 0) < s.n; again++) {
        struct buf out = {.arena = t->arena};
        size_t decoded = entity_decode_all(&out, s);

        if (decoded == 0)
            break;
        s = buf_keep(&out);
    }
    return str_trim(s);
}
