/* checksum_line.c -- see checksum_line.h. */
#include "checksum_line.h"

#include <zlib.h>

enum { LINE_SIZE = sizeof "crc32 XXXXXXXX\n" - 1 };

static void
put_line(struct buf *to, struct str bytes)
{
    uLong sum = crc32_z(0, (const unsigned char *)bytes.p, bytes.n);

    buf_printf(to, "crc32 %08lx\n", sum);
}

void
checksum_line_add(struct buf *b)
{
    put_line(b, buf_view(b));
}

enum checksum_line
checksum_line_take(struct str *bytes)
{
    size_t at = bytes->n < LINE_SIZE ? 0 : bytes->n - LINE_SIZE;
    struct str line = str_sub(*bytes, at, bytes->n);
    struct buf wanted = {0};
    bool right;

    if (line.n < LINE_SIZE || !str_starts(line, S("crc32 ")))
        return CHECKSUM_NONE;
    *bytes = str_sub(*bytes, 0, at);
    put_line(&wanted, *bytes);
    right = str_eq(line, buf_view(&wanted));
    buf_free(&wanted);
    return right ? CHECKSUM_RIGHT : CHECKSUM_WRONG;
}
