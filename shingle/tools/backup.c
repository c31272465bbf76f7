/* backup.c -- see backup.h.
 *
 * What the service has saved is a state of its own: LMDB says how long each
 * file is, files only grow, and what is behind those lengths is not copied.  So
 * first everything that was acknowledged until now has to be saved; then the
 * files whose turn may end meanwhile (tails, the log of records) are held open,
 * as of one moment, and copied while the service goes on.  The table of tags is
 * made anew by the copy's first start. */
#include "backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/clock.h"
#include "base/facts.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/pages/hold.h"
#include "base/path.h"
#include "base/progress.h"
#include "shingle/corpus/stream.h"
#include "shingle/service/commit_log.h"
#include "shingle/service/corpus_job.h"

#define PROVENANCE "corpus/" PROVENANCE_FILE

enum {
    LOOK_MS = 20,
    SAVED_MAX_MS = 120000, /* to wait for what was acknowledged */
    LOOKS_MAX = 100        /* at files whose tails are being packed */
};

struct held { /* a file, as far as it counts */
    int fd;   /* -1: none of it does */
    uint64_t bytes;
    struct path to;
};

struct corpus_copy {
    const char *dir, *to;
    struct path folder; /* of the index */
    struct store *store;
    struct stream stream[CORPUS_STREAMS_MAX];
    size_t streams_n;
    struct held *held;
    size_t held_n;
    struct progress *progress;
};

/* ---- what counts ---- */

static void
let_go(struct corpus_copy *b)
{
    while (b->held_n > 0)
        if (b->held[--b->held_n].fd >= 0)
            close(b->held[b->held_n].fd);
    b->streams_n = 0;
    store_abort(b->store);
}

/* ST_NONE: it is not there. */
static enum status
hold(struct corpus_copy *b, struct path path, uint64_t bytes)
{
    struct held *h = &b->held[b->held_n++];

    h->fd = -1;
    h->bytes = bytes;
    h->to = path_printf("%s%s", b->to, path.z + strlen(b->dir));
    if (bytes == 0)
        return ST_OK;
    h->fd = open(path.z, O_RDONLY | O_CLOEXEC);
    if (h->fd >= 0)
        return ST_OK;
    return errno == ENOENT ? ST_NONE
                           : file_copy_failed("backup", path.z, ST_IO);
}

static enum status
take_stream(void *self, struct str name, struct str state)
{
    struct corpus_copy *b = self;
    struct stream *s = &b->stream[b->streams_n];
    struct str suffix;

    *s = (struct stream){0};
    if (b->streams_n == CORPUS_STREAMS_MAX ||
        !stream_row_name(name, &s->group, &suffix) ||
        suffix.n > CORPUS_SUFFIX_MAX || !stream_row_state(&s->now, state)) {
        log_error("backup",
                  "%s: a row cannot be read: `winnow dedup %s "
                  "--check`",
                  b->folder.z, b->dir);
        return ST_STORE;
    }
    memcpy(s->suffix, suffix.p, suffix.n);
    b->streams_n++;
    return ST_OK;
}

/* ST_NONE: something was packed meanwhile. */
static enum status
hold_files(struct corpus_copy *b)
{
    uint64_t log_end = 0;
    enum status st = store_walk(b->store, STORE_FILES, S(""), take_stream, b);

    if (st == ST_OK)
        st = store_get_u64(b->store, "log", &log_end);
    if (st == ST_OK)
        st = hold(b, path_printf("%s/" INDEX_LOG, b->folder.z), log_end);
    for (size_t i = 0; i < b->streams_n && st == ST_OK; i++) {
        const struct stream *s = &b->stream[i];

        st = hold(b, stream_part(b->dir, s, s->now.part), s->now.part_bytes);
        if (st == ST_OK)
            st = hold(b, stream_tail(b->dir, s, &s->now), s->now.tail_bytes);
    }
    return st;
}

/* Until which segment of the log of commits is to be saved. */
static enum status
segment_now(const struct corpus_copy *b, uint64_t *segment)
{
    struct commit_log *log;
    enum status st = commit_log_open(&log, b->folder.z, false);

    *segment = 0;
    if (st != ST_OK)
        return st;
    st = commit_log_newest(log, segment);
    commit_log_close(log);
    return st;
}

/* Nobody will save what is left. */
static enum status
refuse_killed(const struct corpus_copy *b)
{
    log_error("backup",
              "%s was killed, and nobody works on it: copy the folder as it "
              "is (cp -a), or start it once",
              b->dir);
    return ST_USAGE;
}

/* Of the moment when all is saved that was acknowledged before the call. */
static enum status
hold_moment(struct corpus_copy *b)
{
    const struct path lock = path_printf("%s/dedup.lock", b->dir);
    const uint64_t until = clock_steady_ms() + SAVED_MAX_MS;
    uint64_t segment, saved = 0;
    int looks = 0;
    enum status st = segment_now(b, &segment);

    while (st == ST_OK) {
        bool works = hold_taken(lock.z);

        if ((st = store_begin(b->store)) != ST_OK ||
            (st = store_get_u64(b->store, INDEX_SAVED, &saved)) != ST_OK)
            break;
        if (saved >= segment && (st = hold_files(b)) != ST_NONE)
            break;
        let_go(b);
        if (saved < segment && !works)
            return refuse_killed(b);
        if (clock_steady_ms() > until ||
            (st == ST_NONE && (!works || ++looks == LOOKS_MAX))) {
            log_error("backup", "%s: %s", b->dir,
                      st == ST_NONE ? "files that the index knows are not "
                                      "there"
                                    : "nothing is saved: see the log of the "
                                      "service");
            return ST_STORE;
        }
        clock_sleep_ms(LOOK_MS);
        st = ST_OK;
    }
    if (st != ST_OK)
        let_go(b);
    return st;
}

