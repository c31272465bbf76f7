/* url.h -- URLs by the WHATWG URL Standard (https://url.spec.whatwg.org).
 *
 * Only what a crawler fetches: the special schemes http and https.  Anything
 * else (mailto:, javascript:, data:, file:, ftp: ...) is ST_INVALID.  A parsed
 * URL is kept as its serialisation ("href") and offsets into it; the fragment
 * is dropped (url_parse with keep_fragment = true keeps it, for the
 * conformance tests).  IDNA by ICU (UTS 46 non-transitional). */
#ifndef BASE_URL_H
#define BASE_URL_H

#include "base/arena.h"
#include "base/status.h"
#include "base/str.h"

struct url {
    struct str href;     /* the whole canonical URL, in the arena */
    struct str scheme;   /* "http" or "https", no colon */
    struct str username; /* usually empty */
    struct str password;
    struct str host;     /* lower-case ASCII; [..] round IPv6 */
    uint16_t port;       /* explicit or the scheme's default */
    bool port_explicit;  /* the href shows it */
    struct str path;     /* starts with '/' */
    struct str query;    /* without '?'; empty also when there is none */
    struct str target;   /* path and ?query as sent to the server */
    struct str fragment; /* only with keep_fragment */
};

#define URL_BYTES_MAX 65535u /* longer ones are none */

/* Parse `input` (bytes, meant as UTF-8; invalid sequences become U+FFFD)
 * against `base` (NULL: input must be absolute).  Strings of *out live in `a`
 * and all point into href, as those of `base` must.  ST_INVALID: not an
 * http(s) URL or not parsable.  ST_LIMIT: the input or the result is longer
 * than URL_BYTES_MAX.  Time is linear in the input and the base. */
enum status url_parse(struct url *out, struct arena *a, struct str input,
                      const struct url *base);
/* The same, but ST_LIMIT when the result is longer than `max` bytes.  Before
 * that is known it takes no memory that stays in use. */
enum status url_parse_max(struct url *out, struct arena *a, struct str input,
                          const struct url *base, size_t max);
/* query_encoding: the page's, by its WHATWG name; empty or unknown: UTF-8. */
enum status url_parse_full(struct url *out, struct arena *a, struct str input,
                           const struct url *base, bool keep_fragment,
                           struct str query_encoding);

/* As a crawler asks for it and keeps it: without user name and password, which
 * would multiply pages and be published, and without the dot behind the host's
 * name.  What had to go is copied to `a`.  ST_INVALID: no host is left. */
enum status url_plain(struct url *u, struct arena *a);
/* url_parse() and url_plain(): for whatever may become a request. */
enum status url_parse_plain(struct url *out, struct arena *a, struct str input,
                            const struct url *base);
enum status url_parse_plain_max(struct url *out, struct arena *a,
                                struct str input, const struct url *base,
                                size_t max); /* as url_parse_max() */
/* The same for an absolute URL as text; *out is `url` itself when it is that
 * already, which costs one look at its bytes. */
enum status url_canonical(struct str *out, struct arena *a, struct str url);

/* A host's name without the dot that may stand behind it. */
static inline struct str
url_without_dot(struct str host)
{
    return host.n > 1 && host.p[host.n - 1] == '.'
               ? str_sub(host, 0, host.n - 1)
               : host;
}

/* "host" or "host:port" when the port is not the scheme's default: the
 * politeness and robots unit.  Points into href or `a`. */
struct str url_authority(const struct url *u, struct arena *a);

/* The standard's host parser, for names outside of URLs: domain to ASCII
 * (UTS 46), numbers to addresses.  Names of nothing but ASCII are lower-cased
 * and checked for forbidden characters, not for the validity of their
 * Punycode.  ST_INVALID. */
enum status url_host_ascii(struct str *out, struct arena *a, struct str host);
/* A host's name as an operator writes it (any case, IDN, a dot in front or
 * behind) as hosts of URLs are.  ST_INVALID: it is none. */
enum status url_host_written(struct str *out, struct arena *a, struct str name);

#endif
