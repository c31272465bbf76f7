/* tokenizer_tag.c -- tags and attributes (HTML 13.2.5.6 to 13.2.5.8 and
 * 13.2.5.32 to 13.2.5.40).
 *
 * Names and values point into the input when nothing in them changes; else
 * (upper case, references, CR, NUL) into t->scratch.  A tag that the input ends
 * in is dropped, as the specification says.  Duplicate attributes are found by
 * comparing with the first few, later by a hash table whose slots are void when
 * their stamp is old, so that nothing is cleared per tag. */
#include "tokenizer_impl.h"

#define COMPARE_MAX 8u /* attributes up to which comparing is cheapest */

enum { /* classes of bytes */
       SPACE = 1,
       TAG_NAME_END = 2,
       ATTRIBUTE_NAME_END = 4,
       CHANGES = 8, /* upper case and NUL: not as in the input */
       VALUE_END = 16,
       VALUE_CHANGES = 32 /* '&' and NUL in an unquoted value */
};

#define WHITE (SPACE | TAG_NAME_END | ATTRIBUTE_NAME_END | VALUE_END)

static const uint8_t classes[256] = {
    ['\t'] = WHITE,
    ['\n'] = WHITE,
    ['\f'] = WHITE,
    ['\r'] = WHITE,
    [' '] = WHITE,
    ['/'] = TAG_NAME_END | ATTRIBUTE_NAME_END,
    ['>'] = TAG_NAME_END | ATTRIBUTE_NAME_END | VALUE_END,
    ['='] = ATTRIBUTE_NAME_END,
    ['&'] = VALUE_CHANGES,
    ['\0'] = CHANGES | VALUE_CHANGES,
    ['A'] = CHANGES,
    ['B'] = CHANGES,
    ['C'] = CHANGES,
    ['D'] = CHANGES,
    ['E'] = CHANGES,
    ['F'] = CHANGES,
    ['G'] = CHANGES,
    ['H'] = CHANGES,
    ['I'] = CHANGES,
    ['J'] = CHANGES,
    ['K'] = CHANGES,
    ['L'] = CHANGES,
    ['M'] = CHANGES,
    ['N'] = CHANGES,
    ['O'] = CHANGES,
    ['P'] = CHANGES,
    ['Q'] = CHANGES,
    ['R'] = CHANGES,
    ['S'] = CHANGES,
    ['T'] = CHANGES,
    ['U'] = CHANGES,
    ['V'] = CHANGES,
    ['W'] = CHANGES,
    ['X'] = CHANGES,
    ['Y'] = CHANGES,
    ['Z'] = CHANGES,
};

static inline unsigned
class_of(char c)
{
    return classes[(unsigned char)c];
}

static const char *
skip_space(const char *p, const char *end)
{
    while (p < end && (class_of(*p) & SPACE))
        p++;
    return p;
}

/* The same classes of sixteen bytes at once. */
static inline scan_mask
ends_name(scan_bytes v, unsigned stop)
{
    scan_mask ends = (v == ' ') |
                     (((scan_bytes)(v - '\t') <= '\r' - '\t') & (v != '\v')) |
                     (v == '/') | (v == '>');

    return stop & ATTRIBUTE_NAME_END ? ends | (v == '=') : ends;
}

static inline scan_mask
changes(scan_bytes v)
{
    return ((scan_bytes)(v - 'A') <= 'Z' - 'A') | (v == 0);
}

/* 13.2.5.8 Tag name state, 13.2.5.33 Attribute name state: the name at p whose
 * first byte is part of it whatever it is.  The byte after it. */
static const char *
read_name(struct tokenizer *t, const char *p, unsigned stop, struct str *name,
          size_t *at)
{
    const char *q = p + 1, *end = t->end;
    unsigned seen = class_of(*p), c, n;

    /* Nearly all names are short: no loop whose end has to be guessed. */
    while (end - q >= 16) {
        scan_bytes v = scan_load(q);
        unsigned ends = scan_bits(ends_name(v, stop));

        n = (unsigned)__builtin_ctz(ends | 0x10000);
        if (scan_bits(changes(v)) & ((1u << n) - 1))
            seen |= CHANGES;
        q += n;
        if (n < 16)
            break;
    }
    for (; q < end && !((c = class_of(*q)) & stop); q++)
        seen |= c;
    *name = str_n(p, (size_t)(q - p));
    *at = IN_INPUT;
    if (seen & CHANGES) {
        *at = t->scratch.n;
        for (; p < q; p++)
            if (*p == '\0')
                buf_c(&t->scratch, "\xef\xbf\xbd");
            else
                buf_char(&t->scratch, ascii_lower(*p));
        name->n = t->scratch.n - *at;
    }
    return q;
}

