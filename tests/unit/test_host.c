/* Registered domains against the Public Suffix List's own tests (when they are
 * there) and by a table; address ranges at their edges. */
#include <arpa/inet.h>
#include <libpsl.h>

#include "base/arena.h"
#include "base/url/host.h"
#include "base/url/url.h"

#include "test.h"

static struct arena *arena;

static void
registered_domains_follow_the_list(void)
{
    static const char *const row[][2] = {
        {"a.b.co.uk", "b.co.uk"},
        {"b.co.uk", "b.co.uk"},
        {"co.uk", "co.uk"},
        {"uk", "uk"},
        {"www.example.de.", "example.de"},
        {"de.", "de"},
        {"x.y.unlisted", "y.unlisted"},
        {"www.ck", "www.ck"},
        {"a.www.ck", "www.ck"},
        {"a.b.ck", "a.b.ck"},
        {"x.a.b.ck", "a.b.ck"},
        {"1.2.3.4", "1.2.3.4"},
        {"[::1]", "[::1]"},
        {"localhost", "localhost"},
        {"www.xn--85x722f.com.cn", "xn--85x722f.com.cn"},
        {"me.github.io", "me.github.io"},
        {"a.me.github.io", "me.github.io"},
        {"", ""},
        {".", "."},
        {"..a.com", "..a.com"},
    };
    char longest[600];

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct str got = host_registered_domain(str_c(row[i][0]));

        if (!str_eq(got, str_c(row[i][1])))
            fprintf(stderr, "%s: got %.*s\n", row[i][0], STRF(got));
        CHECK(str_eq(got, str_c(row[i][1])));
    }
    memset(longest, 'a', sizeof longest);
    CHECK(host_registered_domain(str_n(longest, sizeof longest)).n ==
          sizeof longest);
}

/* One row of the list's tests: want.n == 0 stands for null. */
static bool
row_agrees(struct str input, struct str want)
{
    struct str host, domain, got;

    if (input.n == 0)
        return true; /* null input: not expressible */
    if (url_host_ascii(&host, arena, input) != ST_OK)
        return want.n == 0;
    got = host_registered_domain(host);
    if (want.n == 0) /* a bare suffix is its own registered domain */
        return str_eq(got, host);
    return url_host_ascii(&domain, arena, want) == ST_OK && str_eq(got, domain);
}

/* The fields of checkPublicSuffix('a', 'b'); or of "a b"; null is empty. */
static void
fields(struct str line, struct str *input, struct str *want)
{
    struct str *out[2] = {input, want};

    if (str_starts(line, S("checkPublicSuffix(")))
        line = str_sub(line, 18, line.n - 2);
    for (int i = 0; i < 2; i++) {
        str_word(&line, out[i]);
        if (out[i]->n >= 2 && out[i]->p[0] == '\'')
            *out[i] = str_sub(*out[i], 1, out[i]->n - 1);
        if (str_eq(*out[i], S("null")))
            *out[i] = S("");
    }
}

static void
suite_agrees(const char *file)
{
    /* Rows may differ only where the suite's list is newer than libpsl's. */
    const int newer_max = 4;
    const char *path = test_shared(file);
    char line[512];
    int agree = 0, differ = 0;
    FILE *f;

    f = path ? fopen(path, "rb") : NULL;
    CHECK(f != NULL);
    if (f == NULL)
        return;
    while (fgets(line, sizeof line, f) != NULL) {
        struct str input, want, s = str_trim(str_c(line));

        if (s.n == 0 || str_starts(s, S("//")))
            continue;
        fields(s, &input, &want);
        if (row_agrees(input, want)) {
            agree++;
        } else {
            differ++;
            printf("differs: %.*s\n", STRF(s));
        }
    }
    fclose(f);
    printf("%s: %d agree, %d differ (libpsl %s, list of %s)\n", file, agree,
           differ, psl_get_version(), psl_dist_filename());
    CHECK(agree >= 70 && differ <= newer_max);
}

static void
the_public_suffix_lists_own_tests_agree(void)
{
    suite_agrees("data/suites/psl/tests.txt");
    suite_agrees("data/suites/psl/test_psl.txt");
}

