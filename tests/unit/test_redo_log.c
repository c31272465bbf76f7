/* Aim: what is whole of a log is read again and nothing else is, whatever was
 * cut, garbled or left over; what could not be synced has not been.  Method:
 * files are cut at every length and changed at every byte; segments are written
 * over each other; syncs are counted, and fail. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/redo_log.h"
#include "folder.h"

enum { RECORDS = 6, HEAD = 32, NAME = 8 };

static const struct redo_log_kind kind = {
    .owner = "test", .file = "file", .name = STR("a name\n\n")};
static const struct redo_log_kind shared = {.owner = "test",
                                            .file = "file",
                                            .name = STR("a name\n\n"),
                                            .others_sync = true};

/* ---- the disk ---- */

static struct {
    unsigned syncs;
    bool fails;
} disk;

/* In the place of the C library's. */
int
fdatasync(int fd)
{
    CHECK(fd >= 0);
    disk.syncs++;
    errno = EIO;
    return disk.fails ? -1 : 0;
}

static size_t
size_of(size_t i)
{
    struct stat st;

    CHECK(stat(in_folder(i == 0 ? "file-0" : "file-1"), &st) == 0);
    return (size_t)st.st_size;
}

/* ---- records that tell their segment and number ---- */

static struct str
text_of(uint64_t segment, uint64_t number)
{
    static char text[64];
    int n = snprintf(text, sizeof text, "%d.%d of some length", (int)segment,
                     (int)number);

    return str_n(text, (size_t)n - number % 5);
}

static struct redo_log *
opened(const struct redo_log_kind *of)
{
    struct redo_log *l;

    CHECK(redo_log_open(&l, of, folder) == ST_OK);
    return l;
}

static enum status
append(struct redo_log *l, uint64_t segment, bool sync)
{
    buf_str(redo_log_record(l), text_of(segment, redo_log_next(l)));
    return redo_log_append(l, sync);
}

static void
write_segment(struct redo_log *l, uint64_t segment, uint64_t first,
              unsigned records)
{
    redo_log_begin(l, segment, first);
    for (unsigned i = 0; i < records; i++)
        CHECK(append(l, segment, false) == ST_OK);
    CHECK(redo_log_next(l) == first + records);
}

struct seen {
    uint64_t segment, number;
    unsigned n;
};

static enum status
see(void *self, struct str record)
{
    struct seen *s = self;

    CHECK(str_eq(record, text_of(s->segment, s->number + s->n)));
    s->n++;
    return ST_OK;
}

/* Records of the segment, whose first has number `first`, that this log finds.
 */
static unsigned
found(const struct redo_log *l, uint64_t segment, uint64_t first, bool *gap)
{
    struct seen s = {segment, first, 0};
    uint64_t next = 0;

    *gap = false;
    CHECK(redo_log_read(l, segment, &next, see, &s, gap) == ST_OK);
    CHECK(next == (s.n == 0 ? 0 : first + s.n));
    return s.n;
}

/* The same by a new process. */
static unsigned
found_anew(uint64_t segment, uint64_t first, bool *gap)
{
    struct redo_log *l = opened(&kind);
    unsigned n = found(l, segment, first, gap);

    redo_log_close(l);
    return n;
}

static uint64_t
oldest(bool *gap)
{
    struct redo_log *l = opened(&kind);
    uint64_t segment;

    *gap = false;
    CHECK(redo_log_oldest(l, &segment, gap) == ST_OK);
    redo_log_close(l);
    return segment;
}

static uint64_t
newest(void)
{
    struct redo_log *l = opened(&kind);
    uint64_t segment;

    CHECK(redo_log_newest(l, &segment) == ST_OK);
    redo_log_close(l);
    return segment;
}

/* ---- tests ---- */

