/* test_outlinks.c -- aim: of the links of a page the frontier hears of those
 * that the operator's options leave.  Method: documents by hand. */
#include "crawler/admit/outlinks.h"

#include "base/buf.h"
#include "test.h"

static struct opts
options(const char *ini)
{
    struct opts o;

    opts_init(&o);
    CHECK(opts_read_text(&o, "test", str_c(ini)) == ST_OK);
    return o;
}

static void
authority_and_host_are_cut_out_of_a_canonical_url(void)
{
    CHECK(str_eq(outlink_authority(S("http://u:p@a.be:81/x@y")), S("a.be:81")));
    CHECK(str_eq(outlink_host(S("http://u:p@a.be:81/x@y")), S("a.be")));
    CHECK(str_eq(outlink_host(S("http://[::1]/")), S("[::1]")));
    CHECK(str_eq(outlink_host(S("http://[::1]:8080/")), S("[::1]")));
    CHECK(str_eq(outlink_host(S("http://a1/")), S("a1")));
}

/* A document with links as the cleaner gives them. */
static struct outlinks
links_and_canonical(struct arena *a, const char *ini, uint32_t depth,
                    bool page_nofollow, struct str canonical)
{
    static struct block blocks[2] = {{.boilerplate = 0.9f},
                                     {.boilerplate = 0.1f}};
    struct opts o = options(ini);
    struct scope *s = NULL;
    struct document d = {.arena = a, .blocks = blocks, .blocks_n = 2};
    struct outlinks out;
    struct link l[] = {
        {.url = STR("http://x.be/1"), .block_i = 0},
        {.url = STR("http://x.be/1"), .block_i = 1},
        {.url = STR("http://x.be/2"), .block_i = 2},
        {.url = STR("http://x.be/3"), .block_i = 0, .nofollow = true},
        {.url = STR("http://x.nl/4"), .block_i = 0},
        {.url = STR("http://x.be/0123456789012345678901234567890123456789"
                    "01234567890123456789012345678901234567890123456789")},
    };

    d.links = l;
    d.links_n = sizeof l / sizeof l[0];
    d.meta.nofollow = page_nofollow;
    d.url.host = S("x.be");
    d.canonical_other = canonical;
    CHECK(scope_open(&s, &o) == ST_OK);
    outlinks_of(&out, &d, s, NULL, &o, depth);
    scope_close(s);
    opts_free(&o);
    return out;
}

static struct outlinks
links_of(struct arena *a, const char *ini, uint32_t depth, bool page_nofollow)
{
    return links_and_canonical(a, ini, depth, page_nofollow, S(""));
}

static void
the_canonical_page_is_an_outlink(void)
{
    const char *ini = "[scope]\ntld = be\n";
    struct arena *a = arena_new();
    struct outlinks out =
        links_and_canonical(a, ini, 0, false, S("http://x.be/c"));

    CHECK(out.n == 4 && str_eq(out.link[3].url, S("http://x.be/c")));
    CHECK(out.link[3].relation == LINK_SAME_HOST);
    out = links_and_canonical(a, ini, 0, false, S("http://www.x.be/c"));
    CHECK(out.n == 4 && out.link[3].relation == LINK_SAME_DOMAIN);
    out = links_and_canonical(a, ini, 0, false, S("http://x.be/2"));
    CHECK(out.n == 3);
    out = links_and_canonical(a, ini, 0, false, S("http://x.nl/c"));
    CHECK(out.n == 3 && out.out_of_scope == 2);
    CHECK(links_and_canonical(a, ini, 0, true, S("http://x.be/c")).n == 0);
    arena_free(a);
}

/* The outlinks of a page on www.x.be that stands in four languages. */
static size_t
alternates_of(struct outlinks *out, struct arena *a, const char *ini)
{
    static struct link in[] = {
        {.url = STR("http://www.x.be/nl"), .language = STR("nl-be")},
        {.url = STR("http://x.be/fr"), .language = STR("fr")},
        {.url = STR("http://y.be/pt"), .language = STR("pt_br")},
        {.url = STR("http://www.x.nl/nl"), .language = STR("nl")}};
    struct document d = {.arena = a, .alternates = in, .alternates_n = 4};
    struct opts o = options(ini);
    struct scope *s = NULL;

    d.url.host = S("www.x.be");
    d.canonical_other = S("http://www.x.be/c");
    CHECK(scope_open(&s, &o) == ST_OK);
    outlinks_of(out, &d, s, NULL, &o, 0);
    scope_close(s);
    opts_free(&o);
    return out->n;
}

