/* test_admit.c -- aim: what may be crawled and contacted is decided by the
 * operator's lists.  Method: options from text, names and addresses by hand. */
#include "clean/scope/scope.h"
#include "crawler/admit/address_policy.h"
#include "crawler/admit/hosts_file.h"
#include "crawler/admit/outlinks.h"
#include "crawler/admit/seeds.h"

#include <arpa/inet.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "test.h"

static struct opts
options(const char *ini)
{
    struct opts o;

    opts_init(&o);
    CHECK(opts_read_text(&o, "test", str_c(ini)) == ST_OK);
    return o;
}

static bool
in_scope(const char *ini, const char *url)
{
    struct opts o = options(ini);
    struct scope *s = NULL;
    bool in;

    CHECK(scope_open(&s, &o) == ST_OK);
    in = scope_admits(s, str_c(url), outlink_host(str_c(url)));
    scope_close(s);
    opts_free(&o);
    return in;
}

static void
any_list_admits_a_host_and_no_list_admits_all(void)
{
    const char *lists = "[scope]\ntld = be .NL\ndomains = example.org\n"
                        "hosts = www.b\xc3\xbc"
                        "cher.de\n";

    CHECK(in_scope("", "http://any.thing/"));
    CHECK(in_scope(lists, "http://x.be/"));
    CHECK(in_scope(lists, "https://a.b.nl:8080/x"));
    CHECK(in_scope(lists, "http://deep.example.org/"));
    CHECK(in_scope(lists, "http://example.org/"));
    CHECK(!in_scope(lists, "http://anexample.org/"));
    CHECK(in_scope(lists, "http://www.xn--bcher-kva.de/"));
    CHECK(!in_scope(lists, "http://a.www.xn--bcher-kva.de/"));
    CHECK(!in_scope(lists, "http://be.com/"));
    CHECK(!in_scope(lists, "http://127.0.0.1/"));
}

/* A name may stand in several lists, alone and with all under it. */
static void
the_widest_of_equal_names_counts(void)
{
    CHECK(in_scope("[scope]\nhosts = a.be .a.be\n", "http://x.a.be/"));
    CHECK(in_scope("[scope]\nhosts = .a.be a.be\n", "http://x.a.be/"));
    CHECK(in_scope("[scope]\ndomains = a.be\nhosts = a.be\n",
                   "http://x.y.a.be/"));
    CHECK(!in_scope("[scope]\nhosts = a.be b.be\n", "http://x.a.be/"));
    CHECK(in_scope("[scope]\nhosts = 127.0.0.1\n", "http://127.0.0.1:80/"));
    CHECK(!in_scope("[scope]\nhosts = .1\n", "http://127.0.0.1/"));
}

/* DNS has it so, and links write it now and then. */
static void
a_dot_behind_a_host_says_nothing(void)
{
    CHECK(in_scope("[scope]\ntld = be\n", "http://x.a.be./"));
    CHECK(in_scope("[scope]\ndomains = a.be\n", "http://a.be./"));
    CHECK(in_scope("[scope]\ndomains = a.be.\n", "http://x.a.be/"));
    CHECK(in_scope("[scope]\nhosts = .a.be\n", "http://x.a.be./"));
    CHECK(!in_scope("[scope]\ntld = nl\n", "http://x.a.be./"));
}

static void
a_host_with_a_dot_in_front_admits_all_under_it(void)
{
    const char *lists = "[scope]\nhosts = a.be .b.be\n";

    CHECK(in_scope(lists, "http://a.be/") && in_scope(lists, "http://b.be/"));
    CHECK(in_scope(lists, "http://www.b.be/"));
    CHECK(!in_scope(lists, "http://www.a.be/"));
    CHECK(!in_scope(lists, "http://ab.be/"));
}

static void
what_is_no_name_of_a_host_is_refused(void)
{
    static const char *const lists[] = {
        "hosts = a.be *.b.be", "tld = be ; Belgium",   "tld = *.be",
        "domains = a.be/",     "hosts = http://a.be/", "domains = a.be|b.be"};
    FILE *nowhere = fopen("/dev/null", "w");

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char ini[64];
        struct opts o;

        snprintf(ini, sizeof ini, "[scope]\n%s\n", lists[i]);
        opts_init(&o);
        o.faults = nowhere;
        CHECK(opts_read_text(&o, "test", str_c(ini)) == ST_USAGE);
        CHECK(o.scope_hosts.n + o.scope_tld.n + o.scope_domains.n == 0);
        opts_free(&o);
    }
    fclose(nowhere);
    CHECK(in_scope("[scope]\nhosts = [::1] 10.0.0.1 a_b.be\n",
                   "http://[::1]:80/"));
}

