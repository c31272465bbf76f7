/* Aim: verdicts are those of a naive model that remembers every document, and
 * survive aborts and reopening.  Method: seeded random documents whose prints
 * are far from the threshold on either side, so that the bands find all. */
#include "../../shingle/index.h"

#include <fcntl.h>
#include <lmdb.h>
#include <sys/stat.h>

#include "../../shingle/near.h"
#include "dedup_util.h"
#include "winnow/dedup_service.h"
#include "winnow/log.h"

static const struct store_options plain = {.map_gib = 1, .sync = STR("none")};

struct entry {
    uint64_t id, text;
    struct fingerprint print;
    enum verdict verdict;
    struct document_id id_made, of;
    bool rejected;
};

enum { STEPS = 3000 };

static struct entry model[STEPS];
static size_t model_n;

/* What the model says about a new document. */
static void
model_judge(struct entry *e)
{
    double best = -1;

    e->of.z[0] = '\0';
    e->verdict = e->rejected ? VERDICT_REJECTED : VERDICT_KEPT;
    for (size_t i = 0; i < model_n && !e->rejected; i++) {
        double same;

        if (model[i].verdict != VERDICT_KEPT)
            continue;
        if (model[i].text == e->text) {
            e->verdict = VERDICT_EXACT_DUPLICATE;
            e->of = model[i].id_made;
            return;
        }
        same = fingerprint_resemblance(&e->print, &model[i].print);
        if (same >= 0.8 && same > best) {
            best = same;
            e->verdict = VERDICT_NEAR_DUPLICATE;
            e->of = model[i].id_made;
        }
    }
}

static void
make(struct entry *e, struct util_doc *d, struct random *r)
{
    uint64_t kind = random_below(r, 6);
    const struct entry *old =
        model_n > 0 ? &model[random_below(r, model_n)] : NULL;

    *e = (struct entry){.id = random_u64(r), .text = random_u64(r)};
    e->print = util_print(e->text);
    if (kind == 0 && old != NULL)
        e->text = old->text;
    else if (kind == 1 && old != NULL)
        e->print = util_mutate(old->print, 3, e->text);
    else if (kind == 2 && old != NULL)
        e->print = util_mutate(old->print, 50, e->text);
    else if (kind == 3)
        e->rejected = true;
    util_doc(d, e->id, e->text, 1);
    d->print = e->print;
    if (e->rejected)
        d->doc.reject = VERDICT_BADNESS;
    e->id_made = d->doc.id;
}

static void
check_entry(struct index *x, const struct entry *e, bool known)
{
    struct util_doc d;
    struct index_verdict v;

    util_doc(&d, e->id, e->text, 1);
    d.print = e->print;
    if (e->rejected)
        d.doc.reject = VERDICT_BADNESS;
    CHECK(index_decide(x, &d.doc, &v) == ST_OK);
    CHECK(v.known == known);
    CHECK(v.answer.verdict == e->verdict);
    CHECK(strcmp(v.answer.id.z, e->id_made.z) == 0);
    CHECK(strcmp(v.answer.of.z, e->of.z) == 0);
}

/* All 128 bits of a digest count. */
static void
texts_whose_digests_share_one_half_are_two(void)
{
    struct util_doc d[3];
    struct index_verdict v;
    struct index *x = NULL;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(index_begin(x) == ST_OK);
    for (uint64_t i = 0; i < 3; i++)
        util_doc(&d[i], i, i, 1);
    d[1].doc.digest.high = d[2].doc.digest.high = d[0].doc.digest.high;
    d[1].doc.digest.low = d[0].doc.digest.low + 1;
    d[2].doc.digest.low = d[0].doc.digest.low;
    CHECK(index_decide(x, &d[0].doc, &v) == ST_OK &&
          v.answer.verdict == VERDICT_KEPT);
    CHECK(index_decide(x, &d[1].doc, &v) == ST_OK &&
          v.answer.verdict == VERDICT_KEPT);
    CHECK(index_decide(x, &d[2].doc, &v) == ST_OK &&
          v.answer.verdict == VERDICT_EXACT_DUPLICATE &&
          strcmp(v.answer.of.z, d[0].id) == 0);
    index_abort(x);
    index_close(x);
    folder_close();
}

