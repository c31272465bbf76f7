/* The resolver against a scripted name server on loopback, in the same poll
 * loop.  What the server does is told by the first label of the name asked
 * for; see reply().  Time is virtual for the cache and real for c-ares. */
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dns_loop.h"
#include "winnow/clock.h"
#include "winnow/random.h"

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
    struct packet held[HELD_MAX];
    size_t held_n;
    struct random random;
} server;

static struct dns *dns;
static uint64_t now_ms;

/* ---- the name server ---- */

static void
put16(struct packet *p, unsigned v)
{
    p->bytes[p->n++] = (uint8_t)(v >> 8);
    p->bytes[p->n++] = (uint8_t)v;
}

static void
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
static size_t
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

static bool
begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static void
send_packet(const struct packet *p, const struct packet *to)
{
    sendto(dns_loop.server, p->bytes, p->n, 0,
           (const struct sockaddr *)&to->from, sizeof to->from);
}

/* Bytes that look like a reply for a while, or not at all. */
static void
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

static void
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

static void
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
    else if (!begins(name, "nodata"))
        put_answers(&r, name, type, server.ttl);
    if (begins(name, "garbage"))
        send_garbage(query, &r);
    else
        send_packet(&r, query);
}

static void
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
        if (server.hold && server.held_n < HELD_MAX)
            server.held[server.held_n++] = q;
        else
            reply(&q);
    }
}

static void
release(void)
{
    server.hold = false;
    for (size_t i = 0; i < server.held_n; i++)
        reply(&server.held[i]);
    server.held_n = 0;
}

/* ---- the loop ---- */

static void
serve(void *self)
{
    (void)self;
    server_ready();
}

static void
turn(int wait_ms)
{
    dns_loop_turn(dns, wait_ms, now_ms, serve, NULL);
}

/* Until nothing is asked any more; 5 s of real time are too many. */
static void
settle(void)
{
    uint64_t end = clock_steady_ms() + 5000;
    uint64_t wait;

    while ((wait = dns_wait_ms(dns)) != UINT64_MAX && clock_steady_ms() < end)
        turn(wait < 50 ? (int)wait : 50);
    CHECK(dns_wait_ms(dns) == UINT64_MAX);
}

static void
turns(int ms) /* for queries that get no reply yet */
{
    uint64_t end = clock_steady_ms() + (uint64_t)ms;

    while (clock_steady_ms() < end)
        turn(1);
}

static void
open_with(uint64_t parallel, uint64_t cache, uint64_t timeout_ms)
{
    static const struct dns_io io = {.watch = dns_loop_watch};
    struct opts o;
    char text[64];
    struct str item;

    sprintf(text, "127.0.0.1:%u", dns_loop.port);
    item = str_c(text);
    memset(&o, 0, sizeof o);
    o.fetch_dns_servers = (struct opt_list){&item, 1};
    o.fetch_dns_timeout_ms = timeout_ms;
    o.fetch_dns_parallel = parallel;
    o.fetch_dns_cache = cache;
    server.log_n = server.packets = 0;
    server.log[0] = '\0';
    server.ttl = 60;
    server.hold = false;
    server.held_n = 0;
    server.random = random_seed(1);
    now_ms = 1000;
    CHECK(dns_open(&dns, &o, &io) == ST_OK);
}

static void
close_all(void)
{
    dns_close(dns);
    dns = NULL;
    CHECK(dns_loop.fds_n == 0); /* every descriptor was given back */
    dns_loop.fds_n = 0;
}

struct result {
    int calls;
    struct dns_answer answer;
};

static void
keep(void *arg, const struct dns_answer *answer)
{
    struct result *r = arg;

    r->calls++;
    r->answer.result = answer->result;
    r->answer.error = answer->error;
    r->answer.addresses_n = answer->addresses_n;
    memcpy(r->answer.address, answer->address,
           answer->addresses_n * sizeof *answer->address);
}

static void
look(struct result *r, const char *host)
{
    r->calls = 0;
    dns_lookup(dns, str_c(host), now_ms, keep, r);
}

static struct result
ask(const char *host)
{
    static struct result r;

    look(&r, host);
    settle();
    CHECK(r.calls == 1);
    return r;
}

static bool
address_is(const struct result *r, size_t i, const char *text)
{
    const struct sockaddr_storage *ss = &r->answer.address[i];
    char got[INET6_ADDRSTRLEN];

    if (i >= r->answer.addresses_n)
        return false;
    if (ss->ss_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)ss)->sin_addr, got,
                  sizeof got);
    else
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)ss)->sin6_addr, got,
                  sizeof got);
    return strcmp(got, text) == 0;
}

/* ---- tests ---- */