/* ---- the copy ---- */

static enum status
copy_held(struct corpus_copy *b)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < b->held_n && st == ST_OK; i++) {
        const struct held *h = &b->held[i];

        if (h->fd < 0)
            continue;
        if ((st = file_copy(h->fd, h->bytes, h->to.z)) != ST_OK)
            st = file_copy_failed("backup", h->to.z, st);
        progress_add(b->progress, h->bytes);
    }
    return st;
}

/* Parts before the present one: nobody writes to them any more. */
static enum status
copy_part(const struct corpus_copy *b, const struct stream *s, uint64_t part)
{
    const struct path from = stream_part(b->dir, s, part),
                      to = stream_part(b->to, s, part);
    struct stat sb;
    int fd = open(from.z, O_RDONLY | O_CLOEXEC);
    enum status st;

    if (fd < 0)
        return errno == ENOENT ? ST_OK
                               : file_copy_failed("backup", from.z, ST_IO);
    st =
        fstat(fd, &sb) != 0 ? ST_IO : file_copy(fd, (uint64_t)sb.st_size, to.z);
    if (st != ST_OK)
        st = file_copy_failed("backup", to.z, st);
    else
        progress_add(b->progress, (uint64_t)sb.st_size);
    close(fd);
    return st;
}

static enum status
copy_parts(const struct corpus_copy *b)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < b->streams_n && st == ST_OK; i++)
        for (uint64_t n = 1; n < b->stream[i].now.part && st == ST_OK; n++)
            st = copy_part(b, &b->stream[i], n);
    return st;
}

struct rows_to {
    struct store *store;
    enum store_table table;
};

/* The copy says itself what it is. */
static enum status
copy_row(void *self, struct str key, struct str value)
{
    const struct rows_to *to = self;

    if (to->table == STORE_META &&
        (str_eq(key, S("magic")) || str_eq(key, S("schema"))))
        return ST_OK;
    return store_put(to->store, to->table, key, value);
}

static enum status
copy_rows(const struct corpus_copy *b, const struct opts *o)
{
    const struct store_options so = {.map_gib = o->dedup_map_gib,
                                     .sync = S("full")};
    struct rows_to to = {0};
    enum status st =
        store_open(&to.store, path_printf("%s/dedup", b->to).z, &so);

    if (st != ST_OK)
        return st;
    st = store_begin(to.store);
    for (int t = 0; t < STORE_TABLES_N && st == ST_OK; t++) {
        to.table = (enum store_table)t;
        st = store_walk(b->store, to.table, S(""), copy_row, &to);
    }
    st = st == ST_OK ? store_commit(to.store) : st;
    store_close(to.store);
    return st;
}

/* Of which job the corpus is. */
static enum status
copy_small(const struct corpus_copy *b, const char *name)
{
    const struct path from = path_printf("%s/%s", b->dir, name),
                      to = path_printf("%s/%s", b->to, name);
    enum status st = file_copy_whole(from.z, to.z);

    return st == ST_OK || st == ST_NONE ? ST_OK
                                        : file_copy_failed("backup", to.z, st);
}

static enum status
make_folders(const struct corpus_copy *b)
{
    const struct path index = path_printf("%s/dedup", b->to);
    enum status st = corpus_file_folder(index.z);

    for (int g = 0; g < CORPUS_GROUPS_N && st == ST_OK; g++) {
        const struct path from = stream_folder(b->dir, (enum corpus_group)g);

        if (access(from.z, F_OK) == 0)
            st = corpus_file_folder(
                stream_folder(b->to, (enum corpus_group)g).z);
    }
    return st;
}

static enum status
copy_moment(struct corpus_copy *b, const struct opts *o)
{
    static const char *const small[] = {"dedup.job", PROVENANCE,
                                        "forgotten.jsonl"};
    enum status st = make_folders(b);

    if (st == ST_OK && (st = copy_held(b)) == ST_OK)
        st = copy_parts(b);
    for (size_t i = 0; i < sizeof small / sizeof *small && st == ST_OK; i++)
        st = copy_small(b, small[i]);
    return st == ST_OK ? copy_rows(b, o) : st;
}

enum status
dedup_backup(const char *dir, const char *to, const struct opts *o)
{
    const struct store_options so = {
        .map_gib = o->dedup_map_gib, .sync = S("full"), .read_only = true};
    struct corpus_copy *b = memory_need(calloc(1, sizeof *b));
    enum status st = ST_USAGE;

    b->dir = dir;
    b->to = to;
    b->folder = path_printf("%s/dedup", dir);
    b->held = memory_need(calloc(2 * CORPUS_STREAMS_MAX + 1, sizeof *b->held));
    if (access(path_printf("%s/dedup/data.mdb", to).z, F_OK) == 0)
        log_error("backup", "%s holds an index already", to);
    else if ((st = store_open(&b->store, b->folder.z, &so)) == ST_OK &&
             (st = hold_moment(b)) == ST_OK) {
        b->progress = progress_begin("backup", PROGRESS_BYTES, 0);
        st = copy_moment(b, o);
        progress_end(b->progress);
        let_go(b);
    }
    store_close(b->store);
    free(b->held);
    free(b);
    return st;
}
