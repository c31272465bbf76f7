/* printed.h -- a table of commands run as the program would, with all that it
 * prints caught. */
#ifndef PRINTED_H
#define PRINTED_H

#include <unistd.h>

#include "base/options/command.h"
#include "test.h"

/* What the last run printed, ended by '\0': the list of options is long. */
static char out[1 << 18], err[1 << 16];

static inline void
printed_take(FILE *f, char *into, size_t size)
{
    rewind(f);
    into[fread(into, 1, size - 1, f)] = '\0';
    CHECK(fgetc(f) == EOF); /* all of it */
    fclose(f);
}

/* commands_main() with stdout and stderr in `out` and `err`; its exit code. */
static inline int
printed_main(const struct command *const *table, int argc, char **argv)
{
    FILE *o = tmpfile(), *e = tmpfile();
    int saved_out = dup(1), saved_err = dup(2), code;

    fflush(NULL);
    dup2(fileno(o), 1);
    dup2(fileno(e), 2);
    code = commands_main(table, argc, argv);
    fflush(NULL);
    dup2(saved_out, 1);
    dup2(saved_err, 2);
    close(saved_out);
    close(saved_err);
    printed_take(o, out, sizeof out);
    printed_take(e, err, sizeof err);
    return code;
}

#endif
