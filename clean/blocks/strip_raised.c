/* strip_raised.c -- numbers above the line (<sup>) behind other numbers. */
#include "strip.h"

/* Behind a number another one would be more of its digits: 10^6. */
void
strip_raised_start(struct strip *s)
{
    s->self_link.raised = true;
    s->power = !s->blank_pending && s->text.n > 0 &&
               ascii_digit(s->text.p[s->text.n - 1]) && !strip_in_code(s);
}

void
strip_raised_text(struct strip *s, struct str text)
{
    struct str minus = str_starts(text, S("\xe2\x88\x92")) ? str_sub(text, 3, 4)
                       : str_starts(text, S("-"))          ? str_sub(text, 1, 2)
                                                  : str_sub(text, 0, 1);

    if (s->open_n[TAG_SUP] > 0 && minus.n > 0 && ascii_digit(minus.p[0]))
        strip_text(s, S("^"));
    s->power = false;
}
