/* robots.c -- parser and matcher of robots.txt (RFC 9309).
 *
 * One pass over the lines.  Rules of our groups, of the "*" groups and of
 * those of other crawlers that are heeded are collected side by side; which of
 * the first two counts is known at the end.  Patterns are stored normalised in
 * one buffer.  Matching cuts a pattern at its stars and looks for the pieces
 * from left to right (the leftmost match of each piece is as good as any),
 * with memmem(3): no pattern makes it exponential.  Still, 50,000 patterns
 * that look through a long path would take half a second of the lease thread
 * for each URL of the host, so what all may look at for one path is bounded,
 * and a path that takes more is forbidden.
 *
 * Leniency is what Google's parser and the test suites agree on: a missing
 * colon, a few misspellings of "disallow", CR, LF or CRLF, a BOM.  Lines that
 * are not understood do not end a group.
 *
 * Bounds: ROBOTS_BODY_MAX of text; rules are bounded by it. */
#include "robots.h"
#include "base/memory.h"
#include "base/options/opt.h"

#include <stdlib.h>
#include <string.h>

#define RIGHTS_MAX 4096u           /* bytes of those lines, of a group */
#define WORK_MAX ((size_t)1 << 20) /* bytes looked at for one path: 8 ms */

struct robots_rule {
    size_t at, n; /* normalised pattern in the buffer; no final '$' */
    bool allow, anchored;
};

struct rules {
    struct robots_rule *rule;
    size_t n, cap;
    double delay_s;    /* < 0: none */
    bool named;        /* a group of this kind was there */
    struct buf rights; /* lines of Content-Signal and Content-Usage */
};

/* Whose rules they are: those behind ANY are the other crawlers'. */
enum { OURS, ANY, OTHERS };

struct robots {
    struct rules *of;
    size_t of_n;
    struct buf text, tdmrep;
    struct str sitemap[ROBOTS_SITEMAPS_MAX];
    size_t sitemaps_n;
};

struct robots_parser {
    struct robots *r;
    struct str token;
    const struct opt_list *also; /* names behind ANY, in their order */
    bool in_agents;              /* the last rule-like line was a user-agent */
    bool in[OTHERS + ROBOTS_ALSO_MAX]; /* who the present group speaks to */
};

static bool
unreserved(unsigned c)
{
    return (c < 128 && ascii_alpha((char)c)) || (c >= '0' && c <= '9') ||
           c == '-' || c == '.' || c == '_' || c == '~';
}

/* Reserved characters that stand for themselves; what a browser or the URL
 * standard may or may not encode (' < > " | and so on) is encoded always. */
static bool
as_is(unsigned c)
{
    return unreserved(c) ||
           (c > 0 && c < 128 && strchr("/?#[]@!&()+,;=:", (int)c) != NULL);
}

static void
put_hex(struct buf *out, unsigned c)
{
    static const char digit[] = "0123456789ABCDEF";

    buf_char(out, '%');
    buf_char(out, digit[c >> 4 & 15]);
    buf_char(out, digit[c & 15]);
}

void
robots_normalise(struct str in, bool pattern, struct buf *out)
{
    for (size_t i = 0; i < in.n; i++) {
        int byte = str_percent(in, i);
        unsigned c = byte < 0 ? (unsigned char)in.p[i] : (unsigned)byte;

        if (byte >= 0) {
            i += 2;
            if (unreserved(c))
                buf_char(out, (char)c);
            else
                put_hex(out, c);
        } else if (c == '*'   ? !pattern
                   : c == '$' ? !(pattern && i + 1 == in.n)
                              : !as_is(c)) {
            put_hex(out, c);
        } else {
            buf_char(out, (char)c);
        }
    }
}

struct str
robots_token(struct str agent)
{
    size_t n = 0;

    while (n < agent.n && (ascii_alpha(agent.p[n]) || ascii_digit(agent.p[n]) ||
                           agent.p[n] == '-' || agent.p[n] == '_'))
        n++;
    return str_sub(agent, 0, n);
}

