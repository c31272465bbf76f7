/* Aim: a batch that was acknowledged is made again from the log of commits,
 * and nothing else is.  Method: batches are read back; a service is opened on
 * files that a kill leaves, with a log that is damaged or another index's, and
 * after a repair. */
#include <sys/stat.h>
#include <unistd.h>

#include "../../shingle/service/commit_log.h"
#include "../../shingle/service/committer.h"
#include "../../shingle/store/corpus_file.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/options/opt.h"
#include "dedup_util.h"
#include "shingle/tools/repair.h"

enum { BATCHES = 4 };

/* Batch number n of a segment. */
static void
make_batch(struct commit_batch *b, uint64_t segment, uint64_t n)
{
    static char records[256], text[256];

    memset(b, 0, sizeof *b);
    memset(records, (int)('a' + n), sizeof records);
    memset(text, (int)('A' + segment % 20), sizeof text);
    b->split_bytes = segment * 1000 + n;
    b->index.at = n;
    b->index.records = str_n(records, 10 + n);
    b->index.stat.documents = n + 1;
    b->index.stat.replaced = 7 * n;
    snprintf(b->index.scheme, sizeof b->index.scheme, "minima/100/5/%d",
             (int)n);
    b->streams_n = n % 3;
    b->stream[0] = (struct commit_stream){CORPUS_KEPT, S("xml"),
                                          str_n(text, 3 + segment % 50)};
    b->stream[1] =
        (struct commit_stream){CORPUS_VERDICTS, S("jsonl"), str_n(text, n)};
}

struct seen {
    uint64_t segment, n;
    bool wrong;
};

static enum status
see(void *self, const struct commit_batch *b)
{
    struct seen *s = self;
    struct commit_batch expected;

    make_batch(&expected, s->segment, s->n++);
    s->wrong |= b->split_bytes != expected.split_bytes ||
                b->index.at != expected.index.at ||
                !str_eq(b->index.records, expected.index.records) ||
                memcmp(&b->index.stat, &expected.index.stat,
                       sizeof b->index.stat) != 0 ||
                strcmp(b->index.scheme, expected.index.scheme) != 0 ||
                b->streams_n != expected.streams_n;
    for (size_t i = 0; i < b->streams_n && !s->wrong; i++)
        s->wrong = b->stream[i].group != expected.stream[i].group ||
                   !str_eq(b->stream[i].suffix, expected.stream[i].suffix) ||
                   !str_eq(b->stream[i].bytes, expected.stream[i].bytes);
    return ST_OK;
}

/* How many batches of the segment a new process finds. */
static uint64_t
found(uint64_t segment)
{
    struct seen s = {.segment = segment};
    struct commit_log *l;
    bool gap = false;

    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    CHECK(commit_log_replay(l, segment, see, &s, &gap) == ST_OK && !gap);
    CHECK(!s.wrong);
    commit_log_close(l);
    return s.n;
}

static void
append(struct commit_log *l, uint64_t segment, uint64_t n)
{
    struct commit_batch b;

    commit_log_begin(l, segment);
    for (uint64_t i = 0; i < n; i++) {
        make_batch(&b, segment, i);
        CHECK(commit_log_append(l, &b) == ST_OK);
    }
}

static void
batches_are_read_as_they_were_written(void)
{
    struct commit_log *l;
    uint64_t oldest;
    bool gap = false;

    folder_open();
    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    append(l, 1, BATCHES);
    append(l, 2, BATCHES);
    append(l, 3, 1); /* less than what it writes over */
    CHECK(found(2) == BATCHES && found(3) == 1 && found(4) == 0);
    CHECK(commit_log_oldest(l, &oldest, &gap) == ST_OK && oldest == 2 && !gap);
    commit_log_close(l);
    commit_log_remove(folder);
    CHECK(found(2) == 0 && found(3) == 0);
    folder_close();
}

static void
write_file(struct path path, struct str bytes)
{
    FILE *f = fopen(path.z, "w");

    CHECK(f != NULL && fwrite(bytes.p, 1, bytes.n, f) == bytes.n);
    fclose(f);
}

