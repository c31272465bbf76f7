/* An LMDB file of any bytes: walked to the end, by trees and by stray pages. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/pages/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum status
row(void *self, struct str table, struct str key, struct str value)
{
    unsigned *sum = self;

    (void)table;
    for (size_t i = 0; i < key.n; i++)
        *sum += (unsigned char)key.p[i];
    for (size_t i = 0; i < value.n; i++)
        *sum += (unsigned char)value.p[i];
    return ST_OK;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned sum = 0;
    const struct pages_visitor v = {.self = &sum, .row = row};
    int fd = memfd_create("pages", MFD_CLOEXEC);
    struct pages *p;
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd >= 0 && write(fd, data, size) == (ssize_t)size &&
        pages_open(&p, path) == ST_OK) {
        (void)pages_walk(p, (struct pages_walk){true, true}, &v);
        pages_close(p);
    }
    if (fd >= 0)
        close(fd);
    return 0;
}
