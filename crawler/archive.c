/* archive.c -- see archive.h: one writer behind a lock.
 *
 * Bounds: a record is made in memory (fetch.body_max and fetch.header_max bound
 * it); files end at output.warc_mib. */
#include "archive.h"

#include "clean/archive/warc_write.h"
#include "winnow/clock.h"
#include "winnow/log.h"

#include <pthread.h>
#include <stdlib.h>

struct archive {
    struct warc_write *writer;
    struct buf folder, info, head;
    pthread_mutex_t lock;
};

enum status
archive_open(struct archive **out, const char *dir, uint64_t id,
             const struct opts *o)
{
    uint64_t now_ms = clock_wall_ms();
    struct warc_write_options w = {.prefix = "winnow",
                                   .file_max = o->output_warc_mib << 20,
                                   .digests = true,
                                   .software = S("winnow/" WINNOW_VERSION),
                                   .now_ms = now_ms,
                                   .seed = id ^ now_ms};
    struct archive *a;
    enum status st;

    *out = NULL;
    if (!o->output_warc)
        return ST_OK;
    if ((a = calloc(1, sizeof *a)) == NULL)
        return ST_NOMEM;
    pthread_mutex_init(&a->lock, NULL);
    buf_printf(&a->folder, "%s/warc", dir);
    buf_char(&a->folder, '\0');
    buf_printf(&a->info,
               "robots: %s\r\nhttp-header-user-agent: %.*s\r\n"
               "crawler-id: %016llx\r\n",
               o->politeness_robots ? "obey" : "ignore",
               STRF(o->fetch_user_agent), (unsigned long long)id);
    w.folder = a->folder.p;
    w.info = buf_view(&a->info);
    st = warc_write_open(&a->writer, &w);
    if (st == ST_OK)
        *out = a;
    else
        archive_close(a);
    return st;
}

void
archive_close(struct archive *a)
{
    if (a == NULL)
        return;
    warc_write_close(a->writer); /* what it could not do is reported */
    buf_free(&a->folder);
    buf_free(&a->info);
    buf_free(&a->head);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* Does the header line describe how the body was sent? */
static bool
of_transfer(struct str line)
{
    static const struct str names[] = {STR("content-length"),
                                       STR("content-encoding"),
                                       STR("transfer-encoding")};
    struct str name = str_trim(str_sub(line, 0, str_find(line, ':', 0)));

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_eq_nocase(name, names[i]))
            return true;
    return false;
}

/* "http/1.1" of the status line. */
static void
http_version(struct str head, char out[16])
{
    size_t n = 0;

    for (; n < 15 && n < head.n && (unsigned char)head.p[n] > ' '; n++)
        out[n] = ascii_lower(head.p[n]);
    out[n] = '\0';
}

/* "tls/1.3" of OpenSSL's "TLSv1.3". */
static void
tls_version(const char *version, char out[16])
{
    struct str rest = str_c(version);

    out[0] = '\0';
    if (str_starts(rest, S("TLSv")))
        snprintf(out, 16, "tls/%.*s%s", STRF(str_sub(rest, 4, rest.n)),
                 rest.n == 5 ? ".0" : "");
    else if (str_starts(rest, S("SSLv")))
        snprintf(out, 16, "ssl/%.*s", STRF(str_sub(rest, 4, rest.n)));
}

void
archive_head(struct buf *out, struct str head, size_t body_n)
{
    while (head.n > 0) {
        size_t end = str_find(head, '\n', 0);
        struct str line = str_trim(str_sub(head, 0, end));

        head = str_sub(head, end + 1, head.n);
        if (line.n == 0)
            break;
        if (of_transfer(line))
            buf_c(out, "X-Crawler-");
        buf_str(out, line);
        buf_c(out, "\r\n");
    }
    buf_printf(out, "Content-Length: %zu\r\n\r\n", body_n);
}

/* Why the body is not whole, in WARC's words; NULL: it is. */
static const char *
truncation(const struct visit *v)
{
    if (v->reply.truncated || v->fault == VERDICT_BOMB)
        return "length";
    switch (v->fault) {
    case VERDICT_NONE: return v->reply.status == 200 ? NULL : "unspecified";
    case VERDICT_TIMEOUT:
    case VERDICT_TOO_SLOW: return "time";
    case VERDICT_BROKEN:
    case VERDICT_PARTIAL: return "disconnect";
    default: return "unspecified";
    }
}

enum status
archive_put(struct archive *a, const struct visit *v)
{
    char address[64], http[16], tls[16];
    struct warc_exchange x = {.id = v->id,
                              .url = v->lease.url,
                              .date_ms = v->finished_ms,
                              .response_body = buf_view(&v->reply.body)};
    enum status st;

    if (a == NULL || v->reply.head.n == 0)
        return ST_OK;
    visit_address(v, address);
    x.ip = str_c(address);
    x.truncated = truncation(v);
    http_version(buf_view(&v->reply.head), http);
    tls_version(v->reply.tls_version, tls);
    x.protocol[0] = str_c(http);
    x.protocol[1] = str_c(tls);
    x.cipher = str_c(v->reply.tls_cipher);
    pthread_mutex_lock(&a->lock);
    buf_clear(&a->head);
    archive_head(&a->head, buf_view(&v->reply.head), v->reply.body.n);
    x.response_head = buf_view(&a->head);
    st = warc_write_put(a->writer, &x, clock_wall_ms(), NULL);
    pthread_mutex_unlock(&a->lock);
    return st;
}
