/* filter.c -- see filter.h: layers of blocks of 512 bits (Putze, Sanders &
 * Singler 2007), each layer for twice as many keys as the one before.
 *
 * A key sets BITS bits in one block of the latest layer and is looked for in
 * one block of each: one miss of the processor's cache a layer, five layers at
 * 10^8 keys.  A layer is allocated on disk before it is used, since a full disk
 * would otherwise be a SIGBUS.
 *
 * File: a page of header, then the layers.  The header names the boot of the
 * machine in which the file was last written: within one boot the kernel's
 * pages are the truth, whoever was killed; over a boot only a file that was
 * closed (and so written down) is. */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "winnow/hash.h"
#include "winnow/log.h"

#define MAGIC "winnow filter 1"
#define HEADER_SIZE 4096u
#define BLOCK_SIZE 64u
#define BITS 7u             /* of a key: 9 bits of a hash each tell one */
#define KEYS_BLOCK 42u      /* 512 / 12 */
#define FIRST_BLOCKS 98304u /* 6 MiB, 4.1 million keys */
#define LAYERS_MAX 20u      /* 4e12 keys */

struct header {
    char magic[16];
    char boot[40];
    uint64_t store, keys; /* keys: of the latest layer */
    uint32_t layers, closed;
};

struct layer {
    unsigned char *bytes;
    uint64_t blocks;
};

struct filter {
    struct header *head;
    struct layer layer[LAYERS_MAX];
    uint32_t mapped;
    int fd;
    bool read_only, overfull;
};

static void
read_boot(char boot[40])
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

    memset(boot, 0, 40);
    if (f == NULL)
        return; /* never equal to a file's: then only closed ones count */
    if (fgets(boot, 40, f) == NULL)
        boot[0] = '\0';
    boot[strcspn(boot, "\n")] = '\0';
    fclose(f);
}

static uint64_t
layer_blocks(uint32_t i)
{
    return (uint64_t)FIRST_BLOCKS << i;
}

static uint64_t
layer_start(uint32_t i) /* in the file */
{
    return HEADER_SIZE + BLOCK_SIZE * (layer_blocks(i) - FIRST_BLOCKS);
}

static void *
map(const struct filter *f, uint64_t at, uint64_t size)
{
    int protection = f->read_only ? PROT_READ : PROT_READ | PROT_WRITE;

    return mmap(NULL, size, protection, MAP_SHARED, f->fd, (off_t)at);
}

static bool
map_layer(struct filter *f)
{
    uint64_t blocks = layer_blocks(f->mapped);
    void *p = map(f, layer_start(f->mapped), blocks * BLOCK_SIZE);

    if (p == MAP_FAILED)
        return false;
    if (!f->read_only) /* no read-ahead, and few page tables */
        (void)madvise(p, blocks * BLOCK_SIZE, MADV_RANDOM);
    f->layer[f->mapped++] = (struct layer){p, blocks};
    return true;
}

static void
unmap(struct filter *f)
{
    for (uint32_t i = 0; i < f->mapped; i++)
        munmap(f->layer[i].bytes, f->layer[i].blocks * BLOCK_SIZE);
    if (f->head != NULL)
        munmap(f->head, HEADER_SIZE);
    if (f->fd >= 0)
        close(f->fd);
    free(f);
}

/* Is what is mapped the filter of this store, with all its bits? */
static bool
believed(const struct filter *f, uint64_t store, off_t size)
{
    const struct header *h = f->head;
    char boot[40];

    read_boot(boot);
    if (memcmp(h->magic, MAGIC, sizeof h->magic) != 0 || h->store != store ||
        h->layers == 0 || h->layers > LAYERS_MAX ||
        (uint64_t)size < layer_start(h->layers))
        return false;
    return h->closed == 1 ||
           (boot[0] != '\0' && memcmp(h->boot, boot, sizeof boot) == 0);
}

/* From now on it is being written, in this boot.  On the disk before the next
 * change of the store is. */
static void
mark(struct filter *f, bool closed)
{
    f->head->closed = closed;
    read_boot(f->head->boot);
    if (msync(f->head, HEADER_SIZE, MS_SYNC) != 0)
        log_warn("frontier", "cannot write the filter of seen URLs: %s",
                 strerror(errno));
}

