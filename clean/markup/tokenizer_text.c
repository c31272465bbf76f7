/* tokenizer_text.c -- bytes of the input as text: what all states of the
 * tokenizer share, and which calls none of them. */
#include "tokenizer_impl.h"

const struct str tokenizer_replacement = STR("\xef\xbf\xbd");

const char *
tokenizer_new_line(struct tokenizer *t, const char **from, const char *p)
{
    tokenizer_run_of(t, *from, p);
    if (p + 1 < t->end && p[1] == '\n') {
        *from = p + 1;
        return p + 2;
    }
    t->sink->text(t->sink->self, S("\n"));
    return *from = p + 1;
}

void
tokenizer_emit(struct tokenizer *t, const char *from, const char *to)
{
    const char *p = from;

    while ((p = scan_4(p, to, '\r', '\0', '\r', '\0')) < to) {
        if (*p == '\r') {
            p = tokenizer_new_line(t, &from, p);
        } else {
            tokenizer_run_of(t, from, p);
            t->sink->text(t->sink->self, tokenizer_replacement);
            from = ++p;
        }
    }
    tokenizer_run_of(t, from, to);
}

void
tokenizer_copy(struct buf *b, const char *from, const char *to)
{
    const char *p = from;

    for (; (p = scan_4(p, to, '\r', '\0', '\r', '\0')) < to; from = ++p) {
        buf_add(b, from, (size_t)(p - from));
        if (*p == '\0') {
            buf_str(b, tokenizer_replacement);
        } else {
            buf_char(b, '\n');
            if (p + 1 < to && p[1] == '\n')
                p++;
        }
    }
    buf_add(b, from, (size_t)(to - from));
}

bool
tokenizer_at_end_tag(const struct tokenizer *t, const char *p)
{
    struct str name = buf_view(&t->last_start_tag);
    char c;

    if (name.n == 0 || (size_t)(t->end - p) < name.n + 3 || p[1] != '/')
        return false;
    c = p[2 + name.n];
    return (ascii_space(c) || c == '/' || c == '>') &&
           str_eq_nocase(str_n(p + 2, name.n), name);
}
