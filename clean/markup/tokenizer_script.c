/* tokenizer_script.c -- script data (HTML 13.2.5.4 and 13.2.5.15 to 13.2.5.31).
 *
 * The seventeen states come down to three modes.  "<!--" in a script leads from
 * plain to escaped, "<script" + delimiter there to double escaped, where
 * "</script" does not end the script but leads back to escaped; "-->" ends
 * both.  The dashes of "<!--" count for "-->", so "<!-->" is whole.  Only '<'
 * and (when escaped) '>' can change anything: those are searched for. */
#include "tokenizer_impl.h"

enum escape_mode { PLAIN, ESCAPED, DOUBLE_ESCAPED };

static bool
starts(const char *p, const char *end, struct str prefix)
{
    return str_starts(str_n(p, (size_t)(end - p)), prefix);
}

/* The length of "<script" or "</script" (any case) with a delimiter after it,
 * 0 if it is not there.
 * 13.2.5.26 Script data double escape start state
 * 13.2.5.31 Script data double escape end state */
static size_t
script_at(const char *p, const char *end, struct str prefix)
{
    struct str s = str_n(p, (size_t)(end - p));

    if (s.n <= prefix.n || !str_starts_nocase(s, prefix))
        return 0;
    return ascii_space(s.p[prefix.n]) || s.p[prefix.n] == '/' ||
                   s.p[prefix.n] == '>'
               ? prefix.n
               : 0;
}

/* A '<' at p, not the script's end tag: how many bytes to pass over. */
static size_t
less_than(enum escape_mode *mode, const char *p, const char *end)
{
    size_t n;

    switch (*mode) {
    case PLAIN: /* 13.2.5.18, 13.2.5.19 Script data escape start */
        if (starts(p, end, S("<!--"))) {
            *mode = ESCAPED;
            return 4;
        }
        return 1;
    case ESCAPED: /* 13.2.5.23 Script data escaped less-than sign state */
        if ((n = script_at(p, end, S("<script"))) > 0)
            *mode = DOUBLE_ESCAPED;
        return n > 0 ? n : 1;
    default: /* 13.2.5.30 Script data double escaped less-than sign state */
        if ((n = script_at(p, end, S("</script"))) > 0)
            *mode = ESCAPED;
        return n > 0 ? n : 1;
    }
}

/* 13.2.5.4 Script data state */
void
tokenizer_script(struct tokenizer *t)
{
    const char *p = t->p, *end = t->end;
    enum escape_mode mode = PLAIN;

    for (;;) {
        p = mode == PLAIN ? scan_1(p, end, '<')
                          : scan_4(p, end, '<', '>', '<', '>');
        if (p == end)
            break;
        if (*p == '>') { /* 13.2.5.22, 13.2.5.29 ... dash dash states */
            if (p[-1] == '-' && p[-2] == '-')
                mode = PLAIN;
            p++;
            continue;
        }
        if (mode != DOUBLE_ESCAPED && tokenizer_at_end_tag(t, p))
            break;
        p += less_than(&mode, p, end);
    }
    tokenizer_emit(t, t->p, p);
    t->p = p;
    if (p < end)
        tokenizer_end_tag(t);
}
