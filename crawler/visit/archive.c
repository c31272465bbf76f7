/* archive.c -- see archive.h: composers that threads borrow, one file behind a
 * lock, which is held for a write and no longer (nor while a dictionary is
 * learnt).
 *
 * Bounds: the records of a visit are made in memory (fetch.body_max and
 * fetch.header_max bound them), in as many composers as there are threads;
 * files end at output.warc_mib; payloads.c for what is remembered. */
#include "archive.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/archive/warc_write.h"
#include "clean/charset/sniff.h"
#include "payloads.h"

#include <pthread.h>
#include <stdlib.h>

#define HTTP2 "HTTP/2"

struct composing { /* what a thread borrows */
    struct warc_composer *composer;
    struct buf head, block;
    struct composing *next;
};

struct archive {
    struct warc_write *writer;
    struct buf folder, info;
    bool request, revisit, metadata, conversion; /* records that are wanted */
    bool sent;                                   /* output.warc_bodies */
    pthread_mutex_t lock; /* of all that follows, and of writer */
    struct composing *idle;
    struct payloads *payloads;
    uint64_t seed, composers_n;
};

static bool
wants(const struct opts *o, struct str record)
{
    for (size_t i = 0; i < o->output_warc_records.n; i++)
        if (str_eq(o->output_warc_records.item[i], record))
            return true;
    return false;
}

static enum warc_form
form_of(const struct opts *o)
{
    return str_eq(o->output_warc_compression, S("zstd")) ? WARC_ZSTD
                                                         : WARC_GZIP;
}

static void
say_info(struct archive *a, uint64_t id, struct str job, const struct opts *o)
{
    buf_printf(&a->info,
               "robots: %s\r\nhttp-header-user-agent: %.*s\r\n"
               "crawler-id: %016llx\r\n",
               o->politeness_robots ? "obey" : "ignore",
               STRF(o->fetch_user_agent), (unsigned long long)id);
    if (job.n > 0)
        warc_record_field(&a->info, "isPartOf", job);
    warc_record_field(&a->info, "description", o->log_comment);
}

enum status
archive_open(struct archive **out, const char *dir, uint64_t id,
             const struct opts *o)
{
    uint64_t now_ms = clock_wall_ms();
    struct warc_write_options w = {.prefix = "winnow",
                                   .file_max = o->output_warc_mib << 20,
                                   .form = form_of(o),
                                   .learn_from = o->output_warc_dictionary_mib
                                                 << 20,
                                   .digests = true,
                                   .software = S("winnow/" WINNOW_VERSION),
                                   .now_ms = now_ms,
                                   .seed = id ^ now_ms};
    const char *name = strrchr(dir, '/');
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
    say_info(a, id, str_c(name ? name + 1 : dir), o);
    a->request = wants(o, S("request"));
    a->revisit = wants(o, S("revisit"));
    a->metadata = wants(o, S("metadata"));
    a->conversion = wants(o, S("conversion"));
    a->sent = str_eq(o->output_warc_bodies, S("sent"));
    a->seed = w.seed;
    a->payloads = a->revisit ? memory_need(payloads_new()) : NULL;
    w.folder = a->folder.p;
    w.info = buf_view(&a->info);
    st = warc_write_open(&a->writer, &w);
    if (st == ST_OK)
        *out = a;
    else
        archive_close(a);
    return st;
}

enum status
archive_close(struct archive *a)
{
    struct composing *c;
    enum status st;

    if (a == NULL)
        return ST_OK;
    st = warc_write_close(a->writer);
    while ((c = a->idle) != NULL) {
        a->idle = c->next;
        warc_composer_free(c->composer);
        buf_free(&c->head);
        buf_free(&c->block);
        free(c);
    }
    payloads_free(a->payloads);
    buf_free(&a->folder);
    buf_free(&a->info);
    pthread_mutex_destroy(&a->lock);
    free(a);
    return st;
}

/* ---- composers ---- */

