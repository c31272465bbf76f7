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
cleaned(struct str page, struct str language)
{
    struct opts o;
    struct cleaner *cleaner = NULL;
    struct document d = {.url_text = S("http://a.example/dir/page.html"),
                         .bytes = page,
                         .content_type = S("text/html"),
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
    got = cleaned(buf_view(&page), str_sub(name, 0, 2));
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

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(every_page_gives_its_expected_text),
        {0},
    };

    return test_main(table, argc, argv);
}
