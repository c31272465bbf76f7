/* warc_write.c -- see warc_write.h.
 *
 * Follows WARC 1.1 (ISO 28500:2017) and its annex on file names and gzip.  The
 * response comes before its request, which names it in WARC-Concurrent-To.  The
 * payload digest is that of the body as it stands in the record.
 *
 * Bounds: the two records of an exchange are made in memory (crawls bound pages
 * by fetch.body_max) and written with one call. */
#include "warc_write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/warc/warc_record.h"
#include "gzip_member.h"
#include "warc.h"
#include "winnow/clock.h"
#include "winnow/file.h"
#include "winnow/log.h"

#define OPEN_SUFFIX ".open"
#define SERIAL_TRIES 100000

struct warc_write {
    struct warc_write_options o;
    struct gzip_member *gzip;
    struct random rng;
    int fd;                  /* -1: no file is open */
    char *path, *final_path; /* with and without .open */
    uint64_t size;
    unsigned serial;
    struct buf record, packed;
};

static enum status
fault(const char *path, const char *doing)
{
    bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;

    log_error("warc", "file=%s %s=\"%s\"", path, doing, strerror(errno));
    return full ? ST_FULL : ST_IO;
}

/* --- records --- */

/* A random UUID (RFC 9562, version 4) as a record id. */
static void
new_id(struct warc_write *w, char out[WARC_URN_N])
{
    uint64_t a = random_u64(&w->rng), b = random_u64(&w->rng);

    snprintf(out, WARC_URN_N, "<urn:uuid:%08x-%04x-4%03x-%04x-%012llx>",
             (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff),
             (unsigned)(a & 0xfff), (unsigned)(0x8000 | (b >> 48 & 0x3fff)),
             (unsigned long long)(b & 0xffffffffffff));
}

static void
digest_field(struct warc_write *w, const char *name, struct str a, struct str b)
{
    if (w->o.digests)
        warc_record_digest(&w->record, name, a, b);
}

/* The record as a member behind the others. */
static enum status
add_member(struct warc_write *w)
{
    return gzip_member_write(w->gzip, buf_view(&w->record), &w->packed)
               ? ST_OK
               : ST_NOMEM;
}

/* The block, of two parts, and the record as a member behind the others. */
static enum status
end_record(struct warc_write *w, const char *type, struct str a, struct str b)
{
    digest_field(w, "WARC-Block-Digest", a, b);
    warc_record_end(&w->record, type, a, b);
    return add_member(w);
}

static enum status
add_info(struct warc_write *w, uint64_t now_ms)
{
    char id[WARC_URN_N];

    new_id(w, id);
    buf_clear(&w->record);
    warc_record_info(&w->record, id, now_ms, strrchr(w->final_path, '/') + 1,
                     w->o.software, w->o.info);
    return add_member(w);
}

/* As the IIPC's proposals 42 and 86 have it: one field a protocol. */
static void
protocol_fields(struct warc_write *w, const struct warc_exchange *x)
{
    for (size_t i = 0; i < sizeof x->protocol / sizeof x->protocol[0]; i++)
        warc_record_field(&w->record, "WARC-Protocol", x->protocol[i]);
    warc_record_field(&w->record, "WARC-Cipher-Suite", x->cipher);
}

