/* charset_prescan.c -- the encoding that a page declares in itself (HTML
 * 13.2.3.2, "prescan a byte stream to determine its encoding").
 *
 * The standard looks at 1,024 bytes and lets the parser find later <meta>
 * elements and start again.  We cannot start again, so we look further:
 * PRESCAN_MAX.  Time is linear in that. */
#include "charset_impl.h"

#define PRESCAN_MAX ((size_t)16 * 1024)
#define VALUE_MAX 128 /* of an attribute; what is longer is no charset */

struct cursor {
    struct str s;
    size_t at;
    enum charset_labels labels;
};

struct attribute_pair { /* an attribute in lower case, cut at VALUE_MAX */
    char name[VALUE_MAX], value[VALUE_MAX];
    size_t name_n, value_n;
};

/* "algorithm for extracting a character encoding from a meta element", NULL if
 * none. */
static const char *
charset_of_meta_content(enum charset_labels labels, struct str s)
{
    static const struct str word = STR("charset");

    for (size_t at = 0; at + word.n <= s.n; at++) {
        size_t i = at + word.n, end;

        if (!str_starts_nocase(str_sub(s, at, s.n), word))
            continue;
        while (i < s.n && ascii_space(s.p[i]))
            i++;
        if (i == s.n || s.p[i] != '=')
            continue;
        for (i++; i < s.n && ascii_space(s.p[i]);)
            i++;
        if (i == s.n)
            return NULL;
        if (s.p[i] == '"' || s.p[i] == '\'') {
            end = str_find(s, s.p[i], i + 1);
            return end < s.n ? charset_name_by(labels, str_sub(s, i + 1, end))
                             : NULL;
        }
        for (end = i; end < s.n && !ascii_space(s.p[end]) && s.p[end] != ';';)
            end++;
        return charset_name_by(labels, str_sub(s, i, end));
    }
    return NULL;
}

static bool
more(const struct cursor *c)
{
    return c->at < c->s.n;
}

static char
now(const struct cursor *c)
{
    return c->s.p[c->at];
}

static void
skip(struct cursor *c, const char *set)
{
    while (more(c) && now(c) != '\0' && strchr(set, now(c)) != NULL)
        c->at++;
}

static void
put(char *to, size_t *n, char c)
{
    if (*n < VALUE_MAX)
        to[(*n)++] = ascii_lower(c);
}

static void
attribute_value(struct cursor *c, struct attribute_pair *p)
{
    char quote = now(c);

    if (quote == '"' || quote == '\'') {
        for (c->at++; more(c) && now(c) != quote; c->at++)
            put(p->value, &p->value_n, now(c));
        c->at++;
        return;
    }
    for (; more(c) && !ascii_space(now(c)) && now(c) != '>'; c->at++)
        put(p->value, &p->value_n, now(c));
}

/* "Get an attribute"; false: there is none. */
static bool
get_attribute(struct cursor *c, struct attribute_pair *p)
{
    p->name_n = p->value_n = 0;
    skip(c, "\t\n\f\r /");
    if (!more(c) || now(c) == '>')
        return false;
    for (; more(c); c->at++) {
        if (now(c) == '=' && p->name_n > 0)
            break;
        if (ascii_space(now(c)) || now(c) == '/' || now(c) == '>')
            break;
        put(p->name, &p->name_n, now(c));
    }
    skip(c, "\t\n\f\r ");
    if (!more(c) || now(c) != '=')
        return true;
    c->at++;
    skip(c, "\t\n\f\r ");
    if (more(c))
        attribute_value(c, p);
    return true;
}

