/* buf.c -- see buf.h; grows by half. */
#include "winnow/buf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
buf_free(struct buf *b)
{
    free(b->p);
    *b = (struct buf){0};
}

void
buf_reserve(struct buf *b, size_t more)
{
    size_t cap;
    char *p;

    if (b->cap - b->n >= more)
        return;
    cap = b->cap + b->cap / 2;
    if (cap < b->n + more)
        cap = b->n + more;
    if (cap < 256)
        cap = 256;
    p = b->n + more < b->n ? NULL : realloc(b->p, cap);
    if (p == NULL) {
        fprintf(stderr, "winnow: out of memory (%zu bytes)\n", cap);
        abort();
    }
    b->p = p;
    b->cap = cap;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
    if (n == 0)
        return;
    buf_reserve(b, n);
    memcpy(b->p + b->n, p, n);
    b->n += n;
}

void
buf_str(struct buf *b, struct str s)
{
    buf_add(b, s.p, s.n);
}

void
buf_c(struct buf *b, const char *z)
{
    buf_add(b, z, strlen(z));
}

void
buf_char(struct buf *b, char c)
{
    if (b->n == b->cap)
        buf_reserve(b, 1);
    b->p[b->n++] = c;
}

void
buf_printf(struct buf *b, const char *format, ...)
{
    va_list args, again;
    int n;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    buf_reserve(b, (size_t)n + 1);
    vsnprintf(b->p + b->n, (size_t)n + 1, format, again);
    va_end(again);
    b->n += (size_t)n;
}

void
buf_grouped(struct buf *b, uint64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v);

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            buf_char(b, ',');
        buf_char(b, digits[i]);
    }
}

void
buf_utf8(struct buf *b, uint32_t c)
{
    char u[4];
    size_t n;

    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    if (c < 0x80) {
        u[0] = (char)c;
        n = 1;
    } else if (c < 0x800) {
        u[0] = (char)(0xc0 | c >> 6);
        u[1] = (char)(0x80 | (c & 63));
        n = 2;
    } else if (c < 0x10000) {
        u[0] = (char)(0xe0 | c >> 12);
        u[1] = (char)(0x80 | (c >> 6 & 63));
        u[2] = (char)(0x80 | (c & 63));
        n = 3;
    } else {
        u[0] = (char)(0xf0 | c >> 18);
        u[1] = (char)(0x80 | (c >> 12 & 63));
        u[2] = (char)(0x80 | (c >> 6 & 63));
        u[3] = (char)(0x80 | (c & 63));
        n = 4;
    }
    buf_add(b, u, n);
}