static void
every_wrong_list_is_named_and_not_all_of_a_long_one(void)
{
    struct buf ini = {0};
    char *said = NULL;
    size_t n = 0;
    struct opts o;

    opts_init(&o);
    o.faults = open_memstream(&said, &n);
    CHECK(o.faults != NULL);
    buf_c(&ini, "[scope]\ntld = b*\ndomains = a.be c|d.be e/f.be\nhosts =");
    for (int i = 0; i < 100; i++)
        buf_printf(&ini, " h%d/x", i);
    buf_c(&ini, "\nvisit = (\n");
    CHECK(opts_read_text(&o, "a.ini", buf_view(&ini)) == ST_USAGE);
    fclose(o.faults);
    CHECK(strstr(said, "a.ini:2: scope.tld = b*: not a host name: b* "
                       "(Only hosts under these top-level domains"));
    CHECK(strstr(said, "a.ini:3: scope.domains = "));
    CHECK(strstr(said, ": not a host name: c|d.be e/f.be "
                       "(Only hosts of these registered domains"));
    CHECK(strstr(said, "a.ini:4: scope.hosts = "));
    CHECK(strstr(said, " h18/x h19/x and 80 more (Only these hosts"));
    CHECK(strstr(said, "a.ini:5: scope.visit = ("));
    free(said);
    buf_free(&ini);
    opts_free(&o);
}

static void
what_is_excluded_is_out_whatever_admits_it(void)
{
    const char *ini = "[scope]\ntld = be\nexclude = a.be .b\xc3\xbc"
                      "cher.be\n";

    CHECK(!in_scope(ini, "http://a.be/") && !in_scope(ini, "http://x.a.be/"));
    CHECK(!in_scope(ini, "http://www.xn--bcher-kva.be/"));
    CHECK(in_scope(ini, "http://aa.be/") && !in_scope(ini, "http://aa.nl/"));
    CHECK(in_scope("[scope]\nexclude = a.be\n", "http://any.thing/"));
    CHECK(!in_scope("[scope]\nhosts = a.be\nexclude = be\n", "http://a.be./"));
}

static char *
written(char *template, struct str text)
{
    int fd = mkstemp(template);

    CHECK(write(fd, text.p, text.n) == (ssize_t)text.n);
    close(fd);
    return template;
}

/* An opt-out list as such lists come: with Windows' marks, or packed. */
static void
an_opt_out_list_excludes_domains_with_all_under_them(void)
{
    static const char packed[] =
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xd4\x4b\x4a\xe5"
        "\x02\x00\x5f\x18\x91\x91\x05\x00\x00\x00"; /* "a.be\n" */
    const struct str lists[] = {
        STR("\xef\xbb\xbf# opted out\r\nA.be\r\n\r\n.c.be # why\r\n"),
        {packed, sizeof packed - 1},
    };

    for (size_t i = 0; i < 2; i++) {
        char path[] = "/tmp/winnow_list_XXXXXX", ini[128];

        snprintf(ini, sizeof ini, "[scope]\ntld = be\nexclude_file = %s\n",
                 written(path, lists[i]));
        CHECK(!in_scope(ini, "http://www.a.be/"));
        CHECK(in_scope(ini, "http://b.be/"));
        CHECK(in_scope(ini, "http://x.c.be/") == (i == 1));
        unlink(path);
    }
}

