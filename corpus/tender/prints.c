/* prints.c -- see prints.h.
 *
 * Read with pread(), not mapped: what is read of a file many times the memory
 * should not count as this program's. */
#include "prints.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "shingle/fingerprint.h"

struct prints {
    int documents_fd, prints_fd;
    uint32_t *order; /* by rank: number */
    bool signatures;
};

static int
open_one(const struct tender *t, const char *name)
{
    char *path = tender_path(t, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        log_error("tender", "file=%s fault=\"%s\"", path, strerror(errno));
    free(path);
    return fd;
}

enum status
prints_open(struct prints **out, const struct tender *t)
{
    struct prints *p = memory_need(calloc(1, sizeof *p));

    p->documents_fd = open_one(t, "documents");
    p->prints_fd = open_one(t, "prints");
    p->signatures = t->facts.signatures != 0;
    p->order = tender_numbers(t, "order", t->facts.ranks_n);
    if (p->documents_fd < 0 || p->prints_fd < 0 || p->order == NULL) {
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
    if (p->documents_fd >= 0)
        close(p->documents_fd);
    if (p->prints_fd >= 0)
        close(p->prints_fd);
    free(p->order);
    free(p);
}

void
print_free(struct print *p)
{
    free(p->bytes);
    *p = (struct print){0};
}

enum status
prints_load(const struct prints *p, uint32_t rank, struct print *out)
{
    struct stored_document d;
    off_t at = (off_t)(p->order[rank] * sizeof d);

    errno = EIO;
    if (pread(p->documents_fd, &d, sizeof d, at) != (ssize_t)sizeof d)
        goto fault;
    if (d.print_n > out->room) {
        free(out->bytes);
        out->room = d.print_n;
        out->bytes = memory_need(malloc(out->room));
    }
    out->n = d.print_n;
    if (pread(p->prints_fd, out->bytes, out->n, (off_t)d.print_at) !=
        (ssize_t)out->n)
        goto fault;
    return ST_OK;

fault:
    log_error("tender", "file=prints rank=%u fault=\"%s\"", rank,
              strerror(errno));
    return ST_IO;
}

static double
values_resemblance(const struct print *a, const struct print *b)
{
    size_t n = a->n / sizeof(uint32_t), equal = 0;

    if (a->n != b->n || n == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        equal += memcmp(a->bytes + 4 * i, b->bytes + 4 * i, 4) == 0;
    return (double)equal / (double)n;
}

/* As it is stored; false: it is none. */
static bool
signature_of(const struct print *p, struct arena *a, struct signature *out)
{
    uint32_t shingles_n;

    if (p->n <= sizeof shingles_n)
        return false;
    memcpy(&shingles_n, p->bytes, sizeof shingles_n);
    return signature_unpack(
        str_n(p->bytes + sizeof shingles_n, p->n - sizeof shingles_n),
        shingles_n, a, out);
}

double
prints_resemblance(const struct prints *p, const struct print *a,
                   const struct print *b, struct arena *room)
{
    struct signature x, y;

    if (!p->signatures)
        return values_resemblance(a, b);
    arena_reset(room);
    if (!signature_of(a, room, &x) || !signature_of(b, room, &y))
        return 0;
    return signature_resemblance(&x, &y);
}
