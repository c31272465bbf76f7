/* The frontier's service and client together: the same calls over inproc and
 * ipc, lost services, full disks, several crawlers at once. */
#include <pthread.h>

#include "../../frontier/service/message.h"
#include "base/clock.h"
#include "base/link.h"
#include "base/log.h"
#include "frontier_help.h"
#include "proto/endpoint.h"

static atomic_bool stop;

struct rig {
    const char *dir;
    char url[128];
    struct opts o;
    struct frontier_service *service;
    struct frontier_client *client;
    struct arena *a;
};

static void
start(struct rig *r)
{
    CHECK(frontier_service_start(&r->service, r->dir, &r->o) == ST_OK);
}

static void
set_up(struct rig *r, const char *scheme)
{
    static int number;

    stop = false;
    *r = (struct rig){.dir = help_folder(), .o = help_opts()};
    if (strcmp(scheme, "ipc") == 0)
        snprintf(r->url, sizeof r->url, "ipc://%s.sock", r->dir);
    else
        snprintf(r->url, sizeof r->url, "inproc://frontier%d", number++);
    r->o.frontier_url = str_c(r->url);
    r->o.politeness_delay_ms = 0;
    r->a = arena_new();
    start(r);
    CHECK(frontier_client_open(&r->client, &r->o, 7) == ST_OK);
}

static void
tear_down(struct rig *r)
{
    frontier_client_close(r->client);
    frontier_service_stop(r->service);
    folder_remove(r->dir);
    arena_free(r->a);
    opts_free(&r->o);
}

static struct frontier_totals
hello(struct rig *r, const struct frontier_link *seeds, size_t n)
{
    const struct frontier_client_hello greeting = {.seeds = seeds,
                                                   .seeds_n = n};
    struct frontier_client_welcome w;

    CHECK(frontier_client_hello(r->client, &greeting, &stop, r->a, &w) ==
          ST_OK);
    CHECK(w.poisoned_n == 0);
    return w.totals;
}

static struct frontier_client_leases
lease(struct rig *r, size_t max)
{
    const struct frontier_client_ask ask = {.max = max};
    struct frontier_client_leases l;

    CHECK(frontier_client_lease(r->client, &ask, &stop, r->a, &l) == ST_OK);
    return l;
}

static void
a_round_trip(const char *scheme)
{
    struct frontier_link seed = help_link("http://a.nl/1"),
                         links[] = {help_link("http://b.nl/1"),
                                    help_link("ftp://b.nl/")};
    struct frontier_client_leases l;
    struct frontier_done d;
    struct frontier_robots robots;
    uint64_t version;
    struct rig r;

    set_up(&r, scheme);
    r.o.politeness_robots = false;
    CHECK(hello(&r, &seed, 1).queued == 1);
    l = lease(&r, 10);
    CHECK(l.n == 1 && str_eq(l.lease->url, seed.url) && l.totals.leased == 1);
    CHECK(str_eq(l.lease->authority, S("a.nl")) && l.lease->score > 0);
    d = help_done(l.lease->url, OUTCOME_FETCHED, clock_steady_ms());
    d.links = links;
    d.links_n = 2;
    d.has_badness = true;
    d.badness = 3.25f;
    CHECK(frontier_client_done(r.client, &d, 1, &stop) == ST_OK);
    CHECK(frontier_client_done(r.client, &d, 1, &stop) == ST_OK); /* twice */
    l = lease(&r, 10);
    CHECK(l.n == 1 && str_eq(l.lease->url, S("http://b.nl/1")) &&
          l.lease->depth == 1 && l.lease->parent_badness == 3.25f);
    CHECK(l.totals.done == 1 && l.totals.kept == 1 && l.totals.seen == 2 &&
          l.totals.leased == 1);
    CHECK(frontier_client_robots(r.client, S("a.nl"), &stop, r.a, &robots,
                                 &version) == ST_OK);
    CHECK(version == 0);
    tear_down(&r);
}

static void
calls_go_over_inproc(void)
{
    a_round_trip("inproc");
}

static void
calls_go_over_ipc(void)
{
    a_round_trip("ipc");
}

