/* url_ip.c -- hosts that are numbers: the IPv4 and IPv6 parsers and serialisers
 * of the URL Standard, section "Host parsing".  Pure. */
#include "url_parts.h"

/* One part of an IPv4 address: decimal, 0octal, 0xhex; "0x" alone is 0.
 * Numbers past 32 bits stick at a value that is too large everywhere. */
static bool
ipv4_number(struct str s, uint64_t *out)
{
    const uint64_t too_large = (uint64_t)1 << 32;
    uint64_t v = 0;
    unsigned radix = 10;

    if (s.n == 0)
        return false;
    if (s.n >= 2 && s.p[0] == '0' && ascii_lower(s.p[1]) == 'x') {
        radix = 16;
        s = str_sub(s, 2, s.n);
    } else if (s.n >= 2 && s.p[0] == '0') {
        radix = 8;
        s = str_sub(s, 1, s.n);
    }
    for (size_t i = 0; i < s.n; i++) {
        int digit = ascii_hex(s.p[i]);

        if (digit < 0 || (unsigned)digit >= radix)
            return false;
        v = v * radix + (unsigned)digit;
        if (v > too_large)
            v = too_large;
    }
    *out = v;
    return true;
}

bool
url_ends_in_number(struct str domain)
{
    struct str last;
    uint64_t ignored;
    size_t at;

    if (domain.n > 0 && domain.p[domain.n - 1] == '.')
        domain.n--;
    for (at = domain.n; at > 0 && domain.p[at - 1] != '.'; at--)
        ;
    last = str_sub(domain, at, domain.n);
    if (last.n == 0 || !ascii_digit(last.p[0]))
        return false;
    for (at = 0; at < last.n && ascii_digit(last.p[at]); at++)
        ;
    return at == last.n || ipv4_number(last, &ignored);
}

bool
url_ipv4(struct str domain, uint32_t *address)
{
    uint64_t part[4], sum = 0;
    struct str label;
    unsigned n = 0;

    if (domain.n > 0 && domain.p[domain.n - 1] == '.')
        domain.n--;
    do {
        size_t dot = str_find(domain, '.', 0);

        label = str_sub(domain, 0, dot);
        if (n == 4 || !ipv4_number(label, &part[n++]))
            return false;
        if (dot == domain.n)
            break;
        domain = str_sub(domain, dot + 1, domain.n);
    } while (true);
    for (unsigned i = 0; i + 1 < n; i++) {
        if (part[i] > 255)
            return false;
        sum |= part[i] << (8 * (3 - i));
    }
    if (part[n - 1] >= (uint64_t)1 << (8 * (5 - n)))
        return false;
    *address = (uint32_t)(sum | part[n - 1]);
    return true;
}

void
url_put_number(struct url_writer *w, unsigned v, unsigned radix)
{
    char digit[8];
    size_t n = 0;

    do
        digit[n++] = "0123456789abcdef"[v % radix];
    while ((v /= radix) != 0);
    while (n > 0)
        w->p[w->n++] = digit[--n];
}

void
url_put_ipv4(struct url_writer *w, uint32_t address)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        url_put_number(w, address >> shift & 255, 10);
        if (shift > 0)
            w->p[w->n++] = '.';
    }
}

/* The dotted end of an IPv6 address fills two pieces. */
static bool
ipv4_in_ipv6(struct str s, uint16_t piece[2])
{
    unsigned byte[4], n = 0;
    size_t i = 0;

    for (n = 0; n < 4; n++) {
        if (n > 0 && (i >= s.n || s.p[i++] != '.'))
            return false;
        if (i >= s.n || !ascii_digit(s.p[i]))
            return false;
        byte[n] = (unsigned)(s.p[i++] - '0');
        while (i < s.n && ascii_digit(s.p[i])) {
            if (byte[n] == 0) /* no leading zeros here */
                return false;
            byte[n] = byte[n] * 10 + (unsigned)(s.p[i++] - '0');
            if (byte[n] > 255)
                return false;
        }
    }
    piece[0] = (uint16_t)(byte[0] << 8 | byte[1]);
    piece[1] = (uint16_t)(byte[2] << 8 | byte[3]);
    return i == s.n;
}

/* Read pieces until the end; *compress is where "::" stood, or -1. */
static bool
ipv6_pieces(struct str s, uint16_t piece[8], int *n_out, int *compress)
{
    size_t i = 0;
    int n = 0;

    *compress = -1;
    if (s.n > 0 && s.p[0] == ':') {
        if (s.n < 2 || s.p[1] != ':')
            return false;
        i = 2;
        *compress = 0;
    }
    while (i < s.n) {
        size_t from = i;
        unsigned v = 0;

        if (n == 8)
            return false;
        if (s.p[i] == ':') {
            if (*compress >= 0)
                return false;
            *compress = n;
            i++;
            continue;
        }
        for (; i < s.n && i < from + 4 && ascii_hex(s.p[i]) >= 0; i++)
            v = v * 16 + (unsigned)ascii_hex(s.p[i]);
        if (i < s.n && s.p[i] == '.') {
            if (i == from || n > 6 ||
                !ipv4_in_ipv6(str_sub(s, from, s.n), piece + n))
                return false;
            n += 2;
            break;
        }
        if (i == from || (i < s.n && (s.p[i++] != ':' || i == s.n)))
            return false;
        piece[n++] = (uint16_t)v;
    }
    *n_out = n;
    return true;
}

static bool
ipv6_parse(struct str s, uint16_t piece[8])
{
    int n, compress;

    memset(piece, 0, 8 * sizeof *piece);
    if (!ipv6_pieces(s, piece, &n, &compress))
        return false;
    if (compress < 0)
        return n == 8;
    if (n == 8) /* "::" must stand for something */
        return false;
    memmove(piece + 8 - (n - compress), piece + compress,
            (size_t)(n - compress) * sizeof *piece);
    memset(piece + compress, 0, (size_t)(8 - n) * sizeof *piece);
    return true;
}

enum status
url_put_ipv6(struct url_writer *w, struct str host)
{
    uint16_t piece[8];
    int best = -1, best_n = 1; /* the longest run of zeros, from two */

    if (host.n < 2 || host.p[host.n - 1] != ']' ||
        !ipv6_parse(str_sub(host, 1, host.n - 1), piece))
        return ST_INVALID;
    for (int i = 0, run; i < 8; i += run + 1) {
        for (run = 0; i + run < 8 && piece[i + run] == 0; run++)
            ;
        if (run > best_n) {
            best = i;
            best_n = run;
        }
    }
    w->p[w->n++] = '[';
    for (int i = 0; i < 8; i++) {
        if (i == best) {
            w->p[w->n++] = ':';
            if (i == 0)
                w->p[w->n++] = ':';
            i += best_n - 1;
            continue;
        }
        url_put_number(w, piece[i], 16);
        if (i < 7)
            w->p[w->n++] = ':';
    }
    w->p[w->n++] = ']';
    return ST_OK;
}
