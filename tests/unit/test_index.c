/* Aim: verdicts are those of a naive model that remembers every document, and
 * survive aborts and reopening.  Method: seeded random documents whose prints
 * are far from the threshold on either side, so that the bands find all. */
#include "../../shingle/index.h"

#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../shingle/near.h"
#include "base/log.h"
#include "dedup_util.h"
#include "shingle/dedup_service.h"

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

static unsigned logs_synced;

/* In the place of the C library's. */
int
fdatasync(int fd)
{
    char link[64], path[512];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path - 1);
    path[n < 0 ? 0 : n] = '\0';
    logs_synced += strstr(path, INDEX_LOG) != NULL;
    return (int)syscall(SYS_fdatasync, fd);
}

/* What a run without syncs has left is on the disk before answers that are to
 * be durable rely on it. */
static void
what_was_not_synced_is_so_when_an_index_is_opened(void)
{
    struct store_options durable = plain;
    struct util_doc d;
    struct index_verdict v;
    struct index *x = NULL;

    durable.sync = S("meta");
    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(index_begin(x) == ST_OK);
    util_doc(&d, 1, 1, 1);
    CHECK(index_decide(x, &d.doc, &v) == ST_OK && index_commit(x) == ST_OK);
    index_close(x);
    logs_synced = 0;
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK && logs_synced == 0);
    index_close(x);
    CHECK(index_open(&x, folder, 0.8, &durable) == ST_OK && logs_synced == 1);
    index_close(x);
    folder_close();
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

/* ---- which copy stays ---- */

/* A document of the shingles from, from + 1 ... with a signature; `own` of
 * them, at the begin, are nobody else's. */
struct sketched {
    struct util_doc d;
    struct signature signature;
};

static void
sketched(struct sketched *s, struct arena *a, uint64_t id, uint32_t from,
         uint32_t n, uint32_t own, uint64_t text_bytes)
{
    const struct fingerprint_scheme scheme = {FINGERPRINT_ONEPERMUTATION,
                                              FINGERPRINT_SIZE, 5, 0};
    uint64_t *shingle = ARENA_ARRAY(a, uint64_t, n);
    struct fingerprinter *f;

    for (uint64_t i = 0; i < n; i++)
        shingle[i] = hash_mix(i < own ? id << 32 | i : 7u << 20 | (from + i));
    util_doc(&s->d, id, id, 1);
    CHECK(fingerprinter_open(&f, &scheme) == ST_OK);
    fingerprinter_make(f, shingle, n, &s->d.print);
    fingerprinter_close(f);
    signature_make(shingle, n, a, &s->signature);
    s->d.doc.signature = &s->signature;
    s->d.doc.text_bytes = text_bytes;
}

static enum verdict
judge(struct index *x, const struct sketched *s, struct index_verdict *v)
{
    CHECK(index_begin(x) == ST_OK);
    CHECK(index_decide(x, &s->d.doc, v) == ST_OK);
    CHECK(index_commit(x) == ST_OK);
    return v->answer.verdict;
}

static struct index *
opened_again(struct index *x)
{
    index_close(x);
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    return x;
}

