/* url_parts.h -- what the files behind url.h share; not for others.
 *
 * url.c       the parser's states
 * url_host.c  host names: percent-decoding, IDNA
 * url_ip.c    the number forms of hosts
 * url_encode.c  percent-encode sets, UTF-8, legacy query encodings */
#ifndef URL_PARTS_H
#define URL_PARTS_H

#include "base/status.h"
#include "base/str.h"

/* The URL under construction.  url.c reserves the worst case beforehand, so
 * that the loops need not ask for room: URL_GROWTH times the bytes taken from
 * the input, and URL_HOST_MAX for a name that went through IDNA. */
struct url_writer {
    char *p;
    size_t n;
};

/* One invalid byte becomes "%EF%BF%BD", in a legacy query "%26%2365533%3B". */
#define URL_GROWTH 9
#define URL_GROWTH_LEGACY 14
/* Names that need IDNA are refused when longer (DNS ends at 253; Punycode
 * takes quadratic time). */
#define URL_HOST_MAX 2048

/* What a byte means, bit by bit.  The first four: percent-encode it there. */
enum url_char_set {
    URL_IN_PATH = 1,
    URL_IN_QUERY = 2, /* the special-query set */
    URL_IN_FRAGMENT = 4,
    URL_IN_USERINFO = 8,
    URL_STOP = 16,      /* / \ ? # end an authority or a path segment */
    URL_FORBIDDEN = 32, /* forbidden domain code points but % */
    URL_NOT_PLAIN = 64  /* % and bytes from 0x80: not a plain host name */
};
extern const uint8_t url_class[256];

/* Append `s`, percent-encoding the bytes of `set` and what is not ASCII. */
void url_put_encoded(struct url_writer *w, struct str s, unsigned set);

/* The same for a query in a legacy encoding, named by its WHATWG name; names
 * that have no encoder of their own mean UTF-8. */
void url_put_query(struct url_writer *w, struct str s, struct str encoding);

/* Append the serialised host.  ST_INVALID. */
enum status url_put_host(struct url_writer *w, struct str host);

/* "[" to "]": ST_INVALID. */
enum status url_put_ipv6(struct url_writer *w, struct str host);

/* Is the last label of this ASCII domain a number, so that the whole must be
 * an IPv4 address? */
bool url_ends_in_number(struct str domain);
/* The IPv4 parser: any radix, one to four parts. */
bool url_ipv4(struct str domain, uint32_t *address);
/* Radix up to 16, lower case. */
void url_put_number(struct url_writer *w, unsigned v, unsigned radix);
void url_put_ipv4(struct url_writer *w, uint32_t address);

#endif
