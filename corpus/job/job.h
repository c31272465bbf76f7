/* job.h -- batch jobs over lines, under the contract of Hadoop Streaming.
 *
 * A job is one or more phases, map, combine and reduce; each reads lines on
 * standard input and writes lines on standard output.  A line is a key, a TAB
 * and a value; between the phases whoever runs the job (Hadoop, Spark's
 * RDD.pipe, winnow run) brings lines of one key together in one reduce, in the
 * order of their keys' bytes.  Lines of one key come in the order of their
 * bytes, too, where the result depends on it.  Counters go to standard error as
 * `reporter:counter:GROUP,NAME,N`.
 *
 * A job is a constant in a file of its own and a row in jobs.tbl.h; the
 * command, its help, the runner and jobconf.txt know it by that. */
#ifndef CORPUS_JOB_H
#define CORPUS_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/status.h"
#include "base/str.h"

#define JOB_COUNTERS_MAX 32
#define JOB_OPTIONS_MAX 16

struct job_run; /* a phase at work */

struct job_option {
    const char *name, *preset, *help;
    uint64_t low, high; /* a whole number in these bounds; both 0: a text */
    const char *words;  /* of a text: what it may be, separated by blanks;
                           NULL: anything */
    bool list;          /* it may be several of these, with blanks, too */
    bool language;      /* a text: the code of one language */
    /* Of a text that is the path of a file the job reads: whether it can be
       read; if not, why. */
    bool (*check_file)(const char *path, struct buf *why);
};

/* For the tables. */
#define JOB_NUMBER(name, preset, help, low, high)                              \
    {                                                                          \
        name, preset, help, low, high, NULL, false, false, NULL                \
    }
#define JOB_TEXT(name, preset, help, words)                                    \
    {                                                                          \
        name, preset, help, 0, 0, words, false, false, NULL                    \
    }
#define JOB_LIST(name, preset, help, words)                                    \
    {                                                                          \
        name, preset, help, 0, 0, words, true, false, NULL                     \
    }
#define JOB_LANGUAGE(help)                                                     \
    {                                                                          \
        "lang", "", help, 0, 0, NULL, false, true, NULL                        \
    }
#define JOB_PATH(name, help, check_file)                                       \
    {                                                                          \
        name, "", help, 0, 0, NULL, false, false, check_file                   \
    }

enum job_phase { JOB_MAP, JOB_COMBINE, JOB_REDUCE, JOB_PHASES_N };
extern const char *const job_phase_name[JOB_PHASES_N];

/* How a job reads what stands outside of a pipeline. */
enum job_input {
    JOB_LINES, /* lines, of which each stands for itself */
    JOB_FILES  /* files, through job_file() */
};

/* Counters that say more than their numbers: of what came of the input, see
 * job_is_unread(); and of lines that are none of the job's. */
#define JOB_RECORDS_REJECTED "records rejected"
#define JOB_INPUTS_DAMAGED "inputs damaged"
#define JOB_LINES_REJECTED "lines rejected"

struct job_settings;

struct corpus_job {
    const char *name, *summary;
    const char *lines; /* what goes in and comes out, for the help */
    void (*phase[JOB_PHASES_N])(struct job_run *r); /* NULL: there is none */
    bool one_reduce; /* all keys go to one, in order */
    enum job_input input;
    struct job_option options[JOB_OPTIONS_MAX]; /* ended by {0} */
    const char *counters[JOB_COUNTERS_MAX];     /* ended by NULL */
};

/* ---- for the phases ---- */

/* The next line without its end, valid until the next call.  False: that was
 * the last one (or reading failed, which ends the phase with a fault). */
bool job_line(struct job_run *r, struct str *line);
/* The next input as a file; *path is NULL for standard input.  False: that was
 * the last one.  For jobs with JOB_FILES, instead of job_line(). */
bool job_file(struct job_run *r, const char **path);
/* What comes of this file takes long: whoever runs the job may keep it, so that
 * another run need not make it again.  Before the first of its lines. */
void job_keep(struct job_run *r);
/* Write a line; the end is added. */
void job_put(struct job_run *r, struct str line);
void job_count(struct job_run *r, unsigned counter, uint64_t n);
/* The phase cannot do its work: it is over, and failed (reported by whoever
 * says so). */
void job_fail(struct job_run *r);
bool job_has_failed(const struct job_run *r);

/* The value of an option of this job, of the kind that it is. */
uint64_t job_option(const struct job_run *r, const char *name);
struct str job_option_text(const struct job_run *r, const char *name);

/* The option clean.data. */
struct str job_data(const struct job_run *r);
/* job_next_set() of this job. */
const char *job_run_next_set(const struct job_run *r, size_t *i);

/* The `self` of the struct job_io that the phase runs with. */
void *job_self(const struct job_run *r);

/* Split at the first TAB; false: there is none, the key is all of it. */
bool job_split(struct str line, struct str *key, struct str *value);
/* What identity mappers are. */
void job_copy(struct job_run *r);

/* ---- for who runs them ---- */

extern const struct corpus_job *const job_table[];  /* ended by NULL */
const struct corpus_job *job_find(struct str name); /* NULL: unknown */

/* Has the job the option that `given` ("name=value") names? */
bool job_has_option(const struct corpus_job *j, struct str given);

struct job_settings {
    struct str data; /* clean.data as it was set, see data_dir() */
    const char *const
        *set; /* SECTION.KEY=VALUE, borrowed; see job_next_set() */
    size_t set_n;
    uint64_t value[JOB_OPTIONS_MAX];
    struct str text[JOB_OPTIONS_MAX]; /* borrowed from job_set()'s `given` */
};

/* KEY=VALUE over the presets.  False: reported in *why, which is static. */
bool job_set(const struct corpus_job *j, struct job_settings *s,
             struct str given, const char **why);
/* Whether the files that options name can be read; if not, which one and why.
 */
bool job_check_files(const struct corpus_job *j, const struct job_settings *s,
                     struct buf *why);
void job_preset(const struct corpus_job *j, struct job_settings *s);
/* What of `set` the `winnow clean` is to have that this job reads archives by,
 * from number *i on (0); NULL: no more.  clean.data goes its own way. */
const char *job_next_set(const struct corpus_job *j,
                         const struct job_settings *s, size_t *i);

/* Where a phase's lines come from and go to.  Everything that fails is
 * reported by it. */
struct job_io {
    void *self;
    /* ST_NONE: there are no more.  The line is valid until the next call. */
    enum status (*line)(void *self, struct str *line);
    enum status (*file)(void *self, const char **path); /* NULL: only lines */
    enum status (*put)(void *self, struct str line);
    enum status (*keep)(void *self); /* see job_keep(); NULL: nothing is */
};

struct job_totals {
    uint64_t counter[JOB_COUNTERS_MAX];
    uint64_t too_long; /* lines, which were left out */
};

/* Run a phase; totals are added to.  False: something failed, reported. */
bool job_run_phase(const struct corpus_job *j, enum job_phase phase,
                   const struct job_settings *s, const struct job_io *io,
                   struct job_totals *totals);
/* Whether the job begins with these settings: its map phase runs over no lines
 * at all, what it would write is dropped.  False: reported by the phase. */
bool job_begins(const struct corpus_job *j, const struct job_settings *s);
/* What is counted by this name could not be read, though it was to be. */
bool job_is_unread(struct str counter);
void job_totals_add(struct job_totals *to, const struct job_totals *from);
/* To standard error, as Hadoop Streaming takes counters. */
void job_totals_report(const struct corpus_job *j, const struct job_totals *t);

#endif
