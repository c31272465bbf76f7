/* dns_server.h -- a scripted name server on loopback for the tests of the
 * resolver: what it does is told by the first label of the name asked for; see
 * reply(). */
#ifndef DNS_SERVER_H
#define DNS_SERVER_H

#include "base/random.h"
#include "dns_loop.h"

#include "test.h"

#define PACKET_MAX 4096
#define HELD_MAX 512

struct packet {
    uint8_t bytes[PACKET_MAX];
    size_t n;
    struct sockaddr_in from;
};

static struct name_server {
    char log[1 << 16]; /* "name/1 name/28 ..." in order of arrival */
    size_t log_n, packets;
    uint32_t ttl;
    bool hold; /* keep queries until release() */
    enum edns { EDNS, EDNS_FORMERR, EDNS_FORMERR_BARE, EDNS_NOTIMP } edns;
    struct packet held[HELD_MAX];
    size_t held_n;
    struct random random;
} server;

static inline void
put16(struct packet *p, unsigned v)
{
    p->bytes[p->n++] = (uint8_t)(v >> 8);
    p->bytes[p->n++] = (uint8_t)v;
}

static inline void
put_record(struct packet *p, unsigned type, uint32_t ttl, const void *data,
           size_t n)
{
    put16(p, 0xc00c); /* the name of the question */
    put16(p, type);
    put16(p, 1);
    put16(p, ttl >> 16);
    put16(p, ttl & 0xffff);
    put16(p, (unsigned)n);
    memcpy(p->bytes + p->n, data, n);
    p->n += n;
}

/* Read the question's name as text; returns where its type stands. */
static inline size_t
question(const struct packet *p, char name[256])
{
    size_t i = 12, n = 0;

    while (i < p->n && p->bytes[i] != 0) {
        memcpy(name + n, p->bytes + i + 1, p->bytes[i]);
        n += p->bytes[i];
        name[n++] = '.';
        i += p->bytes[i] + 1u;
    }
    name[n > 0 ? n - 1 : 0] = '\0';
    return i + 1;
}

static inline bool
begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static inline void
send_packet(const struct packet *p, const struct packet *to)
{
    sendto(dns_loop.server, p->bytes, p->n, 0,
           (const struct sockaddr *)&to->from, sizeof to->from);
}

/* Bytes that look like a reply for a while, or not at all. */
static inline void
send_garbage(const struct packet *query, const struct packet *good)
{
    struct packet p = *good;

    switch (random_below(&server.random, 4)) {
    case 0: p.n = random_below(&server.random, p.n); break;
    case 1:
        for (size_t i = 2; i < p.n; i++)
            p.bytes[i] = (uint8_t)random_u64(&server.random);
        break;
    case 2:
        for (size_t i = 12; i < p.n; i++)
            if (random_below(&server.random, 4) == 0)
                p.bytes[i] = (uint8_t)random_u64(&server.random);
        break;
    default: p.bytes[7] = 0xff; /* more records than there are */
    }
    send_packet(&p, query);
}

/* No answer but for its number, or for the question, too. */
static inline void
make_noise(struct packet *r, const char *name)
{
    if (begins(name, "noiserecords")) {
        r->bytes[7] = 0xff; /* more than there are */
        return;
    }
    memset(r->bytes + 2, 0xff, r->n - 2);
    if (begins(name, "noisecut"))
        r->n = 4;
}

static inline void
put_answers(struct packet *r, const char *name, unsigned type, uint32_t ttl)
{
    static const uint8_t alias[] = {5, 'a', 'l', 'i', 'a', 's', 0xc0, 0x0c};
    uint8_t v4[4] = {192, 0, 2, 1}, v6[16] = {0x20, 0x01, 0x0d, 0xb8};
    size_t many = begins(name, "many") ? 20 : 1;

    if (begins(name, "cname")) {
        size_t at = r->n + 12;

        put_record(r, 5, 20, alias, sizeof alias);
        r->bytes[7]++;
        put16(r, 0xc000u | (unsigned)at); /* the alias's own name */
        put16(r, type);
        put16(r, 1);
        put16(r, ttl >> 16);
        put16(r, ttl & 0xffff);
        put16(r, type == 1 ? 4 : 16);
        memcpy(r->bytes + r->n, type == 1 ? v4 : v6, type == 1 ? 4 : 16);
        r->n += type == 1 ? 4 : 16;
        r->bytes[7]++;
        return;
    }
    for (size_t i = 0; i < many; i++) {
        v4[3] = v6[15] = (uint8_t)(i + 1);
        if (type == 1 && !begins(name, "six"))
            put_record(r, 1, ttl, v4, 4);
        else if (type == 28 && !begins(name, "four"))
            put_record(r, 28, ttl, v6, 16);
        else
            return;
        r->bytes[7]++;
    }
}

/* Of a server that does not understand the record OPT. */
static inline bool
is_not_understood(const struct packet *query, struct packet *r)
{
    if (server.edns == EDNS || query->bytes[11] == 0)
        return false;
    r->bytes[3] |= server.edns == EDNS_NOTIMP ? 4 : 1;
    if (server.edns == EDNS_FORMERR_BARE) { /* nor the question */
        r->n = 12;
        r->bytes[5] = 0;
    }
    return true;
}

static inline void
reply(const struct packet *query)
{
    char name[256];
    struct packet r = *query;
    size_t at = question(query, name);
    unsigned type = (unsigned)query->bytes[at] << 8 | query->bytes[at + 1];

    r.n = at + 4;
    memset(r.bytes + 6, 0, 6); /* no records yet */
    r.bytes[2] = 0x81;         /* response, recursion desired */
    r.bytes[3] = 0x80;
    if (is_not_understood(query, &r)) {
        send_packet(&r, query);
        return;
    }
    if (begins(name, "silent"))
        return;
    if (begins(name, "nx"))
        r.bytes[3] |= 3;
    else if (begins(name, "fail"))
        r.bytes[3] |= 2;
    else if (begins(name, "refused"))
        r.bytes[3] |= 5;
    else if (begins(name, "cut"))
        r.bytes[2] |= 2; /* go and ask by TCP, where nobody is */
    if ((r.bytes[2] & 2) == 0
            ? (r.bytes[3] & 15) == 0 && !begins(name, "nodata")
            : begins(name, "cutpart"))
        put_answers(&r, name, type, server.ttl);
    if (begins(name, "noise"))
        make_noise(&r, name);
    if (begins(name, "garbage"))
        send_garbage(query, &r);
    else
        send_packet(&r, query);
}

static inline void
server_ready(void)
{
    struct packet q;
    socklen_t from_n = sizeof q.from;
    ssize_t n;

    while ((n = recvfrom(dns_loop.server, q.bytes, sizeof q.bytes, 0,
                         (struct sockaddr *)&q.from, &from_n)) > 12) {
        char name[256];
        size_t at;

        q.n = (size_t)n;
        at = question(&q, name);
        server.packets++;
        if (server.log_n + 300 < sizeof server.log)
            server.log_n += (size_t)sprintf(server.log + server.log_n, "%s/%u ",
                                            name, q.bytes[at + 1]);
        if (server.hold && server.held_n < HELD_MAX && !begins(name, "cut") &&
            !begins(name, "noise"))
            server.held[server.held_n++] = q;
        else
            reply(&q);
    }
}

static inline void
release(void)
{
    server.hold = false;
    for (size_t i = 0; i < server.held_n; i++)
        reply(&server.held[i]);
    server.held_n = 0;
}

#endif