static void
a_name_gets_its_addresses_ipv4_first(void)
{
    struct result r;

    open_with(10, 100, 1000);
    r = ask("both.test");
    CHECK(r.answer.result == DNS_FOUND && r.answer.addresses_n == 2);
    CHECK(address_is(&r, 0, "192.0.2.1") && address_is(&r, 1, "2001:db8::1"));
    CHECK(server.packets == 2);
    r = ask("BOTH.test.");
    CHECK(r.answer.addresses_n == 2 && server.packets == 2);
    r = ask("four.test");
    CHECK(r.answer.addresses_n == 1 && address_is(&r, 0, "192.0.2.1"));
    r = ask("six.test");
    CHECK(r.answer.addresses_n == 1 && address_is(&r, 0, "2001:db8::1"));
    r = ask("cname.test");
    CHECK(r.answer.addresses_n == 2 && address_is(&r, 0, "192.0.2.1"));
    r = ask("many.test");
    CHECK(r.answer.addresses_n == DNS_ADDRESSES_MAX);
    CHECK(((struct sockaddr_in *)&r.answer.address[0])->sin_port == 0);
    close_all();
}

/* Is `host` remembered for exactly `ms`? */
static void
check_holds(const char *host, uint64_t ms)
{
    size_t before;

    ask(host);
    before = server.packets;
    now_ms += ms - 1;
    ask(host);
    CHECK(server.packets == before);
    now_ms += 1;
    ask(host);
    CHECK(server.packets > before);
}

static void
answers_hold_as_long_as_they_should(void)
{
    open_with(10, 100, 30);
    check_holds("a.test", 60 * 1000);
    check_holds("cname.test", 20 * 1000); /* the alias's is less */
    server.ttl = 0;
    check_holds("b.test", 5 * 1000);
    server.ttl = 2000000;
    check_holds("c.test", 86400 * 1000);
    server.ttl = 0x80000001u; /* RFC 2181: as if 0 */
    check_holds("d.test", 5 * 1000);
    check_holds("nx.test", 300 * 1000);
    check_holds("nodata.test", 300 * 1000);
    check_holds("fail.test", 60 * 1000);
    close_all();
}

static void
failures_are_told_from_names_that_do_not_exist(void)
{
    struct result r;

    open_with(10, 100, 30);
    r = ask("nx.test");
    CHECK(r.answer.result == DNS_NO_SUCH_NAME && r.answer.error != NULL);
    CHECK(r.answer.addresses_n == 0);
    r = ask("nodata.test");
    CHECK(r.answer.result == DNS_NO_SUCH_NAME);
    r = ask("fail.test");
    CHECK(r.answer.result == DNS_FAILED && r.answer.error != NULL);
    r = ask("refused.test");
    CHECK(r.answer.result == DNS_FAILED);
    r = ask("cut.test");
    CHECK(r.answer.result == DNS_FAILED);
    server.packets = 0;
    r = ask("silent.test");
    CHECK(r.answer.result == DNS_SILENT && server.packets == 6);
    CHECK(!r.answer.heard);
    close_all();
}

static void
garbage_ends_in_an_answer(void)
{
    static struct result r[400];
    char name[64];

    open_with(50, 1000, 20);
    for (int i = 0; i < 400; i++) {
        sprintf(name, "garbage%d.test", i);
        look(&r[i], name);
    }
    settle();
    for (int i = 0; i < 400; i++) {
        CHECK(r[i].calls == 1);
        CHECK(r[i].answer.addresses_n == 0 || r[i].answer.result == DNS_FOUND);
    }
    close_all();
}

static void
equal_names_share_one_query(void)
{
    static struct result r[100];
    struct dns_stats s;

    open_with(10, 100, 1000);
    for (int i = 0; i < 100; i++)
        look(&r[i], i % 2 ? "a.test" : "A.TEST.");
    settle();
    for (int i = 0; i < 100; i++)
        CHECK(r[i].calls == 1 && r[i].answer.result == DNS_FOUND);
    CHECK(server.packets == 2);
    dns_stats(dns, &s);
    CHECK(s.lookups == 100 && s.queries == 1 && s.joined == 99);
    close_all();
}

