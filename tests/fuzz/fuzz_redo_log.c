/* fuzz_redo_log.c -- any bytes as a file of a log: what is read is what stands
 * there, from its start, as far as it is whole.
 *
 * Heads whose check ends in a zero bit get the right one, or hardly anything
 * would be read. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/path.h"
#include "base/redo_log.h"
#include "fuzz.h"

struct redo_head {
    uint64_t check, bytes, segment, number;
};

static const struct redo_log_kind kind = {
    .owner = "fuzz", .file = "file", .name = STR("a name\n\n")};

/* The record at *at, whatever its check is. */
static bool
next(struct str all, size_t *at, struct redo_head *h, struct str *record)
{
    if (all.n - *at < sizeof *h)
        return false;
    memcpy(h, all.p + *at, sizeof *h);
    if (h->bytes > all.n - *at - sizeof *h)
        return false;
    *record = str_n(all.p + *at + sizeof *h, (size_t)h->bytes);
    *at += sizeof *h + record->n;
    return true;
}

static uint64_t
right_check(struct str record)
{
    return hash64(str_n(record.p - sizeof(struct redo_head) + 8,
                        record.n + sizeof(struct redo_head) - 8));
}

static void
mend(struct buf *all)
{
    struct redo_head h;
    struct str record;

    for (size_t at = 0; next(buf_view(all), &at, &h, &record);)
        if ((h.check & 1) == 0) {
            uint64_t right = right_check(record);

            memcpy(all->p + at - record.n - sizeof h, &right, sizeof right);
        }
}

struct expected {
    struct str all;
    size_t at;
    uint64_t segment, number;
};

static bool
expect(struct expected *e, struct redo_head *h, struct str *record)
{
    return next(e->all, &e->at, h, record) &&
           h->check == right_check(*record) && h->segment == e->segment &&
           (e->number == 0 || h->number == e->number);
}

static enum status
take(void *self, struct str got)
{
    struct expected *e = self;
    struct redo_head h;
    struct str record;

    MUST(expect(e, &h, &record) && str_eq(record, got));
    e->number = h.number + 1;
    return ST_OK;
}

/* Its first segment, and whether that is known to be the oldest. */
static void
read_log(const char *dir, struct str all)
{
    struct expected e = {.all = all};
    struct redo_log *l;
    struct redo_head h;
    struct str record;
    size_t at = 0;
    uint64_t number = 0, oldest;
    bool gap = false,
         any = next(all, &at, &h, &record) && h.check == right_check(record);

    MUST(redo_log_open(&l, &kind, dir) == ST_OK);
    MUST(redo_log_oldest(l, &oldest, &gap) == ST_OK);
    MUST(oldest == (any ? h.segment : 0) && (!any || !gap));
    e.segment = oldest;
    if (oldest % 2 == 0) {
        MUST(redo_log_read(l, oldest, &number, take, &e, &gap) == ST_OK);
        MUST(number == e.number && !expect(&e, &h, &record));
    }
    redo_log_close(l);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char dir[] = "/tmp/winnow-redo-XXXXXX";
    struct buf all = {0};
    size_t name = kind.name.n;
    FILE *file;

    MUST(mkdtemp(dir) != NULL);
    buf_str(&all, kind.name);
    buf_add(&all, data, n);
    all.p += name;
    all.n -= name;
    mend(&all);
    all.p -= name;
    all.n += name;
    file = fopen(path_printf("%s/file-0", dir).z, "wb");
    MUST(file != NULL && fwrite(all.p, 1, all.n, file) == all.n);
    MUST(fclose(file) == 0);
    read_log(dir, str_sub(buf_view(&all), name, all.n));
    MUST(redo_log_remove(&kind, dir, false) == ST_OK && rmdir(dir) == 0);
    buf_free(&all);
    return 0;
}
