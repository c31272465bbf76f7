/* Members, small and fast, are what zlib reads back, whatever the text is. */
#include "../../shingle/corpus/gzip_members.h"

#include <zlib.h>

#include "base/random.h"
#include "test.h"

/* All members of `gz`, one behind the other. */
static void
read_back(struct str gz, struct buf *out)
{
    z_stream z = {0};
    int rc = Z_OK;

    CHECK(inflateInit2(&z, 16 + MAX_WBITS) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)gz.p;
    z.avail_in = (uInt)gz.n;
    while (rc == Z_OK) {
        buf_reserve(out, 1 << 16);
        z.next_out = (Bytef *)out->p + out->n;
        z.avail_out = 1 << 16;
        rc = inflate(&z, Z_NO_FLUSH);
        out->n += (1 << 16) - z.avail_out;
        if (rc == Z_STREAM_END && z.avail_in > 0)
            rc = inflateReset(&z);
    }
    CHECK(rc == Z_STREAM_END && z.avail_in == 0);
    inflateEnd(&z);
}

static void
make_words(struct buf *out, size_t n)
{
    struct random r = random_seed(n);

    while (out->n < n)
        buf_printf(out, "word%u ", (unsigned)random_below(&r, 5000));
}

static void
make_noise(struct buf *out, size_t n)
{
    struct random r = random_seed(n);

    while (out->n < n)
        buf_char(out, (char)random_below(&r, 256));
}

/* Its size; both members are the text. */
static size_t
both(struct gzip_members *g, struct str text, bool fast)
{
    struct buf gz = {0}, back = {0};
    size_t one;

    gzip_members_choose(g, fast);
    gzip_members_add(g, text, &gz);
    one = gz.n;
    CHECK(one > 0);
    gzip_members_add(g, text, &gz);
    read_back(buf_view(&gz), &back);
    CHECK(back.n == 2 * text.n);
    CHECK(str_eq(str_sub(buf_view(&back), 0, text.n), text));
    CHECK(str_eq(str_sub(buf_view(&back), text.n, back.n), text));
    buf_free(&gz);
    buf_free(&back);
    return one;
}

static void
texts_of_any_length_are_read_back(void)
{
    static const size_t sizes[] = {0, 1, 100, 65535, 65536, 3000000};
    struct gzip_members *g = gzip_members_new();

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int fast = 0; fast < 2; fast++) {
            struct buf text = {0};

            make_words(&text, sizes[i]);
            (void)both(g, buf_view(&text), fast);
            buf_free(&text);
        }
    gzip_members_free(g);
}

/* It grows by its frame, and fits all the same. */
static void
noise_is_read_back(void)
{
    static const size_t sizes[] = {1, 1000, 70000, 2000000};
    struct gzip_members *g = gzip_members_new();

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int fast = 0; fast < 2; fast++) {
            struct buf text = {0};

            make_noise(&text, sizes[i]);
            CHECK(both(g, buf_view(&text), fast) > text.n);
            buf_free(&text);
        }
    gzip_members_free(g);
}

static void
small_is_smaller_than_fast(void)
{
    struct gzip_members *g = gzip_members_new();
    struct buf text = {0};
    size_t small, fast;

    make_words(&text, 1000000);
    small = both(g, buf_view(&text), false);
    fast = both(g, buf_view(&text), true);
    CHECK(small < fast && fast < text.n / 2);
    buf_free(&text);
    gzip_members_free(g);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(texts_of_any_length_are_read_back),
        TEST(noise_is_read_back),
        TEST(small_is_smaller_than_fast),
        {0},
    };

    return test_main(table, argc, argv);
}
