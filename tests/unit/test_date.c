/* test_date.c -- dates in all their forms, there and back; days against the C
 * library's calendar. */
#include <time.h>

#include "base/clock.h"
#include "base/date.h"
#include "test.h"

static void
dates_of_both_kinds_are_understood(void)
{
    CHECK(date_read_ms(S("1997")) == 852076800000);
    CHECK(date_read_ms(S("1997-07")) == 867715200000);
    CHECK(date_read_ms(S("1997-07-16")) == 869011200000);
    CHECK(date_read_ms(S("1997-07-16T19:20+01:00")) == 869077200000);
    CHECK(date_read_ms(S(" 1997-07-16T19:20:30.45+01:00")) == 869077230000);
    CHECK(date_read_ms(S("1997-07-16 19:20:30 +0100")) == 869077230000);
    CHECK(date_read_ms(S("1997-07-16T18:20:30Z")) == 869077230000);
    CHECK(date_read_ms(S("1997-07-16, morning")) == 869011200000);
    CHECK(date_read_ms(S("Wed, 16 Jul 1997 18:20:30 GMT")) == 869077230000);
    CHECK(date_read_ms(S("16 July 97 19:20:30 +0100")) == 869077230000);
    CHECK(date_read_ms(S("1997-07-16T24:00Z")) == 869097600000);
    CHECK(date_read_ms(S("1997-07-16T24:10Z")) == 869011200000);
    CHECK(date_read_ms(S("2000-02-29")) == 951782400000);
    CHECK(date_read_ms(S("1912-01-01")) == 0);
}

static void
what_is_no_date_is_refused(void)
{
    static const char *const none[] = {"",
                                       "yesterday",
                                       "1997-13-01",
                                       "1997-00-01",
                                       "1997-07-32",
                                       "0000-01-01",
                                       "1997-07-161",
                                       "97-07-16",
                                       "16 Juli",
                                       "Wed, 16 Jul",
                                       "16 Jul 1997",
                                       "1997-02-30",
                                       "1900-02-29",
                                       "1997-04-31",
                                       "30 Feb 1997 18:20:30 GMT"};
    int64_t ms;

    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(!date_read(str_c(none[i]), &ms));
}

static void
every_day_is_that_of_the_calendar(void)
{
    for (int64_t day = -719162; day < 2932896; day += 97) {
        time_t t = (time_t)(day * 86400 + 86399);
        char want[64], got[DATE_ISO_N];
        int64_t back;
        struct tm tm;

        gmtime_r(&t, &tm);
        snprintf(want, sizeof want, "%04d-%02d-%02dT23:59:59.999Z",
                 (tm.tm_year + 1900) % 10000, tm.tm_mon + 1, tm.tm_mday);
        date_iso(day * 86400000 + 86399999, got);
        CHECK(strcmp(got, want) == 0);
        CHECK(date_read(str_c(got), &back) &&
              back == day * 86400000 + 86399000);
    }
}

static void
times_outside_the_years_have_no_text(void)
{
    char out[DATE_ISO_N];

    date_iso(INT64_MIN, out);
    CHECK(out[0] == '\0');
    date_iso(INT64_MAX, out);
    CHECK(out[0] == '\0');
    date_iso(0, out);
    CHECK(strcmp(out, "1970-01-01T00:00:00.000Z") == 0);
    clock_iso(1000, out);
    CHECK(strcmp(out, "1970-01-01T00:00:01Z") == 0);
    clock_iso((uint64_t)253402300800 * 1000, out); /* the year 10000 */
    CHECK(strcmp(out, "9999-12-31T23:59:59Z") == 0);
    clock_iso(UINT64_MAX, out);
    CHECK(strcmp(out, "9999-12-31T23:59:59Z") == 0);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(dates_of_both_kinds_are_understood),
        TEST(what_is_no_date_is_refused),
        TEST(every_day_is_that_of_the_calendar),
        TEST(times_outside_the_years_have_no_text),
        {0}};

    return test_main(table, argc, argv);
}
