/* Accuracy of duplicate detection against exact resemblance:
 *
 *     real_dedup DOCUMENTS [--near 0.8] [--pairs 20000] [--chains 200]
 *                [--dump FILE N]
 *
 * DOCUMENTS has a document a line, words between blanks.  All of them go to an
 * index of the dedup service; then planted pairs, made of pieces of the
 * documents so that no two share more than chance, 60 to 10,000 shingles long,
 * their resemblance uniform in .5 to .95; then chains, each document like the
 * next and the ends sharing nothing.  A verdict is right when the exact Jaccard
 * index says so.  --dump writes the first N pairs as text, for other tools:
 * number, a or b, exact resemblance, words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../shingle/index/index.h"
#include "../folder.h"
#include "base/log.h"
#include "base/random.h"

enum {
    SIZE = 5,
    PIECE_MIN = 12,
    PIECE_MAX = 40,
    LENGTHS = 6,
    TOKENS_MAX = 24000
};

struct token_hashes {
    uint64_t *hash;
    struct str *text;
    size_t n, room;
    size_t *document; /* where each begins */
    size_t documents_n, documents_room;
};

struct text {
    uint32_t word[TOKENS_MAX]; /* numbers in words */
    uint64_t shingle[TOKENS_MAX], sorted[TOKENS_MAX];
    size_t n, shingles_n, distinct_n;
    struct fingerprint print;
    struct signature signature;
    struct document_id id;
};

static struct token_hashes words;
static struct index *the_index;
static struct fingerprinter *fingerprinter;
static double near = 0.8;
static uint64_t number; /* of the next document */

/* ---- documents ---- */

static void
add_word(struct str w)
{
    if (words.n == words.room) {
        words.room = words.room * 2 + 1024;
        words.hash = realloc(words.hash, words.room * sizeof *words.hash);
        words.text = realloc(words.text, words.room * sizeof *words.text);
        if (words.hash == NULL || words.text == NULL)
            exit(1);
    }
    words.hash[words.n] = hash64(w);
    words.text[words.n++] = w;
}

static void
begin_document(void)
{
    if (words.documents_n == words.documents_room) {
        words.documents_room = words.documents_room * 2 + 1024;
        words.document = realloc(words.document,
                                 words.documents_room * sizeof *words.document);
        if (words.document == NULL)
            exit(1);
    }
    words.document[words.documents_n++] = words.n;
}

static void
read_documents(const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;

    if (f == NULL) {
        perror(path);
        exit(1);
    }
    while ((n = getline(&line, &room, f)) > 0) {
        char *text = memcpy(malloc((size_t)n), line, (size_t)n);
        size_t from = 0;

        begin_document();
        for (size_t i = 0; i < (size_t)n; i++)
            if (text[i] == ' ' || text[i] == '\n') {
                if (i > from)
                    add_word(str_n(text + from, i - from));
                from = i + 1;
            }
    }
    free(line);
    fclose(f);
}

static int
compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Shingles, sketches and the sorted set of a text whose words are there. */
static void
finish(struct text *t, struct arena *a)
{
    static uint64_t token[TOKENS_MAX];

    for (size_t i = 0; i < t->n; i++)
        token[i] = words.hash[t->word[i]];
    t->shingles_n = shingles_make(token, t->n, SIZE, t->shingle);
    memcpy(t->sorted, t->shingle, t->shingles_n * sizeof *t->sorted);
    qsort(t->sorted, t->shingles_n, sizeof *t->sorted, compare_hashes);
    t->distinct_n = 0;
    for (size_t i = 0; i < t->shingles_n; i++)
        if (i == 0 || t->sorted[i] != t->sorted[i - 1])
            t->sorted[t->distinct_n++] = t->sorted[i];
    fingerprinter_make(fingerprinter, t->shingle, t->shingles_n, &t->print);
    signature_make(t->shingle, t->shingles_n, a, &t->signature);
}

static double
exact(const struct text *a, const struct text *b)
{
    size_t i = 0, k = 0, both = 0;

    while (i < a->distinct_n && k < b->distinct_n) {
        both += a->sorted[i] == b->sorted[k];
        if (a->sorted[i] <= b->sorted[k]) {
            k += a->sorted[i] == b->sorted[k];
            i++;
        } else {
            k++;
        }
    }
    return (double)both / (double)(a->distinct_n + b->distinct_n - both);
}

