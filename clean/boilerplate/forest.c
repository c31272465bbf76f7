/* forest.c -- see forest.h.  The file is outside input: every number is
 * checked, so that no index can leave the row. */
#include "forest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "model_text.h"

#define LEAF_SCALE 1e4f

static const char no_memory[] = "out of memory";
static const struct str magic = STR("winnow forest 1\n");

static bool
read_whole(struct str text, struct str key, uint32_t max, uint32_t *out)
{
    struct str value;
    double x;

    if (!model_text_find(text, key, &value) || !model_text_number(&value, &x) ||
        x < 1 || x > max || fmod(x, 1) > 0)
        return false;
    *out = (uint32_t)x;
    return true;
}

static bool
read_tree(struct forest_tree *tree, struct str line, uint32_t inputs_n)
{
    double x, limit;

    for (uint32_t d = 0; d < FOREST_DEPTH; d++) {
        if (!model_text_number(&line, &x) || x < 0 || x >= inputs_n ||
            fmod(x, 1) > 0 || !model_text_number(&line, &limit))
            return false;
        tree->input[d] = (uint16_t)x;
        tree->limit[d] = (float)limit;
    }
    for (uint32_t i = 0; i < FOREST_LEAVES; i++) {
        if (!model_text_number(&line, &x) || fabs(x) > 1000)
            return false;
        tree->leaf[i] =
            fminf(fmaxf((float)x, -FOREST_LEAF_MAX), FOREST_LEAF_MAX);
    }
    return str_trim(line).n == 0;
}

static const char *
read_forest(struct forest *f, struct str text)
{
    struct str value, line;
    double x;

    if (!str_starts(text, magic))
        return "not a 'winnow forest 1' file";
    if (!read_whole(text, S("inputs"), FOREST_INPUTS_MAX, &f->inputs_n))
        return "no inputs, or out of range";
    if (!read_whole(text, S("trees"), FOREST_TREES_MAX, &f->trees_n))
        return "no trees, or out of range";
    if (!model_text_find(text, S("base"), &value) ||
        !model_text_number(&value, &x) || fabs(x) > 1000)
        return "no base, or out of range";
    f->base = (float)x;
    if ((f->tree = memory_zero(f->trees_n, sizeof *f->tree)) == NULL)
        return no_memory;
    for (int i = 0; i < 4; i++)
        if (!str_cut(&text, '\n', &line))
            return "too few lines";
    for (uint32_t t = 0; t < f->trees_n; t++)
        if (!str_cut(&text, '\n', &line) ||
            !read_tree(&f->tree[t], line, f->inputs_n))
            return "a broken tree";
    return NULL;
}

enum status
forest_parse(struct forest **out, struct str text, const char **fault)
{
    struct forest *f = memory_zero(1, sizeof *f);
    enum status st;

    *out = NULL;
    *fault = no_memory;
    if (f == NULL)
        return ST_NOMEM;
    if ((*fault = read_forest(f, text)) == NULL) {
        if ((st = forest_pack(f)) == ST_OK) {
            *out = f;
            return ST_OK;
        }
        *fault = st == ST_NOMEM ? no_memory : "too many limits of an input";
    }
    forest_free(f);
    return *fault == no_memory ? ST_NOMEM : ST_INVALID;
}

enum status
forest_load(struct forest **out, const char *path)
{
    const char *fault = "file too large";
    struct buf text = {0};
    enum status st = file_read(&text, path, FOREST_FILE_BYTES);

    *out = NULL;
    if (st == ST_IO) {
        log_error("boilerplate", "cannot read the forest %s: %s", path,
                  strerror(errno));
    } else {
        st = st == ST_OK ? forest_parse(out, buf_view(&text), &fault)
                         : ST_INVALID;
        if (st != ST_OK)
            log_error("boilerplate", "%s is no forest for Winnow: %s", path,
                      fault);
    }
    buf_free(&text);
    return st;
}

static void
write_forest(const void *model, FILE *to)
{
    const struct forest *f = model;

    fprintf(to, "%.*sinputs=%u\ntrees=%u\nbase=%.6f\n", STRF(magic),
            f->inputs_n, f->trees_n, (double)f->base);
    for (uint32_t t = 0; t < f->trees_n; t++) {
        const struct forest_tree *tree = &f->tree[t];

        for (uint32_t d = 0; d < FOREST_DEPTH; d++)
            fprintf(to, "%u %.9g ", tree->input[d], (double)tree->limit[d]);
        for (uint32_t i = 0; i < FOREST_LEAVES; i++)
            fprintf(to, "%.4f%c", (double)tree->leaf[i],
                    i + 1 < FOREST_LEAVES ? ' ' : '\n');
    }
}

