/* fuzz_journal.c -- any bytes as a discovery log: no crash, and what reads back
 * is written byte by byte the same. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontier/intake/journal.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str all = str_n((const char *)data, n), record, again;
    char path[] = "/tmp/winnow-journal-XXXXXX";
    struct journal *j;
    uint64_t at = 0, at_again = 0;
    int fd = mkstemp(path);

    if (fd < 0)
        abort();
    close(fd);
    if (journal_open(&j, path, 0, false) != ST_OK)
        abort();
    while (journal_parse(all, &at, &record) == ST_OK) {
        journal_add(j, record);
        if (journal_write(j, false) != ST_OK || journal_end(j) != at ||
            journal_next(j, &at_again, &again) != ST_OK ||
            !str_eq(record, again))
            abort();
    }
    journal_close(j);
    unlink(path);
    return 0;
}
