/* Whole pages through the whole chain: cases/clean/LANGUAGE-NAME.html, and in
 * .expect the reason to reject (or "kept") and the text, compared whole.
 *
 * A bug in the chain adds a pair.  The pages are written for this test. */
#include <dirent.h>

#include "base/file.h"
#include "clean/cleaner/cleaner.h"
#include "test.h"

#define FOLDER "tests/cases/clean"

static struct buf
contents(const char *path)
{
    struct buf b = {0};

    CHECK(file_read(&b, path, SIZE_MAX) == ST_OK);
    return b;
}

static struct buf
cleaned(struct str page, struct str language, struct str type)
{
    struct opts o;
    struct cleaner *cleaner = NULL;
    struct document d = {.url_text = S("http://a.example/dir/page.html"),
                         .bytes = page,
                         .content_type = type,
                         .x_robots_tag = S(""),
                         .robots_agent = S("winnow")};
    struct buf out = {0};

    opts_init(&o);
    o.clean_language.item = &language;
    o.clean_language.n = 1;
    CHECK(cleaner_open(&cleaner, &o) == ST_OK);
    if (cleaner != NULL) {
        d.arena = arena_new();
        CHECK(cleaner_run(cleaner, &d, true) == ST_OK);
        buf_printf(&out, "%s\n", verdict_name(d.reject));
        document_text(&d, &out);
        arena_free(d.arena);
    }
    cleaner_close(cleaner);
    o.clean_language.item = NULL;
    o.clean_language.n = 0;
    opts_free(&o);
    return out;
}

static void
run_case(struct str name)
{
    char path[512];
    struct buf page, expected, got;

    snprintf(path, sizeof path, FOLDER "/%.*s", STRF(name));
    page = contents(path);
    snprintf(path, sizeof path, FOLDER "/%.*s.expect",
             STRF(str_sub(name, 0, name.n - 5)));
    expected = contents(path);
    got = cleaned(buf_view(&page), str_sub(name, 0, 2), S("text/html"));
    if (!str_eq(buf_view(&got), buf_view(&expected))) {
        fprintf(stderr, "%s: got\n%.*s\n", path, STRF(buf_view(&got)));
        test_failed++;
    }
    buf_free(&page);
    buf_free(&expected);
    buf_free(&got);
}

static void
every_page_gives_its_expected_text(void)
{
    DIR *dir = opendir(FOLDER);
    struct dirent *entry;
    int n = 0;

    CHECK(dir != NULL);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        struct str name = str_c(entry->d_name);

        if (!str_ends(name, S(".html")))
            continue;
        run_case(name);
        n++;
    }
    CHECK(n >= 9);
    if (dir != NULL)
        closedir(dir);
}

/* A page of XHTML whose elements have this prefix: "", "h:" ... */
static struct buf
xhtml(const char *p)
{
    struct buf b = {0};
    struct str colon = str_c(p);

    buf_printf(&b,
               "<?xml version='1.0'?>\n<!DOCTYPE html [<!ENTITY x 'y>'>]>\n"
               "<%shtml xmlns%s%.*s='http://www.w3.org/1999/xhtml'><%shead>"
               "<%stitle>De titel</%stitle></%shead><%sbody>"
               "<%sh1>De kop</%sh1><%sscript src='x'/>",
               p, colon.n > 0 ? ":" : "", (int)(colon.n > 0 ? colon.n - 1 : 0),
               p, p, p, p, p, p, p, p, p);
    for (int i = 0; i < 9; i++)
        buf_printf(&b,
                   "<%sp>Het huis aan de dijk is van een man die daar al lang "
                   "woont, &lt;h:b&gt; en 1 %d keer.</%sp>\n",
                   p, i, p);
    buf_printf(&b, "</%sbody></%shtml>", p, p);
    return b;
}

static void
a_prefix_of_xhtml_changes_nothing(void)
{
    const struct str type = S("application/xhtml+xml"), nl = S("nl");
    struct buf page = xhtml(""), plain = cleaned(buf_view(&page), nl, type);
    static const char *const prefixes[] = {"h:", "html:", "x-1:"};

    CHECK(memmem(plain.p, plain.n, "\nDe kop\nHet huis", 16) != NULL);
    CHECK(memmem(plain.p, plain.n, "<h:b> en", 8) != NULL);
    for (int i = 0; i < 3; i++) {
        struct buf other = xhtml(prefixes[i]),
                   got = cleaned(buf_view(&other), nl, type);

        CHECK(str_eq(buf_view(&got), buf_view(&plain)));
        buf_free(&other);
        buf_free(&got);
    }
    buf_free(&page);
    buf_free(&plain);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(every_page_gives_its_expected_text),
        TEST(a_prefix_of_xhtml_changes_nothing),
        {0},
    };

    return test_main(table, argc, argv);
}
