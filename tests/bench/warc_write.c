/* bench_warc_write < LIST: what archiving pages costs, by how they are packed.
 *
 * The list names files, one a line, which are bodies of pages; each is put with
 * a request.  Printed for each packing: MB of the files of records, and of them
 * to what was put, and CPU ms a page with digests and index; with a dictionary
 * twice: while it is learnt, and in the next run.  "sent" is gzip of bodies
 * that came in gzip (level 6 of zlib, as servers have it).
 *
 *   find ~/.cache/winnow-data/web/sites -type f | sort | shuf -n 6000
 *       --random-source=/bin/bash | build/release/tests/bench_warc_write */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "../folder.h"
#include "../unit/warc_samples.h"
#include "../warc_put.h"
#include "base/log.h"
#include "seconds.h"

#define NOW 1700000000000
#define LEARN_FROM ((uint64_t)16 << 20) /* preset of warc_dictionary_mib */

static void
put(struct warc_write *w, const char *path, struct str body, bool coded,
    uint64_t date_ms)
{
    struct buf head = {0}, request = {0}, url = {0};
    struct warc_exchange x = {.ip = S("192.0.2.7"),
                              .date_ms = date_ms,
                              .payload_type = S("text/html"),
                              .protocol = {S("http/1.1"), S("")},
                              .status = 200,
                              .response_body = body};

    buf_printf(&url, "http:/%s", path);
    buf_printf(&head,
               "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html\r\n"
               "%sContent-Length: %zu\r\nConnection: keep-alive\r\n\r\n",
               coded ? "Content-Encoding: gzip\r\n" : "", body.n);
    buf_printf(&request,
               "GET %s HTTP/1.1\r\nHost: site.example\r\nAccept: text/html,"
               "application/xhtml+xml,*/*;q=0.1\r\nAccept-Encoding: gzip, "
               "deflate, br, zstd\r\nUser-Agent: winnow/0.1\r\n\r\n",
               path);
    x.url = buf_view(&url);
    x.response_head = buf_view(&head);
    x.request = buf_view(&request);
    if (warc_put(w, &x, NOW, NULL) != ST_OK)
        exit(1);
    buf_free(&head);
    buf_free(&request);
    buf_free(&url);
}

/* Bytes of the archives in a folder. */
static double
archived(const char *path)
{
    DIR *d = opendir(path);
    struct dirent *e;
    struct stat sb;
    double n = 0;

    while (d != NULL && (e = readdir(d)) != NULL)
        if (strstr(e->d_name, ".warc.") != NULL &&
            fstatat(dirfd(d), e->d_name, &sb, 0) == 0)
            n += (double)sb.st_size;
    if (d != NULL)
        closedir(d);
    return n;
}

static void
measure(const char *name, enum warc_form form, uint64_t learn_from, bool coded,
        char *const *path, size_t n)
{
    struct warc_write_options o = {.folder = in_folder(name),
                                   .prefix = "bench",
                                   .file_max = UINT64_MAX,
                                   .form = form,
                                   .learn_from = learn_from,
                                   .digests = true,
                                   .software = S("bench"),
                                   .seed = 1};
    struct warc_write *w;
    struct buf body = {0}, sent = {0};
    double bytes = 0, spent = 0, had = archived(o.folder);

    if (warc_write_open(&w, &o) != ST_OK)
        exit(1);
    for (size_t i = 0; i < n; i++) {
        double from;

        if (file_read(&body, path[i], 4 << 20) != ST_OK)
            continue;
        bytes += (double)body.n;
        buf_clear(&sent);
        if (coded)
            sample_gzip(&sent, buf_view(&body));
        from = seconds(CLOCK_PROCESS_CPUTIME_ID);
        put(w, path[i], buf_view(coded ? &sent : &body), coded, NOW + 1000 * i);
        spent += seconds(CLOCK_PROCESS_CPUTIME_ID) - from;
    }
    if (warc_write_close(w) != ST_OK)
        exit(1);
    printf("%-20s %7.1f MB, %.3f of the pages, %.3f ms a page\n", name,
           (archived(in_folder(name)) - had) / 1e6,
           (archived(in_folder(name)) - had) / bytes, 1000 * spent / (double)n);
    buf_free(&body);
    buf_free(&sent);
}

int
main(void)
{
    static char *path[100000];
    char line[4096];
    size_t n = 0;

    while (n < 100000 && fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        path[n++] = strdup(line);
    }
    if (n == 0)
        return 1;
    log_threshold = LOG_WARN;
    folder_open();
    measure("gzip", WARC_GZIP, 0, false, path, n);
    measure("sent", WARC_GZIP, 0, true, path, n);
    measure("zstd", WARC_ZSTD, 0, false, path, n);
    for (int run = 0; run < 2; run++)
        measure("zstd-dictionary", WARC_ZSTD, LEARN_FROM, false, path, n);
    folder_close();
    while (n > 0)
        free(path[--n]);
    return 0;
}
