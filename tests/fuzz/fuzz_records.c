/* Any bytes as a corpus file: records end, and their ids lie inside of what was
 * read. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "corpus/records/records.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    int fd = memfd_create("records", MFD_CLOEXEC);
    size_t bytes = 0;
    struct records *r;
    struct corpus_record one;
    char path[64];

    log_threshold = LOG_ERROR;
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (records_open(&r, path) == ST_OK) {
        while (records_next(r, &one) == ST_OK) {
            char c = 0;

            for (size_t i = 0; i < one.id.n; i++)
                c ^= one.id.p[i];
            if (one.bytes.n == 0 || c == 127)
                c = 0;
            bytes += one.bytes.n;
        }
        if (records_form(r) == RECORD_EMPTY && bytes > 0)
            abort();
        records_close(r);
    }
    close(fd);
    return 0;
}
