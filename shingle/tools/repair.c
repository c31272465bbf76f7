/* repair.c -- see repair.h.
 *
 * Pages are read without LMDB (base/pages/walk.h).  The log of records checks
 * itself: what is no record in it becomes one that is skipped.  How long it is
 * follows from the log of commits where its row is lost (repair_commits.h), or
 * from the file, counts follow from the records,
 * and streams whose rows are lost, or older than the files, from the files.  A
 * record that is lost costs no document: it is in the corpus and would be
 * stored once more if its page were fetched once more.
 */
#include "repair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/big_endian.h"
#include "base/file.h"
#include "base/log.h"
#include "base/pages/hold.h"
#include "base/pages/salvage.h"
#include "base/pages/walk.h"
#include "repair_commits.h"
#include "shingle/corpus/corpus_reader.h"
#include "shingle/corpus/stream.h"
#include "shingle/index/index.h"
#include "shingle/message/dedup.h"
#include "shingle/store/checkpoint.h"
#include "shingle/store/corpus_file.h"
#include "shingle/store/store.h"

enum { ROWS_COMMIT = 20000 };

struct index_repair {
    const char *dir;
    struct store *store;
    struct buf *out;
    uint64_t rows[STORE_TABLES_N], expected[STORE_TABLES_N];
    bool rooted[STORE_TABLES_N];
    bool behind; /* rows of streams do not go with their files */
    uint64_t faults, unknown, in_txn;
    uint64_t schema;  /* of a store that is checked; 0: unknown */
    uint64_t log_end; /* of the log of records; 0: unknown */
    struct dedup_stat counts, counted; /* of rows, of records */
    struct record_log_damage damage;
};

/* ---- rows ---- */

/* Does it look like a row of this table? */
static bool
fits(enum store_table t, struct str key, struct str value)
{
    enum corpus_group group;
    struct stream_state state;
    struct fingerprint_scheme scheme;
    struct str suffix;

    switch (t) {
    case STORE_META:
        return ((str_eq(key, S("log")) || str_eq(key, S(INDEX_SAVED))) &&
                value.n == 8) ||
               (str_eq(key, S("scheme")) &&
                fingerprint_scheme_read(&scheme, value));
    case STORE_FILES:
        return stream_row_name(key, &group, &suffix) &&
               stream_row_state(&state, value) && state.part > 0 &&
               state.tail > 0;
    default: return false; /* made anew */
    }
}

static bool
table_of(enum store_table *t, struct str key, struct str value)
{
    for (int i = STORE_META; i < STORE_TABLES_N; i++)
        if (fits((enum store_table)i, key, value)) {
            *t = (enum store_table)i;
            return true;
        }
    return false;
}

static bool
named(enum store_table *t, struct str name)
{
    for (int i = 0; i < STORE_TABLES_N; i++)
        if (str_eq(name, str_c(store_table_name((enum store_table)i)))) {
            *t = (enum store_table)i;
            return true;
        }
    return false;
}

static void
note_table(void *self, struct str name, uint64_t rows)
{
    struct index_repair *r = self;
    enum store_table t;

    if (!named(&t, name))
        return;
    r->expected[t] = rows;
    r->rooted[t] = true;
}

static void
note_fault(void *self, const struct pages_fault *f)
{
    struct index_repair *r = self;

    pages_say_fault(r->out, &r->faults, f);
}

static enum status
breathe(struct index_repair *r)
{
    enum status st;

    if (++r->in_txn % ROWS_COMMIT != 0)
        return ST_OK;
    st = store_commit(r->store);
    return st == ST_OK ? store_begin(r->store) : st;
}

static enum status
take_row(void *self, struct str table, struct str key, struct str value)
{
    struct index_repair *r = self;
    enum store_table t;
    enum status st;

    if (table.n == 0 ? !table_of(&t, key, value)
                     : !named(&t, table) || !fits(t, key, value)) {
        r->unknown += table.n == 0 || (named(&t, table) && t != STORE_META);
        return ST_OK;
    }
    if (t == STORE_META && str_eq(key, S("log"))) { /* the latest of all */
        if (be64_get(value.p) > r->log_end)
            r->log_end = be64_get(value.p);
        return ST_OK;
    }
    st = store_put(r->store, t, key, value);
    return st == ST_OK ? breathe(r) : st;
}