static void
take_document(struct text *t, size_t i)
{
    size_t from = words.document[i],
           to = i + 1 < words.documents_n ? words.document[i + 1] : words.n;

    t->n = to - from < TOKENS_MAX ? to - from : TOKENS_MAX;
    for (size_t k = 0; k < t->n; k++)
        t->word[k] = (uint32_t)(from + k);
}

/* ---- verdicts ---- */

static struct index_verdict
put(struct text *t)
{
    struct index_verdict v;
    char url[40];
    struct dedup_document doc = {.fingerprint = &t->print,
                                 .signature = &t->signature,
                                 .text_bytes = t->n};

    snprintf(url, sizeof url, "http://d/%llu", (unsigned long long)number);
    doc.url = str_c(url);
    doc.id = t->id = document_id_make(doc.url, number++);
    for (size_t i = 0; i < t->n; i++) { /* the text's digest, more or less */
        doc.digest.high = hash_mix(doc.digest.high + words.hash[t->word[i]]);
        doc.digest.low = hash_mix(doc.digest.low ^ doc.digest.high);
    }
    if (index_begin(the_index) != ST_OK ||
        index_decide(the_index, &doc, &v) != ST_OK ||
        index_commit(the_index) != ST_OK)
        exit(1);
    return v;
}

struct tally {
    size_t right, wrong, missed, left; /* removed rightly, wrongly ... */
    size_t removed_below;  /* the verdict's own estimate below the threshold */
    double squares, least; /* of estimates; exact resemblance of what went */
    size_t estimates;
};

static void
show(const char *what, const struct tally *t)
{
    printf("%-22s precision %.4f recall %.4f (%zu right, %zu wrong, %zu "
           "missed) rmse %.4f least removed %.3f below threshold %zu\n",
           what,
           (double)t->right / (double)(t->right + t->wrong + (t->right == 0)),
           (double)t->right / (double)(t->right + t->missed + (t->right == 0)),
           t->right, t->wrong, t->missed,
           sqrt(t->squares / (double)(t->estimates + (t->estimates == 0))),
           t->least, t->removed_below);
}

static void
judge(struct tally *t, double truth, bool removed, double estimate)
{
    if (removed) {
        t->right += truth >= near;
        t->wrong += truth < near;
        t->removed_below += estimate < near;
        if (truth < t->least)
            t->least = truth;
    } else {
        t->missed += truth >= near;
        t->left += truth < near;
    }
}

/* All documents; what is removed is compared exactly with what stays. */
static void
real_documents(void)
{
    struct text *t = malloc(sizeof *t), *other = malloc(sizeof *other);
    struct document_id *id = calloc(words.documents_n, sizeof *id);
    struct arena *a = arena_new(), *b = arena_new();
    struct tally tally = {.least = 1};
    size_t equal = 0, kept = 0, replaced = 0;

    if (t == NULL || other == NULL || id == NULL)
        exit(1);
    for (size_t i = 0; i < words.documents_n; i++) {
        struct index_verdict v;

        take_document(t, i);
        arena_reset(a);
        finish(t, a);
        v = put(t);
        id[i] = t->id;
        kept += v.answer.verdict == VERDICT_KEPT;
        replaced += v.replaced_n;
        equal += v.answer.verdict == VERDICT_EXACT_DUPLICATE;
        for (size_t k = 0; k < i; k++) {
            bool of = v.answer.verdict == VERDICT_NEAR_DUPLICATE &&
                      document_id_equal(&id[k], &v.answer.of);
            double estimate = v.answer.estimate;

            for (size_t r = 0; r < v.replaced_n && !of; r++) {
                of = document_id_equal(&id[k], &v.replaced[r]);
                estimate = v.replaced_estimate[r];
            }
            if (!of)
                continue;
            take_document(other, k);
            arena_reset(b);
            finish(other, b);
            judge(&tally, exact(t, other), true, estimate);
        }
    }
    printf("documents %zu kept %zu equal %zu replaced %zu\n", words.documents_n,
           kept, equal, replaced);
    show("real near-duplicates", &tally);
    free(t);
    free(other);
    free(id);
    arena_free(a);
    arena_free(b);
}

/* ---- planted pairs ---- */

