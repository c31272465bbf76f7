/* tokenizer_markup.c -- what follows "<!": comments, doctypes, CDATA
 * (HTML 13.2.5.41 to 13.2.5.68).
 *
 * A comment ends at the first "-->" or "--!>" after "<!--", or at once with
 * "<!-->" and "<!--->"; the ten comment states say no more than that, apart
 * from what is left out when the input ends. */
#include "tokenizer_impl.h"

static void
emit_comment(struct tokenizer *t, const char *from, const char *to)
{
    if (t->sink->comment == NULL)
        return;
    if (scan_4(from, to, '\r', '\0', '\r', '\0') == to) {
        t->sink->comment(t->sink->self, str_n(from, (size_t)(to - from)));
        return;
    }
    buf_clear(&t->scratch);
    tokenizer_copy(&t->scratch, from, to);
    t->sink->comment(t->sink->self, buf_view(&t->scratch));
}

/* 13.2.5.41 Bogus comment state */
void
tokenizer_bogus_comment(struct tokenizer *t, size_t skip)
{
    const char *from = t->p + skip, *to = scan_1(from, t->end, '>');

    emit_comment(t, from, to);
    t->p = to < t->end ? to + 1 : to;
}

/* Where a comment ends that the input ends in: dashes that may have begun its
 * end are not part of it. */
static const char *
unfinished(const char *from, const char *to)
{
    struct str s = str_n(from, (size_t)(to - from));

    if (str_ends(s, S("--!")))
        return to - 3;
    if (str_ends(s, S("--")))
        return to - 2;
    return str_ends(s, S("-")) ? to - 1 : to;
}

/* 13.2.5.43 Comment start state to 13.2.5.52 Comment end bang state */
static void
comment(struct tokenizer *t)
{
    const char *from = t->p + 4, *p = from, *end = t->end;

    if (p < end && *p == '>') {
        emit_comment(t, from, from);
        t->p = p + 1;
        return;
    }
    if (end - p >= 2 && p[0] == '-' && p[1] == '>') {
        emit_comment(t, from, from);
        t->p = p + 2;
        return;
    }
    for (; (p = scan_1(p, end, '>')) < end; p++) {
        struct str s = str_n(from, (size_t)(p - from));

        if (str_ends(s, S("--")) || str_ends(s, S("--!"))) {
            emit_comment(t, from, p[-1] == '!' ? p - 3 : p - 2);
            t->p = p + 1;
            return;
        }
    }
    emit_comment(t, from, unfinished(from, end));
    t->p = end;
}

struct doctype {
    bool has_name, has_id[2], quirks; /* ids: public, system */
    size_t at[4]; /* offsets in scratch: name, public, system, end */
};

static const char *
skip_space(const char *p, const char *end)
{
    while (p < end && ascii_space(*p))
        p++;
    return p;
}

/* 13.2.5.55 DOCTYPE name state */
static const char *
doctype_name(struct tokenizer *t, struct doctype *d, const char *p)
{
    const char *from = p;

    while (p < t->end && !ascii_space(*p) && *p != '>')
        p++;
    tokenizer_copy(&t->scratch, from, p);
    for (size_t i = 0; i < t->scratch.n; i++)
        t->scratch.p[i] = ascii_lower(t->scratch.p[i]);
    d->has_name = true;
    return p;
}

/* 13.2.5.57 to 13.2.5.60 (public, which = 0), 13.2.5.63 to 13.2.5.66 (system,
 * which = 1): the identifier at or after p.  NULL: there is none. */
static const char *
doctype_id(struct tokenizer *t, struct doctype *d, int which, const char *p)
{
    const char *from, *end = t->end;
    char quote;

    p = skip_space(p, end);
    if (p == end || (*p != '"' && *p != '\'')) {
        d->quirks = true;
        return NULL;
    }
    quote = *p++;
    for (from = p; p < end && *p != quote && *p != '>';)
        p++;
    tokenizer_copy(&t->scratch, from, p);
    d->has_id[which] = true;
    if (p == end || *p == '>') {
        d->quirks = true;
        return NULL;
    }
    return p + 1;
}

/* 13.2.5.56 After DOCTYPE name state, 13.2.5.61, 13.2.5.62, 13.2.5.67: what
 * follows the name.  The rest up to '>' is 13.2.5.68 Bogus DOCTYPE state. */
static void
doctype_ids(struct tokenizer *t, struct doctype *d, const char *p)
{
    const char *end = t->end;
    struct str rest;

    p = skip_space(p, end);
    if (p == end || *p == '>') {
        d->quirks |= p == end;
        return;
    }
    rest = str_n(p, (size_t)(end - p));
    if (str_starts_nocase(rest, S("public"))) {
        if ((p = doctype_id(t, d, 0, p + 6)) == NULL)
            return;
        d->at[2] = t->scratch.n;
        p = skip_space(p, end);
        if (p < end && *p == '>')
            return;
    } else if (str_starts_nocase(rest, S("system"))) {
        p += 6;
    } else {
        d->quirks = true;
        return;
    }
    if ((p = doctype_id(t, d, 1, p)) != NULL && skip_space(p, end) == end)
        d->quirks = true;
}

/* The end of the doctype: the first '>' that is not in a name or identifier
 * (none of them can hold one). */
static void
emit_doctype(struct tokenizer *t, const struct doctype *d)
{
    struct str part[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    const struct str *id[2] = {NULL, NULL};
    const char *base = buf_view(&t->scratch).p;

    if (t->sink->doctype == NULL)
        return;
    for (int i = 0; i < 3; i++)
        part[i] = str_n(base + d->at[i], d->at[i + 1] - d->at[i]);
    if (!d->has_name)
        part[0].p = NULL;
    for (int i = 0; i < 2; i++)
        if (d->has_id[i])
            id[i] = &part[i + 1];
    t->sink->doctype(t->sink->self, part[0], id[0], id[1], d->quirks);
}

/* 13.2.5.53 DOCTYPE state, 13.2.5.54 Before DOCTYPE name state */
static void
doctype(struct tokenizer *t)
{
    const char *p = skip_space(t->p + 9, t->end), *close;
    struct doctype d = {0};

    buf_clear(&t->scratch);
    if (p == t->end || *p == '>') {
        d.quirks = true;
    } else {
        p = doctype_name(t, &d, p);
        d.at[1] = d.at[2] = t->scratch.n;
        doctype_ids(t, &d, p);
        if (!d.has_id[1])
            d.at[2] = t->scratch.n;
        d.at[3] = t->scratch.n;
    }
    close = scan_1(t->p, t->end, '>');
    emit_doctype(t, &d);
    t->p = close < t->end ? close + 1 : close;
}

/* 13.2.5.42 Markup declaration open state */
void
tokenizer_declaration(struct tokenizer *t)
{
    struct str s = str_n(t->p, (size_t)(t->end - t->p));

    if (str_starts(s, S("<!--"))) {
        comment(t);
    } else if (str_starts_nocase(s, S("<!doctype"))) {
        doctype(t);
    } else if ((t->xml || foreign_cdata(&t->foreign)) &&
               str_starts(s, S("<![CDATA["))) {
        t->p += 9;
        t->state = TOKENIZER_CDATA;
    } else {
        tokenizer_bogus_comment(t, 2);
    }
}
