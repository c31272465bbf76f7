/* texrex_job.h -- a job file of texrex (or of ClaraX, its crawler) as options
 * of ours, by the table texrex.tbl.h.
 *
 * A job of texrex has sections named TTr...; sections of ours may stand in the
 * same file and win.  Texts live in the arena or the job's own text. */
#ifndef BASE_TEXREX_JOB_H
#define BASE_TEXREX_JOB_H

#include "winnow/arena.h"
#include "winnow/opt.h"

struct texrex_setting {
    const struct opt *row;
    struct str value;
    unsigned line; /* 0: not in the file, texrex's preset */
};

struct texrex_remark {
    unsigned line;
    bool fault; /* else: said to people, and nothing more */
    struct str text;
};

struct texrex_job {
    struct texrex_setting *setting;
    size_t settings_n, settings_room;
    struct texrex_remark *remark; /* in the order of lines */
    size_t remarks_n, remarks_room;
    struct opt_list languages; /* sections that hold a language's profile */
};

/* Whether `text` (INI) is one.  When it is, *job says what it means; `folder`
 * is the absolute one of the file. */
bool texrex_job(struct texrex_job *job, struct arena *a, struct str text,
                struct str folder);

/* Whether a section of the file belongs to texrex. */
bool texrex_job_has(const struct texrex_job *job, struct str section);

#endif
