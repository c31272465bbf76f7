/* prints.c -- see prints.h.
 *
 * Read with pread(), not mapped: what is read of a file many times the memory
 * should not count as this program's.  Where they stand is: a call for each
 * would take as long as that for what stands there. */
#include "prints.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "shingle/fingerprint.h"

struct prints {
    struct stored_documents documents;
    int fd;
    uint32_t *order; /* by rank: number */
    bool signatures;
};

static int
open_prints(const struct tender *t)
{
    char *path = tender_path(t, "prints");
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

    p->fd = open_prints(t);
    p->signatures = t->facts.signatures != 0;
    p->order = tender_order(t);
    if (stored_documents_open(&p->documents, t, STORED_SCATTERED) != ST_OK ||
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

void
print_free(struct print *p)
{
    free(p->bytes);
    *p = (struct print){0};
}

void
prints_prefetch_order(const struct prints *p, uint32_t rank)
{
    __builtin_prefetch(&p->order[rank]);
}

void
prints_prefetch(const struct prints *p, uint32_t rank)
{
    __builtin_prefetch(&p->documents.at[p->order[rank]]);
}

enum status
prints_load(const struct prints *p, uint32_t rank, struct print *out)
{
    const struct stored_document *d = &p->documents.at[p->order[rank]];

    if (d->print_n > out->room) {
        free(out->bytes);
        out->room = d->print_n;
        out->bytes = memory_need(malloc(out->room));
    }
    out->n = d->print_n;
    errno = EIO;
    if (pread(p->fd, out->bytes, out->n, (off_t)d->print_at) == (ssize_t)out->n)
        return ST_OK;
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
