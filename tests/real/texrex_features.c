/* texrex's 37 features and the verdict of its own network, against what texrex
 * wrote of 60 pages: division by division.
 *
 * Divisions must be as many, features equal but for feature 4 (texrex counts
 * header lines as part of the page) and the few texts that its stripper reads
 * differently, and the network's verdict at the threshold of texrex's job the
 * same.  Pages that texrex took for windows-1252 are decoded as that.
 *
 * Data: $WINNOW_TEXREX or ~/.cache/winnow-data/texrex-golden, and the networks
 * in $WINNOW_SHARED (default ../shared)/data/suites/texrex-jobs.  77: not
 * there. */
#include <math.h>
#include <unistd.h>

#include "../test.h"
#include "base/file.h"
#include "base/log.h"
#include "clean/archive/source.h"
#include "clean/boilerplate/network.h"
#include "clean/boilerplate/texrex_features.h"
#include "clean/charset/charset.h"

#define THRESHOLD 0.55f

static char golden[1024], network[1024];

/* A page in texrex's XML: from its <doc line to its </doc>. */
static struct str
page_of(struct str xml, struct str url)
{
    char start[4096];
    const char *at, *end;

    snprintf(start, sizeof start, "<doc url=\"%.*s", /* & is escaped */
             (int)str_find(url, '&', 0), url.p);
    at = memmem(xml.p, xml.n, start, strlen(start));
    if (at == NULL)
        return S("");
    end = memmem(at, xml.n - (size_t)(at - xml.p), "</doc>", 6);
    return end ? str_n(at, (size_t)(end - at)) : S("");
}

struct sums {
    uint32_t divisions, pages, same_pages, verdicts, texrex_text;
    uint32_t equal[TEXREX_N];
    double score_off; /* sum of differences of the network's values */
};

static double
number_after(struct str line, const char *key)
{
    const char *at = memmem(line.p, line.n, key, strlen(key));

    return at ? strtod(at + strlen(key), NULL) : -9;
}

static void
compare_row(struct sums *s, const float *ours, struct str line)
{
    struct str word;

    str_cut(&line, '"', &word);
    for (uint32_t k = 0; k < TEXREX_N; k++) {
        double theirs = 0;

        str_cut(&line, k + 1 < TEXREX_N ? ' ' : '"', &word);
        CHECK(str_real(word, &theirs));
        s->equal[k] += fabs((double)ours[k] - theirs) <=
                       (k == 4 ? 0.05 : 1e-3) * fmax(fabs(theirs), 1e-3);
    }
}

static void
compare(struct sums *s, const struct texrex_features *f, struct str page,
        const struct network *net)
{
    struct str line;
    uint32_t at = UINT32_MAX, n = 0, valid = 0;
    float theirs = 0;

    for (uint32_t i = 0; i < f->page.n; i++)
        valid += f->valid[i];
    while (str_cut(&page, '\n', &line)) {
        if (str_starts(line, S("<div idx="))) {
            at = (uint32_t)number_after(line, "idx=\"");
            theirs = (float)number_after(line, "bpv=\"");
            n++;
        }
        if (!str_starts(line, S("<metrics ")) || at >= f->page.n ||
            !f->valid[at])
            continue;
        {
            float ours = network_run(net, f->row[at]);

            compare_row(s, f->row[at], line);
            s->verdicts += (ours > THRESHOLD) == (theirs > THRESHOLD);
            s->texrex_text += theirs <= THRESHOLD;
            s->score_off += fabs((double)(ours - theirs));
        }
    }
    s->divisions += n;
    s->same_pages += n == valid;
    s->pages++;
    if (n != valid)
        fprintf(stderr, "%u divisions, texrex %u\n", valid, n);
}

static void
decode(struct document *d, struct str page)
{
    if (number_after(page, "sourcecharset=\"WINDOWS-") > 0)
        CHECK(charset_convert(&d->utf8, d->arena, d->bytes, "windows-1252") ==
              ST_OK);
    else
        d->utf8 = d->bytes;
}

static void
divisions_features_and_verdicts_are_texrexs(void)
{
    struct arena *a = arena_new();
    struct letters *l = letters_new();
    struct buf xml = {0};
    struct sums s = {0};
    struct network *net;
    struct source *in;
    struct source_page p;
    char path[1100];

    snprintf(path, sizeof path, "%s/features.xml", golden);
    CHECK(file_read(&xml, path, SIZE_MAX) == ST_OK);
    CHECK(network_load(&net, network) == ST_OK);
    snprintf(path, sizeof path, "%s/small.warc", golden);
    CHECK(source_open(&in, path, (size_t)64 << 20) == ST_OK);
    while (source_next(in, a, &p) == ST_OK) {
        struct str page = page_of(buf_view(&xml), p.url);
        struct document d = {.arena = a, .bytes = p.body};
        struct texrex_features f;

        if (page.n > 0) {
            decode(&d, page);
            texrex_features(&f, &d, l);
            compare(&s, &f, page, net);
        }
        arena_reset(a);
    }
    printf("     %u pages, %u with the same divisions; %u divisions, %u text; "
           "same verdict %u; mean difference of values %.5f\n",
           s.pages, s.same_pages, s.divisions, s.texrex_text, s.verdicts,
           s.score_off / s.divisions);
    for (uint32_t k = 0; k < TEXREX_N; k++)
        printf("%s%u: %.4f", k % 8 ? "  " : "\n     ", k,
               (double)s.equal[k] / s.divisions);
    printf("\n");
    CHECK(s.pages == 56 && s.same_pages >= 54 && s.divisions == 13937);
    CHECK(s.verdicts >= 13920);
    for (uint32_t k = 0; k < TEXREX_N; k++)
        CHECK(s.equal[k] >= s.divisions * 9 / 10);
    source_close(in);
    network_free(net);
    letters_free(l);
    buf_free(&xml);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(divisions_features_and_verdicts_are_texrexs), {0}};
    const char *home = getenv("HOME"), *given = getenv("WINNOW_TEXREX"),
               *shared = getenv("WINNOW_SHARED");

    snprintf(golden, sizeof golden, "%s%s",
             given  ? given
             : home ? home
                    : "",
             given ? "" : "/.cache/winnow-data/texrex-golden");
    snprintf(network, sizeof network,
             "%s/data/suites/texrex-jobs/boilerplate.en.net",
             shared ? shared : "../shared");
    log_threshold = LOG_ERROR;
    if (access(golden, R_OK) == 0 && access(network, R_OK) == 0)
        return test_main(table, argc, argv);
    printf("skipped: %s or %s is not there\n", golden, network);
    return 77;
}
