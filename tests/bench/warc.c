/* bench_warc FILE...: how fast records and pages come out of archives.
 *
 * Per file: records, pages, MB of file and of decompressed records in a second
 * of CPU time, best of three.  Nothing is cleaned. */
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "clean/archive/source.h"
#include "seconds.h"

static int
measure(const char *path)
{
    double best = 1e9, bytes = 0;
    uint64_t records = 0, pages = 0;
    struct arena *a = arena_new();
    struct stat sb;

    for (int turn = 0; turn < 3; turn++) {
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        struct source *s;
        struct source_page p;

        if (source_open(&s, path, (size_t)64 << 20) != ST_OK)
            return 1;
        for (bytes = 0, pages = 0; source_next(s, a, &p) == ST_OK; pages++) {
            bytes += (double)p.body.n;
            arena_reset(a);
        }
        records = 0;
        for (int t = 0; t < WARC_TYPE_N && source_counts(s); t++)
            records += source_counts(s)->records[t];
        source_close(s);
        if (seconds(CLOCK_PROCESS_CPUTIME_ID) - start < best)
            best = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    arena_free(a);
    if (stat(path, &sb) != 0)
        return 1;
    printf("%s: %llu records, %llu pages, %.1f MB of file, %.1f MB of pages, "
           "%.0f and %.0f MB/s\n",
           path, (unsigned long long)records, (unsigned long long)pages,
           (double)sb.st_size / 1e6, bytes / 1e6,
           (double)sb.st_size / 1e6 / best, bytes / 1e6 / best);
    return 0;
}

int
main(int argc, char **argv)
{
    int code = argc < 2;

    for (int i = 1; i < argc; i++)
        code |= measure(argv[i]);
    return code;
}
