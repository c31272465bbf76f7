/* What happens when memory runs out: guards, limits of arenas, pages that are
 * given up, and libwinnow (compiled into this test) under every single failure.
 *
 * This program is linked with --wrap: calls of malloc() and its like, and of
 * memory_fail(), from our code come here first. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/url/url.h"
#include "clean/cleaner/cleaner.h"
#include "clean/cleaner/cleaner_chain.h"
#include "test.h"
#include "winnow/clean.h"

/* ---- failures to order ---- */

#define ABSURD ((size_t)1 << 40) /* a sanitizer would end the program */

static size_t malloc_fails_at; /* counts down to the one that fails; 0: none */
static bool malloc_failed;
static size_t failed_n; /* bytes that memory_fail() was called with */

static bool
fails(void)
{
    if (malloc_fails_at == 0 || --malloc_fails_at > 0)
        return false;
    malloc_failed = true;
    return true;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
_Noreturn void __real_memory_fail(enum status why, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
_Noreturn void __wrap_memory_fail(enum status why, size_t n);

void *
__wrap_malloc(size_t n)
{
    return fails() || n > ABSURD ? NULL : __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

void
__wrap_memory_fail(enum status why, size_t n)
{
    failed_n = n;
    __real_memory_fail(why, n);
}

/* ---- guards, arenas, buffers ---- */

struct depth {
    struct arena *a;
    size_t n;
    enum status inner;
};

static enum status
allocate(void *self)
{
    struct depth *d = self;

    memset(arena_raw(d->a, d->n), 'x', d->n);
    return ST_OK;
}

static enum status
inside(void *self)
{
    struct depth *d = self;

    d->inner = memory_guarded(allocate, d);
    return allocate(d);
}

static void
a_guard_ends_the_function_that_found_no_memory(void)
{
    struct depth d = {.a = arena_new(), .n = 100};

    CHECK(memory_guarded(inside, &d) == ST_OK && d.inner == ST_OK);
    arena_limit(d.a, 100);
    CHECK(memory_guarded(allocate, &d) == ST_LIMIT);
    CHECK(memory_guarded(inside, &d) == ST_LIMIT && d.inner == ST_LIMIT);
    arena_limit(d.a, 112);
    CHECK(memory_guarded(allocate, &d) == ST_OK); /* 100 is 112 */
    arena_limit(d.a, SIZE_MAX);
    d.n = SIZE_MAX / 4;
    CHECK(memory_guarded(allocate, &d) == ST_NOMEM);
    d.n = SIZE_MAX - 3;
    CHECK(memory_guarded(allocate, &d) != ST_OK);
    d.n = 10;
    CHECK(memory_guarded(inside, &d) == ST_OK);
    arena_free(d.a);
}

struct owned {
    char order[8];
    struct memory_held held[2];
    struct arena *lives_on;
};

static void
release_first(void *self)
{
    strcat(((struct owned *)self)->order, "1");
}

static void
release_second(void *self)
{
    strcat(((struct owned *)self)->order, "2");
}

/* Leaves an arena, a buffer and a block to whoever ends it. */
static enum status
owns_much(void *self)
{
    struct owned *o = self;
    struct buf b = {0};

    memory_hold(&o->held[0], release_first, o);
    memory_hold(&o->held[1], release_second, o);
    buf_c(&b, "text");
    memory_free(memory_need(memory_try(10)));
    (void)arena_new();
    b.p = memory_resize(b.p, 100000);
    memory_fail(ST_NOMEM, 1);
}

static enum status
returns(void *self)
{
    struct owned *o = self;

    memory_hold(&o->held[0], release_first, o);
    o->lives_on = arena_new();
    return ST_INVALID;
}

static void
what_a_guard_owns_is_given_back_when_the_function_is_ended(void)
{
    struct owned o = {0};

    CHECK(memory_owned(owns_much, &o) == ST_NOMEM);
    CHECK(strcmp(o.order, "21") == 0); /* the latest first */
    CHECK(memory_owned(returns, &o) == ST_INVALID);
    CHECK(strcmp(o.order, "21") == 0);
    CHECK(arena_raw(o.lives_on, 100) != NULL);
    arena_free(o.lives_on);
    memory_hold(&o.held[0], release_first, &o); /* outside: nothing */
    memory_let_go(&o.held[0]);
}

static void
a_limit_counts_what_was_asked_for(void)
{
    struct arena *a = arena_new();
    char *p;

    CHECK(arena_try(a, (size_t)1 << 20) != NULL);
    arena_reset(a);
    arena_limit(a, 4096); /* though there is a chunk of a megabyte */
    CHECK(arena_try(a, 4097) == NULL && arena_used(a) == 0);
    CHECK((p = arena_try(a, 4096)) != NULL && arena_try(a, 1) == NULL);
    CHECK(arena_try_grow(a, p, 4096, 4097) == NULL);
    CHECK(arena_grow(a, p, 4096, 16) == p && arena_used(a) == 16);
    CHECK(arena_try_grow(a, p, 16, 4096) == p);
    CHECK(arena_high(a) == (size_t)1 << 20);
    arena_free(a);
}

static void
a_buffer_may_lie_in_an_arena(void)
{
    struct arena *a = arena_new();
    struct buf b = {.arena = a};
    struct str s;

    for (int i = 0; i < 1000; i++)
        buf_printf(&b, "%d,", i);
    s = buf_keep(&b);
    CHECK(s.n == 3890 && strcmp(s.p + s.n - 4, "999,") == 0);
    CHECK(b.n == 0 && b.arena == a && arena_used(a) < 12000);
    arena_limit(a, 100);
    CHECK(!buf_try_reserve(&b, 1000) && b.n == 0);
    arena_free(a);
}

/* ---- URLs ---- */

static void
a_url_over_the_limit_takes_no_memory(void)
{
    static char path[9000];
    struct arena *a = arena_new();
    struct url base, u;
    size_t before;

    memset(path, 'p', sizeof path);
    memcpy(path, "http://a.example/", 17);
    path[sizeof path - 2] = '/';
    CHECK(url_parse(&base, a, str_n(path, sizeof path - 1), NULL) == ST_OK);
    before = arena_used(a);
    for (int i = 0; i < 1000; i++)
        CHECK(url_parse_max(&u, a, S("x"), &base, 2048) == ST_LIMIT);
    CHECK(url_parse_max(&u, a, str_n(path, 5000), NULL, 2048) == ST_LIMIT);
    CHECK(arena_used(a) == before);
    CHECK(url_parse_max(&u, a, S("/x"), &base, 2048) == ST_OK);
    CHECK(str_eq(u.href, S("http://a.example/x")));
    CHECK(url_parse_max(&u, a, str_n(path, 2048), NULL, 2048) == ST_OK &&
          u.href.n == 2048 && u.href.p[2048] == '\0');
    arena_free(a);
}

static void
a_url_of_a_megabyte_is_none(void)
{
    static char text[1 << 20];
    struct arena *a = arena_new();
    struct url u;

    memset(text, 'u', sizeof text);
    memcpy(text, "http://a.example/", 17);
    CHECK(url_parse(&u, a, str_n(text, sizeof text), NULL) == ST_LIMIT);
    memset(text + 20, '\n', sizeof text - 20);
    CHECK(url_parse(&u, a, str_n(text, 60000), NULL) == ST_OK);
    CHECK(arena_high(a) < 100000);
    arena_free(a);
}

/* ---- pages ---- */

static struct cleaner *
cleaner_of(struct opts *o, const char *setting)
{
    struct cleaner *c = NULL;

    opts_init(o);
    if (setting != NULL)
        CHECK(opts_set(o, "test", str_c(setting)) == ST_OK);
    CHECK(cleaner_open(&c, o) == ST_OK);
    return c;
}

static struct document
page_of(struct arena *a, struct str html)
{
    return (struct document){.arena = a,
                             .url_text = S("http://a.example/b/c"),
                             .bytes = html,
                             .content_type = S("text/html"),
                             .x_robots_tag = S(""),
                             .robots_agent = S("winnow")};
}

/* A base of n bytes and links that are relative to it: 2 GB of links once. */
static void
fill_base_bomb(struct buf *b, size_t n, int links)
{
    buf_c(b, "<base href='http://a.example/");
    for (size_t i = 0; i < n; i++)
        buf_char(b, 'b');
    buf_c(b, "/'><a href=/near>x</a>");
    for (int i = 0; i < links; i++)
        buf_c(b, "<a href=a>");
}

static void
a_long_base_does_not_come_once_a_link(void)
{
    static const size_t base_bytes[] = {2000, 2100, 8150, 9000, 600000};
    struct arena *a = arena_new();
    struct opts o;
    struct cleaner *c = cleaner_of(&o, NULL);

    for (size_t i = 0; i < sizeof base_bytes / sizeof *base_bytes; i++) {
        struct document d;
        struct buf b = {0};
        bool fits = base_bytes[i] < 2048;

        fill_base_bomb(&b, base_bytes[i], 9000);
        d = page_of(a, buf_view(&b));
        d.link_bytes_max = 2048;
        CHECK(cleaner_run(c, &d, true) == ST_OK);
        CHECK(d.reject == VERDICT_SHORT || d.reject == VERDICT_EMPTY);
        CHECK(d.links_n == (fits ? 9001 : 0));
        CHECK(d.links_n + d.links_dropped == 9001);
        CHECK(arena_used(a) < (size_t)24 << 20);
        arena_reset(a);
        buf_free(&b);
    }
    cleaner_close(c);
    opts_free(&o);
    arena_free(a);
}

static void
a_page_over_its_budget_is_rejected_and_the_next_one_is_not(void)
{
    struct arena *a = arena_new();
    struct opts o;
    struct cleaner *c = cleaner_of(&o, "clean.memory_mib=1");
    struct buf b = {0};
    struct document d;

    for (int i = 0; i < 20000; i++)
        buf_printf(&b, "<p>Een zin %d van <a href=/x%d>een paar</a> woorden.",
                   i, i);
    d = page_of(a, buf_view(&b));
    d.link_bytes_max = 100;
    CHECK(cleaner_run(c, &d, false) == ST_OK && d.reject == VERDICT_MEMORY);
    CHECK(d.blocks_n == 0 && d.links_n == 0 && d.tokens_n == 0);
    CHECK(str_eq(d.bytes, buf_view(&b)) && d.arena == a && d.url_text.n == 20);
    CHECK(arena_used(a) < b.n + ((size_t)1 << 20));
    CHECK(strcmp(verdict_name(d.reject), "memory") == 0);
    arena_reset(a);
    d = page_of(a, str_sub(buf_view(&b), 0, 3000));
    CHECK(cleaner_run(c, &d, false) == ST_OK && d.reject != VERDICT_MEMORY);
    CHECK(d.blocks_n > 40 && d.links_n > 40);
    cleaner_close(c);
    opts_free(&o);
    arena_free(a);
    buf_free(&b);
}

/* ---- every failure ---- */

static const char html[] =
    "<!DOCTYPE html><html lang=nl><title>De molen &amp; meer - Dorp</title>"
    "<meta name=description content='Over de molen'><meta name=robots "
    "content=all><base href='/sub/'><link rel=canonical href='x?y=\xc3\xa4'>"
    "<nav><a href='/nieuws'>Nieuws</a> <a href='/agenda'>Agenda</a></nav>"
    "<p class='text main'>De molen aan de rand van het dorp is gebouwd in het "
    "begin van de achttiende eeuw en werd tot kort na de oorlog gebruikt om "
    "graan te malen voor de boeren in de omgeving, zoals <a rel=nofollow "
    "href='http://other.example/x#f'>hier</a> staat &euro; cafe\xcc\x81.</p>"
    "<p>Wie met een groep wil komen, moet dat van tevoren laten weten aan "
    "molen@dorp.example #molen. Het is niet mogelijk om met een rolstoel naar "
    "boven te gaan, want de trap is te smal. &amp;lt;b> </p><p>Wie met een "
    "groep wil komen, moet dat van tevoren laten weten. The colour of the "
    "theatre is a favourite of the neighbours, they realise.</p>"
    "<p>\xe4\xb8\xad\xe6\x96\x87\xe7\xbd\x91\xe9\xa1\xb5\xe4\xb8\xad\xe6\x96"
    "\x87<p>\xe0\xb8\xa0\xe0\xb8\xb2\xe0\xb8\xa9\xe0\xb8\xb2\xe0\xb9\x84\xe0"
    "\xb8\x97\xe0\xb8\xa2<p>\xc3\x83\xc2\xa4\xc3\x83\xc2\xb6\xc3\x83\xc2\xbc"
    "\xc3\x83\xc2\xa4<noscript>Niets</noscript>";
static const char sjis[] = "<meta charset=shift_jis><title>\x83\x65</title><p>"
                           "\x83\x65\x83\x58\x83\x67 a <a href='/\x83\x65'>b";
static const char latin[] = "<p>\xe4\xf6\xfc Stra\xdf"
                            "e <a href='http://\xe4.example/?q=\xe4&#13;'>x";

static const char *const all_stages[] = {
    "clean.mojibake=on",
    "clean.ascii_art=on",
    "clean.cleanse=tags emails uris hashtags",
    "clean.english=american",
    "clean.find_title=find",
    "clean.duplicates=text",
    "clean.word_break=dictionary",
    "clean.pipe=cat",
    "clean.boilerplate_regex=Agenda",
    "clean.language=nl de en",
    "output.xml_metrics=on",
    NULL};

static struct winnow_cleaner *
library(const char *const *options)
{
    struct winnow_cleaner *c = NULL;
    char error[512];

    if (winnow_cleaner_open(&c, options, error, sizeof error) != WINNOW_OK)
        fprintf(stderr, "%s\n", error);
    CHECK(c != NULL);
    return c;
}

/* Clean, and render all formats; the first status that is not WINNOW_OK. */
static int
use(struct winnow_cleaner *c, const char *bytes, size_t n)
{
    static const char *const formats[] = {
        "xml",    "jsonl",    "vertical", "cwb",      "wet",
        "text",   "links",    "index",    "tokens",   "metrics",
        "tender", "shingles", "page",     "markdown", "tei"};
    struct winnow_page *p = NULL;
    const char *record;
    int code = winnow_clean(c, bytes, n, "http://a.example/b", "text/html",
                            "noarchive", &p);

    CHECK((p != NULL) == (code == WINNOW_OK));
    if (p != NULL && strcmp(winnow_page_summary(p)->reject, "memory") == 0)
        CHECK(winnow_page_block(p, 0) == NULL &&
              winnow_page_link(p, 0) == NULL);
    for (size_t i = 0; code == WINNOW_OK && i < 13; i++) {
        code = winnow_page_record(p, formats[i], &record, NULL);
        if (code == WINNOW_OK)
            CHECK(record != NULL);
    }
    winnow_page_free(p);
    return code;
}

/* Every call of malloc(), calloc() and realloc() fails once.  What leaks, the
 * leak sanitizer tells at the end. */
static void
every_malloc_fails(struct winnow_cleaner *c, const char *bytes, size_t n)
{
    int code = WINNOW_NOMEM;

    CHECK(use(c, bytes, n) == WINNOW_OK); /* threads have their things */
    for (size_t i = 1; i < 10000; i++) {
        malloc_failed = false;
        malloc_fails_at = i;
        code = use(c, bytes, n);
        malloc_fails_at = 0;
        if (!malloc_failed)
            break;
        CHECK(code == WINNOW_OK || code == WINNOW_NOMEM);
    }
    CHECK(!malloc_failed && code == WINNOW_OK);
}

struct chain_run {
    const struct chain *chain;
    struct document d;
};

static enum status
run_chain(void *self)
{
    struct chain_run *r = self;

    return chain_run(r->chain, &r->d, true);
}

/* Every allocation of the page's arena is over its limit once. */
static void
every_limit_is_met(const struct cleaner *c, struct str bytes)
{
    struct chain_run r = {.chain = cleaner_chain(c)};
    struct arena *a = arena_new();
    size_t limit = 0, n = 0;
    enum status st;

    for (;; n++) {
        r.d = page_of(a, bytes);
        arena_limit(a, limit);
        st = memory_guarded(run_chain, &r);
        if (st != ST_LIMIT)
            break;
        CHECK(arena_used(a) <= limit);
        limit = arena_used(a) + ((failed_n + 15) & ~(size_t)15);
        arena_reset(a);
    }
    CHECK(st == ST_OK && n > 50);
    arena_free(a);
}

static void
a_page_may_end_at_any_allocation(void)
{
    struct opts o;
    struct cleaner *c;

    opts_init(&o);
    for (const char *const *s = all_stages; *s != NULL; s++)
        CHECK(opts_set(&o, "test", str_c(*s)) == ST_OK);
    CHECK(cleaner_open(&c, &o) == ST_OK);
    every_limit_is_met(c, S(html));
    every_limit_is_met(c, S(sjis));
    every_limit_is_met(c, S(latin));
    cleaner_close(c);
    opts_free(&o);
}

static void
a_host_of_the_library_survives_every_failure(void)
{
    struct winnow_cleaner *c = library(all_stages);

    every_malloc_fails(c, html, sizeof html - 1);
    every_malloc_fails(c, sjis, sizeof sjis - 1);
    every_malloc_fails(c, latin, sizeof latin - 1);
    winnow_cleaner_close(c);
    c = library(NULL);
    every_malloc_fails(c, html, sizeof html - 1);
    winnow_cleaner_close(c);
}

/* Every call of malloc() and its like fails once while a cleaner is opened; how
 * many there were.  `wrong`: an option that is refused when there is memory. */
static size_t
every_malloc_of_opening_fails(const char *const *options, bool wrong)
{
    struct winnow_cleaner *c = NULL;
    char error[64];

    for (size_t i = 1;; i++) {
        int code;

        malloc_failed = false;
        malloc_fails_at = i;
        code = winnow_cleaner_open(&c, options, error, sizeof error);
        malloc_fails_at = 0;
        CHECK((c == NULL) == (code != WINNOW_OK));
        winnow_cleaner_close(c);
        if (!malloc_failed) {
            CHECK(code == (wrong ? WINNOW_USAGE : WINNOW_OK));
            return i;
        }
        CHECK(code == WINNOW_NOMEM || code == WINNOW_OK || wrong);
        CHECK((error[0] == '\0') == (code == WINNOW_OK));
    }
}

/* Nothing of it is lost: the leak sanitizer looks at once. */
static void
opening_a_cleaner_survives_every_failure_and_leaves_nothing(void)
{
    static const char *const texrex[] = {
        "clean.features=texrex", "clean.network=none",
        "clean.cleanse=tags emails", "clean.duplicates=bytes", NULL};
    static const char *const wrong[] = {"clean.language=nl xx",
                                        "clean.boilerplate_regex=(", NULL};
    static const char *const no_language[] = {"clean.language=nl xx", NULL};

    CHECK(every_malloc_of_opening_fails(all_stages, false) > 40);
    every_malloc_of_opening_fails(texrex, false);
    every_malloc_of_opening_fails(wrong, true);
    every_malloc_of_opening_fails(no_language, true);
#ifdef __SANITIZE_ADDRESS__
    CHECK(__lsan_do_recoverable_leak_check() == 0);
#endif
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_guard_ends_the_function_that_found_no_memory),
        TEST(what_a_guard_owns_is_given_back_when_the_function_is_ended),
        TEST(a_limit_counts_what_was_asked_for),
        TEST(a_buffer_may_lie_in_an_arena),
        TEST(a_url_over_the_limit_takes_no_memory),
        TEST(a_url_of_a_megabyte_is_none),
        TEST(a_long_base_does_not_come_once_a_link),
        TEST(a_page_over_its_budget_is_rejected_and_the_next_one_is_not),
        TEST(a_page_may_end_at_any_allocation),
        TEST(a_host_of_the_library_survives_every_failure),
        TEST(opening_a_cleaner_survives_every_failure_and_leaves_nothing),
        {0}};

    return test_main(table, argc, argv);
}