/* A line that means nothing might be an opt-out that is not obeyed. */
static void
an_opt_out_list_with_other_lines_is_refused(void)
{
    char path[] = "/tmp/winnow_list_XXXXXX", ini[128];
    struct scope *s = NULL;
    struct buf said = {0};
    struct opts o;

    snprintf(ini, sizeof ini, "[scope]\nexclude_file = %s\n",
             written(path, S("a.be\nhttps://b.be/\nc.be d.be\n")));
    o = options(ini);
    log_capture(&said);
    CHECK(scope_open(&s, &o) == ST_USAGE && s == NULL);
    CHECK(str_has(buf_view(&said), S(":2: not a host name: https://b.be/")));
    CHECK(str_has(buf_view(&said), S(":3: not a host name: c.be d.be")));
    CHECK(str_has(buf_view(&said), S("scope.exclude_file: 2 lines")));
    unlink(path);
    CHECK(scope_open(&s, &o) == ST_USAGE);
    CHECK(str_has(buf_view(&said), str_c(path)));
    log_capture(NULL);
    buf_free(&said);
    opts_free(&o);
}

static void
visit_and_save_are_expressions_over_the_whole_url(void)
{
    const char *ini = "[scope]\ntld = be\nvisit = /docs/|\\.html$\n"
                      "save = \\.html$\n";
    struct opts o = options(ini);
    struct scope *s = NULL;

    CHECK(in_scope(ini, "http://x.be/docs/1"));
    CHECK(in_scope(ini, "http://x.be/a.html"));
    CHECK(!in_scope(ini, "http://x.be/a.txt"));
    CHECK(!in_scope(ini, "http://x.nl/docs/1"));
    CHECK(scope_open(&s, &o) == ST_OK);
    CHECK(scope_saves(s, S("http://x.be/a.html")));
    CHECK(!scope_saves(s, S("http://x.be/docs/1")));
    scope_close(s);
    opts_free(&o);
}

static const char *
refusal(const char *ini, const char *host, const char *address)
{
    struct opts o = options(ini);
    struct address_policy *p = NULL;
    struct sockaddr_storage a;
    enum verdict why = VERDICT_END;

    CHECK(hosts_file_address(str_c(address), &a));
    if (address_policy_open(&p, &o) == ST_OK)
        why = address_policy_refusal(p, str_c(host), (struct sockaddr *)&a);
    address_policy_close(p);
    opts_free(&o);
    return why == VERDICT_NONE ? "" : verdict_name(why);
}

#define CONTACT "[fetch]\nuser_agent = w/1 (+https://w.example/)\n"

