/* Aim: signs of traps are seen in URLs that have them and not in ordinary ones;
 * sessions are told from words; patterns of operators match what they say.
 * Method: tables of examples. */
#include <time.h>

#include "frontier/features/listing_order.h"
#include "frontier/features/pattern.h"
#include "frontier/features/return_url.h"
#include "frontier/features/trap.h"
#include "test.h"

static void
signs_of_traps_are_seen(void)
{
    static const struct {
        const char *rest;
        enum trap trap;
    } table[] = {
        {"/", TRAP_NONE},
        {"/2019/05/12/bericht.html", TRAP_NONE},
        {"/1834/03/chronik", TRAP_NONE},
        {"/a/b/c/d/e/f/g/h/index.html", TRAP_NONE},
        {"/en/news/en/archive", TRAP_NONE},
        {"/news/?page=12", TRAP_NONE},
        {"/index.php?id=4&lang=nl&sort=date", TRAP_NONE},
        {"/artikel?date=2019-05-01", TRAP_NONE},
        {"/wiki/Month?title=week", TRAP_NONE},
        {"/bilder/Haus.JPG", TRAP_FILE},
        {"/export/list.mbox.gz?thread=7", TRAP_FILE},
        {"/wiki/Datei:Haus.jpg", TRAP_NONE},
        {"/wiki/File%3AHouse.jpg", TRAP_NONE},
        {"/wiki/Tiedosto%3atalo.jpg", TRAP_NONE},
        {"/wiki/Node.js", TRAP_NONE},
        {"/papers/a.pdf", TRAP_NONE},
        {"/a.zip/", TRAP_NONE},
        {"/get?file=a.zip", TRAP_NONE},
        {"/jpg", TRAP_NONE},
        {"/.gz", TRAP_NONE},
        {"/a/b/a/b/a/b", TRAP_SEGMENTS},
        {"/x/css/css/css/index.html", TRAP_SEGMENTS},
        {"/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r", TRAP_DEEP},
        {"/events/2031/05/", TRAP_CALENDAR},
        {"/events/2031-05-07", TRAP_CALENDAR},
        {"/events/2031-05-07/day", TRAP_CALENDAR},
        {"/room/2099", TRAP_NONE},
        {"/room/2099/1200", TRAP_NONE},
        {"/agenda?month=5&year=2019", TRAP_CALENDAR},
        {"/agenda?tribe-bar-date=2019-05-01", TRAP_CALENDAR},
        {"/agenda/?ical=1", TRAP_CALENDAR},
        {"/log?from=2025-03-11T12%3A00Z&precision=second", TRAP_CALENDAR},
        {"/log?days=30&until=2025-03-11", TRAP_CALENDAR},
        {"/trip?from=bern&start=30", TRAP_NONE},
        {"/letters?from=1912-weimar", TRAP_NONE},
        {"/shop?a=1&b=2&c=3&d=4&e=5&f=6&g=7", TRAP_QUERY},
        {"/shop?f[]=1&f[]=2&f[]=3", TRAP_QUERY},
        {"/rate?tid=26&rating=5&my_post_key=b7930961af99a00984f7", TRAP_ACT},
        {"/vote/7?authenticity_token=aGVs%2Bbm8%3D&up=1", TRAP_ACT},
        {"/?p=git.git;a=blob;f=a.c;hb=HEAD", TRAP_NONE},
        {"/?p=git.git;a=blobdiff;f=a.c;h=1;hp=2;hb=3;hpb=4", TRAP_QUERY},
        {"/cal.pl?mode=list;month=5;year=2019", TRAP_CALENDAR},
        {"/suche?q=sommer;month=5;winter", TRAP_NONE}, /* one text */
        {"/suche?q=x;month=5&page=2", TRAP_NONE},
        {"/thread/7?_csrf=", TRAP_NONE},
        {"/login?back=%252Flogin%253Fback%253D%2525", TRAP_QUERY},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        enum trap t = trap_of(str_c(table[i].rest), 2026);

        if (t != table[i].trap)
            fprintf(stderr, "%s: %s\n", table[i].rest, trap_name(t));
        CHECK(t == table[i].trap);
    }
}

static void
a_trap_lowers_and_never_drops(void)
{
    for (int t = 0; t < TRAP_N; t++) {
        CHECK(trap_priority((enum trap)t, 0) == 0);
        CHECK(trap_priority((enum trap)t, 1) == 1);
        for (unsigned p = 1; p < 65535; p += 977) {
            uint16_t left = trap_priority((enum trap)t, (uint16_t)p);

            CHECK(left >= 1 && left <= p);
            CHECK(t == TRAP_NONE ? left == p : left <= 1 + p / 8);
        }
        CHECK(trap_name((enum trap)t) && trap_meaning((enum trap)t));
    }
    CHECK(trap_year(1764000000000) == 2025);
}

