/* Lines sorted in little memory.  Method: lines at random, against qsort(). */
#include "corpus/sort/line_sort.h"

#include "base/buf.h"
#include "base/random.h"
#include "corpus/sort/line_order.h"
#include "corpus/sort/line_run.h"
#include "folder.h"

enum { LINES = 20000, SORTERS = 3, PARTS = 4 };

static int
by_bytes(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Words of few letters, so that many lines share beginnings or are equal. */
static struct str
any_line(struct arena *a, struct random *r)
{
    struct buf b = {.arena = a};
    size_t n = (size_t)random_below(r, random_below(r, 50) == 0 ? 300 : 12);

    for (size_t i = 0; i < n; i++)
        buf_char(&b, "ab\t\0\xff"[random_below(r, 5)]);
    return buf_keep(&b);
}

static void
lines_of_any_bytes_come_in_order(void)
{
    struct arena *a = arena_new();
    struct random r = random_seed(3);
    static struct str line[LINES];
    static struct line_at at[LINES], room[LINES];
    struct buf text = {0};

    for (size_t i = 0; i < LINES; i++) {
        line[i] = any_line(a, &r);
        at[i] = (struct line_at){.from = (uint32_t)text.n,
                                 .n = (uint32_t)line[i].n};
        buf_str(&text, line[i]);
    }
    line_order(at, room, LINES, text.p);
    qsort(line, LINES, sizeof *line, by_bytes);
    for (size_t i = 0; i < LINES; i++)
        CHECK(str_eq(line[i], str_n(text.p + at[i].from, at[i].n)));
    buf_free(&text);
    arena_free(a);
}

static void
long_beginnings_in_common_are_no_deep_recursion(void)
{
    enum { N = 600, LENGTH = 20000 };
    static struct line_at at[N], room[N];
    struct buf text = {0};

    for (size_t i = 0; i < N; i++) {
        at[i] = (struct line_at){.from = (uint32_t)text.n, .n = LENGTH + 4};
        for (size_t k = 0; k < LENGTH; k++)
            buf_char(&text, 'x');
        buf_printf(&text, "%04zu", (i * 7919) % N);
    }
    line_order(at, room, N, text.p);
    for (size_t i = 1; i < N; i++)
        CHECK(memcmp(text.p + at[i - 1].from, text.p + at[i].from, LENGTH + 4) <
              0);
    buf_free(&text);
}

/* Equal neighbours become one. */
static enum status
once(void *self, const struct line_stream *in, const struct line_sink *out)
{
    struct buf last = {0};
    struct str line;
    bool any = false;
    enum status st = ST_OK;

    ++*(unsigned *)self;
    while (st == ST_OK && in->next(in->self, &line) == ST_OK) {
        if (any && str_eq(line, buf_view(&last)))
            continue;
        buf_clear(&last);
        buf_str(&last, line);
        any = true;
        st = out->put(out->self, line);
    }
    buf_free(&last);
    return st;
}

static size_t
distinct(struct str *line, size_t n)
{
    size_t k = 0;

    qsort(line, n, sizeof *line, by_bytes);
    for (size_t i = 0; i < n; i++)
        if (k == 0 || !str_eq(line[k - 1], line[i]))
            line[k++] = line[i];
    return k;
}

static size_t
merged(struct line_sort *const *sorter, struct str *got, struct arena *a,
       unsigned part)
{
    /* few descriptors, or little memory */
    const struct line_merge_bounds bounds = {part % 2 == 0 ? 0 : SIZE_MAX,
                                             part % 2 == 0 ? SIZE_MAX : 0};
    struct line_merge *m;
    struct str line;
    size_t n = 0;

    CHECK(line_merge_open(&m, sorter, SORTERS, part, &bounds) == ST_OK);
    while (line_merge_next(m, &line) == ST_OK) {
        CHECK(n == 0 || str_cmp(got[n - 1], line) <= 0);
        got[n++] = arena_str(a, line);
    }
    CHECK(line_merge_next(m, &line) == ST_NONE);
    line_merge_close(m);
    return n;
}

static void
runs_of_several_sorters_are_merged(void)
{
    struct arena *a = arena_new();
    struct random r = random_seed(5);
    struct line_sort *sorter[SORTERS];
    static struct str line[LINES + 1], got[2 * LINES];
    unsigned combined = 0;
    size_t n = 0, k;

    for (unsigned i = 0; i < SORTERS; i++)
        sorter[i] = line_sort_new(&(struct line_sort_options){
            in_folder("run"), i, PARTS, LINE_SORT_MEMORY_MIN, once, &combined});
    for (size_t i = 0; i < LINES; i++) {
        line[i] = any_line(a, &r);
        CHECK(line_sort_put(sorter[i % SORTERS], line[i]) == ST_OK);
    }
    line[LINES] = str_n(arena_alloc(a, 100000), 100000); /* more than memory */
    CHECK(line_sort_put(sorter[0], line[LINES]) == ST_OK);
    for (unsigned i = 0; i < SORTERS; i++)
        CHECK(line_sort_end(sorter[i]) == ST_OK &&
              line_sort_runs(sorter[i]) > 8);
    CHECK(combined > 3 * 8 && line_sort_bytes(sorter[0]) > 0);
    for (unsigned p = 0; p < PARTS; p++) {
        size_t more = merged(sorter, got + n, a, p);

        CHECK(more > 0);
        n += more;
    }
    n = distinct(got, n);
    k = distinct(line, LINES + 1);
    CHECK(n == k);
    for (size_t i = 0; i < n && i < k; i++)
        CHECK(str_eq(got[i], line[i]));
    for (unsigned i = 0; i < SORTERS; i++)
        line_sort_free(sorter[i]);
    arena_free(a);
}

static void
lines_of_a_key_are_in_one_part(void)
{
    struct arena *a = arena_new();
    struct line_sort *sorter[SORTERS];
    static struct str got[1000];
    size_t with_key = 0;

    for (unsigned i = 0; i < SORTERS; i++) {
        sorter[i] = line_sort_new(&(struct line_sort_options){
            in_folder("run"), i, PARTS, LINE_SORT_MEMORY_MIN, NULL, NULL});
        CHECK(line_sort_put(sorter[i], S("key\t2")) == ST_OK &&
              line_sort_put(sorter[i], S("key\t1")) == ST_OK &&
              line_sort_put(sorter[i], S("key")) == ST_OK);
        CHECK(line_sort_end(sorter[i]) == ST_OK);
    }
    for (unsigned p = 0; p < PARTS; p++) {
        size_t n = merged(sorter, got, a, p);

        with_key += n > 0;
        CHECK(n == 0 || n == 9);
    }
    CHECK(with_key == 1);
    for (unsigned i = 0; i < SORTERS; i++)
        line_sort_free(sorter[i]);
    arena_free(a);
}

static void
damaged_runs_are_faults(void)
{
    struct line_run_writer *w;
    struct line_run *r;
    struct str line;
    struct buf bytes = {0};
    enum status st;

    CHECK(line_run_make(&w, in_folder("one")) == ST_OK);
    for (int i = 0; i < 1000; i++)
        line_run_put(w, S("abc\t1"));
    CHECK(line_run_end(w, NULL) == ST_OK);
    CHECK(file_read(&bytes, in_folder("one"), 1 << 20) == ST_OK);
    for (size_t i = 0; i <= bytes.n; i++) { /* cut, and then changed */
        struct buf bad = {0};

        buf_add(&bad, bytes.p, i);
        if (i == bytes.n)
            bad.p[6] ^= 1;
        folder_put("bad", buf_view(&bad));
        CHECK(line_run_open(&r, in_folder("bad")) == ST_OK);
        while ((st = line_run_next(r, &line)) == ST_OK)
            ;
        CHECK(st == (i == 0 ? ST_NONE : ST_INVALID));
        line_run_close(r);
        buf_free(&bad);
    }
    CHECK(line_run_open(&r, in_folder("none")) == ST_IO);
    CHECK(line_run_make(&w, in_folder("no/where")) == ST_IO);
    buf_free(&bytes);
}

static const struct test tests[] = {
    TEST(lines_of_any_bytes_come_in_order),
    TEST(long_beginnings_in_common_are_no_deep_recursion),
    TEST(runs_of_several_sorters_are_merged),
    TEST(lines_of_a_key_are_in_one_part),
    TEST(damaged_runs_are_faults),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
