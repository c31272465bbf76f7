/* Aim: whatever point a writer is killed at, the files hold exactly the
 * committed documents afterwards.  Method: before each write the folder is in a
 * known state; the test makes every state a killed write can leave (a prefix of
 * the bytes, files that were made, files not yet removed) by doing the write
 * for real without its commit, and by copying files; then it opens the corpus
 * again and reads all of it with zcat. */
#include "../../shingle/corpus/corpus.h"

#include <signal.h>
#include <sys/resource.h>

#include "../../shingle/store/corpus_file.h"
#include "base/log.h"
#include "base/warc/warc_record.h"
#include "dedup_util.h"

static const struct store_options plain = {.map_gib = 1, .sync = STR("none")};

struct world {
    struct index *index;
    struct corpus *corpus;
    struct corpus_options options;
};

static char index_dir[300];

static void
open_world(struct world *w)
{
    snprintf(index_dir, sizeof index_dir, "%s/dedup", folder);
    CHECK(corpus_file_folder(index_dir) == ST_OK);
    CHECK(index_open(&w->index, index_dir, 0, &plain) == ST_OK);
    CHECK(corpus_open(&w->corpus, folder, w->index, &w->options) == ST_OK);
}

static void
close_world(struct world *w)
{
    corpus_close(w->corpus);
    index_close(w->index);
}

static enum status
write_added(struct corpus *c, uint64_t now_ms, bool all)
{
    corpus_hand_over(c);
    return corpus_write_over(c, now_ms, all);
}

static void
add(struct world *w, uint64_t n)
{
    struct util_doc d;

    util_doc(&d, n, n, 2);
    corpus_add(w->corpus, CORPUS_KEPT, S("jsonl"), str_c(d.json));
    corpus_add(w->corpus, CORPUS_KEPT, S("xml"), str_c(d.xml));
}

static void
prepare(struct world *w)
{
    CHECK(corpus_prepare(w->corpus, CORPUS_KEPT, S("jsonl")) == ST_OK);
    CHECK(corpus_prepare(w->corpus, CORPUS_KEPT, S("xml")) == ST_OK);
}

/* Write documents [from, to) as one commit. */
static void
commit(struct world *w, uint64_t from, uint64_t to)
{
    enum status st;

    prepare(w);
    CHECK(index_begin(w->index) == ST_OK);
    for (uint64_t n = from; n < to; n++)
        add(w, n);
    CHECK((st = write_added(w->corpus, 1, false)) == ST_OK);
    CHECK(index_commit(w->index) == ST_OK);
    corpus_done(w->corpus);
}

static void
flush(struct world *w)
{
    CHECK(index_begin(w->index) == ST_OK);
    CHECK(write_added(w->corpus, 1, true) == ST_OK);
    CHECK(index_commit(w->index) == ST_OK);
    corpus_done(w->corpus);
}

/* Parts and tails together hold documents 0 .. n-1, in order, once. */
static void
check_holds(uint64_t n)
{
    static const char *const suffixes[] = {"jsonl", "xml"};
    struct buf got = {0}, expected = {0};
    char command[1024];

    for (int s = 0; s < 2; s++) {
        snprintf(command, sizeof command,
                 "cd %s/corpus && { for f in part-*.%s.gz; do [ ! -e $f ] || "
                 "zcat $f || exit 1; done; cat part-*.%s.tail-* 2>/dev/null || "
                 ":; }",
                 folder, suffixes[s], suffixes[s]);
        util_run(command, &got);
        buf_clear(&expected);
        for (uint64_t i = 0; i < n; i++) {
            struct util_doc d;

            util_doc(&d, i, i, 2);
            buf_c(&expected, s == 0 ? d.json : d.xml);
        }
        CHECK(str_eq(buf_view(&got), buf_view(&expected)));
    }
    buf_free(&got);
    buf_free(&expected);
}

static void
reopen_and_check(struct world *w, uint64_t n)
{
    close_world(w);
    open_world(w);
    check_holds(n);
}

