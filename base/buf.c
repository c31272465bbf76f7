/* buf.c -- see buf.h; grows by half. */
#include "base/buf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

#define PRINT_ROOM ((size_t)64) /* most of what is printed fits */

void
buf_free(struct buf *b)
{
    if (b->arena == NULL)
        memory_free(b->p);
    *b = (struct buf){.arena = b->arena};
}

/* The capacity that holds `more` as well, 0: there is none. */
static size_t
cap_for(const struct buf *b, size_t more)
{
    size_t cap = b->cap + b->cap / 2;

    if (b->n + more < b->n)
        return 0;
    cap = cap < b->n + more ? b->n + more : cap;
    return cap < 256 ? 256 : cap;
}

bool
buf_try_reserve(struct buf *b, size_t more)
{
    size_t cap = cap_for(b, more);
    char *p;

    if (b->cap - b->n >= more)
        return true;
    p = cap == 0           ? NULL
        : b->arena == NULL ? memory_resize(b->p, cap)
                           : arena_try_grow(b->arena, b->p, b->cap, cap);
    if (p == NULL)
        return false;
    b->p = p;
    b->cap = cap;
    return true;
}

void
buf_reserve(struct buf *b, size_t more)
{
    size_t cap;

    if (b->cap - b->n >= more)
        return;
    if (b->arena == NULL || (cap = cap_for(b, more)) == 0) {
        if (!buf_try_reserve(b, more))
            memory_fail(ST_NOMEM, more);
        return;
    }
    b->p = arena_grow(b->arena, b->p, b->cap, cap);
    b->cap = cap;
}

struct str
buf_keep(struct buf *b)
{
    struct str s = buf_view(b);

    if (b->p != NULL) {
        s.p = b->p = arena_grow(b->arena, b->p, b->cap, b->n + 1);
        b->p[b->n] = '\0';
    }
    *b = (struct buf){.arena = b->arena};
    return s;
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
    size_t room;
    int n;

    buf_reserve(b, PRINT_ROOM);
    room = b->cap - b->n;
    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(b->p + b->n, room, format, args);
    va_end(args);
    if ((size_t)n >= room) { /* it needs more */
        buf_reserve(b, (size_t)n + 1);
        vsnprintf(b->p + b->n, (size_t)n + 1, format, again);
    }
    va_end(again);
    b->n += (size_t)n;
}

void
buf_number(struct buf *b, uint64_t v)
{
    char digits[20], *at = digits + sizeof digits;

    do
        *--at = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    buf_add(b, at, (size_t)(digits + sizeof digits - at));
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

/* A host's locale may put a comma where the point is to be, or characters of
 * more bytes. */
void
buf_real(struct buf *b, double v, int digits)
{
    char text[64];
    size_t n = (size_t)snprintf(text, sizeof text, "%.*g", digits, v);
    bool point = false;

    for (size_t i = 0; i < n; i++) {
        bool other = !ascii_digit(text[i]) && !ascii_alpha(text[i]) &&
                     text[i] != '-' && text[i] != '+';

        if (!other)
            buf_char(b, text[i]);
        else if (!point)
            buf_char(b, '.');
        point |= other;
    }
}

void
buf_quoted(struct buf *b, struct str s)
{
    buf_char(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"' || s.p[i] == '\\')
            buf_char(b, '\\');
        buf_char(b, s.p[i]);
    }
    buf_char(b, '"');
}

void
buf_shell(struct buf *b, struct str s)
{
    buf_char(b, '\'');
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '\'')
            buf_c(b, "'\\''");
        else
            buf_char(b, s.p[i]);
    buf_char(b, '\'');
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
