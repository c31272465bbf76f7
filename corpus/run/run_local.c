/* run_local.c -- see run_local.h. */
#include "run_local.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "stage.h"
#include "stage_input.h"

/* A file in STAGE.new until it is whole: who has made a folder of such a name
 * keeps it.  The last of its files by name, so the last to be removed. */
#define MARK "unfinished"
#define OPTION_FILE_MAX ((size_t)1 << 30)

struct stages_at_work {
    const struct run_local *r;
    struct hash128 digest[PIPELINE_STAGES_MAX];
    struct buf counters;
};

static bool
fault(const char *path)
{
    log_error("run", "file=%s fault=\"%s\"", path, strerror(errno));
    return false;
}

/* "FOLDER/NAME" and what follows; in one of eight places. */
static char *
in_folder(const struct stages_at_work *w, const char *name, const char *rest)
{
    static _Thread_local char paths[8][4096];
    static _Thread_local unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s%s", w->r->folder, name, rest);
    return path;
}

/* ---- what was done before ---- */

/* By content: such files are small, and edited in place.  The job says when one
 * cannot be read. */
static void
digest_file(struct buf *b, struct str path)
{
    struct buf name = {0}, text = {0};

    buf_str(&name, path);
    buf_char(&name, '\0');
    if (path.n > 0 && file_read(&text, name.p, OPTION_FILE_MAX) == ST_OK) {
        struct hash128 h = hash128(buf_view(&text));

        buf_add(b, &h, sizeof h);
    }
    buf_free(&name);
    buf_free(&text);
}

/* What a value names of files: it is one (with blanks, too), or has some among
 * its items, PATH or NAME=PATH. */
static void
digest_files(struct buf *b, struct str value)
{
    struct str rest = value, item;

    digest_file(b, value);
    while (opt_list_next(&rest, &item)) {
        size_t equals = str_find(item, '=', 0);

        if (item.n < value.n)
            digest_file(b, item);
        if (equals < item.n)
            digest_file(b, str_sub(item, equals + 1, item.n));
    }
}

static void
add_settings(struct buf *b, const struct pipeline_stage *s)
{
    const char *set;
    size_t set_i = 0;

    buf_printf(b, "1 %s\n", s->job->name);
    if (s->settings.data.n > 0)
        buf_printf(b, "data %.*s\n", STRF(s->settings.data));
    while ((set = job_next_set(s->job, &s->settings, &set_i)) != NULL) {
        buf_printf(b, "set %s\n", set);
        digest_files(b, str_c(strchr(set, '=') + 1));
    }
    for (size_t o = 0; o < JOB_OPTIONS_MAX && s->job->options[o].name; o++) {
        buf_printf(b, "%" PRIu64 " %.*s\n", s->settings.value[o],
                   STRF(s->settings.text[o]));
        if (s->job->options[o].check_file != NULL)
            digest_file(b, s->settings.text[o]);
    }
}

/* `known`: of what it reads that no stage made.  *settings: without any input.
 */
static struct hash128
digest_of(const struct stages_at_work *w, size_t i, struct str known,
          struct hash128 *settings)
{
    const struct pipeline_stage *s = &w->r->pipeline->stage[i];
    struct buf b = {0};
    struct hash128 h;

    add_settings(&b, s);
    *settings = hash128(buf_view(&b));
    for (size_t k = 0; k < s->inputs_n; k++)
        if (s->input[k].stage != SIZE_MAX)
            buf_add(&b, &w->digest[s->input[k].stage], sizeof *w->digest);
    buf_str(&b, known);
    h = hash128(buf_view(&b));
    buf_free(&b);
    return h;
}

/* How many there are in FOLDER/NAME. */
static size_t
parts_in(const struct stages_at_work *w, const char *name, const char *rest)
{
    struct paths parts = {0};
    size_t n;

    paths_in_folder(&parts, in_folder(w, name, rest), STAGE_PARTS);
    n = parts.n;
    paths_free(&parts);
    return n;
}