static void
add_piece(struct text *t, size_t most, struct random *r)
{
    size_t n = PIECE_MIN + random_below(r, PIECE_MAX - PIECE_MIN);
    size_t from = random_below(r, words.n - PIECE_MAX);

    for (size_t i = 0; i < n && t->n < most; i++)
        t->word[t->n++] = (uint32_t)(from + i);
}

/* `a`, of so many shingles, and `b`, which is it but for a run of words that
 * went, came or changed. */
static void
plant(struct text *a, struct text *b, size_t shingles_n, double resemblance,
      struct random *r)
{
    size_t n = shingles_n + SIZE - 1, at, gone, come;
    uint64_t kind = random_below(r, 3);

    a->n = b->n = 0;
    while (a->n < n)
        add_piece(a, n, r);
    gone = (size_t)((double)n * (1 - resemblance) /
                    (kind == 0 ? 1 + resemblance : 1));
    come = kind == 0 ? gone : 0;
    if (kind == 2) {
        come = (size_t)((double)n * (1 / resemblance - 1));
        gone = 0;
    }
    at = random_below(r, n - gone + 1);
    memcpy(b->word, a->word, at * sizeof *b->word);
    b->n = at;
    while (b->n < at + come)
        add_piece(b, at + come, r);
    memcpy(b->word + b->n, a->word + at + gone,
           (n - at - gone) * sizeof *b->word);
    b->n += n - at - gone;
}

static void
dump(FILE *f, size_t i, char which, double truth, const struct text *t)
{
    fprintf(f, "%zu\t%c\t%.6f\t", i, which, truth);
    for (size_t k = 0; k < t->n; k++)
        fprintf(f, "%s%.*s", k > 0 ? " " : "", STRF(words.text[t->word[k]]));
    fputc('\n', f);
}

static void
planted_pairs(size_t pairs, FILE *f, size_t dumped)
{
    static const size_t length[LENGTHS + 1] = {60,   150,  400,  1000,
                                               2500, 6000, 10001};
    struct text *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    struct arena *arena = arena_new();
    struct tally all = {.least = 1}, by[LENGTHS];
    struct random r = random_seed(7);
    char name[64];

    if (a == NULL || b == NULL)
        exit(1);
    for (size_t i = 0; i < LENGTHS; i++)
        by[i] = (struct tally){.least = 1};
    for (size_t i = 0; i < pairs; i++) {
        size_t l = i % LENGTHS;
        size_t n = length[l] + random_below(&r, length[l + 1] - length[l]);
        struct index_verdict va, vb;
        double truth, e;
        bool removed;

        plant(a, b, n, 0.5 + 0.45 * random_unit(&r), &r);
        arena_reset(arena);
        finish(a, arena);
        finish(b, arena);
        truth = exact(a, b);
        if (i < dumped) {
            dump(f, i, 'a', truth, a);
            dump(f, i, 'b', truth, b);
        }
        va = put(a);
        vb = put(b);
        if (va.answer.verdict != VERDICT_KEPT)
            continue;
        e = signature_resemblance(&a->signature, &b->signature) - truth;
        all.squares += e * e;
        by[l].squares += e * e;
        all.estimates++;
        by[l].estimates++;
        removed =
            vb.answer.verdict == VERDICT_NEAR_DUPLICATE || vb.replaced_n > 0;
        e = vb.replaced_n > 0 ? vb.replaced_estimate[0] : vb.answer.estimate;
        judge(&all, truth, removed, e);
        judge(&by[l], truth, removed, e);
    }
    for (size_t i = 0; i < LENGTHS; i++) {
        snprintf(name, sizeof name, "pairs of %zu-%zu", length[i],
                 length[i + 1] - 1);
        show(name, &by[i]);
    }
    show("all pairs", &all);
    free(a);
    free(b);
    arena_free(arena);
}

/* ---- chains ---- */