/* A value that has to be copied: `p` is its first byte, `q` the first that
 * changes.  `quote` ends it, or any VALUE_END when that is 0. */
static const char *
copy_value(struct tokenizer *t, const char *p, const char *q, char quote)
{
    const char *end = t->end;
    struct buf *b = &t->scratch;

    for (;;) {
        struct entity_text e;
        size_t used = 0;

        if (q < end && *q == '&')
            used = entity_decode(&e, str_n(q, (size_t)(end - q)), true);
        if (used > 0) {
            buf_add(b, p, (size_t)(q - p));
            buf_add(b, e.p, e.n);
            p = q += used;
        } else if (q < end && *q == '&') {
            q++;
        }
        if (quote)
            q = scan_4(q, end, quote, '&', '\r', '\0');
        else
            while (q < end && !(class_of(*q) & (VALUE_END | VALUE_CHANGES)))
                q++;
        if (q < end && *q == '&')
            continue;
        if (q < end && (*q == '\0' || (quote && *q == '\r'))) {
            const char *after = q + 1;

            if (*q == '\r' && after < end && *after == '\n')
                after++;
            tokenizer_copy(b, p, after);
            p = q = after;
            continue;
        }
        buf_add(b, p, (size_t)(q - p));
        return q;
    }
}

/* 13.2.5.36, 13.2.5.37 Attribute value (quoted) states: p is after the quote.
 * The byte after the closing one, NULL at the end of the input. */
static const char *
read_quoted(struct tokenizer *t, const char *p, char quote, struct str *value,
            size_t *at)
{
    const char *q = scan_4(p, t->end, quote, '&', '\r', '\0');

    *at = IN_INPUT;
    *value = str_n(p, (size_t)(q - p));
    if (q < t->end && *q != quote) {
        *at = t->scratch.n;
        q = copy_value(t, p, q, quote);
        value->n = t->scratch.n - *at;
    }
    return q < t->end ? q + 1 : NULL;
}

/* 13.2.5.38 Attribute value (unquoted) state */
static const char *
read_unquoted(struct tokenizer *t, const char *p, struct str *value, size_t *at)
{
    const char *q = p;

    while (q < t->end && !(class_of(*q) & (VALUE_END | VALUE_CHANGES)))
        q++;
    *at = IN_INPUT;
    *value = str_n(p, (size_t)(q - p));
    if (q < t->end && (class_of(*q) & VALUE_CHANGES)) {
        *at = t->scratch.n;
        q = copy_value(t, p, q, '\0');
        value->n = t->scratch.n - *at;
    }
    return q < t->end ? q : NULL;
}

static struct str
in_scratch(const struct tokenizer *t, struct str s, size_t at)
{
    return at == IN_INPUT ? s : str_n(t->scratch.p + at, s.n);
}

static struct str
name_of(const struct tokenizer *t, size_t i)
{
    return in_scratch(t, t->attributes[i].name, t->name_at[i]);
}

/* The slot of attribute i's name: its own or the first void one. */
static uint32_t
slot_of(const struct tokenizer *t, size_t i)
{
    struct str name = name_of(t, i);
    uint32_t h = 2166136261u;

    for (size_t k = 0; k < name.n; k++)
        h = (h ^ (unsigned char)name.p[k]) * 16777619u;
    for (h ^= h >> 15;; h++) {
        uint32_t at = h % ATTRIBUTE_SLOTS;

        if (t->stamps[at] != t->stamp || str_eq(name_of(t, t->slots[at]), name))
            return at;
    }
}

static void
stamp_next(struct tokenizer *t)
{
    if (++t->stamp == 0) {
        memset(t->stamps, 0, sizeof t->stamps);
        t->stamp = 1;
    }
}

/* Whether attribute i, the newest, has a name not seen in this tag. */
static bool
is_new(struct tokenizer *t, uint32_t i)
{
    if (i < COMPARE_MAX) {
        struct str name = name_of(t, i);

        for (uint32_t k = 0; k < i; k++)
            if (str_eq(name_of(t, k), name))
                return false;
        return true;
    }
    if (i == COMPARE_MAX) { /* perhaps again, after a duplicate */
        stamp_next(t);
        for (uint32_t k = 0; k < i; k++) {
            uint32_t at = slot_of(t, k);

            t->slots[at] = (uint16_t)k;
            t->stamps[at] = t->stamp;
        }
    }
    uint32_t at = slot_of(t, i);

    if (t->stamps[at] == t->stamp)
        return false;
    t->slots[at] = (uint16_t)i;
    t->stamps[at] = t->stamp;
    return true;
}

