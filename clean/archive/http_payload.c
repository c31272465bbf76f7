/* http_payload.c -- RFC 9112 messages as archives hold them, leniently.
 *
 * Lines may end with LF alone; a line that cannot be a field ends the header
 * and begins the body (old servers forgot the empty line), unless a field comes
 * right behind it.  Interim responses before the one that counts are passed
 * over.  The body goes to the end of the block: the record knows its length
 * better than the server did.
 *
 * Bounds: FIELDS_MAX lines of header are looked at, and no coding makes more
 * than body_max bytes, however small its input. */
#include "http_payload.h"

#include "content_coding.h"

#define FIELDS_MAX 1000
#define LIST_MAX ((size_t)4096) /* of a field given several times */

static const struct http_payload nothing = {.content_type = STR(""),
                                            .x_robots_tag = STR(""),
                                            .last_modified = STR(""),
                                            .location = STR(""),
                                            .headers = STR("")};

struct head {
    struct str content_encoding, transfer_encoding;
};

static struct str
join(struct arena *a, struct str list, const char *with, struct str more)
{
    if (list.n == 0)
        return more;
    if (list.n + more.n > LIST_MAX)
        return list;
    return arena_printf(a, "%.*s%s%.*s", STRF(list), with, STRF(more));
}

static void
set_field(struct http_payload *p, struct head *h, struct str name,
          struct str value, struct arena *a)
{
    if (str_eq_nocase(name, S("content-type"))) {
        if (p->content_type.n == 0)
            p->content_type = value;
    } else if (str_eq_nocase(name, S("last-modified"))) {
        p->last_modified = value;
    } else if (str_eq_nocase(name, S("location"))) {
        p->location = value;
    } else if (str_eq_nocase(name, S("x-robots-tag"))) {
        p->x_robots_tag = join(a, p->x_robots_tag, "\n", value);
    } else if (str_eq_nocase(name, S("content-encoding"))) {
        h->content_encoding = join(a, h->content_encoding, ", ", value);
    } else if (str_eq_nocase(name, S("transfer-encoding"))) {
        h->transfer_encoding = join(a, h->transfer_encoding, ", ", value);
    }
}

/* A token and a colon; anything after white space goes on with the field.  Some
 * writers keep the pseudo-fields of HTTP/2 (":status: 200"). */
static bool
is_field(struct str line, size_t *colon)
{
    *colon = str_find(line, ':', str_starts(line, S(":")) ? 1 : 0);
    if (*colon == 0 || *colon == line.n)
        return false;
    for (size_t i = 0; i < *colon; i++)
        if ((unsigned char)line.p[i] <= ' ' || line.p[i] == '<')
            return false;
    return true;
}

/* Whether the header goes on behind a line that is no field, as browsers see
 * it. */
static bool
goes_on(struct str line, struct str behind)
{
    struct str next = str_sub(behind, 0, str_find(behind, '\n', 0));
    size_t colon;

    return str_find(line, '<', 0) == line.n && next.n < behind.n &&
           is_field(str_trim(next), &colon);
}

/* Reads the header lines off *rest. */
static void
take_fields(struct http_payload *p, struct head *h, struct str *rest,
            struct arena *a)
{
    p->headers = str_n(rest->p, 0);
    for (size_t n = 0; rest->n > 0; n++) {
        size_t end = str_find(*rest, '\n', 0), colon;
        struct str line = str_sub(*rest, 0, end);
        struct str behind = str_sub(*rest, end + 1, rest->n);
        struct str text = str_trim(line);

        if (text.n > 0 && line.p[0] != ' ' && line.p[0] != '\t') {
            bool field = is_field(text, &colon);

            if (!field && !goes_on(text, behind))
                return; /* the body already */
            if (field && n < FIELDS_MAX)
                set_field(p, h, str_sub(text, 0, colon),
                          str_trim(str_sub(text, colon + 1, text.n)), a);
        }
        *rest = behind;
        if (text.n == 0)
            return;
        p->headers.n = (size_t)(rest->p - p->headers.p);
    }
}

static struct str
skip_line_ends(struct str s)
{
    while (s.n > 0 && (s.p[0] == '\r' || s.p[0] == '\n'))
        s = str_sub(s, 1, s.n);
    return s;
}

