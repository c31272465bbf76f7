/* job.h -- batch jobs over lines, under the contract of Hadoop Streaming.
 *
 * A job is one or more phases, map, combine and reduce; each reads lines on
 * standard input and writes lines on standard output.  A line is a key, a TAB
 * and a value; between the phases whoever runs the job (Hadoop, Spark's
 * RDD.pipe, sort(1)) brings lines of one key together in one reduce, in the
 * order of their keys' bytes.  Counters go to standard error as
 * `reporter:counter:GROUP,NAME,N`.
 *
 * A job is a constant in a file of its own and a row in jobs.tbl.h; the
 * command, its help and the local runner know it by that. */
#ifndef CORPUS_JOB_H
#define CORPUS_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "winnow/str.h"

#define JOB_COUNTERS_MAX 8
#define JOB_OPTIONS_MAX 8

struct job_run; /* a phase at work */

struct job_option {
    const char *name, *preset, *help;
    uint64_t low, high; /* a whole number in these bounds */
};

enum job_phase { JOB_MAP, JOB_COMBINE, JOB_REDUCE, JOB_PHASES_N };
extern const char *const job_phase_name[JOB_PHASES_N];

struct corpus_job {
    const char *name, *summary;
    const char *lines; /* what goes in and comes out, for the help */
    void (*phase[JOB_PHASES_N])(struct job_run *r); /* NULL: there is none */
    bool one_reduce; /* all keys go to one, in order */
    struct job_option options[JOB_OPTIONS_MAX]; /* ended by {0} */
    const char *counters[JOB_COUNTERS_MAX];     /* ended by NULL */
};

/* ---- for the phases ---- */

/* The next line without its end, valid until the next call.  False: that was
 * the last one (or reading failed, which ends the phase with a fault). */
bool job_line(struct job_run *r, struct str *line);
/* Write a line; the end is added. */
void job_put(struct job_run *r, struct str line);
void job_count(struct job_run *r, unsigned counter, uint64_t n);
uint64_t job_option(const struct job_run *r, const char *name);

/* Split at the first TAB; false: there is none, the key is all of it. */
bool job_split(struct str line, struct str *key, struct str *value);
/* What identity mappers are. */
void job_copy(struct job_run *r);

/* ---- for who runs them ---- */

extern const struct corpus_job *const job_table[];  /* ended by NULL */
const struct corpus_job *job_find(struct str name); /* NULL: unknown */

/* KEY=VALUE pairs over the presets.  False: reported in *why, which is static.
 */
struct job_settings {
    uint64_t value[JOB_OPTIONS_MAX];
};
bool job_set(const struct corpus_job *j, struct job_settings *s,
             struct str given, const char **why);
void job_preset(const struct corpus_job *j, struct job_settings *s);

/* Run a phase over the files (none: standard input).  False: reading failed,
 * reported.  What cannot be written shows in stdout's error flag. */
bool job_run_phase(const struct corpus_job *j, enum job_phase phase,
                   const struct job_settings *s, const struct str *files,
                   size_t files_n);

#endif