static void
records_are_found_again_in_order(void)
{
    struct world w = {.options = {.split_bytes = 20000,
                                  .tail_bytes = 2000,
                                  .tail_ms = 60000}};
    struct buf names = {0};
    char command[512];
    uint64_t n = 0;

    folder_open();
    open_world(&w);
    for (uint64_t step = 1; step < 60; step++, n += step % 7)
        commit(&w, n, n + (step + 1) % 7);
    check_holds(n);
    flush(&w);
    check_holds(n);
    reopen_and_check(&w, n);
    snprintf(command, sizeof command,
             "cd %s/corpus && ls | sed 's/-.*[.]xml/.xml/; s/-.*[.]jsonl/"
             ".jsonl/' | sort | uniq -c",
             folder);
    util_run(command, &names);
    CHECK(util_occurrences(buf_view(&names), "tail") == 0);
    close_world(&w);
    buf_free(&names);
    folder_close();
}

static void
parts_split_together_and_by_size(void)
{
    struct world w = {.options = {.split_bytes = 10000,
                                  .tail_bytes = 1000,
                                  .tail_ms = 60000}};
    struct buf out = {0};
    char command[512];

    folder_open();
    open_world(&w);
    for (uint64_t i = 0; i < 100; i++)
        commit(&w, 10 * i, 10 * i + 10);
    flush(&w);
    check_holds(1000);
    snprintf(command, sizeof command,
             "cd %s/corpus && for f in *.jsonl.gz; do [ -e "
             "${f%%.jsonl.gz}.xml.gz ] && zcat $f | wc -c; done",
             folder);
    util_run(command, &out);
    CHECK(util_occurrences(buf_view(&out), "\n") >= 6);
    close_world(&w);
    buf_free(&out);
    folder_close();
}

/* A save whose commit was made and whose sync then failed is made once more,
 * of nothing: the part that it began is begun already. */
static void
a_part_is_begun_once_by_a_save_that_is_repeated(void)
{
    struct world w = {.options = {.split_bytes = 500,
                                  .tail_bytes = 1 << 20,
                                  .tail_ms = 60000}};
    char path[512];

    folder_open();
    open_world(&w);
    commit(&w, 0, 10);
    commit(&w, 10, 12); /* begins part 2 */
    CHECK(corpus_place(w.corpus, CORPUS_KEPT, S("xml")).part == 2);
    CHECK(index_begin(w.index) == ST_OK);
    CHECK(corpus_write_over(w.corpus, 2, false) == ST_OK);
    CHECK(index_commit(w.index) == ST_OK);
    corpus_done(w.corpus);
    flush(&w);
    snprintf(path, sizeof path, "%s/corpus/part-000002.xml.gz", folder);
    CHECK(access(path, F_OK) == 0);
    snprintf(path, sizeof path, "%s/corpus/part-000003.xml.gz", folder);
    CHECK(access(path, F_OK) != 0);
    commit(&w, 12, 13);
    reopen_and_check(&w, 13);
    CHECK(corpus_place(w.corpus, CORPUS_KEPT, S("xml")).part == 2);
    close_world(&w);
    folder_close();
}

/* Bytes of text in the gzip parts of one format. */
static uint64_t
text_in_parts(void)
{
    struct buf out = {0};
    char command[512];
    uint64_t n = 0;

    snprintf(command, sizeof command,
             "cd %s/corpus && cat part-*.jsonl.gz 2>/dev/null | { zcat "
             "2>/dev/null || :; } | wc -c",
             folder);
    util_run(command, &out);
    CHECK(str_u64(str_trim(buf_view(&out)), &n));
    buf_free(&out);
    return n;
}

