/* job_stdio.h -- lines of files or of standard input, to standard output. */
#ifndef CORPUS_JOB_STDIO_H
#define CORPUS_JOB_STDIO_H

#include "job.h"

struct job_stdio {
    const struct str *files;
    size_t files_n, next;
    bool paths;            /* standard input has the names of the files */
    struct text_lines *in; /* the file that is read */
    struct text_lines *names;
    char *name;        /* the last one */
    bool any, objects; /* lines; the first one looks like a JSON object */
    struct job_totals *totals;
};

/* `files` (none: standard input) must stay; end with job_stdio_close(). */
void job_stdio_open(struct job_stdio *s, struct job_io *io,
                    const struct str *files, size_t files_n, bool paths,
                    struct job_totals *totals);
void job_stdio_close(struct job_stdio *s);

#endif
