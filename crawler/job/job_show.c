/* job_show.c -- a job as its corpus and its reports name it. */
#include "job.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"

#include <errno.h>
#include <string.h>

/* ---- JSON ---- */

static void
json_changes(const struct job *job, struct json *j)
{
    json_key(j, "changes");
    json_array(j);
    for (size_t i = 0; i < job->changes_n; i++) {
        json_object(j);
        json_kstr(j, "time", job->change[i].time);
        json_kstr(j, "what", job->change[i].what);
        json_object_end(j);
    }
    json_array_end(j);
}

void
job_json(const struct job *job, const char *without, struct json *j)
{
    const struct opt_list *languages = &job->opts.clean_language;

    json_object(j);
    json_kstr(j, "version", job->version);
    json_kstr(j, "started", job->started);
    json_key(j, "language");
    json_array(j);
    for (size_t i = 0; i < languages->n; i++)
        json_str(j, languages->item[i]);
    json_array_end(j);
    json_kstr(j, "scorer", job->opts.frontier_scorer);
    json_key(j, "models");
    models_json(&job->models, j);
    json_key(j, "options");
    opts_json(&job->opts, without, true, j);
    json_changes(job, j);
    json_object_end(j);
}

/* Is it the crawler's to say? */
static bool
is_fact(const struct opt *row)
{
    return opt_is_fact(row) && strcmp(row->section, "frontier") != 0 &&
           strcmp(row->section, "dedup") != 0;
}

void
job_facts(const struct job *job, struct buf *out)
{
    for (size_t i = 0; i < opt_table_n; i++)
        if (is_fact(&opt_table[i]))
            opts_show_line(&job->opts, &opt_table[i], out);
    models_facts(&job->models, out);
}

/* ---- for people ---- */

void
job_brief(const struct job *job, struct buf *out)
{
    size_t from;

    buf_c(out, "language ");
    from = out->n;
    opts_show(&job->opts, opt_find(S("clean"), S("language")), out);
    buf_printf(out, "%s, scorer %.*s, winnow %.*s", out->n == from ? "any" : "",
               STRF(job->opts.frontier_scorer), STRF(job->version));
}

void
job_text(const struct job *job, FILE *to)
{
    struct buf brief = {0};

    job_brief(job, &brief);
    fprintf(to, "job            %.*s\n", STRF(buf_view(&brief)));
    for (size_t i = 0; i < job->models.n; i++)
        fprintf(to, "model          %.*s %.19s...\n",
                STRF(job->models.item[i].name), job->models.item[i].digest.p);
    for (size_t i = 0; i < job->changes_n; i++)
        fprintf(to, "changed        %.*s %.*s\n", STRF(job->change[i].time),
                STRF(job->change[i].what));
    buf_free(&brief);
}