static void
queries_in_flight_are_bounded_and_in_order(void)
{
    static struct result r[20];
    struct dns_stats s;
    char name[32];

    open_with(3, 100, 2000);
    server.hold = true;
    for (int i = 0; i < 20; i++) {
        sprintf(name, "four%02d.test", i);
        look(&r[i], name);
    }
    turns(50);
    dns_stats(dns, &s);
    CHECK(s.asked == 3 && s.waiting == 17 && server.packets == 6);
    CHECK(strstr(server.log, "four03") == NULL);
    release();
    settle();
    dns_stats(dns, &s);
    CHECK(s.asked_high == 3 && s.queries == 20 && s.found == 20);
    for (int i = 0; i < 20; i++) {
        const char *at;

        CHECK(r[i].calls == 1 && r[i].answer.result == DNS_FOUND);
        sprintf(name, "four%02d.test/1 ", i);
        at = strstr(server.log, name);
        CHECK(at != NULL);
        if (at != NULL && i > 2) { /* the one three before it came earlier */
            sprintf(name, "four%02d.test/1 ", i - 3);
            CHECK(strstr(server.log, name) < at);
        }
    }
    close_all();
}

static void
look_again(void *arg, const struct dns_answer *answer)
{
    CHECK(answer->result == DNS_FAILED);
    look(arg, "a.test");
}

static void
closing_answers_all_that_are_pending(void)
{
    static struct result r[20], again;
    char name[32];

    open_with(5, 100, 2000);
    server.hold = true;
    again.calls = 0;
    dns_lookup(dns, S("a.test"), now_ms, look_again, &again);
    for (int i = 0; i < 20; i++) {
        sprintf(name, "x%d.test", i / 2);
        look(&r[i], name);
    }
    turns(20);
    close_all();
    for (int i = 0; i < 20; i++)
        CHECK(r[i].calls == 1 && r[i].answer.result == DNS_FAILED);
    CHECK(again.calls == 1 && again.answer.result == DNS_FAILED);
    dns_close(NULL);
}

static void
addresses_and_localhost_need_no_query(void)
{
    struct result r;

    open_with(10, 100, 1000);
    r = ask("192.0.2.7");
    CHECK(r.answer.addresses_n == 1 && address_is(&r, 0, "192.0.2.7"));
    r = ask("[2001:db8::7]");
    CHECK(r.answer.addresses_n == 1 && address_is(&r, 0, "2001:db8::7"));
    r = ask("LocalHost.");
    CHECK(r.answer.addresses_n == 2 && address_is(&r, 0, "127.0.0.1") &&
          address_is(&r, 1, "::1"));
    r = ask("a.localhost");
    CHECK(address_is(&r, 0, "127.0.0.1"));
    CHECK(server.packets == 0 && dns_loop.fds_n == 0);
    close_all();
}

static void
what_is_no_name_is_refused_without_a_query(void)
{
    static const struct str row[] = {
        STR(""),      STR("."),     STR("a..b"),      STR(".a"),
        STR("a\\.b"), STR("a b"),   STR("a\0b.test"), STR("\xc3\xa4.test"),
        STR("[::1"),  STR("a.b.."),
    };
    char name[300];
    struct result r;

    open_with(10, 100, 1000);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        r.calls = 0;
        dns_lookup(dns, row[i], now_ms, keep, &r);
        CHECK(r.calls == 1 && r.answer.result == DNS_NO_SUCH_NAME);
    }
    memset(name, 'a', sizeof name);
    strcpy(name + 64, ".test");
    CHECK(ask(name).answer.result == DNS_NO_SUCH_NAME);
    for (int i = 0; i < 299; i++)
        name[i] = i % 2 ? '.' : 'a';
    name[254 + 1] = '\0';
    CHECK(ask(name).answer.result == DNS_NO_SUCH_NAME);
    CHECK(server.packets == 0);
    name[253] = '\0';
    CHECK(ask(name).answer.result == DNS_FOUND);
    close_all();
}

struct cname_chain {
    int left, failed;
    char name[32];
};

static void
next_in_chain(void *arg, const struct dns_answer *answer)
{
    struct cname_chain *c = arg;

    c->failed += answer->result != DNS_FOUND;
    if (c->left-- > 0) {
        sprintf(c->name, "a%d.test", c->left % 100);
        dns_lookup(dns, str_c(c->name), now_ms, next_in_chain, c);
    }
}

static void
callbacks_may_look_up_more(void)
{
    struct cname_chain c = {.left = 500};

    open_with(1, 30, 1000);
    dns_lookup(dns, S("start.test"), now_ms, next_in_chain, &c);
    settle();
    CHECK(c.left == -1 && c.failed == 0);
    close_all();
}

static void
the_cache_forgets_the_least_recently_used(void)
{
    struct dns_stats s;
    char name[32];
    size_t before;

    open_with(10, 10, 1000);
    for (int i = 0; i < 50; i++) {
        sprintf(name, "a%d.test", i);
        ask(name);
        ask("a0.test"); /* keeps it warm */
        dns_stats(dns, &s);
        CHECK(s.cache_n <= 10);
    }
    CHECK(s.evicted == 40);
    before = server.packets;
    ask("a0.test");
    ask("a49.test");
    ask("a41.test");
    CHECK(server.packets == before);
    ask("a40.test");
    CHECK(server.packets == before + 2);
    close_all();
}