static void
sessions_are_told_from_words(void)
{
    static const char *const table[][2] = {
        /* the URL, and what is left of it; NULL: it has none */
        {"http://a.test/", NULL},
        {"http://a.test/?s=suchwort", NULL},
        {"http://a.test/?s=donaudampfschifffahrt", NULL},
        {"http://a.test/?sid=12345678901234567890", NULL},
        {"http://a.test/?id=0a1b2c3d4e5f60718293a4b5c6d7e8f9", NULL},
        {"http://a.test/a;v=1/b", NULL},
        {"http://a.test/rate?t=2&my_post_key=b79&r=5",
         "http://a.test/rate?t=2&r=5"},
        {"http://a.test/?PHPSESSID=abc123", "http://a.test/"},
        {"http://a.test/?a=1&PHPSESSID=abc123&b=2", "http://a.test/?a=1&b=2"},
        {"http://a.test/?sid=0a1b2c3d4e5f60718293a4b5&x=", "http://a.test/?x="},
        {"http://a.test/p.jsp;jsessionid=0A1B.n1?x=1",
         "http://a.test/p.jsp?x=1"},
        {"http://a.test/p;jsessionid=0A1B/q", "http://a.test/p/q"},
        {"http://a.test/(S(lit3py55t21z5v55vlm25s55))/o.aspx",
         "http://a.test/o.aspx"},
        {"http://a.test/(S((S(lit3py55t21z5v55vlm25s55))/o.aspx", NULL},
        {"http://a.test/(S(a/(s(lit3py55t21z5v55vlm25s55))/o.aspx",
         "http://a.test/(S(a/o.aspx"},
        {"http://a.test/(S(lit3py55t21z5v55vlm25s55)/o.aspx", NULL},
        {"http://a.test/(S(lit3py55t21z5v55vlm25s55", NULL},
        {"http://a.test/?utm_source=x&utm_medium=y", "http://a.test/"},
        {"http://a.test/?q=1&fbclid=z", "http://a.test/?q=1"},
        {"http://a.test/?a&&b&gclid=1", "http://a.test/?a&&b"},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        bool found = trap_without_session(&out, str_c(table[i][0]), true);

        CHECK(found == (table[i][1] != NULL));
        if (found && !str_eq(buf_view(&out), str_c(table[i][1])))
            fprintf(stderr, "%s: %.*s\n", table[i][0], STRF(buf_view(&out)));
        CHECK(!found || str_eq(buf_view(&out), str_c(table[i][1])));
    }
    buf_free(&out);
}

static void
the_return_url_of_a_login_is_left_out(void)
{
    static const char *const table[][2] = {
        {"http://a.test/?a=1&b=2", NULL},
        {"http://a.test/login/?next=/a/7", "http://a.test/login/"},
        {"http://a.test/wp-login.php?redirect_to=http%3A%2F%2Fa.test&x=1",
         "http://a.test/wp-login.php?x=1"},
        {"http://a.test/u.php?mode=login&redirect=%2Ft.php",
         "http://a.test/u.php?mode=login"},
        {"http://a.test/w?title=Anmelden&returnto=Garten",
         "http://a.test/w?title=Anmelden"},
        {"http://a.test/Konto?ReturnUrl=%2fa", "http://a.test/Konto"},
        {"http://a.test/registers/1820?from=31", NULL},
        {"http://a.test/register?from=31", NULL},
        {"http://a.test/go?url=http://b.test/", NULL},
        {"http://a.test/Special:UserLogin?from=/a",
         "http://a.test/Special:UserLogin"},
        {"http://a.test/loginform?from=/a", "http://a.test/loginform"},
        {"http://a.test/sign-in?from=/a", "http://a.test/sign-in"},
        {"http://a.test/designing?from=/a", NULL},
        {"http://a.test/registered-charities?from=/x", NULL},
        {"http://a.test/registeredusers?from=/x", NULL},
        {"http://a.test/registers?from=/x", NULL},
        {"http://a.test/registering-a-death?from=/x", NULL},
        {"http://a.test/registeruser?from=/x", "http://a.test/registeruser"},
        {"http://a.test/login-server?from=/x", "http://a.test/login-server"},
        {"http://a.test/catalog-index?url=/b", NULL},
        {"http://a.test/blog-in-english?next=/b", NULL},
        {"http://a.test/?tag=blogindex&next=/b", NULL},
        {"http://a.test/liste?next=/b", NULL},
        {"http://a.test/login/hilfe?next=/b", NULL},
        {"http://a.test/q?s=a+login+of+more+than+thirty+bytes&url=/b", NULL},
    };
    struct buf out = {0};

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        bool found = return_url_without(&out, str_c(table[i][0]));

        CHECK(found == (table[i][1] != NULL));
        CHECK(!found || str_eq(buf_view(&out), str_c(table[i][1])));
    }
    buf_free(&out);
}

