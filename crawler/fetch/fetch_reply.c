/* fetch_reply.c -- keeps the few headers that matter, each bounded; knows
 * nothing of the HTTP library. */
#include "fetch_reply.h"

#include <time.h>

#define RETRY_AFTER_MAX_MS ((uint64_t)24 * 3600 * 1000)
#define HEADER_VALUE_MAX 8192 /* of a header that is kept */
#define PRICE_MAX 64
#define RETRY_AFTER_SIZE_MAX 64

void
fetch_reply_free(struct fetch_reply *r)
{
    buf_free(&r->head);
    buf_free(&r->request);
    buf_free(&r->body);
    buf_free(&r->coded_body);
    buf_free(&r->refusal);
    buf_free(&r->price);
    buf_free(&r->codings);
    buf_free(&r->transfer_codings);
    buf_free(&r->content_type);
    buf_free(&r->x_robots_tag);
    buf_free(&r->location);
    buf_free(&r->last_modified);
    buf_free(&r->etag);
    buf_free(&r->retry_after);
    memset(r, 0, sizeof *r);
}

void
fetch_reply_begins(struct fetch_reply *r)
{
    buf_clear(&r->head);
    buf_clear(&r->codings);
    buf_clear(&r->transfer_codings);
    buf_clear(&r->content_type);
    buf_clear(&r->x_robots_tag);
    buf_clear(&r->location);
    buf_clear(&r->last_modified);
    buf_clear(&r->etag);
    buf_clear(&r->price);
    r->has_location = false;
    r->retry_after_ms = 0;
    r->date_ms = r->length = 0;
    buf_clear(&r->retry_after);
}

bool
fetch_reply_has_page(unsigned status)
{
    return status == 200 || status == 203;
}

/* The three forms of RFC 9110, section 5.6.7. */
static bool
http_date(const char *text, time_t *out)
{
    static const char *const forms[] = {"%a, %d %b %Y %H:%M:%S GMT",
                                        "%A, %d-%b-%y %H:%M:%S GMT",
                                        "%a %b %d %H:%M:%S %Y"};

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct tm tm = {0};
        const char *end = strptime(text, forms[i], &tm);

        if (end != NULL && *end == '\0') {
            *out = timegm(&tm);
            return *out > 0;
        }
    }
    return false;
}

/* 0: it is none. */
static uint64_t
http_date_ms(struct str value)
{
    char text[64];
    time_t t;

    if (value.n == 0 || value.n >= sizeof text)
        return 0;
    memcpy(text, value.p, value.n);
    text[value.n] = '\0';
    return http_date(text, &t) && t > 0 ? (uint64_t)t * 1000 : 0;
}

static bool
is_number(struct str s)
{
    size_t n = 0;

    while (n < s.n && ascii_digit(s.p[n]))
        n++;
    return n > 0 && n == s.n;
}

uint32_t
fetch_retry_after_ms(struct str value, uint64_t wall_ms)
{
    uint64_t ms = 0, s, until;

    value = str_trim(value);
    if (is_number(value)) { /* however long */
        ms = !str_u64(value, &s) || s > RETRY_AFTER_MAX_MS / 1000
                 ? RETRY_AFTER_MAX_MS
                 : s * 1000;
    } else {
        until = http_date_ms(value);
        ms = until > wall_ms ? until - wall_ms : 0;
    }
    return (uint32_t)(ms > RETRY_AFTER_MAX_MS ? RETRY_AFTER_MAX_MS : ms);
}

bool
fetch_reply_may_be_html(const struct fetch_reply *r)
{
    static const struct str good[] = {STR("text/html"),
                                      STR("application/xhtml+xml"),
                                      STR("*/*"),
                                      STR("application/xml"),
                                      STR("text/xml"),
                                      STR("unknown/unknown"),
                                      STR("application/unknown"),
                                      STR("")};
    struct str type = buf_view(&r->content_type);

    type = str_sub(type, 0, str_find(type, ';', 0));
    type = str_trim(str_sub(type, 0, str_find(type, ',', 0)));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (str_eq_nocase(type, good[i]))
            return true;
    return str_find(type, '/', 0) == type.n; /* not a type at all */
}

