/* folder.h -- a scratch folder for a test, and files in it by name.
 *
 * `folder` is the path of the one that is open; it is gone, with all that is in
 * it, after folder_close().  What cannot be made ends the program. */
#ifndef FOLDER_H
#define FOLDER_H

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"

static char folder[] = "/tmp/winnow-test-XXXXXX";

/* A new folder of that name, whose last six bytes are chosen anew. */
static inline void
folder_make(char *path)
{
    memset(path + strlen(path) - 6, 'X', 6);
    if (mkdtemp(path) == NULL)
        abort();
}

static inline void
folder_open(void)
{
    folder_make(folder);
}

static inline int
folder_take_away(const char *path, const struct stat *sb, int kind,
                 struct FTW *at)
{
    (void)sb;
    (void)kind;
    (void)at;
    return remove(path);
}

/* The folder at `path` and all that is in it. */
static inline void
folder_remove(const char *path)
{
    CHECK(nftw(path, folder_take_away, 16, FTW_DEPTH | FTW_PHYS) == 0);
}

static inline void
folder_close(void)
{
    folder_remove(folder);
}

/* The path of `name` in the folder; valid for the next 15 calls. */
static inline char *
in_folder(const char *name)
{
    static char paths[16][512];
    static unsigned next;
    char *path = paths[next++ % 16];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Make the file `name`, and the folders above it, of just these bytes. */
static inline void
folder_put(const char *name, struct str bytes)
{
    char *path = in_folder(name);

    for (char *p = path + sizeof folder; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(path, 0777);
        *p = '/';
    }
    if (file_write(path, bytes) != ST_OK)
        abort();
}

/* The text of the file `name`, "" when there is none; valid until the call
 * after the next. */
static inline const char *
folder_text(const char *name)
{
    static struct buf texts[2];
    static unsigned next;
    struct buf *text = &texts[next++ % 2];

    file_read(text, in_folder(name), SIZE_MAX);
    buf_char(text, '\0');
    return text->p;
}

static inline bool
folder_has(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
}

/* test_main() inside a folder. */
static inline int
folder_main(const struct test *table, int argc, char **argv)
{
    int code;

    folder_open();
    code = test_main(table, argc, argv);
    folder_close();
    return code != 0 ? code : test_failed != 0;
}

#endif
