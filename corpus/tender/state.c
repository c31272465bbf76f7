/* state.c -- how far a run has come: the file `state` in its folder.
 *
 * It names the run (a hash of what decides the result: options, and name, size
 * and time of every file that is read) and the last stage that is finished, and
 * is replaced as a whole.  What a killed process wrote is in the page cache, so
 * it counts; what was there before the system started again may not be on the
 * disk, so it does not, and the run begins anew. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/pages/hold.h"
#include "tender_inside.h"

#define FORM 1 /* of the files in the folder; another one begins anew */
#define STATE_BYTES_MAX 4096

static const char *const stored[] = {"documents",
                                     "prints",
                                     "order",
                                     "ranks",
                                     "state",
                                     "03.blacklist",
                                     "03.clusters",
                                     "03.blacklist-full",
                                     "03.blacklist.gz",
                                     "03.clusters.gz",
                                     "03.blacklist-full.gz"};
static const char *const spills[] = {"keys", "pairs", "scores"};

static void
name_files(const struct paths *p, struct buf *out)
{
    for (size_t i = 0; i < p->n; i++) {
        struct stat about = {0};

        (void)stat(p->path[i], &about);
        buf_printf(out, "\n%s %lld %lld.%09ld", p->path[i],
                   (long long)about.st_size, (long long)about.st_mtim.tv_sec,
                   about.st_mtim.tv_nsec);
    }
}

static void
name_run(const struct tender *t, char out[33])
{
    const struct tender_options *o = t->o;
    struct buf b = {0};

    buf_printf(&b, "%d %u %u %.9f %d %d", FORM, o->limit, o->max, o->near,
               (int)o->rule, (int)o->presorted);
    name_files(&o->inputs, &b);
    if (o->earlier_n > 0)
        buf_printf(&b, "\nearlier %zu", o->earlier_n);
    buf_c(&b, "\nblacklists");
    name_files(&o->blacklists, &b);
    if (id_set_n(&t->listed) > 0) /* a crawl goes on and replaces documents */
        buf_printf(&b, "\nlisted %zu", id_set_n(&t->listed));
    hash128_hex(hash128(buf_view(&b)), out);
    buf_free(&b);
}

static void
name_boot(char out[64])
{
    struct buf b = {0};

    out[0] = '\0';
    if (file_read(&b, "/proc/sys/kernel/random/boot_id", 63) == ST_OK)
        snprintf(out, 64, "%.*s", STRF(str_trim(buf_view(&b))));
    buf_free(&b);
}

static void
name_time(char *out, size_t n)
{
    struct timespec now;
    struct tm tm;
    char day[24];

    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &tm);
    strftime(day, sizeof day, "%Y-%m-%d_%H-%M-%S", &tm);
    snprintf(out, n, "%s-%03ld", day, now.tv_nsec / 1000000);
}

struct state {
    char run[33], boot[64], time[40];
    unsigned stage, form, limit;
    struct facts facts;
    struct tender_counts counts;
    double near;
};

static bool
state_read(const char *path, struct state *s)
{
    struct buf b = {0};
    int n = 0;

    memset(s, 0, sizeof *s);
    if (file_read(&b, path, STATE_BYTES_MAX) == ST_OK) {
        struct tender_counts *c = &s->counts;

        buf_char(&b, '\0');
        /* The file is ours; what it lacks or garbles is counted and bounded. */
        n = sscanf(b.p, /* NOLINT(cert-err34-c) */
                   "winnow tender\nrun %32s\nboot %63s\ntime %39s\nstage %u\n"
                   "form %u values %u signatures %u documents %u ranks %u "
                   "limit %u near "
                   "%lf\ncounts %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                   " %" SCNu64 " %" SCNu64 " %" SCNu64,
                   s->run, s->boot, s->time, &s->stage, &s->form,
                   &s->facts.values_n, &s->facts.signatures,
                   &s->facts.documents_n, &s->facts.ranks_n, &s->limit,
                   &s->near, &c->documents, &c->hashes, &c->rejected_lines,
                   &c->blacklisted, &c->overfull, &c->pairs, &c->scored);
        s->facts.form = (enum shingle_form)s->form;
    }
    buf_free(&b);
    return n == 18 && s->stage <= STAGE_SCORES;
}

