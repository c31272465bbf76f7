/* corpus_out.c -- see corpus_out.h.
 *
 * Records gather in memory to pieces of PIECE_BYTES, which are compressed and
 * written; a record larger than that is a piece of its own.  What is there and
 * not a file (/dev/null, a pipe) is written to directly (base/file.h).  A
 * file's temporary name is its own with six characters more, so that whoever
 * lists a folder by ending never meets an unfinished one. */
#include "corpus_out.h"
#include "base/disk_full.h"
#include "base/fd_io.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#define PIECE_BYTES ((size_t)1 << 20)

struct corpus_out {
    struct corpus_out_name name;
    char *path;              /* of the open file, as it is called ... */
    struct file_place place; /* ... and what takes the name */
    char *temporary;         /* NULL: written to directly, see above */
    int fd;                  /* -1: none */
    uint64_t records_bytes;  /* in the open file ... */
    uint64_t head_bytes;     /* ... and what stands before them */
    bool pieces;             /* something was written to it */
    unsigned file_n;
    struct buf pending, packed;
    enum status fault;
};

static enum status
fault(const char *path)
{
    enum status st = disk_full(errno) ? ST_FULL : ST_IO;

    fprintf(stderr, "winnow: %s: %s\n", path, disk_full_text(errno));
    return st;
}

/* Is it a file that this output makes, compressed or not: BASE-00001.xml.gz? */
static bool
is_part(const struct corpus_out_name *name, struct str base, struct str file)
{
    size_t digits = 0;
    struct str rest;

    if (!str_starts(file, base) || file.n <= base.n || file.p[base.n] != '-')
        return false;
    rest = str_sub(file, base.n + 1, file.n);
    while (digits < rest.n && ascii_digit(rest.p[digits]))
        digits++;
    rest = str_sub(rest, digits, rest.n);
    if (digits < 5 || rest.n == 0 || rest.p[0] != '.')
        return false;
    rest = str_sub(rest, 1, rest.n);
    if (!str_starts(rest, str_c(name->suffix)))
        return false;
    rest = str_sub(rest, strlen(name->suffix), rest.n);
    for (int p = PACK_NONE; p < PACK_N; p++)
        if (str_eq(rest, str_c(pack_suffix((enum pack)p))))
            return true;
    return false;
}

enum status
corpus_out_unused(const struct corpus_out_name *name)
{
    const char *slash = strrchr(name->base, '/');
    struct str base = str_c(slash ? slash + 1 : name->base);
    struct buf folder = {0};
    enum status st = ST_OK;
    struct dirent *e;
    DIR *d;

    buf_str(&folder, slash ? str_n(name->base, (size_t)(slash - name->base) + 1)
                           : S("."));
    buf_char(&folder, '\0');
    if ((d = opendir(folder.p)) != NULL) { /* else it will be made */
        while (st == ST_OK && (e = readdir(d)) != NULL)
            if (is_part(name, base, str_c(e->d_name))) {
                fprintf(stderr,
                        "winnow: %s-*: %s is of an earlier run, whose files "
                        "would be mixed with those of this one: remove them "
                        "or write to another name\n",
                        name->base, e->d_name);
                st = ST_USAGE;
            }
        closedir(d);
    }
    buf_free(&folder);
    return st;
}

const char *
corpus_out_path(const struct corpus_out_name *name, struct arena *a)
{
    return name->suffix == NULL
               ? name->base
               : arena_printf(a, "%s.%s%s", name->base, name->suffix,
                              pack_suffix(name->pack))
                     .p;
}

struct corpus_out *
corpus_out_new(const struct corpus_out_name *name)
{
    struct corpus_out *c = calloc(1, sizeof *c);

    if (c != NULL) {
        c->name = *name;
        c->fd = -1;
    }
    return c;
}

/* mkdir -p of the folder of `path`, which is changed and restored. */
static void
make_folders(char *path)
{
    for (char *p = path + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            (void)mkdir(path, 0777); /* a fault shows when the file is made */
            *p = '/';
        }
}

static void
forget(struct corpus_out *c)
{
    file_place_free(&c->place);
    free(c->path);
    free(c->temporary);
    c->path = c->temporary = NULL;
    c->fd = -1;
    c->records_bytes = c->head_bytes = 0;
    c->pieces = false;
}

static char *
file_name(struct corpus_out *c)
{
    const struct corpus_out_name *name = &c->name;
    struct buf path = {0};

    buf_c(&path, name->base);
    if (name->split_bytes > 0)
        buf_printf(&path, "-%05u", ++c->file_n);
    if (name->suffix != NULL)
        buf_printf(&path, ".%s%s", name->suffix, pack_suffix(name->pack));
    buf_char(&path, '\0');
    return path.p;
}

static int
make_temporary(struct corpus_out *c)
{
    struct buf name = {0};
    int fd;

    buf_c(&name, c->place.path);
    buf_add(&name, ".XXXXXX", 8);
    c->temporary = name.p;
    fd = mkstemp(c->temporary);
    if (fd < 0 && errno == ENOENT) {
        make_folders(c->temporary);
        memcpy(c->temporary + strlen(c->temporary) - 6, "XXXXXX", 6);
        fd = mkstemp(c->temporary);
    }
    return fd;
}