/* ---- what follows from rows and files ---- */

static enum status
count_row(void *self, struct str key, struct str value)
{
    uint64_t *n = self;

    (void)key;
    (void)value;
    ++*n;
    return ST_OK;
}

/* ---- the log of records ---- */

static struct path
log_path(const char *dir)
{
    return path_printf("%s/dedup/" INDEX_LOG, dir);
}

/* Mended, and counted. */
static enum status
mend_log(struct index_repair *r)
{
    struct path path = log_path(r->dir);
    uint64_t end = r->log_end;
    struct record_log *records = NULL;
    enum status st = ST_OK;

    if (end == 0 && (st = repair_commits(r->dir, r->store, &end)) == ST_NONE)
        end = UINT64_MAX;
    if (st != ST_OK && st != ST_NONE)
        return st;
    if (access(path.z, F_OK) != 0) {
        buf_c(r->out, INDEX_LOG " is missing: all documents may be stored "
                                "once more\n");
        return ST_OK;
    }
    if ((st = record_log_examine(path.z, end, true, &r->damage)) != ST_OK)
        return st == ST_USAGE ? ST_STORE : st;
    st = record_log_open(&records, path.z, r->damage.end, r->damage.end, "");
    if (st == ST_OK)
        st = record_log_walk(records, 0, index_count_record, &r->counted);
    record_log_close(records);
    return st == ST_OK ? store_put_u64(r->store, "log", r->damage.end) : st;
}