static void
private_addresses_need_a_rule_that_names_them(void)
{
    static const struct {
        const char *allow, *host, *address, *why;
    } rows[] = {
        {"", "a.be", "93.184.216.34:80", ""},
        {"", "a.be", "10.0.0.1:80", "private_address"},
        {"", "a.be", "127.0.0.1:80", "private_address"},
        {"", "a.be", "169.254.169.254:80", "private_address"},
        {"", "a.be", "[::1]:80", "private_address"},
        {"", "a.be", "[::ffff:10.0.0.1]:80", "private_address"},
        {"", "a.be", "[fe80::1]:80", "private_address"},
        {"yes", "a.be", "10.0.0.1:80", ""},
        {"no", "a.be", "10.0.0.1:80", "private_address"},
        {"a.be", "a.be", "10.0.0.1:80", ""},
        {"a.be", "b.a.be", "10.0.0.1:80", "private_address"},
        {".a.be", "b.a.be", "10.0.0.1:80", ""},
        {"10.0.0.0/9", "a.be", "10.127.0.1:80", ""},
        {"10.0.0.0/9", "a.be", "10.128.0.1:80", "private_address"},
        {"10.0.0.0/9", "a.be", "[::ffff:10.1.0.1]:80", ""},
        {"fd00::/8", "a.be", "[fd12::1]:80", ""},
        {"127.0.0.1", "a.be", "127.0.0.1:80", ""},
        {"127.0.0.1", "a.be", "127.0.0.2:80", "private_address"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char ini[256];
        const char *why;

        snprintf(ini, sizeof ini, CONTACT "allow_private = %s\n",
                 rows[i].allow);
        why = refusal(ini, rows[i].host, rows[i].address);
        if (strcmp(why, rows[i].why) != 0)
            fprintf(stderr, "row %zu: %s\n", i, why);
        CHECK(strcmp(why, rows[i].why) == 0);
    }
}

static void
without_a_contact_url_only_loopback_is_contacted(void)
{
    CHECK(strcmp(refusal("", "a.be", "93.184.216.34:80"), "no_contact") == 0);
    CHECK(strcmp(refusal("[fetch]\nallow_private=yes\n", "a.be", "10.0.0.1:80"),
                 "no_contact") == 0);
    CHECK(refusal("[fetch]\nallow_private=yes\n", "a.be", "127.0.0.1:80")[0] ==
          '\0');
    CHECK(address_policy_has_contact(S("w/1 (+https://example.org/bot)")));
    CHECK(address_policy_has_contact(S("w mailto:me@example.org")));
    CHECK(!address_policy_has_contact(S("w/1 example.org")));
    CHECK(!address_policy_has_contact(S("w/1 (+http://)")));
}

static void
wrong_entries_of_allow_private_are_refused(void)
{
    CHECK(strcmp(refusal("[fetch]\nallow_private = 10.0.0.0/33\n", "a",
                         "127.0.0.1:1"),
                 "unknown") == 0);
}

static const char *
name_refusal(const char *ini, const char *host)
{
    struct address_policy *p = NULL;
    struct opts o;
    enum verdict why = VERDICT_NONE;

    opts_init(&o);
    CHECK(opts_read_text(&o, "test", str_c(ini)) == ST_OK);
    CHECK(address_policy_open(&p, &o) == ST_OK);
    why = address_policy_refuses_name(p, str_c(host));
    address_policy_close(p);
    opts_free(&o);
    return why == VERDICT_NONE ? "" : verdict_name(why);
}

/* Who looks the name up is a proxy, which may know it. */
static void
names_of_an_inner_network_need_a_rule_that_names_them(void)
{
    static const char *const inner[] = {"intranet", "a.local", "x.home.arpa",
                                        "db.internal", "a.lan"},
                             *const outer[] = {"a.be", "local.be", "xlan.de",
                                               "internal.example.org"};

    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++) {
        CHECK(strcmp(name_refusal(CONTACT, inner[i]), "private_address") == 0);
        CHECK(name_refusal(CONTACT "allow_private = yes\n", inner[i])[0] == 0);
    }
    for (size_t i = 0; i < sizeof outer / sizeof outer[0]; i++) {
        CHECK(name_refusal(CONTACT, outer[i])[0] == '\0');
        CHECK(strcmp(name_refusal("", outer[i]), "no_contact") == 0);
    }
    CHECK(name_refusal(CONTACT "allow_private = .local\n", "a.local")[0] == 0);
    CHECK(name_refusal(CONTACT "allow_private = .local\n", "a.lan")[0] != 0);
}

static enum status
open_hosts(struct hosts_file **out, const char *text)
{
    char path[] = "/tmp/winnow_hosts_XXXXXX";
    int fd = mkstemp(path);
    enum status st;

    CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    st = hosts_file_open(out, str_c(path));
    unlink(path);
    return st;
}

static void
a_hosts_file_maps_names_to_loopback_only(void)
{
    struct hosts_file *h = NULL;
    const struct sockaddr_storage *a;

    CHECK(open_hosts(&h,
                     "# lab\nB.example 127.0.0.1:8080 # here\n\n"
                     "a.example [::1]:81\nb.example 127.0.0.2:82\n") == ST_OK);
    CHECK(hosts_file_n(h) == 2);
    a = hosts_file_find(h, S("b.example"));
    CHECK(a != NULL && a->ss_family == AF_INET &&
          ((const struct sockaddr_in *)a)->sin_port == htons(82));
    CHECK(hosts_file_find(h, S("a.example")) != NULL);
    CHECK(hosts_file_find(h, S("c.example")) == NULL);
    hosts_file_close(h);
    CHECK(open_hosts(&h, "a 10.0.0.1:80\n") == ST_USAGE);
    CHECK(open_hosts(&h, "a 127.0.0.1\n") == ST_USAGE);
    CHECK(open_hosts(&h, "a\n") == ST_USAGE);
    CHECK(open_hosts(&h, "a 127.0.0.1:99999\n") == ST_USAGE);
    CHECK(open_hosts(&h, "a localhost:80\n") == ST_USAGE);
    CHECK(hosts_file_open(&h, S("/nowhere/hosts")) == ST_IO);
    CHECK(hosts_file_open(&h, S("/")) == ST_IO); /* opens, and is no file */
}