static void
a_large_tail_is_compressed_and_counts_for_its_part(void)
{
    struct world w = {
        .options = {.split_bytes = 6000, .tail_bytes = 4000, .tail_ms = 60000}};
    struct util_doc d;
    uint64_t n = 0, size;

    util_doc(&d, 10, 10, 2);
    size = strlen(d.json);
    folder_open();
    open_world(&w);
    for (; n * size < 3500; n++) /* less than a tail may be */
        commit(&w, n + 10, n + 11);
    CHECK(text_in_parts() == 0);
    for (; n * size < 4200; n++)
        commit(&w, n + 10, n + 11);
    CHECK(text_in_parts() >= 4000);
    for (; n * size < 7000; n++) /* 4,000 in the part, 2,000 in the tail */
        commit(&w, n + 10, n + 11);
    CHECK(text_in_parts() >= 6000);
    close_world(&w);
    folder_close();
}

static void
an_old_tail_is_compressed_at_the_next_write(void)
{
    struct world w = {.options = {.split_bytes = 1 << 20,
                                  .tail_bytes = 1 << 20,
                                  .tail_ms = 1000}};
    char path[512];

    folder_open();
    open_world(&w);
    commit(&w, 0, 3);
    snprintf(path, sizeof path, "%s/corpus/part-000001.xml.gz", folder);
    CHECK(access(path, F_OK) != 0);
    CHECK(index_begin(w.index) == ST_OK);
    add(&w, 3);
    CHECK(write_added(w.corpus, 1002, false) == ST_OK);
    CHECK(index_commit(w.index) == ST_OK);
    corpus_done(w.corpus);
    CHECK(access(path, F_OK) == 0);
    check_holds(4);
    close_world(&w);
    folder_close();
}

/* Copy the corpus folder aside, or bring the copy back. */
static void
save(const char *from, const char *to)
{
    struct buf out = {0};
    char command[1024];

    snprintf(command, sizeof command, "rm -rf %s/%s && cp -r %s/%s %s/%s",
             folder, to, folder, from, folder, to);
    util_run(command, &out);
    buf_free(&out);
}

/* Cut `bytes` off the end of file `name` (by its glob). */
static void
shorten(const char *glob, unsigned bytes)
{
    struct buf out = {0};
    char command[1024];

    snprintf(command, sizeof command,
             "cd %s/corpus && for f in %s; do [ ! -e $f ] || "
             "truncate -c -s -%u $f 2>/dev/null || truncate -s 0 $f; done",
             folder, glob, bytes);
    util_run(command, &out);
    buf_free(&out);
}

/* A write of 8 documents dies before its commit: with all of its bytes in the
 * files, or with any number of the last ones missing, in any of the files. */
static void
kill_before_commit(struct world *w, uint64_t n)
{
    static const struct {
        const char *glob;
        unsigned bytes;
    } cuts[] = {{"none", 0},
                {"*.xml.gz", 3},
                {"*.xml.tail-*", 1},
                {"*.xml.tail-*", 40},
                {"*.jsonl.tail-*", 7}};

    prepare(w);
    save("corpus", "before");
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        struct buf out = {0};
        char command[2048];

        CHECK(index_begin(w->index) == ST_OK);
        for (uint64_t k = n; k < n + 8; k++)
            add(w, k);
        CHECK(write_added(w->corpus, 1, false) == ST_OK);
        index_abort(w->index); /* and no corpus_done: killed */
        shorten(cuts[i].glob, cuts[i].bytes);
        /* no cut goes below what was committed: the kernel keeps order */
        snprintf(command, sizeof command,
                 "cd %s && for f in $(ls before); do a=$(stat -c %%s "
                 "before/$f); b=$(stat -c %%s corpus/$f); [ $b -ge $a ] || cp "
                 "before/$f corpus/$f; done",
                 folder);
        util_run(command, &out);
        buf_free(&out);
        reopen_and_check(w, n);
        prepare(w);
    }
}

/* A write dies after its commit, before old tails are removed. */
static void
kill_after_commit(struct world *w, uint64_t n)
{
    struct buf out = {0};
    char command[1024];

    save("corpus", "before");
    commit(w, n, n + 8);
    snprintf(command, sizeof command,
             "cd %s && cp -n before/*tail* corpus/ 2>/dev/null || :", folder);
    util_run(command, &out);
    buf_free(&out);
    reopen_and_check(w, n + 8);
}

