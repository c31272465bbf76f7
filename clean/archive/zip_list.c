/* zip_list.c -- see zip_list.h.
 *
 * The directory is found from the end of the file, behind which a comment may
 * stand.  Bounds: a directory of DIRECTORY_MAX bytes. */
#include "zip_list.h"

#include <errno.h>

#include <sys/stat.h>

#include "base/fd_io.h"

#define DIRECTORY_MAX ((uint64_t)64 << 20)
#define LIMIT_32 0xffffffffu
#define LIMIT_16 0xffffu

/* Of the records; the bytes before what has a length of its own. */
enum { LOCAL_N = 30, ENTRY_N = 46, END_N = 22, END_64_N = 56, LOCATOR_N = 20 };
#define TAIL_MAX (LOCATOR_N + END_N + LIMIT_16)

struct zip_file {
    int fd;
    uint64_t size;
    struct arena *a;
};

static uint64_t
little(struct str s, size_t at, size_t n)
{
    uint64_t value = 0;

    while (n-- > 0)
        value = value << 8 | (unsigned char)s.p[at + n];
    return value;
}

static enum status
bytes(const struct zip_file *z, uint64_t at, uint64_t n, struct str *out)
{
    char *p;

    if (at > z->size || n > z->size - at)
        return ST_INVALID;
    p = arena_raw(z->a, (size_t)n);
    *out = str_n(p, (size_t)n);
    return fd_read_at(z->fd, p, (size_t)n, at, NULL) ? ST_OK
           : errno != 0                              ? ST_IO
                                                     : ST_INVALID;
}

/* The record at the end of the file; SIZE_MAX: there is none. */
static size_t
end_in(struct str tail)
{
    for (size_t i = tail.n < END_N ? 0 : tail.n - END_N + 1; i-- > 0;)
        if (str_starts(str_sub(tail, i, tail.n), S("PK\x05\x06")) &&
            i + END_N + little(tail, i + 20, 2) <= tail.n)
            return i;
    return SIZE_MAX;
}

/* Where the directory is.  What 32 bits have no room for stands in a record of
 * its own, to which the bytes before the last record lead. */
static enum status
find_directory(const struct zip_file *z, uint64_t *at, uint64_t *n)
{
    uint64_t tail_n = z->size < TAIL_MAX ? z->size : TAIL_MAX;
    struct str tail, locator, end;
    enum status st = bytes(z, z->size - tail_n, tail_n, &tail);
    size_t i;

    if (st != ST_OK)
        return st;
    if ((i = end_in(tail)) == SIZE_MAX)
        return ST_INVALID;
    *n = little(tail, i + 12, 4);
    *at = little(tail, i + 16, 4);
    if ((*n < LIMIT_32 && *at < LIMIT_32 &&
         little(tail, i + 10, 2) < LIMIT_16) ||
        i < LOCATOR_N)
        return ST_OK;
    locator = str_sub(tail, i - LOCATOR_N, i);
    if (!str_starts(locator, S("PK\x06\x07")))
        return ST_OK;
    if ((st = bytes(z, little(locator, 8, 8), END_64_N, &end)) != ST_OK)
        return st;
    if (!str_starts(end, S("PK\x06\x06")))
        return ST_INVALID;
    *n = little(end, 40, 8);
    *at = little(end, 48, 8);
    return ST_OK;
}

/* Of the fields that an entry has no room for, those of 64 bits, in the order
 * of the entry. */
static bool
widen(struct str extra, uint64_t *const field[3])
{
    while (extra.n >= 4) {
        size_t n = little(extra, 2, 2), at = 4;

        if (n > extra.n - 4)
            return false;
        for (int i = 0; i < 3 && little(extra, 0, 2) == 1; i++) {
            if (*field[i] != LIMIT_32)
                continue;
            if (at + 8 > 4 + n)
                return false;
            *field[i] = little(extra, at, 8);
            at += 8;
        }
        extra = str_sub(extra, 4 + n, extra.n);
    }
    return true;
}

/* Names and extras of a member's own header need not be as long as those of its
 * entry. */
static enum status
behind_header(const struct zip_file *z, uint64_t header, struct zip_listed *m)
{
    struct str local;
    enum status st = bytes(z, header, LOCAL_N, &local);

    if (st != ST_OK)
        return st;
    if (!str_starts(local, S("PK\x03\x04")))
        return ST_INVALID;
    m->at = header + LOCAL_N + little(local, 26, 2) + little(local, 28, 2);
    return m->at <= z->size && m->n <= z->size - m->at ? ST_OK : ST_INVALID;
}

/* The entry at the beginning of *rest, which is taken off. */
static enum status
next_entry(const struct zip_file *z, struct str *rest, struct zip_listed *m)
{
    struct str entry = *rest;
    size_t name_n, extra_n, comment_n;
    uint64_t header, unpacked;

    if (entry.n < ENTRY_N || !str_starts(entry, S("PK\x01\x02")))
        return ST_INVALID;
    name_n = little(entry, 28, 2);
    extra_n = little(entry, 30, 2);
    comment_n = little(entry, 32, 2);
    if (name_n + extra_n + comment_n > entry.n - ENTRY_N)
        return ST_INVALID;
    *rest = str_sub(entry, ENTRY_N + name_n + extra_n + comment_n, entry.n);
    m->stored = (little(entry, 8, 2) & 1) == 0 && little(entry, 10, 2) == 0;
    m->n = little(entry, 20, 4);
    unpacked = little(entry, 24, 4);
    header = little(entry, 42, 4);
    m->name = str_sub(entry, ENTRY_N, ENTRY_N + name_n);
    if (!widen(str_sub(entry, ENTRY_N + name_n, ENTRY_N + name_n + extra_n),
               (uint64_t *const[]){&unpacked, &m->n, &header}))
        return ST_INVALID;
    return behind_header(z, header, m);
}

enum status
zip_list_read(struct zip_list *list, int fd, struct arena *a)
{
    struct zip_file z = {.fd = fd, .a = a};
    struct stat sb;
    struct str rest;
    uint64_t at, n;
    enum status st;

    *list = (struct zip_list){0};
    if (fstat(fd, &sb) != 0)
        return ST_IO;
    z.size = S_ISREG(sb.st_mode) ? (uint64_t)sb.st_size : 0;
    if ((st = find_directory(&z, &at, &n)) != ST_OK)
        return st;
    if (n > DIRECTORY_MAX)
        return ST_INVALID;
    if ((st = bytes(&z, at, n, &rest)) != ST_OK)
        return st;
    list->member =
        arena_alloc(a, (rest.n / ENTRY_N + 1) * sizeof *list->member);
    while (rest.n > 0 && st == ST_OK)
        if ((st = next_entry(&z, &rest, &list->member[list->n])) == ST_OK)
            list->n++;
    return st;
}