/* A <meta>, from behind its name on. */
static const char *
meta(struct cursor *c)
{
    bool pragma = false, need_pragma = false, has_content = false;
    bool has_charset = false, has_http_equiv = false;
    const char *found = NULL;
    struct attribute_pair p;

    while (get_attribute(c, &p)) {
        struct str name = str_n(p.name, p.name_n);
        struct str value = str_n(p.value, p.value_n);

        if (str_eq(name, S("http-equiv")) && !has_http_equiv) {
            has_http_equiv = true;
            pragma = str_eq(value, S("content-type"));
        } else if (str_eq(name, S("content")) && !has_content) {
            has_content = true;
            if (found == NULL && !has_charset &&
                (found = charset_of_meta_content(c->labels, value)) != NULL)
                need_pragma = true;
        } else if (str_eq(name, S("charset")) && !has_charset) {
            has_charset = true;
            found = charset_name_by(c->labels, value);
            need_pragma = false;
        }
    }
    if (!more(c)) /* cut off: what it would have said is not known */
        return NULL;
    if (found == NULL || (need_pragma && !pragma))
        return NULL;
    if (strcmp(found, "UTF-16LE") == 0 || strcmp(found, "UTF-16BE") == 0)
        return "UTF-8"; /* else these bytes could not have been read */
    return strcmp(found, "x-user-defined") == 0 ? "windows-1252" : found;
}

static bool
at_word(const struct cursor *c, struct str word)
{
    return str_starts_nocase(str_sub(c->s, c->at, c->s.n), word);
}

/* Some markup, c->at is at its '<'. */
static const char *
markup(struct cursor *c)
{
    char next = c->at + 1 < c->s.n ? c->s.p[c->at + 1] : '\0';
    char after = c->at + 2 < c->s.n ? c->s.p[c->at + 2] : '\0';
    struct attribute_pair unused;

    if (at_word(c, S("<!--"))) {
        for (c->at += 2; more(c) && !at_word(c, S("-->"));)
            c->at = str_find(c->s, '-', c->at + 1);
        c->at += 3;
        return NULL;
    }
    if (at_word(c, S("<meta")) && c->at + 5 < c->s.n &&
        (ascii_space(c->s.p[c->at + 5]) || c->s.p[c->at + 5] == '/')) {
        c->at += 5;
        return meta(c);
    }
    if (ascii_alpha(next) || (next == '/' && ascii_alpha(after))) {
        while (more(c) && !ascii_space(now(c)) && now(c) != '>')
            c->at++;
        while (get_attribute(c, &unused))
            ;
        return NULL;
    }
    if (next == '!' || next == '/' || next == '?')
        c->at = str_find(c->s, '>', c->at);
    c->at++;
    return NULL;
}

/* "Get an XML encoding": <?xml ... encoding="..."?> at the very start. */
static const char *
xml_encoding(enum charset_labels labels, struct str s)
{
    static const struct str word = STR("encoding");
    size_t end = str_find(s, '>', 0), i;
    const char *found;

    if (!str_starts(s, S("<?xml")) || end == s.n)
        return NULL;
    for (i = 5; i + word.n < end; i++)
        if (str_starts(str_sub(s, i, end), word))
            break;
    for (i += word.n; i < end && (unsigned char)s.p[i] <= ' ';)
        i++;
    if (i >= end || s.p[i] != '=')
        return NULL;
    for (i++; i < end && (unsigned char)s.p[i] <= ' ';)
        i++;
    if (i >= end || (s.p[i] != '"' && s.p[i] != '\''))
        return NULL;
    found =
        charset_name_by(labels, str_sub(s, i + 1, str_find(s, s.p[i], i + 1)));
    if (found != NULL && strncmp(found, "UTF-16", 6) == 0)
        return "UTF-8";
    return found;
}

const char *
charset_prescan(enum charset_labels labels, struct str bytes)
{
    struct cursor c = {str_sub(bytes, 0, PRESCAN_MAX), 0, labels};

    if (str_starts(c.s, S("<\0?\0x\0")))
        return "UTF-16LE";
    if (str_starts(c.s, S("\0<\0?\0x")))
        return "UTF-16BE";
    while ((c.at = str_find(c.s, '<', c.at)) < c.s.n) {
        const char *found = markup(&c);

        if (found != NULL)
            return found;
        if (c.at > c.s.n)
            break;
    }
    return xml_encoding(labels, c.s);
}
