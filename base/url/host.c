/* host.c -- registered domains by libpsl, address ranges by table.
 *
 * libpsl's built-in copy of the Public Suffix List is used: it needs no file,
 * and its version is the distribution's.  Own code for the list's rules was
 * not worth it: a lookup in libpsl's automaton costs under a microsecond. */
#include "base/url/host.h"

#include <arpa/inet.h>
#include <libpsl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define NAME_MAX_BYTES 253 /* the longest name of the DNS */

bool
host_is_name(struct str host)
{
    for (size_t i = 0; i < host.n; i++)
        if (!ascii_alpha(host.p[i]) && !ascii_digit(host.p[i]) &&
            strchr("._-[:]", host.p[i]) == NULL)
            return false;
    return host.n > 0;
}

static struct str
without_dot(struct str host)
{
    if (host.n > 0 && host.p[host.n - 1] == '.')
        host.n--;
    return host;
}

bool
host_is_ip(struct str host)
{
    struct str part;
    uint64_t v;
    int n = 0;

    if (host.n == 0)
        return false;
    if (host.p[0] == '[')
        return true;
    if (!ascii_digit(host.p[host.n - 1]))
        return false;
    while (str_cut(&host, '.', &part)) {
        if (!str_u64(part, &v) || v > 255)
            return false;
        n++;
    }
    return n == 4;
}

bool
host_address(struct sockaddr_storage *out, struct str host)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
    char name[64];

    if (host.n >= 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
        host = str_sub(host, 1, host.n - 1);
    if (host.n >= sizeof name || memchr(host.p, '\0', host.n) != NULL)
        return false;
    memcpy(name, host.p, host.n);
    name[host.n] = '\0';
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, name, &v4->sin_addr) == 1)
        v4->sin_family = AF_INET;
    else if (inet_pton(AF_INET6, name, &v6->sin6_addr) == 1)
        v6->sin6_family = AF_INET6;
    else
        return false;
    return true;
}

struct str
host_registered_domain(struct str host)
{
    struct str name = without_dot(host);
    char z[NAME_MAX_BYTES + 1];
    const char *found;

    if (name.n == 0 || name.n > NAME_MAX_BYTES || name.p[0] == '.' ||
        host_is_ip(name))
        return host;
    memcpy(z, name.p, name.n);
    z[name.n] = '\0';
    found = psl_registrable_domain(psl_builtin(), z);
    if (found == NULL)
        return name;
    return str_sub(name, (size_t)(found - z), name.n);
}

struct str
host_tld(struct str host)
{
    size_t at;

    if (host_is_ip(host))
        return S("");
    host = without_dot(host);
    for (at = host.n; at > 0 && host.p[at - 1] != '.'; at--)
        ;
    return str_sub(host, at, host.n);
}

bool
host_under(struct str host, struct str domain)
{
    host = without_dot(host);
    domain = without_dot(domain);
    return domain.n > 0 && str_ends(host, domain) &&
           (host.n == domain.n || host.p[host.n - domain.n - 1] == '.');
}

/* Special-purpose prefixes, the first match counts.  `v4_at` > 0: an IPv4
 * address stands at that byte, and its range decides. */
struct prefix {
    uint8_t bytes[16];
    unsigned bits;
    enum host_range range;
    unsigned v4_at;
};

static const struct prefix prefixes_v4[] = {
    {{0}, 8, HOST_PRIVATE, 0},             /* this network */
    {{10}, 8, HOST_PRIVATE, 0},            /* RFC 1918 */
    {{100, 64}, 10, HOST_PRIVATE, 0},      /* shared address space */
    {{127}, 8, HOST_LOOPBACK, 0},          /* loopback */
    {{169, 254}, 16, HOST_PRIVATE, 0},     /* link local, cloud metadata */
    {{172, 16}, 12, HOST_PRIVATE, 0},      /* RFC 1918 */
    {{192, 0, 0}, 24, HOST_PRIVATE, 0},    /* IETF assignments */
    {{192, 0, 2}, 24, HOST_PRIVATE, 0},    /* documentation */
    {{192, 88, 99}, 24, HOST_PRIVATE, 0},  /* 6to4 relays, given up */
    {{192, 168}, 16, HOST_PRIVATE, 0},     /* RFC 1918 */
    {{198, 18}, 15, HOST_PRIVATE, 0},      /* benchmarks */
    {{198, 51, 100}, 24, HOST_PRIVATE, 0}, /* documentation */
    {{203, 0, 113}, 24, HOST_PRIVATE, 0},  /* documentation */
    {{224}, 3, HOST_PRIVATE, 0},           /* multicast, reserved */
};

static const struct prefix prefixes_v6[] = {
    {{[15] = 1}, 128, HOST_LOOPBACK, 0},
    {{[10] = 0xff, [11] = 0xff}, 96, HOST_PUBLIC, 12},     /* IPv4-mapped */
    {{0}, 96, HOST_PRIVATE, 0},                            /* IPv4-compatible */
    {{0x00, 0x64, 0xff, 0x9b}, 96, HOST_PUBLIC, 12},       /* NAT64 */
    {{0x00, 0x64, 0xff, 0x9b, 0, 1}, 48, HOST_PRIVATE, 0}, /* local NAT64 */
    {{0x01}, 64, HOST_PRIVATE, 0},                         /* discard only */
    {{0x20, 0x01}, 23, HOST_PRIVATE, 0},                   /* IETF, Teredo */
    {{0x20, 0x01, 0x0d, 0xb8}, 32, HOST_PRIVATE, 0},       /* documentation */
    {{0x20, 0x02}, 16, HOST_PUBLIC, 2},                    /* 6to4 */
    {{0x3f, 0xff}, 20, HOST_PRIVATE, 0},                   /* documentation */
    {{0x5f, 0x00}, 16, HOST_PRIVATE, 0},                   /* segment routing */
    {{0xfc}, 7, HOST_PRIVATE, 0},                          /* unique local */
    {{0xfe, 0x80}, 9, HOST_PRIVATE, 0}, /* link local, site local */
    {{0xff}, 8, HOST_PRIVATE, 0},       /* multicast */
};

static bool
prefix_matches(const struct prefix *p, const uint8_t *address)
{
    unsigned whole = p->bits / 8, rest = p->bits % 8;

    if (memcmp(p->bytes, address, whole) != 0)
        return false;
    return rest == 0 || ((p->bytes[whole] ^ address[whole]) >> (8 - rest)) == 0;
}

static enum host_range
range_v4(const uint8_t *address)
{
    for (size_t i = 0; i < sizeof prefixes_v4 / sizeof *prefixes_v4; i++)
        if (prefix_matches(&prefixes_v4[i], address))
            return prefixes_v4[i].range;
    return HOST_PUBLIC;
}

static enum host_range
range_v6(const uint8_t *address)
{
    for (size_t i = 0; i < sizeof prefixes_v6 / sizeof *prefixes_v6; i++) {
        const struct prefix *p = &prefixes_v6[i];

        if (prefix_matches(p, address))
            return p->v4_at > 0 ? range_v4(address + p->v4_at) : p->range;
    }
    return HOST_PUBLIC;
}

enum host_range
host_address_range(const struct sockaddr *sa)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    switch (sa->sa_family) {
    case AF_INET:
        memcpy(&v4, sa, sizeof v4);
        return range_v4((const uint8_t *)&v4.sin_addr);
    case AF_INET6:
        memcpy(&v6, sa, sizeof v6);
        return range_v6((const uint8_t *)&v6.sin6_addr);
    default: return HOST_PRIVATE; /* nothing that we would connect to */
    }
}
