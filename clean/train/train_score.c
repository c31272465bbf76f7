/* train_score.c -- how well unseen pages are classified.
 *
 * F1 of a page counts words of the blocks kept against those aligned with the
 * truth: quick enough to tune with.  The exact figure (longest common
 * subsequence with the truth file) is for the exported texts and a scorer
 * outside of this program. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/log.h"
#include "train_cross.h"

/* Correct, kept and wanted words, or blocks. */
struct score_tally {
    double hit, kept, wanted;
};

static double
f1(const struct score_tally *t)
{
    double sum = t->kept + t->wanted;

    return sum > 0 ? 2 * t->hit / sum : 1;
}

static double
page_f1(const struct train_page *page, const float *p, double threshold)
{
    struct score_tally t = {0, 0, 0};

    for (uint32_t i = 0; i < page->f.n; i++) {
        double words = page->f.place[i].words;
        double good = page->target[i] > 0 ? words * (double)page->target[i] : 0;

        t.wanted += good;
        if ((double)p[i] >= threshold) {
            t.kept += words;
            t.hit += good;
        }
    }
    return f1(&t);
}

double
train_threshold(const struct train_set *set, enum train_split how,
                uint32_t pass, uint32_t but)
{
    double best = -1, at = 0.5;

    if (how == TRAIN_BY_SET)
        return at;
    for (int step = 0; step < 30; step++) {
        double t = 0.2 + 0.02 * step, sum = 0;
        uint32_t n = 0;

        for (uint32_t p = 0; p < set->pages_n; p++) {
            const struct train_page *page = &set->page[p];

            if (!page->whole || page->fold == but || page->suspect)
                continue;
            sum += page_f1(page, page->p[pass], t);
            n++;
        }
        if (n > 0 && sum / n > best) {
            best = sum / n;
            at = t;
        }
    }
    return at;
}

static enum status
export_page(const struct train_page *page, const float *p, double threshold,
            const char *dir)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/%.*s", dir, STRF(page->set));
    if ((mkdir(dir, 0777) != 0 && errno != EEXIST) ||
        (mkdir(path, 0777) != 0 && errno != EEXIST)) {
        log_error("train", "cannot make %s", path);
        return ST_IO;
    }
    snprintf(path, sizeof path, "%s/%.*s/%.*s.txt", dir, STRF(page->set),
             STRF(page->id));
    if ((f = fopen(path, "w")) == NULL) {
        log_error("train", "cannot write %s", path);
        return ST_IO;
    }
    for (uint32_t i = 0; i < page->f.n; i++)
        if ((double)p[i] >= threshold)
            fprintf(f, "%.*s\n", STRF(page->text[i]));
    return fclose(f) == 0 ? ST_OK : ST_IO;
}

/* What kinds of pages they look like, who are of a known one: a row a page. */
static enum status
export_kinds(const struct train_set *set, const char *dir)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/kinds.tsv", dir);
    if ((f = fopen(path, "w")) == NULL) {
        log_error("train", "cannot write %s", path);
        return ST_IO;
    }
    fprintf(f, "page\tkind");
    for (int k = 0; k < PAGE_KINDS_N; k++)
        fprintf(f, "\t%s", page_kind_name(k));
    for (uint32_t p = 0; p < set->pages_n; p++) {
        const struct train_page *page = &set->page[p];

        if (page->kind < 0 || page->f.n == 0)
            continue;
        fprintf(f, "\n%.*s/%.*s\t%s", STRF(page->set), STRF(page->id),
                page_kind_name(page->kind));
        for (int k = 0; k < PAGE_KINDS_N; k++)
            fprintf(f, "\t%.3f", (double)page->f.kind[k]);
    }
    fputc('\n', f);
    return fclose(f) == 0 ? ST_OK : ST_IO;
}

static void
count_blocks(const struct train_page *page, const float *p, double threshold,
             struct score_tally *blocks, struct score_tally *words)
{
    for (uint32_t i = 0; i < page->f.n; i++) {
        double n = page->f.place[i].words;
        bool text = page->target[i] >= 0.5f, kept = (double)p[i] >= threshold;

        if (page->target[i] < 0)
            continue;
        blocks->wanted += text;
        blocks->kept += kept;
        blocks->hit += text && kept;
        words->wanted += text ? n : 0;
        words->kept += kept ? n : 0;
        words->hit += text && kept ? n : 0;
    }
}

/* Scores of one set; of all when `name` is empty. */
static double
report_set(const struct train_set *set, const double *threshold, uint32_t pass,
           struct str name)
{
    struct score_tally blocks = {0, 0, 0}, words = {0, 0, 0};
    double sum = 0;
    uint32_t n = 0;

    for (uint32_t p = 0; p < set->pages_n; p++) {
        const struct train_page *page = &set->page[p];

        if (page->suspect || page->f.n == 0 ||
            (name.n > 0 && !str_eq(page->set, name)))
            continue;
        count_blocks(page, page->p[pass], threshold[page->fold], &blocks,
                     &words);
        if (!page->whole)
            continue;
        sum += page_f1(page, page->p[pass], threshold[page->fold]);
        n++;
    }
    printf("%-22.*s %5u pages  F1 %.4f  blocks %.4f  words %.4f\n",
           STRF(name.n > 0 ? name : (struct str)STR("ALL")), n, n ? sum / n : 0,
           f1(&blocks), f1(&words));
    return n ? sum / n : 0;
}

enum status
train_report(const struct train_set *set, enum train_split how,
             uint32_t folds_n, uint32_t pass, const char *dir)
{
    double threshold[TRAIN_FOLDS_MAX];
    enum status st = ST_OK;

    for (uint32_t k = 0; k < folds_n; k++)
        threshold[k] = train_threshold(set, how, pass, k);
    for (uint32_t p = 0; p < set->pages_n; p++) {
        bool first = true;

        for (uint32_t q = 0; q < p && first; q++)
            first = !str_eq(set->page[q].set, set->page[p].set);
        if (first)
            report_set(set, threshold, pass, set->page[p].set);
    }
    report_set(set, threshold, pass, (struct str)STR(""));
    for (uint32_t p = 0; dir != NULL && p < set->pages_n && st == ST_OK; p++)
        st = export_page(&set->page[p], set->page[p].p[pass],
                         threshold[set->page[p].fold], dir);
    return st == ST_OK && dir != NULL ? export_kinds(set, dir) : st;
}