static void
segments_take_turns_in_two_files(void)
{
    struct redo_log *l;
    bool gap;

    folder_open();
    l = opened(&kind);
    CHECK(!redo_log_exists(&kind, folder) && oldest(&gap) == 0 && !gap);
    CHECK(newest() == 0);
    CHECK(redo_log_file(l) == -1 && redo_log_bytes(l) == 0);
    for (uint64_t g = 1; g < 9; g++) {
        unsigned n = g == 8 ? 1 : RECORDS; /* less than what it writes over */

        write_segment(l, g, g, n);
        CHECK(redo_log_exists(&kind, folder) && redo_log_file(l) >= 0);
        CHECK(found(l, g, g, &gap) == n && !gap);
        CHECK(found_anew(g, g, &gap) == n && !gap);
        CHECK(found_anew(g - 1, g - 1, &gap) == (g == 1 ? 0 : RECORDS));
        CHECK(!gap && found_anew(g + 1, 0, &gap) == 0 && !gap);
        CHECK(oldest(&gap) == (g == 1 ? 1 : g - 1) && !gap);
        CHECK(newest() == g);
    }
    CHECK(redo_log_bytes(l) == HEAD + text_of(8, 8).n);
    redo_log_close(l);
    CHECK(redo_log_remove(&kind, folder, true) == ST_OK);
    CHECK(!redo_log_exists(&kind, folder));
    folder_close();
}

/* A power loss leaves any part of what was not synced. */
static void
a_torn_or_damaged_record_ends_it(void)
{
    struct redo_log *l;
    struct buf whole = {0};
    unsigned cut, before = 0;
    bool gap;

    folder_open();
    l = opened(&kind);
    write_segment(l, 6, 0, RECORDS);
    redo_log_close(l);
    CHECK(file_read(&whole, in_folder("file-0"), 1 << 20) == ST_OK);
    for (size_t i = 0; i < whole.n; i++) {
        char kept = whole.p[i];

        folder_put("file-0", str_n(whole.p, i));
        cut = found_anew(6, 0, &gap);
        CHECK(cut >= before && cut < RECORDS && !gap);
        CHECK(oldest(&gap) == (cut > 0 ? 6 : 0) && !gap);
        before = cut;
        whole.p[i] = (char)(kept ^ 0x10);
        folder_put("file-0", buf_view(&whole));
        CHECK(found_anew(6, 0, &gap) == (i < NAME ? 0 : cut));
        CHECK(gap == (i >= NAME && cut < RECORDS - 1)); /* the last: torn? */
        CHECK(oldest(&gap) == (i >= NAME && cut > 0 ? 6 : 0));
        CHECK(gap == (i >= NAME && cut == 0));
        whole.p[i] = kept;
    }
    CHECK(before == RECORDS - 1);
    buf_free(&whole);
    folder_close();
}

/* The one before is what may be needed, and it is not hidden by what is older
 * than it. */
static void
a_torn_first_record_hides_no_older_segment(void)
{
    struct redo_log *l;
    struct buf text = {0};
    bool gap;

    folder_open();
    l = opened(&kind);
    write_segment(l, 5, 0, RECORDS);
    write_segment(l, 6, 0, RECORDS);
    write_segment(l, 7, 0, 1);
    redo_log_close(l);
    CHECK(file_read(&text, in_folder("file-1"), 1 << 20) == ST_OK);
    text.p[NAME + HEAD]++;
    folder_put("file-1", buf_view(&text));
    CHECK(oldest(&gap) == 6 && gap);
    CHECK(found_anew(6, 0, &gap) == RECORDS && !gap);
    CHECK(found_anew(7, 0, &gap) == 0 && !gap);
    buf_free(&text);
    folder_close();
}

/* One number is left out: no reading goes on across it, and it is told. */
static void
numbers_go_on_from_segment_to_segment(void)
{
    for (unsigned left_out = 0; left_out < 2; left_out++) {
        struct seen s = {4, 0, 0};
        struct redo_log *l;
        uint64_t next = 0;
        bool gap = false;

        folder_open();
        l = opened(&kind);
        write_segment(l, 4, 0, 3);
        write_segment(l, 5, redo_log_next(l) + left_out, 2);
        CHECK(redo_log_read(l, 4, &next, see, &s, &gap) == ST_OK);
        CHECK(s.n == 3 && next == 3 && !gap);
        s.segment = 5;
        CHECK(redo_log_read(l, 5, &next, see, &s, &gap) == ST_OK);
        CHECK(s.n == (left_out ? 3 : 5) && next == s.n && gap == left_out);
        redo_log_close(l);
        folder_close();
    }
}

