/* stage_input.c -- see stage_input.h. */
#include "stage_input.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/log.h"

static bool
fault(const char *path, int number)
{
    log_error("run", "file=%s fault=\"%s\"", path, strerror(number));
    return false;
}

static void
add_given(struct stage_input *in, const char *path)
{
    struct stat about = {.st_size = -1};

    stat(path, &about);
    buf_printf(&in->known, "%s %lld %lld.%09ld\n", path,
               (long long)about.st_size, (long long)about.st_mtim.tv_sec,
               about.st_mtim.tv_nsec);
    paths_add(&in->file, path);
}

static bool
add_matching(struct stage_input *in, const char *pattern)
{
    glob_t found;
    int code = glob(pattern, 0, NULL, &found);

    if (code != 0)
        return fault(pattern, code == GLOB_NOMATCH ? ENOENT : errno);
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_given(in, found.gl_pathv[i]);
    globfree(&found);
    return true;
}

static bool
add_parts(struct stage_input *in, const char *folder, const char *stage)
{
    char pattern[4096];
    glob_t found;
    int code;

    snprintf(pattern, sizeof pattern, "%s/%s/part-*.zst", folder, stage);
    code = glob(pattern, 0, NULL, &found);
    if (code != 0)
        return code == GLOB_NOMATCH || fault(pattern, errno);
    for (size_t i = 0; i < found.gl_pathc; i++)
        paths_add(&in->file, found.gl_pathv[i]);
    globfree(&found);
    return true;
}

/* Names of the command line are no patterns any more. */
bool
stage_input_find(struct stage_input *in, const struct run_local *r,
                 const struct pipeline_stage *s)
{
    bool good = true;

    for (size_t i = 0; i < s->inputs_n && good; i++) {
        const struct pipeline_input *one = &s->input[i];

        if (one->stage != SIZE_MAX)
            good =
                add_parts(in, r->folder, r->pipeline->stage[one->stage].name);
        else if (one->pattern.n > 0)
            good = add_matching(in, one->pattern.p);
        else
            for (size_t k = 0; k < r->input->n; k++)
                add_given(in, r->input->path[k]);
    }
    return good;
}

void
stage_input_free(struct stage_input *in)
{
    paths_free(&in->file);
    buf_free(&in->known);
}
