/* test_robots.c -- aim: RFC 9309 decisions, and no input that hurts.  Method:
 * own cases, then 739 decisions taken from the tests of four other parsers
 * (see the suite's README for the known clashes). */
#include "crawler/admit/robots.h"
#include "crawler/admit/robots_cache.h"
#include "crawler/admit/tdmrep.h"

#include <json-c/json.h>
#include <time.h>

#include "test.h"

static bool
ask(const char *text, const char *agent, const char *target)
{
    struct robots *r = robots_parse(str_c(text), str_c(agent), NULL);
    bool allowed = robots_allowed(r, str_c(target));

    robots_free(r);
    return allowed;
}

static void
the_longest_match_wins_and_allow_wins_ties(void)
{
    const char *t = "User-agent: *\nDisallow: /a/\nAllow: /a/b\n"
                    "Disallow: /c\nAllow: /c\n";

    CHECK(!ask(t, "winnow", "/a/x"));
    CHECK(ask(t, "winnow", "/a/b/x"));
    CHECK(ask(t, "winnow", "/c/d"));
    CHECK(ask(t, "winnow", "/"));
}

static void
groups_of_one_agent_are_merged_and_beat_the_star(void)
{
    const char *t = "User-agent: winnow\nDisallow: /a\n\n"
                    "User-agent: *\nDisallow: /\n\n"
                    "User-agent: WinNow/2.0\nDisallow: /b\n";

    CHECK(!ask(t, "winnow/0.1 (+https://x.example/)", "/a"));
    CHECK(!ask(t, "winnow", "/b"));
    CHECK(ask(t, "winnow", "/c"));
    CHECK(!ask(t, "other", "/c"));
}

/* Each by its own rules, of which the longest match counts; the star is ours
 * alone, and so are the delay and what is said of texts. */
static void
what_is_forbidden_to_others_by_name_may_be_heeded(void)
{
    static const char text[] =
        "User-agent: *\nDisallow: /star\nCrawl-delay: 1\n"
        "User-agent: gptbot\nUser-agent: CCBot/2.0\nDisallow: /texts/\n"
        "Crawl-delay: 9\nContent-Signal: ai-train=no\n"
        "User-agent: CCBot\nAllow: /texts/free/\nDisallow: /cc\n"
        "User-agent: unheard\nDisallow: /\n";
    struct str names[] = {STR("GPTBot"), STR("ccbot/1.0"), STR("absent")};
    const struct opt_list both = {names, 3}, second = {names + 1, 1};
    struct robots *r = robots_parse(str_c(text), S("winnow"), &both);

    CHECK(!robots_allowed(r, S("/texts/1")) && !robots_allowed(r, S("/cc")));
    CHECK(!robots_allowed(r, S("/texts/free/1")) &&
          !robots_allowed(r, S("/star")));
    CHECK(robots_allowed(r, S("/")) && robots_allowed(r, S("/robots.txt")));
    CHECK(robots_crawl_delay_ms(r, 30000) == 1000);
    CHECK(robots_rights(r).n == 0);
    robots_free(r);
    r = robots_parse(str_c(text), S("winnow"), &second);
    CHECK(robots_allowed(r, S("/texts/free/1")) &&
          !robots_allowed(r, S("/texts/1")));
    robots_free(r);
    CHECK(ask(text, "winnow", "/texts/1"));
}

static void
unknown_lines_do_not_end_a_group(void)
{
    const char *t = "User-agent: a\nSitemap: http://x/s.xml\nNonsense\n"
                    "User-agent: b\nDisallow: /x\n";

    CHECK(!ask(t, "a", "/x"));
    CHECK(!ask(t, "b", "/x"));
    CHECK(ask(t, "c", "/x"));
}

static void
stars_and_dollars_are_understood(void)
{
    const char *t = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /a*b*c\n"
                    "Disallow: /%2A\nDisallow: /x$y\n";

    CHECK(!ask(t, "w", "/d/e.pdf"));
    CHECK(ask(t, "w", "/d/e.pdf?x"));
    CHECK(!ask(t, "w", "/a1b2c3"));
    CHECK(ask(t, "w", "/a1c2b3"));
    CHECK(!ask(t, "w", "/*"));
    CHECK(ask(t, "w", "/-"));
    CHECK(!ask(t, "w", "/x$y"));
}