struct str
robots_agent(const struct opts *o)
{
    return o->politeness_robots_agent.n > 0 ? o->politeness_robots_agent
                                            : robots_token(o->fetch_user_agent);
}

/* In its normal form; a final '$' anchors it. */
static struct robots_rule
rule_of(struct str pattern, struct buf *text)
{
    struct robots_rule rule = {.at = text->n};

    robots_normalise(pattern, true, text);
    rule.n = text->n - rule.at;
    if (rule.n > 0 && text->p[text->n - 1] == '$') {
        rule.anchored = true;
        rule.n--;
    }
    return rule;
}

static void
add_rule(struct robots *r, struct rules *to, struct str value, bool allow)
{
    struct robots_rule rule;

    if (value.n == 0) /* "Disallow:" forbids nothing */
        return;
    rule = rule_of(value, &r->text);
    rule.allow = allow;
    if (to->n == to->cap) {
        size_t cap = to->cap == 0 ? 16 : to->cap * 2;

        to->rule = memory_need(realloc(to->rule, cap * sizeof *to->rule));
        to->cap = cap;
    }
    to->rule[to->n++] = rule;
}

static bool
one_of(struct str key, const char *const *names)
{
    for (; *names != NULL; names++)
        if (str_eq_nocase(key, str_c(*names)))
            return true;
    return false;
}

static void
speaks_to(struct robots_parser *p, size_t whom)
{
    p->in[whom] = p->r->of[whom].named = true;
}

/* A user-agent line opens a group, or joins the one being opened. */
static void
agent_line(struct robots_parser *p, struct str value)
{
    struct str token = robots_token(value);

    if (!p->in_agents)
        memset(p->in, 0, sizeof p->in);
    p->in_agents = true;
    if (value.n >= 1 && value.p[0] == '*' &&
        (value.n == 1 || ascii_space(value.p[1])))
        speaks_to(p, ANY);
    if (token.n > 0 && str_eq_nocase(token, p->token))
        speaks_to(p, OURS);
    for (size_t i = OTHERS; token.n > 0 && i < p->r->of_n; i++)
        if (str_eq_nocase(token, robots_token(p->also->item[i - OTHERS])))
            speaks_to(p, i);
}

static void
rule_line(struct robots_parser *p, struct str value, bool allow)
{
    p->in_agents = false;
    for (size_t i = 0; i < p->r->of_n; i++)
        if (p->in[i])
            add_rule(p->r, &p->r->of[i], value, allow);
}

/* It belongs to the group it stands in but does not end a list of agents. */
static void
delay_line(struct robots_parser *p, struct str value)
{
    double s;

    if (!str_real(value, &s) || !(s >= 0) || s > 1e9)
        return;
    for (size_t i = 0; i < p->r->of_n; i++)
        if (p->in[i] && p->r->of[i].delay_s < 0)
            p->r->of[i].delay_s = s;
}

/* As a line of its own: "content-signal: ai-train=no". */
static void
rights_line(struct robots_parser *p, struct str key, struct str value)
{
    for (size_t i = 0; i < p->r->of_n; i++)
        if (p->in[i] && p->r->of[i].rights.n + key.n + value.n < RIGHTS_MAX)
            buf_printf(&p->r->of[i].rights, "%.*s: %.*s\n", STRF(key),
                       STRF(value));
}

static void
sitemap_line(struct robots *r, struct str value)
{
    char *copy;

    if (value.n == 0 || r->sitemaps_n == ROBOTS_SITEMAPS_MAX)
        return;
    copy = memory_need(malloc(value.n));
    memcpy(copy, value.p, value.n);
    r->sitemap[r->sitemaps_n++] = str_n(copy, value.n);
}

/* "key: value", or "key value" where exactly two words stand. */
static bool
split(struct str line, struct str *key, struct str *value)
{
    size_t colon = str_find(line, ':', 0), i = 0;

    if (colon < line.n) {
        *key = str_trim(str_sub(line, 0, colon));
        *value = str_trim(str_sub(line, colon + 1, line.n));
        return key->n > 0;
    }
    while (i < line.n && !ascii_space(line.p[i]))
        i++;
    *key = str_sub(line, 0, i);
    *value = str_trim(str_sub(line, i, line.n));
    for (size_t k = 0; k < value->n; k++)
        if (ascii_space(value->p[k]))
            return false;
    return key->n > 0 && value->n > 0;
}

