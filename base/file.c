/* file.c -- see base/file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "disk_full.h"
#include "fd_io.h"

#define STEP ((size_t)65536)
#define LINKS_MAX 40 /* to follow, as the kernel does */

static void
close_file(void *f)
{
    fclose(f);
}

enum status
file_read(struct buf *out, const char *path, size_t bytes_max)
{
    FILE *f = fopen(path, "rb");
    struct memory_held held;
    enum status st = ST_OK;
    int fault;

    buf_clear(out);
    if (f == NULL)
        return ST_IO;
    memory_hold(&held, close_file, f);
    while (!feof(f) && !ferror(f) && out->n < bytes_max) {
        size_t want = bytes_max - out->n < STEP ? bytes_max - out->n : STEP;

        buf_reserve(out, want);
        out->n += fread(out->p + out->n, 1, want, f);
    }
    if (!ferror(f) && !feof(f) && getc(f) != EOF)
        st = ST_LIMIT;
    fault = errno;
    if (ferror(f))
        st = ST_IO;
    memory_let_go(&held);
    fclose(f);
    errno = fault;
    return st;
}

/* ---- where an output goes ---- */

/* The path that a symbolic link at `path` holds; NULL: there is none. */
static char *
link_target(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct buf b = {0};
    char text[4096];
    ssize_t n = readlink(path, text, sizeof text);

    if (n <= 0 || (size_t)n == sizeof text)
        return NULL;
    if (text[0] != '/' && slash != NULL)
        buf_add(&b, path, (size_t)(slash - path) + 1);
    buf_add(&b, text, (size_t)n);
    buf_char(&b, '\0');
    return b.p;
}

void
file_place_find(struct file_place *p, const char *path)
{
    struct buf part = {0};
    struct stat sb;
    char *next;

    p->path = memory_need(strdup(path));
    p->direct = stat(path, &sb) == 0 ? !S_ISREG(sb.st_mode) : errno == ELOOP;
    for (int i = 0; !p->direct && i < LINKS_MAX; i++) {
        if ((next = link_target(p->path)) == NULL)
            break;
        free(p->path);
        p->path = next;
    }
    buf_printf(&part, "%s%s", p->path, p->direct ? "" : ".part");
    buf_char(&part, '\0');
    p->part = part.p;
}

int
file_place_open(const struct file_place *p, int flags)
{
    int make = p->direct ? 0 : O_CREAT;

    return open(p->part, O_WRONLY | O_CLOEXEC | make | flags, 0666);
}

/* Who had it may have given it its name before we got the lock. */
static bool
is_still_part(const struct file_place *p, int fd)
{
    struct stat mine, there;

    return fstat(fd, &mine) == 0 && stat(p->part, &there) == 0 &&
           mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

int
file_place_open_alone(const struct file_place *p)
{
    int fd, fault;

    if (p->direct)
        return file_place_open(p, O_TRUNC);
    while ((fd = file_place_open(p, 0)) >= 0) {
        if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            break; /* where a file system has no locks: go on */
        if (is_still_part(p, fd)) {
            if (ftruncate(fd, 0) == 0)
                return fd;
            break;
        }
        close(fd);
    }
    fault = errno;
    if (fd >= 0)
        close(fd);
    errno = fault;
    return -1;
}

bool
file_place_end(struct file_place *p, bool good)
{
    int fault = errno;

    if (!p->direct && good) {
        good =
            rename(p->part, p->path) == 0 && file_sync_name(p->path) == ST_OK;
        fault = errno;
    }
    if (!p->direct && !good)
        unlink(p->part);
    errno = fault;
    return good;
}

void
file_place_free(struct file_place *p)
{
    free(p->path);
    free(p->part);
    p->path = p->part = NULL;
}

static bool
write_out(const struct file_place *p, struct str bytes)
{
    int fd = file_place_open(p, O_TRUNC);
    bool good = fd >= 0;

    good =
        good && fd_write(fd, bytes.p, bytes.n) && (p->direct || fsync(fd) == 0);
    if (fd >= 0 && close(fd) != 0)
        good = false;
    return good;
}

enum status
file_write(const char *path, struct str bytes)
{
    struct file_place place;
    int fault;
    bool good;

    file_place_find(&place, path);
    good = file_place_end(&place, write_out(&place, bytes));
    fault = errno;
    file_place_free(&place);
    errno = fault;
    return good ? ST_OK : disk_full(fault) ? ST_FULL : ST_IO;
}

/* That in which `path` stands. */
static void
folder_of(struct buf *folder, const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n > 0)
        buf_add(folder, path, n);
    else
        buf_char(folder, '.');
    buf_char(folder, '\0');
}

bool
file_writable(const char *path)
{
    struct file_place place;
    struct buf folder = {0};
    struct stat sb;
    int fault = 0;

    file_place_find(&place, path);
    folder_of(&folder, place.path);
    if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
        fault = EISDIR;
    else if (access(place.direct ? path : folder.p, W_OK) != 0)
        fault = errno;
    file_place_free(&place);
    buf_free(&folder);
    errno = fault;
    return fault == 0;
}

enum status
file_sync_name(const char *path)
{
    struct buf folder = {0};
    int fd, fault = 0;

    folder_of(&folder, path);
    fd = open(folder.p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0)
        fault = errno;
    if (fd >= 0)
        close(fd);
    buf_free(&folder);
    errno = fault;
    return fault == 0 ? ST_OK : ST_IO;
}

enum status
file_make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 ? file_sync_name(path) == ST_OK
                               : errno == EEXIST)
        return ST_OK;
    return disk_full(errno) ? ST_FULL : ST_IO;
}

enum status
file_make_folders(const char *path)
{
    enum status st = ST_OK;
    char *part;

    if (strlen(path) > PATH_FOLDER_MAX) {
        errno = ENAMETOOLONG;
        return ST_IO;
    }
    part = memory_need(strdup(path));
    for (char *p = part; st == ST_OK && (p = strchr(p, '/')) != NULL;
         *p++ = '/') {
        *p = '\0';
        if (p > part)
            st = file_make_folder(part);
    }
    free(part);
    return st == ST_OK ? file_make_folder(path) : st;
}

void
file_absolute(struct buf *out, const char *path)
{
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);

    if (here != NULL)
        buf_printf(out, "%s/", here);
    buf_c(out, path);
    free(here);
}