static void
robots_txt_goes_there_and_back(void)
{
    struct frontier_link seed = help_link("http://a.nl/1");
    struct frontier_client_leases l;
    struct frontier_done d;
    struct frontier_robots robots;
    uint64_t version;
    struct rig r;

    set_up(&r, "inproc");
    frontier_service_stop(r.service);
    r.o.politeness_robots = true;
    start(&r);
    hello(&r, &seed, 1);
    l = lease(&r, 1);
    CHECK(l.n == 1 && l.lease->kind == FRONTIER_ROBOTS &&
          str_eq(l.lease->owner, S("a.nl")));
    d = help_done(l.lease->url, OUTCOME_ROBOTS_DONE, clock_steady_ms());
    d.robots.status = 200;
    d.robots.body = str_n("User-agent: *\0\n", 15); /* bytes, not text */
    CHECK(frontier_client_done(r.client, &d, 1, &stop) == ST_OK);
    CHECK(frontier_client_robots(r.client, S("a.nl"), &stop, r.a, &robots,
                                 &version) == ST_OK);
    CHECK(version == frontier_robots_version(d.robots.body) &&
          robots.status == 200 && robots.body.n == 15);
    l = lease(&r, 1);
    CHECK(l.n == 1 && l.lease->kind == FRONTIER_PAGE &&
          l.lease->robots_version == version);
    tear_down(&r);
}

static void *
restart_later(void *rig)
{
    clock_sleep_ms(300);
    start(rig);
    return NULL;
}

static void
calls_wait_for_an_absent_service(void)
{
    struct frontier_link seed = help_link("http://a.nl/1");
    pthread_t thread;
    struct rig r;

    set_up(&r, "ipc");
    hello(&r, &seed, 1);
    frontier_service_stop(r.service);
    pthread_create(&thread, NULL, restart_later, &r);
    CHECK(hello(&r, NULL, 0).seen == 1);
    pthread_join(thread, NULL);
    tear_down(&r);
}

static void *
stop_later(void *unused)
{
    (void)unused;
    clock_sleep_ms(200);
    stop = true;
    return NULL;
}

static void
waiting_ends_when_the_crawler_stops(void)
{
    const struct frontier_client_hello nothing = {0};
    struct frontier_client_welcome w;
    pthread_t thread;
    struct rig r;

    set_up(&r, "ipc");
    frontier_service_stop(r.service);
    r.service = NULL;
    pthread_create(&thread, NULL, stop_later, NULL);
    CHECK(frontier_client_hello(r.client, &nothing, &stop, r.a, &w) ==
          ST_STOPPED);
    pthread_join(thread, NULL);
    tear_down(&r);
}

static void
what_is_known_of_a_link_survives_the_wire(void)
{
    static const char path[40] = "\1\0\2\0";
    struct arena *a = arena_new();
    struct frontier_link link = {.url = S("http://a.nl/"),
                                 .domain = S("a.nl"),
                                 .anchor = S("een"),
                                 .path = str_n(path, 32),
                                 .language = S("pt-br"),
                                 .within = LINK_IN_NAV | LINK_IN_FORM};
    message_link **m = message_from_links(a, &link, 1);
    struct frontier_link *back = message_links(a, m, 1);

    CHECK(str_eq(back->path, link.path) && back->within == link.within);
    CHECK(str_eq(back->language, S("pt-br")) && str_eq(back->anchor, S("een")));
    m[0]->path.data = (uint8_t *)(uintptr_t)path; /* longer than it may be */
    m[0]->path.len = sizeof path;
    m[0]->language = arena_cstr(a, S("no-language-is-so-long"));
    back = message_links(a, m, 1);
    CHECK(back->path.n == 32 && back->language.n == 0);
    arena_free(a);
}

static void
a_full_disk_makes_callers_wait(void)
{
    const struct frontier_client_hello nothing = {0};
    struct frontier_client_welcome w;
    pthread_t thread;
    struct rig r;

    set_up(&r, "inproc");
    frontier_service_stop(r.service);
    r.o.output_disk_free_mib = (uint64_t)1 << 43;
    start(&r);
    pthread_create(&thread, NULL, stop_later, NULL);
    CHECK(frontier_client_hello(r.client, &nothing, &stop, r.a, &w) ==
          ST_STOPPED);
    pthread_join(thread, NULL);
    tear_down(&r);
}

/* More than goes into one request, and more requests than are on their way at
 * once; over a connection, all of it twice. */
