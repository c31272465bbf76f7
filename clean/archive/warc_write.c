/* warc_write.c -- see warc_write.h.
 *
 * Follows WARC 1.1 (ISO 28500:2017) in its annex on file names.
 *
 * Bounds: what is added is written with one call; the index of the file being
 * written is in memory, some 300 bytes a capture; records to learn a dictionary
 * from, until it is learnt: learn_from bytes. */
#include "warc_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/disk_full.h"
#include "base/fd_io.h"
#include "base/file.h"
#include "base/log.h"
#include "base/reminder.h"
#include "cdxj.h"
#include "warc_dictionary.h"
#include "warc_folder.h"

#define SERIAL_TRIES 100000

struct warc_write {
    struct warc_write_options o;
    struct warc_composer *own; /* of warcinfo */
    int fd;                    /* -1: no file is open */
    char *path, *final_path;   /* with and without .open */
    uint64_t size;
    unsigned serial;
    struct buf packed;                          /* what is written next */
    struct buf index;                           /* lines of CDXJ of this file */
    struct zstd_dictionary *_Atomic dictionary; /* of files; NULL: none yet */
    struct warc_samples samples;
    bool learning;        /* no more samples are wanted */
    struct reminder full; /* callers who wait for space try again and again */
};

/* --- files --- */

/* Of what is tried again when there is space. */
static enum status
fault_now(struct warc_write *w, const char *path, const char *doing)
{
    if (disk_full(errno) && !reminder_due(&w->full, "space"))
        return ST_FULL;
    return warc_io_fault(path, doing);
}

/* Write w->packed, all or nothing. */
static enum status
flush(struct warc_write *w)
{
    if (!fd_write(w->fd, w->packed.p, w->packed.n)) {
        enum status st = fault_now(w, w->path, "write");

        if (ftruncate(w->fd, (off_t)w->size) != 0 ||
            lseek(w->fd, (off_t)w->size, SEEK_SET) < 0)
            warc_io_fault(w->path, "truncate");
        return st;
    }
    w->size += w->packed.n;
    (void)reminder_over(&w->full); /* the caller says that it goes on */
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
    buf_clear(&w->index);
}

static enum status
complete_file(struct warc_write *w)
{
    enum status st = ST_OK;

    if (w->fd < 0)
        return ST_OK;
    if (fsync(w->fd) != 0)
        st = warc_io_fault(w->path, "sync");
    if (close(w->fd) != 0 && st == ST_OK)
        st = warc_io_fault(w->path, "close");
    if (st == ST_OK)
        st = warc_index_write(w->final_path, &w->index);
    if (st == ST_OK && (rename(w->path, w->final_path) != 0 ||
                        file_sync_name(w->final_path) != ST_OK))
        st = warc_io_fault(w->path, "rename");
    forget_file(w);
    return st;
}

static char *
path_of(const struct warc_write *w, const char *stamp, const char *behind)
{
    struct buf b = {0};

    buf_printf(&b, "%s/%s-%s-%05u%s%s", w->o.folder, w->o.prefix, stamp,
               w->serial, warc_suffix(w->o.form), behind);
    buf_char(&b, '\0');
    return b.p;
}

static const char *
name_of(const struct warc_write *w)
{
    return strrchr(w->final_path, '/') + 1;
}

/* Into w->packed: what a file has before its first capture. */
static enum status
add_begin(struct warc_write *w, uint64_t now_ms)
{
    struct warc_packing packing = warc_write_packing(w);
    enum status st;

    warc_compose_begin(w->own);
    warc_compose_info(w->own, now_ms, name_of(w), w->o.software, w->o.info);
    st = warc_compose_pack(w->own, packing);
    if (packing.dictionary != NULL)
        buf_str(&w->packed, zstd_dictionary_frame(packing.dictionary));
    buf_str(&w->packed, warc_composed(w->own));
    return st;
}

