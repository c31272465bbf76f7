/* tdmrep.c -- see tdmrep.h.
 *
 * A rule is a line: '0' or '1', location, a tab, policy.  Locations are
 * patterns as in robots.txt.  A rule without location or with another
 * reservation is none (section 4 of the report), nor is one with control
 * characters, which no URL has.
 *
 * Bounds: RULES_MAX rules, TEXT_MAX bytes of them. */
#include "tdmrep.h"

#include "base/buf.h"
#include "base/json_reader.h"
#include "robots.h"

#define RULES_MAX 1000
#define TEXT_MAX ((size_t)32 * 1024)

static bool
plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
            return false;
    return true;
}

/* 1 or 0, as a number or, as some write it, a string; else -1. */
static int
reservation(const struct json_reader *r)
{
    struct str text = json_reader_str(r, "tdm-reservation");
    uint64_t n;

    if (json_reader_u64(&n, r, "tdm-reservation"))
        return n <= 1 ? (int)n : -1;
    return str_eq(text, S("1")) ? 1 : str_eq(text, S("0")) ? 0 : -1;
}

static void
rule(const struct json_reader *r, struct buf *out)
{
    struct str location = json_reader_str(r, "location"),
               policy = json_reader_str(r, "tdm-policy");
    int reserved = reservation(r);

    if (location.n == 0 || reserved < 0 || !plain(location) || !plain(policy) ||
        out->n + location.n + policy.n + 4 > TEXT_MAX)
        return;
    buf_printf(out, "%d%.*s\t%.*s\n", reserved, STRF(location), STRF(policy));
}

struct str
tdmrep_read(struct str json, struct arena *a)
{
    struct json_reader *r = json_reader_new(8);
    struct buf object = {.arena = a}, out = {.arena = a};

    if (r == NULL)
        return S("");
    if (str_starts(json, S("\xef\xbb\xbf")))
        json = str_sub(json, 3, json.n);
    buf_printf(&object, "{\"rules\":%.*s}", STRF(json)); /* it is an array */
    buf_char(&out, ROBOTS_TDMREP_MARK);
    if (json_reader_read(r, buf_view(&object)))
        for (size_t i = 0; i < RULES_MAX; i++)
            if (json_reader_enter(r, "rules", i)) {
                rule(r, &out);
                json_reader_leave(r);
            }
    json_reader_free(r);
    if (out.n == 1)
        return S("");
    buf_char(&out, ROBOTS_TDMREP_MARK);
    return buf_keep(&out);
}

struct str
tdmrep_of(struct str rules, struct str target, struct arena *a)
{
    struct buf out = {.arena = a};
    struct str line;

    while (str_cut(&rules, '\n', &line)) {
        size_t tab = str_find(line, '\t', 0);
        struct str policy = str_sub(line, tab + 1, line.n);

        if (!robots_pattern_matches(str_sub(line, 1, tab), target))
            continue;
        buf_printf(&out, "tdm-reservation: %c\n", line.p[0]);
        if (policy.n > 0 && line.p[0] == '1')
            buf_printf(&out, "tdm-policy: %.*s\n", STRF(policy));
        break;
    }
    return buf_keep(&out);
}
