/* kept_map.c -- see kept_map.h. */
#include "kept_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "corpus/lines/paths.h"
#include "line_source.h"
#include "part_file.h"
#include "stage_input.h"

#define DONE_MAX ((size_t)1 << 16)
#define SETTINGS_DIGITS 16 /* that a name begins with */
#define NAME_SIZE 64

struct kept_map {
    const struct kept_map_place *at;
    size_t number;
    const struct job_io *io;
    struct job_totals *totals;
    struct job_totals before; /* the file */
    char name[NAME_SIZE];     /* of the file */
    struct part_file *part;   /* NULL: it is not kept */
    uint64_t lines;
};

/* ---- names ---- */

static void
name_of(const struct kept_map_place *at, const char *path, char *name, size_t n)
{
    struct buf known = {0};
    char settings[33], file[33];

    stage_input_know(&known, path);
    hash128_hex(at->settings, settings);
    hash128_hex(hash128(buf_view(&known)), file);
    snprintf(name, n, "%.*s-%s", SETTINGS_DIGITS, settings, file);
    buf_free(&known);
}

static void
path_of(const struct kept_map_place *at, const char *name, const char *ending,
        char path[4096])
{
    snprintf(path, 4096, "%s/%s.%s", at->folder, name, ending);
}

static void
written_path(const struct kept_map *k, char path[4096])
{
    snprintf(path, 4096, "%s/%s.%zu.new", k->at->folder, k->name, k->number);
}

static enum status
fault_of(const char *path)
{
    bool full = disk_full(errno);

    log_error("run", "file=%s fault=\"%s\"", path, disk_full_text(errno));
    return full ? ST_FULL : ST_IO;
}

size_t
kept_map_tidy(const struct kept_map_place *at, char *const *path, size_t n)
{
    struct paths there = {0};
    char settings[33], name[NAME_SIZE], done[4096];
    size_t kept = 0;

    hash128_hex(at->settings, settings);
    if (paths_in_folder(&there, at->folder, "*") == ST_OK)
        for (size_t i = 0; i < there.n; i++)
            if (strncmp(strrchr(there.path[i], '/') + 1, settings,
                        SETTINGS_DIGITS) != 0)
                unlink(there.path[i]);
    for (size_t i = 0; i < n && there.n > 0; i++) {
        name_of(at, path[i], name, sizeof name);
        path_of(at, name, "done", done);
        kept += access(done, F_OK) == 0;
    }
    paths_free(&there);
    return kept;
}

struct kept_map *
kept_map_new(const struct kept_map_place *at, size_t number,
             const struct job_io *io, struct job_totals *totals)
{
    struct kept_map *k = memory_need(calloc(1, sizeof *k));

    k->at = at;
    k->number = number;
    k->io = io;
    k->totals = totals;
    return k;
}

void
kept_map_free(struct kept_map *k)
{
    char path[4096];

    if (k == NULL)
        return;
    if (k->part != NULL) {
        written_path(k, path);
        part_file_end(k->part);
        unlink(path);
    }
    free(k);
}

/* ---- what was kept ---- */

static bool
add_counter(const struct corpus_job *j, struct str line, struct job_totals *to)
{
    struct str name;
    uint64_t n;

    if (!str_cut(&line, '\t', &name) || !str_u64(line, &n))
        return false;
    for (size_t i = 0; i < JOB_COUNTERS_MAX && j->counters[i] != NULL; i++)
        if (str_eq(name, str_c(j->counters[i]))) {
            to->counter[i] += n;
            return true;
        }
    return false;
}

/* False: there is none, or it is none of ours. */
static bool
read_done(const struct kept_map *k, uint64_t *lines, struct job_totals *totals)
{
    struct buf text = {0};
    struct str rest, line;
    char path[4096];
    bool good;

    path_of(k->at, k->name, "done", path);
    good = file_read(&text, path, DONE_MAX) == ST_OK;
    rest = buf_view(&text);
    good = good && str_cut(&rest, '\n', &line) && str_u64(line, lines);
    while (good && str_cut(&rest, '\n', &line))
        good = add_counter(k->at->job, line, totals);
    buf_free(&text);
    return good;
}

static enum status
put_block(const struct kept_map *k, struct str block, uint64_t *lines)
{
    enum status st = ST_OK;
    struct str line;

    while (st == ST_OK && str_cut(&block, '\n', &line)) {
        st = k->io->put(k->io->self, line);
        ++*lines;
    }
    return st;
}

/* The lines of a kept file, as often as they should be. */
static enum status
put_kept(const struct kept_map *k, char *path, uint64_t wanted)
{
    struct line_source *from = line_source_new(&path, 1, NULL);
    struct buf block = {0};
    uint64_t lines = 0, too_long = 0;
    enum status st;

    while ((st = line_source_block(from, &block, &too_long)) == ST_OK)
        if ((st = put_block(k, buf_view(&block), &lines)) != ST_OK)
            break;
    line_source_free(from);
    buf_free(&block);
    if (st != ST_NONE)
        return st;
    if (lines == wanted)
        return ST_OK;
    log_error("run",
              "file=%s lines=%" PRIu64 " wanted=%" PRIu64
              " fault=\"lines are missing\"",
              path, lines, wanted);
    return ST_IO;
}

/* What cannot be read is made anew by the next run: some of its lines may have
 * been put. */
enum status
kept_map_take(struct kept_map *k, const char *path)
{
    struct job_totals totals = {.too_long = 0};
    char kept[4096];
    uint64_t lines;
    enum status st;

    name_of(k->at, path, k->name, sizeof k->name);
    k->before = *k->totals;
    if (!read_done(k, &lines, &totals))
        return ST_NONE;
    path_of(k->at, k->name, "zst", kept);
    st = put_kept(k, kept, lines);
    if (st == ST_OK) {
        job_totals_add(k->totals, &totals);
    } else {
        path_of(k->at, k->name, "done", kept);
        unlink(kept);
    }
    return st;
}

/* ---- what is kept ---- */

enum status
kept_map_begin(struct kept_map *k)
{
    char path[4096];

    if (file_make_folder(k->at->folder) != ST_OK)
        return fault_of(k->at->folder);
    written_path(k, path);
    k->lines = 0;
    return part_file_make(&k->part, path);
}

enum status
kept_map_put(struct kept_map *k, struct str line)
{
    if (k->part == NULL)
        return ST_OK;
    k->lines++;
    return part_file_put(k->part, line);
}

static enum status
write_done(const struct kept_map *k)
{
    const struct corpus_job *j = k->at->job;
    struct buf text = {0};
    char path[4096];
    enum status st;

    buf_printf(&text, "%" PRIu64 "\n", k->lines);
    for (size_t i = 0; i < JOB_COUNTERS_MAX && j->counters[i] != NULL; i++)
        buf_printf(&text, "%s\t%" PRIu64 "\n", j->counters[i],
                   k->totals->counter[i] - k->before.counter[i]);
    path_of(k->at, k->name, "done", path);
    st = file_write(path, buf_view(&text));
    buf_free(&text);
    return st == ST_OK ? ST_OK : fault_of(path);
}

enum status
kept_map_end(struct kept_map *k)
{
    char written[4096], path[4096];
    enum status st;

    if (k->part == NULL)
        return ST_OK;
    st = part_file_end(k->part);
    k->part = NULL;
    written_path(k, written);
    path_of(k->at, k->name, "zst", path);
    if (st == ST_OK && rename(written, path) != 0)
        st = fault_of(path);
    return st == ST_OK ? write_done(k) : st;
}
