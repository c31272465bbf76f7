/* Aim: an index that is opened from a checkpoint gives the verdicts of one that
 * is made from the whole log, wherever the process was killed, and damage costs
 * no more than time.  Method: documents that replace, resemble and equal each
 * other come while the checkpoint is written, a part between two batches; what
 * is on the disk then is opened twice, with and without it, and probed. */
#include "../../shingle/index/index_inside.h"
#include "base/log.h"
#include "dedup_util.h"

static const struct store_options saving = {
    .map_gib = 1, .sync = STR("none"), .checkpoint_bytes = 1};
static const struct store_options plain = {.map_gib = 1, .sync = STR("none")};

enum { FAMILIES = 300, BATCH = 5 };

static struct index *
open_index(const char *dir, const struct store_options *o)
{
    struct index *x = NULL;

    CHECK(index_open(&x, dir, 0.8, o) == ST_OK);
    return x;
}

static struct index_verdict
judge(struct index *x, uint64_t id, uint64_t family, uint64_t bytes)
{
    struct util_doc d;
    struct index_verdict v = {.known = false};

    util_doc(&d, id, id % 7 == 0 ? family : id, 1);
    d.print = util_mutate(util_print(family), (int)(id % 4), id);
    d.doc.text_bytes = bytes;
    CHECK(index_decide(x, &d.doc, &v) == ST_OK);
    return v;
}

/* Batches of documents, some of which replace others; so many parts of the
 * checkpoint behind each. */
static void
load(struct index *x, uint64_t from, uint64_t to, int parts)
{
    struct random r = random_seed(from + 1);

    for (uint64_t i = from; i < to; i += BATCH) {
        CHECK(index_begin(x) == ST_OK);
        for (uint64_t k = i; k < i + BATCH; k++)
            judge(x, k, random_below(&r, FAMILIES),
                  500 + random_below(&r, 5000));
        CHECK(index_commit(x) == ST_OK);
        for (int k = 0; k < parts; k++)
            (void)lookup_checkpoint(x->lookup, x->checkpoint, 1);
    }
}

/* The same verdicts from both, of documents that were there and of new ones. */
static void
check_alike(struct index *a, struct index *b, uint64_t documents)
{
    struct dedup_stat s, t;

    CHECK(index_stat(a, &s) == ST_OK && index_stat(b, &t) == ST_OK);
    CHECK(memcmp(&s, &t, sizeof s) == 0 && s.replaced > 50);
    CHECK(lookup_tags(a->lookup) == lookup_tags(b->lookup));
    CHECK(index_begin(a) == ST_OK && index_begin(b) == ST_OK);
    for (uint64_t i = 0; i < documents + 500; i++) {
        uint64_t bytes = i % 3 == 0 ? 90000 : 600;
        struct index_verdict v = judge(a, i, i % FAMILIES, bytes);
        struct index_verdict w = judge(b, i, i % FAMILIES, bytes);

        CHECK(v.answer.verdict == w.answer.verdict && v.known == w.known);
        CHECK(v.known == (i < documents));
        CHECK(strcmp(v.answer.of.z, w.answer.of.z) == 0);
        CHECK(v.replaced_n == w.replaced_n);
    }
    index_abort(a);
    index_abort(b);
}

static void
copy(const char *from, char *to)
{
    char command[600];
    struct buf out = {0};

    folder_make(to);
    snprintf(command, sizeof command, "cp -r %s/. %s", from, to);
    util_run(command, &out);
    buf_free(&out);
}

static void
take_away(const char *dir)
{
    nftw(dir, folder_take_away, 8, FTW_DEPTH | FTW_PHYS);
}

static void
change_byte(const char *dir, const char *name, long at)
{
    char path[600];
    FILE *f;
    int c;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "r+b");
    CHECK(f != NULL && fseek(f, at, at < 0 ? SEEK_END : SEEK_SET) == 0);
    c = fgetc(f);
    CHECK(fseek(f, -1, SEEK_CUR) == 0 && fputc(c ^ 0x5a, f) != EOF);
    fclose(f);
}

static void
what_is_killed_goes_on_from_its_checkpoint(void)
{
    static char with[] = "/tmp/winnow-check-XXXXXX";
    static char without[] = "/tmp/winnow-check-XXXXXX";
    struct index *x, *a, *b;
    char path[600];

    folder_open();
    x = open_index(folder, &saving);
    load(x, 0, 1000, 0);
    load(x, 1000, 6000, 5); /* 1,000 batches, 4,096 parts */
    CHECK(index_sync(x) == ST_OK);
    load(x, 6000, 6500, 0);
    copy(folder, with);
    copy(folder, without);
    snprintf(path, sizeof path, "%s/tags", without);
    CHECK(unlink(path) == 0);
    a = open_index(with, &saving);
    b = open_index(without, &plain);
    check_alike(a, b, 6500);
    index_close(a);
    index_close(b);
    /* What stands before the checkpoint is not read again. */
    change_byte(with, "records.log", 32 + 99);
    change_byte(without, "records.log", 32 + 99);
    a = open_index(with, &saving);
    index_close(a);
    log_threshold = LOG_ERROR + 1;
    CHECK(index_open(&b, without, 0.8, &plain) == ST_STORE);
    log_threshold = LOG_ERROR;
    index_close(x);
    take_away(with);
    take_away(without);
    folder_close();
}