static struct composing *
borrow(struct archive *a)
{
    struct composing *c;
    uint64_t number = 0;

    pthread_mutex_lock(&a->lock);
    if ((c = a->idle) != NULL)
        a->idle = c->next;
    else
        number = ++a->composers_n;
    pthread_mutex_unlock(&a->lock);
    if (c == NULL) {
        c = memory_need(calloc(1, sizeof *c));
        c->composer = memory_need(
            warc_composer_new(hash_mix(a->seed + 2 * number + 1), true));
    }
    warc_compose_begin(c->composer);
    buf_clear(&c->head);
    buf_clear(&c->block);
    return c;
}

/* Others go on writing meanwhile. */
static void
learn(struct archive *a)
{
    struct zstd_dictionary *d = warc_write_learn(a->writer);

    pthread_mutex_lock(&a->lock);
    warc_write_use(a->writer, d);
    pthread_mutex_unlock(&a->lock);
}

/* Write what was composed, and give it back. */
static enum status
add(struct archive *a, struct composing *c)
{
    enum status st =
        warc_compose_pack(c->composer, warc_write_packing(a->writer));
    bool may_learn;

    pthread_mutex_lock(&a->lock);
    if (st == ST_OK)
        st = warc_write_add(a->writer, c->composer, clock_wall_ms(), NULL);
    may_learn = warc_write_may_learn(a->writer);
    c->next = a->idle;
    a->idle = c;
    pthread_mutex_unlock(&a->lock);
    if (may_learn)
        learn(a);
    return st;
}

/* ---- what was fetched ---- */

/* Does the header line describe a body as it was sent, and not this one? */
static bool
of_another(struct str line, bool coded)
{
    struct str name = str_trim(str_sub(line, 0, str_find(line, ':', 0)));

    return str_eq_nocase(name, S("content-length")) ||
           str_eq_nocase(name, S("transfer-encoding")) ||
           (!coded && str_eq_nocase(name, S("content-encoding")));
}

