/* prints.c -- see prints.h.
 *
 * Read with pread(), not mapped: what is read of a file many times the memory
 * should not count as this program's.  What is wanted is a bit a document; how
 * many bits there are before one says where in memory the document stands.  So
 * nothing is sorted, and the file is read from its begin to its end, in large
 * pieces where much of it is wanted. */
#include "prints.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/drop_behind.h"
#include "base/fd_io.h"
#include "base/log.h"
#include "base/memory.h"
#include "corpus/sort/large.h"
#include "shingle/fingerprint/fingerprint.h"

#define PIECE ((size_t)256 << 10) /* that is read at once */
#define GAP ((size_t)3072)        /* that is read with what is wanted */
#define DOCUMENTS_DROPPED ((size_t)1 << 18) /* when so many have been read */
#define LINE ((size_t)64)                   /* of the processor's cache */
#define LINES_AHEAD 8

struct prints {
    struct stored_documents documents;
    int fd;
    uint32_t *order; /* by rank: number */
    size_t bytes_each;
    bool signatures, drops_behind;
};

struct wanted_prints {
    uint64_t set;    /* a bit a document */
    uint64_t before; /* documents that are wanted before these */
};

struct print_batch {
    const struct prints *p;
    struct wanted_prints *wanted; /* of 64 documents */
    size_t words, n;
    uint64_t *from, *at; /* of each, in the file and in memory, and the end */
    size_t places_room;
    char *bytes, *piece;
    size_t bytes_room;
    struct drop_behind behind;
};

static int
open_prints(const struct tender *t, size_t *bytes)
{
    char *path = tender_path(t, "prints");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);

    if (fd < 0)
        log_error("tender", "file=%s fault=\"%s\"", path, strerror(errno));
    *bytes = end < 0 ? 0 : (size_t)end;
    free(path);
    return fd;
}

enum status
prints_open(struct prints **out, const struct tender *t)
{
    struct prints *p = memory_need(calloc(1, sizeof *p));
    size_t bytes;

    p->fd = open_prints(t, &bytes);
    p->bytes_each = bytes / (t->facts.documents_n + (size_t)1) + 1;
    p->signatures = t->facts.signatures != 0;
    p->drops_behind = t->large;
    p->order = tender_order(t);
    if (stored_documents_open(&p->documents, t, STORED_IN_ORDER) != ST_OK ||
        p->fd < 0 || p->order == NULL) {
        prints_close(p);
        return ST_IO;
    }
    *out = p;
    return ST_OK;
}

void
prints_close(struct prints *p)
{
    if (p == NULL)
        return;
    stored_documents_close(&p->documents);
    if (p->fd >= 0)
        close(p->fd);
    free(p->order);
    free(p);
}

size_t
prints_bytes_each(const struct prints *p)
{
    return p->bytes_each;
}

void
prints_prefetch(const struct prints *p, uint32_t rank)
{
    __builtin_prefetch(&p->order[rank]);
}

/* ---- what is wanted ---- */

struct print_batch *
print_batch_new(const struct prints *p)
{
    struct print_batch *b = memory_need(calloc(1, sizeof *b));

    b->p = p;
    b->words = p->documents.n / 64 + 1;
    b->wanted = memory_need(calloc(b->words, sizeof *b->wanted));
    b->piece = memory_need(malloc(PIECE));
    return b;
}

void
print_batch_free(struct print_batch *b)
{
    if (b == NULL)
        return;
    free(b->wanted);
    free(b->from);
    free(b->at);
    free(b->bytes);
    free(b->piece);
    free(b);
}

uint32_t
print_batch_want(struct print_batch *b, uint32_t rank)
{
    uint32_t number = b->p->order[rank];
    uint64_t *set = &b->wanted[number / 64].set;

    b->n += (*set >> number % 64 & 1) == 0;
    *set |= (uint64_t)1 << number % 64;
    return number;
}

size_t
print_batch_n(const struct print_batch *b)
{
    return b->n;
}

void
print_batch_clear(struct print_batch *b)
{
    memset(b->wanted, 0, b->words * sizeof *b->wanted);
    b->n = 0;
}

/* ---- reading ---- */

static void
make_places(struct print_batch *b)
{
    if (b->n < b->places_room)
        return;
    free(b->from);
    free(b->at);
    b->places_room = b->n + b->n / 8 + 1;
    b->from = large_need(b->places_room * sizeof *b->from);
    b->at = large_need(b->places_room * sizeof *b->at);
}