static enum status
add_exchange(struct warc_write *w, const struct warc_exchange *x,
             size_t *response_n)
{
    size_t before = w->packed.n;
    char id[WARC_URN_N], request_id[WARC_URN_N];
    enum status st;

    if (x->id.z[0] != '\0')
        warc_urn(&x->id, id);
    else
        new_id(w, id);
    buf_clear(&w->record);
    warc_record_begin(&w->record, "response", id, x->date_ms);
    warc_record_field(&w->record, "WARC-Target-URI", x->url);
    warc_record_field(&w->record, "WARC-IP-Address", x->ip);
    warc_record_field(&w->record, "WARC-Identified-Payload-Type",
                      x->payload_type);
    warc_record_field(&w->record, "WARC-Truncated", str_c(x->truncated));
    protocol_fields(w, x);
    digest_field(w, "WARC-Payload-Digest", x->response_body, S(""));
    st = end_record(w, "application/http; msgtype=response", x->response_head,
                    x->response_body);
    *response_n = w->packed.n - before;
    if (st != ST_OK || x->request.n == 0)
        return st;
    new_id(w, request_id);
    buf_clear(&w->record);
    warc_record_begin(&w->record, "request", request_id, x->date_ms);
    warc_record_field(&w->record, "WARC-Target-URI", x->url);
    warc_record_field(&w->record, "WARC-IP-Address", x->ip);
    warc_record_field(&w->record, "WARC-Concurrent-To", str_c(id));
    protocol_fields(w, x);
    return end_record(w, "application/http; msgtype=request", x->request,
                      S(""));
}

/* --- files --- */

/* Write w->packed, all or nothing. */
static enum status
flush(struct warc_write *w)
{
    struct str s = buf_view(&w->packed);

    while (s.n > 0) {
        ssize_t n = write(w->fd, s.p, s.n);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            enum status st = fault(w->path, "write");

            if (ftruncate(w->fd, (off_t)w->size) != 0 ||
                lseek(w->fd, (off_t)w->size, SEEK_SET) < 0)
                fault(w->path, "truncate");
            return st;
        }
        s = str_sub(s, (size_t)n, s.n);
    }
    w->size += w->packed.n;
    return ST_OK;
}

static void
forget_file(struct warc_write *w)
{
    free(w->path);
    free(w->final_path);
    w->path = w->final_path = NULL;
    w->fd = -1;
    w->size = 0;
}

static enum status
complete_file(struct warc_write *w)
{
    enum status st = ST_OK;

    if (w->fd < 0)
        return ST_OK;
    if (fsync(w->fd) != 0)
        st = fault(w->path, "sync");
    if (close(w->fd) != 0 && st == ST_OK)
        st = fault(w->path, "close");
    if (st == ST_OK && (rename(w->path, w->final_path) != 0 ||
                        file_sync_name(w->final_path) != ST_OK))
        st = fault(w->path, "rename");
    forget_file(w);
    return st;
}

static char *
path_of(const struct warc_write *w, const char *stamp, const char *suffix)
{
    struct buf b = {0};

    buf_printf(&b, "%s/%s-%s-%05u.warc.gz%s", w->o.folder, w->o.prefix, stamp,
               w->serial, suffix);
    buf_char(&b, '\0');
    return b.p;
}

