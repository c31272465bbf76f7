/* Recorded webs: names, bytes and back, files that are refused; folders of
 * sites and which file answers which URL. */
#include "../../crawler/lab/site.h"
#include "../../crawler/lab/web_about.h"
#include "../../crawler/lab/web_file.h"
#include "base/log.h"
#include "folder.h"
#include "lab_make.h"

/* ---- names ---- */

static void
a_name_keeps_its_number_while_thousands_come(void)
{
    struct intern t;
    char name[32];
    bool fresh, good = true;

    intern_init(&t);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "name %u", i);
        good = good && intern_add(&t, str_c(name), &fresh) == i && fresh;
    }
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "name %u", i);
        good = good && intern_find(&t, str_c(name)) == i &&
               intern_add(&t, str_c(name), &fresh) == i && !fresh;
    }
    CHECK(good);
    CHECK(intern_find(&t, S("another")) == INTERN_NONE);
    intern_free(&t);
}

/* ---- files ---- */

static struct web *
some_web(void)
{
    struct web *w = web_new();
    uint32_t page = make_page(w, "http://a.nl/", VERDICT_NONE),
             b = make_missing(w, "http://b.nl/gone");
    struct fingerprint f = {.shingles_n = 9, .values_n = FINGERPRINT_SIZE};

    for (uint32_t i = 0; i < FINGERPRINT_SIZE; i++)
        f.value[i] = i * 77;
    w->page[page].fingerprint = web_add_fingerprint(w, &f);
    w->page[b].status = 301;
    w->page[b].location = intern_add(&w->texts, S("http://a.nl/"), NULL);
    w->page[b].target = page;
    make_links(w, page, 2, "http://b.nl/gone", "http://a.nl/unknown");
    w->link[0].boilerplate = 0.375F;
    w->link[0].path = intern_add(&w->texts, str_n("\0\1\2\3", 4), NULL);
    w->link[0].language = intern_add(&w->texts, S("pt-br"), NULL);
    w->link[0].within = LINK_IN_NAV | LINK_IN_FORM;
    w->page[page].language = w->link[0].language;
    w->page[page].badness_best = 1.5F;
    make_robots(w, "a.nl", "User-agent: *\n");
    web_add_seed(w, page);
    make_done(w);
    return w;
}

static void
a_web_comes_back_from_its_file_byte_for_byte(void)
{
    struct web *w = some_web(), *again = NULL;
    struct buf one = {0}, two = {0};

    CHECK(web_file_write(w, in_folder("web")) == ST_OK);
    CHECK(web_file_read(&again, in_folder("web")) == ST_OK);
    web_pack(w, &one);
    if (again != NULL)
        web_pack(again, &two);
    CHECK(str_eq(buf_view(&one), buf_view(&two)));
    CHECK(again != NULL && again->link[0].boilerplate == 0.375F &&
          again->fingerprint[0].value[3] == 231);
    CHECK(again != NULL &&
          str_eq(web_text(again, again->link[0].path), str_n("\0\1\2\3", 4)) &&
          str_eq(web_text(again, again->link[0].language), S("pt-br")) &&
          again->link[0].within == (LINK_IN_NAV | LINK_IN_FORM) &&
          str_eq(web_text(again, again->page[0].language), S("pt-br")) &&
          again->page[0].language_stated == WEB_NONE &&
          again->page[0].badness_best == 1.5F);
    web_free(w);
    web_free(again);
    buf_free(&one);
    buf_free(&two);
}

static void
a_fingerprint_keeps_as_many_values_as_it_has(void)
{
    static const uint32_t sizes[] = {FINGERPRINT_MIN, FINGERPRINT_MAX};

    for (size_t i = 0; i < 2; i++) {
        struct web *w = some_web(), *again = NULL;
        struct fingerprint *f = &w->fingerprint[0];
        struct buf bytes = {0};

        f->values_n = sizes[i];
        for (uint32_t k = 0; k < sizes[i]; k++)
            f->value[k] = k * 77 + 1;
        web_pack(w, &bytes);
        CHECK(web_unpack(&again, buf_view(&bytes)) == ST_OK);
        CHECK(again != NULL && again->fingerprint[0].values_n == sizes[i] &&
              fingerprint_resemblance(&again->fingerprint[0], f) == 1);
        web_free(w);
        web_free(again);
        buf_free(&bytes);
    }
}

