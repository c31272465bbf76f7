/* libwinnow as its users see it: through the shared library and winnow/clean.h
 * alone.  Threads share one cleaner; what they get must be what one thread
 * gets (run it under the thread sanitizer for the rest). */
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
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

/* Without the stages that would say it nothing is known, and nothing NULL. */
static void
a_short_chain_leaves_no_text_null(void)
{
    const char *options[] = {"clean.chain=size", NULL};
    struct winnow_cleaner *c = NULL;
    struct winnow_page *page = NULL;

    CHECK(winnow_cleaner_open(&c, options, NULL, 0) == WINNOW_OK);
    CHECK(winnow_clean(c, "<p>one", 6, NULL, NULL, NULL, &page) == WINNOW_OK);
    if (page != NULL) {
        const struct winnow_summary *s = winnow_page_summary(page);

        CHECK(s->charset_from != NULL && s->charset_from[0] == '\0');
        CHECK(s->charset[0] == '\0' && s->languages[0] == '\0');
        CHECK(s->title[0] == '\0' && s->page_kinds[0] == '\0');
        CHECK(winnow_page_text(page, NULL)[0] == '\0');
    }
    winnow_page_free(page);
    winnow_cleaner_close(c);
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
a_page_past_the_limit_is_not_looked_at(void)
{
    struct winnow_page *page = NULL;

    CHECK(winnow_clean(cleaner, html, (size_t)1 << 31, NULL, NULL, NULL,
                       &page) == WINNOW_LONG);
    CHECK(page == NULL);
    CHECK(strstr(winnow_status_text(WINNOW_LONG), "2147483647") != NULL);
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
    CHECK(winnow_page_record(page, "wet", &record, NULL) == WINNOW_OK);
    CHECK(strstr(record, "WARC-Date: 20") != NULL); /* the time of the call */
    CHECK(winnow_page_record(page, "pdf", &record, &n) == WINNOW_UNKNOWN);
    CHECK(record == NULL && n == 0);
    winnow_page_free(page);
}

static void
records_have_the_names_of_others(void)
{
    static const struct {
        const char *fields, *text;
    } names[] = {{"winnow", "\"text\":\"De molen"},
                 {"fineweb", "\"file_path\":"},
                 {"dolma", "\"created\":"},
                 {"oscar", "\"content\":\"De molen"}};
    struct winnow_page *page = cleaned(html, sizeof html - 1);
    const char *record = NULL;
    size_t n = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK(winnow_page_jsonl(page, names[i].fields, &record, &n) ==
              WINNOW_OK);
        CHECK(strstr(record, names[i].text) != NULL && strlen(record) == n);
    }
    CHECK(winnow_page_jsonl(page, "others", &record, &n) == WINNOW_UNKNOWN);
    CHECK(record == NULL && n == 0);
    CHECK(winnow_page_jsonl(page, "", &record, &n) == WINNOW_UNKNOWN);
    winnow_page_free(page);
}

static void
the_reason_is_the_first_check_that_is_not_met(void)
{
    struct winnow_page *page = cleaned(html, sizeof html - 1);
    const struct winnow_summary *s = winnow_page_summary(page);
    const struct winnow_check *c;
    const char *first = "";
    size_t n = 0;

    for (; (c = winnow_page_check(page, n)) != NULL; n++) {
        CHECK(c->met ==
              (c->least ? c->value >= c->limit : c->value <= c->limit));
        if (!c->met && first[0] == '\0') {
            first = c->reject;
            CHECK(strcmp(c->option, "clean.chars_min") == 0);
            CHECK(c->value == (double)s->chars && c->limit == 500);
        }
    }
    CHECK(n == s->checks_n && n > 5 && strcmp(first, s->reject) == 0);
    winnow_page_free(page);
}

static void
metadata_says_where_it_is_from(void)
{
    struct winnow_page *page = cleaned(html, sizeof html - 1);
    const struct winnow_summary *s = winnow_page_summary(page);
    const struct winnow_candidate *c;
    size_t n = 0, titles = 0;

    for (; (c = winnow_page_candidate(page, n)) != NULL; n++)
        if (strcmp(c->field, "title") == 0 && c->chosen) {
            titles++;
            CHECK(strcmp(c->value, s->title) == 0);
            CHECK(strstr(c->sources, "title") != NULL);
            CHECK(c->confidence > 0 && c->confidence <= 1);
        }
    CHECK(n == s->candidates_n && titles == 1 && s->modified[0] == '\0');
    winnow_page_free(page);
}

