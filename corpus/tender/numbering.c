/* numbering.c -- see numbering.h.
 *
 * Documents that are known by their ids wait in a buffer, since they come one
 * by one; it is written before others get numbers, so that its numbers follow
 * each other.  A size that turns out to be larger is written at the end. */
#include "numbering.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/fd_io.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/log.h"
#include "base/memory.h"

#define FLUSH ((size_t)1 << 20)
#define NUMBERS_MAX RANK_NONE /* below it */
#define SIZE_KNOWN_MAX (UINT32_MAX - 1)

/* An id's hash and the number of its document. */
struct number_slot {
    uint64_t hash;
    uint32_t number;
    uint32_t size; /* that is known, as far as it goes, and one more; 0: free */
};

struct size_fix {
    uint32_t number;
    uint64_t size;
};

struct numbering {
    int fd;
    char *path;
    pthread_mutex_t lock; /* of what follows */
    struct hashmap ids;
    struct buf waiting; /* the last documents, not written yet */
    uint32_t documents_n;
    struct size_fix *fix;
    size_t fixes_n, fixes_room;
};

static bool
slot_used(const void *slot)
{
    return ((const struct number_slot *)slot)->size != 0;
}

static bool
slot_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return ((const struct number_slot *)slot)->hash == *(const uint64_t *)key;
}

static uint64_t
slot_hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct number_slot *)slot)->hash;
}

static const struct hashmap_kind ids_kind = {
    .size = sizeof(struct number_slot),
    .used = slot_used,
    .equal = slot_equal,
    .hash = slot_hash,
};

enum status
numbering_new(struct numbering **out, const struct tender *t)
{
    struct numbering *n = memory_need(calloc(1, sizeof *n));

    *out = n;
    pthread_mutex_init(&n->lock, NULL);
    hashmap_init(&n->ids, &ids_kind, NULL, 1024);
    n->path = tender_path(t, "documents");
    n->fd = open(n->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (n->fd >= 0)
        return ST_OK;
    log_error("tender", "file=%s fault=\"%s\"", n->path, strerror(errno));
    return ST_IO;
}

void
numbering_free(struct numbering *n)
{
    if (n == NULL)
        return;
    if (n->fd >= 0)
        close(n->fd);
    pthread_mutex_destroy(&n->lock);
    hashmap_free(&n->ids);
    buf_free(&n->waiting);
    free(n->fix);
    free(n->path);
    free(n);
}

/* ---- the file ---- */

static enum status
write_documents(const struct numbering *n, const void *d, size_t count,
                uint32_t first)
{
    bool full;

    if (fd_write_at(n->fd, d, count * sizeof(struct stored_document),
                    (uint64_t)first * sizeof(struct stored_document), NULL))
        return ST_OK;
    full = disk_full(errno);
    log_error("tender", "file=%s fault=\"%s\"", n->path, disk_full_text(errno));
    return full ? ST_FULL : ST_IO;
}

static enum status
flush(struct numbering *n)
{
    size_t count = n->waiting.n / sizeof(struct stored_document);
    enum status st = write_documents(n, n->waiting.p, count,
                                     n->documents_n - (uint32_t)count);

    buf_clear(&n->waiting);
    return st;
}

/* `count` numbers more. */
static enum status
take_numbers(struct numbering *n, size_t count, uint32_t *first)
{
    *first = n->documents_n;
    if (count > NUMBERS_MAX - n->documents_n) {
        log_error("tender", "fault=\"more than %u documents\"", NUMBERS_MAX);
        return ST_LIMIT;
    }
    n->documents_n += (uint32_t)count;
    return ST_OK;
}

/* ---- by their ids ---- */

static uint32_t
known(uint64_t size)
{
    return (uint32_t)(size < SIZE_KNOWN_MAX ? size : SIZE_KNOWN_MAX) + 1;
}

static enum status
add_new(struct numbering *n, const char *id, uint64_t size, uint32_t *number)
{
    struct stored_document d = {.size = size};
    enum status st = take_numbers(n, 1, number);

    if (st != ST_OK)
        return st;
    memcpy(d.id, id, ID_SIZE);
    buf_add(&n->waiting, &d, sizeof d);
    return n->waiting.n >= FLUSH ? flush(n) : ST_OK;
}

static void
note_size(struct numbering *n, uint32_t number, uint64_t size)
{
    if (n->fixes_n == n->fixes_room) {
        n->fixes_room = n->fixes_room ? 2 * n->fixes_room : 64;
        n->fix = memory_need(realloc(n->fix, n->fixes_room * sizeof *n->fix));
    }
    n->fix[n->fixes_n++] = (struct size_fix){number, size};
}

enum status
numbering_of_id(struct numbering *n, const char *id, uint64_t size,
                uint32_t *number)
{
    uint64_t hash = hash64_seed(str_n(id, ID_SIZE), 1);
    struct number_slot *slot;
    enum status st = ST_OK;

    pthread_mutex_lock(&n->lock);
    slot = hashmap_put(&n->ids, &ids_kind, NULL, hash, &hash);
    if (slot->size == 0) {
        *slot = (struct number_slot){hash, 0, known(size)};
        st = add_new(n, id, size, &slot->number);
    } else if (known(size) > slot->size || size > SIZE_KNOWN_MAX) {
        slot->size = known(size);
        note_size(n, slot->number, size);
    }
    *number = slot->number;
    pthread_mutex_unlock(&n->lock);
    return st;
}

static bool
apply_fix(const struct numbering *n, const struct size_fix *fix)
{
    const uint64_t at = (uint64_t)fix->number * sizeof(struct stored_document);
    struct stored_document d;

    if (!fd_read_at(n->fd, (char *)&d, sizeof d, at, NULL))
        return false;
    if (d.size >= fix->size)
        return true;
    d.size = fix->size;
    return fd_write_at(n->fd, &d, sizeof d, at, NULL);
}

/* ---- all of them ---- */

enum status
numbering_add(struct numbering *n, const struct stored_document *d,
              size_t count, uint32_t *first)
{
    enum status st;

    pthread_mutex_lock(&n->lock);
    st = n->waiting.n > 0 ? flush(n) : ST_OK;
    if (st == ST_OK)
        st = take_numbers(n, count, first);
    pthread_mutex_unlock(&n->lock);
    return st == ST_OK ? write_documents(n, d, count, *first) : st;
}

enum status
numbering_end(struct numbering *n, uint32_t *documents_n)
{
    enum status st = n->waiting.n > 0 ? flush(n) : ST_OK;

    *documents_n = n->documents_n;
    for (size_t i = 0; i < n->fixes_n && st == ST_OK; i++)
        if (!apply_fix(n, &n->fix[i])) {
            log_error("tender", "file=%s fault=\"%s\"", n->path,
                      disk_full_text(errno));
            st = disk_full(errno) ? ST_FULL : ST_IO;
        }
    return st;
}
