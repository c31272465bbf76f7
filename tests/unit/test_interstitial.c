/* Pages sent in place of others, told by header fields and structure:
 * tests/cases/interstitial/ holds an example of each kind and what must not be
 * taken for one (a line with the class, then the response). */
#include <dirent.h>

#include "base/file.h"
#include "clean/cleaner/cleaner.h"
#include "clean/interstitial/interstitial.h"
#include "test.h"

#define FOLDER "tests/cases/interstitial"

struct example {
    struct str class, headers, body;
    uint32_t status;
};

static struct example
parse(struct str text)
{
    struct example e = {0};
    struct str line;
    uint64_t status = 0;

    str_cut(&text, '\n', &e.class);
    str_cut(&text, '\n', &line);
    CHECK(str_u64(str_sub(line, 9, 12), &status));
    e.status = (uint32_t)status;
    e.headers = str_n(text.p, 0);
    while (str_cut(&text, '\n', &line) && line.n > 0)
        e.headers.n = (size_t)(text.p - e.headers.p);
    e.body = text;
    return e;
}

static void
each(void (*run)(const char *name, const struct example *e))
{
    struct dirent *entry;
    struct buf text = {0};
    DIR *dir = opendir(FOLDER);
    size_t n = 0;

    CHECK(dir != NULL);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[512];
        struct example e;

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
        CHECK(file_read(&text, path, SIZE_MAX) == ST_OK);
        e = parse(buf_view(&text));
        run(entry->d_name, &e);
        n++;
    }
    CHECK(n >= 49);
    buf_free(&text);
    if (dir != NULL)
        closedir(dir);
}

static struct cleaner *cleaner;

/* Through the whole chain, as an offline job sees it. */
static void
clean_one(const char *name, const struct example *e)
{
    struct arena *a = arena_new();
    struct document d = {.arena = a,
                         .origin = {.headers = e->headers},
                         .url_text = S("http://a.example/"),
                         .bytes = e->body,
                         .content_type = S("text/html")};
    bool none = str_eq(e->class, S("none")), good;

    if (e->status == 402) { /* there is no status inside the chain */
        arena_free(a);
        return;
    }
    CHECK(cleaner_run(cleaner, &d, false) == ST_OK);
    good = none ? verdict_kind(d.reject) != VERDICT_KIND_SUBSTITUTED
                : str_eq(str_c(verdict_name(d.reject)), e->class);
    if (!good)
        fprintf(stderr, "%s: %s\n", name, verdict_name(d.reject));
    CHECK(good);
    arena_free(a);
}

static void
the_chain_rejects_them_by_their_class(void)
{
    struct opts o;

    opts_init(&o);
    CHECK(opts_set(&o, "test", S("clean.language=nl")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.data=data")) == ST_OK);
    CHECK(cleaner_open(&cleaner, &o) == ST_OK);
    each(clean_one);
    cleaner_close(cleaner);
    opts_free(&o);
}

/* As the crawler sees what came with another status than 200. */
static void
tell_one(const char *name, const struct example *e)
{
    struct interstitial_page p = {
        .status = e->status, .headers = e->headers, .body = e->body};
    enum verdict r = interstitial_of(&p);

    if (e->status == 200 || str_eq(e->class, S("none")))
        return;
    if (!str_eq(str_c(verdict_name(r)), e->class))
        fprintf(stderr, "%s: %s\n", name, verdict_name(r));
    CHECK(str_eq(str_c(verdict_name(r)), e->class));
}

static void
a_status_that_is_no_200_needs_no_cleaning(void)
{
    each(tell_one);
}

static void
long_text_and_many_links_are_no_interstitial(void)
{
    struct interstitial_page p = {
        .body = S("<script>_cf_chl_opt</script>"), .chars = 3000, .links_n = 8};

    CHECK(interstitial_of(&p) == VERDICT_CHALLENGE);
    p.chars = 3001;
    CHECK(interstitial_of(&p) == VERDICT_NONE);
    p.chars = 3000;
    p.links_n = 9;
    CHECK(interstitial_of(&p) == VERDICT_NONE);
    p.headers = S("X: y\r\nCf-Mitigated: challenge\r\n");
    CHECK(interstitial_of(&p) == VERDICT_CHALLENGE);
}

static void
a_captcha_beside_anything_else_is_none(void)
{
    struct interstitial_page p = {.body = S("<div class=\"h-captcha\"></div>"),
                                  .chars = 600};

    CHECK(interstitial_of(&p) == VERDICT_CHALLENGE);
    p.chars = 601;
    CHECK(interstitial_of(&p) == VERDICT_NONE);
    p.chars = 600;
    p.links_n = 3;
    CHECK(interstitial_of(&p) == VERDICT_NONE);
}

/* In a page of 0 to 40 bytes before and behind it. */
static void
stands_anywhere(enum verdict class, struct str text)
{
    char page[512];

    CHECK(text.n + 80 <= sizeof page);
    for (size_t before = 0; before <= 40; before++)
        for (size_t behind = 0; behind <= 40; behind += 8) {
            struct interstitial_page p = {
                .body = str_n(page, before + text.n + behind)};

            memset(page, '/', sizeof page); /* as many signatures begin */
            memcpy(page + before, text.p, text.n);
            CHECK(interstitial_of(&p) == class);
            page[before + text.n - 1] ^= 1;
            CHECK(interstitial_of(&p) != class);
        }
}

static void
a_signature_is_found_wherever_it_stands(void)
{
#define HEADER(class, name, value)
#define MARKUP(class, text) stands_anywhere(VERDICT_##class, S(text));
#define WIDGET(class, text) stands_anywhere(VERDICT_##class, S(text));
#include "clean/interstitial/interstitial.tbl.h"
#undef HEADER
#undef MARKUP
#undef WIDGET
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_chain_rejects_them_by_their_class),
        TEST(a_status_that_is_no_200_needs_no_cleaning),
        TEST(long_text_and_many_links_are_no_interstitial),
        TEST(a_captcha_beside_anything_else_is_none),
        TEST(a_signature_is_found_wherever_it_stands),
        {0},
    };

    return test_main(table, argc, argv);
}