enum status
filter_open(struct filter **out, const char *path, uint64_t store,
            bool read_only)
{
    struct filter *f = calloc(1, sizeof *f);
    struct stat st;
    bool good;

    *out = NULL;
    if (f == NULL)
        return ST_NOMEM;
    f->read_only = read_only;
    f->fd = open(path, (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    good = f->fd >= 0 && fstat(f->fd, &st) == 0 && st.st_size >= HEADER_SIZE;
    if (good) {
        void *p = map(f, 0, HEADER_SIZE);

        f->head = p == MAP_FAILED ? NULL : p;
        good = f->head != NULL && believed(f, store, st.st_size);
    }
    while (good && f->mapped < f->head->layers)
        good = map_layer(f);
    if (!good) {
        unmap(f);
        return ST_NONE;
    }
    if (!read_only)
        mark(f, false);
    *out = f;
    return ST_OK;
}

static enum status
add_layer(struct filter *f)
{
    uint64_t start = layer_start(f->mapped);
    int rc =
        f->mapped == LAYERS_MAX
            ? EFBIG
            : posix_fallocate(f->fd, (off_t)start,
                              (off_t)(layer_blocks(f->mapped) * BLOCK_SIZE));

    if (rc == 0 && !map_layer(f))
        rc = errno;
    if (rc != 0)
        return rc == ENOSPC || rc == EDQUOT ? ST_FULL : ST_IO;
    f->head->layers = f->mapped;
    f->head->keys = 0;
    return ST_OK;
}

enum status
filter_new(struct filter **out, const char *path, uint64_t store)
{
    struct filter *f = calloc(1, sizeof *f);
    enum status st = ST_IO;
    void *p;

    *out = NULL;
    if (f == NULL)
        return ST_NOMEM;
    unlink(path);
    f->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (f->fd < 0 || (errno = posix_fallocate(f->fd, 0, HEADER_SIZE)) != 0 ||
        (p = map(f, 0, HEADER_SIZE)) == MAP_FAILED) {
        st = errno == ENOSPC || errno == EDQUOT ? ST_FULL : ST_IO;
        goto fail;
    }
    f->head = p;
    memcpy(f->head->magic, MAGIC, sizeof f->head->magic);
    f->head->store = store;
    if ((st = add_layer(f)) != ST_OK)
        goto fail;
    mark(f, false);
    *out = f;
    return ST_OK;

fail:
    log_warn("frontier", "cannot make %s: %s", path, strerror(errno));
    unmap(f);
    return st;
}

void
filter_close(struct filter *f, bool broken)
{
    if (f == NULL)
        return;
    for (uint32_t i = 0; i < f->mapped && !f->read_only && !broken; i++)
        if (msync(f->layer[i].bytes, f->layer[i].blocks * BLOCK_SIZE,
                  MS_SYNC) != 0)
            broken = true;
    if (!f->read_only && !broken)
        mark(f, true);
    unmap(f);
}

/* ---- keys ---- */

__extension__ typedef unsigned __int128 product; /* of two 64-bit numbers */

struct probe {
    uint64_t where, bits;
};

static struct probe
probe(const struct row_seen_key *key)
{
    uint64_t host, url;

    memcpy(&host, key->bytes, sizeof host);
    memcpy(&url, key->bytes + 8, sizeof url);
    host = hash_mix(host ^ url);
    return (struct probe){host, hash_mix(host + url)};
}

static unsigned char *
block(const struct layer *l, struct probe p)
{
    uint64_t i = (uint64_t)(((product)p.where * l->blocks) >> 64);

    return l->bytes + i * BLOCK_SIZE;
}

static bool
has(const unsigned char *b, uint64_t bits)
{
    for (unsigned i = 0; i < BITS; i++, bits >>= 9)
        if (!(b[(bits & 511) / 8] >> (bits & 7) & 1))
            return false;
    return true;
}

static void
prefetch(const struct filter *f, struct probe p)
{
    for (uint32_t i = 0; i < f->mapped; i++)
        __builtin_prefetch(block(&f->layer[i], p));
}

void
filter_prefetch(const struct filter *f, const struct row_seen_key *key)
{
    prefetch(f, probe(key));
}

bool
filter_has(const struct filter *f, const struct row_seen_key *key)
{
    struct probe p = probe(key);

    prefetch(f, p);
    for (uint32_t i = f->mapped; i-- > 0;)
        if (has(block(&f->layer[i], p), p.bits))
            return true;
    return false;
}

void
filter_add(struct filter *f, const struct row_seen_key *key)
{
    struct layer *l = &f->layer[f->mapped - 1];
    struct probe p = probe(key);
    unsigned char *b;

    if (f->head->keys >= l->blocks * KEYS_BLOCK && !f->overfull) {
        f->overfull = add_layer(f) != ST_OK;
        if (f->overfull)
            log_warn("frontier", "no space to enlarge the filter of seen URLs: "
                                 "it will err more often");
        l = &f->layer[f->mapped - 1];
    }
    f->head->keys++;
    b = block(l, p);
    for (unsigned i = 0; i < BITS; i++, p.bits >>= 9)
        b[(p.bits & 511) / 8] |= (unsigned char)(1u << (p.bits & 7));
}

uint64_t
filter_keys(const struct filter *f)
{
    return (layer_blocks(f->mapped - 1) - FIRST_BLOCKS) * KEYS_BLOCK +
           f->head->keys;
}

uint64_t
filter_bytes(const struct filter *f)
{
    return layer_start(f->mapped);
}
