/* test_report_print.c -- a report as text, JSON, plot and files: the JSON is
 * parsed back, the SVG's tags are matched. */
#include <math.h>

#include <json-c/json.h>

#include "report_case.h"

static void
failures_and_refusals_have_their_reasons(void)
{
    struct report *r;
    char *text;

    small_crawl();
    fetched("http://b.nl/5", "b.nl", CRAWL_LOG_PAGE, OUTCOME_OUT_OF_SCOPE,
            "private_address", 0, 0);
    r = report();
    text = printed(r, report_text);
    CHECK(strstr(text, "\nNot kept, by reason\n     pages   share  reason\n"
                       "         2  0.4000  badness: too unlike"));
    CHECK(strstr(text, "\nFailed, by reason\n     pages   share  reason\n"
                       "         1  0.2000  timeout: the transfer"));
    CHECK(strstr(text, "\nNot fetched, by reason\n      URLs  reason\n"));
    CHECK(strstr(text, "         1  private_address: the host's addresses"));
    CHECK(strstr(text, "most for") == NULL);
    free(text);
    text = printed(r, report_json);
    CHECK(strstr(text, "\"failed\":{\"timeout\":1},"));
    CHECK(strstr(text, "\"private_address\":1"));
    free(text);
    report_free(r);
    remove_crawl();
}

static void
nothing_has_its_reason(void)
{
    struct report *r;
    char *text;

    new_crawl();
    for (int i = 0; i < 3; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://a.nl/%d", i);
        fetched(url, "a.nl", CRAWL_LOG_PAGE, OUTCOME_DISALLOWED,
                i ? "disallowed" : "out_of_scope", 0, 0);
    }
    r = report();
    text = printed(r, report_text);
    CHECK(strstr(text, "nothing fetched  most for disallowed: robots.txt "
                       "disallows the URL\n"));
    free(text);
    report_free(r);
    page("http://a.nl/x", "a.nl", "badness");
    r = report();
    text = printed(r, report_text);
    CHECK(strstr(text, "nothing kept  most for badness: too unlike"));
    free(text);
    report_free(r);
    remove_crawl();
}

static uint64_t
number(struct json_object *o, const char *key)
{
    struct json_object *v = NULL;

    CHECK(json_object_object_get_ex(o, key, &v));
    return json_object_get_uint64(v);
}

static void
the_json_is_one_object_with_the_promised_names(void)
{
    struct report *r;
    struct json_object *o, *v = NULL, *pair;
    char *text;

    small_crawl();
    r = report();
    text = printed(r, report_json);
    CHECK(strchr(text, '\n') == text + strlen(text) - 1);
    o = json_tokener_parse(text);
    CHECK(o && json_object_is_type(o, json_type_object));
    CHECK(number(o, "fetched") == 5 && number(o, "kept") == 2);
    CHECK(number(o, "fetched_bytes") == 4000);
    CHECK(number(o, "received_bytes") == 2040);
    CHECK(number(o, "kept_bytes") == 600);
    CHECK(json_object_object_get_ex(o, "yield_ratio", &v));
    CHECK(fabs(json_object_get_double(v) - 0.4) < 1e-9);
    CHECK(json_object_object_get_ex(o, "rejected", &v));
    CHECK(json_object_object_length(v) == 2);
    CHECK(number(v, "badness") == 2 && number(v, "timeout") == 1);
    CHECK(json_object_object_get_ex(o, "curve", &v));
    CHECK(json_object_array_length(v) == 5);
    pair = json_object_array_get_idx(v, 4);
    CHECK(json_object_get_int(json_object_array_get_idx(pair, 0)) == 5);
    CHECK(json_object_get_int(json_object_array_get_idx(pair, 1)) == 2);
    CHECK(json_object_object_get_ex(o, "hosts", &v));
    CHECK(json_object_array_length(v) == 2);
    json_object_put(o);
    free(text);
    report_free(r);
    remove_crawl();
}