/* Half a million beginnings of sessions, and of parameters: a look at each that
 * reads all that follows takes minutes, one that does not takes milliseconds.
 */
static void
a_hostile_url_is_read_once(void)
{
    struct buf url = {0}, out = {0};
    clock_t start = clock();

    buf_c(&url, "http://a.test");
    for (int i = 0; i < 500000; i++)
        buf_c(&url, "/(S(");
    CHECK(!trap_without_session(&out, buf_view(&url), true));
    buf_c(&url, "?gclid=1");
    for (int i = 0; i < 500000; i++)
        buf_c(&url, "&a");
    CHECK(trap_without_session(&out, buf_view(&url), true));
    CHECK(out.n == url.n - 8);
    CHECK(clock() - start < 20 * CLOCKS_PER_SEC);
    buf_free(&url);
    buf_free(&out);
}

static void
patterns_match_what_they_say(void)
{
    static const struct {
        const char *pattern, *url;
        bool matches;
    } table[] = {
        {"a.test", "http://a.test/x", true},
        {"A.Test", "http://a.test:8080/x", true},
        {"a.test", "http://b.a.test/x", false},
        {"a.test:8080", "http://a.test:8080/", true},
        {"a.test:8080", "http://a.test/", false},
        {".a.test", "http://b.a.test/x", true},
        {".a.test", "http://a.test/x", true},
        {".a.test", "http://ba.test/x", false},
        {"*.test", "http://b.a.test/x", true},
        {"shop*.test", "http://shop12.test/", true},
        {"shop*.test", "http://b.shop12.test/", false},
        {"http://a.test/x*", "http://a.test/x/y?z", true},
        {"http://a.test/x*", "http://a.test/X", false},
        {"*/calendar/*", "https://c.test/calendar/2020", true},
        {"*/calendar/*", "https://c.test/calendars/2020", false},
        {"*a*b*c*", "http://xxaxxbxx.test/c", false},
        {"*/*a*b*c", "http://t.test/xxaxxbxxbc", true},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        CHECK(pattern_url(str_c(table[i].pattern), str_c(table[i].url)) ==
              table[i].matches);
    CHECK(pattern_good(S("a.test")) && !pattern_good(S("")));
    CHECK(!pattern_good(S("a b")));
    CHECK(str_eq(pattern_single(S("http://a.test:80/x*")), S("a.test:80")));
    CHECK(str_eq(pattern_single(S("a.test")), S("a.test")));
    CHECK(pattern_single(S("http://*.test/x")).n == 0);
    CHECK(pattern_single(S("*/x")).n == 0 && pattern_single(S(".a")).n == 0);
}

static void
the_listing_of_a_folder_has_one_order(void)
{
    static const char *const table[][2] = {
        {"http://a.x/?C=N;O=D", "http://a.x/"},
        {"http://a.x/b/c/?C=M&O=A", "http://a.x/b/c/"},
        {"http://a.x/b/?C=X;O=A", NULL},
        {"http://a.x/b/?C=N;O=B", NULL},
        {"http://a.x/b/?C=N,O=A", NULL},
        {"http://a.x/b?C=N;O=A", NULL},
        {"http://a.x/b/?p=1&C=N;O=A", NULL},
        {"http://a.x/b/", NULL},
        {"?C=N;O=A", NULL}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct str out = S("as it was");
        bool found = listing_order_without(&out, str_c(table[i][0]));

        CHECK(found == (table[i][1] != NULL));
        CHECK(str_eq(out, found ? str_c(table[i][1]) : S("as it was")));
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(signs_of_traps_are_seen),
        TEST(a_trap_lowers_and_never_drops),
        TEST(sessions_are_told_from_words),
        TEST(the_return_url_of_a_login_is_left_out),
        TEST(the_listing_of_a_folder_has_one_order),
        TEST(a_hostile_url_is_read_once),
        TEST(patterns_match_what_they_say),
        {0}};

    return test_main(table, argc, argv);
}
