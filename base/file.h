/* file.h -- whole files: read into memory, or written so that they are there
 * whole or not at all.
 *
 * Thread-safe.  Nothing is logged: callers know what the file is for.  After
 * ST_IO and ST_FULL errno says why. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/status.h"

/* Replace what *out holds by the bytes of the file at `path`.  ST_IO: it cannot
 * be opened or read, or is a folder.  ST_LIMIT: it has more than `bytes_max`
 * bytes; *out holds that many of them.  The caller frees *out in any case. */
enum status file_read(struct buf *out, const char *path, size_t bytes_max);

/* Where what is made for a path that the user gave is written.  A regular file,
 * or one that is to be: first to another name in its folder, so that it is
 * there whole or not at all; a symbolic link to it stays one.  What else is
 * there (a device, a FIFO) is written to as it is. */
struct file_place {
    char *path;  /* symbolic links followed */
    char *part;  /* what to write: PATH.part, or `path` itself ... */
    bool direct; /* ... which is there, has no size and no name to take */
};

/* Faults show when it is opened, for writing and with `flags` (O_TRUNC) of
 * open(2): -1, errno. */
void file_place_find(struct file_place *p, const char *path);
int file_place_open(const struct file_place *p, int flags);
/* Empty, and nobody else's while it is open: EWOULDBLOCK when another process
 * has it. */
int file_place_open_alone(const struct file_place *p);
void file_place_free(struct file_place *p); /* leaves what is there */

/* `part` is written (good): it takes its name.  Or it is not, and goes.
 * False: not good, or errno says why it has no name. */
bool file_place_end(struct file_place *p, bool good);

/* Make the file at `path` have just `bytes`, by way of a file_place.  On
 * failure (ST_FULL: no space; ST_IO) the file that was there before stays, and
 * PATH.part is removed.  It is synced, so after a power loss there is the old
 * file or the new one. */
enum status file_write(const char *path, struct str bytes);

/* Could file_write() make it, as far as can be seen without writing?  False:
 * errno says why not. */
bool file_writable(const char *path);

/* The first `bytes` bytes of the file that `fd` reads become a new file at
 * `path`, on the disk; they share its space where the file system can do that.
 * ST_LIMIT: it has fewer; ST_FULL; ST_IO, also when there is such a file: errno
 * says why. */
enum status file_copy(int fd, uint64_t bytes, const char *path);
/* The same of the file at `from`, as long as it is now.  ST_NONE: there is
 * none. */
enum status file_copy_whole(const char *from, const char *path);
/* Reports how either ended for the copy at `path`, by errno.  Returns `st`, of
 * ST_LIMIT ST_STORE: the store that the file is of says more of it. */
enum status file_copy_failed(const char *component, const char *path,
                             enum status st);

/* Make the folder at `path`, or the missing ones on the way to it, too, and
 * sync their names.  ST_OK also when it is there.  ST_FULL: no space; ST_IO;
 * errno says why.  file_make_folders() takes no longer ones than
 * PATH_FOLDER_MAX (base/path.h). */
enum status file_make_folder(const char *path);
enum status file_make_folders(const char *path);

/* A name that was made, changed or removed is on the disk when its folder is:
 * sync the folder in which PATH stands. */
enum status file_sync_name(const char *path);

/* Append the path as one from the root on; as it is when the working folder has
 * no name any more. */
void file_absolute(struct buf *out, const char *path);

#endif