/* Make the next file and put its begin into w->packed. */
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
        w->path = path_of(w, stamp, WARC_OPEN);
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
        enum status st =
            fault_now(w, w->path ? w->path : w->o.folder, "create");

        forget_file(w);
        return st;
    }
    if (file_sync_name(w->path) != ST_OK)
        return warc_io_fault(w->path, "sync");
    return add_begin(w, now_ms);
}

struct warc_packing
warc_write_packing(const struct warc_write *w)
{
    return (struct warc_packing){w->o.form, w->dictionary};
}

/* A file is open, and w->packed has what comes before the next capture. */
static enum status
make_ready(struct warc_write *w, uint64_t now_ms)
{
    enum status st = ST_OK;

    buf_clear(&w->packed);
    if (w->fd >= 0 && w->size >= w->o.file_max)
        st = complete_file(w);
    if (st == ST_OK && w->fd < 0)
        return begin_file(w, now_ms);
    if (st == ST_OK && w->size == 0) /* its first put failed */
        return add_begin(w, now_ms);
    return st;
}

enum status
warc_write_add(struct warc_write *w, struct warc_composer *c, uint64_t now_ms,
               struct warc_place *place)
{
    enum status st = warc_compose_pack(c, warc_write_packing(w));
    size_t at, n, lines;
    struct str line;

    if (st == ST_OK)
        st = make_ready(w, now_ms);
    if (st != ST_OK)
        return st;
    lines = w->index.n;
    if (warc_composed_capture(c, &at, &n, &line)) {
        at += w->size + w->packed.n;
        buf_str(&w->index, line);
        cdxj_end(&w->index, str_c(name_of(w)), at, n);
        if (place != NULL)
            *place = (struct warc_place){str_c(name_of(w)), at, n};
    }
    buf_str(&w->packed, warc_composed(c));
    if ((st = flush(w)) != ST_OK)
        w->index.n = lines;
    else if (!w->learning)
        for (size_t i = 0; warc_composed_text(c, i).n > 0; i++)
            warc_samples_add(&w->samples, warc_composed_text(c, i));
    return st;
}

/* --- the dictionary --- */

bool
warc_write_may_learn(struct warc_write *w)
{
    if (w->learning || !warc_samples_enough(&w->samples))
        return false;
    w->learning = true;
    return true;
}

struct zstd_dictionary *
warc_write_learn(const struct warc_write *w)
{
    struct zstd_dictionary *d = NULL;

    return warc_dictionary_learn(&d, &w->samples) == ST_OK ? d : NULL;
}

void
warc_write_use(struct warc_write *w, struct zstd_dictionary *d)
{
    warc_samples_free(&w->samples);
    if (d == NULL)
        return;
    (void)complete_file(w); /* reported; .open until the next start then */
    w->dictionary = d;
}

static void
find_dictionary(struct warc_write *w)
{
    struct zstd_dictionary *d = NULL;

    w->samples.enough = w->o.learn_from;
    w->learning =
        w->o.form != WARC_ZSTD || w->o.learn_from == 0 ||
        warc_dictionary_of_folder(&d, w->o.folder, w->o.prefix) == ST_OK;
    w->dictionary = d;
}

enum status
warc_write_open(struct warc_write **out, const struct warc_write_options *o)
{
    struct warc_write *w;
    enum status st;

    if (file_make_folder(o->folder) != ST_OK)
        return warc_io_fault(o->folder, "create");
    if ((st = warc_complete(o->folder, o->prefix)) != ST_OK)
        return st;
    if ((w = calloc(1, sizeof *w)) == NULL)
        return ST_NOMEM;
    w->o = *o;
    w->fd = -1;
    w->full = (struct reminder)REMINDER_INITIALIZER;
    find_dictionary(w);
    w->own = warc_composer_new(o->seed, o->digests);
    if (w->own == NULL) {
        warc_write_close(w);
        return ST_NOMEM;
    }
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
    warc_composer_free(w->own);
    buf_free(&w->packed);
    buf_free(&w->index);
    zstd_dictionary_free(w->dictionary);
    warc_samples_free(&w->samples);
    free(w);
    return st;
}
