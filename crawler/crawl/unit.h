/* unit.h -- a systemd unit that runs a job. */
#ifndef CRAWLER_UNIT_H
#define CRAWLER_UNIT_H

#include "base/buf.h"
#include "base/options/opt.h"

struct unit_setup {
    const struct opts *opts;
    const char *command;    /* of winnow: "crawl" ... */
    const char *job, *dir;  /* as given, relative to the working folder */
    const char *const *set; /* what was given with --set */
    size_t set_n;
};

/* The unit that does in the working folder what `command` would do there with
 * the job, as whoever owns what it writes to.  ST_USAGE (reported): the folder
 * cannot be made, or something cannot stand in a unit. */
enum status unit_write(const struct unit_setup *setup, struct buf *out);

#endif
