/* The discovery log: what was written and committed reads back, what was not
 * is gone, damage is found. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/random.h"
#include "frontier/intake/journal.h"
#include "frontier_help.h"
#include "test.h"

static char path[128];

/* Record number i, of a length of its own. */
static struct str
record(uint64_t i)
{
    static char text[4000];
    size_t n = (size_t)(hash_mix(i) % (i % 10 == 0 ? sizeof text : 90));

    for (size_t k = 0; k < n; k++)
        text[k] = (char)(i + k);
    return str_n(text, n);
}

static uint64_t
read_all(const struct journal *j)
{
    uint64_t at = 0, n = 0;
    struct str got;
    enum status st;

    while ((st = journal_next(j, &at, &got)) == ST_OK)
        CHECK(str_eq(got, record(n++)));
    CHECK(st == ST_NONE);
    CHECK(at == journal_end(j));
    return n;
}

static void
it_is_what_was_committed_whatever_happened(void)
{
    struct random r = random_seed(1);
    struct journal *j;
    uint64_t n = 0, committed = 0, end = 0;

    CHECK(journal_open(&j, path, 0, false) == ST_OK);
    end = journal_end(j);
    CHECK(end == JOURNAL_START);
    for (int i = 0; i < 3000; i++) {
        for (uint64_t k = random_below(&r, 30); k > 0; k--)
            journal_add(j, record(n++));
        switch (random_below(&r, 8)) {
        case 0: /* undone */
            journal_cut(j, end);
            n = committed;
            break;
        case 1: /* written, undone */
            CHECK(journal_write(j, random_below(&r, 2)) == ST_OK);
            journal_cut(j, end);
            n = committed;
            break;
        case 2: /* killed */
            if (random_below(&r, 2))
                CHECK(journal_write(j, false) == ST_OK);
            journal_close(j);
            CHECK(journal_open(&j, path, end, false) == ST_OK);
            n = committed;
            break;
        default: /* committed */
            CHECK(journal_write(j, i % 50 == 0) == ST_OK);
            end = journal_end(j);
            committed = n;
        }
        if (i % 100 == 0) {
            CHECK(journal_write(j, false) == ST_OK);
            CHECK(read_all(j) == n);
        }
    }
    journal_close(j);
    CHECK(journal_open(&j, path, end, true) == ST_OK);
    CHECK(read_all(j) == committed);
    journal_close(j);
}

static void
a_lost_or_shortened_file_is_told(void)
{
    struct journal *j;
    uint64_t end;

    CHECK(journal_open(&j, path, 0, false) == ST_OK);
    journal_add(j, S("one"));
    journal_add(j, S("two"));
    CHECK(journal_write(j, true) == ST_OK);
    end = journal_end(j);
    journal_close(j);
    CHECK(truncate(path, (off_t)end - 1) == 0);
    CHECK(journal_open(&j, path, end, false) == ST_STORE);
    CHECK(journal_open(&j, path, end, true) == ST_STORE);
    unlink(path);
    CHECK(journal_open(&j, path, end, false) == ST_NONE);
}

static void
every_changed_byte_is_found(void)
{
    struct journal *j;
    uint64_t end;
    char bytes[256];
    FILE *f;

    CHECK(journal_open(&j, path, 0, false) == ST_OK);
    for (int i = 0; i < 5; i++)
        journal_add(j, S("http://a.example/"));
    CHECK(journal_write(j, false) == ST_OK);
    end = journal_end(j);
    journal_close(j);
    f = fopen(path, "r");
    CHECK(end <= sizeof bytes && fread(bytes, 1, end, f) == end);
    fclose(f);
    for (size_t i = 0; i < end; i++) {
        uint64_t at = 0;
        struct str got;
        enum status st;

        bytes[i] ^= 4;
        while ((st = journal_parse(str_n(bytes, end), &at, &got)) == ST_OK)
            ;
        CHECK(st == ST_INVALID);
        bytes[i] ^= 4;
    }
}

static const struct test tests[] = {
    TEST(it_is_what_was_committed_whatever_happened),
    TEST(a_lost_or_shortened_file_is_told),
    TEST(every_changed_byte_is_found),
    {0},
};

int
main(int argc, char **argv)
{
    const char *dir = help_folder();
    int rc;

    log_threshold = LOG_ERROR;
    snprintf(path, sizeof path, "%s/links.log", dir);
    rc = test_main(tests, argc, argv);
    folder_remove(dir);
    return rc;
}
