/* The dictionary of a file made of anything: what is taken for one serves to
 * pack and to read again. */
#include "../unit/warc_samples.h"
#include "base/log.h"
#include "clean/archive/zstd_frame.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct str text = STR("een verhaal dat nog niemand kent");
    struct zstd_dictionary *d = NULL;
    struct zstd_frame *z;
    struct buf file = {0};
    struct memory memory;
    struct inflate_stream *in;
    struct str read;

    log_threshold = LOG_ERROR;
    if (zstd_dictionary_read(&d, str_n((const char *)data, n)) != ST_OK)
        return 0;
    z = zstd_frame_new();
    MUST(z != NULL && zstd_dictionary_frame(d).n <= n);
    buf_str(&file, zstd_dictionary_frame(d));
    MUST(zstd_frame_write(z, d, text, &file));
    memory = (struct memory){buf_view(&file), SIZE_MAX};
    MUST(inflate_stream_open(
             &in, (struct inflate_source){&memory, memory_read}) == ST_OK);
    read = inflate_stream_peek(in, text.n + 1);
    MUST(str_eq(read, text));
    inflate_stream_close(in);
    zstd_frame_free(z);
    zstd_dictionary_free(d);
    buf_free(&file);
    return 0;
}