static void
parse_line(struct robots_parser *p, struct str line)
{
    static const char *const agents[] = {"user-agent", "useragent",
                                         "user agent", NULL};
    static const char *const disallows[] = {"disallow", "dissallow", "dissalow",
                                            "disalow",  "diasllow",  "disallaw",
                                            NULL};
    static const char *const allows[] = {"allow", NULL};
    static const char *const delays[] = {"crawl-delay", "crawldelay",
                                         "crawl delay", NULL};
    static const char *const rights[] = {"content-signal", "content-usage",
                                         NULL};
    static const char *const sitemaps[] = {"sitemap", "site-map", NULL};
    struct str key, value;

    line = str_trim(str_sub(line, 0, str_find(line, '#', 0)));
    if (!split(line, &key, &value))
        return;
    if (one_of(key, agents))
        agent_line(p, value);
    else if (one_of(key, disallows))
        rule_line(p, value, false);
    else if (one_of(key, allows))
        rule_line(p, value, true);
    else if (one_of(key, delays))
        delay_line(p, value);
    else if (one_of(key, rights))
        rights_line(p, key, value);
    else if (one_of(key, sitemaps))
        sitemap_line(p->r, value);
}

static void
take_tdmrep(struct robots *r, struct str *body)
{
    size_t end;

    if (body->n == 0 || body->p[0] != ROBOTS_TDMREP_MARK)
        return;
    end = str_find(*body, ROBOTS_TDMREP_MARK, 1);
    buf_str(&r->tdmrep, str_sub(*body, 1, end));
    *body = str_sub(*body, end + 1, body->n);
}

/* What is read of a text.  A line that is cut there is none: half of
 * "Disallow: /x" forbids everything. */
static struct str
within_bounds(struct str body)
{
    size_t n = ROBOTS_BODY_MAX;

    if (body.n < n)
        return body;
    while (n > 0 && body.p[n - 1] != '\n' && body.p[n - 1] != '\r')
        n--;
    return str_sub(body, 0, n);
}

struct robots *
robots_parse(struct str body, struct str agent, const struct opt_list *also)
{
    static const struct opt_list none;
    struct robots *r = memory_need(calloc(1, sizeof *r));
    struct robots_parser p = {.r = r,
                              .token = robots_token(agent),
                              .also = also != NULL ? also : &none};

    r->of_n =
        OTHERS + (p.also->n < ROBOTS_ALSO_MAX ? p.also->n : ROBOTS_ALSO_MAX);
    r->of = memory_need(calloc(r->of_n, sizeof *r->of));
    for (size_t i = 0; i < r->of_n; i++)
        r->of[i].delay_s = -1;
    take_tdmrep(r, &body);
    body = within_bounds(body);
    if (str_starts(body, S("\xef\xbb\xbf")))
        body = str_sub(body, 3, body.n);
    for (size_t from = 0; from < body.n;) {
        size_t to = from;

        while (to < body.n && body.p[to] != '\n' && body.p[to] != '\r')
            to++;
        parse_line(&p, str_sub(body, from, to));
        from = to + 1;
    }
    return r;
}

void
robots_free(struct robots *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->sitemaps_n; i++)
        free((char *)(uintptr_t)r->sitemap[i].p);
    for (size_t i = 0; i < r->of_n; i++) {
        free(r->of[i].rule);
        buf_free(&r->of[i].rights);
    }
    free(r->of);
    buf_free(&r->text);
    buf_free(&r->tdmrep);
    free(r);
}

/* Does `pattern` match a prefix of `path` (all of it when anchored)?  What that
 * takes comes to *work; past WORK_MAX nothing does. */
