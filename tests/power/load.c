/* load.c -- a crawl's stores at work, for power.py: `power_load DIR SYNC
 * ROUNDS ACKS`.
 *
 * A made-up web (URLs, links and documents follow from numbers) goes through
 * the frontier, the dedup service, the crawl log and the WARC writer in the
 * order in which a crawl uses them, over a clock that costs no time.  What is
 * promised is noted in ACKS, a line each, as soon as the store has answered:
 *
 *   link KEY   a URL is known      done KEY   ... and its outcome
 *   kept ID    a document          closed     everything was closed
 *
 * ROUNDS 0: to the end; 12k: twelve, then it is killed.  Started on a folder
 * that has been used, it goes on. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../crawler/report/crawl_log.h"
#include "../../frontier/parts.h"
#include "../warc_put.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "shingle/message/dedup.h"
#include "shingle/service/dedup_service.h"

enum {
    HOSTS = 6,
    PAGES = 40,
    LINKS = 5,
    BATCH = 4,
    TEXT = 24000,
    CRAWLER = 1,
    STEP_MS = 20000
};

struct world {
    struct opts opts;
    struct frontier *frontier;
    struct dedup_service *service;
    struct dedup_client *client;
    struct crawl_log *log;
    struct warc_write *warc;
    char dir[400], store[500], warc_dir[500];
    uint64_t now_ms;
    int acks;
};

static const atomic_bool go_on = false;

static void
need(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "power_load: %s\n", what);
    exit(1);
}

static void __attribute__((format(printf, 2, 3)))
ack(struct world *w, const char *format, ...)
{
    char line[200];
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    need(write(w->acks, line, (size_t)n) == n, "ACKS cannot be written");
}

/* ---- the made-up web ---- */

static void
url_of(char url[64], unsigned host, unsigned page)
{
    snprintf(url, 64, "http://h%u.test/%u", host, page);
}

static void
numbers_of(struct str url, unsigned *host, unsigned *page)
{
    char text[64];

    snprintf(text, sizeof text, "%.*s", STRF(url));
    need(sscanf(text, "http://h%u.test/%u", host, page) == 2, text);
}

static struct row_seen_key
key_of(struct str url)
{
    struct str rest = str_sub(url, 7, url.n);

    return row_seen_key(ROW_KEYS_NEW, str_sub(rest, 0, str_find(rest, '/', 0)),
                        url);
}

static void
ack_url(struct world *w, const char *what, struct str url)
{
    struct row_seen_key key = key_of(url);
    char hex[2 * sizeof key.bytes + 1];

    for (size_t i = 0; i < sizeof key.bytes; i++)
        snprintf(hex + 2 * i, 3, "%02x", key.bytes[i]);
    ack(w, "%s %s\n", what, hex);
}

struct page {
    char url[LINKS][64];
    struct frontier_link link[LINKS];
};

/* A third of the links leads further on, so that every page is found. */
static void
page_links(struct page *p, unsigned host, unsigned page)
{
    for (unsigned i = 0; i < LINKS; i++) {
        uint64_t x = hash_mix(host * 1000 + page * 10 + i);
        unsigned to = i == 0 ? host : (unsigned)(x % HOSTS);

        url_of(p->url[i], to,
               i < 2 ? (page + i + 1) % PAGES : (unsigned)(x >> 8) % PAGES);
        p->link[i] = (struct frontier_link){.url = str_c(p->url[i])};
    }
}

/* ---- the stores ---- */

static void
set(struct world *w, const char *setting)
{
    need(opts_set(&w->opts, "power", str_c(setting)) == ST_OK, setting);
}

static void
set_options(struct world *w, const char *sync)
{
    static const char *const settings[] = {
        "frontier.map_gib=1",     "dedup.map_gib=1",
        "output.disk_free_mib=0", "output.split_mib=2",
        "output.warc_mib=1",      "politeness.robots=off",
        "frontier.merge_from=40", "frontier.merge_seconds=1",
        "frontier.scorer=paper",  "dedup.near=0",
        "frontier.cache_mib=1",
    };
    char text[64];

    opts_init(&w->opts);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        set(w, settings[i]);
    snprintf(text, sizeof text, "frontier.sync=%s", sync);
    set(w, text);
    snprintf(text, sizeof text, "dedup.sync=%s", sync);
    set(w, text);
}