static enum status
write_counts(struct index_repair *r)
{
    enum status st = ST_OK;

#define X(member)                                                              \
    if (st == ST_OK)                                                           \
        st = store_put_u64(r->store, #member, r->counted.member);
    DEDUP_COUNTS(X)
#undef X
    return st;
}

struct part_scan { /* of the files of one folder, for a stream that has no row
                    */
    struct index_repair *r;
    enum corpus_group group;
};

/* So many bytes of text are in the first `bytes` of a part. */
static uint64_t
text_of(const struct index_repair *r, const struct stream *s, uint64_t part,
        uint64_t bytes)
{
    struct corpus_reader *reader =
        corpus_reader_new(r->dir, s->group, str_c(s->suffix));
    uint64_t text = 0;

    if (reader != NULL)
        (void)corpus_reader_length(reader, part, bytes, &text);
    corpus_reader_free(reader);
    return text;
}

/* How far a stream is, by its files: `name` is one of them. */
static enum status
take_file(void *self, struct str name)
{
    const struct part_scan *s = self;
    struct stream stream = {.group = s->group, .next = {1, 0, 0, 1, 0}};
    unsigned char state[STREAM_STATE_BYTES];
    char row[STREAM_NAME_BYTES];
    uint64_t part, tail;
    struct stat sb;
    struct str old;
    enum status st;

    if (!stream_of_file(&stream, name) ||
        !stream_makes(&stream, name, &part, &tail))
        return ST_OK;
    stream_row(&stream, row, state);
    st = store_get(s->r->store, STORE_FILES, str_c(row), &old);
    if (st == ST_OK)
        (void)stream_row_state(&stream.next, old);
    else if (st != ST_NONE)
        return st;
    if (part < stream.next.part)
        return ST_OK;
    if (part > stream.next.part)
        stream.next = (struct stream_state){.part = part, .tail = 1};
    if (tail >= stream.next.tail) {
        stream.next.tail = tail;
        if (stat(stream_tail(s->r->dir, &stream, &stream.next).z, &sb) == 0)
            stream.next.tail_bytes = (uint64_t)sb.st_size;
    } else if (tail == 0 &&
               stat(stream_part(s->r->dir, &stream, part).z, &sb) == 0) {
        stream.next.part_bytes = (uint64_t)sb.st_size;
        stream.next.part_text =
            text_of(s->r, &stream, part, stream.next.part_bytes);
    }
    stream_row(&stream, row, state);
    return store_put(s->r->store, STORE_FILES, str_c(row),
                     str_n((const char *)state, sizeof state));
}

static bool
has_bytes(struct path path, uint64_t n)
{
    struct stat sb;

    return n == 0 || (stat(path.z, &sb) == 0 && (uint64_t)sb.st_size >= n);
}

/* Of an older commit than the files are.  ST_NONE ends the walk. */
static enum status
compare_stream(void *self, struct str name, struct str state)
{
    struct index_repair *r = self;
    struct stream s = {.group = CORPUS_KEPT};
    struct str suffix;

    if (!stream_row_name(name, &s.group, &suffix) ||
        suffix.n > CORPUS_SUFFIX_MAX || !stream_row_state(&s.now, state))
        return ST_OK;
    memcpy(s.suffix, suffix.p, suffix.n);
    r->behind =
        !has_bytes(stream_part(r->dir, &s, s.now.part), s.now.part_bytes) ||
        !has_bytes(stream_tail(r->dir, &s, &s.now), s.now.tail_bytes);
    return r->behind ? ST_NONE : ST_OK;
}

/* Only if rows are missing or behind their files: else they are exact, and
 * files may be longer. */
static enum status
find_streams(struct index_repair *r)
{
    enum status st =
        store_walk(r->store, STORE_FILES, S(""), compare_stream, r);

    if (st == ST_OK && r->behind)
        st = store_empty(r->store, STORE_FILES);
    else if (st == ST_OK && r->rooted[STORE_FILES] &&
             r->rows[STORE_FILES] >= r->expected[STORE_FILES])
        return ST_OK;
    for (int g = 0; g < CORPUS_GROUPS_N && st == ST_OK; g++) {
        struct part_scan s = {r, (enum corpus_group)g};
        struct path folder = stream_folder(r->dir, s.group);

        if (access(folder.z, F_OK) == 0)
            st = corpus_file_walk(folder.z, take_file, &s);
    }
    return st;
}

static enum status
finish(struct index_repair *r)
{
    enum status st = ST_OK;

    for (int t = 0; t < STORE_TABLES_N && st == ST_OK; t++)
        st = store_walk(r->store, (enum store_table)t, S(""), count_row,
                        &r->rows[t]);
    if (st == ST_OK)
        st = find_streams(r);
    if (st == ST_OK)
        st = mend_log(r);
    return st == ST_OK ? write_counts(r) : st;
}

/* ---- one file in the place of the other ---- */

static void
say_lost(const struct index_repair *r)
{
    const struct record_log_damage *d = &r->damage;

    buf_printf(r->out, "records  %llu", (unsigned long long)d->records);
    if (d->faults == 0)
        buf_c(r->out, ", all\n");
    else
        buf_printf(r->out, ", %llu places of %llu bytes lost\n",
                   (unsigned long long)d->faults,
                   (unsigned long long)d->lost_bytes);
    if (r->unknown > 0)
        buf_printf(r->out, "%llu rows could not be used\n",
                   (unsigned long long)r->unknown);
}

static enum status
salvage(struct index_repair *r, struct pages *p, const char *fresh,
        const struct opts *o)
{
    const struct pages_visitor v = {r, take_row, note_fault, note_table};
    const struct store_options so = {.map_gib = o->dedup_map_gib,
                                     .sync = S("none")};
    enum status st;

    if ((st = corpus_file_folder(fresh)) != ST_OK ||
        (st = store_open(&r->store, fresh, &so)) != ST_OK)
        return st;
    if ((st = store_begin(r->store)) == ST_OK &&
        (st = pages_walk(p, (struct pages_walk){.leaves = true, .stray = true},
                         &v)) == ST_OK &&
        (st = finish(r)) == ST_OK)
        st = store_commit(r->store);
    if (st == ST_OK)
        st = store_sync(r->store);
    store_close(r->store);
    return st;
}

static enum status
lock_index(int *lock, const char *dir)
{
    return hold_take(lock, path_printf("%s/dedup.lock", dir).z, dir, "dedup");
}

enum status
dedup_repair(const char *dir, const struct opts *o, struct buf *out)
{
    struct path folder = path_printf("%s/dedup", dir),
                fresh = path_printf("%s/repair", folder.z),
                old = path_printf("%s/data.mdb", folder.z);
    struct index_repair r = {.dir = dir, .out = out};
    struct pages *p;
    int lock;
    enum status st;

    if (lock_index(&lock, dir) != ST_OK)
        return ST_USAGE;
    checkpoint_remove(folder.z);       /* records may become none */
    pages_remove_store(fresh.z, NULL); /* of a process that was killed */
    if (pages_open(&p, old.z) == ST_OK) {
        st = salvage(&r, p, fresh.z, o);
        pages_close(p);
        if (st == ST_OK)
            st = pages_take_place(folder.z, fresh.z, "dedup", out);
        if (st == ST_OK)
            say_lost(&r);
    } else {
        log_error("dedup",
                  "%s: none of it can be read: bring back a copy, or begin in "
                  "a new folder",
                  old.z);
        st = ST_STORE;
    }
    pages_remove_store(fresh.z, NULL);
    close(lock);
    return st;
}

/* ---- checking ---- */

static enum status
check_row(void *self, struct str table, struct str key, struct str value)
{
    struct index_repair *r = self;
    enum store_table t;

    if (!named(&t, table))
        return ST_OK;
    r->rows[t]++;
    if (t != STORE_META && !fits(t, key, value) &&
        r->faults++ < PAGES_FAULTS_SAID)
        buf_printf(r->out, "%s: a garbled row\n", store_table_name(t));
    if (t != STORE_META || value.n != 8)
        return ST_OK;
    if (str_eq(key, S("log")))
        r->log_end = be64_get(value.p);
    if (str_eq(key, S("documents")))
        r->counts.documents = be64_get(value.p);
    if (str_eq(key, S("index_entries")))
        r->counts.index_entries = be64_get(value.p);
    if (str_eq(key, S("schema")))
        r->schema = be64_get(value.p);
    return ST_OK;
}

/* All of its records, and as many as were counted. */
static void
check_log(struct index_repair *r)
{
    struct path path = log_path(r->dir);
    struct record_log_damage *d = &r->damage;
    uint64_t end = r->log_end > 0 ? r->log_end : UINT64_MAX;

    if (access(path.z, F_OK) != 0) {
        if (r->log_end == 0)
            return;
        buf_c(r->out, INDEX_LOG ": missing\n");
    } else if (record_log_examine(path.z, end, false, d) != ST_OK) {
        buf_c(r->out, INDEX_LOG ": it cannot be read\n");
    } else if (d->faults > 0 || d->records != r->counts.index_entries) {
        buf_printf(
            r->out, INDEX_LOG ": %llu garbled places, %llu records, of %llu\n",
            (unsigned long long)d->faults, (unsigned long long)d->records,
            (unsigned long long)r->counts.index_entries);
    } else {
        return;
    }
    r->faults++;
}

enum status
dedup_check(const char *dir, struct buf *out, uint64_t *faults)
{
    struct path path = path_printf("%s/dedup/data.mdb", dir);
    struct index_repair r = {.dir = dir, .out = out};
    const struct pages_visitor v = {&r, check_row, note_fault, NULL};
    struct pages *p;
    int lock;
    enum status st;

    if (lock_index(&lock, dir) != ST_OK)
        return ST_USAGE;
    if ((st = pages_open(&p, path.z)) == ST_OK) {
        st = pages_walk(p, (struct pages_walk){.leaves = true}, &v);
        pages_close(p);
    } else if (st == ST_INVALID) {
        note_fault(&r, &(struct pages_fault){0, S("meta"),
                                             "no meta page can be read"});
        st = ST_OK;
    } else {
        log_error("dedup", "%s: %s", path.z, strerror(errno));
    }
    if (st == ST_OK && r.schema > 0 && r.schema != STORE_SCHEMA) {
        store_say_schema(dir, r.schema);
        st = ST_USAGE;
    }
    if (st == ST_OK)
        check_log(&r);
    *faults = r.faults;
    close(lock);
    return st;
}
