/* traces.c -- see traces.h. */
#include "traces.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/buf.h"

/* Is there a file in DIR/SUB whose name begins with `start` and is not `but`,
 * and that is not empty? */
static bool
has_file(const char *dir, const char *sub, struct str start, struct str but)
{
    struct buf path = {0};
    bool has = false;
    struct dirent *e;
    struct stat sb;
    DIR *d;

    buf_printf(&path, "%s/%s", dir, sub);
    buf_char(&path, '\0');
    d = opendir(path.p);
    buf_free(&path);
    while (d != NULL && !has && (e = readdir(d)) != NULL)
        has = str_starts(str_c(e->d_name), start) &&
              !str_eq(str_c(e->d_name), but) &&
              fstatat(dirfd(d), e->d_name, &sb, 0) == 0 &&
              S_ISREG(sb.st_mode) && sb.st_size > 0;
    if (d != NULL)
        closedir(d);
    return has;
}

bool
traces_documents(const char *dir)
{
    return has_file(dir, "corpus", S("part-"), S(""));
}

bool
traces_older_log(const char *dir)
{
    return has_file(dir, "log", S("crawl.jsonl"), S("crawl.jsonl"));
}
