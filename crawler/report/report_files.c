/* report_files.c -- a report as files: tab-separated tables and the plot.
 *
 * Each file is written beside its place and renamed, so that a reader never
 * sees half of one.  Tabs and control characters in names become '?'. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/disk_full.h"
#include "base/log.h"
#include "report.h"

#define CURVE_POINTS 200

static void
name_cell(FILE *to, struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        fputc((unsigned char)name.p[i] < 32 ? '?' : name.p[i], to);
}

static void
yield_tsv(const struct report *r, FILE *to)
{
    struct report_point *p = calloc(CURVE_POINTS, sizeof *p);
    size_t n = p ? report_curve(r, p, CURVE_POINTS) : 0;

    fprintf(to, "fetched\tkept\tyield_ratio\twindow_fetched\twindow_kept\t"
                "window_yield_ratio\n");
    for (size_t i = 0; i < n; i++)
        fprintf(to,
                "%" PRIu64 "\t%" PRIu64 "\t%.6f\t%" PRIu64 "\t%" PRIu64
                "\t%.6f\n",
                p[i].fetched, p[i].kept, report_ratio(p[i].kept, p[i].fetched),
                p[i].window_fetched, p[i].window_kept,
                report_ratio(p[i].window_kept, p[i].window_fetched));
    free(p);
}

static void
reasons_tsv(const struct report *r, FILE *to)
{
    fprintf(to, "reason\tpages\tshare\tbytes\n");
    for (size_t i = 0; i < r->reasons_n; i++) {
        name_cell(to, r->reasons[i].name);
        fprintf(to, "\t%" PRIu64 "\t%.6f\t%" PRIu64 "\n", r->reasons[i].pages,
                report_ratio(r->reasons[i].pages, r->fetched),
                r->reasons[i].bytes);
    }
}

static void
languages_tsv(const struct report *r, FILE *to)
{
    fprintf(to, "language\tkept\tkept_bytes\ttokens\n");
    for (size_t i = 0; i < r->languages_n; i++) {
        name_cell(to, r->languages[i].code);
        fprintf(to, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
                r->languages[i].kept, r->languages[i].kept_bytes,
                r->languages[i].tokens);
    }
}

static void
hosts_tsv(const struct report *r, FILE *to)
{
    fprintf(to, "host\tfetched\tkept\tyield_ratio\tfetched_bytes\t"
                "kept_bytes\ttokens\n");
    for (size_t i = 0; i < r->hosts_n; i++) {
        const struct report_host *h = &r->hosts[i];

        name_cell(to, h->name);
        fprintf(to,
                "\t%" PRIu64 "\t%" PRIu64 "\t%.6f\t%" PRIu64 "\t%" PRIu64
                "\t%" PRIu64 "\n",
                h->fetched, h->kept, report_ratio(h->kept, h->fetched),
                h->fetched_bytes, h->kept_bytes, h->tokens);
    }
}

static enum status
failed(const char *path)
{
    enum status st = disk_full(errno) ? ST_FULL : ST_IO;

    log_error("report", "file=%s error=\"%s\"", path, disk_full_text(errno));
    return st;
}

static enum status
one_file(const struct report *r, const char *folder, const char *name,
         void (*write_to)(const struct report *, FILE *))
{
    struct buf path = {0}, part = {0};
    enum status st = ST_OK;
    bool good;
    FILE *f;

    buf_printf(&path, "%s/%s", folder, name);
    buf_char(&path, '\0');
    buf_printf(&part, "%s.part", path.p);
    buf_char(&part, '\0');
    if ((f = fopen(part.p, "wb")) == NULL) {
        st = failed(part.p);
        goto out;
    }
    write_to(r, f);
    good = !ferror(f);
    if (fclose(f) != 0 || !good) {
        st = failed(part.p);
        unlink(part.p);
    } else if (rename(part.p, path.p) != 0) {
        st = failed(path.p);
    }
out:
    buf_free(&path);
    buf_free(&part);
    return st;
}

enum status
report_files(const struct report *r, const char *folder)
{
    static const struct {
        const char *name;
        void (*write_to)(const struct report *, FILE *);
    } files[] = {
        {"yield.tsv", yield_tsv},         {"reasons.tsv", reasons_tsv},
        {"languages.tsv", languages_tsv}, {"hosts.tsv", hosts_tsv},
        {"report.svg", report_svg},
    };
    enum status st = ST_OK;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return failed(folder);
    for (size_t i = 0; i < sizeof files / sizeof *files && st == ST_OK; i++)
        st = one_file(r, folder, files[i].name, files[i].write_to);
    return st;
}
