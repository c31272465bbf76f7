/* warc_folder.c -- see warc_folder.h. */
#include "warc_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "cdxj.h"

static const char *const suffix[] = {
    [WARC_GZIP] = ".warc.gz", [WARC_ZSTD] = ".warc.zst"};

const char *
warc_suffix(enum warc_form form)
{
    return suffix[form];
}

struct str
warc_stem(struct str name)
{
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
        if (str_ends(name, str_c(suffix[i])))
            return str_sub(name, 0, name.n - strlen(suffix[i]));
    return S("");
}

enum status
warc_io_fault(const char *path, const char *doing)
{
    bool full = disk_full(errno);

    log_error("warc", "file=%s %s=\"%s\"", path, doing, disk_full_text(errno));
    return full ? ST_FULL : ST_IO;
}

struct path
warc_index_path(const char *path)
{
    return path_printf("%.*s.cdxj", STRF(warc_stem(str_c(path))));
}

enum status
warc_index_write(const char *path, struct buf *lines)
{
    struct path index = warc_index_path(path);

    cdxj_sort(lines);
    return file_write(index.z, buf_view(lines)) == ST_OK
               ? ST_OK
               : warc_io_fault(index.z, "write");
}

/* ---- what a crash left ---- */

/* Its whole records, which lines of the index are about, as a file that is
 * complete; the index first, so that no such file is without. */
static enum status
end_file(int fd, const char *path, const char *final_path, struct buf *lines)
{
    uint64_t end = 0;
    enum status st =
        cdxj_of_warc(lines, &end, fd, path, path_base(str_c(final_path)));

    log_info("warc", "file=%s left by a crash, kept_bytes=%llu", path,
             (unsigned long long)end);
    if (st == ST_OK && (ftruncate(fd, (off_t)end) != 0 || fsync(fd) != 0))
        st = warc_io_fault(path, "truncate");
    if (st == ST_OK && end > 0)
        st = warc_index_write(final_path, lines);
    if (st == ST_OK &&
        ((end > 0 ? rename(path, final_path) : unlink(path)) != 0 ||
         file_sync_name(path) != ST_OK))
        st = warc_io_fault(path, "rename");
    return st;
}

static enum status
complete_file(const char *folder, struct str name)
{
    struct path path = path_printf("%s/%.*s", folder, STRF(name)),
                final_path =
                    path_printf("%s/%.*s", folder,
                                (int)(name.n - strlen(WARC_OPEN)), name.p);
    struct buf lines = {0};
    int fd = open(path.z, O_RDWR | O_CLOEXEC);
    enum status st = fd < 0 ? warc_io_fault(path.z, "open")
                            : end_file(fd, path.z, final_path.z, &lines);

    if (fd >= 0)
        close(fd);
    buf_free(&lines);
    return st;
}

enum status
warc_complete(const char *folder, const char *prefix)
{
    DIR *d = opendir(folder);
    struct dirent *e;
    enum status st = ST_OK;

    if (d == NULL)
        return warc_io_fault(folder, "open");
    while (st == ST_OK && (e = readdir(d)) != NULL) {
        struct str name = str_c(e->d_name);

        if (str_starts(name, str_c(prefix)) && str_ends(name, S(WARC_OPEN)) &&
            warc_stem(str_sub(name, 0, name.n - strlen(WARC_OPEN))).n > 0)
            st = complete_file(folder, name);
    }
    closedir(d);
    return st;
}
