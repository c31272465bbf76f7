/* The words of a dump: they are all of a row, and what says no row is
 * refused. */
#include "base/random.h"
#include "frontier/tools/load_line.h"
#include "frontier/tools/row_words.h"
#include "tests/test.h"

static struct arena *arena;
static const uint64_t T0 = 1800000000000;

static struct row_facts
any_facts(struct random *r)
{
    struct row_facts p = {.depth = (uint32_t)random_below(r, 100),
                          .redirects = (uint32_t)random_below(r, 3),
                          .nesting = (uint32_t)random_below(r, 3),
                          .relation = (uint32_t)random_below(r, 4),
                          .has_badness = random_below(r, 2) > 0,
                          .seed = random_below(r, 3) == 0,
                          .explored = random_below(r, 2) > 0,
                          .sitemap = random_below(r, 2) > 0,
                          .has_hint = random_below(r, 2) > 0,
                          .parent_host = (uint32_t)random_below(r, 2) * 77};

    p.badness = p.has_badness ? (float)random_below(r, 65536) / 100 : 0;
    p.boilerplate = (float)random_below(r, 10001) / 10000;
    p.lastmod_ms = p.sitemap ? random_below(r, 2000000000) * 1000 : 0;
    p.hint = p.has_hint ? (float)random_below(r, 101) / 100 : 0;
    p.parent = (enum link_parent)random_below(r, PARENT_LANGUAGE + 1);
    p.parent_hash = p.parent_host
                        ? random_below(r, (uint64_t)1 << 8 * ROW_PARENT_BYTES)
                        : 0;
    return p;
}

static struct link_features
any_features(struct random *r)
{
    struct link_features p = {
        .anchor_n = (uint8_t)random_below(r, LINK_ANCHOR_MAX + 1),
        .words = (uint8_t)random_below(r, 16),
        .tenth = (uint8_t)random_below(r, 10),
        .crowd = (uint8_t)random_below(r, 4),
        .level = (uint8_t)random_below(r, 4),
        .url_class = (uint8_t)random_below(r, URL_CLASSES_MAX),
        .within = (uint8_t)random_below(r, 256),
        .language = (uint8_t)random_below(r, 8),
        .path = (uint16_t)random_below(r, 65536)};

    for (size_t i = 0; i < p.anchor_n; i++)
        p.anchor[i] = (uint16_t)random_below(r, 65536);
    return p;
}

struct words_case {
    struct buf line, row;
    struct json json;
    struct row_words words;
    struct load_line read;
};

static void
words_begin(struct words_case *c, const char *state, const char *table)
{
    buf_clear(&c->line);
    c->json = (struct json){.out = &c->line};
    c->words = (struct row_words){.to = &c->json};
    json_object(&c->json);
    json_kstr(&c->json, "state", str_c(state));
    json_kstr(&c->json, "table", str_c(table));
}

/* The line is the row that stands in c->row. */
static void
words_say(struct words_case *c, struct str key)
{
    json_object_end(&c->json);
    CHECK(load_line(&c->read, buf_view(&c->line), ROW_KEYS_NEW, arena));
    CHECK(str_eq(c->read.key, key));
    CHECK(str_eq(c->read.row, buf_view(&c->row)));
}

static void
the_words_of_a_queued_url_are_its_row(void)
{
    static const char *const tables[] = {"queue", "later", "held"};
    struct random r = random_seed(11);
    struct words_case c = {0};

    for (int i = 0; i < 3000; i++) {
        struct row_queued q = {.facts = any_facts(&r),
                               .kind = (enum frontier_kind)random_below(&r, 3),
                               .https = random_below(&r, 2) > 0,
                               .attempts = (uint32_t)random_below(&r, 9),
                               .crashes = (uint32_t)random_below(&r, 4),
                               .rest = S("/a?b=%C3%A9")};
        struct row_position at = {.host = (uint32_t)random_below(&r, 1000),
                                  .url_class = (uint8_t)random_below(&r, 32),
                                  .priority = (uint16_t)random_below(&r, 65536),
                                  .sequence = random_below(&r, 1u << 30)};
        uint64_t due_ms = random_below(&r, 100) * (uint64_t)i;
        int table = i % 3;
        struct row_key key =
            table == 1 ? row_later_key(due_ms, at) : row_queue_key(at);

        q.owner = q.kind == FRONTIER_PAGE ? 0 : (uint32_t)random_below(&r, 9);
        q.facts.features = any_features(&r);
        row_queued_write(&c.row, &q);
        words_begin(&c, "queued", tables[table]);
        json_kstr(&c.json, "url",
                  q.https ? S("https://a.nl/a?b=%C3%A9")
                          : S("http://a.nl/a?b=%C3%A9"));
        row_words_queued(&c.words, &q, &at);
        json_ku64(&c.json, "due_ms", due_ms);
        words_say(&c, row_bytes(&key));
        CHECK(c.read.kind == LOAD_ROW && c.read.hash.n == 16);
    }
    buf_free(&c.line);
    buf_free(&c.row);
}