static void
a_clean_end_leaves_nothing_to_read(void)
{
    static char other[] = "/tmp/winnow-check-XXXXXX";
    struct index *a, *b;
    char path[600];

    folder_open();
    a = open_index(folder, &saving);
    load(a, 0, 1500, 0);
    index_close(a);
    copy(folder, other);
    snprintf(path, sizeof path, "%s/tags", other);
    CHECK(unlink(path) == 0);
    a = open_index(folder, &saving);
    b = open_index(other, &plain);
    check_alike(a, b, 1500);
    load(a, 1500, 2000, 0); /* and it goes on */
    index_close(a);
    index_close(b);
    change_byte(folder, "records.log", -900);
    a = open_index(folder, &saving);
    index_close(a);
    take_away(other);
    folder_close();
}

/* Each fault by itself, in a copy. */
static void
a_damaged_checkpoint_costs_only_time(void)
{
    static char other[] = "/tmp/winnow-check-XXXXXX";
    static const long at[] = {3, 40, 200, 300, 5000, 60000, -1, -3000};
    struct index *x, *b;
    char path[600], command[1300];
    struct buf out = {0};

    folder_open();
    x = open_index(folder, &saving);
    load(x, 0, 1500, 0);
    index_close(x);
    b = open_index(folder, &plain);
    for (size_t i = 0; i <= sizeof at / sizeof *at + 1; i++) {
        struct index *a = NULL;

        copy(folder, other);
        snprintf(path, sizeof path, "%s/tags", other);
        if (i < sizeof at / sizeof *at)
            change_byte(other, "tags", at[i]);
        else if (i == sizeof at / sizeof *at)
            CHECK(truncate(path, 70000) == 0);
        else
            CHECK(truncate(path, 0) == 0);
        log_threshold = LOG_ERROR;
        a = open_index(other, &plain);
        check_alike(a, b, 1500);
        index_close(a);
        take_away(other);
    }
    folder_make(other); /* that of another index */
    x = open_index(other, &saving);
    load(x, 1, 501, 0);
    snprintf(command, sizeof command, "cp %s/tags %s/tags", folder, other);
    util_run(command, &out);
    index_close(x);
    x = open_index(other, &plain);
    CHECK(index_begin(x) == ST_OK);
    for (uint64_t i = 1; i < 501; i++)
        CHECK(judge(x, i, 0, 1).known);
    index_abort(x);
    index_close(x);
    index_close(b);
    buf_free(&out);
    take_away(other);
    folder_close();
}

/* A text that was there, if its record is what it was. */
static enum status
judge_again(struct index *x, uint64_t text)
{
    struct util_doc d;
    struct index_verdict v;
    enum status st;

    util_doc(&d, 1000 + text, text, 1);
    CHECK(index_begin(x) == ST_OK);
    st = index_decide(x, &d.doc, &v);
    CHECK(st != ST_OK || v.answer.verdict == VERDICT_EXACT_DUPLICATE);
    index_abort(x);
    return st;
}

static void
what_is_garbled_before_the_checkpoint_is_met_when_it_is_needed(void)
{
    struct index *x;
    struct util_doc d;
    struct index_verdict v;

    folder_open();
    x = open_index(folder, &saving);
    CHECK(index_begin(x) == ST_OK);
    for (uint64_t i = 0; i < 20; i++) {
        util_doc(&d, i, i, 1);
        CHECK(index_decide(x, &d.doc, &v) == ST_OK);
        CHECK(v.answer.verdict == VERDICT_KEPT);
    }
    CHECK(index_commit(x) == ST_OK);
    index_close(x);
    change_byte(folder, "records.log", 32 + 5 * 384 + 300); /* a signature */
    x = open_index(folder, &saving);
    CHECK(judge_again(x, 4) == ST_OK);
    log_threshold = LOG_ERROR + 1;
    CHECK(judge_again(x, 5) == ST_STORE);
    log_threshold = LOG_ERROR;
    CHECK(judge_again(x, 6) == ST_OK);
    index_close(x);
    folder_close();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(what_is_killed_goes_on_from_its_checkpoint),
        TEST(a_clean_end_leaves_nothing_to_read),
        TEST(a_damaged_checkpoint_costs_only_time),
        TEST(what_is_garbled_before_the_checkpoint_is_met_when_it_is_needed),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
