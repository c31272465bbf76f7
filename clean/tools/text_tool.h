/* text_tool.h -- what `winnow hydra` and `winnow rofl` have in common: lines
 * in, lines out, some lines copied. */
#ifndef CLEAN_TEXT_TOOL_H
#define CLEAN_TEXT_TOOL_H

#include <stdio.h>

#include "base/buf.h"
#include "base/options/command.h"

struct text_tool {
    void *self;
    /* Append what becomes of the line, with its line end. */
    void (*line)(void *self, struct str line, struct buf *out);
    void (*copy)(void *self, struct str line, struct buf *out);
    void (*finish)(void *self, struct buf *out); /* may be NULL */
};

/* Run over --input and --output (--gzip); lines whose beginning matches
 * --Ignore, lines that are not UTF-8 and those longer than TEXT_LINE_MAX are
 * copied.  An exit code: EXIT_REJECTED when there were lines that are not
 * UTF-8.
 */
int text_tool_run(const struct invocation *in, const struct text_tool *t);

/* Where what --verbose or --Verbose (`flag`) ask for is shown; NULL: nowhere.
 */
FILE *text_tool_shown(const struct invocation *in, const char *flag);

/* The flags text_tool_run() reads. */
#define TEXT_TOOL_FLAGS                                                        \
    FLAG("input,i", "FILE",                                                    \
         "Text to read, gzip or not; else standard input."),                   \
        FLAG("output,o", "FILE",                                               \
             "Where to write (compressed if it ends in .gz); else (and -) "    \
             "standard output."),                                              \
        SWITCH("gzip,g", "Compress the output; a file gets the ending .gz."),  \
        FLAG("Ignore,I", "REGEX",                                              \
             "Copy lines whose beginning matches (PCRE2)."),                   \
        SWITCH("verbose,v",                                                    \
               "Show all replacements on standard output (on stderr when the " \
               "text goes there), and at the end on stderr how many there "    \
               "were."),                                                       \
        SWITCH("Verbose,V",                                                    \
               "Likewise all that might have been and were not."),

#endif
