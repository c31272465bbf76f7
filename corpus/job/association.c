/* association.c -- job association: how much two words have to do with each
 * other, from counts of pairs.
 *
 * map takes lines of ngram n=2 ("left right", N) or cooccurrence ("left@@-2
 * right@@+2", N) and says each count four times: for the pair, for the word on
 * each side, and for all pairs of that distance.  The keys of the sums begin
 * with a byte below the blank, so the one reduce has them all before the first
 * pair: in memory are the words of both sides, 16 bytes and a free place each.
 *
 * Of a pair counted n times, with e = left * right / all expected:
 *   log-likelihood  2 * sum of o * ln(o / e) over the four cells (Dunning 1993)
 *   Dice            2 * n / (left + right)
 *   PMI             log2(n / e)
 *   t-score         (n - e) / sqrt(n)
 */
#include <inttypes.h>
#include <math.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "job.h"
#include "job_sum.h"

enum { REJECTED, PAIRS, WRITTEN, NO_SUMS };

/* What the keys of sums begin with: of all pairs, of a word on a side. */
static const char ALL = '\001', LEFT = '\002', RIGHT = '\003';

/* ---- map ---- */

struct pair {
    struct str left, right, distance; /* with their marks; "" or "2" */
};

/* What stands behind the mark and the sign at the end of a word, if that is a
 * number; or "".  Words are anybody's: "x@@-1);" is one. */
static struct str
distance_of(struct str word, struct str mark, char sign)
{
    size_t at = word.n;

    while (at > 0 && ascii_digit(word.p[at - 1]))
        at--;
    if (mark.n == 0 || at == word.n || at <= mark.n || word.p[at - 1] != sign ||
        !str_eq(str_sub(word, at - 1 - mark.n, at - 1), mark))
        return S("");
    return str_sub(word, at, word.n);
}

/* Words that do not both say the same distance are a bigram's. */
static bool
split_pair(struct str key, struct str mark, struct pair *p)
{
    size_t blank = str_find(key, ' ', 0);

    p->left = str_sub(key, 0, blank);
    p->right = str_sub(key, blank + 1, key.n);
    p->distance = distance_of(p->left, mark, '-');
    if (!str_eq(p->distance, distance_of(p->right, mark, '+')))
        p->distance = S("");
    return p->left.n > 0 && p->right.n > 0 &&
           str_find(p->right, ' ', 0) == p->right.n &&
           (unsigned char)key.p[0] > ' ';
}

static void
put_sum(struct job_run *r, struct buf *out, char kind, struct str of,
        struct str n)
{
    buf_clear(out);
    buf_char(out, kind);
    buf_printf(out, "%.*s\t%.*s", STRF(of), STRF(n));
    job_put(r, buf_view(out));
}

static void
map(struct job_run *r)
{
    struct str mark = job_option_text(r, "mark"), line, key, value;
    struct buf out = {0};

    while (job_line(r, &line)) {
        struct pair p;
        uint64_t n;

        if (!job_split(line, &key, &value) || !str_u64(value, &n) || n == 0 ||
            !split_pair(key, mark, &p)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        put_sum(r, &out, ALL, p.distance, value);
        put_sum(r, &out, LEFT, p.left, value);
        put_sum(r, &out, RIGHT, p.right, value);
        job_put(r, line);
    }
    buf_free(&out);
}

static void
combine(struct job_run *r)
{
    job_sum(r, 0, REJECTED, NO_SUMS + 1, NO_SUMS + 2);
}

/* ---- reduce ---- */

struct sum_slot {
    uint64_t hash, n; /* hash 0: free */
};

static bool
slot_used(const void *slot)
{
    return ((const struct sum_slot *)slot)->hash != 0;
}

static bool
slot_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return ((const struct sum_slot *)slot)->hash == *(const uint64_t *)key;
}

static uint64_t
slot_hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct sum_slot *)slot)->hash;
}

static const struct hashmap_kind sum_kind = {sizeof(struct sum_slot), slot_used,
                                             slot_equal, slot_hash, NULL};

struct association {
    struct job_run *r;
    struct hashmap sums;
    struct str mark;
    uint64_t least;
    double likelihood_min;
    bool sql;

    struct buf key, out; /* the pair whose lines are being added up */
    uint64_t n;
};

/* A small seed would do no more than change a bit of a short word: "den" with
 * one kind is "dem" with another. */
static uint64_t
key_of(char kind, struct str text)
{
    uint64_t h = hash_mix(hash64(text) + (unsigned char)kind);

    return h != 0 ? h : 1;
}

static void
add_sum(struct association *a, struct str key, uint64_t n)
{
    uint64_t hash = key_of(key.p[0], str_sub(key, 1, key.n));
    struct sum_slot *s = hashmap_put(&a->sums, &sum_kind, a, hash, &hash);

    s->hash = hash;
    s->n += n;
}

static double
sum_of(const struct association *a, char kind, struct str text)
{
    uint64_t hash = key_of(kind, text);
    const struct sum_slot *s =
        hashmap_find(&a->sums, &sum_kind, a, hash, &hash);

    return s->hash != 0 ? (double)s->n : 0;
}

static double
cell(double o, double e)
{
    return o > 0 && e > 0 ? o * log(o / e) : 0;
}