static void
both_sides_are_normalised(void)
{
    const char *t = "User-agent: *\nDisallow: /%7ejoe\nDisallow: /\xc3\xa4\n"
                    "Disallow: /a%2fb\n";

    CHECK(!ask(t, "w", "/~joe"));
    CHECK(!ask(t, "w", "/%C3%a4"));
    CHECK(!ask(t, "w", "/a%2Fb"));
    CHECK(ask(t, "w", "/a/b"));
}

static void
any_line_end_and_a_byte_order_mark_will_do(void)
{
    CHECK(!ask("\xef\xbb\xbfUser-agent: *\rDisallow: /x\r", "w", "/x"));
    CHECK(!ask("User-agent: *\r\nDisallow: /x\r\n", "w", "/x"));
    CHECK(!ask("# a\nUser-agent : * # b\nDisallow :/x # c", "w", "/x"));
}

static void
an_empty_file_and_robots_txt_itself_are_allowed(void)
{
    CHECK(ask("", "w", "/x"));
    CHECK(ask("User-agent: *\nDisallow:\n", "w", "/x"));
    CHECK(ask("User-agent: *\nDisallow: /\n", "w", "/robots.txt"));
}

static void
crawl_delay_is_read_and_capped(void)
{
    struct robots *r = robots_parse(
        S("User-agent: *\nCrawl-delay: 0.5\nUser-agent: x\nDisallow: /\n"
          "Crawl-delay: 7\nCrawl-delay: word\n"),
        S("y"), NULL);

    CHECK(robots_crawl_delay_ms(r, 30000) == 500);
    robots_free(r);
    r = robots_parse(S("User-agent: x\nCrawl-delay: 1e30\nCrawl-delay: -4\n"
                       "Crawl-delay: 90\n"),
                     S("x"), NULL);
    CHECK(robots_crawl_delay_ms(r, 30000) == 30000);
    robots_free(r);
}

static void
sitemaps_are_collected_up_to_a_bound(void)
{
    struct buf b = {0};
    struct robots *r;
    const struct str *s;
    size_t n;

    for (int i = 0; i < ROBOTS_SITEMAPS_MAX + 5; i++)
        buf_printf(&b, "Sitemap: https://x.example/%d.xml\n", i);
    r = robots_parse(buf_view(&b), S("w"), NULL);
    s = robots_sitemaps(r, &n);
    CHECK(n == ROBOTS_SITEMAPS_MAX);
    CHECK(str_eq(s[1], S("https://x.example/1.xml")));
    robots_free(r);
    buf_free(&b);
}

static void
what_lies_behind_500_kib_is_ignored(void)
{
    struct buf b = {0};
    struct robots *r;

    buf_c(&b, "User-agent: *\nDisallow: /early\n");
    while (b.n < 5 * 1024 * 1024)
        buf_c(&b, "# padding padding padding padding padding padding\n");
    buf_c(&b, "Disallow: /late\n");
    r = robots_parse(buf_view(&b), S("w"), NULL);
    CHECK(!robots_allowed(r, S("/early")));
    CHECK(robots_allowed(r, S("/late")));
    robots_free(r);
    buf_free(&b);
}

static void
a_line_that_is_cut_at_the_bound_is_none(void)
{
    static const char forbids[] = "Disallow: /private\n";
    struct buf b = {0};
    struct robots *r;

    buf_c(&b, "User-agent: *\nDisallow: /early\n");
    while (b.n < ROBOTS_BODY_MAX - strlen("Disallow: /"))
        buf_char(&b, '\n');
    buf_c(&b, forbids);
    r = robots_parse(str_sub(buf_view(&b), 0, ROBOTS_BODY_MAX), S("w"), NULL);
    CHECK(robots_allowed(r, S("/x"))); /* and not "Disallow: /" */
    CHECK(!robots_allowed(r, S("/early")));
    robots_free(r);
    buf_free(&b);
}

static void
many_stars_take_no_exponential_time(void)
{
    struct buf b = {0}, path = {0};
    struct robots *r;
    clock_t t;

    buf_c(&b, "User-agent: *\n");
    for (int i = 0; i < 50; i++) {
        buf_c(&b, "Disallow: /");
        for (int k = 0; k < 500; k++)
            buf_c(&b, "a*");
        buf_c(&b, "b$\n");
    }
    buf_c(&path, "/");
    for (int k = 0; k < 2000; k++)
        buf_char(&path, 'a');
    r = robots_parse(buf_view(&b), S("w"), NULL);
    t = clock();
    CHECK(robots_allowed(r, buf_view(&path)));
    CHECK(clock() - t < CLOCKS_PER_SEC);
    robots_free(r);
    buf_free(&b);
    buf_free(&path);
}

