/* provenance.c -- see provenance.h. */
#include "provenance.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/facts.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_reader.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/path.h"
#include "models.h"

#define FILE_BYTES_MAX ((size_t)16 << 20)
#define PROGRAM "winnow clean"
#define DEPTH_MAX 4 /* of its JSON */

struct provenance {
    const char *path;
    const struct opts *o;
    struct models models;
    struct json_reader *old; /* what stands there; NULL: nothing */
    struct buf differences;  /* lines NAME: WAS -> IS */
    char now[21];
};

/* Does it decide what comes of a page? */
static bool
is_fact(const struct opt *row)
{
    static const char *const sections[] = {"scope", "clean", "convert", "dedup",
                                           "output"};

    if (!opt_is_fact(row) || row == opt_find(S("output"), S("format")))
        return false;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strcmp(row->section, sections[i]) == 0)
            return true;
    return false;
}

static void
facts(const struct provenance *w, struct buf *out)
{
    for (size_t i = 0; i < opt_table_n; i++)
        if (is_fact(&opt_table[i]))
            opts_show_line(w->o, &opt_table[i], out);
    models_facts(&w->models, out);
}

/* ---- what stands there ---- */

/* An option that its version had not yet is as it is by itself. */
static void
old_options(const struct provenance *w, struct buf *out)
{
    struct buf name = {0};
    struct opts presets;

    opts_init(&presets);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (!is_fact(row))
            continue;
        buf_clear(&name);
        buf_printf(&name, "%s.%s", row->section, row->key);
        buf_char(&name, '\0');
        if (json_reader_has(w->old, name.p))
            buf_printf(out, "%s = %.*s\n", name.p,
                       STRF(json_reader_str(w->old, name.p)));
        else
            opts_show_line(&presets, row, out);
    }
    opts_free(&presets);
    buf_free(&name);
}

static void
old_model(void *out, struct str name, struct str digest)
{
    buf_printf(out, "model %.*s = %.*s\n", STRF(name), STRF(digest));
}

static void
old_facts(const struct provenance *w, struct buf *out)
{
    if (json_reader_enter_object(w->old, "options")) {
        old_options(w, out);
        json_reader_leave(w->old);
    }
    if (json_reader_enter_object(w->old, "models")) {
        json_reader_strs(w->old, old_model, out);
        json_reader_leave(w->old);
    }
}

static void
compare(struct provenance *w)
{
    struct buf was = {0}, is = {0};

    if (w->old == NULL)
        return;
    old_facts(w, &was);
    facts(w, &is);
    facts_compare(buf_view(&was), buf_view(&is), &w->differences);
    buf_free(&was);
    buf_free(&is);
}

static enum status
read_old(struct provenance *w, struct buf *text)
{
    enum status st = file_read(text, w->path, FILE_BYTES_MAX);

    if (st == ST_IO && (errno == ENOENT || errno == ENOTDIR))
        return ST_OK;
    if (st == ST_IO) {
        log_error("clean", "%s: %s", w->path, strerror(errno));
        return st;
    }
    w->old = memory_need(json_reader_new(DEPTH_MAX));
    if (st == ST_OK && json_reader_read(w->old, buf_view(text)) &&
        str_eq(json_reader_str(w->old, "program"), S(PROGRAM)))
        return ST_OK;
    log_error("clean",
              "%s is not of " PROGRAM ", which would write one of its own "
              "there: give another folder or name (-o)",
              w->path);
    return ST_USAGE;
}

/* ---- the new one ---- */

static void
json_options(const struct provenance *w, struct json *j)
{
    struct buf text = {0};

    json_key(j, "options");
    json_object(j);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (!is_fact(row))
            continue;
        buf_clear(&text);
        buf_printf(&text, "%s.%s", row->section, row->key);
        json_name(j, buf_view(&text));
        buf_clear(&text);
        opts_show(w->o, row, &text);
        json_str(j, buf_view(&text));
    }
    json_object_end(j);
    buf_free(&text);
}

static void
json_change(struct str time, struct str what, struct json *j)
{
    json_object(j);
    json_kstr(j, "time", time);
    json_kstr(j, "what", what);
    json_object_end(j);
}

static void
json_changes(const struct provenance *w, struct json *j)
{
    struct str rest = buf_view(&w->differences), line;

    json_key(j, "changes");
    json_array(j);
    for (size_t i = 0;
         w->old != NULL && json_reader_enter(w->old, "changes", i); i++) {
        json_change(json_reader_str(w->old, "time"),
                    json_reader_str(w->old, "what"), j);
        json_reader_leave(w->old);
    }
    while (str_cut(&rest, '\n', &line))
        if (line.n > 0)
            json_change(str_c(w->now), line, j);
    json_array_end(j);
}