enum status
tender_state_write(const struct tender *t, enum tender_stage done)
{
    const struct tender_counts *c = &t->counts;
    char *path = tender_path(t, "state"), run[33], boot[64];
    struct buf b = {0};
    enum status st;

    name_run(t, run);
    name_boot(boot);
    buf_printf(&b,
               "winnow tender\nrun %s\nboot %s\ntime %s\nstage %u\nform %u "
               "values %u signatures %u documents %u ranks %u limit %u near "
               "%.17g\ncounts "
               "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
               " %" PRIu64 " %" PRIu64 "\n",
               run, boot[0] ? boot : "-", t->time, (unsigned)done,
               (unsigned)t->facts.form, t->facts.values_n, t->facts.signatures,
               t->facts.documents_n, t->facts.ranks_n, t->limit, t->near,
               c->documents, c->hashes, c->rejected_lines, c->blacklisted,
               c->overfull, c->pairs, c->scored);
    st = file_write(path, buf_view(&b));
    if (st != ST_OK)
        log_error("tender", "file=%s fault=\"%s\"", path, strerror(errno));
    buf_free(&b);
    free(path);
    return st;
}

static void
go_on(struct tender *t, const struct state *s, enum tender_stage *done)
{
    *done = (enum tender_stage)s->stage;
    t->facts = s->facts;
    t->counts = s->counts;
    t->limit = s->limit;
    t->near = s->near;
    snprintf(t->time, sizeof t->time, "%s", s->time);
    log_info("tender", "folder=%s goes_on_after_stage=%u", t->folder, s->stage);
}

static void
remove_files(const struct tender *t)
{
    for (size_t i = 0; i < sizeof spills / sizeof *spills; i++) {
        char *path = tender_path(t, spills[i]);

        spill_remove(path);
        free(path);
    }
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
        char *path = tender_path(t, stored[i]);

        unlink(path);
        free(path);
    }
}

/* The folder, made if it is not there, for this process alone. */
static enum status
take_folder(struct tender *t)
{
    char *lock = tender_path(t, "lock");
    enum status st = ST_IO;

    if (mkdir(t->folder, 0777) != 0 && errno != EEXIST)
        log_error("tender", "folder=%s fault=\"%s\"", t->folder,
                  strerror(errno));
    else
        st = hold_take(&t->lock, lock, t->folder, "tender");
    free(lock);
    return st;
}

enum status
tender_state_open(struct tender *t, enum tender_stage *done)
{
    char *path = tender_path(t, "state"), run[33], boot[64];
    enum status st = take_folder(t);
    struct state s;

    *done = STAGE_NOTHING;
    name_time(t->time, sizeof t->time);
    name_run(t, run);
    name_boot(boot);
    if (st == ST_OK && t->o->restart)
        remove_files(t);
    if (st == ST_OK && !state_read(path, &s)) {
        if (access(path, F_OK) == 0)
            log_warn("tender", "file=%s fault=\"cannot be read\": begins anew",
                     path);
    } else if (st == ST_OK) {
        if (strcmp(s.run, run) != 0) {
            log_error("tender",
                      "folder=%s fault=\"of a run with other options "
                      "or input; --restart begins anew\"",
                      t->folder);
            st = ST_USAGE;
        } else if (strcmp(s.boot, boot) == 0) {
            go_on(t, &s, done);
        }
    }
    free(path);
    return st;
}

void
tender_folder_remove(const struct tender *t)
{
    char *lock = tender_path(t, "lock");

    remove_files(t);
    unlink(lock);
    rmdir(t->folder);
    free(lock);
}