static void
names_are_told_from_addresses(void)
{
    CHECK(host_is_ip(S("1.2.3.4")) && host_is_ip(S("[::1]")));
    CHECK(!host_is_ip(S("1.2.3")) && !host_is_ip(S("1.2.3.4.5")) &&
          !host_is_ip(S("1.2.3.256")) && !host_is_ip(S("")) &&
          !host_is_ip(S("a.4")) && !host_is_ip(S("1.2.3.4a")));
    CHECK(str_eq(host_tld(S("a.b.de")), S("de")));
    CHECK(str_eq(host_tld(S("a.b.de.")), S("de")));
    CHECK(str_eq(host_tld(S("localhost")), S("localhost")));
    CHECK(host_tld(S("1.2.3.4")).n == 0 && host_tld(S("[::1]")).n == 0);
    CHECK(host_under(S("a.b.de"), S("b.de")) &&
          host_under(S("b.de"), S("b.de")));
    CHECK(host_under(S("a.b.de."), S("b.de")));
    CHECK(!host_under(S("ab.de"), S("b.de")) &&
          !host_under(S("de"), S("b.de")) && !host_under(S("b.de"), S("")));
}

static enum host_range
range_of(const char *text)
{
    struct sockaddr_storage ss = {0};

    if (strchr(text, ':') != NULL) {
        struct sockaddr_in6 sa = {.sin6_family = AF_INET6};

        CHECK(inet_pton(AF_INET6, text, &sa.sin6_addr) == 1);
        memcpy(&ss, &sa, sizeof sa);
    } else {
        struct sockaddr_in sa = {.sin_family = AF_INET};

        CHECK(inet_pton(AF_INET, text, &sa.sin_addr) == 1);
        memcpy(&ss, &sa, sizeof sa);
    }
    return host_address_range((const struct sockaddr *)&ss);
}

