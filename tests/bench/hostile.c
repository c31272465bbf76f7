/* Pages made to be slow: bench_hostile [--mib N] [--limit RATIO] [PAGE...]
 *
 * Each is N MiB (10) of one thing: what a byte of it costs in the whole chain,
 * against what a byte of ordinary pages costs (PAGE..., preset the pages of
 * tests/cases/clean).  Both in CPU time of the thread, best of three, and the
 * ordinary ones measured once more after the others, so that a busy machine
 * disturbs little.  A page over the RATIO (3) makes the exit code 1.  Behind
 * that the most its arena held, in MiB, and "memory" when clean.memory_mib was
 * not enough. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clean/cleaner/cleaner.h"
#include "page_set.h"
#include "seconds.h"

#define ROUNDS 3

struct hostile {
    const char *name;
    const char *head;   /* once */
    const char *repeat; /* the rest */
    const char *tail;   /* at the end */
};

#define TIMES_8(text) text text text text text text text text

static const struct hostile pages[] = {
    {"<", "<body>", "<", ""},
    {"< with blanks", "<body>", "< ", ""},
    {"</", "<body>", "</", ""},
    {"&", "<body>", "&", ""},
    {"entities", "<body>", "&amp;", ""},
    {"entities without ;", "<body>", "&notit", ""},
    {"numeric entities", "<body>", "&#x1F600;", ""},
    {"unknown entities", "<body>", "&abcdefghij", ""},
    {"digits of one entity", "<body>&#", "9", ""},
    {"comments", "<body>", "<!-- a -->", ""},
    {"comment starts", "<body>", "<!--", ""},
    {"an open comment", "<body><!--", "-", ""},
    {"dashes and bangs", "<body><!--", "--!", ""},
    {"bogus comments", "<body>", "<?", ">"},
    {"CDATA", "<body><svg>", "<![CDATA[ ]]>", ""},
    {"<div>", "<body>", "<div>", ""},
    {"<div> with text", "<body>", "<div>a", ""},
    {"nested <b>", "<body>", "<b>", ""},
    {"<b><p> crossed", "<body>", "<b><p></b>", ""},
    {"nested <a>", "<body>", "<a href=x>y", ""},
    {"nested <font> blocks", "<body>", "<font><div>a</font>", ""},
    {"nested lists", "<body>", "<ul><li>a", ""},
    {"nested tables", "<body>", "<table><tr><td>a", ""},
    {"<table> alone", "<body>", "<table>", ""},
    {"<td> alone", "<body><table>", "<td>", ""},
    {"definition lists", "<body><dl>", "<dt>a<dd>b", ""},
    {"<select><option>", "<body>", "<select><option>a", ""},
    {"nested quotes", "<body>", "<blockquote>a", ""},
    {"<q>", "<body>", "<q>a", ""},
    {"end tags", "<body>", "</div>", ""},
    {"end tags, unknown", "<body>", "</x>", ""},
    {"unknown elements", "<body>", "<x-y>a", ""},
    {"<p> in 200 spans", "<body>", "<span>a<p>", ""},
    {"<br>", "<body>", "a<br>", ""},
    {"<script>", "<body>", "<script>", ""},
    {"scripts", "<body>", "<script>a</script>", ""},
    {"escaped scripts", "<body><script><!--", "<script>", ""},
    {"<style>", "<body>", "<style>", ""},
    {"<title>", "", "<title>a", ""},
    {"<textarea>", "<body>", "<textarea>", ""},
    {"</title in a title", "<title>", "</titl", ""},
    {"<svg>", "<body>", "<svg>", ""},
    {"<math><mi>", "<body>", "<math><mi>", ""},
    {"<noscript>", "<body>", "<noscript>abc ", ""},
    {"<plaintext>", "<body>", "<plaintext>", ""},
    {"<meta>", "", "<meta name=a content=b>", ""},
    {"<base>", "", "<base href=a>", ""},
    {"charset=", "<meta content=\"", "charset", "\">"},
    {"a tag name", "<body><", "a", ">"},
    {"an open tag", "<body><a ", "b ", ""},
    {"attributes", "<body><a ", "a=b ", ">"},
    {"attributes, all new", "<body><a ", NULL, ">"},
    {"an attribute name", "<body><a ", "b", ">"},
    {"an attribute value", "<body><a href=\"", "b", "\">x</a>"},
    {"an open value", "<body><a href=\"", "b", ""},
    {"quotes", "<body><a ", "\"", ">"},
    {"quotes in values", "<body><a ", "b='\"' ", ">"},
    {"=", "<body><a ", "=", ">"},
    {"/", "<body><a ", "/", ">"},
    {"a class of words", "<body><p class=\"", "nav ", "\">x"},
    {"classes", "<body>", "<p class=a>b", ""},
    {"style", "<body><p style=\"", "display", "\">x"},
    {"itemprop", "<body><p itemprop=\"", "article", "\">x"},
    {"rel", "<body><a href=x rel=\"", "no ", "\">x"},
    {"links", "<body>", "<a href=/a>b</a> ", ""},
    {"links, deep", "<body>", "<a href=/a/b/../../c/d/>b</a> ", ""},
    {"a link of dots", "<body><a href=\"/", "../", "\">x"},
    {"one line", "<body><p>", "word ", ""},
    {"brackets", "<body><p>", "[", ""},
    {"shortcodes", "<body><p>", "[gallery]x", ""},
    {"what may be shortcodes", "<body><p>",
     TIMES_8(TIMES_8(TIMES_8("[aa b=c"))) "] ", ""},
    {"one word", "<body><p>", "w", ""},
    {"different words", "<body><p>", NULL, ""},
    {"blanks", "<body><p>", " ", ""},
    {"line ends", "<body><p>", "\n", ""},
    {"CR", "<body><p>", "\r", ""},
    {"paragraphs", "<body>", "<p>One sentence of some words. ", ""},
    {"sentences", "<body><p>", "It is. ", ""},
    {"digits", "<body><p>", "1", ""},
    {"dates", "<body><p>", "1.2.2003 ", ""},
    {"@", "<body><p>", "@", ""},
    {"addresses", "<body><p>", "a@b.example ", ""},
    {"URLs", "<body><p>", "http://b.example/ ", ""},
    {"apostrophes", "<body><p>", "a'", ""},
    {"hyphens", "<body><p>", "a-", ""},
    {"dots", "<body><p>", ".", ""},
    {"marks", "<body><p>a", "\xcc\x81", ""},
    {"marks, mixed", "<body><p>a", "\xcc\x81\xcc\xa7", ""},
    {"Han", "<body><p>", "\xe4\xb8\xad", ""},
    {"Thai", "<body><p>", "\xe0\xb8\x81", ""},
    {"Arabic", "<body><p>", "\xd8\xa7 ", ""},
    {"twice encoded", "<body><p>", "\xc3\x83\xc2\xa4", ""},
    {"twice escaped", "<body><p>", "&amp;amp;", ""},
    {"tags as text", "<body><p>", "&lt;b>", ""},
    {"code", "<body><p>One sentence of some words.", "<pre>a b;</pre>", ""},
    {"lines of code", "<body><pre>", "<div class=line>a b;</div>", ""},
    {"code without <pre>", "<body><div class=fragment>",
     "<div class=line>a b;</div>", ""},
    {"marks of notes", "<body><p>a", "<sup><a href=#n>1</a></sup> b ", ""},
    {"notes", "<body><p>a<sup><a href=#n>1</a></sup>", "<p id=n>1 b", ""},
    {"notes amid text", "<body><p>", "a<span class=ltx_note_outer>b</span> ",
     ""},
    {"authors", "<body><p>",
     "<b class=author><a href=/u/1>b</a> c</b> <a href=/u/2>d</a> ", ""},
    {"raised numbers", "<body><p>", "1<sup>2</sup>", ""},
    {"zero width", "<body><p>", "\xe2\x80\x8b", ""},
    {"NUL", "<body><p>", NULL, ""},
    {"bad UTF-8", "<body><p>", "\xff", ""},
    {"some bad UTF-8", "<meta charset=utf-8><body><p>", "\xc3\xa4\xff", ""},
    {"cut UTF-8", "<meta charset=utf-8><body><p>", "\xf0\x90\x80", ""},
    {"no charset", "<body><p>", "\xe4\xf6 ", ""},
    {"Shift_JIS", "<meta charset=shift_jis><p>", "\x83\x65", ""},
    {"windows-1252", "<meta charset=windows-1252><p>", "\xe4", ""},
};