static void
open_all(struct world *w)
{
    const struct warc_write_options o = {.folder = w->warc_dir,
                                         .prefix = "power",
                                         .file_max = 1 << 20,
                                         .software = S("power_load"),
                                         .now_ms = clock_wall_ms(),
                                         .seed = clock_wall_ms()};

    need(frontier_open(&w->frontier, w->store, &w->opts, w->now_ms) == ST_OK,
         "the frontier does not open");
    need(frontier_save_later(w->frontier, &w->opts) == ST_OK, "later");
    need(frontier_begin(w->frontier) == ST_OK &&
             frontier_hello(w->frontier, CRAWLER, w->now_ms) == ST_OK &&
             frontier_commit(w->frontier) == ST_OK,
         "hello");
    need(dedup_service_start(&w->service, w->dir, &w->opts) == ST_OK,
         "the dedup service does not start");
    need(dedup_client_open(&w->client, &w->opts) == ST_OK, "client");
    need(crawl_log_open(&w->log, w->dir) == ST_OK, "the log does not open");
    need(warc_write_open(&w->warc, &o) == ST_OK, "WARC does not open");
}

static void
close_all(struct world *w)
{
    frontier_close(w->frontier);
    dedup_client_close(w->client);
    dedup_service_stop(w->service);
    crawl_log_close(w->log);
    need(warc_write_close(w->warc) == ST_OK, "WARC does not close");
    ack(w, "closed\n");
}

static void
seed(struct world *w)
{
    char url[64];
    struct frontier_link link;
    size_t fresh;

    url_of(url, 0, 0);
    link = (struct frontier_link){.url = str_c(url)};
    need(frontier_begin(w->frontier) == ST_OK &&
             frontier_seed(w->frontier, &link, 1, w->now_ms, &fresh) == ST_OK &&
             frontier_commit(w->frontier) == ST_OK,
         "seed");
    ack_url(w, "link", link.url);
}

/* ---- one page ---- */

static void
ship(struct world *w, struct str url)
{
    static char text[TEXT + 1];
    char head[200];
    struct buf json = {0}, xml = {0};
    struct hash128 h = {hash64(url), hash_mix(hash64(url))};
    struct dedup_record record[2];
    struct dedup_document doc = {.url = url,
                                 .digest = h,
                                 .text_bytes = TEXT,
                                 .records = record,
                                 .records_n = 2};
    struct document_id id = document_id_make(url, w->now_ms);
    struct dedup_answer answer;

    for (size_t i = 0; i < TEXT; i++) /* it shall not compress to nothing */
        text[i] = (char)('a' + hash_mix(h.high + i) % 26);
    snprintf(head, sizeof head, "{\"id\":\"%s\",\"text\":\"", id.z);
    buf_c(&json, head);
    buf_c(&json, text);
    buf_c(&json, "\"}\n");
    buf_printf(&xml, "<doc id=\"%s\"/>\n", id.z);
    record[0] = (struct dedup_record){S("jsonl"), buf_view(&json)};
    record[1] = (struct dedup_record){S("xml"), buf_view(&xml)};
    doc.id = id;
    need(dedup_client_put(w->client, &doc, &go_on, &answer) == ST_OK &&
             answer.verdict == VERDICT_KEPT,
         "a document is not kept");
    ack(w, "kept %s\n", answer.id.z);
    buf_free(&json);
    buf_free(&xml);
}

static void
record(struct world *w, struct str url)
{
    const struct crawl_log_entry e = {.time_ms = w->now_ms,
                                      .url = url,
                                      .host = S("h.test"),
                                      .status = 200,
                                      .outcome = OUTCOME_FETCHED,
                                      .verdict = VERDICT_KEPT};
    struct warc_exchange x = {.url = url,
                              .date_ms = w->now_ms,
                              .response_head = S("HTTP/1.1 200 OK\r\n\r\n"),
                              .response_body = S("a page")};
    struct buf body = {0};

