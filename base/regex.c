/* regex.c -- see regex.h.  All of PCRE2 is called from here; its just-in-time
 * compiler is used where there is one. */
#include "base/regex.h"
#include "base/memory.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#define STEPS_MAX 1000000 /* some 10 ms of backtracking */
#define HEAP_KIB_MAX 8192

struct regex {
    pcre2_code *code;
    pcre2_match_context *limits;
};

enum status
regex_open(struct regex **out, struct str pattern, struct buf *why)
{
    struct regex *r = memory_zero(1, sizeof *r);
    int code = 0;
    PCRE2_SIZE at = 0;

    *out = NULL;
    if (r == NULL)
        return ST_NOMEM;
    r->code =
        pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n, 0, &code, &at, NULL);
    if (r->code == NULL) {
        PCRE2_UCHAR text[160];

        if (why) {
            pcre2_get_error_message(code, text, sizeof text);
            buf_printf(why, "%s at character %zu", (const char *)text, at + 1);
        }
        regex_close(r);
        return ST_INVALID;
    }
    if ((r->limits = pcre2_match_context_create(NULL)) == NULL) {
        regex_close(r);
        return ST_NOMEM;
    }
    pcre2_set_match_limit(r->limits, STEPS_MAX);
    pcre2_set_heap_limit(r->limits, HEAP_KIB_MAX);
    pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE); /* without: interpreted */
    *out = r;
    return ST_OK;
}

void
regex_close(struct regex *r)
{
    if (r == NULL)
        return;
    pcre2_match_context_free(r->limits);
    pcre2_code_free(r->code);
    memory_free(r);
}

bool
regex_matches(const struct regex *r, struct str subject)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    int n;

    if (data == NULL)
        return false;
    n = pcre2_match(r->code, (PCRE2_SPTR)subject.p, subject.n, 0, 0, data,
                    r->limits);
    pcre2_match_data_free(data);
    return n >= 0;
}