static void
a_path_that_takes_too_many_patterns_is_forbidden(void)
{
    struct buf b = {0}, path = {0};
    struct robots *r;

    buf_c(&b, "User-agent: *\n");
    for (int i = 0; i < 40000; i++)
        buf_c(&b, "Allow: *ab\n");
    buf_char(&path, '/');
    for (int k = 0; k < 2000; k++)
        buf_char(&path, 'a');
    r = robots_parse(buf_view(&b), S("w"), NULL);
    CHECK(robots_allowed(r, S("/short")));
    CHECK(!robots_allowed(r, buf_view(&path)));
    robots_free(r);
    buf_free(&b);
    buf_free(&path);
}

static struct robots *
rules(const char *text)
{
    return robots_parse(str_c(text), S("w"), NULL);
}

static void
the_cache_drops_what_was_used_least_lately(void)
{
    static const char text[] = "User-agent: *\nDisallow: /x";
    struct robots_cache *c = robots_cache_new(20000);
    struct str a = S("kept"), b = S("host999");
    char name[32];
    size_t n = 0;

    robots_cache_put(c, a, 1, S(""), rules(""));
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "host%d", i);
        robots_cache_put(c, str_c(name), 7, str_c(text), rules(text));
        CHECK(robots_cache_ask(c, a, 1, S("/x")) == ROBOTS_ALLOW);
    }
    n = robots_cache_n(c);
    CHECK(n > 2 && n < 100);
    CHECK(robots_cache_ask(c, b, 7, S("/x")) == ROBOTS_DISALLOW);
    CHECK(robots_cache_ask(c, b, 7, S("/y")) == ROBOTS_ALLOW);
    CHECK(robots_cache_ask(c, S("host0"), 7, S("/x")) == ROBOTS_UNKNOWN);
    CHECK(robots_cache_ask(c, b, 8, S("/x")) == ROBOTS_UNKNOWN);
    robots_cache_put(c, b, 8, S(""), rules(""));
    CHECK(robots_cache_ask(c, b, 8, S("/x")) == ROBOTS_ALLOW);
    CHECK(robots_cache_n(c) == n);
    robots_cache_free(c);
}

/* The worker puts them, the frontier gives the text a version, the lease thread
 * needs not parse it. */
static void
rules_that_are_parsed_wait_for_their_version(void)
{
    static const char old[] = "User-agent: *\nDisallow: /old",
                      text[] = "User-agent: *\nDisallow: /x";
    struct robots_cache *c = robots_cache_new(20000);
    struct str host = S("a.nl");

    CHECK(!robots_cache_version(c, host, 1, str_c(text)));
    robots_cache_put(c, host, 1, str_c(old), rules(old));
    robots_cache_put(c, host, 0, str_c(text), rules(text));
    CHECK(robots_cache_ask(c, host, 1, S("/x")) == ROBOTS_UNKNOWN);
    CHECK(!robots_cache_version(c, host, 2, str_c(old))); /* another's report */
    CHECK(!robots_cache_version(c, S("b.nl"), 2, str_c(text)));
    CHECK(robots_cache_version(c, host, 2, str_c(text)));
    CHECK(robots_cache_ask(c, host, 2, S("/x")) == ROBOTS_DISALLOW);
    CHECK(robots_cache_ask(c, host, 2, S("/old")) == ROBOTS_ALLOW);
    CHECK(robots_cache_version(c, host, 3, str_c(text))); /* fetched again */
    CHECK(robots_cache_ask(c, host, 2, S("/x")) == ROBOTS_UNKNOWN);
    CHECK(robots_cache_ask(c, host, 3, S("/x")) == ROBOTS_DISALLOW);
    robots_cache_free(c);
}

/* ---- the suite ---- */

static struct str
field(json_object *row, const char *key)
{
    json_object *v;

    if (!json_object_object_get_ex(row, key, &v) || v == NULL)
        return (struct str){NULL, 0};
    return str_n(json_object_get_string(v),
                 (size_t)json_object_get_string_len(v));
}

static bool
flag_is(json_object *row, const char *key, bool preset)
{
    json_object *v;

    if (!json_object_object_get_ex(row, key, &v) || v == NULL)
        return preset;
    return json_object_get_boolean(v);
}

