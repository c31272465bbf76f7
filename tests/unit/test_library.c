/* libwinnow as its users see it: through the shared library and winnow/clean.h
 * alone.  Threads share one cleaner; what they get must be what one thread
 * gets (run it under the thread sanitizer for the rest). */
#include <pthread.h>
#include <winnow/clean.h>

#include "test.h"

#define THREADS 4
#define ROUNDS 25

static const char html[] =
    "<!DOCTYPE html><html lang=nl><title>De molen &amp; meer</title>"
    "<nav><a href='/nieuws'>Nieuws</a> <a href='/agenda'>Agenda</a></nav>"
    "<p>De molen aan de rand van het dorp is gebouwd in het begin van de "
    "achttiende eeuw en werd tot kort na de oorlog gebruikt om graan te malen "
    "voor de boeren in de omgeving, zoals <a rel=nofollow "
    "href='http://other.example/x#f'>hier</a> staat.</p>"
    "<p>Wie met een groep wil komen, moet dat van tevoren laten weten. Het is "
    "niet mogelijk om met een rolstoel naar boven te gaan, want de trap is te "
    "smal. Voor kinderen is er een eigen rondleiding.</p>";

static struct winnow_cleaner *cleaner;

static struct winnow_page *
cleaned(const char *bytes, size_t n)
{
    struct winnow_page *page = NULL;

    CHECK(winnow_clean(cleaner, bytes, n, "http://www.a.example/", "text/html",
                       NULL, &page) == WINNOW_OK);
    return page;
}

static void
a_page_tells_what_it_is(void)
{
    struct winnow_page *page = cleaned(html, sizeof html - 1);
    const struct winnow_summary *s = winnow_page_summary(page);
    size_t n = 0;

    CHECK(strcmp(s->title, "De molen & meer") == 0);
    CHECK(strcmp(s->url, "http://www.a.example/") == 0 && strlen(s->id) == 36);
    CHECK(strcmp(s->language, "nl") == 0 && strcmp(s->charset, "UTF-8") == 0);
    CHECK(strcmp(s->language_declared, "nl") == 0 && s->author[0] == '\0');
    CHECK(s->badness >= 0 && s->badness < 25 && s->tokens_n > 60);
    CHECK(strcmp(s->reject, "short") == 0 && strlen(s->reject_reason) > 5);
    CHECK(strstr(winnow_page_text(page, &n), "de trap is te smal") != NULL);
    CHECK(strlen(winnow_page_text(page, NULL)) == n && s->chars > 300);
    winnow_page_free(page);
}

static void
blocks_and_links_come_in_order_and_end_with_null(void)
{
    struct winnow_page *page = cleaned(html, sizeof html - 1);
    const struct winnow_summary *s = winnow_page_summary(page);
    const struct winnow_link *l = winnow_page_link(page, 2);
    const struct winnow_block *b;
    size_t kept = 0;

    for (size_t i = 0; (b = winnow_page_block(page, i)) != NULL; i++) {
        CHECK(b->boilerplate >= 0 && b->boilerplate <= 1);
        CHECK(strlen(b->text) == b->text_n && b->duplicate_of == -1);
        kept += (size_t)b->kept;
    }
    CHECK(kept == s->blocks_kept_n && kept == 2);
    CHECK(winnow_page_block(page, s->blocks_n) == NULL);
    CHECK(winnow_page_link(page, s->links_n) == NULL && s->links_n == 3);
    CHECK(strcmp(l->url, "http://other.example/x") == 0 && l->nofollow);
    CHECK(strcmp(l->anchor, "hier") == 0 && l->relation == WINNOW_EXTERNAL);
    CHECK(winnow_page_block(page, l->block_i)->kept == 1);
    CHECK(winnow_page_link(page, 0)->relation == WINNOW_SAME_HOST);
    winnow_page_free(page);
}

static void
a_page_outlives_the_bytes_it_was_made_of(void)
{
    char *bytes = malloc(sizeof html);
    struct winnow_page *page;

    memcpy(bytes, html, sizeof html);
    page = cleaned(bytes, sizeof html - 1);
    memset(bytes, 'x', sizeof html);
    free(bytes);
    CHECK(strstr(winnow_page_text(page, NULL), "achttiende eeuw") != NULL);
    CHECK(strstr(winnow_page_block(page, 0)->text, "Nieuws") != NULL);
    winnow_page_free(page);
}