static void
fill(struct buf *b, const struct hostile *h, size_t n)
{
    buf_clear(b);
    buf_c(b, h->head);
    for (unsigned i = 0; b->n < n; i++)
        if (h->repeat != NULL)
            buf_c(b, h->repeat);
        else if (strcmp(h->name, "NUL") == 0)
            buf_char(b, '\0');
        else if (strcmp(h->name, "different words") == 0)
            buf_printf(b, "w%cx%cy%cz%c ", 'a' + i % 26, 'a' + i / 26 % 26,
                       'a' + i / 676 % 26, 'a' + i / 17576 % 26);
        else
            buf_printf(b, "a%u ", i);
    buf_c(b, h->tail);
}

struct cost {
    double ns; /* of CPU, a byte */
    size_t held;
    bool too_much;
};

/* Of these pages, best of ROUNDS. */
static struct cost
cost_of(const struct cleaner *c, const struct str *page, size_t n)
{
    struct cost cost = {0};
    struct arena *a = arena_new();
    double best = 0, bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += (double)page[i].n;
    for (int round = 0; round < ROUNDS; round++) {
        double from = seconds(CLOCK_THREAD_CPUTIME_ID), ns;

        for (size_t i = 0; i < n; i++) {
            struct document d = {.arena = a,
                                 .url_text = S("http://a.example/b/c"),
                                 .bytes = page[i],
                                 .content_type = S(""),
                                 .x_robots_tag = S(""),
                                 .robots_agent = S("winnow")};

            if (cleaner_run(c, &d, true) != ST_OK)
                abort();
            cost.too_much |= d.reject == VERDICT_MEMORY;
            arena_reset(a);
        }
        ns = (seconds(CLOCK_THREAD_CPUTIME_ID) - from) * 1e9;
        if (round == 0 || ns < best)
            best = ns;
        if (best > 5e9) /* slow enough to know */
            break;
    }
    cost.held = arena_high(a);
    cost.ns = best / bytes;
    arena_free(a);
    return cost;
}

