/* Aim: of near-duplicates the longest stays, whenever it comes, and nothing
 * goes that does not resemble what stays. */
#include "index_case.h"

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

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_longer_copy_stays_also_when_it_comes_later),
        TEST(nothing_is_removed_that_does_not_resemble_what_stays),
        TEST(chains_are_not_followed),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