static enum status
stop(void *self, struct str record)
{
    (void)record;
    return ++*(unsigned *)self == 3 ? ST_INVALID : ST_OK;
}

static void
reading_ends_when_told_to(void)
{
    struct redo_log *l;
    uint64_t next = 0;
    unsigned n = 0;
    bool gap = false;

    folder_open();
    l = opened(&kind);
    write_segment(l, 1, 0, RECORDS);
    CHECK(redo_log_read(l, 1, &next, stop, &n, &gap) == ST_INVALID);
    CHECK(n == 3 && !gap);
    redo_log_close(l);
    folder_close();
}

/* As stores have them: the numbers are the machine's, here little-endian. */
static void
the_form_of_a_file_stays(void)
{
    struct redo_log *l;
    struct buf want = {0}, got = {0};
    uint64_t head[4] = {0, 20, 3, 9};

    folder_open();
    l = opened(&kind);
    write_segment(l, 3, 9, 1);
    redo_log_close(l);
    buf_c(&want, "a name\n\n");
    buf_add(&want, head, sizeof head);
    buf_str(&want, text_of(3, 9));
    head[1] = want.n - NAME - HEAD;
    memcpy(want.p + NAME, head, sizeof head);
    head[0] = hash64(str_sub(buf_view(&want), NAME + 8, want.n));
    memcpy(want.p + NAME, head, sizeof head);
    CHECK(file_read(&got, in_folder("file-1"), 1 << 20) == ST_OK);
    CHECK(str_eq(buf_view(&got), buf_view(&want)));
    buf_free(&got);
    buf_free(&want);
    folder_close();
}

/* One sync a record, no other; where others sync, the file's name before. */
static void
nothing_is_synced_in_vain(void)
{
    struct redo_log *l;

    folder_open();
    l = opened(&kind);
    disk.syncs = 0;
    write_segment(l, 1, 0, 3);
    CHECK(disk.syncs == 0);
    CHECK(append(l, 1, true) == ST_OK && disk.syncs == 1);
    CHECK(append(l, 1, true) == ST_OK && disk.syncs == 2);
    redo_log_begin(l, 2, 0);
    CHECK(append(l, 2, true) == ST_OK && disk.syncs == 3);
    redo_log_close(l);
    folder_close();
    folder_open();
    l = opened(&shared);
    disk.syncs = 0;
    write_segment(l, 1, 0, 3);
    CHECK(disk.syncs == 1);
    write_segment(l, 2, 0, 3);
    CHECK(disk.syncs == 2);
    write_segment(l, 3, 0, 3);
    CHECK(disk.syncs == 2);
    redo_log_close(l);
    folder_close();
}

/* Nor if it is in the file by then; and the next one takes its place. */
static void
what_cannot_be_synced_has_not_been(void)
{
    struct redo_log *l;
    bool gap;

    folder_open();
    l = opened(&kind);
    log_mute(true);
    for (unsigned n = 0; n < RECORDS; n++) {
        if (n == 0)
            redo_log_begin(l, 2, 0);
        disk.fails = true;
        CHECK(append(l, 2, true) == ST_IO);
        CHECK(redo_log_next(l) == n);
        CHECK(found_anew(2, 0, &gap) == n && !gap);
        disk.fails = false;
        CHECK(append(l, 2, true) == ST_OK);
        CHECK(found_anew(2, 0, &gap) == n + 1 && !gap);
        CHECK(append(l, 2, false) == ST_OK);
        redo_log_take_back(l);
        CHECK(redo_log_next(l) == n + 1);
        CHECK(found_anew(2, 0, &gap) == n + 1 && !gap);
    }
    redo_log_close(l);
    CHECK(redo_log_remove(&kind, folder, false) == ST_OK);
    l = opened(&shared);
    redo_log_begin(l, 2, 0);
    disk.fails = true;
    CHECK(append(l, 2, false) == ST_IO && redo_log_file(l) == -1);
    disk.fails = false;
    CHECK(append(l, 2, false) == ST_OK && redo_log_file(l) >= 0);
    CHECK(found_anew(2, 0, &gap) == 1 && !gap);
    redo_log_close(l);
    log_mute(false);
    folder_close();
}