/* Make the next file and put its warcinfo into w->packed. */
static enum status
begin_file(struct warc_write *w, uint64_t now_ms)
{
    char iso[21], stamp[15];
    size_t n = 0;

    clock_iso(now_ms, iso);
    for (const char *c = iso; *c; c++)
        if (ascii_digit(*c) && n < sizeof stamp - 1)
            stamp[n++] = *c;
    stamp[n] = '\0';
    for (size_t i = 0; i < SERIAL_TRIES; i++, w->serial++) {
        w->final_path = path_of(w, stamp, "");
        w->path = path_of(w, stamp, OPEN_SUFFIX);
        if (access(w->final_path, F_OK) != 0) {
            w->fd =
                open(w->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
            if (w->fd >= 0 || errno != EEXIST)
                break;
        }
        forget_file(w);
    }
    w->serial++;
    if (w->fd < 0) {
        enum status st = fault(w->path ? w->path : w->o.folder, "create");

        forget_file(w);
        return st;
    }
    if (file_sync_name(w->path) != ST_OK)
        return fault(w->path, "sync");
    return add_info(w, now_ms);
}

enum status
warc_write_put(struct warc_write *w, const struct warc_exchange *x,
               uint64_t now_ms, struct warc_place *place)
{
    enum status st = ST_OK;
    size_t response_at, response_n;

    if (w->fd >= 0 && w->size >= w->o.file_max)
        st = complete_file(w);
    buf_clear(&w->packed);
    if (st == ST_OK && w->fd < 0)
        st = begin_file(w, now_ms);
    else if (st == ST_OK && w->size == 0) /* its first put failed */
        st = add_info(w, now_ms);
    response_at = w->packed.n;
    if (st == ST_OK)
        st = add_exchange(w, x, &response_n);
    if (st == ST_OK)
        st = flush(w);
    if (st == ST_OK && place != NULL)
        *place = (struct warc_place){str_c(strrchr(w->final_path, '/') + 1),
                                     w->size - w->packed.n + response_at,
                                     response_n};
    return st;
}

/* --- what a crash left --- */

static ptrdiff_t
read_fd(void *self, void *p, size_t n)
{
    ssize_t got;

    do
        got = read(*(int *)self, p, n);
    while (got < 0 && errno == EINTR);
    return got;
}

/* The end of the last record that is whole. */
static uint64_t
whole_bytes(int fd, const char *path)
{
    struct inflate_stream *in;
    struct warc_record r;
    struct warc *reader;
    uint64_t end = 0;

    if (inflate_stream_open(&in, (struct inflate_source){&fd, read_fd}) !=
        ST_OK)
        return 0;
    reader = warc_new(in, WARC_FORMAT_WARC, path, 0);
    while (warc_next(reader, &r) == ST_OK && !r.decompressed && r.offset == end)
        end = r.offset + r.length;
    warc_free(reader);
    inflate_stream_close(in);
    return end;
}

static enum status
recover_file(const char *folder, const char *name)
{
    struct buf path = {0}, final_path = {0};
    enum status st = ST_OK;
    uint64_t end;
    int fd;

    buf_printf(&path, "%s/%s", folder, name);
    buf_char(&path, '\0');
    buf_add(&final_path, path.p, strlen(path.p) - strlen(OPEN_SUFFIX));
    buf_char(&final_path, '\0');
    fd = open(path.p, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        st = fault(path.p, "open");
    } else {
        end = whole_bytes(fd, path.p);
        log_info("warc", "file=%s left by a crash, kept_bytes=%llu", path.p,
                 (unsigned long long)end);
        if (ftruncate(fd, (off_t)end) != 0 || fsync(fd) != 0)
            st = fault(path.p, "truncate");
        close(fd);
        if (st == ST_OK &&
            ((end > 0 ? rename(path.p, final_path.p) : unlink(path.p)) != 0 ||
             file_sync_name(path.p) != ST_OK))
            st = fault(path.p, "rename");
    }
    buf_free(&path);
    buf_free(&final_path);
    return st;
}

static enum status
recover(const struct warc_write_options *o)
{
    DIR *d = opendir(o->folder);
    struct dirent *e;
    enum status st = ST_OK;

    if (d == NULL)
        return fault(o->folder, "open");
    while (st == ST_OK && (e = readdir(d)) != NULL) {
        struct str name = str_c(e->d_name);

        if (str_starts(name, str_c(o->prefix)) &&
            str_ends(name, S(".warc.gz" OPEN_SUFFIX)))
            st = recover_file(o->folder, e->d_name);
    }
    closedir(d);
    return st;
}

enum status
warc_write_open(struct warc_write **out, const struct warc_write_options *o)
{
    struct warc_write *w;
    enum status st;

    if (mkdir(o->folder, 0777) == 0 ? file_sync_name(o->folder) != ST_OK
                                    : errno != EEXIST)
        return fault(o->folder, "create");
    if ((st = recover(o)) != ST_OK)
        return st;
    if ((w = calloc(1, sizeof *w)) == NULL ||
        (w->gzip = gzip_member_new()) == NULL) {
        free(w);
        return ST_NOMEM;
    }
    w->o = *o;
    w->fd = -1;
    w->rng = random_seed(o->seed);
    *out = w;
    return ST_OK;
}

enum status
warc_write_close(struct warc_write *w)
{
    enum status st;

    if (w == NULL)
        return ST_OK;
    st = complete_file(w);
    gzip_member_free(w->gzip);
    buf_free(&w->record);
    buf_free(&w->packed);
    free(w);
    return st;
}
