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
read_tree(struct simd_tree *tree, struct str line, uint32_t inputs_n)
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
        tree->leaf[i] = (float)x;
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

    *out = NULL;
    *fault = no_memory;
    if (f == NULL)
        return ST_NOMEM;
    if ((*fault = read_forest(f, text)) == NULL) {
        *out = f;
        return ST_OK;
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
        const struct simd_tree *tree = &f->tree[t];

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
    memory_free(f);
}

void
forest_run(const struct forest *f, const float *const *column,
           const uint32_t *from, uint32_t groups, float *logit)
{
    for (uint32_t r = 0; r < groups * FOREST_ROWS; r++)
        logit[r] = f->base;
    simd_trees(logit, f->tree, f->trees_n, column, from, groups);
}