static void
what_cannot_be_written_has_not_been(void)
{
    const struct rlimit none = {150, RLIM_INFINITY};
    struct rlimit old;
    struct redo_log *l;
    bool gap;

    signal(SIGXFSZ, SIG_IGN);
    folder_open();
    l = opened(&kind);
    write_segment(l, 1, 0, 2);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
    CHECK(append(l, 1, true) == ST_FULL);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(redo_log_next(l) == 2 && found_anew(1, 0, &gap) == 2 && !gap);
    CHECK(append(l, 1, true) == ST_OK);
    CHECK(found_anew(1, 0, &gap) == 3 && !gap);
    redo_log_close(l);
    folder_close();
}

/* What is behind the records then is no record. */
static void
the_file_that_takes_the_next_turn_has_room(void)
{
    struct redo_log *l;
    size_t before;
    bool gap;

    folder_open();
    l = opened(&kind);
    write_segment(l, 1, 0, RECORDS);
    redo_log_extend(l); /* there is no other one yet */
    write_segment(l, 2, 0, RECORDS);
    before = size_of(0);
    disk.syncs = 0;
    redo_log_extend(l);
    redo_log_extend(l); /* it has it */
    CHECK(disk.syncs == 1);
    CHECK(size_of(1) == 1 << 20 && size_of(0) == before);
    CHECK(found_anew(2, 0, &gap) == RECORDS && !gap);
    CHECK(found_anew(3, 0, &gap) == 0 && !gap);
    write_segment(l, 3, 0, 1);
    CHECK(found_anew(3, 0, &gap) == 1 && !gap);
    CHECK(found_anew(2, 0, &gap) == RECORDS && !gap);
    CHECK(size_of(1) == 1 << 20);
    redo_log_extend(l);
    CHECK(size_of(0) == 1 << 20);
    redo_log_close(l);
    folder_close();
}

/* What stood in them is no record of the segment that is next. */
static void
both_files_have_room_from_the_start(void)
{
    struct redo_log *l;
    bool gap;

    folder_open();
    l = opened(&kind);
    write_segment(l, 1, 0, RECORDS);
    write_segment(l, 2, 0, RECORDS);
    redo_log_close(l);
    l = opened(&kind);
    redo_log_begin(l, 3, 0);
    redo_log_make_room(l, (3 << 20) - 5);
    CHECK(size_of(1) == 3 << 20 && size_of(0) == 3 << 20);
    CHECK(found(l, 3, 0, &gap) == 0 && found_anew(4, 0, &gap) == 0 && !gap);
    write_segment(l, 3, 0, 2);
    write_segment(l, 4, 0, RECORDS);
    CHECK(found_anew(3, 0, &gap) == 2 && !gap);
    CHECK(found_anew(4, 0, &gap) == RECORDS && !gap);
    CHECK(size_of(1) == 3 << 20 && size_of(0) == 3 << 20);
    redo_log_close(l);
    CHECK(redo_log_remove(&kind, folder, false) == ST_OK);
    l = opened(&kind);
    redo_log_begin(l, 1, 0);
    redo_log_make_room(l, 0); /* no file is made for that */
    CHECK(!redo_log_exists(&kind, folder));
    redo_log_close(l);
    folder_close();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(segments_take_turns_in_two_files),
        TEST(a_torn_or_damaged_record_ends_it),
        TEST(a_torn_first_record_hides_no_older_segment),
        TEST(numbers_go_on_from_segment_to_segment),
        TEST(reading_ends_when_told_to),
        TEST(the_form_of_a_file_stays),
        TEST(nothing_is_synced_in_vain),
        TEST(what_cannot_be_synced_has_not_been),
        TEST(what_cannot_be_written_has_not_been),
        TEST(the_file_that_takes_the_next_turn_has_room),
        TEST(both_files_have_room_from_the_start),
        {0}};

    return test_main(table, argc, argv);
}