    for (uint64_t i = 0; i < 1000; i++)
        buf_printf(&body, "%" PRIx64, hash_mix(hash64(url) + i));
    x.response_body = buf_view(&body);
    need(warc_put(w->warc, &x, w->now_ms, NULL) == ST_OK, "WARC");
    need(crawl_log_append(w->log, &e, 1) == ST_OK, "log");
    buf_free(&body);
}

static void
report(struct world *w, const struct frontier_lease *leases, size_t n)
{
    struct page page[BATCH];
    size_t fresh, known, refused;

    need(frontier_begin(w->frontier) == ST_OK, "begin");
    for (size_t i = 0; i < n; i++) {
        struct frontier_done d = {.crawler = CRAWLER,
                                  .url = leases[i].url,
                                  .outcome = OUTCOME_FETCHED,
                                  .verdict = VERDICT_KEPT,
                                  .finished_ms = w->now_ms,
                                  .contacted = true,
                                  .links = page[i].link,
                                  .links_n = LINKS};
        unsigned host, number;

        numbers_of(d.url, &host, &number);
        page_links(&page[i], host, number);
        need(frontier_done(w->frontier, &d, w->now_ms, &fresh, &known,
                           &refused) == ST_OK,
             "done");
    }
    need(frontier_commit(w->frontier) == ST_OK, "commit");
    for (size_t i = 0; i < n; i++) {
        ack_url(w, "done", leases[i].url);
        for (size_t k = 0; k < LINKS; k++)
            ack_url(w, "link", page[i].link[k].url);
    }
}

/* Every second page is unreported for a while. */
static void
requests_end(struct world *w, const struct frontier_lease *leases, size_t n)
{
    need(frontier_begin(w->frontier) == ST_OK, "begin");
    for (size_t i = 0; i < n; i += 2) {
        const struct frontier_done d = {.crawler = CRAWLER,
                                        .url = leases[i].url,
                                        .finished_ms = w->now_ms,
                                        .contacted = true};

        need(frontier_request_ended(w->frontier, &d, w->now_ms) == ST_OK,
             "the end of a request");
    }
    need(frontier_commit(w->frontier) == ST_OK, "commit");
}

/* False: nothing is left. */
static bool
work(struct world *w, struct arena *a)
{
    struct frontier_lease *leases;
    uint64_t wake_ms;
    size_t n = 0;

    arena_reset(a);
    w->now_ms += STEP_MS;
    need(frontier_begin(w->frontier) == ST_OK &&
             frontier_lease(w->frontier, CRAWLER, 0, BATCH, w->now_ms, a,
                            &leases, &n, &wake_ms) == ST_OK &&
             frontier_commit(w->frontier) == ST_OK,
         "lease");
    requests_end(w, leases, n);
    for (size_t i = 0; i < n; i++) {
        ship(w, leases[i].url);
        record(w, leases[i].url);
    }
    if (n > 0)
        report(w, leases, n);
    return n > 0 || wake_ms > 0;
}

int
main(int argc, char **argv)
{
    struct world w = {.now_ms = clock_wall_ms()};
    struct arena *a = arena_new();
    unsigned long rounds;
    char *killed;

    need(argc == 5, "usage: power_load DIR SYNC ROUNDS ACKS");
    log_threshold = LOG_WARN;
    rounds = strtoul(argv[3], &killed, 10);
    snprintf(w.dir, sizeof w.dir, "%s", argv[1]);
    snprintf(w.store, sizeof w.store, "%s/frontier", argv[1]);
    snprintf(w.warc_dir, sizeof w.warc_dir, "%s/warc", argv[1]);
    w.acks = open(argv[4], O_WRONLY | O_CREAT | O_APPEND, 0644);
    need(w.acks >= 0, "ACKS cannot be opened");
    set_options(&w, argv[2]);
    open_all(&w);
    seed(&w);
    for (unsigned long i = 0; rounds == 0 || i < rounds; i++)
        if (!work(&w, a))
            break;
    if (*killed == 'k')
        raise(SIGKILL);
    close_all(&w);
    opts_free(&w.opts);
    arena_free(a);
    close(w.acks);
    return 0;
}