static void
verdicts_are_those_of_a_naive_model(void)
{
    struct random r = random_seed(20);
    struct index *x = NULL;
    struct dedup_stat stat;
    uint64_t verdicts[4] = {0};

    model_n = 0;
    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    while (model_n < STEPS) {
        size_t before = model_n;
        bool keep = random_below(&r, 4) > 0;

        CHECK(index_begin(x) == ST_OK);
        for (uint64_t n = random_below(&r, 40); n > 0 && model_n < STEPS; n--) {
            struct util_doc d;
            struct entry *e = &model[model_n];

            if (model_n > 0 && random_below(&r, 5) == 0) {
                check_entry(x, &model[random_below(&r, model_n)], true);
                continue;
            }
            make(e, &d, &r);
            model_judge(e);
            check_entry(x, e, false);
            model_n++;
        }
        if (keep) {
            CHECK(index_commit(x) == ST_OK);
        } else {
            index_abort(x);
            model_n = before;
        }
        if (random_below(&r, 20) == 0) {
            index_close(x);
            CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
        }
    }
    for (size_t i = 0; i < model_n; i++)
        verdicts[model[i].verdict]++;
    CHECK(index_stat(x, &stat) == ST_OK);
    CHECK(stat.documents == verdicts[VERDICT_KEPT]);
    CHECK(stat.exact_duplicates == verdicts[VERDICT_EXACT_DUPLICATE]);
    CHECK(stat.near_duplicates == verdicts[VERDICT_NEAR_DUPLICATE]);
    CHECK(stat.rejected == verdicts[VERDICT_REJECTED]);
    CHECK(stat.index_entries == model_n);
    CHECK(stat.text_bytes == 1000 * verdicts[VERDICT_KEPT]);
    for (int i = 0; i < 4; i++)
        CHECK(verdicts[i] > 100); /* all were met */
    index_close(x);
    folder_close();
}

static void
the_shape_of_bands_follows_from_the_threshold(void)
{
    uint32_t rows, bands;

    near_shape(0.8, &rows, &bands);
    CHECK(rows == 5 && bands == 20);
    near_shape(1.0, &rows, &bands);
    CHECK(rows == 100 && bands == 1);
    near_shape(0.5, &rows, &bands);
    CHECK(rows == 2 && bands == 50);
    near_shape(0.01, &rows, &bands);
    CHECK(rows == 1 && bands == 100);
    near_shape(0, &rows, &bands);
    CHECK(rows == 0 && bands == 0);
}

static enum verdict
judge_mutant(struct index *x, uint64_t id, int changed, uint64_t of)
{
    struct util_doc d;
    struct index_verdict v;

    util_doc(&d, id, id, 1);
    d.print = util_mutate(util_print(of), changed, id);
    CHECK(index_begin(x) == ST_OK);
    CHECK(index_decide(x, &d.doc, &v) == ST_OK);
    CHECK(index_commit(x) == ST_OK);
    return v.answer.verdict;
}

static void
most_pairs_at_the_threshold_are_found(void)
{
    struct index *x = NULL;
    int found = 0;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    for (uint64_t i = 0; i < 500; i++) {
        CHECK(judge_mutant(x, 10000 + i, 0, i) == VERDICT_KEPT);
        found += judge_mutant(x, 20000 + i, 20, i) == VERDICT_NEAR_DUPLICATE;
        CHECK(judge_mutant(x, 30000 + i, 21, i) == VERDICT_KEPT);
    }
    CHECK(found >= 495);
    index_close(x);
    folder_close();
}

static void
another_threshold_finds_the_documents_of_before(void)
{
    struct index *x = NULL;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    for (uint64_t i = 0; i < 6000; i++)
        CHECK(judge_mutant(x, 10000 + i, 0, i) == VERDICT_KEPT);
    index_close(x);
    CHECK(index_open(&x, folder, 0.5, &plain) == ST_OK);
    for (uint64_t i = 0; i < 6000; i += 500)
        CHECK(judge_mutant(x, 20000 + i, 40, i) == VERDICT_NEAR_DUPLICATE);
    index_close(x);
    CHECK(index_open(&x, folder, 0, &plain) == ST_OK);
    CHECK(judge_mutant(x, 30000, 1, 0) == VERDICT_KEPT);
    index_close(x);
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(judge_mutant(x, 30001, 1, 1) == VERDICT_NEAR_DUPLICATE);
    CHECK(judge_mutant(x, 30002, 40, 2) == VERDICT_KEPT);
    index_close(x);
    folder_close();
}

static void
a_crowded_band_is_cut_off_and_counted(void)
{
    struct index *x = NULL;
    struct dedup_stat stat;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(index_begin(x) == ST_OK);
    for (uint64_t i = 0; i < 200; i++) {
        struct util_doc d;
        struct index_verdict v;

        util_doc(&d, i, i, 1);
        for (uint32_t k = 0; k < 5; k++) /* the first band is common */
            d.print.value[k] = k;
        CHECK(index_decide(x, &d.doc, &v) == ST_OK);
        CHECK(v.answer.verdict == VERDICT_KEPT);
    }
    CHECK(index_commit(x) == ST_OK);
    CHECK(index_stat(x, &stat) == ST_OK);
    CHECK(stat.bands_full == 200 - NEAR_BAND_MAX - 1);
    index_close(x);
    folder_close();
}

static void
documents_too_short_for_shingles_are_never_near(void)
{
    struct index *x = NULL;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(index_begin(x) == ST_OK);
    for (uint64_t i = 0; i < 10; i++) {
        struct util_doc d;
        struct index_verdict v;

        util_doc(&d, i, i, 1);
        memset(&d.print, 0, sizeof d.print);
        if (i == 5)
            d.doc.fingerprint = NULL;
        CHECK(index_decide(x, &d.doc, &v) == ST_OK);
        CHECK(v.answer.verdict == VERDICT_KEPT);
    }
    CHECK(index_commit(x) == ST_OK);
    index_close(x);
    folder_close();
}