/* A log of segment 1 that has one record: what stands behind its head. */
static void
write_log(struct path path, struct buf *log)
{
    uint64_t head[4] = {0, log->n - 64, 1, 0};

    memcpy(log->p, "winnow-dedup-commits 1\n\n\n\n\n\n\n\n\n\n", 32);
    memcpy(log->p + 32, head, sizeof head);
    head[0] = hash64(str_sub(buf_view(log), 40, log->n));
    memcpy(log->p + 32, head, sizeof head);
    write_file(path, buf_view(log));
}

/* Text takes a few of its bytes; one that a version before this one wrote,
 * plain, is read as well.  One that no version has written is not passed over.
 */
static void
batches_are_packed_and_plain_ones_are_read(void)
{
    static char text[200000];
    struct commit_batch b;
    struct commit_log *l;
    struct path path;
    struct stat sb;
    struct seen s = {.segment = 1};
    struct buf plain = {0};
    bool gap = false;

    folder_open();
    path = path_printf("%s/commits-1", folder);
    CHECK(commit_log_open(&l, folder, false) == ST_OK);
    commit_log_begin(l, 1);
    make_batch(&b, 1, 1);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "some words of a page "[i % 21];
    b.stream[0].bytes = str_n(text, sizeof text);
    CHECK(commit_log_append(l, &b) == ST_OK);
    CHECK(stat(path.z, &sb) == 0 && sb.st_size < (off_t)sizeof text / 10);
    CHECK(commit_log_bytes(l) > sizeof text); /* as memory has it */
    commit_log_close(l);
    make_batch(&b, 1, 0);
    buf_add(&plain, text, 64); /* its place */
    commit_batch_write(&b, &plain);
    write_log(path, &plain);
    CHECK(found(1) == 1);
    plain.n--;
    write_log(path, &plain);
    CHECK(commit_log_open(&l, folder, false) == ST_OK);
    CHECK(commit_log_replay(l, 1, see, &s, &gap) == ST_STORE && s.n == 0);
    commit_log_close(l);
    buf_free(&plain);
    folder_close();
}

/* ---- with index and corpus ---- */

struct stores {
    struct index *index;
    struct corpus *corpus;
    struct committer *committer;
};

static uint64_t checkpoint_bytes;

static enum status
open_stores(struct stores *s, const char *dir, uint64_t split)
{
    const struct store_options so = {
        .map_gib = 1, .sync = S("none"), .checkpoint_bytes = checkpoint_bytes};
    const struct corpus_options co = {
        .split_bytes = split, .tail_bytes = 4000, .tail_ms = 60000};
    const struct committer_options ko = {.every_ms = 60000};
    struct path dedup = path_printf("%s/dedup", dir);

    memset(s, 0, sizeof *s);
    CHECK(corpus_file_folder(dir) == ST_OK);
    CHECK(corpus_file_folder(dedup.z) == ST_OK);
    CHECK(index_open(&s->index, dedup.z, 0.8, &so) == ST_OK);
    CHECK(corpus_open(&s->corpus, dir, s->index, &co) == ST_OK);
    return committer_open(&s->committer, dedup.z, s->index, s->corpus, &ko);
}

static void
close_stores(struct stores *s)
{
    CHECK(committer_close(s->committer) == ST_OK);
    corpus_close(s->corpus);
    index_close(s->index);
}

static void
put(struct stores *s, uint64_t from, uint64_t to, bool undo)
{
    CHECK(committer_prepare(s->committer, CORPUS_KEPT, S("jsonl")) == ST_OK);
    CHECK(committer_begin(s->committer) == ST_OK);
    for (uint64_t i = from; i < to; i++) {
        struct index_verdict v;
        struct util_doc d;

        util_doc(&d, i, i, 1);
        CHECK(index_decide(s->index, &d.doc, &v) == ST_OK);
        CHECK(v.answer.verdict == VERDICT_KEPT);
        if (!v.known)
            corpus_add(s->corpus, CORPUS_KEPT, S("jsonl"), str_c(d.json));
    }
    if (undo)
        committer_undo(s->committer);
    else
        CHECK(committer_end(s->committer) == ST_OK);
}

