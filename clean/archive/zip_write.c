/* zip_write.c -- see zip_write.h: a member's size is known before it is
 * written, its checksum only afterwards, and is put into its header then.
 *
 * Bounds: a piece of a file in memory, and some 100 bytes a member for the
 * directory. */
#include "zip_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#include <libdeflate.h>

#include "base/disk_full.h"
#include "base/fd_io.h"
#include "base/file.h"
#include "base/log.h"

#define PIECE ((size_t)1 << 20)
#define LIMIT_32 0xffffffffu
#define LIMIT_16 0xffffu
#define VERSION_64 45u     /* that is needed for 64-bit records */
#define DATE (1u << 5 | 1) /* 1 January 1980: the same file every time */
#define CRC_AT 14u         /* in a local header */
#define FLAG_UTF8 0x800u

struct zip_write {
    struct file_place place;
    int fd;
    uint64_t size, members_n;
    struct buf directory, piece;
};

static enum status
fault(const char *path, const char *doing)
{
    bool full = disk_full(errno);

    log_error("zip", "file=%s %s=\"%s\"", path, doing, disk_full_text(errno));
    return full ? ST_FULL : ST_IO;
}

static enum status
taken(const char *path)
{
    log_error("zip", "file=%s another process writes it", path);
    return ST_BUSY;
}

static void
little(struct buf *b, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_char(b, (char)(value >> 8 * i & 0xff));
}

static uint64_t
at_most(uint64_t value, uint64_t limit)
{
    return value < limit ? value : limit;
}

static enum status
put_at(struct zip_write *z, uint64_t at, struct str s)
{
    return fd_write_at(z->fd, s.p, s.n, at, NULL)
               ? ST_OK
               : fault(z->place.part, "write");
}

static enum status
put(struct zip_write *z, struct str s)
{
    enum status st = put_at(z, z->size, s);

    if (st == ST_OK)
        z->size += s.n;
    return st;
}

/* What local header and directory have in common, up to the name's length. */
static void
common_fields(struct buf *b, uint64_t size, uint32_t crc, bool large,
              const char *name)
{
    little(b, large ? VERSION_64 : 20, 2);
    little(b, FLAG_UTF8, 2);
    little(b, 0, 2); /* stored */
    little(b, 0, 2); /* midnight */
    little(b, DATE, 2);
    little(b, crc, 4);
    little(b, large ? LIMIT_32 : size, 4);
    little(b, large ? LIMIT_32 : size, 4);
    little(b, strlen(name), 2);
}

static void
local_header(struct buf *b, uint64_t size, const char *name)
{
    bool large = size >= LIMIT_32;

    little(b, 0x04034b50, 4);
    common_fields(b, size, 0, large, name);
    little(b, large ? 20 : 0, 2);
    buf_c(b, name);
    if (large) {
        little(b, 1, 2);
        little(b, 16, 2);
        little(b, size, 8);
        little(b, size, 8);
    }
}

static void
directory_entry(struct zip_write *z, uint64_t at, uint64_t size, uint32_t crc,
                const char *name)
{
    bool large = size >= LIMIT_32 || at >= LIMIT_32;
    struct buf *b = &z->directory;

    little(b, 0x02014b50, 4);
    little(b, 3 << 8 | VERSION_64, 2); /* made under Unix */
    common_fields(b, size, crc, large, name);
    little(b, large ? 28 : 0, 2);
    little(b, 0, 2); /* no comment */
    little(b, 0, 2); /* on this disk */
    little(b, 0, 2);
    little(b, (uint64_t)0100644 << 16, 4);
    little(b, large ? LIMIT_32 : at, 4);
    buf_c(b, name);
    if (large) {
        little(b, 1, 2);
        little(b, 24, 2);
        little(b, size, 8);
        little(b, size, 8);
        little(b, at, 8);
    }
}

enum status
zip_write_open(struct zip_write **out, const char *path)
{
    struct zip_write *z = calloc(1, sizeof *z);

    *out = NULL;
    if (z == NULL)
        return ST_NOMEM;
    file_place_find(&z->place, path);
    z->fd = file_place_open_alone(&z->place);
    if (z->fd < 0) {
        enum status st = errno == EWOULDBLOCK ? taken(z->place.part)
                                              : fault(z->place.part, "create");

        zip_write_close(z, false);
        return st;
    }
    *out = z;
    return ST_OK;
}

/* The bytes of `more(from)` until there are no more. */
struct zip_input {
    int fd; /* -1: bytes */
    struct str bytes;
    const char *path;
};

