/* list_file.c -- see list_file.h. */
#include "list_file.h"

#include "base/log.h"
#include "clean/tools/text_lines.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct str
without_comment(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] == '#' && (i == 0 || ascii_space(line.p[i - 1])))
            return str_trim(str_sub(line, 0, i));
    return str_trim(line);
}

/* Said here, where it is known what named the file. */
static enum status
look(const char *component, const char *path, const char *from)
{
    struct stat sb;

    if (strcmp(path, "-") == 0)
        return ST_OK;
    errno = 0;
    if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
        errno = EISDIR;
    if (errno == 0 && access(path, R_OK) == 0)
        return ST_OK;
    log_error(component, "%s: %s: %s", from, path, strerror(errno));
    return ST_IO;
}

enum status
list_file_read(const char *component, const char *path, const char *from,
               void (*take)(void *self, size_t line, struct str text),
               void *self)
{
    enum status st = look(component, path, from);
    struct text_lines *lines = NULL;
    struct str text;
    size_t line = 0;
    bool ended;

    if (st == ST_OK)
        st = text_lines_open(&lines, path);
    while (st == ST_OK &&
           (st = text_lines_next(lines, &text, &ended)) == ST_OK) {
        text = without_comment(text);
        line++;
        if (text.n > 0)
            take(self, line, text);
    }
    text_lines_close(lines);
    return st == ST_NONE ? ST_OK : st == ST_NOMEM ? st : ST_IO;
}
