/* job_stdio.c -- see job_stdio.h.
 *
 * A line longer than TEXT_LINE_MAX is left out and counted. */
#include "job_stdio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/disk_full.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/tools/text_lines.h"

/* The next name on standard input; they stay until the one after it. */
static enum status
next_name(struct job_stdio *s, const char **path)
{
    struct str line;
    bool ended;
    enum status st = ST_OK;

    if (s->names == NULL)
        st = text_lines_open(&s->names, NULL);
    do {
        if (st == ST_OK)
            st = text_lines_next(s->names, &line, &ended);
    } while (st == ST_OK && line.n == 0);
    if (st == ST_OK) {
        free(s->name);
        *path = s->name = memory_need(strndup(line.p, line.n));
    }
    return st;
}

static enum status
next_file(void *self, const char **path)
{
    struct job_stdio *s = self;

    if (s->paths)
        return next_name(s, path);
    if (s->next > 0 && s->next >= s->files_n)
        return ST_NONE;
    *path = s->files_n > 0 ? s->files[s->next].p : NULL;
    s->next++;
    return ST_OK;
}

/* Go to the end of a line of which a piece was read. */
static enum status
skip_line(struct job_stdio *s)
{
    struct str rest;
    bool ended = false;
    enum status st = ST_OK;

    s->totals->too_long++;
    while (!ended && st == ST_OK)
        st = text_lines_next(s->in, &rest, &ended);
    return st;
}

static void
note_first(struct job_stdio *s, struct str line)
{
    if (!s->any)
        s->objects = str_starts(line, S("{\"")) && str_ends(line, S("}"));
    s->any = true;
}

static enum status
next_line(void *self, struct str *line)
{
    struct job_stdio *s = self;
    enum status st = ST_OK;

    while (st == ST_OK) {
        const char *path;
        bool ended;

        if (s->in == NULL) {
            st = next_file(s, &path);
            if (st == ST_OK)
                st = text_lines_open(&s->in, path);
            continue;
        }
        st = text_lines_next(s->in, line, &ended);
        if (st == ST_OK && (ended || line->n < TEXT_LINE_MAX)) {
            note_first(s, *line);
            return ST_OK;
        }
        if (st == ST_OK)
            st = skip_line(s);
        if (st == ST_NONE) {
            text_lines_close(s->in);
            s->in = NULL;
            st = ST_OK;
        }
    }
    return st;
}

static enum status
put(void *self, struct str line)
{
    (void)self;
    if (fwrite(line.p, 1, line.n, stdout) == line.n &&
        putc('\n', stdout) != EOF)
        return ST_OK;
    log_error("job", "file=stdout fault=\"%s\"", disk_full_text(errno));
    return disk_full(errno) ? ST_FULL : ST_IO;
}

void
job_stdio_open(struct job_stdio *s, struct job_io *io, const struct str *files,
               size_t files_n, bool paths, struct job_totals *totals)
{
    *s = (struct job_stdio){
        .files = files, .files_n = files_n, .paths = paths, .totals = totals};
    *io = (struct job_io){s, next_line, next_file, put, NULL};
}

void
job_stdio_close(struct job_stdio *s)
{
    text_lines_close(s->in);
    text_lines_close(s->names);
    free(s->name);
}
