/* Documents of JSONL and the Leipzig format: every file comes to an end, and
 * what is given out lies in it. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "corpus/job/document_read.h"
#include "fuzz.h"

static void
read_all(const char *path, enum document_form form)
{
    struct document_read *d;
    struct raw_document doc;
    const char *why;
    enum status st;
    size_t records = 0;
    const char *none = NULL;

    if (document_read_open(&d, path, form, &none) != ST_OK)
        return;
    do {
        st = document_read_next(d, &doc, &why);
        if (st == ST_OK)
            MUST(doc.text.n < (size_t)1 << 28);
        MUST(++records < 1000000);
    } while (st == ST_OK || st == ST_INVALID);
    document_read_close(d);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    int fd = memfd_create("documents", 0);
    char path[64];

    log_threshold = LOG_ERROR;
    MUST(fd >= 0 && write(fd, data, n) == (ssize_t)n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_all(path, DOCUMENT_JSONL);
    read_all(path, DOCUMENT_LEIPZIG);
    close(fd);
    return 0;
}