static void
render(const struct provenance *w, struct buf *out)
{
    const struct opt_list *languages = &w->o->clean_language;
    struct json j = {.out = out};

    json_object(&j);
    json_kstr(&j, "program", S(PROGRAM));
    json_kstr(&j, "version", S(WINNOW_VERSION));
    json_kstr(&j, "started",
              w->old ? json_reader_str(w->old, "started") : str_c(w->now));
    json_key(&j, "language");
    json_array(&j);
    for (size_t i = 0; i < languages->n; i++)
        json_str(&j, languages->item[i]);
    json_array_end(&j);
    json_key(&j, "models");
    models_json(&w->models, &j);
    json_options(w, &j);
    json_changes(w, &j);
    json_object_end(&j);
    buf_char(out, '\n');
}

static enum status
refuse(const struct provenance *w)
{
    struct str rest = buf_view(&w->differences), line;

    while (str_cut(&rest, '\n', &line))
        if (line.n > 0)
            log_error("clean", "%s: results that are there were made with %.*s",
                      w->path, STRF(line));
    log_error("clean", "that would mix two corpora: give another -o, or the "
                       "options of the first run; or say --change to make the "
                       "rest with what is new, which that file then records");
    return ST_USAGE;
}

/* Another version may clean otherwise; that is no reason to stay with it. */
static void
compare_version(struct provenance *w)
{
    struct str was =
        w->old ? json_reader_str(w->old, "version") : S(WINNOW_VERSION);

    if (!str_eq(was, S(WINNOW_VERSION)))
        buf_printf(&w->differences, "winnow: %.*s -> %s\n", STRF(was),
                   WINNOW_VERSION);
}

static enum status
write_new(const struct provenance *w, struct str old)
{
    struct buf text = {0};
    enum status st = ST_OK;

    render(w, &text);
    if (!str_eq(buf_view(&text), old) &&
        (st = file_write(w->path, buf_view(&text))) != ST_OK)
        log_error("clean", "%s: %s", w->path, strerror(errno));
    buf_free(&text);
    return st;
}

/* An open file of the folder in which it stands; -1: reported. */
static int
lock_folder(const char *path)
{
    struct path folder = path_printf("%s", path);
    char *slash = strrchr(folder.z, '/');
    int fd = -1;

    if (slash == NULL)
        folder = path_printf(".");
    else
        slash[slash == folder.z] = '\0';
    if (file_make_folders(folder.z) == ST_OK)
        fd = open(folder.z, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        log_error("clean", "%s: %s", folder.z, strerror(errno));
    else
        (void)flock(fd, LOCK_EX); /* where a file system has none: go on */
    return fd;
}

/* Does the folder hold anything that is seen? */
static bool
has_files(int folder)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *e;
    bool found = false;

    if (d == NULL) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (!found && (e = readdir(d)) != NULL)
        found = e->d_name[0] != '.';
    closedir(d);
    return found;
}

/* Files that stand there without a word of what made them, such as those of a
 * version that did not note it yet, are not to pass as made by this run. */
static void
note_unknown(struct provenance *w, enum provenance_use use)
{
    if (use == PROVENANCE_GO_ON)
        log_warn("clean",
                 "%s is new: what made the files that stand beside it already "
                 "is not known, which it says",
                 w->path);
    buf_c(&w->differences,
          "files that stood here before: not known -> as above\n");
}

enum status
provenance_write(const char *path, const struct opts *o,
                 enum provenance_use use, bool change)
{
    struct provenance w = {.path = path, .o = o};
    struct arena *a = arena_new();
    struct buf old = {0};
    int folder = lock_folder(path);
    enum status st = folder < 0 ? ST_IO : read_old(&w, &old);

    clock_iso(clock_wall_ms(), w.now);
    models_of(&w.models, a, o);
    if (use == PROVENANCE_NEW) {
        json_reader_free(w.old);
        w.old = NULL;
    }
    compare(&w);
    if (st == ST_OK && use == PROVENANCE_GO_ON && !change &&
        w.differences.n > 0)
        st = refuse(&w);
    compare_version(&w);
    if (st == ST_OK && use != PROVENANCE_NEW && w.old == NULL &&
        has_files(folder))
        note_unknown(&w, use);
    if (st == ST_OK)
        st = write_new(&w, buf_view(&old));
    if (folder >= 0)
        close(folder);
    json_reader_free(w.old);
    buf_free(&old);
    buf_free(&w.differences);
    arena_free(a);
    return st;
}

enum status
provenance_check(const char *path)
{
    struct provenance w = {.path = path};
    struct buf old = {0};
    enum status st = read_old(&w, &old);

    json_reader_free(w.old);
    buf_free(&old);
    return st;
}
