/* folder.c -- what the stages share: the files of the folder, and how the
 * memory is divided. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/disk_full.h"
#include "base/log.h"
#include "base/memory.h"
#include "tender_inside.h"

#define BUCKET_BITS_MIN 4
#define BUCKET_BITS_MAX 9
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

unsigned
tender_bucket_bits(const struct tender *t, uint64_t bytes)
{
    unsigned bits = BUCKET_BITS_MIN;

    while (bits < BUCKET_BITS_MAX && bytes >> bits > room_of_thread(t))
        bits++;
    return bits;
}

size_t
tender_piece_bytes(const struct tender *t, unsigned buckets)
{
    uint64_t n = t->o->memory / 8 / t->o->threads / buckets;

    return n < PIECE_MIN ? PIECE_MIN : n > PIECE_MAX ? PIECE_MAX : (size_t)n;
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
        log_error("tender", "file=%s fault=\"%s\"", path, strerror(errno));
    }
    free(path);
    return st;
}

uint32_t *
tender_numbers(const struct tender *t, const char *name, size_t n)
{
    uint32_t *number = memory_need(malloc((n + 1) * sizeof *number));
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

unsigned
tender_rank_shift(const struct tender *t, unsigned bucket_bits)
{
    unsigned bits = 0;

    while (bits < 32 && (uint64_t)t->facts.ranks_n > (uint64_t)1 << bits)
        bits++;
    return bits > bucket_bits ? bits - bucket_bits : 0;
}