/* "HTTP/1.1 200 OK", with or without version digits and reason. */
static bool
take_status(struct http_payload *p, struct str *rest)
{
    struct str s = skip_line_ends(*rest);
    size_t end = str_find(s, '\n', 0);
    struct str line = str_trim(str_sub(s, 0, end)), word;
    uint64_t status;

    if (!str_starts_nocase(line, S("HTTP/")) &&
        !str_starts_nocase(line, S("ICY ")))
        return false;
    *rest = str_sub(s, end + 1, s.n);
    str_cut(&line, ' ', &word);
    line = str_trim(line);
    str_cut(&line, ' ', &word);
    p->status = str_u64(word, &status) && status < 1000 ? (uint16_t)status : 0;
    return true;
}

static bool
is_interim(unsigned status)
{
    return status / 100 == 1 && status != 101;
}

/* Reads the header off *rest, and what interim responses (100 Continue, 103
 * Early Hints) stand before it. */
static void
take_head(struct http_payload *p, struct head *h, struct str *rest,
          struct arena *a)
{
    struct http_payload next = nothing;

    while (take_status(&next, rest)) {
        *p = next;
        *h = (struct head){S(""), S("")};
        take_fields(p, h, rest, a);
        if (!is_interim(p->status))
            return;
    }
}

static bool
has_token(struct str list, struct str token)
{
    struct str part;

    while (str_cut(&list, ',', &part))
        if (str_eq_nocase(str_trim(part), token))
            return true;
    return false;
}

/* --- transfer coding --- */

/* The size line of a chunk off *rest. */
static bool
chunk_size(struct str *rest, size_t *size)
{
    size_t end = str_find(*rest, '\n', 0), i = 0;
    struct str line = str_trim(str_sub(*rest, 0, end));

    *size = 0;
    for (; i < line.n; i++) {
        int digit = ascii_hex(line.p[i]);

        if (digit < 0)
            break;
        if (i == 15)
            return false;
        *size = *size * 16 + (size_t)digit;
    }
    if (i == 0 || end == rest->n ||
        (i < line.n && line.p[i] != ';' && line.p[i] != ' '))
        return false;
    *rest = str_sub(*rest, end + 1, rest->n);
    return true;
}

/* Whether what stands behind the first size can be a chunk of it: its end, or
 * that of the block, has to follow; behind the last one trailers and an empty
 * line.  Text may begin with a number, too. */
static bool
first_chunk_ends(struct str rest, size_t size)
{
    size_t colon;

    if (size >= rest.n)
        return true;
    rest = str_sub(rest, size, rest.n);
    return str_starts(rest, S("\r")) || str_starts(rest, S("\n")) ||
           (size == 0 &&
            is_field(str_sub(rest, 0, str_find(rest, '\n', 0)), &colon));
}

static void
unchunk(struct http_payload *p, struct arena *a)
{
    struct str rest = p->body;
    char *out;
    size_t n = 0, size;

    if (!chunk_size(&rest, &size) || !first_chunk_ends(rest, size))
        return; /* stored without its coding */
    out = arena_raw(a, p->body.n);
    p->damaged = size > 0;
    while (size > 0) {
        size_t here = size < rest.n ? size : rest.n;

        memcpy(out + n, rest.p, here);
        n += here;
        rest = str_sub(rest, here, rest.n);
        rest = str_sub(rest, str_starts(rest, S("\r")), rest.n);
        if (here < size || !str_starts(rest, S("\n")))
            break;
        rest = str_sub(rest, 1, rest.n);
        if (!chunk_size(&rest, &size))
            break;
        p->damaged = size > 0;
    }
    p->body = str_n(out, n);
}

/* --- content codings --- */

static void
undo(struct http_payload *p, struct str list, size_t max, struct arena *a)
{
    struct buf room[2] = {{.arena = a}, {.arena = a}};
    struct uncoded u;

    content_coding_undo(&u, list, p->body, max, room);
    p->body = u.body;
    p->cut |= u.cut;
    p->damaged |= u.early || u.damaged;
}

static void
cut_body(struct http_payload *p, size_t body_max)
{
    if (p->body.n <= body_max)
        return;
    p->body.n = body_max;
    p->cut = true;
}

void
http_payload_alone(struct http_payload *p, struct str block, size_t body_max)
{
    *p = nothing;
    p->body = block;
    cut_body(p, body_max);
}

void
http_payload_parse(struct http_payload *p, struct str block, size_t body_max,
                   struct arena *a)
{
    struct head h = {S(""), S("")};

    *p = nothing;
    take_head(p, &h, &block, a);
    p->body = block;
    if (has_token(h.transfer_encoding, S("chunked")))
        unchunk(p, a);
    undo(p, h.transfer_encoding, body_max, a);
    undo(p, h.content_encoding, body_max, a);
    cut_body(p, body_max);
}
