/* The table of verdicts: names and numbers are one each, and what the rows say
 * is what the crawl needs of them. */
#include <string.h>

#include "../test.h"
#include "base/verdict.h"

static const struct {
    enum verdict v;
    int number;
    const char *name;
} rows[] = {
#define VERDICT(id, number, name, kind, teaches, host, text)                   \
    {VERDICT_##id, number, name},
#include "base/verdict.tbl.h"
};

enum { ROWS_N = sizeof rows / sizeof *rows };

static void
numbers_ascend_and_names_are_words(void)
{
    for (size_t i = 0; i < ROWS_N; i++) {
        CHECK(i == 0 || rows[i].number > rows[i - 1].number);
        CHECK(rows[i].number < VERDICT_N && verdict_is((uint64_t)rows[i].v));
        CHECK(strspn(rows[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_") ==
              strlen(rows[i].name));
        CHECK(strncmp(rows[i].name, "http_", 5) != 0);
        CHECK(verdict_text(rows[i].v)[0] != '\0');
    }
}

static void
a_verdict_is_found_by_its_name(void)
{
    enum verdict v;

    for (size_t i = 0; i < ROWS_N; i++) {
        CHECK(strcmp(verdict_name(rows[i].v), rows[i].name) == 0);
        CHECK(verdict_find(str_c(rows[i].name), &v) && v == rows[i].v);
    }
    CHECK(!verdict_find(S(""), &v) && !verdict_find(S("unknown"), &v));
    CHECK(!verdict_find(S("kep"), &v) && !verdict_find(S("kept "), &v));
}

static void
every_status_of_http_is_a_verdict(void)
{
    char name[16];
    enum verdict v;

    for (unsigned s = 100; s <= 999; s++) {
        snprintf(name, sizeof name, "http_%u", s);
        CHECK(strcmp(verdict_name(verdict_http(s)), name) == 0);
        CHECK(verdict_find(str_c(name), &v) && v == verdict_http(s));
        CHECK(verdict_is((uint64_t)v) && verdict_teaches(v) == CLASS_ERROR);
    }
    CHECK(verdict_http(0) == VERDICT_GARBAGE);
    CHECK(verdict_http(99) == VERDICT_GARBAGE);
    CHECK(verdict_http(1000) == VERDICT_GARBAGE);
    CHECK(!verdict_find(S("http_099"), &v) && !verdict_find(S("http_"), &v));
    CHECK(!verdict_find(S("http_4x4"), &v) && !verdict_find(S("http_40"), &v));
    CHECK(!verdict_find(S("http_x04"), &v) &&
          !verdict_find(S("http_4044"), &v));
}

static void
other_numbers_are_none(void)
{
    const uint64_t none[] = {
        VERDICT_N, VERDICT_HTTP, VERDICT_HTTP + 99, VERDICT_END,
        5,         UINT64_MAX,   (uint64_t)1 << 32};

    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(!verdict_is(none[i]));
    CHECK(strcmp(verdict_name(VERDICT_END), "unknown") == 0);
    CHECK(verdict_kind(VERDICT_END) == VERDICT_KIND_NONE);
    CHECK(verdict_teaches(VERDICT_END) == CLASS_NONE);
    CHECK(!verdict_holds_host(VERDICT_END));
}

/* What is learned from: a row of another class would teach the scorers
 * something else. */
static void
verdicts_teach_what_they_say(void)
{
    size_t n[CLASS_NONE + 1] = {0};

    for (size_t i = 0; i < ROWS_N; i++) {
        enum verdict_kind kind = verdict_kind(rows[i].v);
        enum outcome_class class = verdict_teaches(rows[i].v);

        n[class]++;
        CHECK((class == CLASS_KEPT) == (kind == VERDICT_KIND_KEPT));
        CHECK((class == CLASS_REFUSED) == (kind == VERDICT_KIND_REFUSED));
        CHECK(class != CLASS_ERROR || kind == VERDICT_KIND_FAILED ||
              kind == VERDICT_KIND_RETRY);
        CHECK(kind != VERDICT_KIND_SUBSTITUTED || class == CLASS_OTHER);
        CHECK(kind != VERDICT_KIND_RETURNED || class == CLASS_NONE);
    }
    for (int c = CLASS_KEPT; c <= CLASS_NEAR; c++)
        CHECK(n[c] == 1); /* the frontier counts them by name */
    CHECK(verdict_teaches(VERDICT_SHORT) == CLASS_SHORT);
    CHECK(verdict_teaches(VERDICT_LANGUAGE) == CLASS_LANGUAGE);
    CHECK(verdict_teaches(VERDICT_BADNESS) == CLASS_BADNESS);
    CHECK(verdict_teaches(VERDICT_EXACT_DUPLICATE) == CLASS_EXACT);
    CHECK(verdict_teaches(VERDICT_NEAR_DUPLICATE) == CLASS_NEAR);
    CHECK(verdict_teaches(VERDICT_REDIRECT) == CLASS_REDIRECT);
}

static void
who_wants_to_be_left_alone(void)
{
    static const enum verdict holds[] = {VERDICT_CHALLENGE, VERDICT_CONSENT,
                                         VERDICT_BLOCKED};
    size_t n = 0;

    for (size_t i = 0; i < ROWS_N; i++)
        n += verdict_holds_host(rows[i].v);
    CHECK(n == sizeof holds / sizeof *holds);
    for (size_t i = 0; i < n; i++)
        CHECK(verdict_holds_host(holds[i]));
    CHECK(!verdict_holds_host(VERDICT_PAYWALL));
    for (unsigned s = 100; s <= 999; s++)
        CHECK(verdict_holds_host(verdict_http(s)) == (s == 429 || s == 503));
}

static void
which_statuses_pass(void)
{
    for (unsigned s = 100; s <= 999; s++) {
        bool passes = s >= 500 || s == 408 || s == 425 || s == 429;

        CHECK(verdict_kind(verdict_http(s)) ==
              (passes ? VERDICT_KIND_RETRY : VERDICT_KIND_FAILED));
    }
}

static void
a_verdict_fits_its_outcome(void)
{
    static const struct {
        enum frontier_outcome o;
        enum verdict said, taken;
    } cases[] = {
        {OUTCOME_FETCHED, VERDICT_KEPT, VERDICT_KEPT},
        {OUTCOME_FETCHED, VERDICT_SHORT, VERDICT_SHORT},
        {OUTCOME_FETCHED, VERDICT_CHALLENGE, VERDICT_CHALLENGE},
        {OUTCOME_FETCHED, VERDICT_SITEMAP, VERDICT_SITEMAP},
        {OUTCOME_FETCHED, VERDICT_TIMEOUT, VERDICT_REJECTED},
        {OUTCOME_FETCHED, VERDICT_END, VERDICT_REJECTED},
        {OUTCOME_FAILED, VERDICT_KEPT, VERDICT_OTHER},
        {OUTCOME_FAILED, VERDICT_BOMB, VERDICT_BOMB},
        {OUTCOME_FAILED, VERDICT_BLOCKED, VERDICT_BLOCKED},
        {OUTCOME_RETRY, VERDICT_NONE, VERDICT_OTHER},
        {OUTCOME_RETRY, VERDICT_DNS, VERDICT_DNS},
        {OUTCOME_REDIRECT, VERDICT_KEPT, VERDICT_REDIRECT},
        {OUTCOME_UNCHANGED, VERDICT_KEPT, VERDICT_UNCHANGED},
        {OUTCOME_DISALLOWED, VERDICT_NONE, VERDICT_DISALLOWED},
        {OUTCOME_OUT_OF_SCOPE, VERDICT_NONE, VERDICT_OUT_OF_SCOPE},
        {OUTCOME_OUT_OF_SCOPE, VERDICT_NO_CONTACT, VERDICT_NO_CONTACT},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK(verdict_fitting(cases[i].o, cases[i].said) == cases[i].taken);
    CHECK(verdict_fitting(OUTCOME_FETCHED, verdict_http(404)) ==
          VERDICT_REJECTED);
    CHECK(verdict_fitting(OUTCOME_FAILED, verdict_http(404)) ==
          verdict_http(404));
}

static void
outcomes_have_names(void)
{
    enum frontier_outcome o;

    for (int i = 0; i < OUTCOME_N; i++) {
        const char *name = outcome_name((enum frontier_outcome)i);

        CHECK(outcome_find(str_c(name), &o) && (int)o == i);
    }
    CHECK(!outcome_find(S("UNKNOWN"), &o) && !outcome_find(S("kept"), &o));
    CHECK(strcmp(outcome_name(OUTCOME_UNCHANGED), "UNCHANGED") == 0);
    CHECK(strcmp(outcome_name((enum frontier_outcome)OUTCOME_N), "UNKNOWN") ==
          0);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(numbers_ascend_and_names_are_words),
        TEST(a_verdict_is_found_by_its_name),
        TEST(every_status_of_http_is_a_verdict),
        TEST(other_numbers_are_none),
        TEST(verdicts_teach_what_they_say),
        TEST(who_wants_to_be_left_alone),
        TEST(which_statuses_pass),
        TEST(a_verdict_fits_its_outcome),
        TEST(outcomes_have_names),
        {0},
    };

    return test_main(table, argc, argv);
}
