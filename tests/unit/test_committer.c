/* Aim: a batch that was acknowledged is made again from the log of commits,
 * whatever stands behind it there, and nothing else is.  Method: logs are cut
 * at every length and garbled at every byte; segments are written over each
 * other; a service is opened on files that a kill leaves, with a log that is
 * another index's, and after a repair. */
#include <sys/stat.h>
#include <unistd.h>

#include "../../shingle/commit_log.h"
#include "../../shingle/committer.h"
#include "../../shingle/corpus_file.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "dedup_util.h"

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

    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    CHECK(commit_log_replay(l, segment, see, &s) == ST_OK);
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
segments_take_turns_in_two_files(void)
{
    struct commit_log *l;
    uint64_t oldest;

    folder_open();
    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    CHECK(commit_log_oldest(l, &oldest) == ST_OK && oldest == 0);
    CHECK(found(1) == 0);
    for (uint64_t g = 1; g < 9; g++) {
        append(l, g, g == 8 ? 1 : BATCHES); /* less than what it writes over */
        CHECK(found(g) == (g == 8 ? 1 : BATCHES));
        CHECK(found(g - 1) == (g == 1 ? 0 : BATCHES));
        CHECK(found(g + 1) == 0);
        CHECK(commit_log_oldest(l, &oldest) == ST_OK);
        CHECK(oldest == (g == 1 ? 1 : g - 1));
    }
    commit_log_remove(l);
    CHECK(found(8) == 0 && found(7) == 0);
    commit_log_close(l);
    folder_close();
}

static off_t
size_of(uint64_t segment)
{
    struct stat sb;

    CHECK(stat(segment % 2 ? in_folder("commits-1") : in_folder("commits-0"),
               &sb) == 0);
    return sb.st_size;
}

/* What is behind the batches then is no batch. */
static void
the_file_that_takes_the_next_turn_has_room(void)
{
    struct commit_log *l;
    off_t before;

    folder_open();
    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    append(l, 1, BATCHES);
    append(l, 2, BATCHES);
    before = size_of(2);
    commit_log_extend(l);
    CHECK(size_of(1) == 1 << 20 && size_of(2) == before);
    CHECK(found(2) == BATCHES && found(3) == 0);
    append(l, 3, 1);
    CHECK(found(3) == 1 && found(2) == BATCHES && found(1) == 0);
    CHECK(size_of(3) == 1 << 20);
    commit_log_extend(l);
    CHECK(size_of(2) == 1 << 20);
    append(l, 4, BATCHES);
    CHECK(found(4) == BATCHES && found(3) == 1);
    commit_log_close(l);
    folder_close();
}

/* As long as they are made, from the first batch of each on; what stood in them
 * is no batch of the segment that is next. */
static void
both_files_have_room_from_the_start(void)
{
    struct commit_log *l;

    folder_open();
    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    append(l, 1, BATCHES);
    append(l, 2, BATCHES);
    commit_log_close(l);
    CHECK(size_of(1) < 1 << 20 && size_of(2) < 1 << 20);
    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    commit_log_begin(l, 3);
    commit_log_make_room(l, (3 << 20) - 5);
    CHECK(size_of(3) == 3 << 20 && size_of(4) == 3 << 20);
    CHECK(found(3) == 0 && found(4) == 0);
    append(l, 3, 2);
    append(l, 4, BATCHES);
    CHECK(found(3) == 2 && found(4) == BATCHES);
    CHECK(size_of(3) == 3 << 20 && size_of(4) == 3 << 20);
    commit_log_remove(l);
    commit_log_close(l);
    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    commit_log_begin(l, 1);
    commit_log_make_room(l, 0); /* no file is made for that */
    CHECK(access(in_folder("commits-1"), F_OK) != 0);
    commit_log_close(l);
    folder_close();
}

static void
write_file(struct path path, struct str bytes)
{
    FILE *f = fopen(path.z, "w");

    CHECK(f != NULL && fwrite(bytes.p, 1, bytes.n, f) == bytes.n);
    fclose(f);
}

/* Text takes a few of its bytes; one that a version before this one wrote,
 * plain, is read as well. */
static void
batches_are_packed_and_plain_ones_are_read(void)
{
    static char text[200000];
    struct commit_batch b;
    struct commit_log *l;
    struct path path;
    struct stat sb;
    struct buf plain = {0};
    uint64_t head[4] = {0, 0, 1, 0};

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
    buf_printf(&plain, "winnow-dedup-commits 1\n\n\n\n\n\n\n\n\n\n");
    buf_add(&plain, (const char *)head, sizeof head);
    commit_batch_write(&b, &plain);
    head[1] = plain.n - 32 - sizeof head;
    memcpy(plain.p + 32, head, sizeof head);
    head[0] = hash64(str_sub(buf_view(&plain), 40, plain.n));
    memcpy(plain.p + 32, head, sizeof head);
    write_file(path, buf_view(&plain));
    CHECK(found(1) == 1);
    buf_free(&plain);
    folder_close();
}

/* A power cut leaves any part of what was not synced. */
static void
a_torn_batch_ends_the_log(void)
{
    struct path path;
    struct commit_log *l;
    struct buf whole = {0};
    uint64_t before = 0, n;

    folder_open();
    path = path_printf("%s/commits-1", folder);
    CHECK(commit_log_open(&l, folder, true) == ST_OK);
    append(l, 3, BATCHES);
    commit_log_close(l);
    CHECK(file_read(&whole, path.z, 1 << 20) == ST_OK);
    for (size_t i = 0; i <= whole.n; i++) {
        write_file(path, str_n(whole.p, i));
        n = found(3);
        CHECK(n >= before && n <= BATCHES);
        before = n;
    }
    CHECK(before == BATCHES);
    for (size_t i = 0; i < whole.n; i += 3) {
        whole.p[i] = (char)(whole.p[i] ^ 0x10);
        write_file(path, buf_view(&whole));
        CHECK(found(3) < BATCHES);
        whole.p[i] = (char)(whole.p[i] ^ 0x10);
    }
    buf_free(&whole);
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

/* The folder as it is while the stores are open: what a kill leaves. */
static void
kill_into(const char *to)
{
    struct buf out = {0};
    char command[1024];

    snprintf(command, sizeof command, "cp -r %s/a %s/%s", folder, folder, to);
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

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(segments_take_turns_in_two_files),
        TEST(a_torn_batch_ends_the_log),
        TEST(the_file_that_takes_the_next_turn_has_room),
        TEST(both_files_have_room_from_the_start),
        TEST(batches_are_packed_and_plain_ones_are_read),
        TEST(what_was_not_saved_is_made_again),
        TEST(an_idle_owner_writes_the_checkpoint),
        TEST(a_log_of_another_index_is_refused),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