static void
a_long_list_goes_out_in_many_requests_at_once(void)
{
    enum { N = 20000, REPORTS = 200 };
    struct frontier_link *links, seeds[REPORTS];
    struct frontier_done done[REPORTS];
    struct frontier_client_leases l;
    struct frontier_totals t;
    bool enough = true;
    struct rig r;

    set_up(&r, "ipc");
    links = ARENA_ARRAY(r.a, struct frontier_link, N);
    for (size_t i = 0; i < N; i++)
        links[i] = (struct frontier_link){
            .url = arena_printf(r.a, "http://h0.nl/list/%zu.html", i),
            .domain = S("h0.nl")};
    for (size_t i = 0; i < REPORTS; i++)
        seeds[i] = (struct frontier_link){
            .url = arena_printf(r.a, "http://h%zu.nl/", i)};
    hello(&r, seeds, REPORTS);
    for (int round = 0; round < 2; round++) {
        CHECK(frontier_client_put(r.client, S("http://h0.nl/sitemap.xml"),
                                  S("h0.nl"), links, N, &stop,
                                  &enough) == ST_OK);
        CHECK(!enough);
    }
    l = lease(&r, REPORTS);
    CHECK(l.n > 0 && l.totals.seen == N + REPORTS);
    for (size_t i = 0; i < l.n; i++) { /* of some 100 KiB each */
        done[i] = help_done(l.lease[i].url, OUTCOME_FETCHED, clock_steady_ms());
        done[i].call = l.lease[i].call;
        done[i].links = links;
        done[i].links_n = 1000;
    }
    CHECK(frontier_client_done(r.client, done, l.n, &stop) == ST_OK);
    t = hello(&r, NULL, 0);
    CHECK(t.leased == 0 && t.seen == N + REPORTS);
    tear_down(&r);
}

/* ---- several crawlers ---- */

enum { CRAWLERS = 4, PAGES = 400 };

struct crawler_thread {
    struct rig *rig;
    uint64_t id;
    size_t fetched;
    pthread_t thread;
};

static void *
crawl(void *arg)
{
    struct crawler_thread *c = arg;
    struct frontier_client *client;
    const struct frontier_client_hello greeting = {0};
    const struct frontier_client_ask ask = {.max = 8};
    struct arena *a = arena_new();
    struct frontier_client_welcome w;

    CHECK(frontier_client_open(&client, &c->rig->o, c->id) == ST_OK);
    CHECK(frontier_client_hello(client, &greeting, &stop, a, &w) == ST_OK);
    for (;;) {
        struct frontier_client_leases l;
        struct frontier_done d[8];

        arena_reset(a);
        CHECK(frontier_client_lease(client, &ask, &stop, a, &l) == ST_OK);
        for (size_t i = 0; i < l.n; i++)
            d[i] =
                help_done(l.lease[i].url, OUTCOME_FETCHED, clock_steady_ms());
        CHECK(frontier_client_done(client, d, l.n, &stop) == ST_OK);
        c->fetched += l.n;
        if (l.n == 0 && l.wake_ms == 0)
            break;
        if (l.n == 0)
            clock_sleep_ms(1);
    }
    frontier_client_close(client);
    arena_free(a);
    return NULL;
}

static void
several_crawlers_share_one_frontier(void)
{
    struct frontier_link seeds[PAGES];
    struct crawler_thread c[CRAWLERS] = {0};
    struct frontier_totals t;
    size_t sum = 0;
    struct rig r;

    set_up(&r, "inproc");
    for (size_t i = 0; i < PAGES; i++)
        seeds[i] = (struct frontier_link){
            .url = arena_printf(r.a, "http://h%zu.nl/%zu", i % 40, i)};
    hello(&r, seeds, PAGES);
    for (size_t i = 0; i < CRAWLERS; i++) {
        c[i].rig = &r;
        c[i].id = 100 + i;
        pthread_create(&c[i].thread, NULL, crawl, &c[i]);
    }
    for (size_t i = 0; i < CRAWLERS; i++) {
        pthread_join(c[i].thread, NULL);
        sum += c[i].fetched;
    }
    t = hello(&r, NULL, 0);
    CHECK(sum == PAGES && t.done == PAGES && t.kept == PAGES); /* none twice */
    tear_down(&r);
}