/* 13.2.5.33 Attribute name state to 13.2.5.39 After attribute value (quoted)
 * state: one attribute at p.  NULL: the input ended. */
static const char *
attribute(struct tokenizer *t, uint32_t *n, const char *p)
{
    const char *end = t->end;
    struct attribute *a, unwanted;
    size_t *name_at, *value_at, unwanted_at;
    bool keep = *n < ATTRIBUTES_MAX;

    a = keep ? &t->attributes[*n] : &unwanted;
    name_at = keep ? &t->name_at[*n] : &unwanted_at;
    value_at = keep ? &t->value_at[*n] : &unwanted_at;
    p = read_name(t, p, ATTRIBUTE_NAME_END, &a->name, name_at);
    keep = keep && is_new(t, *n);
    a->value = str_n(p, 0);
    *value_at = IN_INPUT;
    p = skip_space(p, end); /* 13.2.5.34 After attribute name state */
    if (p < end && *p == '=') {
        p = skip_space(p + 1, end); /* 13.2.5.35 Before attribute value */
        if (p == end)
            return NULL;
        if (*p == '"' || *p == '\'')
            p = read_quoted(t, p + 1, *p, &a->value, value_at);
        else if (*p != '>')
            p = read_unquoted(t, p, &a->value, value_at);
    }
    if (keep)
        ++*n;
    return p;
}

/* 13.2.5.32 Before attribute name state, 13.2.5.40 Self-closing start tag
 * state: everything up to and with the '>'.  NULL: the input ended. */
static const char *
attributes(struct tokenizer *t, struct tag_token *tag, const char *p)
{
    const char *end = t->end;

    while (p != NULL && (p = skip_space(p, end)) < end) {
        if (*p == '>')
            return p + 1;
        if (*p == '/') {
            p++;
            if (p < end && *p == '>') {
                tag->self_closing = true;
                return p + 1;
            }
            continue;
        }
        p = attribute(t, &tag->attributes_n, p);
    }
    return NULL;
}

/* Read the tag whose name begins at p.  False: the input ended in it. */
static bool
read_tag(struct tokenizer *t, struct tag_token *tag, const char *p)
{
    size_t at;

    *tag = (struct tag_token){.attributes = t->attributes,
                              .offset = (size_t)(t->p - t->begin)};
    buf_clear(&t->scratch);
    p = read_name(t, p, TAG_NAME_END, &tag->name, &at);
    p = attributes(t, tag, p);
    if (p == NULL) {
        t->p = t->end;
        return false;
    }
    t->p = p;
    tag->name = in_scratch(t, tag->name, at);
    tag->tag = tag_find(tag->name);
    if (t->scratch.n == 0)
        return true;
    for (uint32_t i = 0; i < tag->attributes_n; i++) {
        struct attribute *a = &t->attributes[i];

        a->name = name_of(t, i);
        a->value = in_scratch(t, a->value, t->value_at[i]);
    }
    return true;
}

/* The content model that an element asks for (13.2.6, scripting off). */
static enum tokenizer_state
state_after(enum tag tag)
{
    switch (tag) {
    case TAG_TITLE:
    case TAG_TEXTAREA: return TOKENIZER_RCDATA;
    case TAG_STYLE:
    case TAG_XMP:
    case TAG_IFRAME:
    case TAG_NOEMBED:
    case TAG_NOFRAMES: return TOKENIZER_RAWTEXT;
    case TAG_SCRIPT: return TOKENIZER_SCRIPT_DATA;
    case TAG_PLAINTEXT: return TOKENIZER_PLAINTEXT;
    default: return TOKENIZER_DATA;
    }
}

void
tokenizer_start_tag(struct tokenizer *t)
{
    struct tag_token tag;

    if (!read_tag(t, &tag, t->p + 1))
        return;
    if (!t->bare && foreign_start(&t->foreign, &tag) &&
        !(t->xml && tag.self_closing)) {
        t->state = state_after(tag.tag);
        if (t->state != TOKENIZER_DATA) {
            buf_clear(&t->last_start_tag);
            buf_str(&t->last_start_tag, tag.name);
        }
    }
    t->sink->start_tag(t->sink->self, &tag);
}

void
tokenizer_end_tag(struct tokenizer *t)
{
    struct tag_token tag;

    if (!read_tag(t, &tag, t->p + 2))
        return;
    t->state = TOKENIZER_DATA;
    tag.attributes_n = 0;
    tag.self_closing = false;
    if (!t->bare)
        foreign_end(&t->foreign, tag.tag);
    t->sink->end_tag(t->sink->self, &tag);
}
