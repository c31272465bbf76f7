/* strip_ruby.c -- how a word is read (<ruby>word<rt>reading</rt></ruby>) stands
 * in parentheses behind it, as a browser without ruby shows it where the page
 * has written them (<rp>), also where it has not.  HTML, 4.5.10 to 4.5.12. */
#include "strip.h"

enum { RUBY_NONE, RUBY_DUE, RUBY_OPEN };

/* An <rt> begins. */
void
strip_ruby_start(struct strip *s)
{
    struct str text = buf_view(&s->text);
    bool written = str_ends(text, S("(")) || str_ends(text, S("\xef\xbc\x88"));

    s->ruby = s->open_n[TAG_RUBY] > 0 && text.n > 0 && !written ? RUBY_DUE
                                                                : RUBY_NONE;
}

/* Text comes, in it or in what it holds. */
void
strip_ruby_text(struct strip *s, struct str text)
{
    if (s->ruby == RUBY_DUE && str_trim(text).n > 0) {
        s->ruby = RUBY_OPEN;
        strip_text(s, S("("));
    }
}

void
strip_ruby_end(struct strip *s)
{
    if (s->ruby == RUBY_OPEN)
        strip_text(s, S(")"));
    s->ruby = RUBY_NONE;
}