/* Path and query as the suites mean them; they also give bare paths. */
static struct str
target_of(struct str url)
{
    const char *hit = memmem(url.p, url.n, "://", 3);
    size_t at = 0;

    if (hit == NULL && url.n > 1 && url.p[0] == '/' && url.p[1] == '/')
        at = 2;
    else if (hit == NULL && url.n > 0 && url.p[0] == '/')
        at = SIZE_MAX;
    else if (hit != NULL)
        at = (size_t)(hit - url.p) + 3;
    if (at == SIZE_MAX)
        at = 0;
    else
        while (at < url.n && url.p[at] != '/' && url.p[at] != '?')
            at++;
    url = str_sub(url, at, url.n);
    return str_sub(url, 0, str_find(url, '#', 0));
}

static void
unhex(struct str in, struct buf *out)
{
    unsigned c;

    for (size_t i = 0; i + 1 < in.n; i += 2)
        if (sscanf(in.p + i, "%2x", &c) == 1)
            buf_char(out, (char)c);
}

static FILE *
open_suite(const char *name)
{
    const char *path = test_shared(name);
    FILE *f = path ? fopen(path, "r") : NULL;

    CHECK(f != NULL);
    return f;
}

/* Rows in which their source goes other ways than RFC 9309, or sources clash:
 * they are not judged (a row is judged when the parser happens to agree). */
static const struct clash {
    const char *test, *why;
} clashes[] = {
    {"GoogleOnly_AcceptUserAgentUpToFirstSpace", "an agent with a blank"},
    {"ID_Encoding", "Google does not normalise the URL; protego does"},
    {"GoogleOnly_IndexHTMLisDirectory", "index.html stands for its folder"},
    {"test_index_html_is_directory", "index.html stands for its folder"},
    {"GoogleOnly_LineTooLong", "Google cuts lines off"},
    {"test_unicode_url_and_useragent", "product tokens are ASCII"},
    {"test_generosity", "agents with blanks or wildcards"},
    {"test_special_symbols_dual_behaviour", "a final $ is an anchor only"},
    {"test_with_absolute_urls", "a path begins with /"},
    {"test_user_agent_precedence", "prefix match of agents"},
    {"testBigCrawlDelay", "a long delay is capped, not a refusal"},
    {"testSpacesInMultipleUserAgentNames", "several agents in one line"},
    {"test_no_leading_user_agent", "rules outside of any group"},
    {"test_skip_malformed_line", "Google accepts a missing colon"},
    {"test_grouping_unknown_keys", "unknown lines do not end a group"},
};

static bool
is_clash(json_object *row)
{
    if (!flag_is(row, "exact_agent", true)) /* prefix match of agents */
        return true;
    for (size_t i = 0; i < sizeof clashes / sizeof clashes[0]; i++)
        if (str_eq(field(row, "test"), str_c(clashes[i].test)))
            return true;
    return false;
}

static int suite_skipped;

static void
decisions_of_four_other_parsers_are_met(void)
{
    FILE *f = open_suite("data/suites/robots/robots_cases.jsonl");
    size_t cap = 0;
    char *line = NULL;
    int ok = 0, bad = 0, clashed = 0;

    if (f == NULL) {
        suite_skipped = 1;
        return;
    }
    while (getline(&line, &cap, f) > 0) {
        json_object *row = json_tokener_parse(line);
        struct str agent = field(row, "agent"), url = field(row, "url");
        struct buf text = {0};
        struct robots *r;

        if (field(row, "robots_hex").p != NULL)
            unhex(field(row, "robots_hex"), &text);
        else
            buf_str(&text, field(row, "robots"));
        r = robots_parse(buf_view(&text), agent, NULL);
        if (robots_allowed(r, target_of(url)) ==
            flag_is(row, "allowed", false)) {
            ok++;
        } else if (is_clash(row)) {
            clashed++;
        } else {
            bad++;
            fprintf(stderr, "differs: %s", line);
        }
        robots_free(r);
        buf_free(&text);
        json_object_put(row);
    }
    free(line);
    fclose(f);
    printf("     robots_cases: %d agree, %d differ, %d clash\n", ok, bad,
           clashed);
    CHECK(bad == 0);
    CHECK(ok >= 704);
    CHECK(clashed <= 35);
}

