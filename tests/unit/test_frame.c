/* Frames as they come in, in pieces of any size. */
#include "../../proto/frame.h"

#include "test.h"

static enum status
take_bytewise(struct str all, size_t most, size_t *used, struct buf *message)
{
    enum status st = ST_NONE;
    struct frame f;

    frame_begin(&f, most);
    *used = 0;
    while (st == ST_NONE && *used < all.n) {
        struct str one = str_sub(all, *used, *used + 1);

        st = frame_take(&f, message, &one);
        ++*used;
    }
    return st;
}

static void
a_stranger_is_found_out_by_the_first_byte_that_is_wrong(void)
{
    static const char *const strangers[] = {"GET / HTTP/1.1\r\n\r\n",
                                            "\x16\x03", "wGET", "wnw0wnw0wnw0"};
    static const size_t wrong[] = {1, 1, 2, 4};
    struct buf message = {0};
    size_t used;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(take_bytewise(str_c(strangers[i]), 100, &used, &message) ==
              ST_INVALID);
        CHECK(used == wrong[i]);
    }
    CHECK(message.n == 0);
    buf_free(&message);
}

static void
a_message_that_is_too_long_is_refused_at_its_header(void)
{
    unsigned char header[FRAME_HEADER_SIZE];
    struct str all = str_n((const char *)header, sizeof header);
    struct buf message = {0};
    size_t used;

    frame_header(header, 7, 101);
    CHECK(take_bytewise(all, 100, &used, &message) == ST_LIMIT);
    CHECK(used == sizeof header);
    frame_header(header, 7, 100);
    CHECK(take_bytewise(all, 100, &used, &message) == ST_NONE);
    buf_free(&message);
}

static void
what_follows_a_message_is_left_for_the_next(void)
{
    struct buf bytes = {0}, message = {0};
    unsigned char header[FRAME_HEADER_SIZE];
    struct frame f;
    struct str left;

    frame_header(header, 7, 5);
    buf_add(&bytes, header, sizeof header);
    buf_c(&bytes, "hallowelt");
    left = buf_view(&bytes);
    frame_begin(&f, 100);
    CHECK(frame_take(&f, &message, &left) == ST_NONE); /* the header */
    CHECK(frame_wants(&f, &message, left.n) == 5);
    CHECK(frame_take(&f, &message, &left) == ST_OK && f.number == 7);
    CHECK(message.cap == 5);
    CHECK(str_eq(buf_view(&message), S("hallo")) && str_eq(left, S("welt")));
    buf_free(&bytes);
    buf_free(&message);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_stranger_is_found_out_by_the_first_byte_that_is_wrong),
        TEST(a_message_that_is_too_long_is_refused_at_its_header),
        TEST(what_follows_a_message_is_left_for_the_next),
        {0},
    };

    return test_main(table, argc, argv);
}