static void
an_authority_without_its_port_is_the_host(void)
{
    static const char *const row[][2] = {
        {"a.nl:8080", "a.nl"}, {"a.nl", "a.nl"},   {"a.nl:", "a.nl"},
        {"[::1]:80", "[::1]"}, {"[::1]", "[::1]"}, {"192.0.2.7", "192.0.2.7"},
        {"8080", "8080"},      {":80", ""},        {"", ""},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        CHECK(str_eq(host_without_port(str_c(row[i][0])), str_c(row[i][1])));
}

static void
addresses_are_read_and_other_hosts_are_none(void)
{
    static const struct {
        const char *host;
        int family; /* 0: none */
        const char *bytes;
    } row[] = {
        {"192.0.2.7", AF_INET, "\xc0\x00\x02\x07"},
        {"[192.0.2.7]", AF_INET, "\xc0\x00\x02\x07"},
        {"::ffff:102:304", AF_INET6, "\0\0\0\0\0\0\0\0\0\0\xff\xff\1\2\3\4"},
        {"[::ffff:102:304]", AF_INET6, "\0\0\0\0\0\0\0\0\0\0\xff\xff\1\2\3\4"},
        {"", 0, ""},
        {"[]", 0, ""},
        {"[", 0, ""},
        {"[::1", 0, ""},
        {"a.nl", 0, ""},
        {"1.2.3", 0, ""},
        {"1.2.3.4:80", 0, ""},
        {"0000000000000000000000000000000000000000000000000000000000000000:1",
         0, ""},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct sockaddr_storage ss;
        const struct sockaddr_in *v4 = (const void *)&ss;
        const struct sockaddr_in6 *v6 = (const void *)&ss;

        CHECK(host_address(&ss, str_c(row[i].host)) == (row[i].family != 0));
        if (row[i].family == AF_INET)
            CHECK(v4->sin_family == AF_INET && v4->sin_port == 0 &&
                  memcmp(&v4->sin_addr, row[i].bytes, 4) == 0);
        if (row[i].family == AF_INET6)
            CHECK(v6->sin6_family == AF_INET6 && v6->sin6_port == 0 &&
                  memcmp(&v6->sin6_addr, row[i].bytes, 16) == 0);
    }
}

static void
special_address_ranges_end_where_they_should(void)
{
    static const struct {
        const char *address;
        enum host_range range;
    } row[] = {
        {"0.0.0.0", HOST_PRIVATE},
        {"0.255.255.255", HOST_PRIVATE},
        {"1.0.0.0", HOST_PUBLIC},
        {"9.255.255.255", HOST_PUBLIC},
        {"10.0.0.0", HOST_PRIVATE},
        {"11.0.0.0", HOST_PUBLIC},
        {"100.63.255.255", HOST_PUBLIC},
        {"100.64.0.0", HOST_PRIVATE},
        {"100.127.255.255", HOST_PRIVATE},
        {"100.128.0.0", HOST_PUBLIC},
        {"126.255.255.255", HOST_PUBLIC},
        {"127.0.0.1", HOST_LOOPBACK},
        {"127.255.255.255", HOST_LOOPBACK},
        {"128.0.0.0", HOST_PUBLIC},
        {"169.254.169.254", HOST_PRIVATE},
        {"169.255.0.0", HOST_PUBLIC},
        {"172.15.255.255", HOST_PUBLIC},
        {"172.16.0.0", HOST_PRIVATE},
        {"172.31.255.255", HOST_PRIVATE},
        {"172.32.0.0", HOST_PUBLIC},
        {"192.0.0.1", HOST_PRIVATE},
        {"192.0.1.0", HOST_PUBLIC},
        {"192.0.2.9", HOST_PRIVATE},
        {"192.88.99.1", HOST_PRIVATE},
        {"192.168.0.1", HOST_PRIVATE},
        {"192.169.0.0", HOST_PUBLIC},
        {"198.17.255.255", HOST_PUBLIC},
        {"198.18.0.0", HOST_PRIVATE},
        {"198.19.255.255", HOST_PRIVATE},
        {"198.20.0.0", HOST_PUBLIC},
        {"198.51.100.7", HOST_PRIVATE},
        {"203.0.113.7", HOST_PRIVATE},
        {"203.0.114.0", HOST_PUBLIC},
        {"223.255.255.255", HOST_PUBLIC},
        {"224.0.0.1", HOST_PRIVATE},
        {"255.255.255.255", HOST_PRIVATE},
        {"8.8.8.8", HOST_PUBLIC},

        {"::", HOST_PRIVATE},
        {"::1", HOST_LOOPBACK},
        {"::2", HOST_PRIVATE},
        {"::7f00:1", HOST_PRIVATE},
        {"::ffff:127.0.0.1", HOST_LOOPBACK},
        {"::ffff:10.0.0.1", HOST_PRIVATE},
        {"::ffff:8.8.8.8", HOST_PUBLIC},
        {"64:ff9b::127.0.0.1", HOST_LOOPBACK},
        {"64:ff9b::8.8.8.8", HOST_PUBLIC},
        {"64:ff9b::10.1.1.1", HOST_PRIVATE},
        {"64:ff9b:1::8.8.8.8", HOST_PRIVATE},
        {"100::1", HOST_PRIVATE},
        {"100:0:0:1::1", HOST_PUBLIC},
        {"2001::1", HOST_PRIVATE},
        {"2001:1ff:ffff::1", HOST_PRIVATE},
        {"2001:200::1", HOST_PUBLIC},
        {"2001:db8::1", HOST_PRIVATE},
        {"2001:db9::1", HOST_PUBLIC},
        {"2002:7f00:1::", HOST_LOOPBACK},
        {"2002:c0a8:1::", HOST_PRIVATE},
        {"2002:808:808::", HOST_PUBLIC},
        {"2a00::1", HOST_PUBLIC},
        {"3fff:fff::1", HOST_PRIVATE},
        {"3fff:1000::1", HOST_PUBLIC},
        {"5f00::1", HOST_PRIVATE},
        {"fbff::1", HOST_PUBLIC},
        {"fc00::1", HOST_PRIVATE},
        {"fdff::1", HOST_PRIVATE},
        {"fe00::1", HOST_PUBLIC},
        {"fe80::1", HOST_PRIVATE},
        {"fec0::1", HOST_PRIVATE},
        {"ff02::1", HOST_PRIVATE},
    };
    struct sockaddr other = {.sa_family = AF_UNIX};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (range_of(row[i].address) != row[i].range)
            fprintf(stderr, "%s\n", row[i].address);
        CHECK(range_of(row[i].address) == row[i].range);
    }
    CHECK(host_address_range(&other) == HOST_PRIVATE);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(registered_domains_follow_the_list),
        SUITE_TEST(the_public_suffix_lists_own_tests_agree,
                   "data/suites/psl/tests.txt"),
        TEST(names_are_told_from_addresses),
        TEST(an_authority_without_its_port_is_the_host),
        TEST(addresses_are_read_and_other_hosts_are_none),
        TEST(special_address_ranges_end_where_they_should),
        {0},
    };
    int rc;

    arena = arena_new();
    rc = test_main(tests, argc, argv);
    arena_free(arena);
    return rc;
}
