/* folder.c -- what the stages share: the files of the folder, and how the
 * memory is divided. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/log.h"
#include "base/memory.h"
#include "corpus/sort/large.h"
#include "tender_inside.h"

#define BUCKET_BITS_MIN 4
#define BUCKET_BITS_MAX 9
#define BUCKET_BYTES ((uint64_t)64 << 20)
#define PIECE_MIN ((size_t)4 << 10)
#define PIECE_MAX ((size_t)64 << 10)
#define ROOM_MIN ((size_t)1 << 16)

char *
tender_path(const struct tender *t, const char *name)
{
    struct buf b = {0};

    buf_printf(&b, "%s/%s", t->folder, name);
    buf_char(&b, '\0');
    return b.p;
}

/* Half of the memory is for sorting, two rooms a thread. */
static uint64_t
room_of_thread(const struct tender *t)
{
    return t->o->memory / 4 / t->o->threads;
}

/* So many that a bucket is put apart only once before its parts fit into the
 * processor's cache; no more, since each takes a part of that when records are
 * put into it. */
unsigned
tender_bucket_bits(const struct tender *t, uint64_t bytes)
{
    uint64_t room = room_of_thread(t);
    unsigned bits = BUCKET_BITS_MIN;

    if (room > BUCKET_BYTES)
        room = BUCKET_BYTES;
    while (bits < BUCKET_BITS_MAX && bytes >> bits > room)
        bits++;
    return bits;
}

static size_t
piece_bytes(const struct tender *t, unsigned buckets)
{
    uint64_t n = t->o->memory / 8 / t->o->threads / buckets;

    return n < PIECE_MIN ? PIECE_MIN : n > PIECE_MAX ? PIECE_MAX : (size_t)n;
}

enum status
tender_spill_make(const struct tender *t, struct spill **out, const char *path,
                  unsigned buckets, size_t record_size)
{
    enum status st =
        spill_make(out, path, buckets, record_size, piece_bytes(t, buckets));

    if (st == ST_OK && t->large)
        spill_drop_behind(*out);
    return st;
}

enum status
tender_spill_open(const struct tender *t, struct spill **out, const char *path)
{
    enum status st = spill_open(out, path);

    if (st == ST_OK && t->large)
        spill_drop_behind(*out);
    return st;
}

size_t
tender_room_bytes(const struct tender *t, uint64_t records_max,
                  size_t record_size)
{
    uint64_t n = room_of_thread(t);

    if (records_max > 0 && records_max < n / record_size)
        return (size_t)records_max * record_size;
    return n < ROOM_MIN ? ROOM_MIN : (size_t)n;
}

size_t
tender_batch_bytes(const struct tender *t)
{
    uint64_t n = t->o->memory / 4 / t->o->threads;

    return n < ROOM_MIN ? ROOM_MIN : (size_t)n;
}

/* Mapped for so many documents; MAP_FAILED, with errno, if it is not. */
static void *
map_documents(const char *path, size_t bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), fault;
    struct stat about;
    void *map = MAP_FAILED;

    if (fd < 0)
        return map;
    if (fstat(fd, &about) == 0) {
        errno = EIO;
        if ((uint64_t)about.st_size >= bytes) /* not cut meanwhile */
            map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    fault = errno;
    close(fd);
    errno = fault;
    return map;
}

enum status
stored_documents_open(struct stored_documents *out, const struct tender *t,
                      enum stored_order order)
{
    size_t n = t->facts.documents_n, bytes = n * sizeof *out->at;
    char *path = tender_path(t, "documents");
    void *map = n > 0 ? map_documents(path, bytes) : NULL;

    *out = (struct stored_documents){0};
    if (map == MAP_FAILED)
        log_error("tender", "file=%s fault=\"%s\"", path, strerror(errno));
    else if (n > 0)
        *out = (struct stored_documents){map, n};
    if (out->n > 0 && order == STORED_SCATTERED) /* a page for each */
        (void)madvise(map, bytes, MADV_RANDOM);
    free(path);
    return map == MAP_FAILED ? ST_IO : ST_OK;
}

void
stored_documents_drop(const struct stored_documents *d, size_t from, size_t n)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)(d->at + from) / page * page;
    uintptr_t end = (uintptr_t)(d->at + from + n) / page * page;

    (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
}

void
stored_documents_close(struct stored_documents *d)
{
    if (d->n > 0)
        munmap((void *)(uintptr_t)d->at, d->n * sizeof *d->at);
    *d = (struct stored_documents){0};
}

enum status
tender_numbers_write(const struct tender *t, const char *name,
                     const uint32_t *number, size_t n)
{
    char *path = tender_path(t, name);
    FILE *f = fopen(path, "wbe");
    bool good = f != NULL && fwrite(number, sizeof *number, n, f) == n;
    enum status st = ST_OK;

    if (f != NULL && fclose(f) != 0)
        good = false;
    if (!good) {
        st = disk_full(errno) ? ST_FULL : ST_IO;
        log_error("tender", "file=%s fault=\"%s\"", path,
                  disk_full_text(errno));
    }
    free(path);
    return st;
}

uint32_t *
tender_numbers(const struct tender *t, const char *name, size_t n)
{
    uint32_t *number = large_need((n + 1) * sizeof *number);
    char *path = tender_path(t, name);
    FILE *f = fopen(path, "rbe");

    if (f == NULL || fread(number, sizeof *number, n, f) != n) {
        log_error("tender", "file=%s fault=\"%s\"", path,
                  f == NULL ? strerror(errno) : "shorter than it was");
        free(number);
        number = NULL;
    }
    if (f != NULL)
        fclose(f);
    free(path);
    return number;
}

uint32_t *
tender_order(const struct tender *t)
{
    uint32_t *order = tender_numbers(t, "order", t->facts.ranks_n);

    for (uint32_t i = 0; order != NULL && i < t->facts.ranks_n; i++)
        if (order[i] >= t->facts.documents_n) {
            log_error("tender", "file=%s/order fault=\"damaged\"", t->folder);
            free(order);
            order = NULL;
        }
    return order;
}

unsigned
tender_rank_shift(const struct tender *t, unsigned bucket_bits)
{
    unsigned bits = 0;

    while (bits < 32 && (uint64_t)t->facts.ranks_n > (uint64_t)1 << bits)
        bits++;
    return bits > bucket_bits ? bits - bucket_bits : 0;
}
