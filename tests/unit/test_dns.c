/* The resolver against a scripted name server on loopback (dns_server.h), in
 * the same poll loop.  Time is virtual for the cache and real for c-ares. */
#include <ares.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "dns_server.h"

static struct dns *dns;
static uint64_t now_ms;

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
    server.edns = EDNS;
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
#if ARES_VERSION_MAJOR == 1 && ARES_VERSION_MINOR < 20
    server.ttl = 0x80000001u; /* RFC 2181: as if 0; c-ares 1.34 says: long */
    check_holds("d.test", 5 * 1000);
#endif
    check_holds("nx.test", 300 * 1000);
    check_holds("nodata.test", 300 * 1000);
    check_holds("fail.test", 60 * 1000);
    close_all();
}

static void
an_answer_that_leads_nowhere_can_be_given_up(void)
{
    size_t before;

    open_with(10, 100, 30);
    dns_expire(dns, S("a.test")); /* not known */
    ask("a.test");
    ask("b.test");
    before = server.packets;
    dns_expire(dns, S("A.test."));
    dns_expire(dns, S(""));
    dns_expire(dns, S("192.0.2.1"));
    ask("b.test");
    CHECK(server.packets == before);
    ask("a.test");
    CHECK(server.packets == before + 2);
    ask("a.test");
    CHECK(server.packets == before + 2);
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
    r = ask("cutpart.test"); /* which is enough */
    CHECK(r.answer.result == DNS_FOUND && address_is(&r, 0, "192.0.2.1"));
    server.packets = 0;
    r = ask("silent.test");
    CHECK(r.answer.result == DNS_SILENT && server.packets == 6);
    CHECK(!r.answer.heard);
    close_all();
}

/* c-ares would have all that is under way try anew, each time. */
static void
who_must_be_asked_by_tcp_costs_nobody_else_a_try(void)
{
    static struct result r[20], cut;
    char name[32];

    open_with(50, 100, 10000);
    server.hold = true; /* all but the one that is cut */
    for (int i = 0; i < 20; i++) {
        sprintf(name, "a%d.test", i);
        look(&r[i], name);
    }
    turns(20);
    look(&cut, "cut.test");
    for (int i = 0; i < 1000 && cut.calls == 0; i++)
        turn(5);
    CHECK(cut.calls == 1 && cut.answer.result == DNS_FAILED);
    CHECK(server.held_n == 40);
    release();
    settle();
    for (int i = 0; i < 20; i++)
        CHECK(r[i].calls == 1 && r[i].answer.result == DNS_FOUND);
    close_all();
}

/* c-ares 1.34 would have all that is under way try anew, each time. */
static void
an_answer_that_is_none_costs_nobody_else_a_try(void)
{
    static struct result r[20], noise[3];
    char name[32];

    open_with(50, 100, 10000);
    server.hold = true; /* all but the noise */
    for (int i = 0; i < 20; i++) {
        sprintf(name, "a%d.test", i);
        look(&r[i], name);
    }
    turns(20);
    look(&noise[0], "noise.test");
    look(&noise[1], "noisecut.test");
    look(&noise[2], "noiserecords.test");
    for (int i = 0; i < 1000 && noise[2].calls == 0; i++)
        turn(5);
    CHECK(noise[2].calls == 1 && noise[2].answer.result == DNS_FAILED);
    CHECK(noise[0].calls + noise[1].calls == 0); /* it may come yet */
    CHECK(server.held_n == 40);
    release();
    for (int i = 0; i < 1000 && r[19].calls == 0; i++)
        turn(5);
    for (int i = 0; i < 20; i++)
        CHECK(r[i].calls == 1 && r[i].answer.result == DNS_FOUND);
    close_all();
}

/* All that are under way are asked anew, at once, and later ones only once. */
static void
who_knows_no_edns_is_asked_without(void)
{
    struct result r[20];
    char name[32];

    for (int how = EDNS_FORMERR; how <= EDNS_NOTIMP; how++) {
        open_with(50, 100, 10000);
        server.edns = (enum edns)how;
        server.hold = true;
        for (int i = 0; i < 20; i++) {
            sprintf(name, "a%d.test", i);
            look(&r[i], name);
        }
        turns(20);
        CHECK(server.packets == 40);
        release();
        settle();
        for (int i = 0; i < 20; i++)
            CHECK(r[i].calls == 1 && r[i].answer.result == DNS_FOUND &&
                  r[i].answer.addresses_n == 2);
        server.packets = 0;
        CHECK(ask("later.test").answer.result == DNS_FOUND);
        CHECK(server.packets == 2);
        CHECK(ask("nx.test").answer.result == DNS_NO_SUCH_NAME);
        CHECK(ask("fail.test").answer.result == DNS_FAILED);
        close_all();
    }
}

static void
garbage_ends_in_an_answer(void)
{
    static struct result r[400];
    char name[64];

    open_with(400, 1000, 20);
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
cancelling_answers_all_that_are_pending(void)
{
    static struct result r[20], again, late;
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
    dns_cancel(dns);
    for (int i = 0; i < 20; i++)
        CHECK(r[i].calls == 1 && r[i].answer.result == DNS_FAILED);
    CHECK(again.calls == 1 && again.answer.result == DNS_FAILED);
    CHECK(dns_wait_ms(dns) == UINT64_MAX); /* nothing is asked any more */
    look(&late, "y.test");
    CHECK(late.calls == 1 && late.answer.result == DNS_FAILED);
    close_all();
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
        TEST(an_answer_that_leads_nowhere_can_be_given_up),
        TEST(failures_are_told_from_names_that_do_not_exist),
        TEST(who_must_be_asked_by_tcp_costs_nobody_else_a_try),
        TEST(an_answer_that_is_none_costs_nobody_else_a_try),
        TEST(who_knows_no_edns_is_asked_without),
        TEST(garbage_ends_in_an_answer),
        TEST(equal_names_share_one_query),
        TEST(queries_in_flight_are_bounded_and_in_order),
        TEST(cancelling_answers_all_that_are_pending),
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