enum status
forest_save(const struct forest *f, const char *path)
{
    return model_text_save(path, write_forest, f);
}

void
forest_free(struct forest *f)
{
    if (f == NULL)
        return;
    memory_free(f->tree);
    memory_free(f->packed);
    memory_free(f->limit);
    memory_free(f->input);
    memory_free(f->limits_n);
    memory_free(f);
}

/* ---- for running ---- */

struct question { /* of tree `tree` in level `level` */
    float limit;
    uint16_t input, level;
    uint32_t tree;
};

static int
by_input(const void *x, const void *y)
{
    const struct question *a = x, *b = y;

    if (a->input != b->input)
        return a->input < b->input ? -1 : 1;
    return (a->limit > b->limit) - (a->limit < b->limit);
}

static void
list_questions(const struct forest *f, struct question *q)
{
    for (uint32_t t = 0; t < f->trees_n; t++)
        for (uint32_t d = 0; d < FOREST_DEPTH; d++)
            *q++ = (struct question){f->tree[t].limit[d], f->tree[t].input[d],
                                     (uint16_t)d, t};
}

/* Where the bins of an input stand, and over which one a question asks.  False:
 * too many limits for a byte. */
static bool
pack_questions(struct forest *f, const struct question *q, uint32_t n)
{
    uint16_t *input = f->input, *limits_n = f->limits_n;
    float *limit = f->limit;

    for (uint32_t i = 0; i < n; i++) {
        struct simd_tree *to = &f->packed[q[i].tree];
        bool other_input = i == 0 || q[i].input != q[i - 1].input;

        if (other_input) {
            input[f->columns_n] = q[i].input;
            limits_n[f->columns_n++] = 0;
        }
        if (other_input || q[i].limit > q[i - 1].limit) {
            if (limits_n[f->columns_n - 1]++ == SIMD_BINS_MAX)
                return false;
            *limit++ = q[i].limit;
        }
        to->column[q[i].level] = (uint16_t)(f->columns_n - 1);
        to->over[q[i].level] = (int8_t)(limits_n[f->columns_n - 1] - 1);
    }
    return true;
}

/* The leaves of trees up to one that is `last` add up within 16 bits. */
static void
pack_leaves(struct forest *f)
{
    int32_t behind = 0;

    for (uint32_t t = f->trees_n; t-- > 0;) {
        struct simd_tree *to = &f->packed[t];
        int32_t most = 0;

        for (uint32_t i = 0; i < FOREST_LEAVES; i++) {
            int32_t value = (int32_t)lrintf(f->tree[t].leaf[i] * LEAF_SCALE);

            to->low[i] = (uint8_t)(value & 0xff);
            to->high[i] = (uint8_t)(value >> 8 & 0xff);
            most = abs(value) > most ? abs(value) : most;
        }
        to->last = t + 1 == f->trees_n || behind + most > INT16_MAX;
        behind = to->last ? most : behind + most;
    }
}

enum status
forest_pack(struct forest *f)
{
    const uint32_t n = f->trees_n * FOREST_DEPTH;
    struct question *q = memory_zero(n, sizeof *q);
    enum status st = ST_NOMEM;

    f->packed = memory_zero(f->trees_n, sizeof *f->packed);
    f->limit = memory_zero(n, sizeof *f->limit);
    f->input = memory_zero(f->inputs_n, sizeof *f->input);
    f->limits_n = memory_zero(f->inputs_n, sizeof *f->limits_n);
    if (q != NULL && f->packed != NULL && f->limit != NULL &&
        f->input != NULL && f->limits_n != NULL) {
        list_questions(f, q);
        qsort(q, n, sizeof *q, by_input);
        st = pack_questions(f, q, n) ? ST_OK : ST_INVALID;
        pack_leaves(f);
    }
    memory_free(q);
    return st;
}

void
forest_run(const struct forest *f, const float *const *column,
           const uint32_t *from, uint32_t groups, uint8_t *bins, float *logit)
{
    const struct simd_limits limits = {f->columns_n, f->input, f->limits_n,
                                       f->limit};
    const uint32_t even = groups + groups % 2; /* the last one twice */
    uint32_t first[FOREST_GROUPS];
    int32_t sums[SIMD_ROWS_MAX] = {0};

    for (uint32_t g = 0; g < even; g++)
        first[g] = from[g < groups ? g : groups - 1];
    simd_bins(&limits, column, first, even, bins);
    simd_trees(f->packed, f->trees_n, bins, even * FOREST_ROWS, sums);
    for (uint32_t r = 0; r < groups * FOREST_ROWS; r++)
        logit[r] = f->base + (float)sums[r] / LEAF_SCALE;
}