static void
ports_of_other_protocols_are_bad(void)
{
    static const uint16_t good[] = {80, 81, 443, 591, 8000, 8080, 8443, 65535},
                          bad[] = {0,    22,   25,   110,  993,
                                   5060, 6000, 6667, 10080};

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(!address_policy_bad_port(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(address_policy_bad_port(bad[i]));
}

static void
bad_seed_lines_are_skipped_and_counted(void)
{
    char path[] = "/tmp/winnow_seeds_XXXXXX", ini[128];
    const char *text = "\xef\xbb\xbfhttp://a.be\n# comment\n"
                       "http://b.be/x#y # why\nnot a url\nftp://c.be/\n"
                       "\thttp://b.be/\ta title\nhttp://a.be/\rhttp://b.be/\r\n"
                       "http://d.nl/\n\n";
    const char *flags[] = {"HTTP://E.be:80/../f", "::"};
    int fd = mkstemp(path);
    struct arena *a = arena_new();
    struct scope *s = NULL;
    struct seeds seeds;
    struct opts o;

    CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    snprintf(ini, sizeof ini, "[seeds]\nfile = %s\n[scope]\ntld = be\n", path);
    o = options(ini);
    CHECK(scope_open(&s, &o) == ST_OK);
    CHECK(seeds_read(&seeds, a, &o, flags, 2, s) == ST_OK);
    CHECK(seeds.n == 3 && seeds.bad == 6);
    CHECK(str_eq(seeds.link[0].url, S("http://a.be/")));
    CHECK(str_eq(seeds.link[1].url, S("http://b.be/x")));
    CHECK(str_eq(seeds.link[2].url, S("http://e.be/f")));
    CHECK(str_eq(seeds.link[2].domain, S("e.be")));
    unlink(path);
    CHECK(seeds_read(&seeds, a, &o, NULL, 0, s) == ST_IO);
    scope_close(s);
    opts_free(&o);
    arena_free(a);
}

static void
seeds_say_in_which_language_their_paths_are(void)
{
    const char *flags[] = {"http://x.be/dans-les-alpes-et-les-iles",
                           "http://x.be/over-the-hills-and-far-away",
                           "http://x.be/"};
    struct arena *a = arena_new();
    struct opts o = options("[clean]\nlanguage = fr\n");
    struct link_words_model *words;
    struct scope *s = NULL;
    struct seeds seeds;

    CHECK(scope_open(&s, &o) == ST_OK);
    CHECK(link_words_open(&words, &o) == ST_OK);
    CHECK(seeds_read(&seeds, a, &o, flags, 3, s) == ST_OK && seeds.n == 3);
    CHECK(seeds.link[0].words == LINK_WORDS_NONE);
    seeds_read_words(&seeds, words);
    CHECK(seeds.link[0].words == LINK_WORDS_WANTED_SURE);
    CHECK(seeds.link[1].words == LINK_WORDS_OTHER_SURE);
    CHECK(seeds.link[2].words == LINK_WORDS_NONE);
    link_words_close(words);
    scope_close(s);
    opts_free(&o);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(any_list_admits_a_host_and_no_list_admits_all),
        TEST(the_widest_of_equal_names_counts),
        TEST(a_dot_behind_a_host_says_nothing),
        TEST(a_host_with_a_dot_in_front_admits_all_under_it),
        TEST(what_is_no_name_of_a_host_is_refused),
        TEST(every_wrong_list_is_named_and_not_all_of_a_long_one),
        TEST(what_is_excluded_is_out_whatever_admits_it),
        TEST(an_opt_out_list_excludes_domains_with_all_under_them),
        TEST(an_opt_out_list_with_other_lines_is_refused),
        TEST(visit_and_save_are_expressions_over_the_whole_url),
        TEST(private_addresses_need_a_rule_that_names_them),
        TEST(without_a_contact_url_only_loopback_is_contacted),
        TEST(wrong_entries_of_allow_private_are_refused),
        TEST(names_of_an_inner_network_need_a_rule_that_names_them),
        TEST(a_hosts_file_maps_names_to_loopback_only),
        TEST(ports_of_other_protocols_are_bad),
        TEST(bad_seed_lines_are_skipped_and_counted),
        TEST(seeds_say_in_which_language_their_paths_are),
        {0},
    };

    return test_main(table, argc, argv);
}