static enum status
next_piece(struct zip_write *z, struct zip_input *in, struct str *piece)
{
    ptrdiff_t n;

    *piece = str_sub(in->bytes, 0, PIECE);
    in->bytes = str_sub(in->bytes, piece->n, in->bytes.n);
    if (in->fd < 0)
        return ST_OK;
    buf_clear(&z->piece);
    buf_reserve(&z->piece, PIECE);
    if ((n = fd_read(in->fd, z->piece.p, PIECE)) < 0)
        return fault(in->path, "read");
    *piece = str_n(z->piece.p, (size_t)n);
    return ST_OK;
}

static enum status
add(struct zip_write *z, const char *name, struct zip_input *in, uint64_t size,
    struct zip_member *m)
{
    struct digest_sha256 *digest = digest_sha256_new();
    struct buf b = {0};
    struct str piece;
    uint64_t at = z->size;
    uint32_t crc = 0;
    enum status st;

    *m = (struct zip_member){0};
    local_header(&b, size, name);
    st = digest == NULL ? ST_NOMEM : put(z, buf_view(&b));
    while (st == ST_OK && (st = next_piece(z, in, &piece)) == ST_OK &&
           piece.n > 0) {
        crc = libdeflate_crc32(crc, piece.p, piece.n);
        digest_sha256_add(digest, piece);
        m->size += piece.n;
        st = put(z, piece);
    }
    if (st == ST_OK && m->size != size) {
        log_error("zip", "file=%s has changed meanwhile", in->path);
        st = ST_IO;
    }
    buf_clear(&b);
    little(&b, crc, 4);
    if (st == ST_OK)
        st = put_at(z, at + CRC_AT, buf_view(&b));
    buf_free(&b);
    digest_sha256_end(digest, m->sha256);
    if (st == ST_OK) {
        directory_entry(z, at, size, crc, name);
        z->members_n++;
    }
    return st;
}

enum status
zip_write_bytes(struct zip_write *z, const char *name, struct str bytes,
                struct zip_member *m)
{
    struct zip_input in = {.fd = -1, .bytes = bytes, .path = name};

    return add(z, name, &in, bytes.n, m);
}

enum status
zip_write_file(struct zip_write *z, const char *name, const char *path,
               struct zip_member *m)
{
    struct zip_input in = {.fd = open(path, O_RDONLY | O_CLOEXEC),
                           .path = path};
    struct stat sb;
    enum status st;

    if (in.fd < 0)
        return fault(path, "open");
    st = fstat(in.fd, &sb) != 0 ? fault(path, "read")
                                : add(z, name, &in, (uint64_t)sb.st_size, m);
    close(in.fd);
    return st;
}

/* The directory and what says where it is. */
static enum status
end(struct zip_write *z)
{
    uint64_t at = z->size, n = z->directory.n, count = z->members_n;
    struct buf *b = &z->directory;

    if (at >= LIMIT_32 || n >= LIMIT_32 || count >= LIMIT_16) {
        little(b, 0x06064b50, 4);
        little(b, 44, 8);
        little(b, 3 << 8 | VERSION_64, 2);
        little(b, VERSION_64, 2);
        little(b, 0, 8); /* this disk, that of the directory */
        little(b, count, 8);
        little(b, count, 8);
        little(b, n, 8);
        little(b, at, 8);
        little(b, 0x07064b50, 4);
        little(b, 0, 4);
        little(b, at + n, 8);
        little(b, 1, 4);
    }
    little(b, 0x06054b50, 4);
    little(b, 0, 4);
    little(b, at_most(count, LIMIT_16), 2);
    little(b, at_most(count, LIMIT_16), 2);
    little(b, at_most(n, LIMIT_32), 4);
    little(b, at_most(at, LIMIT_32), 4);
    little(b, 0, 2);
    return put(z, buf_view(b));
}

enum status
zip_write_close(struct zip_write *z, bool good)
{
    enum status st = ST_OK;

    if (z == NULL)
        return ST_OK;
    if (good)
        st = end(z);
    if (good && st == ST_OK && !z->place.direct && fsync(z->fd) != 0)
        st = fault(z->place.part, "sync");
    if (z->fd >= 0) {
        close(z->fd);
        good = good && st == ST_OK;
        if (!file_place_end(&z->place, good) && good)
            st = fault(z->place.path, "rename");
    }
    file_place_free(&z->place);
    buf_free(&z->directory);
    buf_free(&z->piece);
    free(z);
    return st;
}