/* Documents 0 to n - 1, in order and once, in files and index. */
static void
check_holds(struct stores *s, const char *dir, uint64_t n)
{
    struct buf got = {0}, expected = {0};
    struct dedup_stat stat;
    char command[1024];

    snprintf(command, sizeof command,
             "cd %s/corpus && { for f in part-*.gz; do [ ! -e $f ] || zcat $f; "
             "done; cat part-*.tail-* 2>/dev/null || :; }",
             dir);
    util_run(command, &got);
    for (uint64_t i = 0; i < n; i++) {
        struct util_doc d;

        util_doc(&d, i, i, 1);
        buf_c(&expected, d.json);
    }
    CHECK(str_eq(buf_view(&got), buf_view(&expected)));
    CHECK(index_stat(s->index, &stat) == ST_OK && stat.documents == n);
    buf_free(&got);
    buf_free(&expected);
}

/* The folder as it is while the stores are open: what a kill leaves.  First
 * what says how long the files are, as a save may be under way. */
static void
kill_into(const char *to)
{
    struct buf out = {0};
    char command[1024];

    snprintf(command, sizeof command,
             "cd %s && mkdir -p %s/dedup && cp a/dedup/data.mdb %s/dedup && "
             "cp -rn a/. %s",
             folder, to, to, to);
    util_run(command, &out);
    buf_free(&out);
}

/* One save is made at the first batch, the rest is in the log only. */
static void
what_was_not_saved_is_made_again(void)
{
    struct stores s, again;
    char a[300], b[300];

    folder_open();
    snprintf(a, sizeof a, "%s/a", folder);
    CHECK(open_stores(&s, a, 1 << 20) == ST_OK);
    for (uint64_t n = 0; n < 100; n += 10) {
        put(&s, n, n + 5, true); /* undone, then made */
        put(&s, n, n + 10, false);
        put(&s, n, n + 10, false); /* nothing new */
        if (n % 30 != 0)
            continue;
        snprintf(b, sizeof b, "b%d", (int)n);
        kill_into(b);
        snprintf(b, sizeof b, "%s/b%d", folder, (int)n);
        /* parts are cut otherwise by who opens it */
        CHECK(open_stores(&again, b, n == 30 ? 100 : 1 << 20) == ST_OK);
        check_holds(&again, b, n + 10);
        put(&again, n + 10, n + 20, false);
        put(&again, 0, n + 20, false); /* all are known */
        close_stores(&again);
        CHECK(open_stores(&again, b, 1 << 20) == ST_OK);
        check_holds(&again, b, n + 20);
        close_stores(&again);
    }
    close_stores(&s);
    CHECK(access(path_printf("%s/dedup/commits-0", a).z, F_OK) != 0 &&
          access(path_printf("%s/dedup/commits-1", a).z, F_OK) != 0);
    CHECK(open_stores(&s, a, 1 << 20) == ST_OK);
    check_holds(&s, a, 100);
    close_stores(&s);
    folder_close();
}

/* The log's second segment, in which the record that begins there is
 * damaged. */
static void
damage(const char *dir, size_t record)
{
    struct path path = path_printf("%s/dedup/commits-0", dir);
    struct buf text = {0};
    size_t at = 32;

    CHECK(file_read(&text, path.z, 1 << 24) == ST_OK);
    while (record-- > 0) {
        uint64_t bytes;

        memcpy(&bytes, text.p + at + 8, sizeof bytes);
        at += 32 + (size_t)bytes;
    }
    text.p[at + 40]++;
    write_file(path, buf_view(&text));
    buf_free(&text);
}

/* What is behind it was acknowledged as well, so this is told; and it does not
 * come back behind what is written in its place. */
static void
a_damaged_batch_is_told_and_ends_its_segment(void)
{
    for (size_t whole = 0; whole < 3; whole++) {
        enum log_level threshold = log_threshold;
        const uint64_t n = 10 + 10 * whole;
        struct stores s, again;
        struct buf said = {0};
        char a[300], b[300], c[300], command[1000];

        folder_open();
        snprintf(a, sizeof a, "%s/a", folder);
        snprintf(b, sizeof b, "%s/b", folder);
        snprintf(c, sizeof c, "%s/c", folder);
        CHECK(open_stores(&s, a, 1 << 20) == ST_OK);
        for (uint64_t i = 0; i < 50; i += 10) /* the first is saved */
            put(&s, i, i + 10, false);
        kill_into("b");
        close_stores(&s);
        damage(b, whole);
        log_threshold = LOG_WARN;
        log_capture(&said);
        CHECK(open_stores(&again, b, 1 << 20) == ST_OK);
        log_capture(NULL);
        log_threshold = threshold;
        buf_char(&said, 0);
        CHECK(strstr(said.p, "commits-* is damaged") != NULL);
        check_holds(&again, b, n);
        snprintf(command, sizeof command, "cp -r %s %s", b, c);
        util_run(command, &said);
        put(&again, n, n + 10, false); /* as long as what it replaces */
        snprintf(command, sizeof command, "cp %s/dedup/commits-* %s/dedup", b,
                 c); /* it was killed before that was saved */
        util_run(command, &said);
        close_stores(&again);
        CHECK(open_stores(&again, c, 1 << 20) == ST_OK);
        check_holds(&again, c, n + 10);
        close_stores(&again);
        buf_free(&said);
        folder_close();
    }
}