static void
killed_at_any_point_exactly_the_committed_documents_stay(void)
{
    struct world w = {
        .options = {.split_bytes = 6000, .tail_bytes = 1500, .tail_ms = 60000}};

    folder_open();
    open_world(&w);
    for (uint64_t n = 0; n < 160; n += 8) {
        kill_before_commit(&w, n);
        kill_after_commit(&w, n);
    }
    flush(&w);
    reopen_and_check(&w, 160);
    close_world(&w);
    folder_close();
}

/* The longer records are the second stream's: the first one is written when
 * they find no space. */
static void
a_write_that_finds_no_space_leaves_no_trace(void)
{
    struct world w = {.options = {.split_bytes = 1 << 20,
                                  .tail_bytes = 30000,
                                  .tail_ms = 60000}};
    struct rlimit old, low;
    uint64_t n = 0;
    int full = 0;

    folder_open();
    open_world(&w);
    CHECK(corpus_prepare(w.corpus, CORPUS_KEPT, S("xml")) == ST_OK);
    CHECK(corpus_prepare(w.corpus, CORPUS_KEPT, S("jsonl")) == ST_OK);
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    while (n < 1200) {
        enum status st;

        CHECK(index_begin(w.index) == ST_OK);
        for (uint64_t k = n; k < n + 40; k++)
            add(&w, k);
        low = (struct rlimit){20000 + 1000 * n / 40, old.rlim_max};
        CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
        st = write_added(w.corpus, 1, false);
        CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
        if (st != ST_OK) {
            CHECK(st == ST_FULL);
            full++;
            index_abort(w.index);
            corpus_undo(w.corpus);
            check_holds(n);
            CHECK(index_begin(w.index) == ST_OK);
            CHECK(corpus_write_over(w.corpus, 1, false) == ST_OK);
        }
        CHECK(index_commit(w.index) == ST_OK);
        corpus_done(w.corpus);
        n += 40;
    }
    CHECK(full > 0);
    reopen_and_check(&w, n);
    close_world(&w);
    folder_close();
}

/* Every record stands where corpus_place() said, behind one warcinfo a part. */
static void
warc_parts_begin_with_warcinfo_and_are_read_by_place(void)
{
    enum { DOCUMENTS = 60 };
    struct world w = {
        .options = {.split_bytes = 8000, .tail_bytes = 2000, .tail_ms = 60000}};
    struct corpus_place at[DOCUMENTS];
    struct buf text = {0}, record = {0};
    char command[512], block[32];

    folder_open();
    open_world(&w);
    for (int i = 0; i < DOCUMENTS; i++) {
        CHECK(corpus_prepare(w.corpus, CORPUS_KEPT, S("wet")) == ST_OK);
        CHECK(index_begin(w.index) == ST_OK);
        snprintf(block, sizeof block, "document %d", i);
        buf_clear(&record);
        warc_record_begin(&record, "conversion", "<urn:x>", 0);
        warc_record_end(&record, "text/plain", str_c(block), S(""));
        at[i] = corpus_place(w.corpus, CORPUS_KEPT, S("wet"));
        corpus_add(w.corpus, CORPUS_KEPT, S("wet"), buf_view(&record));
        CHECK(write_added(w.corpus, 1, i == DOCUMENTS - 1) == ST_OK);
        CHECK(index_commit(w.index) == ST_OK);
        corpus_done(w.corpus);
    }
    flush(&w);
    CHECK(at[DOCUMENTS - 1].part > 1);
    for (int i = 0; i < DOCUMENTS; i++) {
        snprintf(command, sizeof command,
                 "zcat %s/corpus/part-%06llu.wet.gz | tail -c +%llu", folder,
                 (unsigned long long)at[i].part,
                 (unsigned long long)at[i].at + 1);
        util_run(command, &text);
        snprintf(block, sizeof block, "\r\n\r\ndocument %d\r\n\r\n", i);
        CHECK(str_ends(
            str_sub(buf_view(&text), 0, warc_record_length(buf_view(&text))),
            str_c(block)));
    }
    snprintf(command, sizeof command,
             "for f in %s/corpus/part-*.wet.gz; do zcat $f | "
             "grep -a -c '^WARC-Filename: '${f##*/}; done | sort -u",
             folder);
    util_run(command, &text);
    CHECK(str_eq(str_trim(buf_view(&text)), S("1")));
    close_world(&w);
    buf_free(&text);
    buf_free(&record);
    folder_close();
}