static void
every_damaged_byte_of_a_file_is_noticed(void)
{
    struct web *w = some_web(), *again;
    struct buf file = {0};
    size_t unnoticed = 0;

    CHECK(web_file_write(w, in_folder("web")) == ST_OK);
    CHECK(file_read(&file, in_folder("web"), SIZE_MAX) == ST_OK);
    log_threshold = LOG_ERROR;
    for (size_t i = 0; i < file.n; i++) {
        enum status st;
        struct buf said = {0};

        file.p[i] = (char)(file.p[i] ^ 0x10);
        folder_put("damaged", buf_view(&file));
        file.p[i] = (char)(file.p[i] ^ 0x10);
        again = NULL;
        log_capture(&said);
        st = web_file_read(&again, in_folder("damaged"));
        log_capture(NULL);
        unnoticed += st != ST_USAGE && st != ST_NONE;
        web_free(again);
        buf_free(&said);
    }
    CHECK(unnoticed == 0);
    buf_free(&file);
    web_free(w);
}

static void
bytes_that_lie_are_refused(void)
{
    struct web *w = some_web(), *again = NULL;
    struct buf bytes = {0};
    size_t taken = 0;

    web_pack(w, &bytes);
    for (size_t n = 0; n < bytes.n; n++) /* cut off anywhere */
        taken += web_unpack(&again, str_n(bytes.p, n)) == ST_OK;
    CHECK(taken == 0);
    buf_char(&bytes, '\0');
    CHECK(web_unpack(&again, buf_view(&bytes)) == ST_INVALID);
    buf_free(&bytes);
    web_free(w);
}

static void
what_is_not_given_is_as_the_record_has_it(void)
{
    struct web *w = some_web();
    struct opts then, now, changed;
    struct buf said = {0};

    opts_init(&then);
    opts_init(&now);
    opts_init(&changed);
    CHECK(opts_set(&then, "test", S("clean.language=fr de")) == ST_OK);
    CHECK(opts_set(&then, "test", S("clean.boilerplate_regex=a \"b\" # c")) ==
          ST_OK);
    CHECK(opts_set(&then, "test", S("scope.tld=be")) == ST_OK);
    log_threshold = LOG_INFO;
    web_set_about(w, &then);
    log_capture(&said);
    CHECK(web_follow_about(w, &now, "web") == ST_OK);
    CHECK(now.clean_language.n == 2 &&
          str_eq(now.clean_language.item[0], S("fr")));
    CHECK(str_eq(now.clean_boilerplate_regex, then.clean_boilerplate_regex));
    CHECK(now.scope_tld.n == 1 && !opts_given(&now, "scope", "tld"));
    CHECK(memmem(said.p, said.n, S("web brings scope.tld=be").p, 23) != NULL);
    buf_clear(&said);
    CHECK(web_follow_about(w, &now, "web") == ST_OK); /* the same by now */
    CHECK(said.n == 0);
    CHECK(opts_set(&changed, "test", S("scope.tld=nl")) == ST_OK);
    CHECK(web_follow_about(w, &changed, "web") == ST_OK);
    CHECK(str_eq(changed.scope_tld.item[0], S("nl")));
    CHECK(memmem(said.p, said.n, S("with scope.tld=be; now").p, 22) != NULL);
    CHECK(opts_set(&changed, "test", S("clean.boilerplate_regex=")) == ST_OK);
    CHECK(web_follow_about(w, &changed, "web") == ST_USAGE); /* the preset */
    log_threshold = LOG_ERROR;
    log_capture(NULL);
    buf_free(&said);
    opts_free(&then);
    opts_free(&now);
    opts_free(&changed);
    web_free(w);
}

/* ---- folders of sites ---- */

static struct arena *a; /* of the last answer */

static unsigned
get(const struct site *s, const char *text, struct site_answer *got)
{
    struct url url;

    arena_reset(a);
    if (url_parse(&url, a, str_c(text), NULL) != ST_OK ||
        site_get(s, a, &url, 100, got) != ST_OK)
        return 0;
    return got->status;
}

static bool
answers(const struct site *s, const char *url, const char *file)
{
    struct site_answer got;

    return get(s, url, &got) == 200 && str_eq(got.file, str_c(file));
}

