/* web_file.c -- see web_file.h; the bytes are web_pack.c's. */
#include "web_file.h"

#include "base/file.h"
#include "base/log.h"
#include "frontier/store/pack.h"

#include <errno.h>

#define MAGIC "WINNOWEB"
enum { SUM_SIZE = 16 };

static void
pack_sum(struct buf *out, struct str bytes)
{
    struct hash128 sum = hash128(bytes);

    pack_fixed(out, sum.high, 8);
    pack_fixed(out, sum.low, 8);
}

enum status
web_file_write(const struct web *w, const char *path)
{
    struct buf body = {0}, file = {0};
    enum status st;

    web_pack(w, &body);
    buf_c(&file, MAGIC);
    pack_fixed(&file, WEB_FILE_VERSION, 4);
    pack_fixed(&file, body.n, 8);
    buf_str(&file, buf_view(&body));
    pack_sum(&file, buf_view(&body));
    if ((st = file_write(path, buf_view(&file))) != ST_OK)
        log_error("lab", "cannot write %s: %s", path, strerror(errno));
    buf_free(&body);
    buf_free(&file);
    return st;
}

static enum status
refuse(const char *path, const char *why)
{
    log_error("lab", "%s: %s; record the web again (--record)", path, why);
    return ST_USAGE;
}

static enum status
parse(struct web **out, struct str file, const char *path)
{
    struct unpack u = {.left = str_sub(file, sizeof MAGIC - 1, file.n)};
    struct buf sum = {0};
    uint64_t version, n;
    struct str body;
    bool equal;

    if (!str_starts(file, S(MAGIC)))
        return ST_NONE;
    version = unpack_fixed(&u, 4);
    n = unpack_fixed(&u, 8);
    if (u.bad)
        return refuse(path, "the file is cut off");
    if (version != WEB_FILE_VERSION)
        return refuse(path, version > WEB_FILE_VERSION
                                ? "recorded by a newer version of winnow"
                                : "recorded by an older version of winnow");
    if (u.left.n < SUM_SIZE || u.left.n - SUM_SIZE != n)
        return refuse(path, "the file is cut off or longer than it says");
    body = str_sub(u.left, 0, (size_t)n);
    pack_sum(&sum, body);
    equal = str_eq(buf_view(&sum), str_sub(u.left, body.n, u.left.n));
    buf_free(&sum);
    if (!equal || web_unpack(out, body) != ST_OK)
        return refuse(path, "the file is damaged");
    return ST_OK;
}

enum status
web_file_read(struct web **out, const char *path)
{
    struct buf file = {0};
    enum status st = file_read(&file, path, sizeof MAGIC - 1);

    /* Another kind of file may be very long: look at its head only. */
    if (st == ST_LIMIT && str_eq(buf_view(&file), S(MAGIC)))
        st = file_read(&file, path, SIZE_MAX);
    if (st == ST_IO)
        log_error("lab", "%s: %s", path, strerror(errno));
    else
        st = parse(out, buf_view(&file), path);
    buf_free(&file);
    return st;
}