static void
garbage_is_answered_and_changes_nothing(void)
{
    struct endpoint *e;
    struct buf reply = {0};
    struct rig r;

    set_up(&r, "ipc");
    CHECK(endpoint_dial(&e, r.url, NULL) == ST_OK);
    CHECK(endpoint_call(e, S("\xff\xff garbage"), &reply, 5000) == ST_OK);
    CHECK(reply.n > 0);
    CHECK(endpoint_call(e, S(""), &reply, 5000) == ST_OK);
    endpoint_close(e);
    buf_free(&reply);
    CHECK(hello(&r, NULL, 0).seen == 0);
    tear_down(&r);
}

static struct frontier_lease
lease_one(struct rig *r, struct frontier_totals *t)
{
    struct frontier_client_leases l = lease(r, 1);

    *t = l.totals;
    return l.n == 1 ? *l.lease : (struct frontier_lease){.url = STR("")};
}

static void
operators_are_heard_at_the_socket_in_the_folder(void)
{
    struct frontier_link seeds[] = {help_link("http://a.nl/"),
                                    help_link("http://b.nl/x")};
    struct control_change pause = {.action = CONTROL_PAUSE,
                                   .pattern = STR("a.nl")};
    struct control_change delete = {.action = CONTROL_DELETE,
                                    .pattern = STR("http://b.nl/*")};
    struct control_change list = {.action = CONTROL_LIST};
    struct control_change bad = {.action = CONTROL_PAUSE, .pattern = STR("")};
    struct frontier_client *operator;
    struct frontier_totals t;
    struct buf rules = {0};
    struct opts o;
    char url[160];
    struct rig r;

    set_up(&r, "inproc");
    hello(&r, seeds, 2);
    o = r.o;
    snprintf(url, sizeof url, "ipc://%s/" FRONTIER_SOCKET, r.dir);
    o.frontier_url = str_c(url);
    CHECK(frontier_client_open(&operator, & o, 0) == ST_OK);
    CHECK(frontier_client_control(operator, & pause, NULL) == ST_OK);
    CHECK(pause.hosts == 1);
    CHECK(frontier_client_control(operator, & delete, NULL) == ST_OK);
    CHECK(delete.urls == 1);
    CHECK(lease_one(&r, &t).url.n == 0);
    CHECK(t.deleted == 1 && t.queued == 1);
    CHECK(frontier_client_control(operator, & list, &rules) == ST_OK);
    CHECK(strstr(rules.p, "pause a.nl since 20") != NULL);
    CHECK(strstr(rules.p, "delete http://b.nl/* since 20") != NULL);
    log_threshold = (enum log_level) - 1;
    CHECK(frontier_client_control(operator, & bad, NULL) == ST_USAGE);
    log_threshold = LOG_ERROR;
    pause.action = CONTROL_RESUME;
    CHECK(frontier_client_control(operator, & pause, NULL) == ST_OK);
    CHECK(str_eq(lease_one(&r, &t).url, S("http://a.nl/")));
    frontier_client_close(operator);
    buf_free(&rules);
    tear_down(&r);
}

static void
a_sitemap_goes_there_and_back(void)
{
    struct frontier_link seed = help_link("http://a.nl/"),
                         map = help_link("http://a.nl/map.xml"),
                         page = help_link("http://a.nl/p");
    struct frontier_totals t;
    struct frontier_lease l;
    struct frontier_done d;
    bool enough = true;
    struct rig r;

    set_up(&r, "inproc");
    frontier_service_stop(r.service);
    r.o.politeness_robots = true;
    start(&r);
    hello(&r, &seed, 1);
    l = lease_one(&r, &t);
    CHECK(l.kind == FRONTIER_ROBOTS && !l.address_known);
    map.kind = FRONTIER_SITEMAP;
    d = help_done(l.url, OUTCOME_ROBOTS_DONE, clock_steady_ms());
    d.address = S("127.0.0.1");
    d.links = &map;
    d.links_n = 1;
    CHECK(frontier_client_done(r.client, &d, 1, &stop) == ST_OK);
    l = lease_one(&r, &t);
    CHECK(str_eq(l.url, seed.url) && l.address_known);
    d = help_done(l.url, OUTCOME_FETCHED, clock_steady_ms());
    CHECK(frontier_client_done(r.client, &d, 1, &stop) == ST_OK);
    l = lease_one(&r, &t);
    CHECK(l.kind == FRONTIER_SITEMAP && str_eq(l.owner, S("a.nl")));
    page.has_hint = true;
    page.hint = .25f;
    page.lastmod_ms = 1700000000000;
    CHECK(frontier_client_put(r.client, l.url, l.owner, &page, 1, &stop,
                              &enough) == ST_OK);
    CHECK(!enough);
    d = help_done(l.url, OUTCOME_FETCHED, clock_steady_ms());
    d.kind = FRONTIER_SITEMAP;
    CHECK(frontier_client_done(r.client, &d, 1, &stop) == ST_OK);
    l = lease_one(&r, &t);
    CHECK(str_eq(l.url, page.url) && t.sitemaps == 1 && t.pages == 1);
    CHECK(l.lastmod_ms == page.lastmod_ms);
    tear_down(&r);
}