static void
unknown_or_missing_files_are_refused(void)
{
    struct world w = {
        .options = {.split_bytes = 4000, .tail_bytes = 1000, .tail_ms = 60000}};
    struct corpus *c = NULL;
    char path[512];

    folder_open();
    open_world(&w);
    for (uint64_t i = 0; i < 40; i++)
        commit(&w, i * 5, i * 5 + 5);
    flush(&w);
    close_world(&w);

    /* A part of somebody else. */
    snprintf(path, sizeof path, "%s/corpus/part-000099.xml.gz", folder);
    CHECK(corpus_file_append(path, 0, S("not ours")) == ST_OK);
    CHECK(index_open(&w.index, index_dir, 0, &plain) == ST_OK);
    CHECK(corpus_open(&c, folder, w.index, &w.options) == ST_USAGE);
    CHECK(access(path, F_OK) == 0);
    CHECK(unlink(path) == 0);

    /* A file that no stream makes does not matter. */
    snprintf(path, sizeof path, "%s/corpus/README", folder);
    CHECK(corpus_file_append(path, 0, S("hello")) == ST_OK);
    CHECK(corpus_open(&c, folder, w.index, &w.options) == ST_OK);
    snprintf(path, sizeof path, "%s/corpus/part-000001.new.gz", folder);
    CHECK(corpus_file_append(path, 0, S("hello")) == ST_OK);
    CHECK(corpus_prepare(c, CORPUS_KEPT, S("new")) == ST_USAGE);
    CHECK(unlink(path) == 0);
    CHECK(corpus_prepare(c, CORPUS_KEPT, S("new")) == ST_OK);
    snprintf(path, sizeof path, "%s/corpus/README", folder);
    corpus_close(c);
    CHECK(access(path, F_OK) == 0);

    /* Old parts may be taken away, the current one may not. */
    save("corpus", "before");
    snprintf(path, sizeof path, "%s/corpus/part-000001.xml.gz", folder);
    CHECK(unlink(path) == 0);
    CHECK(corpus_open(&c, folder, w.index, &w.options) == ST_OK);
    corpus_close(c);
    save("before", "corpus");
    shorten("part-0000*.xml.gz", 1);
    CHECK(corpus_open(&c, folder, w.index, &w.options) == ST_USAGE);
    CHECK(c == NULL);
    index_close(w.index);

    /* A new index does not take over a corpus that is there. */
    folder_remove(index_dir);
    save("before", "corpus");
    CHECK(corpus_file_folder(index_dir) == ST_OK);
    CHECK(index_open(&w.index, index_dir, 0, &plain) == ST_OK);
    CHECK(corpus_open(&c, folder, w.index, &w.options) == ST_USAGE);
    CHECK(c == NULL);
    index_close(w.index);
    folder_close();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(records_are_found_again_in_order),
        TEST(parts_split_together_and_by_size),
        TEST(a_part_is_begun_once_by_a_save_that_is_repeated),
        TEST(a_large_tail_is_compressed_and_counts_for_its_part),
        TEST(an_old_tail_is_compressed_at_the_next_write),
        TEST(killed_at_any_point_exactly_the_committed_documents_stay),
        TEST(a_write_that_finds_no_space_leaves_no_trace),
        TEST(warc_parts_begin_with_warcinfo_and_are_read_by_place),
        TEST(unknown_or_missing_files_are_refused),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
