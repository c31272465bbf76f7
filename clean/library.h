/* library.h -- what the files of libwinnow share. */
#ifndef CLEAN_LIBRARY_H
#define CLEAN_LIBRARY_H

#include "base/buf.h"
#include "clean/cleaner/cleaner.h"
#include "clean/text/filter.h"
#include "winnow/clean.h"

struct winnow_cleaner {
    struct cleaner *chain;
    struct opts opts;
    struct buf options; /* as JSON; ends in NUL */
};

struct winnow_page {
    const struct winnow_cleaner *cleaner;
    struct arena *arena;
    struct document doc;
    struct str text;
    struct winnow_summary summary;
    struct winnow_block *block;
    struct winnow_link *link;
    struct winnow_check check[FILTER_CHECKS_N];
    struct winnow_candidate *candidate;
};

/* The public status. */
int library_code(enum status st);

/* Append the options as winnow_cleaner_options() has them. */
void library_options(const struct opts *o, struct buf *out);

/* `why` into the caller's room: cut, without a line end, ended by NUL. */
void library_error(struct str why, char *error, size_t error_size);

#endif