/* The machine's own name stands in /etc/hosts as a rule, and resolv.conf may
 * name search domains: neither counts. */
static void
only_the_name_server_is_asked_and_only_for_the_name(void)
{
    char name[256] = "", want[300];

    gethostname(name, sizeof name - 1);
    open_with(10, 100, 1000);
    ask(name);
    CHECK(server.packets == 2);
    server.packets = 0;
    ask("nxsingle");
    CHECK(server.packets >= 1 && server.packets <= 2);
    sprintf(want, "nxsingle/1 ");
    CHECK(strstr(server.log, want) != NULL);
    CHECK(strstr(server.log, "nxsingle.") == NULL);
    close_all();
}

/* A name that could not be asked for is nobody's fault, and asked for again. */
static void
without_a_file_for_a_socket_nothing_is_known(void)
{
    struct rlimit before, low;
    struct result r;
    int next;

    open_with(10, 100, 1000);
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK((next = dup(STDERR_FILENO)) >= 0);
    close(next);
    low = before;
    low.rlim_cur = (rlim_t)next;
    CHECK(setrlimit(RLIMIT_NOFILE, &low) == 0);
    r = ask("a1.test");
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(r.answer.result == DNS_NO_FILES);
    now_ms += 1000;
    CHECK(ask("a1.test").answer.result == DNS_FOUND);
    close_all();
}

static void
a_bad_server_address_is_the_operators_mistake(void)
{
    static const struct dns_io io = {.watch = dns_loop_watch};
    struct str item = STR("not an address");
    struct opts o;
    struct dns *d = NULL;

    memset(&o, 0, sizeof o);
    o.fetch_dns_servers = (struct opt_list){&item, 1};
    o.fetch_dns_timeout_ms = 100;
    o.fetch_dns_parallel = 1;
    CHECK(dns_open(&d, &o, &io) == ST_USAGE);
    CHECK(d == NULL);
}

/* Random lookups of few names with a tiny cache and a running clock: each is
 * answered once, with what the name's first label stands for. */
static void
random_lookups_are_answered_once_each(void)
{
    enum { LOOKUPS = 3000 };
    static const struct {
        const char *prefix;
        enum dns_result result;
    } kind[] = {{"a", DNS_FOUND},
                {"nx", DNS_NO_SUCH_NAME},
                {"nodata", DNS_NO_SUCH_NAME},
                {"refused", DNS_FAILED}};
    static struct result r[LOOKUPS];
    static enum dns_result want[LOOKUPS];
    struct random rnd = random_seed(7);
    struct dns_stats s;

    open_with(4, 7, 1000);
    for (int i = 0; i < LOOKUPS; i++) {
        size_t k = random_below(&rnd, 4);
        char name[32];

        sprintf(name, "%s%d.test", kind[k].prefix, (int)random_below(&rnd, 20));
        want[i] = kind[k].result;
        look(&r[i], name);
        if (random_below(&rnd, 8) == 0)
            turn(0);
        if (random_below(&rnd, 50) == 0)
            now_ms += random_below(&rnd, 100000);
    }
    settle();
    for (int i = 0; i < LOOKUPS; i++)
        CHECK(r[i].calls == 1 && r[i].answer.result == want[i]);
    dns_stats(dns, &s);
    CHECK(s.lookups == s.cached + s.joined + s.queries && s.refused == 0);
    CHECK(s.queries == s.found + s.no_such_name + s.failed);
    CHECK(s.cached > 0 && s.joined > 0 && s.evicted > 0 && s.asked_high == 4);
    close_all();
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(a_name_gets_its_addresses_ipv4_first),
        TEST(answers_hold_as_long_as_they_should),
        TEST(failures_are_told_from_names_that_do_not_exist),
        TEST(garbage_ends_in_an_answer),
        TEST(equal_names_share_one_query),
        TEST(queries_in_flight_are_bounded_and_in_order),
        TEST(closing_answers_all_that_are_pending),
        TEST(addresses_and_localhost_need_no_query),
        TEST(what_is_no_name_is_refused_without_a_query),
        TEST(callbacks_may_look_up_more),
        TEST(the_cache_forgets_the_least_recently_used),
        TEST(only_the_name_server_is_asked_and_only_for_the_name),
        TEST(without_a_file_for_a_socket_nothing_is_known),
        TEST(a_bad_server_address_is_the_operators_mistake),
        TEST(random_lookups_are_answered_once_each),
        {0},
    };
    int rc;

    dns_loop_open();
    rc = test_main(tests, argc, argv);
    close(dns_loop.server);
    return rc;
}
