/* committer.c -- see committer.h.
 *
 *     owner      | batch | batch | ...      | batch | batch | ...
 *     commits-0  | sync  | sync  |          :                      (1)
 *     commits-1  :                          | sync  | sync  |      (2)
 *     saver      :            idle          | tails, parts, records, LMDB
 *                                           ^ hand over
 *
 * The batches between two hand-overs are a segment.  At a hand-over the
 * owner gives what the corpus is to write and where the index is to the saver,
 * and begins the next segment in the other file.  The saver syncs the files
 * first, then commits how long they are in LMDB, with the segment's number,
 * and syncs that: only then the file of the segment is written over.
 *
 * After a crash, files are cut back to what LMDB says (corpus_open(),
 * index_open()), and the segments behind the one that it names are made
 * again, one or two of them, in the same steps.
 *
 * A save that fails is tried again when the next batch comes, which waits for
 * it: nothing is acknowledged that could pile up in memory. */
#include "committer.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/pages/hold.h"
#include "base/reminder.h"
#include "base/thread.h"
#include "commit_log.h"

/* A checkpoint is written no faster than so: batches that come meanwhile share
 * the disk with it.  Its parts wait for a moment without calls, up to
 * CHECKPOINT_LATE_MS. */
enum {
    LOOK_AGAIN_MS = 20,
    CHECKPOINT_BYTES_PER_MS = 64 << 10,
    CHECKPOINT_LATE_MS = 100
};

/* The log of commits begins with so much room: it takes what comes within a
 * second or two, and an index with many records gets many. */
enum { ROOM_SHARE = 256, ROOM_MIN = 1 << 20, ROOM_MAX = 16 << 20 };

struct committer {
    struct index *index;
    struct corpus *corpus;
    struct commit_log *log;
    struct committer_options options;
    char *dir;
    bool started, opened;
    struct thread_beside saver;
    struct reminder trouble; /* of saves that fail */
    /* Under its lock: */
    bool busy;
    enum status result; /* of the last save */
    /* The saver's while it is busy: */
    struct index_state state;
    bool all;
    /* The owner's: */
    struct commit_batch batch;
    uint64_t segment, handed_ms; /* handed_ms: when one was handed over */
    uint64_t checkpoint_ms;      /* nothing more is written to it before */
    bool dirty, replayed;        /* dirty: the segment has a batch */
};

/* ---- the saver ---- */

static bool
folder_is_lost(const struct committer *c)
{
    const struct committer_options *o = &c->options;

    if (o->lock == NULL || !hold_lost(o->lock_fd, o->lock))
        return false;
    log_error("dedup", "%s was removed or moved away: nothing is stored there",
              o->lock);
    return true;
}

static enum status
save(struct committer *c)
{
    enum status st;

    if (folder_is_lost(c)) /* undoing would be in another's files, too */
        return ST_IO;
    if ((st = index_save_begin(c->index)) == ST_OK) {
        st = corpus_write_over(c->corpus, clock_steady_ms(), c->all);
        if (st == ST_OK)
            st = index_save_end(c->index, &c->state);
        else
            index_save_abort(c->index);
    }
    if (st != ST_OK) {
        corpus_undo(c->corpus);
        return st;
    }
    corpus_done(c->corpus);
    if ((st = index_sync(c->index)) == ST_OK && !c->all)
        commit_log_extend(c->log);
    return st;
}

/* One that failed is tried again with every batch: every two seconds, as long
 * as the disk is what it is. */
static enum status
save_and_say(struct committer *c, bool again)
{
    static const char saving[] = "saving";
    enum status st;

    log_mute(again && !reminder_due(&c->trouble, saving));
    st = save(c);
    log_mute(false);
    if (st != ST_OK && !again)
        (void)reminder_due(&c->trouble, saving);
    if (st == ST_OK && reminder_over(&c->trouble))
        log_info("dedup", "%s: what waited is saved", c->dir);
    return st;
}

static void *
run(void *arg)
{
    struct committer *c = arg;

    thread_name("dedup-save");
    pthread_mutex_lock(&c->saver.lock);
    while (!c->saver.ended) {
        enum status st;
        bool again = c->result != ST_OK;

        if (!c->busy) {
            pthread_cond_wait(&c->saver.changed, &c->saver.lock);
            continue;
        }
        pthread_mutex_unlock(&c->saver.lock);
        st = save_and_say(c, again);
        pthread_mutex_lock(&c->saver.lock);
        c->result = st;
        c->busy = false;
        pthread_cond_broadcast(&c->saver.changed);
    }
    pthread_mutex_unlock(&c->saver.lock);
    return NULL;
}