/* A crawler that is killed before it reports a page fetches it again. */
static void
a_visit_has_one_document_whatever_is_fetched(void)
{
    struct util_doc d, again, later;
    struct index_verdict v;
    struct index *x = NULL;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(index_begin(x) == ST_OK);
    util_doc(&d, 1, 1, 1);
    CHECK(index_decide(x, &d.doc, &v) == ST_OK && !v.known);
    CHECK(v.answer.verdict == VERDICT_KEPT &&
          document_id_equal(&v.answer.id, &d.doc.id));

    util_doc(&again, 1, 2, 1); /* another capture with another text */
    again.doc.id = document_id_make(d.doc.url, 77);
    CHECK(index_decide(x, &again.doc, &v) == ST_OK && v.known);
    CHECK(v.answer.verdict == VERDICT_KEPT &&
          document_id_equal(&v.answer.id, &d.doc.id));

    util_doc(&later, 1, 2, 1); /* the same on another visit */
    later.doc.id = document_id_make(d.doc.url, 78);
    later.doc.revisit = 1;
    CHECK(index_decide(x, &later.doc, &v) == ST_OK && !v.known);
    CHECK(v.answer.verdict == VERDICT_KEPT &&
          document_id_equal(&v.answer.id, &later.doc.id));

    util_doc(&again, 9, 2, 1); /* its text at another URL */
    CHECK(index_decide(x, &again.doc, &v) == ST_OK && !v.known);
    CHECK(v.answer.verdict == VERDICT_EXACT_DUPLICATE &&
          document_id_equal(&v.answer.of, &later.doc.id) &&
          document_id_equal(&v.answer.id, &again.doc.id));
    CHECK(index_commit(x) == ST_OK);
    index_close(x);
    folder_close();
}

static void
foreign_folders_are_refused_and_left_alone(void)
{
    struct index *x = NULL;
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi table;
    struct stat before, after;
    char path[512];
    int fd;

    folder_open(); /* another program's LMDB */
    CHECK(mdb_env_create(&env) == 0);
    CHECK(mdb_env_set_maxdbs(env, 8) == 0);
    CHECK(mdb_env_open(env, folder, 0, 0644) == 0);
    CHECK(mdb_txn_begin(env, NULL, 0, &txn) == 0);
    CHECK(mdb_dbi_open(txn, "queue", MDB_CREATE, &table) == 0);
    CHECK(mdb_txn_commit(txn) == 0);
    mdb_env_close(env);
    snprintf(path, sizeof path, "%s/data.mdb", folder);
    CHECK(stat(path, &before) == 0);
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_USAGE && x == NULL);
    CHECK(stat(path, &after) == 0 && after.st_size == before.st_size);
    folder_close();

    folder_open(); /* no LMDB at all */
    snprintf(path, sizeof path, "%s/data.mdb", folder);
    fd = open(path, O_WRONLY | O_CREAT, 0644);
    for (int i = 0; i < 1000; i++)
        CHECK(write(fd, "no database here", 16) == 16);
    close(fd);
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_USAGE && x == NULL);
    folder_close();
}

/* Ours, but of a version before or after. */
static void
an_index_of_another_schema_is_refused_and_left_alone(void)
{
    static const char others[] = {STORE_SCHEMA - 1, STORE_SCHEMA + 1};

    for (size_t i = 0; i < sizeof others; i++) {
        struct index *x = NULL;
        struct buf said = {0};
        uint64_t faults = 0;
        char path[512];
        struct store *s;

        folder_open();
        snprintf(path, sizeof path, "%s/dedup", folder);
        CHECK(mkdir(path, 0700) == 0);
        CHECK(store_open(&s, path, &plain) == ST_OK);
        CHECK(store_begin(s) == ST_OK);
        CHECK(store_put_u64(s, "schema", (uint64_t)others[i]) == ST_OK);
        CHECK(store_commit(s) == ST_OK);
        store_close(s);
        log_capture(&said);
        CHECK(index_open(&x, path, 0.8, &plain) == ST_USAGE && x == NULL);
        log_capture(NULL);
        buf_char(&said, '\0');
        CHECK(strstr(said.p, i == 0 ? "older version" : "newer version"));
        CHECK(dedup_check(folder, &said, &faults) == ST_USAGE);
        buf_free(&said);
        folder_close();
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(texts_whose_digests_share_one_half_are_two),
        TEST(verdicts_are_those_of_a_naive_model),
        TEST(the_shape_of_bands_follows_from_the_threshold),
        TEST(most_pairs_at_the_threshold_are_found),
        TEST(another_threshold_finds_the_documents_of_before),
        TEST(a_crowded_band_is_cut_off_and_counted),
        TEST(documents_too_short_for_shingles_are_never_near),
        TEST(a_visit_has_one_document_whatever_is_fetched),
        TEST(foreign_folders_are_refused_and_left_alone),
        TEST(an_index_of_another_schema_is_refused_and_left_alone),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