/* Bytes of the checkpoint: while it is written, or once a save has published
 * it. */
static off_t
checkpoint_size(const char *dir)
{
    struct stat sb;

    if (stat(path_printf("%s/dedup/tags.new", dir).z, &sb) != 0 &&
        stat(path_printf("%s/dedup/tags", dir).z, &sb) != 0)
        return 0;
    return sb.st_size;
}

/* A checkpoint is written while nobody calls, all of it. */
static void
an_idle_owner_writes_the_checkpoint(void)
{
    enum { TAGS_BYTES = 2000 * 14 * 8 };
    struct stores s;
    char a[300];

    folder_open();
    snprintf(a, sizeof a, "%s/a", folder);
    checkpoint_bytes = 1;
    CHECK(open_stores(&s, a, 1 << 20) == ST_OK);
    checkpoint_bytes = 0;
    put(&s, 0, 2000, false);
    CHECK(checkpoint_size(a) == 0);
    for (int i = 0; i < 1000 && checkpoint_size(a) <= TAGS_BYTES; i++) {
        uint64_t ms = committer_look(s.committer, true);

        CHECK(ms > 0);
        clock_sleep_ms(ms < 10 ? ms : 10);
    }
    CHECK(checkpoint_size(a) > TAGS_BYTES);
    close_stores(&s);
    folder_close();
}

/* All of it but the streams, as when its page is lost. */
static void
lose_meta(const char *dir)
{
    const struct store_options so = {.map_gib = 1, .sync = S("none")};
    struct store *s;

    CHECK(store_open(&s, path_printf("%s/dedup", dir).z, &so) == ST_OK);
    CHECK(store_begin(s) == ST_OK);
    CHECK(store_empty(s, STORE_META) == ST_OK);
    CHECK(store_commit(s) == ST_OK);
    store_close(s);
}

static enum status
last_of(void *batch, const struct commit_batch *b)
{
    struct commit_batch *last = batch;

    last->split_bytes = b->split_bytes;
    last->index = b->index;
    last->index.at += b->index.records.n;
    last->index.records = S("");
    return ST_OK;
}

/* While what came before is being saved, duplicates come: without a text. */
static void
add_segment_without_text(const char *dir)
{
    const struct path folder_of = path_printf("%s/dedup", dir);
    struct commit_batch b = {0};
    struct commit_log *l;
    uint64_t newest;
    bool gap = false;

    CHECK(commit_log_open(&l, folder_of.z, false) == ST_OK);
    CHECK(commit_log_newest(l, &newest) == ST_OK);
    CHECK(commit_log_replay(l, newest, last_of, &b, &gap) == ST_OK);
    commit_log_begin(l, newest + 1);
    CHECK(commit_log_append(l, &b) == ST_OK);
    commit_log_close(l);
}

/* Some batches are saved, others are not, or all of them: none is lost by a
 * repair that does not find how far it was, and none comes twice. */