/* Have it work, on what was handed over. */
static void
start_save(struct committer *c)
{
    pthread_mutex_lock(&c->saver.lock);
    c->busy = true;
    pthread_cond_broadcast(&c->saver.changed);
    pthread_mutex_unlock(&c->saver.lock);
}

static enum status
wait_for_save(struct committer *c)
{
    enum status st;

    pthread_mutex_lock(&c->saver.lock);
    while (c->busy)
        pthread_cond_wait(&c->saver.changed, &c->saver.lock);
    st = c->result;
    pthread_mutex_unlock(&c->saver.lock);
    return st;
}

/* What it does: ST_BUSY, or how the last save ended. */
static enum status
look_at_saver(struct committer *c)
{
    enum status st;

    pthread_mutex_lock(&c->saver.lock);
    st = c->busy ? ST_BUSY : c->result;
    pthread_mutex_unlock(&c->saver.lock);
    return st;
}

/* Nothing is left of what was handed over; a save that failed is tried again.
 */
static enum status
finish_save(struct committer *c)
{
    enum status st = look_at_saver(c);

    if (st != ST_OK && st != ST_BUSY)
        start_save(c);
    return st == ST_OK ? st : wait_for_save(c);
}

/* ---- the owner ---- */

/* The saver is idle, and the last save went well. */
static void
hand_over(struct committer *c)
{
    corpus_hand_over(c->corpus);
    index_state(c->index, &c->state);
    c->state.saved = c->segment++;
    c->handed_ms = clock_steady_ms();
    c->dirty = false;
    commit_log_begin(c->log, c->segment);
    start_save(c);
}

enum status
committer_begin(struct committer *c)
{
    enum status st = look_at_saver(c);

    if (st == ST_BUSY && commit_log_bytes(c->log) >= 2 * COMMITTER_BYTES)
        st = wait_for_save(c); /* it comes faster than it can be saved */
    if (st != ST_OK && st != ST_BUSY && (st = finish_save(c)) != ST_OK)
        return st;
    index_batch_begin(c->index);
    corpus_batch_begin(c->corpus);
    return ST_OK;
}

void
committer_undo(struct committer *c)
{
    index_batch_undo(c->index);
    corpus_batch_undo(c->corpus);
}

static void
add_stream(void *self, enum corpus_group group, struct str suffix,
           struct str bytes)
{
    struct commit_batch *b = self;

    b->stream[b->streams_n++] = (struct commit_stream){group, suffix, bytes};
}

/* What has come is to be saved: now, or in how many ms. */
static uint64_t
save_when_due(struct committer *c, uint64_t now)
{
    uint64_t due = c->handed_ms + c->options.every_ms;

    if (!c->dirty)
        return UINT64_MAX;
    if (now < due && commit_log_bytes(c->log) < COMMITTER_BYTES)
        return due - now;
    if (look_at_saver(c) != ST_OK) /* busy; or the next batch tries again */
        return LOOK_AGAIN_MS;
    hand_over(c);
    return UINT64_MAX;
}

enum status
committer_end(struct committer *c)
{
    struct commit_batch *b = &c->batch;
    struct buf records = {0};
    enum status st;

    b->streams_n = 0;
    b->split_bytes = corpus_split_bytes(c->corpus);
    index_batch_bytes(c->index, &b->index);
    corpus_batch_bytes(c->corpus, add_stream, b);
    if (b->index.records.n == 0 && b->streams_n == 0)
        return index_batch_end(c->index); /* nothing is new */
    buf_str(&records, b->index.records);  /* the end of the batch writes them */
    b->index.records = buf_view(&records);
    if ((st = index_batch_end(c->index)) == ST_OK)
        st = commit_log_append(c->log, b);
    buf_free(&records);
    if (st != ST_OK) {
        committer_undo(c);
        return st;
    }
    c->dirty = true;
    if (corpus_is_full(c->corpus) && finish_save(c) == ST_OK)
        hand_over(c); /* parts end between segments */
    else
        (void)save_when_due(c, clock_steady_ms());
    return ST_OK;
}

/* In how many ms to go on with it. */
static uint64_t
write_checkpoint(struct committer *c, uint64_t now, bool idle)
{
    if (now < c->checkpoint_ms)
        return c->checkpoint_ms - now;
    if (!idle && now < c->checkpoint_ms + CHECKPOINT_LATE_MS)
        return 0; /* as soon as there are no calls */
    c->checkpoint_ms =
        now + (index_checkpoint(c->index) + CHECKPOINT_BYTES_PER_MS - 1) /
                  CHECKPOINT_BYTES_PER_MS;
    return c->checkpoint_ms > now ? c->checkpoint_ms - now : UINT64_MAX;
}

