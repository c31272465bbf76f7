/* fuzz_dns_answer.c -- any bytes as answers of a name server: dns.c, with
 * c-ares under it, asks for a name by UDP on loopback and is told by the input.
 *
 * The first byte is how many bytes answer the first query (the rest answers the
 * others); of an answer, the first byte says whether it begins with the query's
 * header and question (odd), so that more than a mismatch is reached, or with
 * nothing but its number. */
#include "fuzz.h"
#include "tests/dns_loop.h"

#define TURNS_MAX 200
#define HEADER 12u /* RFC 1035, 4.1.1 */

/* What answers the first query, and the others; how many there were. */
struct script {
    struct str part[2];
    size_t asked;
};

/* Answer one query, if there is one, with a part of the input. */
static bool
serve(struct str part)
{
    unsigned char query[512], answer[4096];
    struct sockaddr_in from;
    socklen_t from_n = sizeof from;
    ssize_t got = recvfrom(dns_loop.server, query, sizeof query, 0,
                           (struct sockaddr *)&from, &from_n);
    size_t n = 2;

    if (got < (ssize_t)HEADER)
        return false;
    if (part.n > 0 && (part.p[0] & 1)) {
        for (n = HEADER; n < (size_t)got && query[n] != 0; n++) {
        }
        n = n + 5 <= (size_t)got ? n + 5 : (size_t)got;
    }
    memcpy(answer, query, n);
    if (n > 2) { /* an answer, with as many records as the input says */
        answer[2] = 0x81;
        answer[3] = part.n > 1 ? (unsigned char)part.p[1] & 0x0f : 0;
        answer[7] = part.n > 2 ? (unsigned char)part.p[2] : 0;
        memset(answer + 8, 0, 4);
    }
    part = str_sub(part, n > 2 ? 3 : 1, part.n);
    part = str_sub(part, 0, sizeof answer - n);
    if (part.n > 0)
        memcpy(answer + n, part.p, part.n);
    sendto(dns_loop.server, answer, n + part.n, 0, (struct sockaddr *)&from,
           from_n);
    return true;
}

static void
answered(void *arg, const struct dns_answer *a)
{
    if (a->addresses_n > DNS_ADDRESSES_MAX ||
        (a->result == DNS_FOUND) != (a->addresses_n > 0))
        abort();
    for (size_t i = 0; i < a->addresses_n; i++)
        if (a->address[i].ss_family != AF_INET &&
            a->address[i].ss_family != AF_INET6)
            abort();
    ++*(int *)arg;
}

static void
serve_all(void *self)
{
    struct script *x = self;

    while (serve(x->part[x->asked > 0]))
        x->asked++;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct dns_io io = {.watch = dns_loop_watch};
    struct str all = str_n((const char *)data, n), item;
    struct script script = {.asked = 0};
    struct opts o = {0};
    struct dns *d;
    char text[64];
    size_t cut = n > 0 ? 1u + data[0] : 0;
    int answers = 0;

    if (dns_loop.server == 0)
        dns_loop_open();
    script.part[0] = str_sub(all, 1, cut);
    script.part[1] = str_sub(all, cut, n);
    item = str_n(text, (size_t)snprintf(text, sizeof text, "127.0.0.1:%u",
                                        dns_loop.port));
    o.fetch_dns_servers = (struct opt_list){&item, 1};
    o.fetch_dns_timeout_ms = 2;
    o.fetch_dns_parallel = o.fetch_dns_cache = 4;
    if (dns_open(&d, &o, &io) != ST_OK)
        abort();
    dns_lookup(d, S("fuzz.test"), 1000, answered, &answers);
    for (int i = 0; i < TURNS_MAX && answers == 0; i++)
        dns_loop_turn(d, 1, 1000, serve_all, &script);
    dns_close(d);
    if (answers != 1 || dns_loop.fds_n != 0)
        abort();
    while (serve(S(""))) {
    } /* queries of tries that came too late */
    return 0;
}