static void
any_bytes_give_a_page(void)
{
    struct winnow_page *page = NULL;

    CHECK(winnow_clean(cleaner, NULL, 0, NULL, NULL, NULL, &page) == WINNOW_OK);
    CHECK(strcmp(winnow_page_summary(page)->reject, "empty") == 0);
    CHECK(winnow_page_text(page, NULL)[0] == '\0');
    CHECK(winnow_page_block(page, 0) == NULL);
    winnow_page_free(page);
    page = cleaned("<p>\0<\xff\xfe<!--", 11);
    CHECK(winnow_page_summary(page)->reject[0] != '\0');
    winnow_page_free(page);
    winnow_page_free(NULL);
    winnow_cleaner_close(NULL);
}

static void
records_are_those_of_the_formats(void)
{
    struct winnow_page *page = cleaned(html, sizeof html - 1);
    const char *record = NULL;
    size_t n = 0;

    CHECK(winnow_page_record(page, "xml", &record, &n) == WINNOW_OK);
    CHECK(strncmp(record, "<doc url=\"http://www.a.example/\"", 32) == 0);
    CHECK(strlen(record) == n);
    CHECK(winnow_page_record(page, "links", &record, NULL) == WINNOW_OK);
    CHECK(strstr(record, "\thttp://other.example/x\t") != NULL);
    CHECK(winnow_page_record(page, "pdf", &record, &n) == WINNOW_UNKNOWN);
    winnow_page_free(page);
}

static void
faults_are_told_in_words_and_leave_nothing(void)
{
    const char *const wrong[] = {"clean.badness_max=none", "clean.badnes=1",
                                 NULL};
    const char *const nowhere[] = {"clean.data=/nonexistent", NULL};
    const char *const language[] = {"clean.language=qq", NULL};
    struct winnow_cleaner *c = cleaner;
    char error[512], small[8];

    CHECK(winnow_cleaner_open(&c, wrong, error, sizeof error) == WINNOW_USAGE);
    CHECK(c == NULL && strstr(error, "clean.badness_max") != NULL);
    CHECK(strstr(error, "did you mean") != NULL);
    CHECK(error[strlen(error) - 1] != '\n');
    CHECK(winnow_cleaner_open(&c, nowhere, error, sizeof error) == WINNOW_DATA);
    CHECK(strstr(error, "/nonexistent") != NULL);
    CHECK(winnow_cleaner_open(&c, language, error, sizeof error) ==
          WINNOW_USAGE);
    CHECK(strstr(error, "qq") != NULL);
    CHECK(winnow_cleaner_open(&c, wrong, small, sizeof small) == WINNOW_USAGE);
    CHECK(strlen(small) == 7);
    CHECK(winnow_cleaner_open(&c, wrong, NULL, 0) == WINNOW_USAGE);
}

static void *
worker(void *arg)
{
    const char *expected = arg;

    for (int i = 0; i < ROUNDS; i++) {
        struct winnow_page *page = NULL;
        const char *record = NULL;

        if (winnow_clean(cleaner, html, sizeof html - 1, "http://a.example/",
                         NULL, NULL, &page) != WINNOW_OK ||
            winnow_page_record(page, "jsonl", &record, NULL) != WINNOW_OK ||
            strcmp(record, expected) != 0) {
            winnow_page_free(page);
            return arg;
        }
        winnow_page_free(page);
    }
    return NULL;
}

static void
threads_share_one_cleaner(void)
{
    struct winnow_page *page = NULL;
    pthread_t thread[THREADS];
    const char *record = NULL;
    char *expected;

    CHECK(winnow_clean(cleaner, html, sizeof html - 1, "http://a.example/",
                       NULL, NULL, &page) == WINNOW_OK);
    CHECK(winnow_page_record(page, "jsonl", &record, NULL) == WINNOW_OK);
    expected = strdup(record);
    winnow_page_free(page);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], NULL, worker, expected) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong = expected;

        CHECK(pthread_join(thread[i], &wrong) == 0 && wrong == NULL);
    }
    free(expected);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_page_tells_what_it_is),
        TEST(blocks_and_links_come_in_order_and_end_with_null),
        TEST(a_page_outlives_the_bytes_it_was_made_of),
        TEST(any_bytes_give_a_page),
        TEST(records_are_those_of_the_formats),
        TEST(faults_are_told_in_words_and_leave_nothing),
        TEST(threads_share_one_cleaner),
        {0},
    };
    const char *const options[] = {"clean.language=nl de", NULL};
    char error[512] = "";
    int code;

    CHECK(winnow_cleaner_open(&cleaner, options, error, sizeof error) ==
          WINNOW_OK);
    if (cleaner == NULL) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    code = test_main(table, argc, argv);
    winnow_cleaner_close(cleaner);
    return code;
}
