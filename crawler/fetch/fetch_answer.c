/* fetch_answer.c -- an answer as it comes: what is no HTML or too long is
 * stopped here, and bombs are found by their ratio.
 *
 * libcurl gives headers line by line and bodies decoded; what it swallows
 * itself (chunk sizes, the gzip header) only the socket knows: fetch_socket.c.
 */
#include "fetch_inside.h"

#include "base/clock.h"
#include "clean/charset/sniff.h"
#include "clean/convert/kind.h"

#define BOMB_RATIO 200          /* decoded bytes for one received */
#define DISCARD_MAX (64 * 1024) /* of bodies that nobody wants */

#define XML_HEAD ((size_t)4096) /* in which XHTML begins, if it is that */

/* Room for a body before its first byte: what its server says of it, or this.
 * Growing step by step would copy it twice. */
#define ROOM_UNKNOWN ((size_t)32 << 10)
#define ROOM_MOST ((size_t)1 << 20)
#define ROOM_RATIO 5u /* HTML that was compressed */

/* ---- headers ---- */

static bool
stop(struct transfer *t, enum verdict why)
{
    t->cut = true;
    t->stop = why;
    fetch_gives_up_connection(t);
    return false;
}

/* Statuses of challenges, paywalls and block pages; the page says which. */
static bool
refuses(long status)
{
    switch (status) {
    case 202:
    case 401:
    case 402:
    case 403:
    case 405:
    case 406:
    case 418:
    case 429:
    case 503: return true;
    default: return false;
    }
}

/* Then it may be longer than a page. */
static bool
is_document(struct transfer *t)
{
    const char *url = NULL;

    if (t->documents == 0)
        return false;
    curl_easy_getinfo(t->easy, CURLINFO_EFFECTIVE_URL, &url);
    if (!convert_may_be(t->documents, buf_view(&t->reply->content_type),
                        str_c(url)))
        return false;
    t->body_max = t->document_max;
    return true;
}

static bool
headers_end(struct transfer *t)
{
    long status = 0;

    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 100 && status < 200)
        return true;
    t->in_body = true;
    fetch_reply_headers(t->reply, clock_wall_ms());
    if (t->codings != 1) /* "utf-8", "none": libcurl would give it up */
        curl_easy_setopt(t->easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    fetch_notes_tls(t);
    fetch_keeps_connection(t);
    t->wanted = fetch_reply_has_page((unsigned)status);
    t->refused = refuses(status);
    if (t->wanted && t->html_only && !fetch_reply_may_be_html(t->reply) &&
        !is_document(t))
        return stop(t, VERDICT_NOT_HTML);
    if (t->codings > 1) /* libcurl 8 undoes them, whatever it is told now */
        return stop(t, t->wanted ? VERDICT_ENCODING : VERDICT_NONE);
    return true;
}

/* Codings that libcurl undoes; what else is listed (a character set, "none")
 * says nothing of the body. */
static unsigned
codings_in(struct str list)
{
    static const struct str known[] = {STR("gzip"), STR("x-gzip"),
                                       STR("deflate"), STR("br"), STR("zstd")};
    struct str coding;
    unsigned n = 0;

    while (str_cut(&list, ',', &coding))
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            n += str_eq_nocase(str_trim(coding), known[i]);
    return n;
}

/* It stacks them all, also those of interim answers, and of a stack only the
 * innermost comes to fetch_on_body(): 64 KiB of gzip in gzip in gzip may be
 * 30 GB that nobody sees. */
static void
count_codings(struct transfer *t, struct str line)
{
    size_t colon = str_find(line, ':', 0);
    struct str name = str_sub(line, 0, colon);

    if (str_eq_nocase(name, S("content-encoding")) ||
        str_eq_nocase(name, S("transfer-encoding")))
        t->codings += codings_in(str_sub(line, colon + 1, line.n));
}

size_t
fetch_on_header(char *p, size_t size, size_t n, void *self)
{
    struct transfer *t = self;
    struct str line = {p, size * n};

    t->fetch->unasked = 0;
    t->header_bytes += line.n;
    t->answered = true;
    if (t->header_bytes > t->fetch->header_max) {
        stop(t, VERDICT_HEADER_SIZE);
        return 0;
    }
    if (t->in_body)
        return line.n;
    if (str_starts(line, S("HTTP/")))
        fetch_reply_begins(t->reply);
    buf_str(&t->reply->head, line);
    count_codings(t, line);
    if (line.n > 0 && line.p[0] != '\r' && line.p[0] != '\n')
        return line.n; /* one of blanks may go on with a header */
    return headers_end(t) ? line.n : 0;
}

/* ---- body ---- */

/* More than body_max has come: is it a page that is too long, or a bomb?  What
 * inflates from one read of libcurl may hold many decoded bytes, so that the
 * ratio is only known a little later; until then they are thrown away. */
static bool
body_full(struct transfer *t)
{
    size_t decoded = t->reply->body.n + t->discarded;
    curl_off_t got = 0;

    curl_easy_getinfo(t->easy, CURLINFO_SIZE_DOWNLOAD_T, &got);
    if (got < FETCH_READ_SIZE) /* the present read may not be counted yet */
        got = FETCH_READ_SIZE;
    t->reply->truncated = true;
    if (t->codings > 0 && decoded / (size_t)got >= BOMB_RATIO)
        return stop(t, VERDICT_BOMB);
    if (t->codings > 0 && decoded < (size_t)FETCH_READ_SIZE * BOMB_RATIO)
        return true;
    return stop(t, VERDICT_NONE);
}

/* A feed, a sitemap ...: the beginning of the body tells, the rest is left. */
static bool
is_other_xml(const struct transfer *t)
{
    struct str type = buf_view(&t->reply->content_type);

    return t->html_only && sniff_declared(type) == SNIFF_XML &&
           !sniff_is_html(type, buf_view(&t->reply->body));
}

static size_t
first_room(const struct transfer *t)
{
    const struct fetch_reply *r = t->reply;
    size_t most = t->body_max < ROOM_MOST ? t->body_max : ROOM_MOST;
    uint64_t n = r->length < most ? r->length : most;

    if (t->codings > 0)
        n *= ROOM_RATIO;
    n = n > 0 ? n : ROOM_UNKNOWN;
    return n < most ? (size_t)n : most;
}

size_t
fetch_on_body(char *p, size_t size, size_t n, void *self)
{
    struct transfer *t = self;
    struct buf *body = &t->reply->body;
    size_t room, had;

    t->fetch->unasked = 0;
    n *= size;
    if (!t->wanted) {
        t->discarded += n;
        if (t->refused && t->discarded <= DISCARD_MAX)
            buf_add(&t->reply->refusal, p, n);
        if (t->discarded <= DISCARD_MAX)
            return n;
        stop(t, VERDICT_NONE);
        return 0;
    }
    if (body->cap == 0)
        buf_reserve(body, first_room(t));
    room = t->body_max - body->n;
    had = body->n;
    buf_add(body, p, n < room ? n : room);
    if (had < XML_HEAD && body->n >= XML_HEAD && is_other_xml(t)) {
        stop(t, VERDICT_NOT_HTML);
        return 0;
    }
    if (n <= room)
        return n;
    t->discarded += n - room;
    return body_full(t) ? n : 0;
}