static void
latin1(struct str utf8, struct buf *out)
{
    for (size_t i = 0; i < utf8.n; i++) {
        unsigned char c = (unsigned char)utf8.p[i];

        if (c >= 0xc2 && c <= 0xc3 && i + 1 < utf8.n) {
            unsigned char d = (unsigned char)utf8.p[++i];

            buf_char(out, (char)((c & 3) << 6 | (d & 63)));
        } else {
            buf_char(out, (char)c);
        }
    }
}

static void
patterns_are_escaped_as_google_does(void)
{
    FILE *f = open_suite("data/suites/robots/google_path_escape.jsonl");
    size_t cap = 0;
    char *line = NULL;
    int rows = 0;

    if (f == NULL) {
        suite_skipped = 1;
        return;
    }
    while (getline(&line, &cap, f) > 0) {
        json_object *row = json_tokener_parse(line);
        struct buf in = {0}, out = {0};

        latin1(field(row, "input_latin1"), &in);
        if (str_eq(field(row, "kind"), S("escape_pattern"))) {
            rows++;
            robots_normalise(buf_view(&in), true, &out);
            CHECK(str_eq(buf_view(&out), field(row, "expected_latin1")));
        }
        buf_free(&in);
        buf_free(&out);
        json_object_put(row);
    }
    free(line);
    fclose(f);
    CHECK(rows == 4);
}

/* Values come as "1000L", "10.0", 7, "None", null or a constant's name. */
static uint32_t
delay_wanted(json_object *row)
{
    struct str ms = field(row, "crawl_delay_ms"), s = field(row, "value");

    if (ms.p != NULL)
        return (uint32_t)strtoul(ms.p, NULL, 10);
    return s.p == NULL ? 0 : (uint32_t)(strtod(s.p, NULL) * 1000);
}

static void
crawl_delays_of_other_parsers_are_met(void)
{
    FILE *f = open_suite("data/suites/robots/robots_extra_fields.jsonl");
    size_t cap = 0;
    char *line = NULL;
    int rows = 0, skipped = 0;

    if (f == NULL) {
        suite_skipped = 1;
        return;
    }
    while (getline(&line, &cap, f) > 0) {
        json_object *row = json_tokener_parse(line);
        struct str name = field(row, "field");
        bool delay = field(row, "crawl_delay_ms").p != NULL ||
                     str_eq(name, S("delay")) || str_eq(name, S("crawl_delay"));

        /* Rows without a leading user-agent or with prefix agents follow
         * other rules than RFC 9309. */
        if (delay &&
            (!flag_is(row, "exact_agent", true) ||
             (str_eq(field(row, "source"), S("reppy")) &&
              str_eq(field(row, "test"), S("test_no_leading_user_agent"))))) {
            skipped++;
        } else if (delay) {
            struct robots *r =
                robots_parse(field(row, "robots"), field(row, "agent"), NULL);

            rows++;
            if (robots_crawl_delay_ms(r, 1000000) != delay_wanted(row))
                fprintf(stderr, "differs: %s", line);
            CHECK(robots_crawl_delay_ms(r, 1000000) == delay_wanted(row));
            robots_free(r);
        }
        json_object_put(row);
    }
    free(line);
    fclose(f);
    printf("     crawl delays: %d agree, %d skipped\n", rows, skipped);
    CHECK(rows >= 8);
}

static void
rights_are_those_of_our_group(void)
{
    static const char text[] =
        "User-agent: *\nContent-Signal: ai-train=no # why\nAllow: /\n"
        "User-agent: winnow\nContent-Usage: /a/ train-ai=y\n"
        "Content-signal: search=yes\nDisallow:\n";
    struct robots *r = robots_parse(str_c(text), S("winnow"), NULL);
    struct robots_cache *c = robots_cache_new(1 << 20);
    struct arena *a = arena_new();

    CHECK(str_eq(robots_rights(r),
                 S("Content-Usage: /a/ train-ai=y\nContent-signal: "
                   "search=yes\n")));
    robots_cache_put(c, S("a.test"), 0, str_c(text), r);
    CHECK(str_starts(robots_cache_rights(c, S("a.test"), S("/"), a).robots,
                     S("Content-Usage: ")));
    CHECK(robots_cache_rights(c, S("b.test"), S("/"), a).robots.n == 0);
    robots_cache_free(c);
    r = robots_parse(str_c(text), S("another"), NULL);
    CHECK(str_eq(robots_rights(r), S("Content-Signal: ai-train=no\n")));
    robots_free(r);
    arena_free(a);
}

