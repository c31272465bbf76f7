/* Fields of JSON objects: those that are there, those of another type, texts
 * that are no objects. */
#include <math.h>

#include "base/buf.h"
#include "base/json_reader.h"
#include "test.h"

static struct json_reader *r;

static bool
reads(const char *text)
{
    return json_reader_read(r, str_c(text));
}

static void
fields_have_the_values_of_the_object(void)
{
    uint64_t n = 0;

    CHECK(reads("{\"s\":\"a\\u0000b\",\"n\":18446744073709551615,\"x\":-0.5,"
                "\"t\":true,\"f\":false,\"e\":\"\"} "));
    CHECK(str_eq(json_reader_str(r, "s"), str_n("a\0b", 3)));
    CHECK(json_reader_str(r, "e").n == 0);
    CHECK(json_reader_u64(&n, r, "n") && n == UINT64_MAX);
    CHECK(json_reader_real(r, "x") == -0.5);
    CHECK(json_reader_bool(r, "t") && !json_reader_bool(r, "f"));
    CHECK(reads("{\"x\":3}"));
    CHECK(json_reader_real(r, "x") == 3);
    CHECK(json_reader_str(r, "s").n == 0); /* of the object before */
}

static void
what_is_missing_or_of_another_type_is_said(void)
{
    uint64_t n = 7;

    CHECK(reads("{\"s\":1,\"n\":\"1\",\"m\":-1,\"r\":1.5,\"x\":\"2\"}"));
    CHECK(json_reader_str(r, "s").n == 0 && json_reader_str(r, "z").n == 0);
    CHECK(!json_reader_u64(&n, r, "n") && !json_reader_u64(&n, r, "m"));
    CHECK(!json_reader_u64(&n, r, "r") && !json_reader_u64(&n, r, "z"));
    CHECK(n == 7);
    CHECK(isnan(json_reader_real(r, "x")) && isnan(json_reader_real(r, "z")));
    CHECK(!json_reader_bool(r, "z"));
}

static void
note(void *self, struct str key, struct str value)
{
    buf_printf(self, "%.*s=%.*s;", STRF(key), STRF(value));
}

static void
strings_are_given_one_by_one(void)
{
    struct buf got = {0};

    CHECK(reads("{\"b\":\"1\",\"n\":7,\"a\":\"\",\"z\":null}"));
    json_reader_strs(r, note, &got);
    CHECK(str_eq(buf_view(&got), S("b=1;a=;")));
    CHECK(json_reader_has(r, "a") && json_reader_has(r, "z"));
    CHECK(!json_reader_has(r, "c"));
    CHECK(!reads("none"));
    json_reader_strs(r, note, &got);
    CHECK(str_eq(buf_view(&got), S("b=1;a=;")) && !json_reader_has(r, "a"));
    buf_free(&got);
}

static void
a_number_has_its_text(void)
{
    CHECK(reads("{\"s\":\"a\",\"n\":7,\"m\":-3,\"d\":1.50,"
                "\"big\":18446744073709551616,\"z\":null}"));
    CHECK(str_eq(json_reader_text(r, "s"), S("a")));
    CHECK(str_eq(json_reader_text(r, "n"), S("7")));
    CHECK(str_eq(json_reader_text(r, "m"), S("-3")));
    CHECK(str_eq(json_reader_text(r, "d"), S("1.50")));
    CHECK(json_reader_text(r, "big").n == 0);
    CHECK(json_reader_text(r, "z").n == 0 && json_reader_text(r, "-").n == 0);
}

static void
what_is_no_object_has_no_fields(void)
{
    static const char *const texts[] = {"",
                                        "[1]",
                                        "\"s\"",
                                        "null",
                                        "{\"s\"",
                                        "}",
                                        "{\"s\":\"x",
                                        "{\"s\":{\"s\":{\"s\":[[1]]}}}",
                                        "{\"s\":\"a\"}{\"s\":\"b\"}",
                                        "{\"s\":\"a\"} x"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(!reads(texts[i]));
        CHECK(json_reader_str(r, "s").n == 0);
    }
    CHECK(reads("{\"s\":\"after all that\"}\r\n "));
    CHECK(json_reader_str(r, "s").n == 14);
}

static void
objects_in_an_array_are_read_one_by_one(void)
{
    uint64_t n = 0;

    CHECK(reads("{\"n\":1,\"a\":[{\"n\":2},{\"n\":3},4],\"b\":{}}"));
    CHECK(json_reader_enter(r, "a", 0));
    CHECK(json_reader_u64(&n, r, "n") && n == 2);
    json_reader_leave(r);
    CHECK(json_reader_enter(r, "a", 1));
    CHECK(json_reader_u64(&n, r, "n") && n == 3);
    CHECK(!json_reader_enter(r, "a", 0)); /* not deeper */
    json_reader_leave(r);
    CHECK(json_reader_u64(&n, r, "n") && n == 1);
    CHECK(!json_reader_enter(r, "a", 2) && !json_reader_enter(r, "a", 3));
    CHECK(!json_reader_enter(r, "b", 0) && !json_reader_enter(r, "z", 0));
    CHECK(!json_reader_enter_object(r, "a") &&
          json_reader_enter_object(r, "b"));
    CHECK(!json_reader_u64(&n, r, "n") && !json_reader_enter_object(r, "b"));
    json_reader_leave(r);
    CHECK(reads("{\"a\":[{}]}") && json_reader_enter(r, "a", 0));
    CHECK(reads("{\"n\":5}") && json_reader_u64(&n, r, "n") && n == 5);
    CHECK(!reads("[]") && !json_reader_enter(r, "a", 0));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(fields_have_the_values_of_the_object),
        TEST(what_is_missing_or_of_another_type_is_said),
        TEST(strings_are_given_one_by_one),
        TEST(a_number_has_its_text),
        TEST(what_is_no_object_has_no_fields),
        TEST(objects_in_an_array_are_read_one_by_one),
        {0},
    };
    int code;

    json_reader_free(NULL);
    if ((r = json_reader_new(4)) == NULL)
        return 2;
    code = test_main(table, argc, argv);
    json_reader_free(r);
    return code;
}
