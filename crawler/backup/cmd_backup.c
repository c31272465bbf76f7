/* cmd_backup.c -- `winnow backup`: a copy of a crawl that goes on meanwhile.
 *
 * The frontier first, the corpus after it.  So the corpus has every document of
 * a page that the frontier has as done; of pages that came in between it has
 * more, which is what a kill -9 leaves as well: they are fetched again, and
 * known by their visit. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder_glob.h"
#include "base/log.h"
#include "base/options/command.h"
#include "base/path.h"
#include "crawler/report/crawl_log.h"
#include "frontier/command/cmd_control.h"
#include "frontier/tools/frontier_tools.h"
#include "shingle/tools/backup.h"

extern const struct command command_backup;

#define PART ".part" /* of a copy that is not whole */

struct backup_job {
    const char *dir;
    struct path to; /* being made */
    const struct opts *opts;
};

static bool
is_there(struct path path)
{
    return access(path.z, F_OK) == 0;
}

static enum status
say_failed(const char *path)
{
    log_error("backup", "%s: %s", path, strerror(errno));
    return ST_IO;
}

static enum status
make_folder(const char *path)
{
    return file_make_folder(path) == ST_OK ? ST_OK : say_failed(path);
}

/* ---- what a crawl has beside its stores ---- */

/* As far as it is now; one that was moved meanwhile (log rotation) is left. */
static enum status
copy_file(const struct backup_job *j, const char *name)
{
    const struct path from = path_printf("%s/%s", j->dir, name),
                      to = path_printf("%s/%s", j->to.z, name);
    enum status st = file_copy_whole(from.z, to.z);

    if (st == ST_OK || st == ST_NONE)
        return ST_OK;
    log_error("backup", "%s to %s: %s", from.z, to.z,
              st == ST_LIMIT ? "it has become shorter meanwhile"
                             : strerror(errno));
    return st;
}

static enum status
copy_log(const struct backup_job *j)
{
    glob_t found = {0};
    int rc = folder_glob(j->dir, CRAWL_LOG_FILE "*", 0, &found);
    enum status st = rc == 0 || rc == GLOB_NOMATCH ? ST_OK : ST_IO;

    if (rc == 0)
        st = make_folder(path_printf("%s/log", j->to.z).z);
    for (size_t i = 0; i < found.gl_pathc && st == ST_OK; i++)
        st = copy_file(j, found.gl_pathv[i] + strlen(j->dir) + 1);
    globfree(&found);
    return st;
}

static enum status
copy_beside(const struct backup_job *j)
{
    static const char *const small[] = {"job", "crawler.id"};
    enum status st = copy_log(j);

    for (size_t i = 0; i < sizeof small / sizeof *small && st == ST_OK; i++)
        st = copy_file(j, small[i]);
    return st;
}

/* ---- the copy ---- */

static enum status
copy_frontier(const struct backup_job *j, struct path dir, struct path to)
{
    control_ask_to_save(dir.z, j->opts);
    return frontier_backup(dir.z, to.z, j->opts);
}

static enum status
copy_all(const struct backup_job *j)
{
    const struct path own = path_printf("%s", j->dir),
                      frontier = path_printf("%s/frontier", j->dir);
    enum status st;

    if (is_there(path_printf("%s/data.mdb", own.z))) /* a frontier's folder */
        return copy_frontier(j, own, j->to);
    if ((st = make_folder(j->to.z)) != ST_OK)
        return st;
    if (is_there(path_printf("%s/data.mdb", frontier.z)))
        st = copy_frontier(j, frontier, path_printf("%s/frontier", j->to.z));
    if (st == ST_OK)
        st = copy_beside(j);
    if (st == ST_OK && is_there(path_printf("%s/dedup/data.mdb", own.z)))
        st = dedup_backup(own.z, j->to.z, j->opts);
    return st;
}

static bool
is_crawl(const char *dir)
{
    return is_there(path_printf("%s/data.mdb", dir)) ||
           is_there(path_printf("%s/frontier/data.mdb", dir)) ||
           is_there(path_printf("%s/dedup/data.mdb", dir));
}

static int
make_copy(struct backup_job *j, const char *to)
{
    enum status st = copy_all(j);

    if (st == ST_OK &&
        (rename(j->to.z, to) != 0 || file_sync_name(to) != ST_OK))
        st = say_failed(to);
    if (st != ST_OK) {
        if (is_there(j->to))
            log_error("backup", "%s is not a copy: remove it", j->to.z);
        return command_exit(st);
    }
    printf("%s is a copy of %s\n", to, j->dir);
    return EXIT_DONE;
}

/* So that what is added to the name becomes a part of it. */
static const char *
without_slash(const char *path, struct path *name)
{
    size_t n;

    *name = path_printf("%s", path);
    for (n = strlen(name->z); n > 1 && name->z[n - 1] == '/'; n--)
        name->z[n - 1] = '\0';
    return name->z;
}

static int
run(struct invocation *in)
{
    struct backup_job j = {.opts = &in->opts};
    struct path name;
    const char *to;

    if (in->words_n != 2)
        return command_usage(in, "give the folder of a crawl or a service, and "
                                 "one that is to be made");
    j.dir = in->words[0].p;
    to = without_slash(in->words[1].p, &name);
    j.to = path_printf("%s" PART, to);
    if (!is_crawl(j.dir))
        return command_usage(in, "%s: there is neither a frontier nor a corpus",
                             j.dir);
    if (is_there(j.to))
        return command_usage(in,
                             "%s is there already: of a copy that is being "
                             "made, or was not finished (then remove it)",
                             j.to.z);
    if (is_there(path_printf("%s", to)))
        return command_usage(in, "%s is there already", to);
    (void)control_read_job(&in->opts, j.dir);
    return make_copy(&j, to);
}

const struct command command_backup = {
    .name = "backup",
    .group = COMMANDS_CRAWLING,
    .usage = "DIR TO",
    .summary = "Copy a crawl while it runs.",
    .help =
        "DIR is the folder of a crawl, or of a frontier or dedup service; TO\n"
        "is made.  Nothing waits while it is copied.  A crawl goes on from TO\n"
        "as if it had been killed when the copy began: pages that came later\n"
        "are fetched again.\n"
        "\n"
        "Of services with folders of their own copy the frontier's first: "
        "then\n"
        "the corpus has all that the frontier has as done.\n"
        "\n"
        "Not copied: warc/, whose finished files never change, report/, and\n"
        "what can be made anew.\n"
        "\n"
        "Examples:\n"
        "  winnow backup be-nl be-nl-monday\n"
        "  winnow crawl --dir be-nl-monday\n",
    .run = run,
};