static void
a_page_in_a_wanted_language_is_an_outlink(void)
{
    struct arena *a = arena_new();
    struct outlinks out;

    CHECK(alternates_of(&out, a,
                        "[scope]\ntld = be\n[clean]\n"
                        "language = nl pt\n") == 3);
    CHECK(out.out_of_scope == 1);
    CHECK(str_eq(out.link[0].url, S("http://www.x.be/nl")));
    CHECK(str_eq(out.link[0].language, S("nl-be")));
    CHECK(out.link[0].relation == LINK_SAME_HOST);
    CHECK(str_eq(out.link[1].url, S("http://y.be/pt")));
    CHECK(out.link[1].relation == LINK_EXTERNAL);
    CHECK(str_eq(out.link[2].url, S("http://www.x.be/c")));
    CHECK(alternates_of(&out, a, "[scope]\ntld = be\n") == 4);
    CHECK(out.link[1].relation == LINK_SAME_DOMAIN);
    CHECK(alternates_of(&out, a, "[clean]\nlinks = same_domain\n") == 1);
    CHECK(alternates_of(&out, a, "[clean]\nlinks =\n") == 0);
    arena_free(a);
}

static void
outlinks_are_filtered_and_keep_their_best_place(void)
{
    const char *ini = "[scope]\ntld = be\n[frontier]\nurl_size_max = 64\n"
                      "[limits]\ndepth = 2\n";
    struct arena *a = arena_new();
    struct outlinks out = links_of(a, ini, 1, false);

    CHECK(out.n == 2 && out.found == 6);
    CHECK(out.nofollow == 1 && out.out_of_scope == 1 && out.too_long == 1 &&
          out.repeated == 1);
    CHECK(out.link[0].boilerplate < 0.2f);
    CHECK(out.link[1].boilerplate >= 1);
    CHECK(str_eq(out.link[1].domain, S("x.be")));
    CHECK(links_of(a, ini, 2, false).n == 0);
    CHECK(links_of(a, ini, 0, true).n == 0);
    out = links_of(a, "[scope]\ntld = be\n[clean]\nnofollow = off\n", 0, true);
    CHECK(out.n == 3 && out.nofollow == 1); /* that link's own */
    arena_free(a);
}

static void
a_login_or_a_listing_is_one_outlink(void)
{
    struct arena *a = arena_new();
    struct link links[] = {{.url = STR("http://x.be/login?next=/a")},
                           {.url = STR("http://x.be/login?next=/b")},
                           {.url = STR("http://x.be/list?next=/b")},
                           {.url = STR("http://x.be/f/?C=N;O=D")},
                           {.url = STR("http://x.be/f/?C=S;O=A")}};
    struct document d = {.arena = a, .links = links, .links_n = 5};
    struct opts o = options("");
    struct scope *s = NULL;
    struct outlinks out;

    CHECK(scope_open(&s, &o) == ST_OK);
    outlinks_of(&out, &d, s, NULL, &o, 0);
    CHECK(out.n == 3 && out.repeated == 2);
    CHECK(str_eq(out.link[0].url, S("http://x.be/login")));
    CHECK(str_eq(out.link[1].url, links[2].url));
    CHECK(str_eq(out.link[2].url, S("http://x.be/f/")));
    scope_close(s);
    opts_free(&o);
    arena_free(a);
}

static void
many_links_are_bounded(void)
{
    struct arena *a = arena_new();
    struct document d = {.arena = a};
    struct opts o = options("");
    struct scope *s = NULL;
    struct outlinks out;

    d.links_n = 100000;
    d.links = ARENA_ARRAY(a, struct link, d.links_n);
    for (uint32_t i = 0; i < d.links_n; i++)
        d.links[i].url = arena_printf(a, "http://x.be/%u", i);
    CHECK(scope_open(&s, &o) == ST_OK);
    outlinks_of(&out, &d, s, NULL, &o, 0);
    CHECK(out.n == OUTLINKS_MAX);
    CHECK(out.over == 100000 - OUTLINKS_MAX);
    scope_close(s);
    opts_free(&o);
    arena_free(a);
}

static void
outlinks_say_in_which_language_their_words_are(void)
{
    struct arena *a = arena_new();
    struct link links[] = {
        {.url = STR("http://x.be/dans-les-alpes-et-les-iles")},
        {.url = STR("http://x.be/p"), .anchor = STR("over the hills and far")},
        {.url = STR("http://x.be/q")}};
    struct document d = {.arena = a, .links = links, .links_n = 3};
    struct opts o = options("[clean]\nlanguage = fr\n");
    struct link_words_model *words;
    struct scope *s = NULL;
    struct outlinks out;

    CHECK(scope_open(&s, &o) == ST_OK);
    CHECK(link_words_open(&words, &o) == ST_OK);
    outlinks_of(&out, &d, s, words, &o, 0);
    CHECK(out.n == 3);
    CHECK(out.link[0].words == LINK_WORDS_WANTED_SURE);
    CHECK(out.link[1].words == LINK_WORDS_OTHER_SURE);
    CHECK(out.link[2].words == LINK_WORDS_NONE);
    link_words_close(words);
    scope_close(s);
    opts_free(&o);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(authority_and_host_are_cut_out_of_a_canonical_url),
        TEST(the_canonical_page_is_an_outlink),
        TEST(a_page_in_a_wanted_language_is_an_outlink),
        TEST(outlinks_are_filtered_and_keep_their_best_place),
        TEST(a_login_or_a_listing_is_one_outlink),
        TEST(many_links_are_bounded),
        TEST(outlinks_say_in_which_language_their_words_are),
        {0},
    };

    return test_main(table, argc, argv);
}
