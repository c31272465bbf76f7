/* text_tool.h -- what `winnow hydra` and `winnow rofl` have in common: lines
 * in, lines out, some lines copied. */
#ifndef CLEAN_TEXT_TOOL_H
#define CLEAN_TEXT_TOOL_H

#include "winnow/buf.h"
#include "winnow/command.h"

struct text_tool {
    void *self;
    /* Append what becomes of the line, with its line end. */
    void (*line)(void *self, struct str line, struct buf *out);
    void (*copy)(void *self, struct str line, struct buf *out);
    void (*finish)(void *self, struct buf *out); /* may be NULL */
};

/* Run over --input and --output (--gzip); lines whose beginning matches
 * --Ignore and lines that are not UTF-8 are copied.  With --Verbose each
 * changed line goes to stderr.  An exit code: EXIT_REJECTED when there were
 * lines that are not UTF-8. */
int text_tool_run(const struct invocation *in, const struct text_tool *t);

/* The flags text_tool_run() reads. */
#define TEXT_TOOL_FLAGS                                                        \
    {"input,i", "FILE", "Text to read, gzip or not; else standard input."},    \
        {"output,o", "FILE",                                                   \
         "Where to write (compressed if it ends in .gz); else standard "       \
         "output."},                                                           \
        {"gzip,g", NULL, "Compress the output; a file gets the ending .gz."},  \
        {"Ignore,I", "REGEX", "Copy lines whose beginning matches (PCRE2)."},  \
        {"verbose,v", NULL, "Say at the end what was done."},                  \
        {"Verbose,V", NULL, "Show every changed line on stderr."},

#endif