static void
what_a_conditional_request_needs_comes_with_the_lease(void)
{
    struct frontier_link seed = help_link("http://a.nl/");
    struct frontier_totals t;
    struct frontier_lease l;
    struct frontier_done d;
    struct rig r;

    set_up(&r, "inproc");
    frontier_service_stop(r.service);
    r.o.recrawl_interval_seconds = 1;
    r.o.recrawl_interval_min_seconds = 1;
    start(&r);
    hello(&r, &seed, 1);
    l = lease_one(&r, &t);
    CHECK(str_eq(l.url, seed.url) && l.revisit == 0 && l.etag.n == 0);
    d = help_done(l.url, OUTCOME_FETCHED, clock_steady_ms());
    d.etag = S("\"e\"");
    d.last_modified = S("yesterday");
    d.digest = 77;
    CHECK(frontier_client_done(r.client, &d, 1, &stop) == ST_OK);
    do /* a second later */
        l = lease_one(&r, &t);
    while (l.url.n == 0);
    CHECK(str_eq(l.url, seed.url) && l.revisit == 1);
    CHECK(str_eq(l.etag, S("\"e\"")));
    CHECK(str_eq(l.last_modified, S("yesterday")) && t.revisits == 1);
    tear_down(&r);
}

/* A stranger sees in the answer what has become of its seeds. */
static void
hello_says_what_was_respelled_and_refused(void)
{
    static const char *const urls[] = {"http://a.nl/", "http://A.nl./",
                                       "http://u:p@b.nl:80/", "http://..",
                                       "ftp://a.nl/"};
    struct frontier_link seeds[5];
    Winnow__Frontier__HelloRequest q;
    struct buf request = {0}, reply = {0};
    message_request m;
    message_reply *answer;
    struct endpoint *e;
    struct rig r;

    set_up(&r, "inproc");
    for (int i = 0; i < 5; i++)
        seeds[i] = help_link(urls[i]);
    winnow__frontier__request__init(&m);
    winnow__frontier__hello_request__init(&q);
    q.crawler = 9;
    q.seeds = message_from_links(r.a, seeds, 5);
    q.n_seeds = 5;
    m.call_case = WINNOW__FRONTIER__REQUEST__CALL_HELLO;
    m.hello = &q;
    message_write_request(&request, &m);
    CHECK(endpoint_dial(&e, r.url, NULL) == ST_OK);
    CHECK(endpoint_call(e, buf_view(&request), &reply, 5000) == ST_OK);
    CHECK(message_read_reply(&answer, r.a, buf_view(&reply)) == ST_OK);
    CHECK(answer->hello->totals->seen == 2 &&
          answer->hello->totals->hosts == 2);
    CHECK(answer->hello->seeds_respelled == 2);
    CHECK(answer->hello->seeds_refused == 2);
    CHECK(answer->hello->totals->links_respelled == 2);
    endpoint_close(e);
    buf_free(&request);
    buf_free(&reply);
    tear_down(&r);
}

static const struct test tests[] = {
    TEST(calls_go_over_inproc),
    TEST(calls_go_over_ipc),
    TEST(robots_txt_goes_there_and_back),
    TEST(calls_wait_for_an_absent_service),
    TEST(waiting_ends_when_the_crawler_stops),
    TEST(what_is_known_of_a_link_survives_the_wire),
    TEST(a_full_disk_makes_callers_wait),
    TEST(several_crawlers_share_one_frontier),
    TEST(garbage_is_answered_and_changes_nothing),
    TEST(operators_are_heard_at_the_socket_in_the_folder),
    TEST(a_sitemap_goes_there_and_back),
    TEST(what_a_conditional_request_needs_comes_with_the_lease),
    TEST(hello_says_what_was_respelled_and_refused),
    TEST(a_long_list_goes_out_in_many_requests_at_once),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