static void
the_longer_copy_stays_also_when_it_comes_later(void)
{
    struct arena *a = arena_new();
    struct sketched s, equal, longer, shorter, more;
    struct index_verdict v;
    struct dedup_stat stat;
    struct index *x = NULL;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    sketched(&s, a, 1, 0, 1000, 0, 5000);
    sketched(&equal, a, 2, 20, 1000, 0, 5000);
    sketched(&longer, a, 3, 0, 1050, 0, 6000);
    sketched(&shorter, a, 4, 10, 1000, 0, 5500);
    sketched(&more, a, 5, 0, 1100, 0, 7000);
    CHECK(judge(x, &s, &v) == VERDICT_KEPT && v.replaced_n == 0);
    CHECK(judge(x, &equal, &v) == VERDICT_NEAR_DUPLICATE);
    CHECK(document_id_equal(&v.answer.of, &s.d.doc.id));
    CHECK(v.answer.estimate > 0.93 && v.answer.estimate < 0.99);

    CHECK(index_begin(x) == ST_OK); /* what is taken back never was */
    CHECK(index_decide(x, &longer.d.doc, &v) == ST_OK && v.replaced_n == 1);
    index_abort(x);
    CHECK(judge(x, &longer, &v) == VERDICT_KEPT && v.replaced_n == 1);
    CHECK(document_id_equal(&v.replaced[0], &s.d.doc.id));
    CHECK(v.replaced_estimate[0] > 0.93);
    for (int round = 0; round < 2; round++) {
        CHECK(judge(x, &longer, &v) == VERDICT_KEPT && v.known);
        CHECK(v.replaced_n == 0); /* told once */
        x = opened_again(x);
    }
    CHECK(judge(x, &shorter, &v) == VERDICT_NEAR_DUPLICATE);
    CHECK(document_id_equal(&v.answer.of, &longer.d.doc.id));

    equal = s; /* the text that was replaced, elsewhere */
    equal.d.doc.url = S("http://h/elsewhere");
    equal.d.doc.id = document_id_make(equal.d.doc.url, 9);
    CHECK(judge(x, &equal, &v) == VERDICT_NEAR_DUPLICATE);
    CHECK(document_id_equal(&v.answer.of, &longer.d.doc.id));
    CHECK(v.answer.estimate >= 0.8);

    CHECK(judge(x, &more, &v) == VERDICT_KEPT && v.replaced_n == 1);
    CHECK(document_id_equal(&v.replaced[0], &longer.d.doc.id));
    CHECK(index_stat(x, &stat) == ST_OK);
    CHECK(stat.documents == 3 && stat.replaced == 2);
    index_close(x);
    arena_free(a);
    folder_close();
}

/* Stars, not chains: what was removed for the sake of a document has to
 * resemble the one that would replace it. */
static void
nothing_is_removed_that_does_not_resemble_what_stays(void)
{
    struct arena *a = arena_new();
    struct sketched kept, removed, longer;
    struct index_verdict v;
    struct index *x = NULL;

    for (int with = 0; with < 2; with++) {
        folder_open();
        CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
        sketched(&kept, a, 1, 100, 1000, 0, 5000);
        sketched(&removed, a, 2, 190, 1000, 0, 5000);
        sketched(&longer, a, 3, 10, 1000, 0, 6000);
        CHECK(judge(x, &kept, &v) == VERDICT_KEPT);
        if (with == 1)
            CHECK(judge(x, &removed, &v) == VERDICT_NEAR_DUPLICATE);
        x = opened_again(x);
        CHECK(judge(x, &longer, &v) ==
              (with == 1 ? VERDICT_NEAR_DUPLICATE : VERDICT_KEPT));
        CHECK(v.replaced_n == (with == 1 ? 0 : 1));
        if (with == 1)
            CHECK(document_id_equal(&v.answer.of, &kept.d.doc.id));
        index_close(x);
        folder_close();
    }
    arena_free(a);
}

/* a ~ b ~ c ~ ..., each like the next, the ends share nothing. */
static void
chains_are_not_followed(void)
{
    enum { LINKS = 60 };
    struct arena *a = arena_new();
    static struct sketched s[LINKS];
    struct index_verdict v;
    struct index *x = NULL;
    size_t kept = 0;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    for (uint32_t i = 0; i < LINKS; i++) {
        sketched(&s[i], a, i + 1, 60 * i, 1000, 0, 5000 + i % 7);
        if (judge(x, &s[i], &v) == VERDICT_KEPT) {
            kept++;
            continue;
        }
        CHECK(v.answer.estimate >= 0.8);
        for (uint32_t k = 0; k < i; k++)
            if (document_id_equal(&v.answer.of, &s[k].d.doc.id))
                CHECK(signature_resemblance(&s[i].signature, &s[k].signature) >=
                      0.8);
    }
    CHECK(kept >= LINKS / 4 && kept < LINKS);
    index_close(x);
    arena_free(a);
    folder_close();
}

static void
fingerprints_of_another_scheme_are_refused(void)
{
    struct util_doc d;
    struct index_verdict v;
    struct index *x = NULL;

    folder_open();
    CHECK(index_open(&x, folder, 0.8, &plain) == ST_OK);
    CHECK(judge_mutant(x, 1, 0, 1) == VERDICT_KEPT);
    x = opened_again(x);
    CHECK(index_expect(x, S("")) == ST_OK);
    CHECK(index_expect(x, S("onepermutation/100/5/0")) == ST_OK);
    log_threshold = LOG_ERROR + 1;
    CHECK(index_expect(x, S("minima/100/5/1")) == ST_USAGE);
    util_doc(&d, 2, 2, 1);
    d.doc.scheme = S("minima/100/5/1");
    CHECK(index_begin(x) == ST_OK);
    CHECK(index_decide(x, &d.doc, &v) == ST_INVALID);
    log_threshold = LOG_ERROR;
    index_abort(x);
    index_close(x);
    folder_close();
}