/* The first line of `done`: the digest, and how many parts there should be
 * (which older versions did not say). */
static bool
is_whole(const struct stages_at_work *w, size_t i, struct str line)
{
    const char *name = w->r->pipeline->stage[i].name;
    size_t n = parts_in(w, name, "");
    struct str digest, number;
    uint64_t wanted = n > 0 ? n : 1;
    char hex[33];

    hash128_hex(w->digest[i], hex);
    if (!str_word(&line, &digest) || !str_eq(digest, str_c(hex)))
        return false;
    if (str_word(&line, &number) && !str_u64(number, &wanted))
        return false;
    if (n != wanted)
        log_warn("run",
                 "file=%s parts=%zu wanted=%" PRIu64
                 " fault=\"parts are missing, the stage is done again\"",
                 in_folder(w, name, ""), n, wanted);
    return n == wanted;
}

/* The counters of a finished stage; false when it is not. */
static bool
was_done(const struct stages_at_work *w, size_t i, struct buf *counters)
{
    const char *name = w->r->pipeline->stage[i].name;
    struct buf text = {0};
    struct str rest, first;
    bool is;

    is =
        file_read(&text, in_folder(w, name, "/done"), (size_t)1 << 20) == ST_OK;
    rest = buf_view(&text);
    is = is && str_cut(&rest, '\n', &first) && is_whole(w, i, first);
    if (is)
        buf_str(counters, rest);
    buf_free(&text);
    return is;
}

static void
write_counters(const struct pipeline_stage *s, const struct job_totals *t,
               struct buf *out)
{
    for (size_t i = 0; i < JOB_COUNTERS_MAX && s->job->counters[i]; i++)
        buf_printf(out, "%s\t%s\t%" PRIu64 "\n", s->name, s->job->counters[i],
                   t->counter[i]);
    if (t->too_long > 0)
        buf_printf(out, "%s\tlines too long\t%" PRIu64 "\n", s->name,
                   t->too_long);
}

/* ---- one stage ---- */

static bool
remove_folder(const char *path)
{
    struct paths files = {0};

    if (paths_in_folder(&files, path, "*") == ST_OK)
        for (size_t i = 0; i < files.n; i++)
            unlink(files.path[i]);
    paths_free(&files);
    return rmdir(path) == 0 || errno == ENOENT || fault(path);
}

static bool
finish(const struct stages_at_work *w, size_t i, struct str counters)
{
    const char *name = w->r->pipeline->stage[i].name;
    char *made = in_folder(w, name, ".new"), *path = in_folder(w, name, "");
    struct buf done = {0};
    char hex[33];
    bool good;

    hash128_hex(w->digest[i], hex);
    buf_printf(&done, "%s %zu\n%.*s", hex, parts_in(w, name, ".new"),
               STRF(counters));
    good =
        file_write(in_folder(w, name, ".new/done"), buf_view(&done)) == ST_OK ||
        fault(made);
    buf_free(&done);
    if (!good)
        return false;
    return (remove_folder(path) &&
            unlink(in_folder(w, name, ".new/" MARK)) == 0 &&
            rename(made, path) == 0 && file_sync_name(path) == ST_OK) ||
           fault(path);
}

static void
say_begun(const struct pipeline_stage *s, const struct paths *file,
          const struct kept_map_place *at)
{
    char kept[40] = "";

    if (s->job->input == JOB_FILES)
        snprintf(kept, sizeof kept, " kept=%zu",
                 kept_map_tidy(at, file->path, file->n));
    log_info("run", "stage=%s job=%s files=%zu%s", s->name, s->job->name,
             file->n, kept);
}

