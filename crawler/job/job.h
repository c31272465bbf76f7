/* job.h -- DIR/job: what a crawl folder knows of its own job.
 *
 * An INI file of sections as in opt.h, after one more: [job] has the version of
 * winnow that wrote it, when the crawl began, the digests of the models (files
 * that cleaning depends on) and, a line each, what was changed since and when.
 * Options that make the corpus what it is (CORPUS in opt.tbl.h) stand there
 * all, since presets may change with a version; of the others those that differ
 * from their presets. */
#ifndef CRAWLER_JOB_H
#define CRAWLER_JOB_H

#include <stdio.h>

#include "base/arena.h"
#include "base/options/opt.h"
#include "clean/provenance/models.h"

struct buf;
struct json;

#define JOB_FILE "job"

struct job_change {
    struct str time,
        what; /* "2026-11-23T10:00:00Z", "clean.language: nl -> de" */
};

struct job {
    struct arena *arena;
    struct opts opts; /* its own */
    struct str version, started;
    struct models models;
    struct job_change *change; /* oldest first */
    size_t changes_n;
};

/* ---- the file ---- */

/* The job of the crawl in DIR.  ST_NONE: there is none; ST_INVALID, ST_IO: it
 * cannot be read (reported).  job_free() it. */
enum status job_read(struct job **out, const char *dir);

/* Replace DIR/job, whole or not at all.  ST_IO, ST_FULL: reported. */
enum status job_write(const struct job *job, const char *dir);
struct job *job_new(void);      /* of presets */
void job_free(struct job *job); /* NULL is allowed */

/* The bytes of DIR/job, and what they say.  `name` is for messages.  ST_INVALID
 * (reported): `text` was not written by job_render(). */
void job_render(const struct job *job, struct buf *out);
enum status job_parse(struct job **out, const char *name, struct str text);

/* Strings are copied. */
void job_add_change(struct job *job, struct str time, struct str what);

/* Into *o what is not given there. */
void job_adopt(const struct job *job, struct opts *o);
/* The same of the job in DIR; nothing when there is none.  Errors of job_read()
 * but ST_NONE. */
enum status job_adopt_folder(struct opts *o, const char *dir);

/* ---- for readers of a corpus ---- */

/* One JSON object: version, started, language, scorer, models, options (those
 * that differ from their presets; not of section `without`: ""), changes. */
void job_json(const struct job *job, const char *without, struct json *j);
/* For people: "language nl, scorer learned, winnow 0.2.0"; and all of it but
 * the options, in a few lines. */
void job_brief(const struct job *job, struct buf *out);
void job_text(const struct job *job, FILE *to);
/* What decides which documents a corpus gets and what is written of them, to be
 * compared by others: lines NAME = VALUE.  Without what services decide, and
 * with digests in place of paths, which are of one machine. */
void job_facts(const struct job *job, struct buf *out);

/* ---- a crawl that begins or goes on ---- */

struct job_request {
    const char *dir;
    bool file;   /* a job file was named: it is the whole job */
    bool change; /* --change */
};

/* Make `o` the job that this run is to have, and *out what DIR/job shall hold.
 * Without a job file, what neither --set nor the environment gives is taken
 * from DIR/job.  Differences are said.  ST_USAGE (reported): there is no job to
 * go on with, or one that would mix two corpora and no --change. */
enum status job_settle(struct job **out, struct opts *o,
                       const struct job_request *r);

#endif
