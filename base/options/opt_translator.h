/* opt_translator.h -- job files of another program, read as options of ours.
 *
 * Options know no other program: who does registers a translator, once, before
 * the first file is read.  Of a file that it takes for its own it says which
 * options to set, what to tell people, and which sections are not ours. */
#ifndef BASE_OPT_TRANSLATOR_H
#define BASE_OPT_TRANSLATOR_H

#include "base/arena.h"
#include "base/options/opt.h"

struct opt_translated {
    const struct opt *row;
    struct str value;
    unsigned line; /* 0: not in the file, the other program's preset */
};

struct opt_remark {
    unsigned line;
    bool fault; /* else: said to people, and nothing more */
    struct str text;
};

/* Texts live in the arena or the job's own text. */
struct opt_translation {
    struct opt_translated *setting;
    size_t settings_n, settings_room;
    struct opt_remark *remark; /* in the order of lines */
    size_t remarks_n, remarks_room;
    struct opt_list sections; /* of the other program, whatever their names */
};

struct opt_translator {
    /* Whether `text` (INI) is a job of that program.  When it is, *job says
     * what it means; `folder` is the absolute one of the file. */
    bool (*translate)(struct opt_translation *job, struct arena *a,
                      struct str text, struct str folder);

    /* Whether a section of such a file belongs to that program. */
    bool (*owns)(const struct opt_translation *job, struct str section);
};

/* From now on files are shown to `t`, which must stay.  Not thread-safe: call
 * it at the start.  NULL: to none. */
void opt_translator_register(const struct opt_translator *t);

#endif
