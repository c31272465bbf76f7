/* warc_compose.c -- see warc_compose.h.
 *
 * Follows WARC 1.1 (ISO 28500:2017): a revisit keeps the header of the answer
 * and names the capture that has its payload; the payload digest is that of the
 * body as it stands in the response, without transfer coding.  The response
 * comes before its request, which names it in WARC-Concurrent-To.
 *
 * Bounds: the records of a capture are in memory (crawls bound pages by
 * fetch.body_max). */
#include "warc_compose.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/warc/digest.h"
#include "cdxj.h"
#include "gzip_member.h"
#include "warc.h"

#define PROFILE "http://netpreserve.org/warc/1.1/revisit/"

struct warc_composer {
    struct gzip_member *gzip;
    struct random rng;
    bool digests;
    struct buf record, packed, line;
    size_t at, n; /* of the response in packed; n 0: none */
};

struct warc_composer *
warc_composer_new(uint64_t seed, bool digests)
{
    struct warc_composer *c = calloc(1, sizeof *c);

    if (c == NULL || (c->gzip = gzip_member_new()) == NULL) {
        free(c);
        return NULL;
    }
    c->rng = random_seed(seed);
    c->digests = digests;
    return c;
}

void
warc_composer_free(struct warc_composer *c)
{
    if (c == NULL)
        return;
    gzip_member_free(c->gzip);
    buf_free(&c->record);
    buf_free(&c->packed);
    buf_free(&c->line);
    free(c);
}

void
warc_compose_begin(struct warc_composer *c)
{
    buf_clear(&c->packed);
    buf_clear(&c->line);
    c->at = c->n = 0;
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
    return c->n > 0;
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

/* The record as a member behind the others. */
static enum status
add_member(struct warc_composer *c)
{
    return gzip_member_write(c->gzip, buf_view(&c->record), &c->packed)
               ? ST_OK
               : ST_NOMEM;
}

/* The block, of two parts, and the end. */
static enum status
end_record(struct warc_composer *c, const char *type, struct str a,
           struct str b)
{
    if (c->digests)
        warc_record_digest(&c->record, "WARC-Block-Digest", a, b);
    warc_record_end(&c->record, type, a, b);
    return add_member(c);
}

enum status
warc_compose_info(struct warc_composer *c, uint64_t now_ms, const char *file,
                  struct str software, struct str more)
{
    char id[WARC_URN_N];

    new_id(c, id);
    buf_clear(&c->record);
    warc_record_info(&c->record, id, now_ms, file, software, more);
    return add_member(c);
}

/* As the IIPC's proposals 42 and 86 have it: one field a protocol. */
static void
protocol_fields(struct warc_composer *c, const struct warc_exchange *x)
{
    for (size_t i = 0; i < sizeof x->protocol / sizeof x->protocol[0]; i++)
        warc_record_field(&c->record, "WARC-Protocol", x->protocol[i]);
    warc_record_field(&c->record, "WARC-Cipher-Suite", x->cipher);
}

static void
sitemap_field(struct warc_composer *c, const struct warc_exchange *x)
{
    char text[WARC_URN_N];

    if (x->sitemap_ms == 0)
        return;
    clock_iso(x->sitemap_ms, text);
    warc_record_field(&c->record, WARC_SITEMAP_LASTMOD, str_c(text));
}

/* Why there is no payload, and who has it. */
static void
revisit_fields(struct warc_composer *c, const struct warc_exchange *x)
{
    char text[WARC_URN_N];

    warc_record_field(&c->record, "WARC-Profile",
                      x->status == 304 ? S(PROFILE "server-not-modified")
                                       : S(PROFILE "identical-payload-digest"));
    if (x->same->date_ms == 0)
        return;
    warc_record_field(&c->record, "WARC-Refers-To-Target-URI", x->same->url);
    clock_iso(x->same->date_ms, text);
    warc_record_field(&c->record, "WARC-Refers-To-Date", str_c(text));
    warc_urn(&x->same->id, text);
    warc_record_field(&c->record, "WARC-Refers-To", str_c(text));
}

static enum status
response(struct warc_composer *c, const struct warc_exchange *x, const char *id)
{
    char made[DIGEST_TEXT_N] = "";
    const char *digest = x->digest;
    struct cdxj_entry e = {.url = x->url,
                           .date_ms = x->date_ms,
                           .mime = cdxj_mime(x->response_head),
                           .status = x->status,
                           .revisit = x->same != NULL};
    enum status st;

    if (digest == NULL && c->digests &&
        digest_sha1(x->response_body, S(""), made))
        digest = made;
    if (x->same != NULL && x->status == 304)
        digest = NULL; /* nobody has seen the payload */
    buf_clear(&c->record);
    warc_record_begin(&c->record, x->same == NULL ? "response" : "revisit", id,
                      x->date_ms);
    warc_record_field(&c->record, "WARC-Target-URI", x->url);
    warc_record_field(&c->record, "WARC-IP-Address", x->ip);
    warc_record_field(&c->record, "WARC-Identified-Payload-Type",
                      x->payload_type);
    warc_record_field(&c->record, "WARC-Truncated", str_c(x->truncated));
    protocol_fields(c, x);
    sitemap_field(c, x);
    if (x->same != NULL)
        revisit_fields(c, x);
    warc_record_field(&c->record, "WARC-Payload-Digest", str_c(digest));
    c->at = c->packed.n;
    st = end_record(c, "application/http; msgtype=response", x->response_head,
                    x->same == NULL ? x->response_body : S(""));
    c->n = c->packed.n - c->at;
    e.digest = str_c(digest);
    cdxj_begin(&c->line, &e);
    return st;
}

enum status
warc_compose_exchange(struct warc_composer *c, const struct warc_exchange *x)
{
    char id[WARC_URN_N], request_id[WARC_URN_N];
    enum status st;

    if (x->id.z[0] != '\0')
        warc_urn(&x->id, id);
    else
        new_id(c, id);
    st = response(c, x, id);
    if (st != ST_OK || x->request.n == 0)
        return st;
    new_id(c, request_id);
    buf_clear(&c->record);
    warc_record_begin(&c->record, "request", request_id, x->date_ms);
    warc_record_field(&c->record, "WARC-Target-URI", x->url);
    warc_record_field(&c->record, "WARC-IP-Address", x->ip);
    warc_record_field(&c->record, "WARC-Concurrent-To", str_c(id));
    protocol_fields(c, x);
    return end_record(c, "application/http; msgtype=request", x->request,
                      S(""));
}

enum status
warc_compose_extra(struct warc_composer *c, const struct warc_extra *x)
{
    char text[WARC_URN_N];
    bool conversion = strcmp(x->type, "conversion") == 0;

    new_id(c, text);
    buf_clear(&c->record);
    warc_record_begin(&c->record, x->type, text, x->date_ms);
    warc_record_field(&c->record, "WARC-Target-URI", x->url);
    warc_urn(&x->about, text);
    warc_record_field(&c->record,
                      conversion ? "WARC-Refers-To" : "WARC-Concurrent-To",
                      str_c(text));
    warc_record_field(&c->record, "WARC-Identified-Content-Language",
                      x->language);
    return end_record(c, x->content_type, x->block, S(""));
}