/* A date is one of the server's clock: where the answer has its Date, that is
 * the time from which it counts, and ours may be wrong by years. */
static void
set_retry_after(struct fetch_reply *r, uint64_t wall_ms)
{
    r->retry_after_ms = fetch_retry_after_ms(
        buf_view(&r->retry_after), r->date_ms > 0 ? r->date_ms : wall_ms);
}

/* One more of a header that may be given several times. */
static void
add_value(struct buf *to, const char *between, struct str value)
{
    if (to->n + value.n > HEADER_VALUE_MAX)
        return;
    if (to->n > 0)
        buf_c(to, between);
    buf_str(to, value);
}

/* The last Content-Type counts, the first Location, all X-Robots-Tags: a
 * line each, as what one says of an agent ends with it. */
void
fetch_reply_header(struct fetch_reply *r, struct str name, struct str value,
                   uint64_t wall_ms)
{
    value = str_sub(value, 0, HEADER_VALUE_MAX);
    if (str_eq_nocase(name, S("content-type"))) {
        buf_clear(&r->content_type);
        buf_str(&r->content_type, value);
    } else if (str_eq_nocase(name, S("x-robots-tag"))) {
        add_value(&r->x_robots_tag, "\n", value);
    } else if (str_eq_nocase(name, S("content-encoding"))) {
        add_value(&r->codings, ", ", value);
    } else if (str_eq_nocase(name, S("transfer-encoding"))) {
        add_value(&r->transfer_codings, ", ", value);
    } else if (str_eq_nocase(name, S("location"))) {
        if (r->has_location)
            return;
        r->has_location = true;
        buf_str(&r->location, value);
    } else if (str_eq_nocase(name, S("content-length"))) {
        if (!str_u64(str_trim(value), &r->length))
            r->length = 0;
    } else if (str_eq_nocase(name, S("last-modified"))) {
        buf_clear(&r->last_modified);
        buf_str(&r->last_modified, value);
    } else if (str_eq_nocase(name, S("etag"))) {
        buf_clear(&r->etag);
        buf_str(&r->etag, value);
    } else if (str_eq_nocase(name, S("crawler-price"))) {
        buf_clear(&r->price);
        buf_str(&r->price, str_sub(value, 0, PRICE_MAX));
    } else if (str_eq_nocase(name, S("date"))) {
        r->date_ms = http_date_ms(str_trim(value));
        set_retry_after(r, wall_ms);
    } else if (str_eq_nocase(name, S("retry-after"))) {
        buf_clear(&r->retry_after);
        buf_str(&r->retry_after, str_sub(value, 0, RETRY_AFTER_SIZE_MAX));
        set_retry_after(r, wall_ms);
    }
}

static void
keep_line(struct fetch_reply *r, struct str line, uint64_t wall_ms)
{
    size_t colon = str_find(line, ':', 0);

    if (colon < line.n)
        fetch_reply_header(r, str_sub(line, 0, colon),
                           str_trim(str_sub(line, colon + 1, line.n)), wall_ms);
}

/* A line that begins with a blank goes on with the one before it (RFC 9112,
 * section 5.2). */
void
fetch_reply_headers(struct fetch_reply *r, uint64_t wall_ms)
{
    struct str rest = buf_view(&r->head), line;
    struct buf whole = {0};

    str_cut(&rest, '\n', &line); /* the status */
    while (str_cut(&rest, '\n', &line)) {
        if (line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t')) {
            buf_char(&whole, ' ');
        } else {
            keep_line(r, buf_view(&whole), wall_ms);
            buf_clear(&whole);
        }
        buf_str(&whole, str_trim(line));
    }
    keep_line(r, buf_view(&whole), wall_ms);
    buf_free(&whole);
}
