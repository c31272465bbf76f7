/* page_kind.c -- see page_kind.h.  The file is outside input: every number is
 * checked.  No state. */
#include "page_kind.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "model_text.h"

#define CLIP 4.f /* of scaled inputs: no page is further from the mean */

static const struct str magic = STR("winnow page kinds 1\n");

static void
add(float *sum, const float *row, uint32_t n, float weight)
{
    for (uint32_t i = 0; i < n; i++)
        sum[i] += weight * row[i];
}

void
page_kind_inputs(const struct features *f, const float *p,
                 float out[PAGE_KIND_INPUTS_N])
{
    float *local = out + FEATURES_PAGE_N, *around = local + FEATURES_LOCAL_N;
    float all = 1e-6f;

    memset(out, 0, PAGE_KIND_INPUTS_N * sizeof *out);
    memcpy(out, f->page, sizeof f->page);
    for (uint32_t i = 0; i < f->n; i++) {
        float words = p[i] * (float)f->place[i].words;

        add(local, f->local[i], FEATURES_LOCAL_N, words);
        add(around, f->around[i], PAGE_KIND_AROUND_N, words);
        all += words;
    }
    for (uint32_t i = FEATURES_PAGE_N; i < PAGE_KIND_INPUTS_N; i++)
        out[i] /= all;
}

void
page_kind_shares(const struct page_kind_model *m, float in[PAGE_KIND_INPUTS_N],
                 float share[PAGE_KINDS_N])
{
    float most = -1e9f, sum = 0;

    for (uint32_t i = 0; i < PAGE_KIND_INPUTS_N; i++)
        in[i] = fmaxf(-CLIP, fminf(CLIP, (in[i] - m->mean[i]) * m->scale[i]));
    for (int k = 0; k < PAGE_KINDS_N; k++) {
        share[k] = m->weight[k][PAGE_KIND_INPUTS_N];
        for (uint32_t i = 0; i < PAGE_KIND_INPUTS_N; i++)
            share[k] += m->weight[k][i] * in[i];
        most = fmaxf(most, share[k]);
    }
    for (int k = 0; k < PAGE_KINDS_N; k++)
        sum += share[k] = expf(share[k] - most);
    for (int k = 0; k < PAGE_KINDS_N; k++)
        share[k] /= sum;
}

void
page_kind_run(const struct page_kind_model *m, struct features *f,
              const float *p)
{
    float in[PAGE_KIND_INPUTS_N];

    page_kind_inputs(f, p, in);
    page_kind_shares(m, in, f->kind);
}

/* ---- the file ---- */

static struct str
kinds_line(char *line, size_t size)
{
    size_t n = 0;

    for (int k = 0; k < PAGE_KINDS_N; k++)
        n += (size_t)snprintf(line + n, size - n, "%s%s", k ? " " : "",
                              page_kind_name(k));
    return str_n(line, n);
}

static bool
read_row(struct str *text, float *row, uint32_t n)
{
    struct str line;
    double x;

    if (!str_cut(text, '\n', &line))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!model_text_number(&line, &x) || fabs(x) > 1e6)
            return false;
        row[i] = (float)x;
    }
    return str_trim(line).n == 0;
}

enum status
page_kind_parse(struct page_kind_model *m, struct str text, const char **fault)
{
    struct str value, line;
    char kinds[200];
    double n;
    bool ok;

    *fault = "not a 'winnow page kinds 1' file";
    if (!str_starts(text, magic))
        return ST_INVALID;
    *fault = "made for other inputs";
    if (!model_text_find(text, S("inputs"), &value) ||
        !model_text_number(&value, &n) || n != PAGE_KIND_INPUTS_N)
        return ST_INVALID;
    *fault = "made for other kinds";
    if (!model_text_find(text, S("kinds"), &value) ||
        !str_eq(value, kinds_line(kinds, sizeof kinds)))
        return ST_INVALID;
    for (int i = 0; i < 3; i++)
        (void)str_cut(&text, '\n', &line);
    *fault = "a broken line of numbers";
    ok = read_row(&text, m->mean, PAGE_KIND_INPUTS_N) &&
         read_row(&text, m->scale, PAGE_KIND_INPUTS_N);
    for (int k = 0; ok && k < PAGE_KINDS_N; k++)
        ok = read_row(&text, m->weight[k], PAGE_KIND_INPUTS_N + 1);
    return ok ? ST_OK : ST_INVALID;
}

enum status
page_kind_load(struct page_kind_model *m, const char *path)
{
    struct buf text = {0};
    const char *fault;
    enum status st = file_read(&text, path, PAGE_KIND_FILE_BYTES);

    if (st != ST_OK) {
        log_error("boilerplate", "cannot read %s", path);
    } else if ((st = page_kind_parse(m, buf_view(&text), &fault)) != ST_OK) {
        log_error("boilerplate", "%s: %s", path, fault);
    }
    buf_free(&text);
    return st;
}

static void
write_row(const float *row, uint32_t n, FILE *f)
{
    for (uint32_t i = 0; i < n; i++)
        fprintf(f, "%s%.6g", i ? " " : "", (double)row[i]);
    fputc('\n', f);
}

static void
write_kinds(const void *model, FILE *to)
{
    const struct page_kind_model *m = model;
    char kinds[200];

    fprintf(to, "%.*sinputs=%u\nkinds=%.*s\n", STRF(magic),
            (unsigned)PAGE_KIND_INPUTS_N,
            STRF(kinds_line(kinds, sizeof kinds)));
    write_row(m->mean, PAGE_KIND_INPUTS_N, to);
    write_row(m->scale, PAGE_KIND_INPUTS_N, to);
    for (int k = 0; k < PAGE_KINDS_N; k++)
        write_row(m->weight[k], PAGE_KIND_INPUTS_N + 1, to);
}

enum status
page_kind_save(const struct page_kind_model *m, const char *path)
{
    return model_text_save(path, write_kinds, m);
}