static void
the_words_of_an_ended_url_are_its_row(void)
{
    static const enum verdict why[] = {VERDICT_KEPT, VERDICT_DNS,
                                       (enum verdict)(VERDICT_HTTP + 404)};
    struct random r = random_seed(12);
    struct words_case c = {0};

    for (int i = 0; i < 1000; i++) {
        struct row_seen s = {
            .state = (enum row_state)(ROW_DONE + random_below(&r, 3)),
            .position = {.priority = (uint16_t)random_below(&r, 65535)},
            .facts = any_facts(&r),
            .outcome = OUTCOME_FAILED,
            .ended_ms = T0 + random_below(&r, 100000),
            .has_badness = i % 2 > 0,
            .badness = i % 2 > 0 ? 12.34f : 0,
            .verdict = why[i % 3]};

        row_seen_write(&c.row, &s);
        words_begin(&c, row_state_name(s.state), "seen");
        row_words_hex(&c.json, "hash", S("0123456789abcdef"));
        row_words_ended(&c.words, &s);
        words_say(&c, S("0123456789abcdef"));
    }
    buf_free(&c.line);
    buf_free(&c.row);
}

static struct row_host
any_host(struct random *r, struct url_class *room)
{
    struct row_host h = {
        .name = S("a.nl:8080"),
        .domain = random_below(r, 2) ? S("a.nl") : S(""),
        .next_contact_ms = random_below(r, 2) * T0,
        .address = random_below(r, 2) * UINT64_MAX,
        .response_ms = (uint32_t)random_below(r, 999),
        .sitemap_urls = random_below(r, 9),
        .failures = (uint32_t)random_below(r, 3),
        .growth = (uint8_t)random_below(r, 256),
        .robots = {random_below(r, 9), T0, T0 + 5, random_below(r, 9), 404,
                   (uint32_t)random_below(r, 3), 7000, random_below(r, 2) > 0,
                   random_below(r, 2) > 0},
        .fetched = random_below(r, 99),
        .fetched_bytes = random_below(r, 999999),
        .kept_bytes = random_below(r, 9999),
        .url_classes = {room, random_below(r, 33), 32}};

    for (size_t i = 0; i < h.url_classes.n; i++) {
        room[i] = (struct url_class){.kind = (uint32_t)(UINT32_MAX - i),
                                     .queued = random_below(r, 3)};
        if (room[i].queued > 0) {
            room[i].head_priority = (uint16_t)random_below(r, 65536);
            room[i].head_sequence = random_below(r, 1u << 30);
        }
        for (int k = 0; k < CLASS_N; k++)
            room[i].outcomes.n[k] = (uint32_t)random_below(r, 4);
    }
    return h;
}

static void
the_words_of_a_host_are_its_row(void)
{
    struct url_class room[URL_CLASSES_MAX];
    struct random r = random_seed(13);
    struct row_key key = row_host_key(77);
    struct words_case c = {0};

    for (int i = 0; i < 500; i++) {
        struct row_host h = any_host(&r, room);

        row_host_write(&c.row, &h);
        words_begin(&c, "hosts", "hosts");
        row_words_host(&c.words, &h);
        json_ku64(&c.json, "host_id", 77);
        words_say(&c, row_bytes(&key));
    }
    buf_free(&c.line);
    buf_free(&c.row);
}

/* A line in which one thing is wrong. */
static void
words_that_say_no_row_are_refused(void)
{
    static const char good[] =
        "{\"state\":\"queued\",\"url\":\"http://a.nl/x\",\"score\":0.5,"
        "\"depth\":1,\"boilerplate\":0.0,\"relation\":0,\"parent_kind\":0,"
        "\"host_id\":3,\"sequence\":7,\"table\":\"queue\"}";
    static const char *const wrong[][2] = {
        {"http://a.nl/x", "http://A.nl/x"}, /* not as URLs are spelled */
        {"http://a.nl/x", "http://me@a.nl/x"},
        {"0.5", "1.5"},
        {"0.5", "-1"},
        {"\"depth\":1", "\"depth\":-1"},
        {"\"relation\":0", "\"relation\":4"},
        {"\"parent_kind\":0", "\"parent_kind\":9"},
        {"\"host_id\":3,", ""},
        {"\"host_id\":3", "\"host_id\":4294967296"},
        {"\"sequence\":7", "\"sequence\":\"7\""},
        {"\"sequence\":7", "\"sequence\":7,\"anchor\":\"12\""},
        {"queue\"", "nothing\""},
    };
    struct load_line line;

    CHECK(load_line(&line, str_c(good), ROW_KEYS_NEW, arena));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *at = strstr(good, wrong[i][0]);
        struct str bad;

        CHECK(at != NULL);
        bad = arena_printf(arena, "%.*s%s%s", (int)(at - good), good,
                           wrong[i][1], at + strlen(wrong[i][0]));
        CHECK(!load_line(&line, bad, ROW_KEYS_NEW, arena));
    }
}

static const struct test tests[] = {
    TEST(the_words_of_a_queued_url_are_its_row),
    TEST(the_words_of_an_ended_url_are_its_row),
    TEST(the_words_of_a_host_are_its_row),
    TEST(words_that_say_no_row_are_refused),
    {0},
};

int
main(int argc, char **argv)
{
    int rc;

    arena = arena_new();
    rc = test_main(tests, argc, argv);
    arena_free(arena);
    return rc;
}
