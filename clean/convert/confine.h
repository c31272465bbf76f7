/* confine.h -- processes that take strangers' documents apart, and may do
 * nothing else.
 *
 * Two kinds.  A reader is a fork of ours: after confine_reader() it has memory,
 * the descriptors it holds, and the clock.  A program (pdftotext) is started by
 * confine_exec(): it may read files of the system, since it is linked with
 * libraries, and the document; no socket, no file to write, no other process.
 * In bubblewrap it sees nothing but /usr and its document. */
#ifndef CLEAN_CONVERT_CONFINE_H
#define CLEAN_CONVERT_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

struct confine_limits {
    unsigned seconds; /* of CPU time */
    size_t memory;    /* bytes of address space */
};

/* Is there a bubblewrap that works here?  Starts it once. */
bool confine_has_bwrap(void);

/* The limits and the filter, for the calling process, for good.  False: the
 * system does not allow it. */
bool confine_reader(const struct confine_limits *l);

/* Become the program (in a process made for it): standard input is the
 * document, `out` its standard output, `err` its errors.  `argv` holds "@"
 * where the document's path goes.  Returns only when that cannot be done. */
void confine_exec(const struct confine_limits *l, bool bwrap, int document,
                  int out, int err, const char *const *argv);

#endif
