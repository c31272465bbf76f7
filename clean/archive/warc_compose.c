/* warc_compose.c -- see warc_compose.h.
 *
 * Follows WARC 1.1 (ISO 28500:2017): a revisit keeps the header of the answer
 * and names the capture that has its payload; the payload digest is that of the
 * body as it stands in the response, without transfer coding.  The response
 * comes before its request, which names it in WARC-Concurrent-To.
 *
 * Bounds: the records of a capture are in memory, as text and packed (crawls
 * bound pages by fetch.body_max); RECORDS_MAX. */
#include "warc_compose.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/warc/digest.h"
#include "cdxj.h"
#include "gzip_member.h"
#include "warc.h"
#include "zstd_frame.h"

#define PROFILE "http://netpreserve.org/warc/1.1/revisit/"
#define RECORDS_MAX 4 /* of a capture at a time */
#define NO_RESPONSE RECORDS_MAX

struct warc_composer {
    struct gzip_member *gzip; /* either is made when first needed */
    struct zstd_frame *zstd;
    struct random rng;
    bool digests;
    struct buf text, line;   /* the records; the response's line of CDXJ */
    size_t end[RECORDS_MAX]; /* of each in text */
    size_t records_n, response;
    struct buf packed;
    struct warc_packing packing;
    size_t packed_n; /* records in `packed` */
    size_t at, n;    /* of the response there */
};

struct warc_composer *
warc_composer_new(uint64_t seed, bool digests)
{
    struct warc_composer *c = calloc(1, sizeof *c);

    if (c == NULL)
        return NULL;
    c->rng = random_seed(seed);
    c->digests = digests;
    warc_compose_begin(c);
    return c;
}

void
warc_composer_free(struct warc_composer *c)
{
    if (c == NULL)
        return;
    gzip_member_free(c->gzip);
    zstd_frame_free(c->zstd);
    buf_free(&c->text);
    buf_free(&c->packed);
    buf_free(&c->line);
    free(c);
}

void
warc_compose_begin(struct warc_composer *c)
{
    buf_clear(&c->text);
    buf_clear(&c->line);
    buf_clear(&c->packed);
    c->records_n = c->packed_n = 0;
    c->response = NO_RESPONSE;
}

struct str
warc_composed_text(const struct warc_composer *c, size_t i)
{
    size_t from = i > 0 && i < c->records_n ? c->end[i - 1] : 0;

    return i < c->records_n ? str_n(c->text.p + from, c->end[i] - from)
                            : (struct str){0};
}

struct str
warc_composed(const struct warc_composer *c)
{
    return buf_view(&c->packed);
}

bool
warc_composed_capture(const struct warc_composer *c, size_t *at, size_t *n,
                      struct str *line)
{
    *at = c->at;
    *n = c->n;
    *line = buf_view(&c->line);
    return c->response < c->packed_n;
}

/* A random UUID (RFC 9562, version 4) as a record id. */
static void
new_id(struct warc_composer *c, char out[WARC_URN_N])
{
    uint64_t a = random_u64(&c->rng), b = random_u64(&c->rng);

    snprintf(out, WARC_URN_N, "<urn:uuid:%08x-%04x-4%03x-%04x-%012llx>",
             (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff),
             (unsigned)(a & 0xfff), (unsigned)(0x8000 | (b >> 48 & 0x3fff)),
             (unsigned long long)(b & 0xffffffffffff));
}

/* ---- packed ---- */

static bool
pack_gzip(struct warc_composer *c, struct str record)
{
    if (c->gzip == NULL)
        c->gzip = gzip_member_new();
    return c->gzip != NULL && gzip_member_write(c->gzip, record, &c->packed);
}

static bool
pack_zstd(struct warc_composer *c, struct str record)
{
    if (c->zstd == NULL)
        c->zstd = zstd_frame_new();
    return c->zstd != NULL &&
           zstd_frame_write(c->zstd, c->packing.dictionary, record, &c->packed);
}

enum status
warc_compose_pack(struct warc_composer *c, struct warc_packing packing)
{
    bool same = packing.form == c->packing.form &&
                packing.dictionary == c->packing.dictionary;

    if (same && c->packed_n == c->records_n)
        return ST_OK;
    buf_clear(&c->packed);
    c->packed_n = 0;
    c->packing = packing;
    for (size_t i = 0; i < c->records_n; i++) {
        struct str record = warc_composed_text(c, i);
        size_t at = c->packed.n;

        if (packing.form == WARC_ZSTD ? !pack_zstd(c, record)
                                      : !pack_gzip(c, record))
            return ST_NOMEM;
        if (i == c->response) {
            c->at = at;
            c->n = c->packed.n - at;
        }
        c->packed_n++;
    }
    return ST_OK;
}

/* ---- records ---- */

/* What stands behind the last record is one. */
static void
end_text(struct warc_composer *c)
{
    assert(c->records_n < RECORDS_MAX);
    c->end[c->records_n++] = c->text.n;
}

