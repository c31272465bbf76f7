/* run_plan.c -- see run_plan.h. */
#include "run_plan.h"

#include "base/json.h"

/* ---- Spark ---- */

/* For --set; NUL after it. */
static struct buf
data_option(const struct pipeline_stage *s)
{
    struct buf set = {0};

    buf_printf(&set, "clean.data=%.*s", STRF(s->settings.data));
    buf_char(&set, '\0');
    return set;
}

static void
add_command(struct json *j, const struct pipeline_stage *s,
            enum job_phase phase)
{
    const char *set;
    size_t set_i = 0;

    json_key(j, job_phase_name[phase]);
    if (s->job->phase[phase] == NULL) {
        json_null(j);
        return;
    }
    json_array(j);
    json_str(j, S("job"));
    json_str(j, str_c(s->job->name));
    json_str(j, str_c(job_phase_name[phase]));
    if (s->settings.data.n > 0) {
        struct buf data = data_option(s);

        json_str(j, S("--set"));
        json_str(j, str_c(data.p));
        buf_free(&data);
    }
    while ((set = job_next_set(s->job, &s->settings, &set_i)) != NULL) {
        json_str(j, S("--set"));
        json_str(j, str_c(set));
    }
    for (size_t i = 0; i < s->defines_n; i++) {
        json_str(j, S("-D"));
        json_str(j, str_c(s->define[i]));
    }
    json_array_end(j);
}

static void
add_inputs(struct json *j, const struct pipeline *p,
           const struct pipeline_stage *s, const struct paths *input)
{
    json_key(j, "from");
    json_array(j);
    for (size_t i = 0; i < s->inputs_n; i++)
        if (s->input[i].stage != SIZE_MAX)
            json_str(j, str_c(p->stage[s->input[i].stage].name));
    json_array_end(j);
    json_key(j, "paths");
    json_array(j);
    for (size_t i = 0; i < s->inputs_n; i++) {
        if (s->input[i].stage != SIZE_MAX)
            continue;
        if (s->input[i].pattern.n > 0)
            json_str(j, s->input[i].pattern);
        for (size_t k = 0; s->input[i].pattern.n == 0 && k < input->n; k++)
            json_str(j, str_c(input->path[k]));
    }
    json_array_end(j);
}

void
plan_json(const struct pipeline *p, const struct paths *input, struct buf *out)
{
    struct json j = {.out = out};

    json_object(&j);
    json_key(&j, "stages");
    json_array(&j);
    for (size_t i = 0; i < p->n; i++) {
        const struct pipeline_stage *s = &p->stage[i];

        json_object(&j);
        json_kstr(&j, "name", str_c(s->name));
        add_inputs(&j, p, s, input);
        json_kbool(&j, "files", s->job->input == JOB_FILES);
        for (enum job_phase phase = JOB_MAP; phase < JOB_PHASES_N; phase++)
            add_command(&j, s, phase);
        json_kbool(&j, "one_reduce", s->job->one_reduce);
        json_kbool(&j, "result", !s->is_read);
        json_key(&j, "counters");
        json_array(&j);
        for (size_t c = 0; c < JOB_COUNTERS_MAX && s->job->counters[c]; c++)
            json_str(&j, str_c(s->job->counters[c]));
        json_array_end(&j);
        json_object_end(&j);
    }
    json_array_end(&j);
    json_object_end(&j);
    buf_char(out, '\n');
}

/* ---- Hadoop ---- */

/* A word for the shell, inside of double quotes or not. */
static void
quote(struct buf *out, const char *word)
{
    buf_char(out, '\'');
    for (; *word != '\0'; word++)
        if (*word == '\'')
            buf_c(out, "'\\''");
        else
            buf_char(out, *word);
    buf_char(out, '\'');
}

static void
hadoop_phase(struct buf *out, const struct pipeline_stage *s,
             enum job_phase phase, const char *flag)
{
    struct buf command = {0};
    const char *set;
    size_t set_i = 0;

    if (s->job->phase[phase] == NULL)
        return;
    buf_printf(&command, "./winnow job %s %s", s->job->name,
               job_phase_name[phase]);
    if (s->settings.data.n > 0) {
        struct buf data = data_option(s);

        buf_c(&command, " --set ");
        quote(&command, data.p);
        buf_free(&data);
    }
    while ((set = job_next_set(s->job, &s->settings, &set_i)) != NULL) {
        buf_c(&command, " --set ");
        quote(&command, set);
    }
    for (size_t i = 0; i < s->defines_n; i++) {
        buf_c(&command, " -D ");
        quote(&command, s->define[i]);
    }
    buf_char(&command, '\0');
    buf_printf(out, " \\\n  %s ", flag);
    quote(out, command.p);
    buf_free(&command);
}

static void
hadoop_stage(struct buf *out, const struct pipeline *p, size_t i,
             const struct paths *input, const char *folder)
{
    const struct pipeline_stage *s = &p->stage[i];
    bool reduces = s->job->phase[JOB_REDUCE] != NULL;

    buf_printf(out, "\n# %s: %s\n", s->name, s->job->summary);
    /* The whole line is the key that is sorted, its first field the one that
     * says which reducer it goes to. */
    buf_c(out, "hadoop jar \"$streaming\" -files \"$winnow#winnow\" \\\n"
               "  -D stream.num.map.output.key.fields=1000000 \\\n"
               "  -D mapreduce.partition.keypartitioner.options=-k1,1 \\\n");
    buf_printf(out, "  -D mapreduce.job.reduces=%s",
               !reduces             ? "0"
               : s->job->one_reduce ? "1"
                                    : "\"$reduces\"");
    if (reduces)
        buf_c(out, " \\\n  -partitioner "
                   "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner");
    for (size_t k = 0; k < s->inputs_n; k++) {
        if (s->input[k].stage != SIZE_MAX) {
            buf_c(out, " \\\n  -input ");
            quote(out, folder);
            buf_printf(out, "/%s", p->stage[s->input[k].stage].name);
        } else if (s->input[k].pattern.n > 0) {
            buf_c(out, " \\\n  -input ");
            quote(out, s->input[k].pattern.p);
        }
        for (size_t f = 0; s->input[k].stage == SIZE_MAX &&
                           s->input[k].pattern.n == 0 && f < input->n;
             f++) {
            buf_c(out, " \\\n  -input ");
            quote(out, input->path[f]);
        }
    }
    buf_c(out, " \\\n  -output ");
    quote(out, folder);
    buf_printf(out, "/%s", s->name);
    if (s->job->phase[JOB_MAP] != NULL)
        hadoop_phase(out, s, JOB_MAP, "-mapper");
    else
        buf_c(out, " \\\n  -mapper cat");
    hadoop_phase(out, s, JOB_COMBINE, "-combiner");
    hadoop_phase(out, s, JOB_REDUCE, "-reducer");
    buf_char(out, '\n');
}

void
plan_hadoop(const struct pipeline *p, const struct paths *input,
            const char *folder, struct buf *out)
{
    buf_c(out, "#!/bin/sh\n"
               "set -eu\n"
               "# Where hadoop-streaming.jar and a static or installed winnow "
               "are.\n"
               "streaming=${HADOOP_STREAMING:?the path of "
               "hadoop-streaming.jar}\n"
               "winnow=${WINNOW:-$(command -v winnow)}\n"
               "reduces=${REDUCES:-8}\n");
    for (size_t i = 0; i < p->n; i++)
        hadoop_stage(out, p, i, input, folder);
}
