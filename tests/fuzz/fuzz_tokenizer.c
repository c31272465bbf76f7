/* Any valid UTF-8 gives tokens whose strings are valid UTF-8, whose text is not
 * much longer than the input, and whose bare and switching runs both end.  The
 * input is repaired first, as charset_decode() does. */
#include <stdlib.h>

#include "clean/charset/utf8.h"
#include "clean/markup/tokenizer.h"
#include "fuzz.h"

struct seen {
    size_t text, input, tokens;
};

static void
check(struct str s)
{
    MUST(s.n == 0 || s.p != NULL); /* a doctype may have no name */
    MUST(utf8_valid(s));
}

static void
on_text(void *self, struct str s)
{
    struct seen *seen = self;

    MUST(s.n > 0);
    check(s);
    seen->text += s.n;
}

static void
on_tag(void *self, const struct tag_token *tag)
{
    struct seen *seen = self;

    seen->tokens++;
    MUST(tag->offset < seen->input);
    MUST(tag->name.n > 0);
    MUST(tag->attributes_n <= 256);
    MUST(tag->tag == tag_find(tag->name));
    check(tag->name);
    for (uint32_t i = 0; i < tag->attributes_n; i++) {
        check(tag->attributes[i].name);
        check(tag->attributes[i].value);
        MUST(tag->attributes[i].name.n > 0);
        for (uint32_t k = 0; k < i && k < 16; k++)
            MUST(!str_eq(tag->attributes[k].name, tag->attributes[i].name));
    }
}

static void
on_comment(void *self, struct str s)
{
    ((struct seen *)self)->tokens++;
    check(s);
}

static void
on_doctype(void *self, struct str name, const struct str *public_id,
           const struct str *system_id, bool quirks)
{
    (void)quirks;
    ((struct seen *)self)->tokens++;
    check(name);
    if (public_id)
        check(*public_id);
    if (system_id)
        check(*system_id);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct tokenizer *t = tokenizer_new();
    struct arena *a = arena_new();
    struct str s = utf8_repair(a, str_n((const char *)data, n));
    struct seen seen = {.input = s.n};
    struct token_sink sink = {.self = &seen,
                              .text = on_text,
                              .start_tag = on_tag,
                              .end_tag = on_tag,
                              .comment = on_comment,
                              .doctype = on_doctype};
    /* An exact-size copy lets ASan see reads past the end. */
    char *copy = malloc(s.n ? s.n : 1);

    memcpy(copy, s.p, s.n);
    s.p = copy;
    tokenizer_run(t, s, &sink);
    /* NUL becomes three bytes; no reference more than doubles. */
    MUST(seen.text <= 3 * s.n);
    MUST(seen.tokens <= s.n / 3 + 1);
    seen.text = seen.tokens = 0;
    tokenizer_run_xml(t, s, &sink);
    MUST(seen.text <= 3 * s.n);
    MUST(seen.tokens <= s.n / 3 + 1);
    for (int state = TOKENIZER_DATA; state <= TOKENIZER_CDATA; state++) {
        seen.text = seen.tokens = 0;
        tokenizer_run_from(t, s, &sink, (enum tokenizer_state)state,
                           S("title"));
        MUST(seen.text <= 3 * s.n);
    }
    free(copy);
    arena_free(a);
    tokenizer_free(t);
    return 0;
}