/* The block, of two parts, and the end. */
static void
end_record(struct warc_composer *c, const char *type, struct str a,
           struct str b)
{
    if (c->digests)
        warc_record_digest(&c->text, "WARC-Block-Digest", a, b);
    warc_record_end(&c->text, type, a, b);
    end_text(c);
}

void
warc_compose_info(struct warc_composer *c, uint64_t now_ms, const char *file,
                  struct str software, struct str more)
{
    char id[WARC_URN_N];

    new_id(c, id);
    warc_record_info(&c->text, id, now_ms, file, software, more);
    end_text(c);
}

/* As the IIPC's proposals 42 and 86 have it: one field a protocol. */
static void
protocol_fields(struct warc_composer *c, const struct warc_exchange *x)
{
    for (size_t i = 0; i < sizeof x->protocol / sizeof x->protocol[0]; i++)
        warc_record_field(&c->text, "WARC-Protocol", x->protocol[i]);
    warc_record_field(&c->text, "WARC-Cipher-Suite", x->cipher);
}

static void
sitemap_field(struct warc_composer *c, const struct warc_exchange *x)
{
    char text[WARC_URN_N];

    if (x->sitemap_ms == 0)
        return;
    clock_iso(x->sitemap_ms, text);
    warc_record_field(&c->text, WARC_SITEMAP_LASTMOD, str_c(text));
}

/* Why there is no payload, and who has it. */
static void
revisit_fields(struct warc_composer *c, const struct warc_exchange *x)
{
    char text[WARC_URN_N];

    warc_record_field(&c->text, "WARC-Profile",
                      x->status == 304 ? S(PROFILE "server-not-modified")
                                       : S(PROFILE "identical-payload-digest"));
    if (x->same->date_ms == 0)
        return;
    warc_record_field(&c->text, "WARC-Refers-To-Target-URI", x->same->url);
    clock_iso(x->same->date_ms, text);
    warc_record_field(&c->text, "WARC-Refers-To-Date", str_c(text));
    warc_urn(&x->same->id, text);
    warc_record_field(&c->text, "WARC-Refers-To", str_c(text));
}

static void
response(struct warc_composer *c, const struct warc_exchange *x, const char *id)
{
    char made[DIGEST_TEXT_N] = "";
    const char *digest = x->digest;
    struct cdxj_entry e = {.url = x->url,
                           .date_ms = x->date_ms,
                           .mime = cdxj_mime(x->response_head),
                           .status = x->status,
                           .revisit = x->same != NULL};

    if (digest == NULL && c->digests &&
        digest_sha1(x->response_body, S(""), made))
        digest = made;
    if (x->same != NULL && x->status == 304)
        digest = NULL; /* nobody has seen the payload */
    warc_record_begin(&c->text, x->same == NULL ? "response" : "revisit", id,
                      x->date_ms);
    warc_record_field(&c->text, "WARC-Target-URI", x->url);
    warc_record_field(&c->text, "WARC-IP-Address", x->ip);
    warc_record_field(&c->text, "WARC-Identified-Payload-Type",
                      x->payload_type);
    warc_record_field(&c->text, "WARC-Truncated", str_c(x->truncated));
    protocol_fields(c, x);
    sitemap_field(c, x);
    if (x->same != NULL)
        revisit_fields(c, x);
    warc_record_field(&c->text, "WARC-Payload-Digest", str_c(digest));
    c->response = c->records_n;
    end_record(c, "application/http; msgtype=response", x->response_head,
               x->same == NULL ? x->response_body : S(""));
    e.digest = str_c(digest);
    cdxj_begin(&c->line, &e);
}

void
warc_compose_exchange(struct warc_composer *c, const struct warc_exchange *x)
{
    char id[WARC_URN_N], request_id[WARC_URN_N];

    if (x->id.z[0] != '\0')
        warc_urn(&x->id, id);
    else
        new_id(c, id);
    response(c, x, id);
    if (x->request.n == 0)
        return;
    new_id(c, request_id);
    warc_record_begin(&c->text, "request", request_id, x->date_ms);
    warc_record_field(&c->text, "WARC-Target-URI", x->url);
    warc_record_field(&c->text, "WARC-IP-Address", x->ip);
    warc_record_field(&c->text, "WARC-Concurrent-To", str_c(id));
    protocol_fields(c, x);
    end_record(c, "application/http; msgtype=request", x->request, S(""));
}

void
warc_compose_extra(struct warc_composer *c, const struct warc_extra *x)
{
    char text[WARC_URN_N];
    bool conversion = strcmp(x->type, "conversion") == 0;

    new_id(c, text);
    warc_record_begin(&c->text, x->type, text, x->date_ms);
    warc_record_field(&c->text, "WARC-Target-URI", x->url);
    warc_urn(&x->about, text);
    warc_record_field(&c->text,
                      conversion ? "WARC-Refers-To" : "WARC-Concurrent-To",
                      str_c(text));
    warc_record_field(&c->text, "WARC-Identified-Content-Language",
                      x->language);
    end_record(c, x->content_type, x->block, S(""));
}
