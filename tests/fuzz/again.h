/* again.h -- any bytes as a message: one that can be read is used, written,
 * read again, and written the same a second time. */
#ifndef FUZZ_AGAIN_H
#define FUZZ_AGAIN_H

#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"

struct fuzz_message {
    enum status (*read)(void **out, struct arena *a, struct str bytes);
    void (*write)(struct buf *out, const void *message);
    void (*use)(struct arena *a, const void *message);
};

static inline int
fuzz_again(const struct fuzz_message *x, const uint8_t *data, size_t n)
{
    struct arena *a = arena_new();
    struct buf again = {0}, twice = {0};
    void *m;

    if (x->read(&m, a, str_n((const char *)data, n)) == ST_OK) {
        x->use(a, m);
        x->write(&again, m);
        /* protobuf-c keeps an unknown field of number 0 and writes it in a
         * form that it does not read. */
        if (x->read(&m, a, buf_view(&again)) == ST_OK) {
            x->write(&twice, m);
            if (!str_eq(buf_view(&again), buf_view(&twice)))
                abort();
        }
    }
    buf_free(&again);
    buf_free(&twice);
    arena_free(a);
    return 0;
}

#endif