static void
an_empty_crawl_is_all_zeroes(void)
{
    struct report *r;
    struct json_object *o, *v = NULL;
    char *text;

    new_crawl();
    r = report();
    text = printed(r, report_json);
    o = json_tokener_parse(text);
    CHECK(number(o, "fetched") == 0 && number(o, "kept") == 0);
    CHECK(json_object_object_get_ex(o, "curve", &v));
    CHECK(json_object_array_length(v) == 0);
    json_object_put(o);
    free(text);
    text = printed(r, report_text);
    CHECK(strstr(text, "Nothing was fetched yet"));
    free(text);
    text = printed(r, report_svg);
    CHECK(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    free(text);
    report_free(r);
    unlink(in_folder(CRAWL_LOG_FILE)); /* it is not open yet */
    r = report();
    CHECK(r->fetched == 0);
    report_free(r);
    remove_crawl();
}

/* Tags nest and end, attributes are quoted, & begins an entity. */
static bool
well_formed(const char *p)
{
    char open[16][32];
    size_t depth = 0;
    bool any = false;

    for (; *p; p++) {
        if (*p == '&' && strncmp(p, "&amp;", 5) != 0 &&
            strncmp(p, "&lt;", 4) != 0)
            return false;
        if (*p != '<')
            continue;
        const char *end = p + 1;
        size_t name;
        bool quoted = false;

        for (; *end && (quoted || *end != '>'); end++) {
            quoted ^= *end == '"';
            if (*end == '<')
                return false;
        }
        if (*end == '\0' || quoted)
            return false;
        name = strcspn(p + 1 + (p[1] == '/'), " />");
        if (name == 0 || name >= 32)
            return false;
        if (p[1] == '/') {
            if (depth-- == 0 || strncmp(open[depth], p + 2, name) != 0 ||
                open[depth][name] != '\0')
                return false;
        } else if (end[-1] != '/') {
            if (depth == 16 || (any && depth == 0))
                return false;
            snprintf(open[depth++], 32, "%.*s", (int)name, p + 1);
            any = true;
        }
        p = end;
    }
    return any && depth == 0;
}

static void
the_plot_is_well_formed_and_labelled(void)
{
    struct report *r;
    char *text;
    char url[64];

    CHECK(well_formed("<a x=\"1>2\"><b/>&amp;</a>"));
    CHECK(!well_formed("<a><b></a></b>"));
    CHECK(!well_formed("<a>&</a>"));
    new_crawl();
    for (int i = 0; i < 1000; i++) {
        snprintf(url, sizeof url, "http://a.nl/%d", i);
        page(url, "a.nl", i % 3 ? "kept" : i % 2 ? "language" : "short");
    }
    r = report();
    text = printed(r, report_svg);
    CHECK(well_formed(text));
    CHECK(strstr(text, "Yield of the crawl /tmp/winnow-test-"));
    CHECK(strstr(text, "1,000 pages fetched, 666 documents kept: 66.6 %"));
    CHECK(strstr(text, ">pages fetched<"));
    CHECK(strstr(text, ">yield ratio: kept / fetched<"));
    CHECK(strstr(text, ">last 100 pages<"));
    CHECK(strstr(text, "http://") ==
          strstr(text, "http://www.w3.org/2000/svg"));
    free(text);
    report_free(r);
    remove_crawl();
}

static void
the_files_are_written_whole(void)
{
    static const char *const names[] = {"yield.tsv", "reasons.tsv", "hosts.tsv",
                                        "report.svg"};
    char name[64];
    struct report *r;

    small_crawl();
    r = report();
    CHECK(report_files(r, in_folder("report")) == ST_OK);
    CHECK(report_files(r, in_folder("report")) == ST_OK); /* and again */
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "report/%s", names[i]);
        CHECK(folder_has(name));
        snprintf(name, sizeof name, "report/%s.part", names[i]);
        CHECK(!folder_has(name));
    }
    CHECK(strcmp(folder_text("report/hosts.tsv"),
                 "host\tfetched\tkept\tyield_ratio\tfetched_bytes\t"
                 "kept_bytes\ttokens\n"
                 "a.nl\t3\t2\t0.666667\t3000\t600\t0\n"
                 "b.nl\t2\t0\t0.000000\t1000\t0\t0\n") == 0);
    report_free(r);
    remove_crawl();
}

static void
page_in(const char *url, const char *verdict, const char *language)
{
    struct crawl_log_entry e = {.time_ms = 1795169730123,
                                .url = str_c(url),
                                .host = S("a.nl"),
                                .outcome = OUTCOME_FETCHED,
                                .verdict = verdict_of(verdict),
                                .bytes = 1000,
                                .kept_bytes = 300,
                                .tokens = 50,
                                .language = str_c(language)};
    struct buf line = {0};

    crawl_log_line(&e, &line);
    fwrite(line.p, 1, line.n, lines);
    buf_free(&line);
}

