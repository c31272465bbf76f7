/* fuzz_archive.h -- the target of fuzz_warc.c and fuzz_arc.c, which define
 * ARCHIVE_FORMAT first. */
#include "../unit/warc_samples.h"
#include "base/log.h"
#include "base/warc/warc_record.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct warc_reading r;
    struct warc_record record;
    uint64_t records = 0;
    size_t touched = 0;

    log_threshold = LOG_ERROR;
    MUST(warc_record_length(str_n((const char *)data, n)) <= n);
    /* The first byte says in which pieces the file is read. */
    if (n == 0)
        return 0;
    reading_open(&r, str_n((const char *)data + 1, n - 1),
                 data[0] == 0 ? SIZE_MAX : data[0], ARCHIVE_FORMAT, 1000);
    while (warc_next(r.warc, &record) == ST_OK) {
        MUST(record.block.n <= 1000 && record.block.n <= record.block_n);
        MUST(record.decompressed || record.offset + record.length <= n - 1);
        MUST(record.length > 0 && record.type < WARC_TYPE_N);
        for (size_t i = 0; i < record.url.n; i++)
            touched += (size_t)(unsigned char)record.url.p[i];
        for (size_t i = 0; i < record.block.n; i++)
            touched += (size_t)(unsigned char)record.block.p[i];
        records++;
    }
    for (int t = 0; t < WARC_TYPE_N; t++)
        records -= warc_counts(r.warc)->records[t];
    MUST(records == 0);
    MUST(inflate_stream_state(r.in) == INFLATE_END);
    reading_close(&r);
    return touched == SIZE_MAX;
}
