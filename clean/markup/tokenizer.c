/* tokenizer.c -- see tokenizer.h; here: the loop, and the states that read
 * text.
 *
 * t->state is the current content model (data, RCDATA, ...).  One step reads a
 * run of text and the markup behind it; inside a construct (a tag, a comment)
 * the specification's states are the places in the function that parses it,
 * and each names its section.  Text goes to the sink straight from the input;
 * only character references, CR, and NUL cut a run.
 *
 * Every step consumes what it looks at, or looks at a bounded number of bytes
 * (a character reference's name, an end tag's name), so time is linear. */
#include <stdlib.h>

#include "tokenizer_impl.h"

struct tokenizer *
tokenizer_new(void)
{
    return calloc(1, sizeof(struct tokenizer));
}

void
tokenizer_free(struct tokenizer *t)
{
    if (t == NULL)
        return;
    buf_free(&t->last_start_tag);
    buf_free(&t->scratch);
    free(t);
}

/* A NUL in data: the tokenization rules keep it, the tree rules then ignore it
 * in HTML and replace it in svg and math.  There is no tree here, so that
 * decision is taken now. */
static const char *
nul_in_data(struct tokenizer *t, const char **from, const char *p)
{
    if (t->bare)
        return p + 1;
    tokenizer_run_of(t, *from, p);
    if (foreign_inside(&t->foreign))
        t->sink->text(t->sink->self, tokenizer_replacement);
    return *from = p + 1;
}

static const char *
reference(struct tokenizer *t, const char **from, const char *p)
{
    struct entity_text e;
    size_t used = entity_decode(&e, str_n(p, (size_t)(t->end - p)), false);

    if (used == 0)
        return p + 1;
    tokenizer_run_of(t, *from, p);
    t->sink->text(t->sink->self, str_n(e.p, e.n));
    return *from = p + used;
}

/* 13.2.5.6 Tag open state, as far as it decides that this is markup */
static bool
markup_at(const char *p, const char *end)
{
    char c = p + 1 < end ? p[1] : '\0';

    return ascii_alpha(c) || c == '!' || c == '?' || (c == '/' && p + 2 < end);
}

/* 13.2.5.6 Tag open state, 13.2.5.7 End tag open state */
static void
tag_open(struct tokenizer *t)
{
    char c = t->p[1];

    if (ascii_alpha(c))
        tokenizer_start_tag(t);
    else if (c == '!')
        tokenizer_declaration(t);
    else if (c == '?')
        tokenizer_bogus_comment(t, 1);
    else if (ascii_alpha(t->p[2]))
        tokenizer_end_tag(t);
    else if (t->p[2] == '>')
        t->p += 3; /* "</>" is nothing */
    else
        tokenizer_bogus_comment(t, 2);
}

/* 13.2.5.1 Data state */
static void
data(struct tokenizer *t)
{
    const char *from = t->p, *p = from, *end = t->end;

    while ((p = scan_4(p, end, '<', '&', '\r', '\0')) < end) {
        if (*p == '<') {
            if (markup_at(p, end))
                break;
            p++;
        } else if (*p == '&') {
            p = reference(t, &from, p);
        } else if (*p == '\r') {
            p = tokenizer_new_line(t, &from, p);
        } else {
            p = nul_in_data(t, &from, p);
        }
    }
    tokenizer_run_of(t, from, p);
    t->p = p;
    if (p < end)
        tag_open(t);
}

/* 13.2.5.2 RCDATA state, 13.2.5.9 to 13.2.5.11 its end tag */
static void
rcdata(struct tokenizer *t)
{
    const char *from = t->p, *p = from, *end = t->end;

    while ((p = scan_4(p, end, '<', '&', '\r', '\0')) < end) {
        if (*p == '<') {
            if (tokenizer_at_end_tag(t, p))
                break;
            p++;
        } else if (*p == '&') {
            p = reference(t, &from, p);
        } else if (*p == '\r') {
            p = tokenizer_new_line(t, &from, p);
        } else {
            tokenizer_run_of(t, from, p);
            t->sink->text(t->sink->self, tokenizer_replacement);
            from = ++p;
        }
    }
    tokenizer_run_of(t, from, p);
    t->p = p;
    if (p < end)
        tokenizer_end_tag(t);
}

/* 13.2.5.3 RAWTEXT state, 13.2.5.12 to 13.2.5.14 its end tag */
static void
rawtext(struct tokenizer *t)
{
    const char *p = t->p;

    while ((p = scan_1(p, t->end, '<')) < t->end && !tokenizer_at_end_tag(t, p))
        p++;
    tokenizer_emit(t, t->p, p);
    t->p = p;
    if (p < t->end)
        tokenizer_end_tag(t);
}

/* 13.2.5.5 PLAINTEXT state */
static void
plaintext(struct tokenizer *t)
{
    tokenizer_emit(t, t->p, t->end);
    t->p = t->end;
}

/* 13.2.5.69 CDATA section state, 13.2.5.70, 13.2.5.71 */
static void
cdata(struct tokenizer *t)
{
    const char *from = t->p, *p = from, *end = t->end, *close = end;

    while ((p = scan_4(p, end, ']', '\0', '\r', ']')) < end) {
        if (*p == ']') {
            if (end - p >= 3 && p[1] == ']' && p[2] == '>') {
                close = p + 3;
                break;
            }
            p++;
        } else if (*p == '\r') {
            p = tokenizer_new_line(t, &from, p);
        } else {
            p = nul_in_data(t, &from, p);
        }
    }
    tokenizer_run_of(t, from, p);
    t->p = close;
    t->state = TOKENIZER_DATA;
}

/* Consumes from t->p on, at least one byte; sets t->state to go on in another
 * way. */
static void
step(struct tokenizer *t)
{
    switch (t->state) {
    case TOKENIZER_DATA: data(t); break;
    case TOKENIZER_RCDATA: rcdata(t); break;
    case TOKENIZER_RAWTEXT: rawtext(t); break;
    case TOKENIZER_SCRIPT_DATA: tokenizer_script(t); break;
    case TOKENIZER_PLAINTEXT: plaintext(t); break;
    case TOKENIZER_CDATA: cdata(t); break;
    }
}

static void
run(struct tokenizer *t, struct str input, const struct token_sink *sink,
    enum tokenizer_state state)
{
    t->begin = t->p = input.p;
    t->end = input.p + input.n;
    t->sink = sink;
    t->state = state;
    t->foreign.n = 0;
    while (t->p < t->end)
        step(t);
}

void
tokenizer_run(struct tokenizer *t, struct str input,
              const struct token_sink *sink)
{
    t->bare = t->xml = false;
    buf_clear(&t->last_start_tag);
    if (input.n > 0)
        run(t, input, sink, TOKENIZER_DATA);
}

void
tokenizer_run_xml(struct tokenizer *t, struct str input,
                  const struct token_sink *sink)
{
    t->bare = false;
    t->xml = true;
    buf_clear(&t->last_start_tag);
    if (input.n > 0)
        run(t, input, sink, TOKENIZER_DATA);
}

void
tokenizer_run_from(struct tokenizer *t, struct str input,
                   const struct token_sink *sink, enum tokenizer_state state,
                   struct str last_start_tag)
{
    t->bare = true;
    t->xml = false;
    buf_clear(&t->last_start_tag);
    buf_str(&t->last_start_tag, last_start_tag);
    if (input.n > 0)
        run(t, input, sink, state);
}