static void
of_type(const char *url, const char *verdict, const char *type)
{
    struct crawl_log_entry e = {.time_ms = 1795169730123,
                                .url = str_c(url),
                                .host = S("a.nl"),
                                .outcome = OUTCOME_FAILED,
                                .verdict = verdict_of(verdict),
                                .detail = str_c(type)};
    struct buf line = {0};

    crawl_log_line(&e, &line);
    fwrite(line.p, 1, line.n, lines);
    buf_free(&line);
}

static void
what_is_no_html_is_counted_by_type(void)
{
    struct json_object *o, *v, *first;
    struct report *r;
    char *text, url[40];

    new_crawl();
    of_type("http://a.nl/1", "not_html", "application/pdf");
    of_type("http://a.nl/2", "not_html", "image/png");
    of_type("http://a.nl/3", "not_html", "application/pdf");
    of_type("http://a.nl/4", "not_html", "");
    of_type("http://a.nl/5", "http_404", "text/x-other");
    of_type("http://a.nl/6", "not_html", "audio/mp3");
    of_type("http://a.nl/6", "http_404", ""); /* takes its place */
    r = report();
    text = printed(r, report_text);
    CHECK(strstr(text, "\nNot HTML, by Content-Type\n     pages  type\n"
                       "         2  application/pdf\n"
                       "         1  (none)\n"
                       "         1  image/png\n\n"));
    free(text);
    text = printed(r, report_json);
    o = json_tokener_parse(text);
    CHECK(json_object_object_get_ex(o, "types", &v));
    CHECK(json_object_array_length(v) == 3);
    first = json_object_array_get_idx(v, 0);
    CHECK(number(first, "pages") == 2);
    json_object_put(o);
    free(text);
    report_free(r);
    remove_crawl();
    new_crawl();
    for (int i = 0; i < 3000; i++) { /* of one who makes them up */
        snprintf(url, sizeof url, "http://a.nl/made/%d", i);
        of_type(url, "not_html", url + 7);
    }
    of_type("http://a.nl/known", "not_html", "a.nl/made/0");
    r = report();
    CHECK(r->types_n == 1001 && r->types[0].pages == 2000 &&
          str_eq(r->types[0].name, S("other")) && r->types[1].pages == 2 &&
          str_eq(r->types[1].name, S("a.nl/made/0")));
    report_free(r);
    remove_crawl();
}

static void
documents_are_counted_by_language(void)
{
    struct report *r;
    struct json_object *o, *v = NULL;
    char *text;

    new_crawl();
    page_in("http://a.nl/1", "kept", "nl");
    page_in("http://a.nl/2", "kept", "de");
    page_in("http://a.nl/3", "kept", "de");
    page_in("http://a.nl/4", "language", "fr"); /* is no document */
    page_in("http://a.nl/5", "kept", "it");
    page_in("http://a.nl/5", "short", ""); /* takes its place */
    page_in("http://a.nl/6", "kept", "");
    r = report();
    CHECK(report_files(r, in_folder("report")) == ST_OK);
    CHECK(strcmp(folder_text("report/languages.tsv"),
                 "language\tkept\tkept_bytes\ttokens\n"
                 "de\t2\t600\t100\n"
                 "\t1\t300\t50\n"
                 "nl\t1\t300\t50\n") == 0);
    CHECK(strstr(folder_text("report/hosts.tsv"), "\t1200\t200\n"));
    text = printed(r, report_text);
    CHECK(strstr(text, "\n         2  0.5000         600         100  de\n"));
    CHECK(strstr(text, "\ntokens         200 in it\n"));
    CHECK(
        strstr(text, "\n         1  0.2500         300          50  (none)\n"));
    free(text);
    text = printed(r, report_json);
    o = json_tokener_parse(text);
    CHECK(json_object_object_get_ex(o, "languages", &v));
    CHECK(json_object_array_length(v) == 3);
    CHECK(number(json_object_array_get_idx(v, 0), "kept_bytes") == 600);
    CHECK(number(json_object_array_get_idx(v, 0), "tokens") == 100);
    CHECK(number(o, "tokens") == 200);
    json_object_put(o);
    free(text);
    report_free(r);
    remove_crawl();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(failures_and_refusals_have_their_reasons),
        TEST(nothing_has_its_reason),
        TEST(the_json_is_one_object_with_the_promised_names),
        TEST(an_empty_crawl_is_all_zeroes),
        TEST(the_plot_is_well_formed_and_labelled),
        TEST(documents_are_counted_by_language),
        TEST(what_is_no_html_is_counted_by_type),
        TEST(the_files_are_written_whole),
        {0}};

    return test_main(table, argc, argv);
}