static void
a_repair_that_does_not_know_what_was_saved_finds_it(void)
{
    enum log_level threshold = log_threshold;

    for (int i = 0; i < 8; i++) {
        int late = i % 4;
        bool textless = i > 3;
        struct stores s, again;
        struct buf said = {0};
        struct opts o;
        char a[300], b[300];
        uint64_t n = 10;

        folder_open();
        opts_init(&o);
        CHECK(opts_set(&o, "test", S("dedup.map_gib=1")) == ST_OK);
        snprintf(a, sizeof a, "%s/a", folder);
        snprintf(b, sizeof b, "%s/b", folder);
        CHECK(open_stores(&s, a, 1 << 20) == ST_OK);
        put(&s, 0, n, false); /* saved, and so is all before a new stream */
        if (late == 3)
            for (; n < 100; n += 10) /* its tail is packed */
                put(&s, n, n + 10, false);
        CHECK(committer_prepare(s.committer, CORPUS_KEPT, S("xml")) == ST_OK);
        for (int k = 0; k < late; k++, n += 10)
            put(&s, n, n + 10, false);
        kill_into("b");
        close_stores(&s);
        if (textless)
            add_segment_without_text(b);
        lose_meta(b);
        CHECK(dedup_repair(b, &o, &said) == ST_OK);
        log_threshold = LOG_ERROR;
        CHECK(open_stores(&again, b, 1 << 20) == ST_OK);
        check_holds(&again, b, n);
        put(&again, 0, n, false); /* their visits are known */
        check_holds(&again, b, n);
        close_stores(&again);
        log_threshold = threshold;
        buf_free(&said);
        opts_free(&o);
        folder_close();
    }
}

static void
a_log_of_another_index_is_refused(void)
{
    struct stores s, other;
    struct buf out = {0};
    char a[300], b[300], c[300], command[2000];
    enum log_level threshold = log_threshold;

    folder_open();
    snprintf(a, sizeof a, "%s/a", folder);
    snprintf(b, sizeof b, "%s/b", folder);
    snprintf(c, sizeof c, "%s/c", folder);
    CHECK(open_stores(&s, a, 1 << 20) == ST_OK);
    put(&s, 0, 20, false); /* segment 1 is saved, 2 is in the log only */
    put(&s, 20, 40, false);
    CHECK(open_stores(&other, b, 1 << 20) == ST_OK);
    put(&other, 0, 1, false); /* a new stream waits until that is saved */
    CHECK(committer_prepare(other.committer, CORPUS_KEPT, S("xml")) == ST_OK);
    snprintf(command, sizeof command,
             "cp -r %s %s && cp %s/dedup/commits-0 %s/dedup/", b, c, a, c);
    util_run(command, &out);
    close_stores(&other);
    close_stores(&s);

    log_threshold = LOG_ERROR + 1;
    CHECK(open_stores(&other, c, 1 << 20) == ST_STORE);
    CHECK(other.committer == NULL);
    log_threshold = threshold;
    corpus_close(other.corpus);
    index_close(other.index);
    CHECK(unlink(path_printf("%s/dedup/commits-0", c).z) == 0);
    CHECK(open_stores(&other, c, 1 << 20) == ST_OK);
    check_holds(&other, c, 1);
    close_stores(&other);
    buf_free(&out);
    folder_close();
}

/* ... which had no count of what was forgotten. */
static void
batches_of_an_earlier_version_are_read(void)
{
    enum { COUNTS_AT = 16, COUNTS = 8, COUNT_BYTES = 8 };
    const size_t gone = COUNTS_AT + COUNTS * COUNT_BYTES;

    for (uint64_t n = 0; n < BATCHES; n++) {
        static struct commit_batch b, back;
        struct seen s = {.segment = 3, .n = n};
        struct buf bytes = {0}, earlier = {0};

        make_batch(&b, 3, n);
        commit_batch_write(&b, &bytes);
        buf_add(&earlier, bytes.p, gone);
        buf_add(&earlier, bytes.p + gone + COUNT_BYTES,
                bytes.n - gone - COUNT_BYTES);
        CHECK(commit_batch_read(&back, buf_view(&earlier)));
        CHECK(see(&s, &back) == ST_OK && !s.wrong);
        CHECK(!commit_batch_read(
            &back, str_sub(buf_view(&earlier), 0, earlier.n - 1)));
        buf_free(&earlier);
        buf_free(&bytes);
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(batches_are_read_as_they_were_written),
        TEST(batches_are_packed_and_plain_ones_are_read),
        TEST(batches_of_an_earlier_version_are_read),
        TEST(what_was_not_saved_is_made_again),
        TEST(a_damaged_batch_is_told_and_ends_its_segment),
        TEST(an_idle_owner_writes_the_checkpoint),
        TEST(a_repair_that_does_not_know_what_was_saved_finds_it),
        TEST(a_log_of_another_index_is_refused),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
