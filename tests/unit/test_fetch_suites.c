/* test_fetch_suites.c -- transfers of answers that others have collected: 235
 * replies of curl's own tests and 36 ways to encode a body. */
#include <json-c/json.h>

#include "base/file.h"
#include "fetch_case.h"

static void
latin1(struct str utf8, struct buf *out)
{
    for (size_t i = 0; i < utf8.n; i++) {
        unsigned char c = (unsigned char)utf8.p[i];

        if (c >= 0xc2 && c <= 0xc3 && i + 1 < utf8.n)
            buf_char(out, (char)((c & 3) << 6 | (utf8.p[++i] & 63)));
        else
            buf_char(out, (char)c);
    }
}

/* Faults of the protocol that no option of curl's command line explains. */
static bool
must_fail(int64_t exit)
{
    return exit == 8 || exit == 18 || exit == 52 || exit == 56 || exit == 61;
}

static void
replies_of_curls_own_tests_end_as_there(void)
{
    const char *path =
        test_shared("data/suites/http-oddities/curl_cases.jsonl");
    FILE *f = path ? fopen(path, "r") : NULL;
    char *line = NULL;
    size_t cap = 0;
    int ran = 0, faulty = 0, macros = 0, wrong = 0;

    CHECK(f != NULL);
    if (f == NULL)
        return;
    open_fetch("[fetch]\ntimeout_ms = 2000\n");
    while (getline(&line, &cap, f) > 0) {
        json_object *row = json_tokener_parse(line), *v;
        struct fetch_reply r;
        int64_t exit;

        buf_clear(&answer);
        json_object_object_get_ex(row, "reply_latin1", &v);
        latin1(str_n(json_object_get_string(v),
                     (size_t)json_object_get_string_len(v)),
               &answer);
        json_object_object_get_ex(row, "curl_exit", &v);
        exit = json_object_get_int64(v);
        if (memchr(answer.p ? answer.p : "", '%', answer.n) != NULL) {
            macros++;
        } else {
            r = get("http://some.test/", false, 1 << 20);
            ran++;
            faulty += r.fault != VERDICT_NONE;
            if (must_fail(exit) && r.fault == VERDICT_NONE) {
                wrong++;
                fprintf(stderr, "accepted: %.300s\n", line);
            }
            fetch_reply_free(&r);
        }
        json_object_put(row);
    }
    printf("     curl_cases: %d ran, %d with a fault, %d with macros left out, "
           "%d accepted wrongly\n",
           ran, faulty, macros, wrong);
    CHECK(ran > 100);
    CHECK(wrong == 0);
    free(line);
    fclose(f);
    close_fetch();
}

/* How `want` judges what came; see the suite's README. */
static bool
as_wanted(const char *want, const struct fetch_reply *r, struct str plain)
{
    bool whole = str_eq(buf_view(&r->body), plain), error = r->fault != 0;

    if (strcmp(want, "ok") == 0)
        return whole;
    if (strcmp(want, "error") == 0)
        return error;
    if (strcmp(want, "lenient") == 0)
        return whole || error;
    if (strcmp(want, "prefix") == 0)
        return error || str_starts(plain, buf_view(&r->body));
    if (strcmp(want, "empty") == 0)
        return r->body.n == 0;
    if (strcmp(want, "abort") == 0)
        return r->fault == VERDICT_BOMB || r->fault == VERDICT_ENCODING ||
               (r->truncated && r->body.n <= 1 << 20);
    return true; /* identity, once ...: whatever came is bounded */
}

static void
encodings_are_decoded_or_refused(void)
{
    const char *path =
        test_shared("data/suites/http-oddities/encodings/cases.json");
    char folder[1024], file[2048];
    json_object *suite = path ? json_object_from_file(path) : NULL, *cases, *v;
    struct buf plain = {0};
    size_t n;
    int agree = 0, unknown = 0;

    CHECK(suite != NULL);
    if (suite == NULL)
        return;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path),
             path);
    snprintf(file, sizeof file, "%s/plain.html", folder);
    CHECK(file_read(&plain, file, SIZE_MAX) == ST_OK);
    open_fetch("");
    json_object_object_get_ex(suite, "cases", &cases);
    n = json_object_array_length(cases);
    for (size_t i = 0; i < n; i++) {
        json_object *row = json_object_array_get_idx(cases, i);
        const char *coding, *want;
        struct buf body = {0};
        struct fetch_reply r;

        json_object_object_get_ex(row, "file", &v);
        snprintf(file, sizeof file, "%s/%s", folder, json_object_get_string(v));
        CHECK(file_read(&body, file, SIZE_MAX) == ST_OK);
        json_object_object_get_ex(row, "content_encoding", &v);
        coding = json_object_get_string(v);
        json_object_object_get_ex(row, "want", &v);
        want = json_object_get_string(v);
        buf_clear(&answer);
        buf_printf(&answer,
                   HTML "Content-Encoding: %s\r\nContent-Length: %zu\r\n\r\n",
                   coding ? coding : "identity", body.n);
        buf_str(&answer, buf_view(&body));
        r = get("http://some.test/", true, 1 << 20);
        CHECK(r.body.n <= 1 << 20);
        if (as_wanted(want, &r, buf_view(&plain))) {
            agree++;
        } else {
            fprintf(stderr, "%s: wanted %s, got %s and %zu bytes\n",
                    strrchr(file, '/') + 1, want,
                    r.fault ? verdict_name(r.fault) : "no fault", r.body.n);
            unknown++;
        }
        fetch_reply_free(&r);
        buf_free(&body);
    }
    printf("     encodings: %d of %zu as wanted\n", agree, n);
    CHECK(unknown == 0);
    buf_free(&plain);
    json_object_put(suite);
    close_fetch();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        SUITE_TEST(replies_of_curls_own_tests_end_as_there,
                   "data/suites/http-oddities/curl_cases.jsonl"),
        SUITE_TEST(encodings_are_decoded_or_refused,
                   "data/suites/http-oddities/encodings/cases.json"),
        {0},
    };

    return fetch_case_main(table, argc, argv);
}
