/* dns_answer.c -- see dns_answer.h. */
#include "dns_answer.h"

#include <arpa/inet.h>

#define LABEL_BYTES_MAX 63u

static void
add(struct dns_answer *a, const struct address *from)
{
    struct sockaddr_storage *ss;

    if (a->addresses_n == DNS_ADDRESSES_MAX)
        return;
    ss = &a->address[a->addresses_n++];
    memset(ss, 0, sizeof *ss);
    if (from->family == 4) {
        struct sockaddr_in sa = {.sin_family = AF_INET};

        memcpy(&sa.sin_addr, from->bytes, 4);
        memcpy(ss, &sa, sizeof sa);
    } else {
        struct sockaddr_in6 sa = {.sin6_family = AF_INET6};

        memcpy(&sa.sin6_addr, from->bytes, 16);
        memcpy(ss, &sa, sizeof sa);
    }
}

void
dns_answer_of(struct dns_answer *a, const struct name *e)
{
    a->result = e->result;
    a->error = e->error;
    a->addresses_n = 0;
    a->heard = false;
    for (size_t i = 0; i < e->addresses_n; i++)
        add(a, &e->address[i]);
}

bool
dns_answer_by_itself(struct dns_answer *a, struct str host)
{
    struct address v4 = {.family = 4}, v6 = {.family = 6};
    char z[64];

    *a = (struct dns_answer){.result = DNS_FOUND};
    if (str_eq_nocase(host, S("localhost")) ||
        (host.n > 10 &&
         str_eq_nocase(str_sub(host, host.n - 10, host.n), S(".localhost")))) {
        memcpy(v4.bytes, (const uint8_t[]){127, 0, 0, 1}, 4);
        v6.bytes[15] = 1;
        add(a, &v4);
        add(a, &v6);
        return true;
    }
    if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
        host = str_sub(host, 1, host.n - 1);
    if (host.n >= sizeof z || memchr(host.p, '\0', host.n) != NULL)
        return false;
    memcpy(z, host.p, host.n);
    z[host.n] = '\0';
    if (inet_pton(AF_INET, z, v4.bytes) == 1)
        add(a, &v4);
    else if (inet_pton(AF_INET6, z, v6.bytes) == 1)
        add(a, &v6);
    return a->addresses_n > 0;
}

bool
dns_answer_name(struct str host, char out[DNS_NAME_BYTES_MAX + 1])
{
    size_t label_n = 0;

    if (host.n == 0 || host.n > DNS_NAME_BYTES_MAX)
        return false;
    for (size_t i = 0; i < host.n; i++) {
        char c = host.p[i];

        if (c == '.' ? label_n == 0 : ++label_n > LABEL_BYTES_MAX)
            return false;
        if (c == '.')
            label_n = 0;
        if ((uint8_t)c <= ' ' || (uint8_t)c >= 0x7f || strchr("\\[]:/@%", c))
            return false;
        out[i] = ascii_lower(c);
    }
    return label_n > 0;
}
