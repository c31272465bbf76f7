/* stage_input.c -- see stage_input.h. */
#include "stage_input.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/folder_glob.h"
#include "base/log.h"

static bool
fault(const char *path, int number)
{
    log_error("run", "file=%s fault=\"%s\"", path, strerror(number));
    return false;
}

void
stage_input_know(struct buf *known, const char *path)
{
    struct stat about = {.st_size = -1};

    stat(path, &about);
    buf_printf(known, "%s %lld %lld.%09ld\n", path, (long long)about.st_size,
               (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

static void
add_given(struct stage_input *in, const char *path)
{
    stage_input_know(&in->known, path);
    paths_add(&in->file, path);
}

static bool
add_matching(struct stage_input *in, const char *pattern)
{
    glob_t found;
    int code = word_glob(pattern, 0, &found);

    if (code != 0)
        return fault(pattern, code == GLOB_NOMATCH ? ENOENT : errno);
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_given(in, found.gl_pathv[i]);
    globfree(&found);
    return true;
}

/* A stage makes at least one; so it is an error when there is none. */
static bool
add_parts(struct stage_input *in, const char *folder, const char *stage)
{
    size_t before = in->file.n;
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, stage);
    if (paths_in_folder(&in->file, path, STAGE_PARTS) == ST_IO)
        return fault(path, errno);
    if (in->file.n > before)
        return true;
    log_error("run",
              "file=%s fault=\"it has no part-*.zst; remove the folder "
              "and run again\"",
              path);
    return false;
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