/* Where each stands; how many bytes all have. */
static uint64_t
find_places(struct print_batch *b)
{
    const struct stored_documents *d = &b->p->documents;
    size_t slot = 0;
    uint64_t at = 0;

    for (size_t w = 0; w < b->words; w++) {
        b->wanted[w].before = slot;
        for (uint64_t left = b->wanted[w].set; left != 0; left &= left - 1) {
            size_t number = w * 64 + (size_t)__builtin_ctzll(left);

            b->from[slot] = d->at[number].print_at;
            b->at[slot++] = at;
            at += d->at[number].print_n;
        }
        if ((w + 1) % (DOCUMENTS_DROPPED / 64) == 0)
            stored_documents_drop(d, (w + 1) * 64 - DOCUMENTS_DROPPED,
                                  DOCUMENTS_DROPPED);
    }
    b->at[slot] = at;
    return at;
}

static enum status
read_some(const struct print_batch *b, char *to, size_t n, uint64_t from)
{
    if (fd_read_at(b->p->fd, to, n, from, NULL))
        return ST_OK;
    log_error("tender", "file=prints offset=%llu fault=\"%s\"",
              (unsigned long long)from,
              errno == 0 ? "shorter than it was" : strerror(errno));
    return ST_IO;
}

/* How many from `slot` on are read at once: those that stand in one piece of
 * the file without large gaps; 1 or more. */
static size_t
run_of(const struct print_batch *b, size_t slot)
{
    uint64_t begin = b->from[slot], end;
    size_t next = slot;

    do {
        end = b->from[next] + (b->at[next + 1] - b->at[next]);
        next++;
    } while (next < b->n && b->from[next] >= end &&
             b->from[next] - end <= GAP &&
             b->from[next] + (b->at[next + 1] - b->at[next]) - begin <= PIECE);
    return next - slot;
}

static enum status
read_run(struct print_batch *b, size_t slot, size_t n)
{
    uint64_t begin = b->from[slot], last = slot + n - 1;
    enum status st;

    if (n == 1)
        return read_some(b, b->bytes + b->at[slot],
                         (size_t)(b->at[slot + 1] - b->at[slot]), begin);
    st = read_some(
        b, b->piece,
        (size_t)(b->from[last] - begin + b->at[last + 1] - b->at[last]), begin);
    for (size_t i = slot; st == ST_OK && i < slot + n; i++)
        memcpy(b->bytes + b->at[i], b->piece + (b->from[i] - begin),
               (size_t)(b->at[i + 1] - b->at[i]));
    return st;
}

enum status
print_batch_gather(struct print_batch *b)
{
    enum status st = ST_OK;
    uint64_t bytes;

    make_places(b);
    bytes = find_places(b);
    if (bytes > b->bytes_room) {
        free(b->bytes);
        b->bytes_room = (size_t)(bytes + bytes / 8);
        b->bytes = large_need(b->bytes_room);
    }
    for (size_t slot = 0, n; st == ST_OK && slot < b->n; slot += n) {
        n = run_of(b, slot);
        st = read_run(b, slot, n);
        if (b->p->drops_behind)
            drop_behind_read(&b->behind, b->p->fd, b->from[slot]);
    }
    b->behind.next = 0; /* the next batch begins anew */
    return st;
}

/* ---- comparing ---- */

static struct str
print_of(const struct print_batch *b, uint32_t number)
{
    const struct wanted_prints *w = &b->wanted[number / 64];
    uint64_t before = w->set & (((uint64_t)1 << number % 64) - 1);
    size_t slot = (size_t)w->before + (size_t)__builtin_popcountll(before);

    return str_n(b->bytes + b->at[slot],
                 (size_t)(b->at[slot + 1] - b->at[slot]));
}

void
print_batch_prefetch(const struct print_batch *b, uint32_t number)
{
    struct str print = print_of(b, number);

    for (size_t i = 0; i < print.n && i < LINES_AHEAD * LINE; i += LINE)
        __builtin_prefetch(print.p + i);
}

static double
values_resemblance(struct str a, struct str b)
{
    size_t n = a.n / sizeof(uint32_t), equal = 0;

    if (a.n != b.n || n == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        equal += memcmp(a.p + 4 * i, b.p + 4 * i, 4) == 0;
    return (double)equal / (double)n;
}

/* As it is stored; false: it is none. */
static bool
signature_of(struct str print, struct arena *a, struct signature *out)
{
    uint32_t shingles_n;

    if (print.n <= sizeof shingles_n)
        return false;
    memcpy(&shingles_n, print.p, sizeof shingles_n);
    return signature_unpack(str_sub(print, sizeof shingles_n, print.n),
                            shingles_n, a, out);
}

double
print_batch_resemblance(const struct print_batch *b, uint32_t x, uint32_t y,
                        struct arena *room)
{
    struct str one = print_of(b, x), other = print_of(b, y);
    struct signature s, t;

    if (!b->p->signatures)
        return values_resemblance(one, other);
    arena_reset(room);
    if (!signature_of(one, room, &s) || !signature_of(other, room, &t))
        return 0;
    return signature_resemblance(&s, &t);
}