static enum status
open_file(struct corpus_out *c)
{
    c->path = file_name(c);
    file_place_find(&c->place, c->path);
    if (c->place.direct) {
        c->fd = file_place_open(&c->place, 0);
        return c->fd < 0 ? fault(c->path) : ST_OK;
    }
    c->fd = make_temporary(c);
    return c->fd < 0 || fchmod(c->fd, 0644) != 0 ? fault(c->path) : ST_OK;
}

/* The reader of a pipe has had enough (`-o >(head)`): end as other programs do,
 * without a word. */
static void
reader_left(void)
{
    sigset_t pipe;

    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &pipe, NULL);
    raise(SIGPIPE);
}

static enum status
write_all(struct corpus_out *c, struct str s)
{
    if (fd_write(c->fd, s.p, s.n))
        return ST_OK;
    if (errno == EPIPE && c->temporary == NULL)
        reader_left();
    return fault(c->path);
}

static enum status
write_piece(struct corpus_out *c)
{
    enum status st;

    buf_clear(&c->packed);
    st = pack_add(c->name.pack, buf_view(&c->pending), &c->packed);
    if (st == ST_OK)
        st = write_all(c, buf_view(&c->packed));
    buf_clear(&c->pending);
    c->pieces = true;
    return st;
}

/* What is left.  A compressed file of nothing has a piece all the same: one of
 * no bytes is broken to gzip and zstd. */
static enum status
write_rest(struct corpus_out *c)
{
    return c->fd < 0 || (c->pending.n == 0 && c->pieces) ? ST_OK
                                                         : write_piece(c);
}

static enum status
close_file(struct corpus_out *c, bool whole)
{
    enum status st = ST_IO;

    if (whole && c->fd >= 0 && c->name.writer && c->name.writer->tail)
        c->name.writer->tail(c->name.opts, &c->pending);
    if (whole)
        st = write_rest(c);
    if (c->fd < 0)
        return ST_OK;
    if (close(c->fd) != 0 && st == ST_OK)
        st = fault(c->path);
    if (st == ST_OK && c->temporary != NULL &&
        rename(c->temporary, c->place.path) != 0)
        st = fault(c->path);
    if (st != ST_OK && c->temporary != NULL)
        unlink(c->temporary);
    forget(c);
    return whole ? st : ST_OK;
}

static void
add_head(struct corpus_out *c)
{
    const char *slash = strrchr(c->path, '/');

    if (c->name.writer != NULL && c->name.writer->head != NULL)
        c->name.writer->head(c->name.opts, slash ? slash + 1 : c->path,
                             &c->pending);
}

/* A file is open. */
static enum status
begin(struct corpus_out *c)
{
    enum status st;

    if (c->fd >= 0)
        return ST_OK;
    if ((st = open_file(c)) != ST_OK)
        return st;
    add_head(c);
    c->head_bytes = c->pending.n;
    return c->name.alone && c->pending.n > 0 ? write_piece(c) : ST_OK;
}

enum status
corpus_out_next(struct corpus_out *c, struct corpus_out_place *at)
{
    const char *slash;

    if (c->fault == ST_OK)
        c->fault = begin(c);
    if (c->fault != ST_OK)
        return c->fault;
    slash = strrchr(c->path, '/');
    *at = (struct corpus_out_place){str_c(slash ? slash + 1 : c->path),
                                    c->head_bytes + c->records_bytes};
    return ST_OK;
}

static enum status
put(struct corpus_out *c, struct str record)
{
    enum status st = begin(c);

    if (st != ST_OK)
        return st;
    buf_str(&c->pending, record);
    c->records_bytes += record.n;
    if (c->pending.n > 0 && (c->name.alone || c->pending.n >= PIECE_BYTES))
        st = write_piece(c);
    if (st == ST_OK && c->name.split_bytes > 0 &&
        c->records_bytes >= c->name.split_bytes)
        st = close_file(c, true);
    return st;
}

enum status
corpus_out_put(struct corpus_out *c, struct str record)
{
    if (c->fault == ST_OK)
        c->fault = put(c, record);
    return c->fault;
}

enum status
corpus_out_close(struct corpus_out *c, bool whole)
{
    enum status st, closed;

    if (c == NULL)
        return ST_OK;
    st = c->fault;
    closed = close_file(c, whole && st == ST_OK);
    st = st == ST_OK ? closed : st;
    forget(c); /* an opening that failed left its names */
    buf_free(&c->pending);
    buf_free(&c->packed);
    free(c);
    return st;
}

enum status
corpus_out_file(const char *path, struct str text)
{
    const struct corpus_out_name name = {.base = path};
    struct corpus_out *c = corpus_out_new(&name);

    if (c == NULL)
        return ST_NOMEM;
    (void)corpus_out_put(c, text); /* its fault comes again */
    return corpus_out_close(c, true);
}