static void
options_are_told_with_their_values(void)
{
    const char *all = winnow_cleaner_options(cleaner);

    CHECK(strstr(all, "{\"key\":\"clean.language\",\"type\":\"list\",\"value\":"
                      "\"nl de\",\"preset\":\"\"") != NULL);
    CHECK(strstr(all, "\"key\":\"clean.chars_min\",\"type\":\"num\",\"value\":"
                      "\"500\"") != NULL);
    CHECK(strstr(all, "\"value\":\"64MiB\",\"preset\":\"64MiB\"") != NULL);
    CHECK(strstr(all, "\"range\":\"off, text, bytes\",\"unit\":\"\"") != NULL);
    CHECK(strstr(all, "fetch.") == NULL && all[strlen(all) - 1] == ']');
}

static void
add_response(FILE *f, const char *fields, const char *http)
{
    fprintf(f,
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: "
            "2026-01-02T03:04:05Z\r\n%sContent-Length: %zu\r\n\r\n%s\r\n\r\n",
            fields, strlen(http), http);
}

/* A page, a record that is broken, a picture. */
static void
write_archive(char *path)
{
    int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (f == NULL)
        abort();
    add_response(f,
                 "WARC-Target-URI: http://a.example/1\r\nWARC-IP-Address: "
                 "192.0.2.7\r\nWARC-Record-ID: "
                 "<urn:uuid:01234567-89ab-4def-8123-456789abcdef>\r\n",
                 "HTTP/1.1 404 Gone\r\nContent-Type: text/html\r\n\r\n<p>Weg");
    fputs("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: none\r\n\r\n"
          "\r\n\r\n",
          f);
    add_response(f, "WARC-Target-URI: http://a.example/2\r\n",
                 "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n"
                 "\x1a\n");
    fclose(f);
}

static void
archives_are_read_and_their_pages_know_where_they_are_from(void)
{
    const struct winnow_capture *x;
    struct winnow_reader *r = NULL;
    struct winnow_page *page = NULL;
    const char *record = NULL, *said = NULL;
    char error[256], path[] = "/tmp/winnow-library.warc-XXXXXX";

    write_archive(path);
    CHECK(winnow_reader_open(&r, path, 0, error, sizeof error) == WINNOW_OK);
    CHECK(error[0] == '\0' && winnow_reader_faults(r, &said) == 0);
    CHECK(winnow_reader_next(r, &x) == WINNOW_OK);
    CHECK(x->status == 404 && x->is_html && !x->cut &&
          x->date_ms == 1767323045000);
    CHECK(winnow_clean_capture(cleaner, x, &page) == WINNOW_OK);
    CHECK(winnow_page_jsonl(page, "winnow", &record, NULL) == WINNOW_OK);
    CHECK(strstr(record, "\"id\":\"01234567-89ab-4def-8123-456789abcdef\"") !=
          NULL);
    CHECK(strstr(record, "\"timestamp\":\"2026-01-02T03:04:05.000Z\"") != NULL);
    CHECK(strstr(record, "\"ip\":\"192.0.2.7\"") != NULL);
    CHECK(strstr(record, "\"warc_file\":\"/tmp/winnow-library") != NULL);
    winnow_page_free(page);
    CHECK(winnow_reader_next(r, &x) == WINNOW_OK);
    CHECK(strcmp(x->url, "http://a.example/2") == 0 && !x->is_html);
    CHECK(winnow_reader_next(r, &x) == WINNOW_END && x == NULL);
    CHECK(winnow_reader_next(r, &x) == WINNOW_END);
    CHECK(winnow_reader_faults(r, &said) == 1 &&
          strstr(said, " why=\"") != NULL);
    winnow_reader_close(r);
    remove(path);
    CHECK(winnow_reader_open(&r, path, 0, error, sizeof error) == WINNOW_DATA);
    CHECK(r == NULL && strstr(error, path) != NULL);
    winnow_reader_close(NULL);
}

/* A stream of an archive: `most` bytes a call, with another reader inside of
 * each, whose fault is no fault of ours. */
struct dribble {
    FILE *f;
    size_t most;
    bool fails;   /* from now on */
    bool endless; /* over and over the same */
};