static bool
matches(struct str pattern, bool anchored, struct str path, size_t *work)
{
    size_t at = 0;     /* path before it is used up */
    bool first = true; /* the first piece must stand at the start */

    for (;;) {
        size_t star = str_find(pattern, '*', 0);
        struct str piece = str_sub(pattern, 0, star);
        bool last = star >= pattern.n;

        if (first) {
            if (!str_starts(path, piece))
                return false;
            at = piece.n;
            if (last)
                return !anchored || at == path.n;
        } else if (last && anchored) {
            return path.n - at >= piece.n && str_ends(path, piece);
        } else if (piece.n > 0) {
            const char *hit =
                *work < WORK_MAX
                    ? memmem(path.p + at, path.n - at, piece.p, piece.n)
                    : NULL;

            *work += hit != NULL ? (size_t)(hit - path.p) - at : path.n - at;
            if (hit == NULL)
                return false;
            at = (size_t)(hit - path.p) + piece.n;
        }
        if (last)
            return true;
        pattern = str_sub(pattern, star + 1, pattern.n);
        first = false;
    }
}

bool
robots_pattern_matches(struct str pattern, struct str target)
{
    struct buf text = {0}, path = {0};
    struct robots_rule rule = rule_of(pattern, &text);
    size_t work = 0;
    bool yes;

    robots_normalise(target, false, &path);
    yes = matches(str_n(text.p, rule.n), rule.anchored, buf_view(&path), &work);
    buf_free(&text);
    buf_free(&path);
    return yes;
}

static const struct rules *
rules_of(const struct robots *r)
{
    return &r->of[r->of[OURS].named ? OURS : ANY];
}

/* `path` is in its normal form. */
static bool
allowed_by(const struct robots *r, const struct rules *rules, struct str path,
           size_t *work)
{
    size_t best_n = 0;
    bool allowed = true;

    for (size_t i = 0; i < rules->n; i++) {
        const struct robots_rule *rule = &rules->rule[i];
        size_t n = rule->n + rule->anchored;

        if (n < best_n || (n == best_n && allowed))
            continue;
        if (matches(str_n(r->text.p + rule->at, rule->n), rule->anchored, path,
                    work)) {
            allowed = rule->allow;
            best_n = n;
        }
    }
    return allowed && *work < WORK_MAX;
}

bool
robots_allowed(const struct robots *r, struct str target)
{
    struct buf path = {0};
    size_t work = 0;
    bool allowed;

    if (r->text.n == 0 || str_eq(target, S("/robots.txt")))
        return true;
    if (target.n == 0 || target.p[0] != '/')
        buf_char(&path, '/');
    robots_normalise(target, false, &path);
    allowed = allowed_by(r, rules_of(r), buf_view(&path), &work);
    for (size_t i = OTHERS; i < r->of_n && allowed; i++)
        allowed = allowed_by(r, &r->of[i], buf_view(&path), &work);
    buf_free(&path);
    return allowed;
}

uint32_t
robots_crawl_delay_ms(const struct robots *r, uint64_t max_ms)
{
    double ms = rules_of(r)->delay_s * 1000;

    if (!(ms > 0))
        return 0;
    if (ms > (double)max_ms)
        ms = (double)max_ms;
    return ms > 4e9 ? 4000000000u : (uint32_t)ms;
}

struct str
robots_rights(const struct robots *r)
{
    return buf_view(&rules_of(r)->rights);
}

struct str
robots_tdmrep(const struct robots *r)
{
    return buf_view(&r->tdmrep);
}

const struct str *
robots_sitemaps(const struct robots *r, size_t *n)
{
    *n = r->sitemaps_n;
    return r->sitemap;
}

size_t
robots_memory(const struct robots *r)
{
    size_t n = sizeof *r + r->text.cap + r->tdmrep.cap;

    for (size_t i = 0; i < r->of_n; i++)
        n += sizeof r->of[i] + r->of[i].rights.cap +
             r->of[i].cap * sizeof *r->of[i].rule;
    for (size_t i = 0; i < r->sitemaps_n; i++)
        n += r->sitemap[i].n;
    return n;
}