static double
likelihood(double n, double left, double right, double all)
{
    double o[2][2] = {{n, left - n}, {right - n, all - left - right + n}};
    double row[2] = {left, all - left}, column[2] = {right, all - right};
    double sum = 0;

    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            sum += cell(o[i][k], row[i] * column[k] / all);
    return 2 * sum;
}

/* The word without its mark. */
static struct str
bare(struct str word, const struct pair *p, struct str mark)
{
    return p->distance.n == 0
               ? word
               : str_sub(word, 0, word.n - p->distance.n - 1 - mark.n);
}

/* As SQL has texts: in quotes, those inside twice. */
static void
add_text(struct association *a, struct str s)
{
    if (!a->sql) {
        buf_str(&a->out, s);
        return;
    }
    buf_char(&a->out, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_char(&a->out, '\'');
        buf_char(&a->out, s.p[i]);
    }
    buf_char(&a->out, '\'');
}

static void
put_pair(struct association *a, const struct pair *p)
{
    double n = (double)a->n, left = sum_of(a, LEFT, p->left),
           right = sum_of(a, RIGHT, p->right),
           all = sum_of(a, ALL, p->distance), e = left * right / all, score;
    char between = a->sql ? ',' : '\t';

    if (all <= 0 || left < n || right < n) {
        job_count(a->r, NO_SUMS, 1);
        return;
    }
    score = likelihood(n, left, right, all);
    if (a->n < a->least || score < a->likelihood_min)
        return;
    buf_clear(&a->out);
    if (a->sql)
        buf_c(&a->out, "INSERT INTO pairs VALUES(");
    add_text(a, bare(p->left, p, a->mark));
    buf_char(&a->out, between);
    add_text(a, bare(p->right, p, a->mark));
    buf_printf(&a->out, "%c%.*s%c%" PRIu64 "%c%.0f%c%.0f", between,
               STRF(p->distance.n > 0 ? p->distance : S("1")), between, a->n,
               between, left, between, right);
    buf_printf(&a->out, "%c%.4f%c%.6g%c%.4f%c%.4f%s", between, score, between,
               2 * n / (left + right), between, log2(n / e), between,
               (n - e) / sqrt(n), a->sql ? ");" : "");
    job_put(a->r, buf_view(&a->out));
    job_count(a->r, WRITTEN, 1);
}

static void
finish(struct association *a)
{
    struct str key = buf_view(&a->key);
    struct pair p;

    if (key.n > 0 && (unsigned char)key.p[0] < ' ') {
        add_sum(a, key, a->n);
    } else if (key.n > 0 && split_pair(key, a->mark, &p)) {
        job_count(a->r, PAIRS, 1);
        put_pair(a, &p);
    }
    buf_clear(&a->key);
    a->n = 0;
}

static void
put_head(struct association *a)
{
    if (!a->sql) {
        job_put(a->r, S("left\tright\tdistance\tn\tn_left\tn_right\t"
                        "log_likelihood\tdice\tpmi\tt_score"));
        return;
    }
    job_put(a->r, S("BEGIN;"));
    job_put(a->r, S("CREATE TABLE IF NOT EXISTS pairs(left TEXT, right TEXT, "
                    "distance INTEGER, n INTEGER, n_left INTEGER, n_right "
                    "INTEGER, log_likelihood REAL, dice REAL, pmi REAL, "
                    "t_score REAL);"));
}

static void
reduce(struct job_run *r)
{
    struct association a = {
        .r = r,
        .mark = job_option_text(r, "mark"),
        .least = job_option(r, "min-count"),
        .likelihood_min = (double)job_option(r, "likelihood-min"),
        .sql = str_eq(job_option_text(r, "form"), S("sql"))};
    struct str line, key, value;

    hashmap_init(&a.sums, &sum_kind, NULL, 1024);
    put_head(&a);
    while (job_line(r, &line)) {
        uint64_t n;

        if (!job_split(line, &key, &value) || key.n == 0 ||
            !str_u64(value, &n) || n == 0) {
            job_count(r, REJECTED, 1);
            continue;
        }
        if (!str_eq(key, buf_view(&a.key))) {
            finish(&a);
            buf_str(&a.key, key);
        }
        a.n += n;
    }
    finish(&a);
    if (a.sql)
        job_put(r, S("COMMIT;"));
    hashmap_free(&a.sums);
    buf_free(&a.key);
    buf_free(&a.out);
}

const struct corpus_job job_association = {
    .name = "association",
    .summary = "Log-likelihood, Dice, PMI and t-score of pairs of words.",
    .lines = "map: lines of ngram n=2 or of cooccurrence -> these, and sums of "
             "words; combine: sums; reduce: a table, columns by TABs or SQL",
    .phase = {map, combine, reduce},
    .one_reduce = true,
    .options = {JOB_TEXT("form", "tsv",
                         "sql: for sqlite3 (a table named pairs).", "tsv sql"),
                JOB_NUMBER("min-count", "2", "What is rarer is left out.", 1,
                           UINT64_C(1000000000000)),
                JOB_NUMBER("likelihood-min", "0",
                           "What has a lower log-likelihood is left out.", 0,
                           1000000000),
                JOB_TEXT("mark", "@@", "What stands before the distance.",
                         NULL)},
    .counters = {JOB_LINES_REJECTED, "pairs", "pairs written",
                 "pairs without sums", "keys combined", "keys written"},
};