static ptrdiff_t
read_some(void *self, void *to, size_t n)
{
    struct dribble *s = self;
    struct winnow_reader *other = NULL;
    char error[64];

    CHECK(winnow_reader_open(&other, "/none", 0, error, sizeof error) ==
          WINNOW_DATA);
    if (s->fails)
        return -1;
    if (s->endless && feof(s->f))
        rewind(s->f);
    return (ptrdiff_t)fread(to, 1, n < s->most ? n : s->most, s->f);
}

static void
a_stream_is_read_as_a_file_is(void)
{
    char error[256], path[] = "/tmp/winnow-library.warc-XXXXXX";
    const struct winnow_capture *x = NULL;
    struct winnow_reader *r = NULL;
    const char *said = NULL;
    struct dribble s = {.most = 7};

    write_archive(path);
    CHECK((s.f = fopen(path, "rb")) != NULL);
    CHECK(winnow_reader_open_stream(&r, read_some, &s, "a.warc", 0, error,
                                    sizeof error) == WINNOW_OK);
    CHECK(winnow_reader_next(r, &x) == WINNOW_OK && x->status == 404);
    CHECK(strcmp(x->file, "a.warc") == 0 && x->length > 0);
    CHECK(winnow_reader_next(r, &x) == WINNOW_OK && x->status == 200);
    CHECK(winnow_reader_next(r, &x) == WINNOW_END);
    CHECK(winnow_reader_faults(r, &said) == 1);
    CHECK(strstr(said, "file=a.warc") != NULL && strstr(said, "/none") == NULL);
    winnow_reader_close(r);
    fclose(s.f);
    remove(path);
}

static void
a_stream_that_fails_ends_reading(void)
{
    char error[256], path[] = "/tmp/winnow-library.warc-XXXXXX";
    const struct winnow_capture *x = NULL;
    struct winnow_reader *r = NULL;
    const char *said = NULL;
    struct dribble s = {.most = 300, .fails = true, .endless = true};

    write_archive(path);
    CHECK((s.f = fopen(path, "rb")) != NULL);
    CHECK(winnow_reader_open_stream(&r, read_some, &s, "a.warc", 0, error,
                                    sizeof error) == WINNOW_DATA);
    CHECK(r == NULL && strstr(error, "a.warc") != NULL);
    s.fails = false;
    CHECK(winnow_reader_open_stream(&r, read_some, &s, "", 0, error,
                                    sizeof error) == WINNOW_OK);
    for (int i = 0; i < 1000; i++)
        CHECK(winnow_reader_next(r, &x) == WINNOW_OK);
    s.fails = true;
    while (winnow_reader_next(r, &x) == WINNOW_OK)
        continue;
    CHECK(winnow_reader_next(r, &x) == WINNOW_DATA && x == NULL);
    (void)winnow_reader_faults(r, &said);
    CHECK(strstr(said, "function failed") != NULL);
    winnow_reader_close(r);
    fclose(s.f);
    remove(path);
}

static void
an_archive_of_texts_says_so(void)
{
    static const char text[] =
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: "
        "http://a.example/\r\nContent-Length: 5\r\n\r\nText.\r\n\r\n";
    const struct winnow_capture *x = NULL;
    struct winnow_reader *r = NULL;
    const char *said = NULL;
    char error[256], path[] = "/tmp/winnow-library.wet-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "wb");

    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
    CHECK(winnow_reader_open(&r, path, 0, error, sizeof error) == WINNOW_OK);
    CHECK(winnow_reader_next(r, &x) == WINNOW_END);
    CHECK(winnow_reader_faults(r, &said) == 0);
    CHECK(strstr(said, "no page in it: conversion records (WET)") != NULL);
    winnow_reader_close(r);
    remove(path);
}

static void
fields_behind_the_size_of_a_capture_are_not_looked_at(void)
{
    struct winnow_capture x = {.size = offsetof(struct winnow_capture, date_ms),
                               .body = html,
                               .body_n = sizeof html - 1,
                               .url = "http://a.example/"};
    struct winnow_page *page = NULL;
    const char *record = NULL;

    x.date_ms = 1767323045000;
    CHECK(winnow_clean_capture(cleaner, &x, &page) == WINNOW_OK);
    CHECK(winnow_page_jsonl(page, "winnow", &record, NULL) == WINNOW_OK);
    CHECK(strstr(record, "\"timestamp\":\"\"") != NULL);
    winnow_page_free(page);
    x.size = sizeof x;
    CHECK(winnow_clean_capture(cleaner, &x, &page) == WINNOW_OK);
    CHECK(winnow_page_jsonl(page, "winnow", &record, NULL) == WINNOW_OK);
    CHECK(strstr(record, "\"timestamp\":\"2026-01-02T") != NULL);
    winnow_page_free(page);
    for (int i = -1; i < 9; i++)
        CHECK(strlen(winnow_status_text(i)) > 5);
}