uint64_t
committer_look(struct committer *c, bool idle)
{
    uint64_t now = clock_steady_ms(), save = save_when_due(c, now),
             checkpoint = write_checkpoint(c, now, idle);

    return save < checkpoint ? save : checkpoint;
}

enum status
committer_prepare(struct committer *c, enum corpus_group group,
                  struct str suffix)
{
    enum status st = ST_OK;

    if (!corpus_has(c->corpus, group, suffix))
        st = finish_save(c);
    return st == ST_OK ? corpus_prepare(c->corpus, group, suffix) : st;
}

/* ---- opening ---- */

static enum status
replay(void *self, const struct commit_batch *b)
{
    struct committer *c = self;
    struct index_state now;
    enum status st;

    c->replayed = true;
    index_state(c->index, &now);
    if (b->index.at < now.log_end) /* a store that was repaired has it */
        return ST_OK;
    corpus_split(c->corpus, b->split_bytes);
    st = index_batch_again(c->index, &b->index);
    for (size_t i = 0; i < b->streams_n && st == ST_OK; i++)
        st = corpus_batch_again(c->corpus, b->stream[i].group,
                                b->stream[i].suffix, b->stream[i].bytes);
    return st;
}

static void
make_room(struct committer *c)
{
    struct index_state now;
    uint64_t room;

    index_state(c->index, &now);
    room = now.log_end / ROOM_SHARE;
    if (room >= ROOM_MIN)
        commit_log_make_room(c->log, room < ROOM_MAX ? room : ROOM_MAX);
}

/* What was acknowledged and not saved. */
static enum status
catch_up(struct committer *c)
{
    uint64_t saved = index_saved(c->index), oldest = 0,
             split = corpus_split_bytes(c->corpus);
    bool gap = false;
    enum status st = ST_OK;

    if (saved == 0) /* a new one; or it was repaired, and the row is lost */
        st = commit_log_oldest(c->log, &oldest, &gap);
    if (oldest > 0)
        saved = oldest - 1;
    for (c->segment = saved + 1; st == ST_OK;) {
        bool torn = false;

        c->replayed = false;
        st = commit_log_replay(c->log, c->segment, replay, c, &torn);
        gap = gap || torn;
        if (st == ST_STORE)
            log_error("dedup",
                      "%s/commits-* do not go with the index beside them: "
                      "move them away if they are of another one",
                      c->dir);
        if (st != ST_OK || !(c->replayed || torn))
            break; /* what is torn is left behind, with its segment's number */
        hand_over(c);
        st = wait_for_save(c);
    }
    if (st == ST_OK && gap)
        log_warn("dedup",
                 "%s/commits-* is damaged, or was not on the disk when the "
                 "power failed: what was committed last is lost",
                 c->dir);
    corpus_split(c->corpus, split);
    commit_log_begin(c->log, c->segment);
    if (st == ST_OK)
        make_room(c);
    return st;
}

enum status
committer_open(struct committer **out, const char *dir, struct index *x,
               struct corpus *corpus, const struct committer_options *o)
{
    struct committer *c = calloc(1, sizeof *c);
    enum status st;

    *out = NULL;
    if (c == NULL)
        return ST_NOMEM;
    c->index = x;
    c->corpus = corpus;
    c->options = *o;
    c->trouble = (struct reminder)REMINDER_INITIALIZER;
    st = (c->dir = strdup(dir)) == NULL
             ? ST_NOMEM
             : commit_log_open(&c->log, dir, o->sync);
    if (st == ST_OK && !(c->started = thread_beside_start(&c->saver, run, c)))
        st = ST_NOMEM;
    if (st == ST_OK)
        st = catch_up(c);
    if (st == ST_OK) {
        c->opened = true;
        *out = c;
    } else {
        committer_close(c);
    }
    return st;
}

enum status
committer_close(struct committer *c)
{
    enum status st = ST_OK;

    if (c == NULL)
        return ST_OK;
    if (c->opened && (st = finish_save(c)) == ST_OK) {
        c->all = true;
        hand_over(c);
        st = wait_for_save(c);
    }
    if (c->started)
        thread_beside_end(&c->saver);
    commit_log_close(c->log);
    if (c->opened && st == ST_OK)
        commit_log_remove(c->dir);
    free(c->dir);
    free(c);
    return st;
}