static void
a_url_is_answered_by_the_file_nginx_would_choose(void)
{
    struct site_answer got;
    struct site *s;

    folder_put("sites/a.nl/index.html", str_c("root"));
    folder_put("sites/a.nl/page.html", str_c("page"));
    folder_put("sites/a.nl/both.html", str_c("file before folder"));
    folder_put("sites/a.nl/both/index.html", str_c("x"));
    folder_put("sites/a.nl/dir/index.htm", str_c("x"));
    folder_put("sites/a.nl/empty/note.txt", str_c("x"));
    folder_put("sites/a.nl/doc.en.html", str_c("x"));
    folder_put("sites/a.nl/q.php@id=1.html", str_c("x"));
    folder_put("sites/a.nl/q.php", str_c("x"));
    folder_put("sites/a.nl/with blank.html", str_c("x"));
    CHECK(site_open(&s, in_folder("sites")) == ST_OK);
    CHECK(answers(s, "http://a.nl/", "a.nl/index.html"));
    CHECK(answers(s, "https://a.nl:8443/page", "a.nl/page.html"));
    CHECK(answers(s, "http://a.nl/both", "a.nl/both.html"));
    CHECK(get(s, "http://a.nl/dir", &got) == 301);
    CHECK(str_eq(got.location, S("/dir/")));
    CHECK(answers(s, "http://a.nl/dir/", "a.nl/dir/index.htm"));
    CHECK(get(s, "http://a.nl/empty/", &got) == 403);
    CHECK(answers(s, "http://a.nl/doc", "a.nl/doc.en.html"));
    CHECK(answers(s, "http://a.nl/q.php?id=1", "a.nl/q.php@id=1.html"));
    CHECK(answers(s, "http://a.nl/q.php?id=2", "a.nl/q.php"));
    CHECK(answers(s, "http://a.nl/with%20blank", "a.nl/with blank.html"));
    CHECK(get(s, "http://a.nl/none", &got) == 404);
    CHECK(get(s, "http://b.nl/", &got) == 421);
    CHECK(get(s, "http://a.nl/empty/note.txt", &got) == 200 &&
          str_eq(got.content_type, S("text/plain")));
    site_close(s);
}

static void
a_url_cannot_leave_its_hosts_folder(void)
{
    struct site_answer got;
    struct site *s;

    folder_put("secret.html", str_c("x"));
    folder_put("sites/a.nl/index.html", str_c("root"));
    CHECK(site_open(&s, in_folder("sites")) == ST_OK);
    CHECK(get(s, "http://a.nl/%2e%2e/%2e%2e/secret.html", &got) == 404);
    CHECK(get(s, "http://a.nl/..%2f..%2fsecret.html", &got) == 404);
    CHECK(get(s, "http://a.nl/x%2f..%2f..%2f..%2fsecret", &got) == 404);
    CHECK(get(s, "http://a.nl/index.html%00", &got) == 404);
    CHECK(get(s, "http://a.nl/?/../../../secret", &got) == 200 &&
          str_eq(got.file, S("a.nl/index.html")));
    site_close(s);
}

static void
long_files_are_cut(void)
{
    char text[200] = {0};
    struct site_answer got;
    struct site *s;

    memset(text, 'x', sizeof text - 1);
    folder_put("sites/a.nl/long.html", str_c(text));
    CHECK(site_open(&s, in_folder("sites")) == ST_OK);
    CHECK(get(s, "http://a.nl/long.html", &got) == 200 && got.body.n == 100);
    site_close(s);
}

static const struct test tests[] = {
    TEST(a_name_keeps_its_number_while_thousands_come),
    TEST(a_web_comes_back_from_its_file_byte_for_byte),
    TEST(a_fingerprint_keeps_as_many_values_as_it_has),
    TEST(every_damaged_byte_of_a_file_is_noticed),
    TEST(bytes_that_lie_are_refused),
    TEST(what_is_not_given_is_as_the_record_has_it),
    TEST(a_url_is_answered_by_the_file_nginx_would_choose),
    TEST(a_url_cannot_leave_its_hosts_folder),
    TEST(long_files_are_cut),
    {0},
};

int
main(int argc, char **argv)
{
    int failed;

    log_threshold = LOG_ERROR;
    a = arena_new();
    failed = folder_main(tests, argc, argv);
    arena_free(a);
    return failed;
}