/* How many are over the limit. */
static int
run(const struct cleaner *c, const struct page_set *ordinary, size_t mib,
    double limit)
{
    double base = cost_of(c, ordinary->bytes, ordinary->n).ns, again;
    enum { PAGES = sizeof pages / sizeof *pages };
    struct cost cost[PAGES];
    struct buf b = {0};
    int over = 0;

    for (size_t i = 0; i < PAGES; i++) {
        struct str page;

        fill(&b, &pages[i], mib << 20);
        page = buf_view(&b);
        cost[i] = cost_of(c, &page, 1);
    }
    buf_free(&b);
    again = cost_of(c, ordinary->bytes, ordinary->n).ns;
    base = again > base ? again : base; /* the machine got busier */
    printf("%-24s %7.2f ns/byte\n", "ordinary pages", base);
    for (size_t i = 0; i < PAGES; i++) {
        printf("%-24s %7.2f ns/byte %6.2f %6.1f MiB%s%s\n", pages[i].name,
               cost[i].ns, cost[i].ns / base, (double)cost[i].held / (1 << 20),
               cost[i].too_much ? " memory" : "",
               cost[i].ns > limit * base ? " OVER" : "");
        over += cost[i].ns > limit * base;
    }
    return over;
}

int
main(int argc, char **argv)
{
    static char preset[] = "tests/cases/clean";
    struct page_set ordinary;
    struct cleaner *cleaner;
    struct opts o;
    double limit = 3;
    size_t mib = 10;
    int at = 1, over;

    page_set_init(&ordinary);
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
        if (strcmp(argv[at], "--mib") == 0)
            mib = strtoul(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--limit") == 0)
            limit = strtod(argv[at + 1], NULL);
        else
            return fprintf(stderr, "bench_hostile: %s?\n", argv[at]), 2;
    if (at == argc && !page_set_add(&ordinary, preset))
        return 2;
    for (; at < argc; at++)
        if (!page_set_add(&ordinary, argv[at]))
            return 2;
    opts_init(&o);
    if (opts_read_env(&o) != ST_OK || cleaner_open(&cleaner, &o) != ST_OK)
        return 2;
    over = run(cleaner, &ordinary, mib, limit);
    cleaner_close(cleaner);
    opts_free(&o);
    page_set_free(&ordinary);
    if (over > 0)
        printf("%d over %.1f times an ordinary page\n", over, limit);
    return over > 0;
}