static bool
make_stage(struct stages_at_work *w, size_t i, const struct paths *file,
           const struct kept_map_place *kept)
{
    const struct pipeline_stage *s = &w->r->pipeline->stage[i];
    char *folder = in_folder(w, s->name, ".new");
    struct job_totals totals = {.too_long = 0};
    struct stage_run run = {.stage = s,
                            .path = file->path,
                            .paths_n = file->n,
                            .folder = folder,
                            .kept = *kept,
                            .threads = w->r->threads,
                            .memory = w->r->memory};
    size_t from = w->counters.n;

    if (!remove_folder(folder) || mkdir(folder, 0777) != 0 ||
        file_write(in_folder(w, s->name, ".new/" MARK), S("")) != ST_OK)
        return fault(folder);
    say_begun(s, file, kept);
    if (!stage_run(&run, &totals)) {
        log_error("run", "stage=%s fault=\"not finished\"", s->name);
        remove_folder(in_folder(w, s->name, ".new"));
        return false;
    }
    write_counters(s, &totals, &w->counters);
    return finish(w, i, str_sub(buf_view(&w->counters), from, w->counters.n));
}

static bool
do_stage(struct stages_at_work *w, size_t i)
{
    const struct pipeline_stage *s = &w->r->pipeline->stage[i];
    struct stage_input in = {0};
    bool good = stage_input_find(&in, w->r, s);

    if (good) {
        char folder[4096];
        struct kept_map_place kept = {.folder = folder, .job = s->job};

        snprintf(folder, sizeof folder, "%s", in_folder(w, s->name, ".kept"));
        w->digest[i] = digest_of(w, i, buf_view(&in.known), &kept.settings);
        if (!was_done(w, i, &w->counters))
            good = make_stage(w, i, &in.file, &kept);
        good = good && remove_folder(folder);
    }
    stage_input_free(&in);
    return good;
}

/* ---- all of them ---- */

/* What a run was making when it was killed, of whatever pipeline. */
static bool
remove_torn(const struct stages_at_work *w)
{
    struct paths found = {0};
    bool good = true;

    paths_in_folder(&found, w->r->folder, "*.new");
    for (size_t i = 0; i < found.n && good; i++) {
        char mark[4096];

        snprintf(mark, sizeof mark, "%s/" MARK, found.path[i]);
        if (access(mark, F_OK) == 0)
            good = remove_folder(found.path[i]);
    }
    paths_free(&found);
    return good;
}

static int
lock(const struct stages_at_work *w)
{
    const char *path = in_folder(w, "lock", "");
    int fd;

    if (mkdir(w->r->folder, 0777) != 0 && errno != EEXIST) {
        fault(w->r->folder);
        return -1;
    }
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        fault(path);
    else if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        log_error("run", "file=%s fault=\"another run is at work here\"", path);
        close(fd);
        fd = -1;
    }
    return fd;
}

/* By their names, as stages that were done before have no other counters. */
static uint64_t
count_unread(struct str counters)
{
    struct str line, stage, name, number;
    uint64_t sum = 0, n;

    while (str_cut(&counters, '\n', &line)) {
        str_cut(&line, '\t', &stage);
        str_cut(&line, '\t', &name);
        if (job_is_unread(name) && str_cut(&line, '\t', &number) &&
            str_u64(number, &n))
            sum += n;
    }
    return sum;
}

bool
run_local(const struct run_local *r, uint64_t *unread)
{
    struct stages_at_work w = {.r = r};
    int fd = lock(&w);
    bool good = fd >= 0;

    good = good && remove_torn(&w);
    for (size_t i = 0; i < r->pipeline->n && good; i++)
        good = do_stage(&w, i);
    if (good && file_write(in_folder(&w, "counters.tsv", ""),
                           buf_view(&w.counters)) != ST_OK)
        good = fault(in_folder(&w, "counters.tsv", ""));
    if (good)
        fwrite(w.counters.p, 1, w.counters.n, stdout);
    *unread = count_unread(buf_view(&w.counters));
    buf_free(&w.counters);
    if (fd >= 0)
        close(fd);
    return good;
}