/* ---- damage ---- */

static void
change_byte(const char *path, long at)
{
    FILE *f = fopen(path, "r+b");
    int c;

    CHECK(f != NULL && fseek(f, at, SEEK_SET) == 0 && (c = fgetc(f)) != EOF);
    CHECK(fseek(f, at, SEEK_SET) == 0 && fputc(c ^ 0x5a, f) != EOF);
    fclose(f);
}

static void
a_garbled_log_is_refused_and_mended(void)
{
    struct index *x = NULL;
    struct opts o;
    struct buf out = {0};
    uint64_t faults = 0;
    char path[512], log[600];

    folder_open();
    opts_init(&o);
    CHECK(opts_set(&o, "test", S("dedup.map_gib=1")) == ST_OK);
    snprintf(path, sizeof path, "%s/dedup", folder);
    snprintf(log, sizeof log, "%s/records.log", path);
    CHECK(mkdir(path, 0700) == 0);
    CHECK(index_open(&x, path, 0.8, &plain) == ST_OK);
    for (uint64_t i = 0; i < 100; i++)
        CHECK(judge_mutant(x, i, 0, i) == VERDICT_KEPT);
    index_close(x);
    CHECK(dedup_check(folder, &out, &faults) == ST_OK && faults == 0);
    change_byte(log, 32 + 40 * 384 + 2);  /* the length of one */
    change_byte(log, 32 + 70 * 384 + 99); /* the middle of another */
    log_threshold = LOG_ERROR + 1;
    CHECK(index_open(&x, path, 0.8, &plain) == ST_STORE && x == NULL);
    log_threshold = LOG_ERROR;
    CHECK(dedup_check(folder, &out, &faults) == ST_OK && faults == 1);
    CHECK(dedup_repair(folder, &o, &out) == ST_OK);
    buf_char(&out, '\0');
    CHECK(strstr(out.p, "records  98, 2 places of 768 bytes lost") != NULL);
    CHECK(dedup_check(folder, &out, &faults) == ST_OK && faults == 0);
    CHECK(index_open(&x, path, 0.8, &plain) == ST_OK);
    CHECK(judge_mutant(x, 1000, 0, 41) == VERDICT_NEAR_DUPLICATE);
    CHECK(judge_mutant(x, 1001, 0, 40) == VERDICT_KEPT); /* it was lost */
    index_close(x);
    CHECK(truncate(log, 5000) == 0);
    log_threshold = LOG_ERROR + 1;
    CHECK(index_open(&x, path, 0.8, &plain) == ST_USAGE && x == NULL);
    log_threshold = LOG_ERROR;
    CHECK(unlink(log) == 0);
    log_threshold = LOG_ERROR + 1;
    CHECK(index_open(&x, path, 0.8, &plain) == ST_USAGE && x == NULL);
    log_threshold = LOG_ERROR;
    buf_free(&out);
    opts_free(&o);
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
        TEST(what_was_not_synced_is_so_when_an_index_is_opened),
        TEST(texts_whose_digests_share_one_half_are_two),
        TEST(verdicts_are_those_of_a_naive_model),
        TEST(the_shape_of_bands_follows_from_the_threshold),
        TEST(most_pairs_at_the_threshold_are_found),
        TEST(another_threshold_finds_the_documents_of_before),
        TEST(a_crowded_band_is_cut_off_and_counted),
        TEST(documents_too_short_for_shingles_are_never_near),
        TEST(a_visit_has_one_document_whatever_is_fetched),
        TEST(the_longer_copy_stays_also_when_it_comes_later),
        TEST(nothing_is_removed_that_does_not_resemble_what_stays),
        TEST(chains_are_not_followed),
        TEST(fingerprints_of_another_scheme_are_refused),
        TEST(a_garbled_log_is_refused_and_mended),
        TEST(foreign_folders_are_refused_and_left_alone),
        TEST(an_index_of_another_schema_is_refused_and_left_alone),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