/* "http/1.1" of the status line, and as it is registered: "h2". */
static void
http_version(struct str head, char out[16])
{
    size_t n = 0;

    if (str_starts(head, S(HTTP2 " "))) {
        snprintf(out, 16, "h2");
        return;
    }

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

/* HTTP/2 has no such line; libcurl makes one, and readers of archives know
 * those of HTTP/1.1. */
static void
first_line(struct buf *out, struct str line)
{
    if (str_starts(line, S(HTTP2 " "))) {
        buf_printf(out, "HTTP/1.1 %.*s ", STRF(str_sub(line, 7, line.n)));
    } else if (str_ends(line, S(" " HTTP2))) {
        buf_printf(out, "%.*s HTTP/1.1", STRF(str_sub(line, 0, line.n - 7)));
    } else {
        buf_str(out, line);
    }
}

void
archive_request(struct buf *out, struct str request)
{
    size_t end = str_find(request, '\r', 0);

    first_line(out, str_sub(request, 0, end));
    buf_str(out, str_sub(request, end, request.n));
}

/* One that goes on with the header before it (RFC 9112, section 5.2). */
static bool
is_folded(struct str line)
{
    return line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t');
}

static void
header_line(struct buf *out, struct str line, bool coded)
{
    buf_c(out, of_another(line, coded) ? "\r\nX-Crawler-" : "\r\n");
    buf_str(out, line);
}

void
archive_head(struct buf *out, struct str head, size_t body_n, bool coded)
{
    struct str line = S("");

    str_cut(&head, '\n', &line);
    first_line(out, str_trim(line));
    while (str_cut(&head, '\n', &line) && line.n > 0 && line.p[0] != '\r')
        if (!is_folded(line))
            header_line(out, str_trim(line), coded);
        else if (str_trim(line).n > 0)
            buf_printf(out, " %.*s", STRF(str_trim(line)));
    buf_printf(out, "\r\nContent-Length: %zu\r\n\r\n", body_n);
}

/* The body as its record has it. */
static struct str
payload_of(const struct visit *v)
{
    return v->reply.coded_body.n > 0 ? buf_view(&v->reply.coded_body)
                                     : buf_view(&v->reply.body);
}

/* Is what its record has what Content-Encoding says? */
static bool
is_as_sent(const struct archive *a, const struct visit *v)
{
    return a->sent && payload_of(v).n > 0 && v->reply.transfer_codings.n == 0;
}

/* Why the body is not whole, in WARC's words; NULL: it is. */
static const char *
truncation(const struct visit *v)
{
    if (v->reply.broken_off)
        return "unspecified";
    if (v->reply.truncated || v->fault == VERDICT_BOMB)
        return "length";
    switch (v->fault) {
    case VERDICT_NONE:
        return fetch_reply_has_page(v->reply.status) || v->reply.status == 304
                   ? NULL
                   : "unspecified";
    case VERDICT_TIMEOUT:
    case VERDICT_TOO_SLOW: return "time";
    case VERDICT_BROKEN:
    case VERDICT_PARTIAL: return "disconnect";
    default: return "unspecified";
    }
}

/* The capture that has this payload already.  Of pages that were not reported
 * yet, and of cut ones, none. */
static bool
known_payload(struct archive *a, const struct visit *v, const char *digest,
              struct payload *out)
{
    const struct payload *p = NULL;

    if (!a->revisit || (v->reply.status != 304 && payload_of(v).n == 0))
        return false;
    pthread_mutex_lock(&a->lock);
    p = v->reply.status == 304
            ? payloads_of(a->payloads, v->lease.url)
            : payloads_same(a->payloads, digest,
                            hash64(buf_view(&v->reply.content_type)));
    if (p != NULL) {
        *out = *p;
        out->url = memory_need(strdup(p->url));
    }
    pthread_mutex_unlock(&a->lock);
    return p != NULL;
}

static void
compose(struct archive *a, struct composing *c, struct visit *v,
        const struct warc_exchange *exchange)
{
    struct payload known = {0};
    struct warc_earlier same = {.url = S("")};
    struct warc_exchange x = *exchange;

    if (x.response_body.n > 0 &&
        digest_sha1(x.response_body, S(""), v->payload))
        x.digest = v->payload;
    if (x.truncated == NULL && known_payload(a, v, v->payload, &known)) {
        same = (struct warc_earlier){str_c(known.url), known.date_ms, known.id};
        x.same = &same;
    } else if (a->revisit && v->reply.status == 304) {
        x.same = &same; /* captured in an earlier run */
    }
    archive_head(&c->head, buf_view(&v->reply.head), x.response_body.n,
                 is_as_sent(a, v));
    x.response_head = buf_view(&c->head);
    warc_compose_exchange(c->composer, &x);
    free(known.url);
}

enum status
archive_put(struct archive *a, struct visit *v)
{
    char address[64], http[16], tls[16];
    struct warc_exchange x = {.id = v->id,
                              .url = v->lease.url,
                              .date_ms = v->finished_ms,
                              .status = v->reply.status,
                              .sitemap_ms = v->lease.lastmod_ms,
                              .response_body = payload_of(v)};
    struct composing *c;

    v->payload[0] = '\0';
    if (a == NULL || v->reply.head.n == 0)
        return ST_OK;
    c = borrow(a);
    visit_address(v, address);
    x.ip = v->by_name ? S("") : str_c(address);
    x.truncated = truncation(v);
    http_version(buf_view(&v->reply.head), http);
    tls_version(v->reply.tls_version, tls);
    x.protocol[0] = str_c(http);
    x.protocol[1] = str_c(tls);
    x.cipher = str_c(v->reply.tls_cipher);
    x.payload_type = str_c(sniff_type(buf_view(&v->reply.body)));
    if (a->request && v->reply.request.n > 0) {
        archive_request(&c->block, buf_view(&v->reply.request));
        x.request = buf_view(&c->block);
    }
    compose(a, c, v, &x);
    return add(a, c);
}

/* ---- what became of it ---- */

static void
real(struct buf *out, const char *name, double value)
{
    if (value == value) /* NaN: not known */
        buf_printf(out, "%s: %.6g\r\n", name, value);
}

/* As Heritrix has it, with what our frontier is told of a link behind. */
static void
outlinks(struct buf *out, const struct archive_page *p)
{
    for (size_t i = 0; i < p->links_n; i++) {
        const struct frontier_link *l = &p->links[i];

        buf_printf(out, "outlink: %.*s L a/@href boilerplate=%.3g",
                   STRF(l->url), (double)l->boilerplate);
        if (l->language.n > 0)
            buf_printf(out, " language=%.*s", STRF(l->language));
        buf_c(out, "\r\n");
    }
}

static void
metadata(struct buf *out, const struct visit *v, const struct archive_page *p,
         enum verdict verdict)
{
    buf_printf(out, "fetchTimeMs: %u\r\ndepth: %u\r\n", v->reply.ms,
               v->lease.depth);
    real(out, "score", (double)v->lease.score);
    warc_record_field(out, "verdict", str_c(verdict_name(verdict)));
    warc_record_field(out, "detail", p->detail);
    warc_record_field(out, "charset", p->charset);
    warc_record_field(out, "charsetFrom", str_c(p->charset_from));
    warc_record_field(out, "language", p->language);
    real(out, "badness", p->badness);
    real(out, "boilerplate", p->boilerplate_mean);
    buf_printf(out, "chars: %u\r\n", p->chars);
    warc_record_field(out, "rights", p->rights);
    warc_record_field(out, "rightsSignals", p->rights_signals);
    outlinks(out, p);
}

/* The page's bytes, in this record or in that of which it is a revisit. */
static void
remember(struct archive *a, const struct visit *v, enum verdict verdict)
{
    struct payload p = {.type = hash64(buf_view(&v->reply.content_type)),
                        .date_ms = v->finished_ms,
                        .id = v->id};
    const struct payload *same, *last;

    if (!a->revisit || v->payload[0] == '\0' || truncation(v) != NULL ||
        verdict == VERDICT_NOT_SAVED || verdict == VERDICT_NOT_STORED ||
        verdict == VERDICT_MEMORY)
        return;
    memcpy(p.digest, v->payload, sizeof p.digest);
    p.url = memory_need(strndup(v->lease.url.p, v->lease.url.n));
    pthread_mutex_lock(&a->lock);
    same = payloads_same(a->payloads, p.digest, p.type);
    last = payloads_of(a->payloads, v->lease.url);
    if (same == NULL) {
        payloads_add(a->payloads, v->lease.url, &p);
    } else if (last == NULL || last->type != same->type ||
               strcmp(last->digest, same->digest) != 0) {
        const struct payload has = *same;

        payloads_add(a->payloads, v->lease.url, &has);
    }
    pthread_mutex_unlock(&a->lock);
    free(p.url);
}

bool
archive_wants_text(const struct archive *a)
{
    return a != NULL && a->conversion;
}

enum status
archive_note(struct archive *a, const struct visit *v,
             const struct archive_page *p, enum verdict verdict)
{
    struct warc_extra x = {
        .about = v->id, .url = v->lease.url, .date_ms = v->finished_ms};
    struct composing *c;
    enum status st;

    if (a == NULL || v->reply.head.n == 0)
        return ST_OK;
    c = borrow(a);
    if (a->metadata) {
        metadata(&c->block, v, p, verdict);
        x.type = "metadata";
        x.content_type = "application/warc-fields";
        x.block = buf_view(&c->block);
        warc_compose_extra(c->composer, &x);
    }
    if (a->conversion && verdict == VERDICT_KEPT) {
        x.type = "conversion";
        x.content_type = "text/plain";
        x.language = p->language;
        x.block = p->text;
        warc_compose_extra(c->composer, &x);
    }
    st = add(a, c);
    if (st == ST_OK)
        remember(a, v, verdict);
    return st;
}
