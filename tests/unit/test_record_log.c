/* The log of records is given to the disk while it grows, so that a sync finds
 * little to do.  (What it holds: test_index.) */
#include "../../shingle/store/record_log.h"

#include <fcntl.h>

#include "base/log.h"
#include "folder.h"
#include "test.h"

static uint64_t begun; /* where the last range ends */

/* In the place of the C library's. */
int
sync_file_range(int fd, off_t from, off_t bytes, unsigned flags)
{
    CHECK(fd >= 0 && flags == SYNC_FILE_RANGE_WRITE);
    CHECK((uint64_t)from <= begun + RECORD_UNIT && bytes > 0);
    begun = (uint64_t)(from + bytes);
    return 0;
}

static void
what_was_written_is_given_to_the_disk(void)
{
    static const unsigned char zeros[DOCUMENT_ID_BYTES];
    struct record_log *l;
    struct record record = {
        .verdict = VERDICT_REJECTED, .visit = zeros, .id = zeros};
    uint64_t most = 0;
    uint32_t place;

    CHECK(record_log_open(&l, in_folder("log"), 0, 1 << 30, "repair") == ST_OK);
    for (int i = 0; i < 20000; i++) {
        CHECK(record_log_add(l, &record, &place) == ST_OK);
        if (i % 50 != 49)
            continue;
        CHECK(record_log_write(l, false) == ST_OK);
        if (record_log_end(l) - begun > most)
            most = record_log_end(l) - begun;
    }
    CHECK(begun > 1000000 && most < 150000);
    record_log_close(l);
}

static const struct test tests[] = {
    TEST(what_was_written_is_given_to_the_disk),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return folder_main(tests, argc, argv);
}