static void
the_first_rule_of_tdmrep_that_matches_counts(void)
{
    static const char file[] =
        "[{\"location\":\"/free/*.jpg$\",\"tdm-reservation\":0,"
        "\"tdm-policy\":\"https://a.test/unread\"},"
        "{\"location\":\"/b%7Cc/\",\"tdm-reservation\":\"1\","
        "\"tdm-policy\":\"https://a.test/p.json\"},"
        "{\"location\":\"/bad\",\"tdm-reservation\":2},"
        "{\"location\":\"/line\\n1/evil\",\"tdm-reservation\":0},"
        "{\"tdm-reservation\":1}, 7, {\"location\":\"/\"},"
        "{\"location\":\"/free/\",\"tdm-reservation\":1}]";
    static const struct {
        const char *target, *says;
    } rows[] = {
        {"/free/a.jpg", "tdm-reservation: 0\n"},
        {"/free/a.jpg?x", "tdm-reservation: 1\n"},
        {"/free/", "tdm-reservation: 1\n"},
        {"/b|c/d", "tdm-reservation: 1\ntdm-policy: https://a.test/p.json\n"},
        {"/bad", ""},
        {"/Free/", ""},
        {"", ""},
    };
    struct arena *a = arena_new();
    struct str text = tdmrep_read(str_c(file), a);
    struct buf stored = {.arena = a};
    struct robots *r;

    buf_str(&stored, text);
    buf_c(&stored, "User-agent: *\nDisallow: /no\n");
    r = robots_parse(buf_view(&stored), S("winnow"), NULL);
    CHECK(!robots_allowed(r, S("/no")) && robots_allowed(r, S("/free/")));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(str_eq(tdmrep_of(robots_tdmrep(r), str_c(rows[i].target), a),
                     str_c(rows[i].says)));
    robots_free(r);
    arena_free(a);
}

static void
what_is_no_tdmrep_says_nothing(void)
{
    static const char *const files[] = {
        "",
        "[]",
        "{}",
        "null",
        "<html>",
        "[{\"location\":\"/\"}]",
        "{\"location\":\"/\",\"tdm-reservation\":1}",
        "[[[[[[[[[[[[1]]]]]]]]]]]]",
        "[{\"location\":\"/\",\"tdm-reservation\":1}",
        "\x1e"};
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        CHECK(tdmrep_read(str_c(files[i]), a).n == 0);
    CHECK(tdmrep_read(S("\xef\xbb\xbf[{\"location\":\"/\","
                        "\"tdm-reservation\":1}]"),
                      a)
              .n > 0);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_first_rule_of_tdmrep_that_matches_counts),
        TEST(what_is_no_tdmrep_says_nothing),
        TEST(rights_are_those_of_our_group),
        TEST(the_longest_match_wins_and_allow_wins_ties),
        TEST(groups_of_one_agent_are_merged_and_beat_the_star),
        TEST(what_is_forbidden_to_others_by_name_may_be_heeded),
        TEST(unknown_lines_do_not_end_a_group),
        TEST(stars_and_dollars_are_understood),
        TEST(both_sides_are_normalised),
        TEST(any_line_end_and_a_byte_order_mark_will_do),
        TEST(an_empty_file_and_robots_txt_itself_are_allowed),
        TEST(crawl_delay_is_read_and_capped),
        TEST(sitemaps_are_collected_up_to_a_bound),
        TEST(what_lies_behind_500_kib_is_ignored),
        TEST(a_line_that_is_cut_at_the_bound_is_none),
        TEST(many_stars_take_no_exponential_time),
        TEST(a_path_that_takes_too_many_patterns_is_forbidden),
        TEST(the_cache_drops_what_was_used_least_lately),
        TEST(rules_that_are_parsed_wait_for_their_version),
        SUITE_TEST(decisions_of_four_other_parsers_are_met,
                   "data/suites/robots/robots_cases.jsonl"),
        SUITE_TEST(patterns_are_escaped_as_google_does,
                   "data/suites/robots/google_path_escape.jsonl"),
        SUITE_TEST(crawl_delays_of_other_parsers_are_met,
                   "data/suites/robots/robots_extra_fields.jsonl"),
        {0},
    };
    int rc = test_main(table, argc, argv);

    return rc == 0 && suite_skipped ? 77 : rc;
}