static void
planted_chains(size_t chains)
{
    enum { LINKS = 40, LENGTH = 600, STEP = 40 };
    static uint32_t stream[LENGTH + LINKS * STEP];
    static struct text link[LINKS], whole;
    struct arena *arena = arena_new();
    struct random r = random_seed(8);
    struct tally tally = {.least = 1};
    size_t kept = 0;

    for (size_t c = 0; c < chains; c++) {
        arena_reset(arena);
        whole.n = 0;
        while (whole.n < LENGTH + LINKS * STEP)
            add_piece(&whole, LENGTH + LINKS * STEP, &r);
        memcpy(stream, whole.word, sizeof stream);
        for (size_t i = 0; i < LINKS; i++) {
            struct index_verdict v;

            link[i].n = LENGTH + random_below(&r, 30); /* of unequal length */
            memcpy(link[i].word, stream + i * STEP, link[i].n * sizeof *stream);
            finish(&link[i], arena);
            v = put(&link[i]);
            kept += v.answer.verdict == VERDICT_KEPT;
            for (size_t k = 0; k < i; k++) {
                if (v.answer.verdict == VERDICT_NEAR_DUPLICATE &&
                    document_id_equal(&link[k].id, &v.answer.of))
                    judge(&tally, exact(&link[i], &link[k]), true,
                          v.answer.estimate);
                for (size_t q = 0; q < v.replaced_n; q++)
                    if (document_id_equal(&link[k].id, &v.replaced[q]))
                        judge(&tally, exact(&link[i], &link[k]), true,
                              v.replaced_estimate[q]);
            }
        }
    }
    printf("chains %zu of %d links, %zu of %zu documents kept\n", chains, LINKS,
           kept, chains * LINKS);
    show("links of chains", &tally);
    arena_free(arena);
}

/* ---- values ---- */

/* Resemblance by the values of each family, over planted pairs. */
static void
families(size_t pairs)
{
    static const struct fingerprint_scheme scheme[] = {
        {FINGERPRINT_ONEPERMUTATION, 100, SIZE, 0},
        {FINGERPRINT_MINIMA, 100, SIZE, 1},
        {FINGERPRINT_RABIN, 100, SIZE, 1}};
    static const char *const name[] = {"onepermutation", "minima", "rabin"};
    struct text *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    struct arena *arena = arena_new();

    if (a == NULL || b == NULL)
        exit(1);
    for (size_t s = 0; s < 3; s++) {
        struct fingerprinter *f;
        struct random r = random_seed(9);
        double sum = 0, squares = 0, theory = 0;

        if (fingerprinter_open(&f, &scheme[s]) != ST_OK)
            exit(1);
        for (size_t i = 0; i < pairs; i++) {
            struct fingerprint x, y;
            double truth, e;

            plant(a, b, 60 + random_below(&r, 1500),
                  0.5 + 0.45 * random_unit(&r), &r);
            arena_reset(arena);
            finish(a, arena);
            finish(b, arena);
            truth = exact(a, b);
            fingerprinter_make(f, a->shingle, a->shingles_n, &x);
            fingerprinter_make(f, b->shingle, b->shingles_n, &y);
            e = fingerprint_resemblance(&x, &y) - truth;
            sum += e;
            squares += e * e;
            theory += truth * (1 - truth) / 100;
        }
        printf("%-15s bias %+.5f rmse %.5f, %.3f of sqrt(J(1-J)/100)\n",
               name[s], sum / (double)pairs, sqrt(squares / (double)pairs),
               sqrt(squares / theory));
        fingerprinter_close(f);
    }
    free(a);
    free(b);
    arena_free(arena);
}

int
main(int argc, char **argv)
{
    const struct store_options o = {.map_gib = 8, .sync = S("none")};
    const struct fingerprint_scheme scheme = {FINGERPRINT_ONEPERMUTATION, 100,
                                              SIZE, 0};
    size_t pairs = 20000, chains = 200, dumped = 0;
    FILE *f = NULL;

    for (int i = 2; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--near") == 0)
            near = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--pairs") == 0)
            pairs = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--chains") == 0)
            chains = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--dump") == 0 && i + 2 < argc) {
            f = fopen(argv[i + 1], "w");
            dumped = strtoull(argv[++i + 1], NULL, 10);
        }
    }
    if (argc < 2 || (dumped > 0 && f == NULL))
        return 2;
    log_threshold = LOG_WARN;
    folder_open();
    read_documents(argv[1]);
    if (words.n < 100000 ||
        fingerprinter_open(&fingerprinter, &scheme) != ST_OK ||
        index_open(&the_index, folder, near, &o) != ST_OK)
        return 1;
    families(3000);
    real_documents();
    planted_pairs(pairs, f, dumped);
    planted_chains(chains);
    if (f != NULL)
        fclose(f);
    index_close(the_index);
    fingerprinter_close(fingerprinter);
    folder_close();
    return 0;
}