/* The id that a page has which is given one. */
static bool
id_becomes(const char *id, const char *expected)
{
    struct winnow_capture x = {
        .size = sizeof x, .body = html, .body_n = sizeof html - 1, .id = id};
    struct winnow_page *page = NULL;
    bool same;

    CHECK(winnow_clean_capture(cleaner, &x, &page) == WINNOW_OK);
    same = strcmp(winnow_page_summary(page)->id, expected) == 0;
    winnow_page_free(page);
    return same;
}

static void
an_id_is_taken_if_it_is_a_uuid(void)
{
    static const char id[] = "01234567-89ab-4def-8123-456789abcdef";
    struct winnow_page *page = NULL;

    CHECK(id_becomes(id, id));
    CHECK(id_becomes("01234567-89AB-4DEF-8123-456789ABCDEF", id));
    CHECK(winnow_clean(cleaner, html, sizeof html - 1, NULL, NULL, NULL,
                       &page) == WINNOW_OK);
    for (int i = 0; i < 3; i++) {
        const char *const none[] = {NULL, "7",
                                    "36 characters, of which not one is a"};

        CHECK(id_becomes(none[i], winnow_page_summary(page)->id));
    }
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

/* Opens, uses and closes cleaners by turns with a thread that only uses them.
 */
struct shared_turns {
    pthread_barrier_t turn;
    struct winnow_cleaner *cleaner; /* NULL: no more */
};

static void *
clean_in_turn(void *arg)
{
    struct shared_turns *t = arg;

    for (;;) {
        struct winnow_page *page;

        pthread_barrier_wait(&t->turn);
        if (t->cleaner == NULL)
            return NULL;
        if (winnow_clean(t->cleaner, "<p>one", 6, NULL, NULL, NULL, &page) ==
            WINNOW_OK)
            winnow_page_free(page);
        pthread_barrier_wait(&t->turn);
    }
}

static void
a_closed_cleaner_leaves_nothing_in_threads_that_live_on(void)
{
    enum { EARLY = 10, TURNS = 60 };
    const char *options[] = {"clean.chain=charset strip", NULL};
    struct shared_turns t = {.cleaner = NULL};
    size_t before = 0;
    pthread_t thread;

    pthread_barrier_init(&t.turn, NULL, 2);
    CHECK(pthread_create(&thread, NULL, clean_in_turn, &t) == 0);
    for (int i = 0; i < TURNS; i++) {
        CHECK(winnow_cleaner_open(&t.cleaner, options, NULL, 0) == WINNOW_OK);
        pthread_barrier_wait(&t.turn);
        pthread_barrier_wait(&t.turn);
        winnow_cleaner_close(t.cleaner);
        if (i == EARLY)
            before = mallinfo2().uordblks;
    }
    CHECK(mallinfo2().uordblks < before + ((size_t)1 << 20));
    t.cleaner = NULL;
    pthread_barrier_wait(&t.turn);
    CHECK(pthread_join(thread, NULL) == 0);
    pthread_barrier_destroy(&t.turn);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_page_tells_what_it_is),
        TEST(a_short_chain_leaves_no_text_null),
        TEST(blocks_and_links_come_in_order_and_end_with_null),
        TEST(a_page_outlives_the_bytes_it_was_made_of),
        TEST(any_bytes_give_a_page),
        TEST(a_page_past_the_limit_is_not_looked_at),
        TEST(records_are_those_of_the_formats),
        TEST(records_have_the_names_of_others),
        TEST(the_reason_is_the_first_check_that_is_not_met),
        TEST(metadata_says_where_it_is_from),
        TEST(options_are_told_with_their_values),
        TEST(archives_are_read_and_their_pages_know_where_they_are_from),
        TEST(a_stream_is_read_as_a_file_is),
        TEST(a_stream_that_fails_ends_reading),
        TEST(an_archive_of_texts_says_so),
        TEST(fields_behind_the_size_of_a_capture_are_not_looked_at),
        TEST(an_id_is_taken_if_it_is_a_uuid),
        TEST(faults_are_told_in_words_and_leave_nothing),
        TEST(threads_share_one_cleaner),
        TEST(a_closed_cleaner_leaves_nothing_in_threads_that_live_on),
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
