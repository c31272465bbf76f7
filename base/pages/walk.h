/* walk.h -- an LMDB file read without trusting a byte of it.
 *
 * LMDB maps its file and follows what stands there: a file that was cut short
 * is a SIGBUS, a garbled page an abort, a loop or a write outside of memory.
 * This reads each page with pread() and looks at it before it is used, visits
 * none twice, and goes on behind what it cannot read. */
#ifndef PAGES_WALK_H
#define PAGES_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"

struct pages; /* opaque; see base/pages/walk.c */

struct pages_fault {
    uint64_t page;
    struct str table; /* "free list", "tables"; "" of what is in no tree */
    const char *what; /* static */
};

struct pages_visitor {
    void *self;
    /* A row that can be read; table "": of a page that no tree leads to any
     * more.  Not ST_OK: the walk ends with that.  NULL: rows are not wanted. */
    enum status (*row)(void *self, struct str table, struct str key,
                       struct str value);
    void (*fault)(void *self, const struct pages_fault *fault);
    /* A table begins, with so many rows by its root.  NULL: not wanted. */
    void (*table)(void *self, struct str table, uint64_t rows);
};

/* Open the LMDB file at `path`.  ST_NONE: there is none; ST_INVALID: it is
 * not one (no meta page can be read); ST_IO: errno.  The caller owns *out. */
enum status pages_open(struct pages **out, const char *path);
void pages_close(struct pages *p); /* NULL is allowed */

uint64_t pages_bytes(const struct pages *p); /* of the file */
uint64_t pages_txn(const struct pages *p);   /* the last commit */
/* The snapshot of a commit that a reader of LMDB holds on to.  False: neither
 * meta page is of that commit (any more). */
bool pages_choose(struct pages *p, uint64_t txn);

/* leaves: look at every page; else leaves and what they hold are not read.
 * stray: also rows of pages that are neither free nor reached, when the free
 * list can be read.  ST_OK: to the end, whatever it has met. */
struct pages_walk {
    bool leaves, stray;
};
enum status pages_walk(struct pages *p, struct pages_walk how,
                       const struct pages_visitor *v);

#endif
