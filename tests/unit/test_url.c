/* The URL parser by cases of our own; the public suites are in
 * test_url_suites.c.  Expected values follow the URL Standard. */
#include "base/arena.h"
#include "base/url/url.h"

#include "test.h"

static struct arena *arena;

static struct str
resolved(const char *input, const char *base_text)
{
    struct url base, u;
    const struct url *b = NULL;

    if (base_text != NULL) {
        if (url_parse(&base, arena, str_c(base_text), NULL) != ST_OK)
            return S("(bad base)");
        b = &base;
    }
    if (url_parse(&u, arena, str_c(input), b) != ST_OK)
        return S("(invalid)");
    return u.href;
}

static void
check_href(const char *input, const char *base, const char *want)
{
    struct str got = resolved(input, base);

    if (!str_eq(got, str_c(want)))
        fprintf(stderr, "'%s' against '%s': want %s got %.*s\n", input,
                base ? base : "", want, STRF(got));
    CHECK(str_eq(got, str_c(want)));
}

static void
references_resolve_against_a_base(void)
{
    static const char base[] = "http://u:p@ex.org:8080/a/b/c?q=1#f";
    static const char *const row[][2] = {
        {"", "http://u:p@ex.org:8080/a/b/c?q=1"},
        {"#x", "http://u:p@ex.org:8080/a/b/c?q=1"},
        {"?", "http://u:p@ex.org:8080/a/b/c?"},
        {"?x#y", "http://u:p@ex.org:8080/a/b/c?x"},
        {"d", "http://u:p@ex.org:8080/a/b/d"},
        {"./d/", "http://u:p@ex.org:8080/a/b/d/"},
        {".", "http://u:p@ex.org:8080/a/b/"},
        {"..", "http://u:p@ex.org:8080/a/"},
        {"../../../../d", "http://u:p@ex.org:8080/d"},
        {"%2E%2e/d", "http://u:p@ex.org:8080/a/d"},
        {"d/%2e", "http://u:p@ex.org:8080/a/b/d/"},
        {"/d", "http://u:p@ex.org:8080/d"},
        {"\\d\\e", "http://u:p@ex.org:8080/d/e"},
        {"//h", "http://h/"},
        {"\\/h:80/x", "http://h/x"},
        {"///h", "http://h/"},
        {"http:d", "http://u:p@ex.org:8080/a/b/d"},
        {"http:/d", "http://u:p@ex.org:8080/d"},
        {"https:d", "https://d/"},
        {"https://h", "https://h/"},
        {"a:b", "(invalid)"},
        {"1:b", "http://u:p@ex.org:8080/a/b/1:b"},
        {"mailto:x@y.z", "(invalid)"},
        {"javascript:void(0)", "(invalid)"},
        {"//", "(invalid)"},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_href(row[i][0], base, row[i][1]);
    check_href("..", "http://h", "http://h/");
    check_href("x", "http://h", "http://h/x");
    check_href("#x", "http://h?", "http://h/?");
}

static void
absolute_urls_are_normalised(void)
{
    static const char *const row[][2] = {
        {"http://h", "http://h/"},
        {"HTTP://Ex.ORG/A", "http://ex.org/A"},
        {" \t http://h/a\nb\tc \x01", "http://h/abc"},
        {"http:h", "http://h/"},
        {"http:\\\\h\\p", "http://h/p"},
        {"http://h:80/", "http://h/"},
        {"http://h:443/", "http://h:443/"},
        {"https://h:443/", "https://h/"},
        {"http://h:/", "http://h/"},
        {"http://h:00081/", "http://h:81/"},
        {"http://h:65536/", "(invalid)"},
        {"http://h:8a/", "(invalid)"},
        {"http://h:80:80/", "(invalid)"},
        {"http://:80/", "(invalid)"},
        {"http://@/", "(invalid)"},
        {"http://a@b@h/", "http://a%40b@h/"},
        {"http://:@h/", "http://h/"},
        {"http://:p@h/", "http://:p@h/"},
        {"http://u:@h/", "http://u@h/"},
        {"http://a:b:c@h/", "http://a:b%3Ac@h/"},
        {"http://h?q", "http://h/?q"},
        {"http://h#f", "http://h/"},
        {"http://h/a//b/./c/../d", "http://h/a//b/d"},
        {"http://h/..", "http://h/"},
        {"http://h/a/..", "http://h/"},
        {"http://h/a/...", "http://h/a/..."},
        {"http://h/%7e%zz%", "http://h/%7e%zz%"},
        {"http://h/\xc3\xa4?\xc3\xa4", "http://h/%C3%A4?%C3%A4"},
        {"http://h/'?'\\", "http://h/'?%27\\"},
        {"h", "(invalid)"},
        {"/p", "(invalid)"},
        {"", "(invalid)"},
        {"http", "(invalid)"},
        {"http://", "(invalid)"},
        {"ftp://h/", "(invalid)"},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_href(row[i][0], NULL, row[i][1]);
}

static void
hosts_are_numbers_names_or_refused(void)
{
    static const char *const row[][2] = {
        {"http://0x7f.1", "http://127.0.0.1/"},
        {"http://2130706433/", "http://127.0.0.1/"},
        {"http://017700000001./", "http://127.0.0.1/"},
        {"http://1.2.3.4.5/", "(invalid)"},
        {"http://1.2.3.256/", "(invalid)"},
        {"http://256/", "http://0.0.1.0/"},
        {"http://4294967296/", "(invalid)"},
        {"http://a.0x/", "(invalid)"},
        {"http://0x/", "http://0.0.0.0/"},
        {"http://1..2/", "(invalid)"},
        {"http://1.2.a/", "http://1.2.a/"},
        {"http://09.1/", "(invalid)"},
        {"http://\xef\xbc\x91.2.3.4/", "http://1.2.3.4/"},
        {"http://%31.2.3.4/", "http://1.2.3.4/"},
        {"http://[::1]:80/", "http://[::1]/"},
        {"http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"},
        {"http://[0:0:0:0:0:0:0:0]/", "http://[::]/"},
        {"http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7:0]/"},
        {"http://[::FFFF:1.2.3.4]/", "http://[::ffff:102:304]/"},
        {"http://[::1.2.3.04]/", "(invalid)"},
        {"http://[1:2:3:4:5:6:7:8:9]/", "(invalid)"},
        {"http://[1:2:3:4:5:6::1.2.3.4]/", "(invalid)"},
        {"http://[1::2::3]/", "(invalid)"},
        {"http://[1:]/", "(invalid)"},
        {"http://[::1%25eth0]/", "(invalid)"},
        {"http://[::1/", "(invalid)"},
        {"http://[]/", "(invalid)"},
        {"http://ex%41mple.org/", "http://example.org/"},
        {"http://a b/", "(invalid)"},
        {"http://a%20b/", "(invalid)"},
        {"http://a%00b/", "(invalid)"},
        {"http://a<b/", "(invalid)"},
        {"http://a%/", "(invalid)"},
        {"http://a_b-.-c..d/", "http://a_b-.-c..d/"},
        {"http://M\xc3\xbcnchen.de/", "http://xn--mnchen-3ya.de/"},
        {"http://m%C3%BCnchen.de/", "http://xn--mnchen-3ya.de/"},
        {"http://stra\xc3\x9f"
         "e.de/",
         "http://xn--strae-oqa.de/"},
        {"http://STRA\xe1\xba\x9e"
         "E.de/",
         "http://xn--strae-oqa.de/"},
        {"http://a\xe3\x80\x82"
         "b/",
         "http://a.b/"},
        {"http://\xc2\xad/", "(invalid)"},
        {"http://\xff/", "(invalid)"},
        {"http://%ff/", "(invalid)"},
        {"http://xn--/", "http://xn--/"},
        {"http://XN--\xc3\xbc/", "(invalid)"},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_href(row[i][0], NULL, row[i][1]);
}

/* Every ASCII character in every part, against the sets as the standard
 * spells them. */
static void
percent_encode_sets_are_those_of_the_standard(void)
{
    static const char path[] = " \"<>`{}^", query[] = " \"<>'",
                      fragment[] = " \"<>`", user[] = " \"<>`{}^;=[]|";

    for (int c = 1; c < 0x80; c++) {
        struct str raw = arena_printf(arena, "%c", c), encoded, in;
        bool control = c < 0x20 || c == 0x7f;
        struct url u;

        if (strchr("\t\n\r/\\?#@:", c) != NULL)
            continue;
        encoded = arena_printf(arena, "%%%02X", (unsigned)c);
        in = arena_printf(arena, "http://a%cb@h/a%cb?a%cb#a%cb", c, c, c, c);
        CHECK(url_parse_full(&u, arena, in, NULL, true, S("")) == ST_OK);
#define PART(part, set)                                                        \
    CHECK(str_eq(                                                              \
        u.part,                                                                \
        arena_printf(arena, "%sa%.*sb", (u.part).p[0] == '/' ? "/" : "",       \
                     STRF(control || strchr(set, c) ? encoded : raw))))
        PART(path, path);
        PART(query, query);
        PART(fragment, fragment);
        PART(username, user);
#undef PART
    }
}

static void
nul_bytes_and_invalid_utf8_are_data(void)
{
    static const struct {
        struct str in, want;
    } row[] = {
        {STR("http://h/a\0b"), STR("http://h/a%00b")},
        {STR("\0http://h/\0"), STR("http://h/")},
        {STR("http://h\0/"), STR("")},
        {STR("http://h/\xff"), STR("http://h/%EF%BF%BD")},
        /* one U+FFFD for each maximal part of a sequence */
        {STR("http://h/\xf0\x9f\x98x"), STR("http://h/%EF%BF%BDx")},
        {STR("http://h/\xed\xa0\x80"),
         STR("http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD")},
        {STR("http://h/\xc0\xaf"), STR("http://h/%EF%BF%BD%EF%BF%BD")},
        {STR("http://h/\xf0\x9f\x98\x80"), STR("http://h/%F0%9F%98%80")},
        {STR("http://h/\xef\xbf\xbd"), STR("http://h/%EF%BF%BD")},
        {STR("http://h/\xe2\x82"), STR("http://h/%EF%BF%BD")},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct url u;
        enum status st = url_parse(&u, arena, row[i].in, NULL);

        CHECK(st == (row[i].want.n ? ST_OK : ST_INVALID));
        CHECK(st != ST_OK || str_eq(u.href, row[i].want));
    }
}

static void
a_page_has_one_spelling(void)
{
    static const struct {
        struct str in, want; /* empty: invalid; itself: canonical */
    } row[] = {
        {STR("http://w.x/a?b=c%2e&d=/../"), STR("http://w.x/a?b=c%2e&d=/../")},
        {STR("https://w.x:80/"), STR("https://w.x:80/")},
        {STR("http://w.x:8080/@:a"), STR("http://w.x:8080/@:a")},
        {STR("http://127.0.0.1/"), STR("http://127.0.0.1/")},
        {STR("http://[::1]/"), STR("http://[::1]/")},
        {STR("http://w.x/'"), STR("http://w.x/'")},
        {STR("http://W.x/"), STR("http://w.x/")},
        {STR("HTTP://w.x/"), STR("http://w.x/")},
        {STR("http://w.x./"), STR("http://w.x/")},
        {STR("http://w.x.:81/a"), STR("http://w.x:81/a")},
        {STR("http://w.x:80/"), STR("http://w.x/")},
        {STR("https://w.x:443/"), STR("https://w.x/")},
        {STR("http://w.x:080/"), STR("http://w.x/")},
        {STR("http://w.x:/"), STR("http://w.x/")},
        {STR("http://w.x"), STR("http://w.x/")},
        {STR("http://w.x?q"), STR("http://w.x/?q")},
        {STR("http:w.x/"), STR("http://w.x/")},
        {STR("http://u:p@w.x/"), STR("http://w.x/")},
        {STR("http://u@W.x.:80/a#b"), STR("http://w.x/a")},
        {STR("http://:@w.x/"), STR("http://w.x/")},
        {STR("http://a@b@w.x/"), STR("http://w.x/")},
        {STR("http://w.x/a/../b"), STR("http://w.x/b")},
        {STR("http://w.x/%2E%2e/b"), STR("http://w.x/b")},
        {STR("http://w.x/a b"), STR("http://w.x/a%20b")},
        {STR("http://w.x/?'"), STR("http://w.x/?%27")},
        {STR("http://w.x\\a"), STR("http://w.x/a")},
        {STR("http://w%2ex/"), STR("http://w.x/")},
        {STR("http://0x7f.1/"), STR("http://127.0.0.1/")},
        {STR("http://1.2.3.4./"), STR("http://1.2.3.4/")},
        {STR("http://w.x../"), STR("")},
        {STR("http://./"), STR("")},
        {STR("http:///"), STR("")},
        {STR("http://w.x:65536/"), STR("")},
        {STR("ftp://w.x/"), STR("")},
        {STR(""), STR("")},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct str out = {0};
        enum status st = url_canonical(&out, arena, row[i].in);

        CHECK(st == (row[i].want.n ? ST_OK : ST_INVALID));
        CHECK(st != ST_OK || str_eq(out, row[i].want));
        CHECK(st != ST_OK || !str_eq(row[i].in, out) || out.p == row[i].in.p);
    }
}

static void
parts_point_into_the_href(void)
{
    struct url u, v;

    CHECK(url_parse_full(&u, arena, S("https://u:p@h.x:444/a/b?q#f"), NULL,
                         true, S("")) == ST_OK);
    CHECK(str_eq(u.scheme, S("https")) && str_eq(u.username, S("u")) &&
          str_eq(u.password, S("p")) && str_eq(u.host, S("h.x")) &&
          u.port == 444 && u.port_explicit && str_eq(u.path, S("/a/b")) &&
          str_eq(u.query, S("q")) && str_eq(u.target, S("/a/b?q")) &&
          str_eq(u.fragment, S("f")));
    CHECK(str_eq(url_authority(&u, arena), S("h.x:444")));
    CHECK(u.host.p > u.href.p && u.fragment.p + 1 == u.href.p + u.href.n);

    CHECK(url_parse(&v, arena, S("c#g"), &u) == ST_OK);
    CHECK(str_eq(v.href, S("https://u:p@h.x:444/a/c")));
    CHECK(str_eq(v.username, S("u")) && str_eq(v.host, S("h.x")) &&
          v.port == 444 && str_eq(v.target, S("/a/c")) && v.fragment.n == 0);
    CHECK(url_parse(&v, arena, S("http://h"), NULL) == ST_OK);
    CHECK(v.port == 80 && !v.port_explicit && str_eq(v.target, S("/")));
    CHECK(str_eq(url_authority(&v, arena), S("h")));
}

/* What is longer than any URL may be is refused, and so is what gets longer
 * than that; long international names are refused before Punycode's quadratic
 * time shows. */
static void
a_very_long_url_is_parsed_or_refused_quickly(void)
{
    static char in[1 << 20];
    size_t n = URL_BYTES_MAX;
    struct url u;

    memset(in, '\xff', sizeof in);
    memcpy(in, "http://h/", 9);
    CHECK(url_parse(&u, arena, str_n(in, sizeof in), NULL) == ST_LIMIT);
    CHECK(url_parse(&u, arena, str_n(in, n), NULL) == ST_LIMIT);
    CHECK(url_parse(&u, arena, str_n(in, 7000), NULL) == ST_OK);
    CHECK(u.href.n == 9 + 9 * (7000 - 9));
    memset(in + 9, '/', n - 9);
    CHECK(url_parse(&u, arena, str_n(in, n), NULL) == ST_OK);
    CHECK(u.href.n == n);
    for (size_t i = 9; i + 3 <= n; i += 3)
        memcpy(in + i, "../", 3);
    CHECK(url_parse(&u, arena, str_n(in, n), NULL) == ST_OK);
    memcpy(in, "http:///", 8);
    for (size_t i = 8; i + 3 <= n; i += 3)
        memcpy(in + i, "\xe4\xb8\xad", 3);
    CHECK(url_parse(&u, arena, str_n(in, n), NULL) == ST_INVALID);
    memset(in + 8, 'a', n - 8);
    CHECK(url_parse(&u, arena, str_n(in, n - 1), NULL) == ST_OK);
    memset(in + 8, '@', n - 9);
    CHECK(url_parse(&u, arena, str_n(in, n), NULL) == ST_LIMIT);
    CHECK(url_parse(&u, arena, str_n(in, n / 3), NULL) != ST_LIMIT);
    arena_reset(arena);
}

static void
queries_follow_the_encoding_of_the_page(void)
{
    struct url u;

#define QUERY(encoding, in)                                                    \
    (url_parse_full(&u, arena, S("http://h/\xc3\xa4?" in "#\xc3\xa4"), NULL,   \
                    false, S(encoding)),                                       \
     u.query)
    CHECK(str_eq(QUERY("windows-1251", "\xd0\x96 '"), S("%C6%20%27")));
    CHECK(str_eq(QUERY("windows-1252", "\xd0\x96"), S("%26%231046%3B")));
    CHECK(str_eq(QUERY("utf-16le", "\xc3\xa4"), S("%C3%A4")));
    CHECK(str_eq(QUERY("no-such", "\xc3\xa4"), S("%C3%A4")));
    CHECK(str_eq(QUERY("gbk", "\xe4\xb8\xad"), S("%D6%D0")));
    CHECK(str_starts(u.href, S("http://h/%C3%A4?")));
#undef QUERY
}

static void
names_outside_urls_become_ascii(void)
{
    struct str out;

    CHECK(url_host_ascii(&out, arena, S("M\xc3\xbcnchen.DE")) == ST_OK);
    CHECK(str_eq(out, S("xn--mnchen-3ya.de")));
    CHECK(url_host_ascii(&out, arena, S("a/b")) == ST_INVALID);
    CHECK(url_host_ascii(&out, arena, S("")) == ST_INVALID);
    CHECK(url_host_written(&out, arena, S(".M\xc3\xbcnchen.DE.")) == ST_OK);
    CHECK(str_eq(out, S("xn--mnchen-3ya.de")));
    CHECK(url_host_written(&out, arena, S("*.b.de")) == ST_INVALID);
}

/* test_shared's table of resolved references, of crawler-commons. */
static void
references_of_crawler_commons_resolve(void)
{
    const char *path = test_shared("data/suites/sitemaps/src/test/resources/"
                                   "url-utils/url-resolve.csv");
    char line[1024];
    int agree = 0;
    FILE *f;

    f = fopen(path, "rb");
    CHECK(f != NULL);
    while (fgets(line, sizeof line, f) != NULL) {
        struct str rest = str_trim(str_c(line)), field[3];
        struct url base, u, want;
        int n = 0;

        if (rest.n == 0 || rest.p[0] == '#')
            continue;
        while (n < 3 && str_cut(&rest, ',', &field[n])) {
            field[n] = str_trim(field[n]);
            if (field[n].n >= 2 && field[n].p[0] == '"')
                field[n] = str_sub(field[n], 1, field[n].n - 1);
            n++;
        }
        if (n < 3 || str_starts(field[1], S("file:")))
            continue;
        CHECK(field[1].n == 0 ||
              url_parse(&base, arena, field[1], NULL) == ST_OK);
        CHECK(url_parse(&u, arena, field[0], field[1].n ? &base : NULL) ==
              ST_OK);
        CHECK(url_parse(&want, arena, field[2], NULL) == ST_OK);
        CHECK(str_eq(u.href, want.href));
        agree++;
    }
    fclose(f);
    printf("url-resolve.csv: %d rows\n", agree);
    CHECK(agree >= 18);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(references_resolve_against_a_base),
        TEST(absolute_urls_are_normalised),
        TEST(hosts_are_numbers_names_or_refused),
        TEST(percent_encode_sets_are_those_of_the_standard),
        TEST(nul_bytes_and_invalid_utf8_are_data),
        TEST(a_page_has_one_spelling),
        TEST(parts_point_into_the_href),
        TEST(a_very_long_url_is_parsed_or_refused_quickly),
        TEST(queries_follow_the_encoding_of_the_page),
        TEST(names_outside_urls_become_ascii),
        SUITE_TEST(references_of_crawler_commons_resolve,
                   "data/suites/sitemaps/src/test/resources/url-utils/"
                   "url-resolve.csv"),
        {0},
    };
    int rc;

    arena = arena_new();
    rc = test_main(tests, argc, argv);
    arena_free(arena);
    return rc;
}
