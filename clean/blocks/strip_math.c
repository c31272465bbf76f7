/* strip_math.c -- MathML as a line of text.
 *
 * A formula says what it is up to three times: in alttext, as its tokens, and
 * in an annotation, which is TeX as a rule.  One of them is kept: alttext, else
 * TeX, else the tokens in their order ("x=2 y").  The rest of <math> is markup
 * that does not count for the block.  KaTeX puts the formula as it is drawn
 * behind its MathML; that is left out. */
#include "strip.h"

enum math_state { MATH_NONE, MATH_TOKENS, MATH_SKIP, MATH_TEX, MATH_SAID };

static bool
same_block(const struct strip *s)
{
    return s->blocks_n == s->math.block_i && s->text.n >= s->math.from;
}

/* TeX of Wikipedia's: {\displaystyle x} */
static struct str
without_style(struct str tex)
{
    static const struct str style = STR("{\\displaystyle ");

    tex = str_trim(tex);
    if (str_starts(tex, style) && tex.p[tex.n - 1] == '}')
        tex = str_trim(str_sub(tex, style.n, tex.n - 1));
    return tex;
}

void
strip_math_start(struct strip *s, const struct tag_token *t)
{
    struct str said = without_style(strip_attribute(t, S("alttext")));

    s->math = (struct strip_math){.state = MATH_TOKENS,
                                  .block_i = s->blocks_n,
                                  .from = s->text.n,
                                  .blank = s->blank_pending};
    if (said.n == 0)
        return;
    strip_text(s, said);
    s->math.state = MATH_SAID;
}

/* A start tag inside of the formula. */
void
strip_math_tag(struct strip *s, const struct tag_token *t)
{
    bool tex;

    if (s->math.state != MATH_TOKENS || t->self_closing ||
        (t->tag != TAG_ANNOTATION_XML && !str_eq(t->name, S("annotation"))))
        return;
    tex = str_eq_nocase(strip_attribute(t, S("encoding")),
                        S("application/x-tex"));
    s->math.state = tex && same_block(s) ? MATH_TEX : MATH_SKIP;
    s->math.annotation = s->stack_n;
    if (s->math.state == MATH_TEX) {
        s->text.n = s->math.from;
        s->blank_pending = s->math.blank;
    }
}

/* An end tag: is the annotation or the formula over? */
void
strip_math_end(struct strip *s)
{
    if (s->open_n[TAG_MATH] == 0) {
        s->math.state = MATH_NONE;
        s->math.block_i = s->blocks_n;
        s->math.to = s->text.n;
    } else if (s->stack_n <= s->math.annotation) {
        s->math.state = s->math.state == MATH_TEX ? MATH_SAID : MATH_TOKENS;
        s->math.annotation = 0;
    }
}

static bool
is_word(char c)
{
    return ascii_alpha(c) || (c >= '0' && c <= '9') || (uint8_t)c >= 0x80;
}

void
strip_math_text(struct strip *s, struct str text)
{
    if (s->math.state == MATH_TOKENS)
        text = str_trim(text);
    if (text.n == 0 || s->open_n[TAG_MATH] == 0 || s->open_n[TAG_SCRIPT] > 0 ||
        s->open_n[TAG_STYLE] > 0)
        return;
    if (s->math.state == MATH_TEX) {
        strip_text(s, text);
    } else if (s->math.state == MATH_TOKENS) {
        if (same_block(s) && s->text.n > s->math.from &&
            is_word(s->text.p[s->text.n - 1]) && is_word(text.p[0]))
            strip_text(s, S(" "));
        strip_text(s, text);
    }
}
