/* forget.c -- see forget.h.
 *
 * Only the last part of a stream has a length in the index.  So the parts end
 * first, in one transaction; afterwards every file is replaced by itself, and
 * there is no moment at which a kill leaves files and index in disagreement. */
#include "forget.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/pages/hold.h"
#include "shingle/corpus/corpus.h"
#include "shingle/corpus/stream.h"
#include "shingle/index/index.h"
#include "shingle/service/committer.h"
#include "shingle/store/checkpoint.h"

/* ---- the parts end ---- */

/* As the service does when it stops. */
static enum status
settle(const char *dir, const char *folder, struct index *x)
{
    const struct corpus_options co = {.split_bytes = UINT64_MAX,
                                      .tail_bytes = CORPUS_TAIL_BYTES,
                                      .tail_ms = CORPUS_TAIL_MS,
                                      .sync = true};
    const struct committer_options ko = {.sync = true};
    struct corpus *c = NULL;
    struct committer *k = NULL;
    enum status st = corpus_open(&c, dir, x, &co);

    if (st == ST_OK && (st = committer_open(&k, folder, x, c, &ko)) == ST_OK)
        st = committer_close(k);
    if (st == ST_OK && corpus_has(c, CORPUS_VERDICTS, S("jsonl"))) {
        log_error("dedup",
                  "%s: its verdicts are published (dedup.pub), and name places "
                  "in its files: nothing is removed from those",
                  dir);
        st = ST_USAGE;
    }
    corpus_close(c);
    return st;
}

struct streams {
    struct stream s[CORPUS_STREAMS_MAX];
    size_t n;
    uint64_t part[CORPUS_GROUPS_N]; /* the last one of the group */
};

static enum status
take_stream(void *self, struct str name, struct str state)
{
    struct streams *all = self;
    struct stream *s = &all->s[all->n];
    struct str suffix;

    if (all->n == CORPUS_STREAMS_MAX ||
        !stream_row_name(name, &s->group, &suffix) ||
        suffix.n > CORPUS_SUFFIX_MAX || !stream_row_state(&s->next, state))
        return ST_STORE;
    memset(s->suffix, 0, sizeof s->suffix);
    memcpy(s->suffix, suffix.p, suffix.n);
    if (all->part[s->group] < s->next.part)
        all->part[s->group] = s->next.part;
    all->n++;
    return ST_OK;
}

static enum status
end_parts(struct index *x)
{
    struct streams *all = memory_need(calloc(1, sizeof *all));
    enum status st = index_save_begin(x);

    if (st == ST_OK) {
        st = index_each_file(x, take_stream, all);
        for (size_t i = 0; i < all->n && st == ST_OK; i++) {
            struct stream *s = &all->s[i];
            unsigned char state[STREAM_STATE_BYTES];
            char name[STREAM_NAME_BYTES];

            s->next = (struct stream_state){.part = all->part[s->group] + 1,
                                            .tail = 1};
            stream_row(s, name, state);
            st = index_put_file(x, str_c(name),
                                str_n((const char *)state, sizeof state));
        }
        if (st != ST_OK)
            index_save_abort(x);
        else if ((st = index_save_end(x, NULL)) == ST_OK)
            st = index_sync(x);
    }
    free(all);
    return st;
}

enum status
dedup_forget_begin(int *lock, const char *dir, const struct opts *o)
{
    struct path folder = path_printf("%s/dedup", dir);
    const struct store_options so = {.map_gib = o->dedup_map_gib,
                                     .sync = S("full")};
    struct index *x = NULL;
    enum status st;

    *lock = -1;
    if (access(path_printf("%s/data.mdb", folder.z).z, F_OK) != 0)
        return ST_NONE;
    if ((st = hold_take(lock, path_printf("%s/dedup.lock", dir).z, dir,
                        "dedup")) != ST_OK)
        return st;
    if ((st = index_open(&x, folder.z, o->dedup_near, &so)) == ST_OK &&
        (st = settle(dir, folder.z, x)) == ST_OK)
        st = end_parts(x);
    index_close(x);
    return st;
}

/* ---- the index ---- */

static enum status
count_again(struct store *s, const char *path)
{
    struct dedup_stat n = {0};
    struct record_log *log;
    uint64_t end;
    enum status st = store_get_u64(s, "log", &end);

    if (st == ST_OK)
        st = store_get_u64(s, "bands_full", &n.bands_full);
    if (st == ST_OK &&
        (st = record_log_open(&log, path, end, end, "")) == ST_OK) {
        st = record_log_walk(log, 0, index_count_record, &n);
        record_log_close(log);
    }
#define X(member)                                                              \
    if (st == ST_OK)                                                           \
        st = store_put_u64(s, #member, n.member);
    DEDUP_COUNTS(X)
#undef X
    return st;
}

enum status
dedup_forget_records(const char *dir, const struct opts *o, dedup_forget_is *is,
                     void *self, uint64_t *n)
{
    struct path folder = path_printf("%s/dedup", dir),
                path = path_printf("%s/" INDEX_LOG, folder.z);
    const struct store_options so = {.map_gib = o->dedup_map_gib,
                                     .sync = S("full")};
    struct store *s = NULL;
    uint64_t end = 0;
    enum status st;

    checkpoint_remove(folder.z); /* it knows the old records */
    if ((st = store_open(&s, folder.z, &so)) != ST_OK)
        return st;
    if ((st = store_begin(s)) == ST_OK &&
        (st = store_get_u64(s, "log", &end)) == ST_OK &&
        (st = record_log_forget(path.z, end, is, self, n)) == ST_OK &&
        (st = count_again(s, path.z)) == ST_OK)
        st = store_commit(s);
    else
        store_abort(s);
    store_close(s);
    return st;
}
