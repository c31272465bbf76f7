/* Aim: verdicts are those of a naive model that remembers every document, and
 * survive aborts and reopening.  Method: seeded random documents whose prints
 * are far from the threshold on either side, so that the bands find all.  Which
 * copy stays: test_index_copies.c; what an index finds in its folder:
 * test_index_open.c. */
#include "../../shingle/store/near.h"
#include "index_case.h"

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
    static const struct {
        double threshold;
        uint32_t values_n, rows, bands;
    } table[] = {{.8, 100, 4, 12}, {1, 100, 100, 1},  {.9, 100, 8, 12},
                 {.5, 100, 2, 22}, {.01, 100, 1, 64}, {0, 100, 0, 0},
                 {.8, 16, 2, 7}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct near_shape s = near_shape(table[i].threshold, table[i].values_n);

        CHECK(s.rows == table[i].rows && s.bands == table[i].bands);
    }
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
        found += judge_mutant(x, 20000 + i, 17, i) == VERDICT_NEAR_DUPLICATE;
        CHECK(judge_mutant(x, 30000 + i, 25, i) == VERDICT_KEPT);
    }
    CHECK(found >= 495);
    index_close(x);
    folder_close();
}

static void
another_threshold_finds_the_documents_of_before(void)
{
    struct index *x = NULL;
    int found = 0;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    for (uint64_t i = 0; i < 500; i++)
        CHECK(judge_mutant(x, 10000 + i, 0, i) == VERDICT_KEPT);
    index_close(x);
    CHECK(index_open(&x, folder, 0.5, &plain) == ST_OK);
    for (uint64_t i = 0; i < 500; i += 5) /* by the bands of before */
        found += judge_mutant(x, 20000 + i, 22, i) == VERDICT_NEAR_DUPLICATE;
    CHECK(found > 50);
    CHECK(judge_mutant(x, 21000, 0, 600) == VERDICT_KEPT);
    CHECK(judge_mutant(x, 21001, 40, 600) == VERDICT_NEAR_DUPLICATE);
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
    CHECK(stat.bands_full == 200 - INDEX_BAND_MAX - 1);
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
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
